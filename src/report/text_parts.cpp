#include "report/text_parts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "atom/elements.hpp"

namespace prophet {

std::string textRule(const std::string& title) {
  return fmt::format("\n--- {} {}\n", title, std::string(74 - title.size(), '-'));
}

std::string keyValue(const std::string& key, const std::string& value) {
  return fmt::format("  {:<26} {}\n", key, value);
}

namespace {

std::string correctionLines(const std::vector<EnergyCorrection>& corrections, bool selfConsistent) {
  std::string text;
  for (const EnergyCorrection& part : corrections) {
    if (part.selfConsistent == selfConsistent)
      text += keyValue("  " + part.name, fmt::format("{:.10f}", part.value));
  }
  return text;
}

}  // namespace

std::string energyPartLines(const CoulombParts& parts, const std::vector<EnergyCorrection>& corrections) {
  double repulsion = parts.twoElectron;
  for (const EnergyCorrection& part : corrections) {
    if (part.kind == CorrectionKind::Breit && part.selfConsistent) repulsion -= part.value;
  }
  std::string text = keyValue("  kinetic", fmt::format("{:.10f}", parts.kinetic));
  text += keyValue("  nuclear attraction", fmt::format("{:.10f}", parts.nuclear));
  text += keyValue("  electron repulsion", fmt::format("{:.10f}", repulsion));
  text += correctionLines(corrections, true);
  const std::string added = correctionLines(corrections, false);
  if (added.empty()) return text;
  text += "  in first order, not part of the total energy above:\n" + added;
  return text + keyValue("with all corrections",
                         fmt::format("{:.10f} hartree", parts.total + firstOrderSum(corrections)));
}

std::string atomName(const Calculation& c) {
  const double z = c.nucleus.charge;
  const double electrons = c.configuration.electrons();
  std::string name = fmt::format("Z = {}", z);
  if (z == std::floor(z) && z >= 1 && z <= kLastElement)
    name = fmt::format("{}, {}", symbolOf(static_cast<int>(z)), name);
  const double ion = z - electrons;
  if (std::abs(ion) > 1e-9) name += fmt::format(", charge {:+g}", ion);
  return name + fmt::format(", {:g} electrons", electrons);
}

std::string occupationTable(const Configuration& c) {
  std::string text =
      fmt::format("  {:<10} {:>7} {:>6} {:>18}\n", "symmetry", "closed", "open", "electrons in open");
  for (std::size_t a = 0; a < c.symmetries.size(); ++a) {
    const SymmetryOccupation& s = c.symmetries[a];
    if (s.occupied() == 0) continue;
    text += fmt::format("  {:<10} {:>7} {:>6} {:>18}\n", Symmetry::fromIndex(static_cast<int>(a)).label(),
                        s.closed(), s.occupied() - s.closed(),
                        s.open() ? fmt::format("{:.6f}", s.openElectrons()) : "-");
  }
  return text;
}

}  // namespace prophet
