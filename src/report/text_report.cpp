#include <fmt/format.h>

#include <cmath>

#include "report/beyond_coulomb_text.hpp"
#include "report/report.hpp"
#include "report/text_parts.hpp"

namespace prophet {
namespace {

std::string extrapolationName(const ScfOptions& o) {
  switch (o.extrapolation) {
    case Extrapolation::None:
      return fmt::format("none, damping {:g} (ixtrp 0)", o.damping);
    case Extrapolation::Fock:
      return fmt::format("Fock matrices, damping {:g} (ixtrp 1)", o.damping);
    case Extrapolation::Diis:
      return "DIIS (ixtrp 2)";
  }
  return "";
}

std::string fockName(FockKind kind) {
  switch (kind) {
    case FockKind::Grid:
      return "grid";
    case FockKind::Stored:
      return "stored super-matrices";
    case FockKind::Stse:
      return "stored super-matrices, STSE";
    case FockKind::Mtse:
      return "stored super-matrices, MTSE";
    case FockKind::Automatic:
      return "automatic";
  }
  return "";
}

std::string spinorTable(const Calculation& c, const ScfResult& scf) {
  std::string text = fmt::format("  {:<10} {:>3} {:>3} {:>5} {:>6} {:>13} {:>20} {:>15}\n", "spinor", "n",
                                 "l", "j", "kappa", "occupation", "energy / hartree", "<r> / bohr");
  for (std::size_t a = 0; a < scf.symmetries.size(); ++a) {
    const Symmetry s = c.basis.symmetries[a].symmetry;
    const SymmetrySpinors& spinors = scf.symmetries[a];
    for (Eigen::Index i = 0; i < spinors.energies.size(); ++i) {
      const int n = s.l() + static_cast<int>(i) + 1;
      text += fmt::format("  {:<10} {:>3} {:>3} {:>5} {:>6} {:>13.6f} {:>20.10f} {:>15.8f}\n",
                          spinorLabel(s, static_cast<int>(i) + 1), n, s.l(), fmt::format("{}/2", s.twoJ()),
                          s.kappa, spinors.occupations(i), spinors.energies(i), spinors.meanRadii(i));
    }
  }
  return text;
}

std::string droppedDirections(const Calculation& c, const ScfResult& scf) {
  std::string text;
  for (std::size_t a = 0; a < scf.symmetries.size(); ++a) {
    const SymmetrySpinors& s = scf.symmetries[a];
    if (s.droppedLarge + s.droppedSmall == 0) continue;
    text += fmt::format(
        "  {}: {} large and {} small near-dependent directions removed (overlap eigenvalue below {:.0e})\n",
        c.basis.symmetries[a].symmetry.label(), s.droppedLarge, s.droppedSmall,
        c.job.scf.dependencyThreshold);
  }
  return text;
}

std::string builderLine(const EnergyResult& r) {
  if (r.gpu)
    return fmt::format("{}, {} contractions in {:.4f} s", r.builder, r.gpu->contractions,
                       r.gpu->contractionSeconds);
  const std::string threads = fmt::format("{} thread{}", r.threads, r.threads == 1 ? "" : "s");
  if (r.grid)
    return fmt::format("grid, {} points, spacing {:.4f} in ln r, {}", r.grid->points, r.grid->h, threads);
  return fmt::format("{}, {:.2f} GB of integrals, {}", r.builder, r.storedBytes * 1e-9, threads);
}

std::string deviceLines(const EnergyResult& r) {
  if (!r.gpu) return "";
  return keyValue("GPU", r.gpu->device) + keyValue("GPU memory", r.gpu->memory);
}

}  // namespace

std::string reportHeader(const std::string& version, const Calculation& c) {
  return fmt::format("CUDAProphet {}: Dirac-Hartree-Fock for atoms in Gaussian basis sets\n\n{}\n", version,
                     c.job.title);
}

std::string reportJob(const Calculation& c) {
  std::string text = textRule("Job");
  text += keyValue("input", c.job.file);
  text += keyValue("atom", atomName(c));
  text += keyValue("nucleus", c.nucleus.description());
  text += keyValue("configuration", c.configuration.description);
  const BeyondCoulomb& beyond = c.job.beyondCoulomb;
  text += keyValue("Hamiltonian", hamiltonianText(beyond) + ", rest mass subtracted");
  if (beyond.qed.any()) text += keyValue("QED", qedText(beyond));
  text += keyValue("speed of light", fmt::format("{:.8f}", c.job.speedOfLight));
  text += keyValue("Fock matrix", fockName(c.fock));
  text += keyValue("extrapolation", extrapolationName(c.job.scf));
  text += keyValue("iterations, at most", fmt::format("{}", c.job.scf.maxIterations));
  text += keyValue("thresholds LL, SL, SS", fmt::format("{:.1e} {:.1e} {:.1e}", c.job.scf.thresholdLL,
                                                        c.job.scf.thresholdSL, c.job.scf.thresholdSS));
  for (const std::string& choice : c.choices) text += keyValue("chosen for you", choice);
  return text + "\n" + occupationTable(c.configuration);
}

std::string reportBasis(const Calculation& c, bool everyExponent) {
  std::string text = textRule("Basis set") + keyValue("source", c.basis.description);
  text += fmt::format("  {:<10} {:>9} {:>24} {:>24}\n", "symmetry", "functions", "smallest exponent",
                      "largest exponent");
  for (const SymmetryBasis& s : c.basis.symmetries) {
    if (s.exponents.empty()) continue;
    const auto [low, high] = std::minmax_element(s.exponents.begin(), s.exponents.end());
    text += fmt::format("  {:<10} {:>9} {:>24.12e} {:>24.12e}\n", s.symmetry.label(), s.size(), *low, *high);
    if (!everyExponent) continue;
    for (std::size_t i = 0; i < s.exponents.size(); ++i) {
      text += fmt::format("{}{:.15e}{}", i % 3 == 0 ? "    " : "  ", s.exponents[i],
                          i % 3 == 2 || i + 1 == s.exponents.size() ? "\n" : "");
    }
  }
  return text;
}

std::string reportIterationHead() {
  return textRule("SCF") + fmt::format("  {:>4} {:>22} {:>11} {:>10} {:>10} {:>10} {:>10}\n", "it",
                                       "energy / hartree", "change", "LL", "SL", "SS", "gradient");
}

std::string reportIteration(const ScfIteration& s) {
  return fmt::format("  {:>4} {:>22.10f} {:>11.2e} {:>10.2e} {:>10.2e} {:>10.2e} {:>10.2e}\n", s.number,
                     s.energy, s.energyChange, s.densityChangeLL, s.densityChangeSL, s.densityChangeSS,
                     s.diisError);
}

std::string reportResult(const Calculation& c, const EnergyResult& result) {
  const ScfResult& scf = result.scf;
  std::string text = textRule("Result") + droppedDirections(c, scf);
  const EnergyParts& e = scf.energy;
  text += keyValue("total energy", fmt::format("{:.10f} hartree", e.total));
  text += energyPartLines({e.total, e.kinetic, e.nuclear, e.twoElectron}, result.corrections);
  text +=
      keyValue("virial ratio",
               fmt::format("{:.9f}   (-V/<c alpha.p>; 1 for a point nucleus at the limit)", scf.virialRatio));
  return text + "\n" + spinorTable(c, scf);
}

std::string reportTimings(const EnergyResult& r) {
  const ScfTimings& t = r.scf.timings;
  std::string text = textRule("Timings / s");
  const auto line = [&](const std::string& what, double seconds) {
    text += keyValue(what, fmt::format("{:9.4f}", seconds));
  };
  line(r.grid ? "grid set-up" : "two-electron integrals", r.timings.builder);
  line("one-electron, orthonorm.", t.setup);
  line("guess", t.guess);
  line("Fock matrices", t.fock);
  line("eigenproblems", t.eigen);
  line("rest of the SCF", t.rest);
  if (!r.corrections.empty()) line("Breit and QED energies", r.timings.corrections);
  line("calculation", r.timings.total);
  text += keyValue("Fock builder", builderLine(r)) + deviceLines(r);
  return text;
}

std::string reportGridCheck(const GridCheck& g) {
  std::string text = textRule("Check of the grid");
  const auto line = [&](const std::string& what, double energy) {
    text += fmt::format("  {:<40} {:>22.10f}   relative difference {:.1e}\n", what, energy,
                        std::abs((energy - g.energy) / g.energy));
  };
  line(fmt::format("grid, {} points, h = {:.4f}", g.grid.points, g.grid.h), g.energy);
  line(fmt::format("finer grid, {} points, h = {:.4f}", g.finerGrid.points, g.finerGrid.h), g.finerEnergy);
  if (g.analyticEnergy) {
    line("analytic integrals", *g.analyticEnergy);
  } else {
    text += "  analytic integrals: left out, " + g.whyNotAnalytic + "\n";
  }
  return text;
}

}  // namespace prophet
