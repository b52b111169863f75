/// Input files: any text gives a Job or an error with places in it.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "operations/input/parse_job.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    prophet::parseJob(text, "fuzz.inp");
  } catch (const prophet::InputErrors& errors) {
    if (errors.diagnostics().empty()) std::abort();
    for (const prophet::Diagnostic& d : errors.diagnostics()) {
      if (d.line < 1 || d.column < 1 || d.message.empty()) std::abort();
    }
  }
  return 0;
}
