#include "operations/jobs/result_record.hpp"

#include <ctime>

#include "core/common/files.hpp"
#include "core/common/text.hpp"
#include "core/common/version.hpp"

namespace prophet {
namespace {

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::string textOf(const std::string& file) {
  try {
    return readFile(file);
  } catch (const Error&) {
    return "";
  }
}

}  // namespace

ResultRecord recordOf(const std::string& file, const std::string& title, const Calculation& calculation,
                      const Result& result) {
  return {utf8(file), title, textOf(file), kVersion, now(), calculation, result};
}

}  // namespace prophet
