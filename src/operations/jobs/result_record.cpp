#include "operations/jobs/result_record.hpp"

#include "core/common/files.hpp"
#include "core/common/text.hpp"
#include "core/common/version.hpp"

namespace prophet {
namespace {

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
  return {utf8(file), title, textOf(file), kVersion, timeNow("%Y-%m-%dT%H:%M:%SZ"), calculation, result};
}

}  // namespace prophet
