#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace prophet {

/// How much a report says.
struct ReportStyle {
  std::optional<std::ptrdiff_t> rows{};  ///< of each table; empty: as many as the table says
  bool verbose = false;                  ///< with Quantity::Place::Details
  std::function<std::string(std::string)>
      spelled{};  ///< settings in texts as people write them; may be empty
};

}  // namespace prophet
