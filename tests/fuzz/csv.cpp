/// Tables with fields between commas.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/common/csv.hpp"
#include "core/common/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto rows = prophet::parseCsv({reinterpret_cast<const char*>(data), size});
    // What is written again reads the same.
    for (const auto& row : rows) {
      std::string text;
      for (std::size_t i = 0; i < row.fields.size(); ++i)
        text += (i == 0 ? "" : ",") + prophet::csvField(row.fields[i]);
      if (row.fields.size() < 2 || text[0] == '#' || text[0] == '\xEF')
        continue;  // a comment, or a byte order mark
      const auto again = prophet::parseCsv(text);
      if (again.size() != 1 || again[0].fields != row.fields) std::abort();
    }
  } catch (const prophet::Error&) {
  }
  return 0;
}
