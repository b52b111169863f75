#include "operations/report/text_parts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "atoms/atom/elements.hpp"

namespace prophet {

std::string textRule(const std::string& title) {
  return fmt::format("\n--- {} {}\n", title, std::string(74 - title.size(), '-'));
}

std::string keyValue(const std::string& key, const std::string& value) {
  return fmt::format("  {:<26} {}\n", key, value);
}

namespace {

std::string partLines(const EnergyBreakdown& energy, Treatment treatment) {
  std::string text;
  for (const EnergyPart& part : energy.parts) {
    if (part.treatment == treatment)
      text += keyValue(std::string("  ") + labelOf(part.id), fmt::format("{:.10f}", part.value));
  }
  return text;
}

}  // namespace

std::string energyPartLines(const EnergyBreakdown& energy) {
  const std::string text = partLines(energy, Treatment::SelfConsistent);
  const std::string added = partLines(energy, Treatment::FirstOrder);
  if (added.empty()) return text;
  return text + "  in first order, not part of the total energy above:\n" + added +
         keyValue("with all corrections", fmt::format("{:.10f} hartree", energy.withCorrections()));
}

std::string atomName(const AtomProblem& problem) {
  const double z = problem.nucleus.charge;
  const double electrons = problem.configuration.electrons();
  std::string name = fmt::format("Z = {}", z);
  if (const auto element = elementOfCharge(z)) name = fmt::format("{}, {}", symbolOf(*element), name);
  const double ion = z - electrons;
  if (std::abs(ion) > 1e-9) name += fmt::format(", charge {:+g}", ion);
  return name + fmt::format(", {:g} electron{}", electrons, electrons == 1 ? "" : "s");
}

std::string warningLines(const std::vector<Warning>& warnings) {
  std::string text;
  for (const Warning& warning : warnings) text += "  warning: " + warning.text + "\n";
  return text;
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
