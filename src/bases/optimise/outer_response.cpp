#include "bases/optimise/outer_response.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "atoms/angular/angular.hpp"
#include "atoms/atom/default_configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/atom/shell_list.hpp"
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
      }()) {
  space_.keepFieldsOf({blocksWith({}), ""});
}

std::vector<SymmetryBasis> OuterResponse::blocksWith(const std::vector<double>& further) const {
  std::vector<SymmetryBasis> blocks;
  for (const SymmetryBasis& block : withLists(basis_, {{l_, further}}).symmetries)
    if (block.symmetry.l() == l_) blocks.push_back(block);
  return blocks;
}

double OuterResponse::operator()(const std::vector<double>& further) const {
  ThreadPool alone(1);
  const OrbitalSpace space =
      space_.withFunctions(atom_, blocksWith(further), ScfOptions().dependencyThreshold, alone);
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

namespace {

OuterResponse responseWithin(const AtomProblem& atom, const BasisSet& basis, const Shell& shell,
                             const OuterList& list) {
  return {atom, basis, shell, {list.l, {std::exp(list.least()), std::exp(list.most())}}};
}

RespondingFunctions mostOf(const OuterResponse& response, const OuterList& list) {
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

}  // namespace

RespondingFunctions mostResponding(const AtomProblem& atom, const BasisSet& basis, const Shell& shell,
                                   const OuterList& list) {
  return mostOf(responseWithin(atom, basis, shell, list), list);
}

std::vector<double> worthwhileResponding(const AtomProblem& atom, const BasisSet& basis, const Shell& shell,
                                         const OuterList& list) {
  const OuterResponse responds = responseWithin(atom, basis, shell, list);
  std::vector<double> best;
  double response = 0;
  for (int count = 1; count <= list.count; ++count) {
    const RespondingFunctions more = mostOf(responds, {list.l, count, list.known});
    const bool next = std::log(more.exponents.back()) > list.most() - kResponseTolerance;
    if (next || more.response < (1 + kWorthwhile) * std::max(response, more.without)) break;
    best = more.exponents;
    response = more.response;
  }
  return best;
}

namespace {

constexpr int kD = 10;
/// The positive ion counts so much: the first share tried (0.5, 0.7, 0.9) with which bonds of Tl, Pb, Br
/// and I in the double-zeta sets are as strong as in the published ones (docs/engineering/basis-searches.md).
constexpr double kIonShare = 0.9;

/// ns and (n-1)d of a d block; false where the ground lacks them or has valence electrons elsewhere.
bool outerShells(std::vector<Shell>& shells, Shell*& s, Shell*& d) {
  const int n = std::ranges::max_element(shells, {}, &Shell::n)->n;
  s = d = nullptr;
  for (Shell& shell : shells) {
    if (shell.n == n && shell.l > 0 && shell.electrons > 0) return false;
    if (shell.n == n && shell.l == 0) s = &shell;
    if (shell.n == n - 1 && shell.l == 2) d = &shell;
  }
  return s && d;
}

/// The shells of a d block's ground configuration, with the outermost s shell also where it is empty.
std::vector<Shell> shellsWithOuterS(int z) {
  constexpr int kPd = 46;
  std::vector<Shell> shells = parseShells(groundConfiguration(z));
  if (z == kPd) shells.push_back({5, 0});
  return shells;
}

/// All configurations d^k s^2 and d^(k+1) s^1, and the ground's.
std::set<std::string> neutralConfigurations(int z) {
  std::set<std::string> texts{configurationText(parseShells(groundConfiguration(z)))};
  if (blockOf(z) != 2) return texts;
  std::vector<Shell> shells = shellsWithOuterS(z);
  Shell *s = nullptr, *d = nullptr;
  if (!outerShells(shells, s, d)) return texts;
  const int electrons = s->electrons + d->electrons;
  for (const int ofS : {1, 2}) {
    if (electrons - ofS > kD || electrons - ofS < 1) continue;
    s->electrons = ofS;
    d->electrons = electrons - ofS;
    texts.insert(configurationText(shells));
  }
  return texts;
}

}  // namespace

std::string valenceConfiguration(int z) {
  std::vector<Shell> shells = shellsWithOuterS(z);
  Shell *s = nullptr, *d = nullptr;
  if (blockOf(z) == 2 && outerShells(shells, s, d) && s->electrons == 0) {
    s->electrons = 1;
    --d->electrons;
    return configurationText(shells);
  }
  return groundConfiguration(z);
}

Configuration bondConfiguration(int z) {
  std::vector<ConfigurationShare> parts;
  const std::set<std::string> neutral = neutralConfigurations(z);
  for (const std::string& text : neutral)
    parts.push_back({(1 - kIonShare) / static_cast<double>(neutral.size()), parseConfiguration(text)});
  parts.push_back({kIonShare, parseConfiguration(defaultConfiguration(z, 1).text)});
  return averageConfigurations(parts);
}

}  // namespace prophet
