#include "operations/record/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "atoms/atom/elements.hpp"
#include "atoms/calculation/problem_json.hpp"
#include "atoms/properties/radial_fields.hpp"
#include "core/common/constants.hpp"
#include "operations/record/record.hpp"

namespace prophet {
std::string hamiltonianText(const Hamiltonian& h) {
  if (!h.isFourComponent()) return scfHamiltonian(h);
  std::string name = "Dirac-" + prophet::nameOf(h.repulsion);
  if (!h.hasBreit()) return name;
  if (h.breitTreatment == Treatment::SelfConsistent) return name + ", self-consistent";
  const bool gaunt = h.repulsion == TwoElectronOperator::CoulombGaunt;
  return name +
         (gaunt              ? ", Gaunt"
          : h.breitFrequency ? ", frequency-dependent Breit"
                             : ", Breit") +
         " in first order";
}

std::string qedText(const Hamiltonian& h) {
  const QedOptions& qed = h.qed;
  if (!qed.any()) return "";
  std::string text;
  const auto add = [&](bool chosen, const char* name) {
    if (chosen) text += (text.empty() ? "" : ", ") + std::string(name);
  };
  add(qed.vacuumPolarisation, "vacuum polarisation (Uehling)");
  add(qed.kallenSabry, "Kallen-Sabry");
  add(qed.wichmannKroll, "Wichmann-Kroll");
  const bool inner = qed.fit == SelfEnergyFit::InnerShell;
  add(qed.selfEnergy,
      inner ? "self-energy (fitted to inner shells)" : "self-energy (fitted to valence states)");
  return text + "; " + qedTreatment(h);
}

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

std::string energyMeaning(const AtomProblem& problem) {
  const Configuration& c = problem.configuration;
  const Hamiltonian& h = problem.hamiltonian;
  if (!c.hasOpenShells()) return "closed shells, a single state";
  if (h.isKohnSham())
    return h.spin == SpinPolarisation::Polarised
               ? "open shells spread evenly over all directions, with the spin of Hund's first rule"
               : "open shells spread evenly over all directions and both spins, unpolarised";
  const std::vector<OpenSpinor> open = c.openSpinors();
  const double electrons = c.occupation(open[0].symmetry, open[0].position);
  if (open.size() == 1 && (electrons == 1 || electrons == degeneracyOf(open[0].symmetry) - 1))
    return "one electron or hole in one spinor, a single level";
  return "the average of the configuration over all its states, not a level";
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

/// Columns beside <r> where the spinors have them.
std::string spinorTable(const std::vector<Spinor>& spinors) {
  const bool moments = !spinors.empty() && spinors.front().meanSquareRadius;
  std::string text = fmt::format("  {:<10} {:>3} {:>3} {:>5} {:>6} {:>13} {:>20} {:>15}", "spinor", "n", "l",
                                 "j", "kappa", "occupation", "energy / hartree", "<r> / bohr");
  if (moments) text += fmt::format(" {:>16} {:>15}", "<r^2> / bohr^2", "<1/r> / bohr^-1");
  text += "\n";
  for (const Spinor& s : spinors) {
    text += fmt::format("  {:<10} {:>3} {:>3} {:>5} {:>6} {:>13.6f} {:>20.10f} {:>15.8f}", s.label(), s.n,
                        s.symmetry.l(), fmt::format("{}/2", s.symmetry.twoJ()), s.symmetry.kappa,
                        s.occupation, s.energy, s.meanRadius.value_or(0));
    if (moments) text += fmt::format(" {:>16.9f} {:>15.8f}", *s.meanSquareRadius, *s.meanInverseRadius);
    text += "\n";
  }
  return text;
}

std::string resolutionTable(const LimitDetails& limit) {
  std::string text = fmt::format("  {:>5} {:>8} {:>7} {:>11} {:>10} {:>14} {:>22}\n", "cells", "splines",
                                 "points", "iterations", "residual", "radius / bohr", "energy / hartree");
  for (const LimitResolution& s : limit.resolutions) {
    text += fmt::format("  {:>5} {:>8} {:>7} {:>11} {:>10.1e} {:>14.1f} {:>22.10f}\n", s.cells, s.splines,
                        s.points, s.iterations, s.residual, s.largestRadius, s.energy);
  }
  return text + "\n";
}

/// E(basis) - E(complete basis).
std::string basisErrorLine(const Result& r) {
  return r.basisError ? keyValue("  basis-set error", errorText(r)) : "";
}

std::string builderLine(const Provenance& p) {
  if (p.gpu)
    return fmt::format("{}, {} contractions in {:.4f} s", p.method, p.gpu->contractions,
                       p.gpu->contractionSeconds);
  const std::string threads = fmt::format("{} thread{}", p.threads, p.threads == 1 ? "" : "s");
  if (p.grid)
    return fmt::format("grid, {} points, spacing {:.4f} in ln r, {}", p.grid->points, p.grid->h, threads);
  return fmt::format("{}, {:.2f} GB of integrals, {}", p.method, p.storedBytes * 1e-9, threads);
}

std::string deviceLines(const Provenance& p) {
  if (!p.gpu) return "";
  return keyValue("GPU", p.gpu->device) + keyValue("GPU memory", p.gpu->memory);
}

std::string methodLines(const Calculation& c) {
  if (c.isLimit()) {
    return keyValue("method", "B-splines in ln r, complete basis, two resolutions") +
           keyValue("iterations, at most", fmt::format("{} at each resolution", c.limit().maxIterations));
  }
  const ScfOptions& scf = c.inBasis().scf;
  const bool arrays = c.inBasis().mapping == MappingKind::StoredArrays;
  return keyValue("Fock matrix", fockName(c.inBasis().fock) + (arrays ? ", index arrays" : "")) +
         keyValue("extrapolation", extrapolationName(scf)) +
         keyValue("iterations, at most", fmt::format("{}", scf.maxIterations)) +
         keyValue("thresholds LL, SL, SS",
                  fmt::format("{:.1e} {:.1e} {:.1e}", scf.thresholdLL, scf.thresholdSL, scf.thresholdSS));
}

}  // namespace

std::string errorText(const Result& r) {
  const auto text = [&](double error) {
    return fmt::format("{:.1e} hartree, {:.1e} of the energy", error, error / std::abs(r.energy.total));
  };
  if (r.limit) return r.status == Status::Unbound ? "" : text(r.limit->estimatedError);
  if (!r.basisError) return "";
  return text(r.basisError->value) +
         (r.basisError->known ? " (known from the file of the set)" : " (estimated)");
}

std::string reportSpinors(const Result& r, std::ptrdiff_t rows) {
  std::vector<Spinor> sorted = r.spinors;
  std::ranges::stable_sort(sorted, {}, &Spinor::energy);
  const std::size_t shown = std::min(sorted.size(), static_cast<std::size_t>(rows));
  const bool moments = !sorted.empty() && sorted.front().meanSquareRadius;
  std::string text = fmt::format("\n  {:<8} {:>12} {:>18} {:>16} {:>12}", "spinor", "occupation",
                                 "energy [hartree]", "energy [eV]", "<r> [bohr]");
  if (moments) text += fmt::format(" {:>16} {:>15}", "<r^2> [bohr^2]", "<1/r> [1/bohr]");
  text += "\n";
  for (std::size_t i = 0; i < shown; ++i) {
    const Spinor& s = sorted[i];
    text += fmt::format("  {:<8} {:>12.6f} {:>18.8f} {:>16.4f} {:>12.6f}", s.label(), s.occupation, s.energy,
                        s.energy * constants::kElectronvoltsPerHartree, s.meanRadius.value_or(0));
    if (moments) text += fmt::format(" {:>16.9f} {:>15.8f}", *s.meanSquareRadius, *s.meanInverseRadius);
    text += "\n";
  }
  return text + moreRows(sorted.size(), shown, "spinors");
}

std::string reportHeader(const std::string& version, const ResolvedJob& job) {
  const Hamiltonian& h = job.calculation.problem.hamiltonian;
  const std::string field =
      std::string(h.isFourComponent() ? "Dirac-" : "") + (h.isKohnSham() ? "Kohn-Sham" : "Hartree-Fock");
  return fmt::format("CUDAProphet {}: {}\nenergy of {}\n\n{}\n", version,
                     job.calculation.isLimit() ? "numerical " + field + " limit of an atom"
                                               : field + " for atoms in Gaussian basis sets",
                     energyMeaning(job.calculation.problem), job.job.title);
}

std::string reportJob(const ResolvedJob& job) {
  const AtomProblem& problem = job.calculation.problem;
  const Hamiltonian& h = problem.hamiltonian;
  std::string text = textRule("Job");
  text += keyValue("input", job.job.file);
  text += keyValue("atom", atomName(problem));
  text += keyValue("nucleus", problem.nucleus.description());
  text += keyValue("configuration", problem.configuration.description);
  text += keyValue("Hamiltonian", hamiltonianText(h) + (h.isFourComponent() ? ", rest mass subtracted" : ""));
  if (h.isKohnSham())
    text += keyValue("density functional",
                     h.functional + (h.spin == SpinPolarisation::Polarised ? ", spin-polarised" : ""));
  if (h.qed.any()) text += keyValue("QED", qedText(h));
  if (h.shell.any())
    text +=
        keyValue("charged shell", fmt::format("{:.10g} e at {:.10g} bohr", h.shell.charge, h.shell.radius));
  if (kindOf(h.oneElectron).relativistic)
    text += keyValue("speed of light", fmt::format("{:.8f}", h.speedOfLight));
  text += methodLines(job.calculation);
  for (const std::string& choice : job.choices) text += keyValue("chosen automatically", choice);
  return text + "\n" + occupationTable(problem.configuration);
}

std::string reportBasis(const BasisSet& basis, bool everyExponent) {
  std::string text = textRule("Basis set") + keyValue("source", basis.description);
  text += fmt::format("  {:<10} {:>9} {:>24} {:>24}\n", "symmetry", "functions", "smallest exponent",
                      "largest exponent");
  for (const SymmetryBasis& s : basis.symmetries) {
    if (s.exponents.empty()) continue;
    const auto [low, high] = std::minmax_element(s.exponents.begin(), s.exponents.end());
    text +=
        fmt::format("  {:<10} {:>9} {:>24.12e} {:>24.12e}\n", s.symmetry.label(), s.functions(), *low, *high);
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

std::string reportResult(const Result& r) {
  std::string text = textRule("Result") + warningLines(r.warnings);
  if (r.limit) text += resolutionTable(*r.limit);
  text += keyValue("total energy", fmt::format("{:.10f} hartree", r.energy.total));
  if (r.limit && r.status != Status::Unbound) text += keyValue("  estimated error", errorText(r));
  text += basisErrorLine(r) + energyPartLines(r.energy);
  if (!std::isnan(r.virialRatio))
    text += keyValue("virial ratio",
                     fmt::format("{:.{}f}   (-V/<c alpha.p>; 1 for a point nucleus{})", r.virialRatio,
                                 r.limit ? 12 : 9, r.limit ? "" : " at the limit"));
  if (r.limit) text += keyValue("time", fmt::format("{:.2f} s", r.seconds("total")));
  return text + "\n" + spinorTable(r.spinors);
}

std::string reportTimings(const Result& r) {
  std::string text = textRule("Timings / s");
  const auto line = [&](const std::string& what, const char* stage) {
    text += keyValue(what, fmt::format("{:9.4f}", r.seconds(stage)));
  };
  line(r.provenance.grid ? "grid set-up" : "two-electron integrals", "builder");
  line("one-electron, orthonorm.", "setup");
  line("guess", "guess");
  line("Fock matrices", "fock");
  line("eigenproblems", "eigen");
  line("rest of the SCF", "rest");
  if (r.energy.hasCorrections()) line("Breit and QED energies", "corrections");
  if (r.basisError && !r.basisError->known) line("error of the basis", "error_estimate");
  line("calculation", "total");
  return text + keyValue("Fock builder", builderLine(r.provenance)) + deviceLines(r.provenance);
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
    text += "  analytic integrals: skipped, " + g.whyNotAnalytic + "\n";
  }
  return text;
}

namespace {

std::string methodOf(const ResolvedJob& job, const Result& result) {
  if (result.limit) return "numerical limit, B-splines";
  return job.calculation.inBasis().basis.description;
}

std::string comments(const std::string& version, const ResolvedJob& job, const Result& r,
                     const RadialFields& fields) {
  const AtomProblem& p = job.calculation.problem;
  std::string text = fmt::format("# CUDAProphet {}: radial functions and density\n", version);
  const auto line = [&](const char* key, const std::string& value) {
    text += fmt::format("# {}: {}\n", key, value);
  };
  line("title", job.job.title);
  line("input", job.job.file);
  line("atom", atomName(p));
  line("nucleus", p.nucleus.description());
  line("configuration", p.configuration.description);
  line("Hamiltonian", hamiltonianText(p.hamiltonian));
  if (p.hamiltonian.qed.any()) line("QED", qedText(p.hamiltonian));
  line("method", methodOf(job, r));
  line("status", nameOf(r.status) + (r.reason.empty() ? "" : "; " + r.reason));
  line("energy", fmt::format("{:.10f} hartree", r.energy.total));
  for (std::size_t i = 0; i < r.spinors.size(); ++i) {
    const Spinor& s = r.spinors[i];
    line("spinor",
         fmt::format("{}, occupation {:.10g}{}, energy {:.10f} hartree", s.label(), s.occupation,
                     fields.isPolarised() ? fmt::format(", spin share {:.10g}",
                                                        fields.spinShares()[static_cast<Eigen::Index>(i)])
                                          : "",
                     s.energy));
  }
  if (!fields.leftOut().empty()) line("left out", fields.leftOut());
  return text +
         "# units: r in bohr, density in electrons/bohr^3 (spherical), P and Q in bohr^-1/2\n"
         "# psi = (1/r) [P chi_kappa; i Q chi_-kappa], integral (P^2 + Q^2) dr = 1; density = sum of "
         "occupation "
         "(P^2 + Q^2)/(4 pi r^2)\n"
         "# density_slope: its derivative, electrons/bohr^4; potentials: energies of an electron, hartree\n";
}

}  // namespace

std::string orbitalTable(const std::string& version, const ResolvedJob& job, const Result& result,
                         const Eigen::VectorXd& radii) {
  const RadialFields fields(job.calculation.problem, result);
  const RadialFields::DensityAndSlopes density = fields.density(radii);
  std::string text = comments(version, job, result, fields) + "r,density";
  std::vector<RadialFunctions> functions;
  for (int i = 0; i < result.wavefunction->count(); ++i) {
    functions.push_back(result.wavefunction->radial(i, radii));
    const std::string label = result.spinors[i].label();
    text += ",P_" + label + ",Q_" + label;
  }
  text += ",density_slope";
  const std::vector<RadialFields::NamedPotential> potentials = fields.potentials(radii);
  for (const RadialFields::NamedPotential& p : potentials) text += "," + p.name;
  text += "\n";
  auto out = std::back_inserter(text);
  for (Eigen::Index k = 0; k < radii.size(); ++k) {
    fmt::format_to(out, "{},{}", radii[k], density.value[k]);
    for (const RadialFunctions& f : functions) fmt::format_to(out, ",{},{}", f.large[k], f.small[k]);
    fmt::format_to(out, ",{}", density.slope[k]);
    for (const RadialFields::NamedPotential& p : potentials) fmt::format_to(out, ",{}", p.values[k]);
    text += "\n";
  }
  return text;
}

std::string reportChainJob(const std::string& version, const ResolvedJob& job) {
  const ChainRequest& chain = job.job.chain;
  const AtomProblem& problem = job.calculation.problem;
  std::string text =
      fmt::format("CUDAProphet {}: smallest basis set of an atom\n\n{}\n", version, job.job.title);
  text += textRule("Job");
  text += keyValue("input", job.job.file);
  text += keyValue("atom", atomName(problem));
  text += keyValue("nucleus", problem.nucleus.description());
  text += keyValue("configuration", problem.configuration.description);
  text += keyValue("speed of light", fmt::format("{:.8f}", problem.hamiltonian.speedOfLight));
  text += keyValue("method", chain.method == ChainMethod::Thesis
                                 ? fmt::format("functions removed end by end, {} sizes at once", chain.probes)
                                 : "a ladder for each symmetry, in a frozen field");
  text += keyValue("threshold", fmt::format("{:.1e} of the numerical limit{}", chain.threshold,
                                            chain.limit ? "" : ", which is computed first"));
  for (const std::string& choice : job.choices) text += keyValue("chosen automatically", choice);
  return text + "\n" + occupationTable(problem.configuration) + textRule("Chain");
}

}  // namespace prophet
