#include "bases/optimise/outer_response.hpp"

#include <algorithm>
#include <cmath>

#include "atoms/angular/angular.hpp"
#include "bases/optimise/minimiser.hpp"

namespace prophet {
namespace {

constexpr double kLeastRatio = 1.35, kMostRatio = 8.0;
constexpr double kStartRatio = 2.5;
constexpr double kBoundWall = 0.05;  // share of the response, for a unit of ln zeta beyond a bound, squared
constexpr double kResponseStep = 0.3, kResponseTolerance = 1e-2;
constexpr int kResponsesPerVariable = 60;
constexpr double kWorthwhile = 1e-4;  // of the response: functions that add less drift outwards

double squareAbove(double excess) { return excess > 0 ? excess * excess : 0; }

}  // namespace

double OuterList::least() const { return known - count * std::log(kMostRatio); }
double OuterList::most() const { return known - std::log(kLeastRatio); }

std::vector<double> exponentsOf(const OuterList& list, const double* logs) {
  std::vector<double> exponents;
  double above = list.known;
  for (int i = 0; i < list.count; ++i) {
    above = std::clamp(logs[i], above - std::log(kMostRatio), above - std::log(kLeastRatio));
    exponents.push_back(std::exp(above));
  }
  std::ranges::sort(exponents);
  return exponents;
}

double penaltyOf(const OuterList& list, const double* logs) {
  double penalty = 0, above = list.known;
  for (int i = 0; i < list.count; ++i) {
    const double ratio = above - logs[i];
    penalty += squareAbove(std::log(kLeastRatio) - ratio) + squareAbove(ratio - std::log(kMostRatio));
    above = logs[i];
  }
  return penalty;
}

std::vector<double> startOf(const OuterList& list) {
  std::vector<double> logs;
  for (int i = 0; i < list.count; ++i) logs.push_back(list.known - (i + 1) * std::log(kStartRatio));
  return logs;
}

OuterResponse::OuterResponse(const AtomProblem& atom, const BasisSet& basis, const Shell& shell,
                             const AddedList& reach)
    : atom_(atom), basis_(basis), shell_(shell), l_(reach.l), space_([&] {
        ThreadPool alone(1);
        return spinorsIn(atom, withLists(basis, {reach}), fieldIn(atom, basis), alone);
      }()) {}

double OuterResponse::operator()(const std::vector<double>& further) const {
  ThreadPool alone(1);
  const BasisSet all = withLists(basis_, {{l_, further}});
  std::vector<SymmetryBasis> blocks;
  for (const SymmetryBasis& block : all.symmetries)
    if (block.symmetry.l() == l_) blocks.push_back(block);
  const OrbitalSpace space = space_.withFunctions(atom_, blocks, ScfOptions().dependencyThreshold, alone);
  const int rank = std::abs(l_ - shell_.l);
  double sum = 0;
  for (const SymmetryOrbitals& from : space.symmetries()) {
    for (int i = 0; i < from.occupied(); ++i) {
      if (from.symmetry.l() != shell_.l || from.n[static_cast<std::size_t>(i)] != shell_.n) continue;
      for (const SymmetryOrbitals& to : space.symmetries()) {
        if (to.symmetry.l() != l_) continue;
        for (const ExchangeTerm& term : exchangeTerms(from.symmetry, to.symmetry)) {
          if (term.k != rank) continue;
          const Eigen::VectorXd r = space.moments(
              rank,
              space.densities(from.symmetry.index(), i, to.symmetry.index(), to.occupied(), to.virtuals()));
          const Eigen::ArrayXd gaps = to.energies.tail(to.virtuals()).array() - from.ownEnergies(i);
          sum += from.electrons(i) * to.symmetry.degeneracy() * term.coefficient *
                 (r.array().square() / gaps).sum();
        }
      }
    }
  }
  return sum;
}

Shell outermostShell(const Configuration& configuration) {
  Shell outermost;
  for (int a = 0; a < configuration.occupiedSymmetries(); ++a) {
    const int l = Symmetry::fromIndex(a).l();
    for (const SpinorOccupation& s : configuration.symmetries[a].spinors)
      if (l <= 1 && s.number + l + 1 >= outermost.n) {
        outermost.n = s.number + l + 1;
        outermost.l = l;
      }
  }
  return outermost;
}

RespondingFunctions mostResponding(const AtomProblem& atom, const BasisSet& basis, const Shell& shell,
                                   const OuterList& list) {
  const OuterResponse response(atom, basis, shell, {list.l, {std::exp(list.least()), std::exp(list.most())}});
  const std::vector<double> start = startOf(list);
  const double scale = response(exponentsOf(list, start.data()));
  RespondingFunctions found;
  const auto lack = [&](const std::vector<double>& at) {
    ++found.evaluations;
    return -response(exponentsOf(list, at.data())) / scale + kBoundWall * penaltyOf(list, at.data());
  };
  MinimiserOptions options;
  options.rhoBegin = kResponseStep;
  options.rhoEnd = kResponseTolerance;
  options.maxEvaluations = kResponsesPerVariable * list.count;
  found.exponents = exponentsOf(list, minimise(lack, start, options).x.data());
  found.response = response(found.exponents);
  found.without = response({});
  return found;
}

std::vector<double> worthwhileResponding(const AtomProblem& atom, const BasisSet& basis, const Shell& shell,
                                         const OuterList& list) {
  std::vector<double> best;
  double response = 0;
  for (int count = 1; count <= list.count; ++count) {
    const RespondingFunctions more = mostResponding(atom, basis, shell, {list.l, count, list.known});
    const bool next = std::log(more.exponents.back()) > list.most() - kResponseTolerance;
    if (next || more.response < (1 + kWorthwhile) * std::max(response, more.without)) break;
    best = more.exponents;
    response = more.response;
  }
  return best;
}

}  // namespace prophet
