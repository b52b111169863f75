#include "operations/report/properties_report.hpp"

#include "operations/report/report.hpp"

namespace prophet {

std::string reportProperties(const Properties& p) {
  std::string text = textRule("Properties");
  for (const PropertyTable& table : p.tables) {
    for (const auto& [key, value] : table.lines) text += keyValue(key, value);
  }
  return text + warningLines(p.warnings);
}

}  // namespace prophet
