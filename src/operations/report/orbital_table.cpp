#include "operations/report/orbital_table.hpp"

#include <fmt/format.h>

#include <cmath>

#include "atoms/properties/density.hpp"
#include "operations/report/hamiltonian_text.hpp"
#include "operations/report/text_parts.hpp"

namespace prophet {
namespace {

std::string methodOf(const ResolvedJob& job, const Result& result) {
  if (result.limit) return "numerical limit, B-splines";
  return job.calculation.inBasis().basis.description;
}

std::string comments(const std::string& version, const ResolvedJob& job, const Result& r) {
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
  for (const Spinor& s : r.spinors)
    line("spinor",
         fmt::format("{}, occupation {:.10g}, energy {:.10f} hartree", s.label(), s.occupation, s.energy));
  return text +
         "# units: r in bohr, density in electrons/bohr^3 (spherical), P and Q in bohr^-1/2\n"
         "# psi = (1/r) [P chi_kappa; i Q chi_-kappa], integral (P^2 + Q^2) dr = 1; density = sum of "
         "occupation "
         "(P^2 + Q^2)/(4 pi r^2)\n";
}

}  // namespace

std::string orbitalTable(const std::string& version, const ResolvedJob& job, const Result& result,
                         const Eigen::VectorXd& radii) {
  const Eigen::VectorXd density = Density(result).at(radii);
  std::string text = comments(version, job, result) + "r,density";
  std::vector<RadialFunctions> functions;
  for (int i = 0; i < result.wavefunction->count(); ++i) {
    functions.push_back(result.wavefunction->radial(i, radii));
    const std::string label = result.spinors[i].label();
    text += ",P_" + label + ",Q_" + label;
  }
  text += "\n";
  auto out = std::back_inserter(text);
  for (Eigen::Index k = 0; k < radii.size(); ++k) {
    fmt::format_to(out, "{},{}", radii[k], density[k]);
    for (const RadialFunctions& f : functions) fmt::format_to(out, ",{},{}", f.large[k], f.small[k]);
    text += "\n";
  }
  return text;
}

}  // namespace prophet
