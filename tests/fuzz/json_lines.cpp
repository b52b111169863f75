/// Outputs of batches, read again by --resume and by the summary.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "atoms/service/json_lines.hpp"
#include "core/common/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  prophet::headOf(text.substr(0, text.find('\n')));
  try {
    const prophet::JsonLinesText lines = prophet::parseJsonLines(text, "fuzz.jsonl");
    if (lines.wholeBytes > size) std::abort();
    if (lines.wholeBytes > 0 && text[lines.wholeBytes - 1] != '\n') std::abort();
    for (const std::string& id : lines.finished)
      if (id.empty() || lines.otherwise.count(id)) std::abort();
  } catch (const prophet::Error&) {
  }
  return 0;
}
