#include "atoms/calculation/result.hpp"

#include <fmt/format.h>

#include <cmath>

#include "atoms/atom/atom_problem.hpp"

namespace prophet {
namespace {

std::vector<Spinor> spinorsOf(const BasisSet& basis, const ScfResult& scf) {
  std::vector<Spinor> list;
  for (std::size_t a = 0; a < scf.symmetries.size(); ++a) {
    const SymmetrySpinors& s = scf.symmetries[a];
    for (Eigen::Index i = 0; i < s.energies.size(); ++i) {
      Spinor spinor;
      spinor.symmetry = basis.symmetries[a].symmetry;
      spinor.n = spinor.symmetry.l() + s.places[i].number + 1;
      if (i < s.occupations.size()) spinor.occupation = s.occupations(i);
      spinor.energy = s.energies(i);
      spinor.bound = s.bound(static_cast<int>(i));
      if (i < s.meanRadii.size()) spinor.meanRadius = s.meanRadii(i);
      list.push_back(spinor);
    }
  }
  return list;
}

std::vector<Warning> droppedFunctions(const BasisSet& basis, const ScfResult& scf, double threshold) {
  std::vector<Warning> list;
  for (std::size_t a = 0; a < scf.symmetries.size(); ++a) {
    const SymmetrySpinors& s = scf.symmetries[a];
    if (s.droppedLarge + s.droppedSmall == 0) continue;
    list.push_back(
        {"near_dependent_functions",
         fmt::format("{}: {} large and {} small near-dependent directions removed (overlap eigenvalue "
                     "below {:.0e})",
                     basis.symmetries[a].symmetry.label(), s.droppedLarge, s.droppedSmall, threshold)});
  }
  return list;
}

}  // namespace

template <>
const Names<Status>& namesOf() {
  static const Names<Status> kNames = {{"converged", Status::Converged},
                                       {"not converged", Status::NotConverged},
                                       {"unbound", Status::Unbound},
                                       {"failed", Status::Failed}};
  return kNames;
}

double Result::seconds(const std::string& stage) const {
  for (const StageTime& time : timings) {
    if (time.id == stage) return time.seconds;
  }
  return 0;
}

Result failedResult(const std::string& reason) {
  Result result;
  result.reason = reason;
  return result;
}

Result resultOf(const BasisSet& basis, const ScfResult& scf, const ScfOptions& options) {
  Result result;
  result.energy = scf.energy;
  result.virialRatio = scf.virialRatio;
  result.iterations = static_cast<int>(scf.iterations.size());
  result.spinors = spinorsOf(basis, scf);
  result.warnings = droppedFunctions(basis, scf, options.dependencyThreshold);
  for (const ScfRemark& remark : scf.remarks) result.warnings.push_back({remark.id, remark.text});
  result.timings = {{"setup", scf.timings.setup},
                    {"guess", scf.timings.guess},
                    {"fock", scf.timings.fock},
                    {"eigen", scf.timings.eigen},
                    {"rest", scf.timings.rest}};
  if (!std::isfinite(scf.energy.total)) {
    result.status = Status::Failed;
    result.reason = "the energy is not a number; check the exponents for extreme values";
  } else if (!scf.converged) {
    markNotConverged(result, fmt::format("not converged in {} iterations (last energy change {:.1e} hartree)",
                                         result.iterations,
                                         scf.iterations.empty() ? 0.0 : scf.iterations.back().energyChange));
  } else {
    result.status = Status::Converged;
    judgeBinding(result);
  }
  return result;
}

void markNotConverged(Result& result, const std::string& reason) {
  result.status = Status::NotConverged;
  result.reason = reason;
  result.warnings.push_back({"not_converged", reason});
}

void warnOfNucleus(const AtomProblem& problem, Result& result) {
  const double c = lightSpeedOf(problem.hamiltonian), strongest = std::sqrt(0.75) * c;
  if (!problem.nucleus.isPoint() || !(problem.nucleus.charge > strongest)) return;
  result.warnings.push_back(
      {"strong_point_nucleus",
       fmt::format("a point nucleus of more than {:.1f} charges binds s1/2 and p1/2 so strongly that they "
                   "rise as r^gamma with gamma below 1/2 at the nucleus, and the energy loses digits with "
                   "every further charge; choose a nucleus with a finite size",
                   strongest)});
}

void warnOfPicture(const AtomProblem& problem, Result& result) {
  if (kindOf(problem.hamiltonian.oneElectron).samePicture) return;
  result.warnings.push_back(
      {"untransformed_picture",
       "<r^k>, densities and form factors are those of the two-component spinors: the operators are not "
       "transformed, and quantities that are large near the nucleus differ from four-component values; "
       "densities at the nucleus and hyperfine integrals are omitted"});
}

void judgeBinding(Result& result) {
  if (result.status != Status::Converged) return;
  std::string names;
  for (const Spinor& s : result.spinors) {
    if (s.bound) continue;
    names += (names.empty() ? "" : ", ") + s.label();
  }
  if (names.empty()) return;
  result.status = Status::Unbound;
  result.reason = fmt::format(
      "the atom does not bind all its electrons: {} {} not bound, so the result depends on how far the "
      "functions reach; take fewer electrons, or hold an ion of a crystal in a charged shell",
      names, names.find(',') == std::string::npos ? "is" : "are");
  result.warnings.push_back({"unbound", result.reason});
}

std::vector<EnergyPart> correctionsOf(const EnergyBreakdown& energy) {
  std::vector<EnergyPart> list;
  for (const EnergyPart& part : energy.parts) {
    if (isBreit(part.id) || isQed(part.id)) list.push_back(part);
  }
  return list;
}

}  // namespace prophet
