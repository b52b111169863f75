#include "bases/optimise/diffuse_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "atoms/angular/angular.hpp"
#include "atoms/atom/default_configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "bases/optimise/minimiser.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr double kLeastRatio = 1.35, kMostRatio = 8.0;
constexpr double kMostContinued = 4.0;
constexpr double kStart = 2.5;         // ratio of the first guess
constexpr double kProbeRatio = 2.5;    // of the functions that show whether an ion is bound
constexpr int kProbe = 3;              // of them for each l
constexpr double kDiffuseWall = 0.05;  // share of the scale, for a unit of ln zeta beyond a bound, squared
constexpr double kStep = 0.3, kTolerance = 3e-3, kResponseTolerance = 1e-2;
constexpr int kEvaluationsPerVariable = 60;

/// Further functions of one l, from the smallest exponent of the set down.
struct DiffuseList {
  int l = 0, count = 0;
  double known = 0;  ///< ln of that exponent
  double least() const { return known - count * std::log(kMostRatio); }
};

double squareAbove(double excess) { return excess > 0 ? excess * excess : 0; }

/// Of functions that are too close, out of order or too far away; logs from the largest down.
double penaltyOf(const DiffuseList& list, const double* logs) {
  double penalty = 0, above = list.known;
  for (int i = 0; i < list.count; ++i) {
    const double ratio = above - logs[i];
    penalty += squareAbove(std::log(kLeastRatio) - ratio) + squareAbove(ratio - std::log(kMostRatio));
    above = logs[i];
  }
  return kDiffuseWall * penalty;
}

/// Exponents of a list within the bounds.
std::vector<double> exponentsOf(const DiffuseList& list, const double* logs) {
  std::vector<double> exponents;
  double above = list.known;
  for (int i = 0; i < list.count; ++i) {
    above = std::clamp(logs[i], above - std::log(kMostRatio), above - std::log(kLeastRatio));
    exponents.push_back(std::exp(above));
  }
  std::ranges::sort(exponents);
  return exponents;
}

double smallestOf(const BasisSet& basis, int l) {
  const auto upper = static_cast<std::size_t>(2 * l);
  if (upper >= basis.symmetries.size() || basis.symmetries[upper].exponents.empty())
    throw Error(fmt::format("the set has no {} functions below which diffuse ones could lie", letterOfL(l)));
  return *std::ranges::min_element(basis.symmetries[upper].exponents);
}

std::vector<AddedList> listsAt(const std::vector<DiffuseList>& lists, const std::vector<double>& logs) {
  std::vector<AddedList> added;
  std::size_t at = 0;
  for (const DiffuseList& list : lists) {
    added.push_back({list.l, exponentsOf(list, logs.data() + at)});
    at += static_cast<std::size_t>(list.count);
  }
  return added;
}

double penaltyAt(const std::vector<DiffuseList>& lists, const std::vector<double>& logs) {
  double penalty = 0;
  std::size_t at = 0;
  for (const DiffuseList& list : lists) {
    penalty += penaltyOf(list, logs.data() + at);
    at += static_cast<std::size_t>(list.count);
  }
  return penalty;
}

std::vector<double> startOf(const std::vector<DiffuseList>& lists) {
  std::vector<double> logs;
  for (const DiffuseList& list : lists)
    for (int i = 0; i < list.count; ++i) logs.push_back(list.known - (i + 1) * std::log(kStart));
  return logs;
}

Minimum minimised(const std::function<double(const std::vector<double>&)>& f, const std::vector<double>& from,
                  double tolerance) {
  MinimiserOptions options;
  options.rhoBegin = kStep;
  options.rhoEnd = tolerance;
  options.maxEvaluations = kEvaluationsPerVariable * static_cast<int>(from.size());
  return minimise(f, from, options);
}

double electronsOfL(const Configuration& configuration, int l) {
  double electrons = 0;
  for (const int a : {2 * l - 1, 2 * l})
    for (int i = 0; a >= 0 && i < configuration.occupiedSpinors(a); ++i)
      electrons += configuration.occupation(a, i);
  return electrons;
}

/// Exponents that continue the set's list of this l with the ratio of its last two.
std::vector<double> continued(const DiffuseList& list, const BasisSet& basis) {
  std::vector<double> known = basis.symmetries[static_cast<std::size_t>(2 * list.l)].exponents;
  std::ranges::sort(known);
  const double last = known.size() > 1 ? known[1] / known[0] : kStart;
  const double ratio = std::clamp(last, kLeastRatio, kMostContinued);
  std::vector<double> logs;
  for (int i = 1; i <= list.count; ++i) logs.push_back(list.known - i * std::log(ratio));
  return exponentsOf(list, logs.data());
}

/// Whether the ion's electrons stay where the set has room far out.
bool holdsItsElectrons(int z, const AtomProblem& atom, const BasisSet& basis) {
  BasisSet wide = basis;
  for (const int l : {0, 1, 2}) {
    const auto upper = static_cast<std::size_t>(2 * l);
    if (upper >= basis.symmetries.size() || basis.symmetries[upper].exponents.empty()) continue;
    AddedList probe{l, {}};
    for (int i = 1; i <= kProbe; ++i)
      probe.exponents.push_back(smallestOf(basis, l) / std::pow(kProbeRatio, i));
    wide = withLists(std::move(wide), {probe});
  }
  return negativeIonIn(z, atom, wide).has_value();
}

}  // namespace

