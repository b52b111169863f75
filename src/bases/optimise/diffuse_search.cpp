#include "bases/optimise/diffuse_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "atoms/atom/default_configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "bases/optimise/minimiser.hpp"
#include "bases/optimise/outer_response.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr double kMostContinued = 4.0;
constexpr double kStart = 2.5;         // ratio where the set has one function
constexpr double kProbeRatio = 2.5;    // of the functions that show whether an ion is bound
constexpr int kProbe = 3;              // of them for each l
constexpr double kDiffuseWall = 0.05;  // hartree for a unit of ln zeta beyond a bound, squared
constexpr double kFirstStep = 0.3, kTolerance = 1e-2;
constexpr int kEvaluationsPerVariable = 60;

double smallestOf(const BasisSet& basis, int l) {
  const auto upper = static_cast<std::size_t>(2 * l);
  if (upper >= basis.symmetries.size() || basis.symmetries[upper].exponents.empty())
    throw Error(fmt::format("the set has no {} functions below which diffuse ones could lie", letterOfL(l)));
  return *std::ranges::min_element(basis.symmetries[upper].exponents);
}

std::vector<AddedList> listsAt(const std::vector<OuterList>& lists, const std::vector<double>& logs) {
  std::vector<AddedList> added;
  std::size_t at = 0;
  for (const OuterList& list : lists) {
    added.push_back({list.l, exponentsOf(list, logs.data() + at)});
    at += static_cast<std::size_t>(list.count);
  }
  return added;
}

double penaltyAt(const std::vector<OuterList>& lists, const std::vector<double>& logs) {
  double penalty = 0;
  std::size_t at = 0;
  for (const OuterList& list : lists) {
    penalty += kDiffuseWall * penaltyOf(list, logs.data() + at);
    at += static_cast<std::size_t>(list.count);
  }
  return penalty;
}

std::vector<double> startOf(const std::vector<OuterList>& lists) {
  std::vector<double> logs;
  for (const OuterList& list : lists)
    for (const double log : startOf(list)) logs.push_back(log);
  return logs;
}

Minimum minimised(const std::function<double(const std::vector<double>&)>& f,
                  const std::vector<double>& from) {
  MinimiserOptions options;
  options.rhoBegin = kFirstStep;
  options.rhoEnd = kTolerance;
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
std::vector<double> continued(const OuterList& list, const BasisSet& basis) {
  std::vector<double> known = basis.symmetries[static_cast<std::size_t>(2 * list.l)].exponents;
  std::ranges::sort(known);
  const double last = known.size() > 1 ? known[1] / known[0] : kStart;
  const double ratio = std::min(last, kMostContinued);
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

std::optional<NegativeIonEnergy> negativeIonIn(int z, const AtomProblem& atom, const BasisSet& basis,
                                               AffinityStart* start) {
  if (z >= kLastElement) return std::nullopt;
  AtomProblem ion = atom;
  ion.configuration = parseConfiguration(defaultConfiguration(z, -1).text);
  if (ion.configuration.occupiedSymmetries() > static_cast<int>(basis.symmetries.size())) return std::nullopt;
  if (electronsOfL(ion.configuration, 3) > electronsOfL(atom.configuration, 3)) return std::nullopt;
  ThreadPool alone(1);
  const Result field = fieldIn(ion, basis, start ? start->ion : nullptr);
  // An electron that is barely bound or not at all may keep the field from converging.
  if (field.status == Status::Unbound || field.status == Status::NotConverged) return std::nullopt;
  if (start) start->ion = field.coefficients;
  const SecondOrder correlation =
      secondOrderOf(spinorsIn(ion, basis, field, alone), ion, negativeIonShells(z), alone);
  if (correlation.smallestGap <= 0) return std::nullopt;
  return NegativeIonEnergy{ion.configuration.description, field.energy.total, correlation.energy};
}

std::optional<Affinity> affinityIn(int z, const AtomProblem& atom, const BasisSet& basis,
                                   AffinityStart* start) {
  const std::optional<NegativeIonEnergy> ion = negativeIonIn(z, atom, basis, start);
  if (!ion) return std::nullopt;
  ThreadPool alone(1);
  const Result field = fieldIn(atom, basis, start ? start->atom : nullptr);
  if (start) start->atom = field.coefficients;
  const SecondOrder correlation =
      secondOrderOf(spinorsIn(atom, basis, field, alone), atom, negativeIonShells(z), alone);
  if (z > 1 && correlation.smallestGap <= 0) return std::nullopt;
  return Affinity{*ion, field.energy.total + (z > 1 ? correlation.energy : 0.0)};
}

DiffuseSearchResult searchDiffuse(int z, const AtomProblem& atom, const BasisSet& basis,
                                  const std::vector<FunctionCount>& counts) {
  std::vector<OuterList> lists;
  for (const FunctionCount& count : counts)
    lists.push_back({count.l, count.count, std::log(smallestOf(basis, count.l))});
  DiffuseSearchResult result;
  std::vector<double> logs = startOf(lists);
  AffinityStart start;
  const auto affinityAt = [&](const std::vector<double>& at) {
    ++result.evaluations;
    return affinityIn(z, atom, withLists(basis, listsAt(lists, at)), &start);
  };
  const std::optional<Affinity> first = holdsItsElectrons(z, atom, basis) ? affinityAt(logs) : std::nullopt;
  if (first) {
    const auto lack = [&](const std::vector<double>& at) {
      const std::optional<Affinity> here = affinityAt(at);
      return (here ? first->value() - here->value() : kDiffuseWall) + penaltyAt(lists, at);
    };
    logs = minimised(lack, logs).x;
    result.affinity = affinityAt(logs);
  }
  std::vector<AddedList> found = listsAt(lists, logs);
  if (!result.affinity) {
    const Shell shell = outermostShell(atom.configuration);
    result.shell = shell.name();
    for (std::size_t i = 0; i < lists.size(); ++i) {
      if (lists[i].l == shell.l) {
        found[i] = {lists[i].l, continued(lists[i], basis)};
        continue;
      }
      const RespondingFunctions responding = mostResponding(atom, basis, shell, lists[i]);
      found[i] = {lists[i].l, responding.exponents};
      result.evaluations += responding.evaluations;
    }
  }
  for (const AddedList& list : found) result.groups.push_back({kDiffuseGroup, list.l, list.exponents});
  return result;
}

}  // namespace prophet
