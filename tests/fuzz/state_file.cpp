/// State files of optimisations (.bsopt, .chain): the title is the file's own first line, so that the lines
/// behind it are reached. Lines that can be read are written the same again.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "bases/optimise/state_lines.hpp"
#include "core/common/error.hpp"

namespace {

using namespace prophet;

void readLine(const std::string& line) {
  try {
    const std::string kind = kindOfLine(line);
    if (kind == "e") {
      const std::string text = textOf(evaluationLineOf(line));
      if (textOf(evaluationLineOf(text)) != text) std::abort();
    } else if (kind == "trial") {
      const std::string text = textOf(trialLineOf(line));
      if (textOf(trialLineOf(text)) != text) std::abort();
    } else if (kind == "fit") {
      const std::string text = textOf(fitLineOf(line));
      if (textOf(fitLineOf(text)) != text) std::abort();
    } else if (kind == "limit") {
      const std::string text = limitLine(limitOf(line));
      if (limitLine(limitOf(text)) != text) std::abort();
    }
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    parseRecord(text, "bsopt 3: another run", "fuzz");
  } catch (const Error&) {
  }
  try {
    const RecordText record = parseRecord(text, text.substr(0, text.find('\n')), "fuzz");
    if (record.wholeBytes > text.size()) std::abort();
    for (const std::string& line : record.lines) readLine(line);
  } catch (const Error&) {
  }
  return 0;
}