CorrelatedShells negativeIonShells(int z) {
  CorrelatedShells shells = correlatedShells(z);
  shells.virtualOnly = true;
  return shells;
}

std::optional<NegativeIonEnergy> negativeIonIn(int z, const AtomProblem& atom, const BasisSet& basis) {
  if (z >= kLastElement) return std::nullopt;
  AtomProblem ion = atom;
  ion.configuration = parseConfiguration(defaultConfiguration(z, -1).text);
  if (ion.configuration.occupiedSymmetries() > static_cast<int>(basis.symmetries.size())) return std::nullopt;
  if (electronsOfL(ion.configuration, 3) > electronsOfL(atom.configuration, 3)) return std::nullopt;
  ThreadPool alone(1);
  const Result field = fieldIn(ion, basis);
  // An electron that is barely bound or not at all may keep the field from converging.
  if (field.status == Status::Unbound || field.status == Status::NotConverged) return std::nullopt;
  const SecondOrder correlation =
      secondOrderOf(spinorsIn(ion, basis, field, alone), ion, negativeIonShells(z), alone);
  if (correlation.smallestGap <= 0) return std::nullopt;
  return NegativeIonEnergy{ion.configuration.description, field.energy.total, correlation.energy};
}

std::optional<Affinity> affinityIn(int z, const AtomProblem& atom, const BasisSet& basis) {
  const std::optional<NegativeIonEnergy> ion = negativeIonIn(z, atom, basis);
  if (!ion) return std::nullopt;
  ThreadPool alone(1);
  const Result field = fieldIn(atom, basis);
  const SecondOrder correlation =
      secondOrderOf(spinorsIn(atom, basis, field, alone), atom, negativeIonShells(z), alone);
  if (z > 1 && correlation.smallestGap <= 0) return std::nullopt;
  return Affinity{*ion, field.energy.total + (z > 1 ? correlation.energy : 0.0)};
}

OuterResponse::OuterResponse(const AtomProblem& atom, const BasisSet& basis, const AddedList& reach)
    : atom_(atom), basis_(basis), l_(reach.l), space_([&] {
        ThreadPool alone(1);
        return spinorsIn(atom, withLists(basis, {reach}), fieldIn(atom, basis), alone);
      }()) {
  for (const SymmetryOrbitals& s : space_.symmetries())
    for (int i = 0; i < s.occupied(); ++i)
      if (s.symmetry.l() <= 1 && s.n[static_cast<std::size_t>(i)] >= shellN_) {
        shellN_ = s.n[static_cast<std::size_t>(i)];
        shellL_ = s.symmetry.l();
      }
  shell_ = fmt::format("{}{}", shellN_, letterOfL(shellL_));
}

double OuterResponse::operator()(const std::vector<double>& further) const {
  ThreadPool alone(1);
  const BasisSet all = withLists(basis_, {{l_, further}});
  std::vector<SymmetryBasis> blocks;
  for (const SymmetryBasis& block : all.symmetries)
    if (block.symmetry.l() == l_) blocks.push_back(block);
  const OrbitalSpace space = space_.withFunctions(atom_, blocks, ScfOptions().dependencyThreshold, alone);
  const int rank = std::abs(l_ - shellL_);
  double sum = 0;
  for (const SymmetryOrbitals& from : space.symmetries()) {
    for (int i = 0; i < from.occupied(); ++i) {
      if (from.symmetry.l() != shellL_ || from.n[static_cast<std::size_t>(i)] != shellN_) continue;
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

DiffuseSearchResult searchDiffuse(int z, const AtomProblem& atom, const BasisSet& basis,
                                  const std::vector<FunctionCount>& counts) {
  std::vector<DiffuseList> lists;
  for (const FunctionCount& count : counts)
    lists.push_back({count.l, count.count, std::log(smallestOf(basis, count.l))});
  DiffuseSearchResult result;
  std::vector<double> logs = startOf(lists);
  const auto affinityAt = [&](const std::vector<double>& at) {
    ++result.evaluations;
    return affinityIn(z, atom, withLists(basis, listsAt(lists, at)));
  };
  const std::optional<Affinity> first = holdsItsElectrons(z, atom, basis) ? affinityAt(logs) : std::nullopt;
  if (first) {
    const auto lack = [&](const std::vector<double>& at) {
      const std::optional<Affinity> here = affinityAt(at);
      return (here ? first->value() - here->value() : kDiffuseWall) + penaltyAt(lists, at);
    };
    logs = minimised(lack, logs, kTolerance).x;
    result.affinity = affinityAt(logs);
  }
  std::vector<AddedList> found = listsAt(lists, logs);
  if (!result.affinity) {
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const std::vector<DiffuseList> own{lists[i]};
      const OuterResponse response(atom, basis,
                                   {own[0].l, {std::exp(own[0].least()), std::exp(own[0].known)}});
      const std::vector<double> start = startOf(own);
      result.shell = response.shell();
      if (own[0].l == response.l()) {
        found[i] = {own[0].l, continued(own[0], basis)};
        continue;
      }
      const double scale = response(listsAt(own, start)[0].exponents);
      const auto lack = [&](const std::vector<double>& at) {
        ++result.evaluations;
        return -response(listsAt(own, at)[0].exponents) / scale + penaltyAt(own, at);
      };
      found[i] = listsAt(own, minimised(lack, start, kResponseTolerance).x)[0];
    }
  }
  for (const AddedList& list : found) result.groups.push_back({kDiffuseGroup, list.l, list.exponents});
  return result;
}

}  // namespace prophet
