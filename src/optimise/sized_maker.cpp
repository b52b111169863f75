#include "optimise/sized_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "atom/elements.hpp"
#include "basis/library.hpp"
#include "breit/breit.hpp"
#include "common/error.hpp"
#include "fock/grid_builder.hpp"
#include "integrals/radial_grid.hpp"
#include "optimise/correlating_functions.hpp"
#include "optimise/frozen_field.hpp"
#include "optimise/reference_basis.hpp"

namespace prophet {
namespace {

constexpr int kMostAdded = 12;
constexpr double kReferenceRatio = 1.6;

FrozenField referenceField(const AtomProblem& problem) {
  const WellTemperedSpec spec = universalSpec(problem.nucleus, problem.configuration, kReferenceRatio);
  return {makeWellTempered(spec), problem.nucleus, problem.configuration, problem.hamiltonian.speedOfLight};
}

/// The l whose occupied symmetries lack most.
std::size_t mostLacking(const FrozenField& field, const std::vector<std::vector<double>>& exponents) {
  std::vector<double> lacks(exponents.size() / 2 + 1, 0.0);
  for (int a = 0; a < static_cast<int>(exponents.size()) && a < field.symmetries(); ++a)
    if (field.occupied(a) > 0) lacks[(a + 1) / 2] += field.shortfall(a, exponents[a]).lack();
  return static_cast<std::size_t>(std::max_element(lacks.begin(), lacks.end()) - lacks.begin());
}

/// A ladder with the ends of a list, its ratios growing gently.
WellTemperedParameters ladderLike(const std::vector<double>& exponents) {
  constexpr double kDelta = 3.0, kGamma = 0.3, kAnyRatio = 2.0;
  const int n = static_cast<int>(exponents.size());
  if (n == 1) return {exponents.front(), kAnyRatio, kDelta, kGamma};
  double growth = std::log(exponents.back() / exponents.front());
  for (int k = 2; k <= n; ++k)
    growth -= std::log(1.0 + kGamma * std::pow(static_cast<double>(k) / n, kDelta));
  return {exponents.front(), std::max(std::exp(growth / (n - 1)), 1.1), kDelta, kGamma};
}

}  // namespace

std::vector<double> stretched(const std::vector<double>& exponents, int count) {
  const double n = static_cast<double>(exponents.size());
  std::vector<double> result;
  for (int i = 0; i < count; ++i) {
    const double place = std::clamp((i + 0.5) * n / count - 0.5, 0.0, n - 1.0);
    const auto below = static_cast<std::size_t>(std::min(place, std::max(n - 2.0, 0.0)));
    const std::size_t above = std::min(below + 1, exponents.size() - 1);
    const double part = place - static_cast<double>(below);
    result.push_back(std::exp((1.0 - part) * std::log(exponents[below]) + part * std::log(exponents[above])));
  }
  return result;
}

const std::vector<int>& SizedMaker::sizesOf(int z) const {
  const auto at = options_.sizes.find(z);
  if (at == options_.sizes.end())
    throw Error(fmt::format("{} has no sizes ({})", symbolOf(z), options_.sizesFrom));
  return at->second;
}

WellTemperedSpec SizedMaker::ladders(int z, const std::vector<int>& sizes) const {
  const auto entry = readLibraryEntry(z, "", options_.basisSets);
  if (!entry) throw Error(fmt::format("the default collection has no set for {} to start from", symbolOf(z)));
  const BasisSet whole = makeBasis(*entry);
  WellTemperedSpec spec;
  for (std::size_t l = 0; l < sizes.size(); ++l) {
    const std::size_t upper = 2 * l;  // s+, p+, d+, ...
    if (upper >= whole.symmetries.size())
      throw Error(fmt::format("{} has electrons up to {}, and sizes for {} angular momenta ({})", symbolOf(z),
                              whole.symmetries.back().symmetry.label(), sizes.size(), options_.sizesFrom));
    spec.groups.push_back(ladderLike(stretched(whole.symmetries[upper].exponents, sizes[l])));
    for (std::size_t a = l == 0 ? 0 : upper - 1; a <= upper; ++a) {
      spec.functions.push_back(sizes[l]);
      spec.start.push_back(1);
      spec.group.push_back(static_cast<int>(l) + 1);
    }
  }
  return spec;
}

/// Where the set is large enough for its error to be stated beforehand, ladders will do: free exponents have
/// little to gain, and too many nearly flat directions to be found in.
ExponentSearchResult SizedMaker::search(const AtomProblem& problem, const WellTemperedSpec& first,
                                        double limit) const {
  constexpr double kMore = 4.0, kMost = 256.0;
  constexpr double kCoarse = 1e-3;           // derivative, hartree
  constexpr double kShareOfEnergy = 1e-9;    // derivative: light atoms lack less than 1e-6 hartree
  constexpr double kShareOfThreshold = 0.3;  // derivative: the error that it leaves is of second order
  ExponentSearchOptions options;
  options.tolerance = std::min(options_.tolerance, kShareOfEnergy * std::abs(limit));
  if (options_.threshold)
    options.tolerance =
        std::max(options.tolerance, kShareOfThreshold * *options_.threshold * std::abs(limit));
  options.prolapse = options_.prolapse;
  if (!options_.prolapse) options.prolapseWeight = 1.0;
  const int symmetries = static_cast<int>(first.functions.size());
  const auto searchLadders = [&](const WellTemperedSpec& start, const ExponentSearchOptions& how) {
    return searchExponents(problem, LadderVariables(start), how);
  };
  const auto searchLists = [&](const BasisSet& start) {
    return searchExponents(
        problem, ListVariables(shareExponents(start, symmetries, Sharing::ByL), RatioBounds{}), options);
  };
  ExponentSearchOptions coarse = options;
  if (!options_.threshold) coarse.tolerance = kCoarse;
  ExponentSearchResult found = searchLadders(first, coarse);
  const auto add = [&](ExponentSearchResult next) {
    next.evaluations += found.evaluations;
    next.seconds += found.seconds;
    found = std::move(next);
  };
  if (!options_.threshold) add(searchLists(found.basis));
  while (!options_.prolapse && found.energy < limit && options.prolapseWeight < kMost) {
    options.prolapseWeight *= kMore;
    add(options_.threshold ? searchLadders(first, options) : searchLists(found.basis));
  }
  return found;
}

MadeSet SizedMaker::makeWith(const std::vector<int>& sizes, const SetRequest& request) const {
  const WellTemperedSpec first = ladders(request.z, sizes);
  const int symmetries = static_cast<int>(first.functions.size());
  if (symmetries < request.problem.configuration.occupiedSymmetries())
    throw Error(fmt::format("{} has electrons in {} symmetries, and sizes for {} ({})", symbolOf(request.z),
                            request.problem.configuration.occupiedSymmetries(), symmetries,
                            options_.sizesFrom));
  const auto limit = options_.limits.find(request.z);
  if (limit == options_.limits.end())
    throw Error(fmt::format("the numerical limit of {} is not known", symbolOf(request.z)));
  const ExponentSearchResult found = search(request.problem, first, limit->second);
  MadeSet made;
  for (const SymmetryBasis& s : found.basis.symmetries) {
    made.set.exponents.push_back(s.exponents);
    made.set.spec.functions.push_back(static_cast<int>(s.exponents.size()));
  }
  BasisProvenance& p = made.set.provenance;
  p.energy = found.energy;
  p.limit = limit->second;
  p.error = (found.energy - limit->second) / std::abs(limit->second);
  p.prolapse = found.prolapse;
  p.source = fmt::format(
      "{} optimised for {}, one list for both j, sizes {}, largest derivative {:.0e} hartree",
      options_.threshold ? "ladders" : "exponents",
      options_.prolapse ? "the energy" : "least error and prolapse", options_.sizesFrom, found.gradient);
  made.seconds = found.seconds;
  if (request.log)
    request.log(
        fmt::format("{} energies with gradient, {} failures, {} rounds, largest derivative {:.1e} hartree",
                    found.evaluations, found.failures, found.rounds, found.gradient));
  made.set.z = request.z;
  complete(made.set, request.problem);
  made.shortfall = whyNotFinished(made.set);
  return made;
}

bool SizedMaker::complete(LibraryEntry& entry, const AtomProblem& problem) const {
  if (options_.correlatingSets == 0 || !entry.groups.empty()) return false;
  const BasisSet basis = makeBasis(entry);
  ThreadPool alone(1);
  const auto builder = makeGridBuilder(basis, fockGrid(basis), TwoElectronOperator::Coulomb, alone);
  const ScfResult scf = runScf(
      {basis, problem.nucleus, problem.configuration, problem.hamiltonian.speedOfLight}, *builder, {}, alone);
  if (!scf.converged) throw Error("the SCF in the set did not converge");
  entry.groups = correlatingFunctions(entry.z, basis, scf, options_.correlatingSets);
  return true;
}

MadeSet SizedMaker::make(const SetRequest& request) const {
  std::vector<int> sizes = sizesOf(request.z);
  MadeSet made = makeWith(sizes, request);
  if (!options_.threshold) return made;
  const auto missed = [&] { return *made.set.provenance.error > *options_.threshold; };
  std::optional<FrozenField> field;
  for (int added = 0; added < kMostAdded && missed(); ++added) {
    if (!field) field.emplace(referenceField(request.problem));
    ++sizes[mostLacking(*field, made.set.exponents)];
    const double seconds = made.seconds;
    made = makeWith(sizes, request);
    made.seconds += seconds;
  }
  return made;
}

TierSizes sizesOfDefaultSets(const std::filesystem::path& basisSets) {
  TierSizes all;
  for (const int z : libraryElements("", basisSets)) {
    const auto entry = readLibraryEntry(z, "", basisSets);
    if (!entry) continue;
    const std::vector<int>& functions = entry->spec.functions;
    std::vector<int> sizes{functions.front()};
    for (std::size_t a = 1; a < functions.size(); a += 2)
      sizes.push_back(std::max(functions[a], a + 1 < functions.size() ? functions[a + 1] : 0));
    all[z] = std::move(sizes);
  }
  return all;
}

std::string SizedMaker::whyNotFinished(const LibraryEntry& entry) const {
  const BasisProvenance& p = entry.provenance;
  if (!p.energy || !p.limit || !p.error || !p.prolapse)
    return "it does not say energy, limit, error and prolapse";
  const double error = *p.energy - *p.limit;
  if (error < 0.0) return fmt::format("its energy is {:.2e} hartree below the limit", -error);
  if (options_.prolapse && *p.prolapse > *options_.prolapse * error)
    return fmt::format("its prolapse, {:.2e} hartree, is more than {:g} of its error, {:.2e} hartree",
                       *p.prolapse, *options_.prolapse, error);
  if (options_.threshold && *p.error > *options_.threshold)
    return fmt::format("its error {:.2e} misses the threshold {:.2e}", *p.error, *options_.threshold);
  return "";
}

}  // namespace prophet
