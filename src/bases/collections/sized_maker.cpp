#include "bases/collections/sized_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/basis/well_tempered.hpp"
#include "atoms/breit/breit.hpp"
#include "atoms/fock/grid_builder.hpp"
#include "atoms/frozen/frozen_field.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "bases/optimise/correlating_functions.hpp"
#include "bases/optimise/correlating_search.hpp"
#include "bases/optimise/outer_response.hpp"
#include "core/common/error.hpp"

namespace prophet {

namespace {

constexpr int kMostAdded = 12;
constexpr double kReferenceRatio = 1.6;

/// What the source says of sets whose prolapse is bounded, with `kForEnergy` before it.
constexpr const char* kForEnergy = "optimised for the energy";
std::string energyStatement(double prolapse) {
  return fmt::format("the energy with a prolapse of {:g} of its error at most", prolapse);
}

FrozenField referenceField(const AtomProblem& problem) {
  const WellTemperedSpec spec = universalSpec(problem.nucleus, problem.configuration, kReferenceRatio);
  return {makeWellTempered(spec), problem.nucleus, problem.configuration, problem.hamiltonian.speedOfLight};
}

/// The l whose occupied symmetries lack most.
std::size_t mostLacking(const FrozenField& field, const std::vector<std::vector<double>>& exponents) {
  std::vector<double> lacks(exponents.size() / 2 + 1, 0.0);
  for (int a = 0; a < static_cast<int>(exponents.size()) && a < field.symmetries(); ++a)
    if (field.occupied(a) > 0) lacks[(a + 1) / 2] += field.shortfall(a, exponents[a]).lack();
  return static_cast<std::size_t>(std::ranges::max_element(lacks) - lacks.begin());
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

std::vector<std::vector<double>> movedAcrossGap(const std::vector<double>& exponents) {
  constexpr std::size_t kFewest = 6;
  const std::size_t n = exponents.size();
  if (n < kFewest) return {};
  const auto ratio = [&](std::size_t i) { return std::log(exponents[i + 1] / exponents[i]); };
  std::size_t gap = 1;
  double widest = 0.0;
  for (std::size_t i = 1; i + 2 < n; ++i) {
    const double beyond = ratio(i) - 0.5 * (ratio(i - 1) + ratio(i + 1));
    if (beyond <= widest) continue;
    widest = beyond;
    gap = i;
  }
  const std::vector<double> lower(exponents.begin(),
                                  exponents.begin() + static_cast<std::ptrdiff_t>(gap) + 1),
      upper(exponents.begin() + static_cast<std::ptrdiff_t>(gap) + 1, exponents.end());
  std::vector<std::vector<double>> lists;
  for (const int moved : {-1, 1}) {
    std::vector<double> list = stretched(lower, static_cast<int>(lower.size()) + moved);
    const std::vector<double> rest = stretched(upper, static_cast<int>(upper.size()) - moved);
    list.insert(list.end(), rest.begin(), rest.end());
    lists.push_back(std::move(list));
  }
  return lists;
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

/// The collection's set to start from, if it has one with these sizes.
std::optional<BasisSet> SizedMaker::startOf(int z, const std::vector<int>& sizes) const {
  if (options_.startFrom.empty()) return std::nullopt;
  const auto entry = readLibraryEntry(z, options_.startFrom, options_.basisSets);
  if (!entry) return std::nullopt;
  BasisSet basis = makeBasis(*entry);
  for (std::size_t a = 0; a < basis.symmetries.size(); ++a) {
    const std::size_t l = (a + 1) / 2;
    if (l >= sizes.size() || basis.symmetries[a].size() != sizes[l]) return std::nullopt;
  }
  return basis;
}

/// One after another, and what they took together.
class SearchSeries {
 public:
  SearchSeries(const AtomProblem& problem, int symmetries)
      : problem_(&problem), symmetries_(symmetries), fields_(searchFieldsOf(problem)) {}
  void add(const BasisVariables& variables, ExponentSearchOptions options) {
    options.fields = fields_;
    ExponentSearchResult next = searchExponents(*problem_, variables, options);
    next.evaluations += found_.evaluations;
    next.seconds += found_.seconds;
    found_ = std::move(next);
  }
  void addLists(const BasisSet& start, const ExponentSearchOptions& options) {
    add(ListVariables(shareExponents(start, symmetries_, Sharing::ByL), RatioBounds{}), options);
  }
  /// The list of one l, while the others stay.
  void addList(const BasisSet& start, std::size_t l, const ExponentSearchOptions& options) {
    add(ListVariables(shareExponents(start, symmetries_, Sharing::ByL), RatioBounds{}, l), options);
  }
  const ExponentSearchResult& found() const { return found_; }

 private:
  const AtomProblem* problem_;
  int symmetries_;
  std::shared_ptr<SearchFields> fields_;
  ExponentSearchResult found_;
};

double lackOf(const ExponentSearchResult& found, double limit) {
  return found.energy - limit + found.prolapse.value_or(0.0);
}

BasisSet withList(BasisSet basis, std::size_t l, const std::vector<double>& list) {
  for (std::size_t a = l == 0 ? 0 : 2 * l - 1; a <= 2 * l; ++a) basis.symmetries[a].exponents = list;
  return basis;
}

/// Other minima, one l after another. In the frozen field an l's part of the lack is its own, and its minimum
/// takes a small part of a search, which is made where that part is smaller; everywhere where a set lacks
/// more than one of its size is known to lack: with few functions the frozen field misjudges by some per cent
/// (B).
void tryOtherMinima(SearchSeries& series, const ExponentSearchOptions& options, double limit, double most) {
  constexpr double kWorthwhileGain = 1e-3;    // of the lack
  constexpr double kResolutionOfLack = 0.05;  // derivative, of the lack
  ExponentSearchOptions frozen = options;
  frozen.frozenField = true;
  frozen.tolerance = std::max(options.tolerance, kResolutionOfLack * lackOf(series.found(), limit));
  for (std::size_t l = 0; 2 * l < series.found().basis.symmetries.size(); ++l) {
    SearchSeries here = series;
    here.addList(series.found().basis, l, frozen);
    for (const std::vector<double>& list : movedAcrossGap(series.found().basis.symmetries[2 * l].exponents)) {
      SearchSeries other = series;
      other.addList(withList(series.found().basis, l, list), l, frozen);
      if (lackOf(series.found(), limit) <= most &&
          lackOf(other.found(), limit) > (1.0 - kWorthwhileGain) * lackOf(here.found(), limit))
        continue;
      other.addLists(other.found().basis, options);
      if (other.found().energy >= limit && lackOf(other.found(), limit) < lackOf(series.found(), limit))
        series = other;
    }
  }
}

/// Weighs the prolapse of the set found until it is a hundredth of the error and little less, in the frozen
/// field: a smaller one costs error. Nothing where the set would then lack more than `most`, hartree. The
/// ratio of prolapse and error goes about like the weight to the power -0.8 (seen in sets of Rn), which gives
/// the weights to try until there is one on either side.
std::optional<ExponentSearchResult> withoutProlapse(SearchSeries series, const ExponentSearchOptions& options,
                                                    double limit, double most) {
  constexpr double kFirstAim = 0.011, kAim = 0.0096, kShare = 0.0098, kNearEnough = 0.0094,
                   kLeastShare = 1e-3;
  constexpr double kMargin = 0.98, kPower = 1.25;
  constexpr double kResolutionOfLack = 0.05;  // derivative, of the lack
  constexpr int kMostEvaluations = 200, kMostPasses = 6;
  const auto error = [&] { return series.found().energy - limit; };
  const auto lack = [&] { return lackOf(series.found(), limit); };
  // Rounding makes the small prolapse of many functions negative (Pd, 5z: -1.4e-8 hartree).
  const auto share = [&] { return std::max(series.found().prolapse.value_or(0.0) / error(), kLeastShare); };
  if (share() <= kShare || lack() >= kMargin * most) return std::nullopt;
  ExponentSearchOptions frozen = options, once = options;
  frozen.frozenField = true;
  once.tolerance = std::numeric_limits<double>::infinity();
  frozen.maxEvaluations = kMostEvaluations;
  struct Pass {
    double weight, share;  // logarithms
  };
  Pass above{std::log(options.prolapseWeight), std::log(share())};
  std::optional<Pass> below;
  std::optional<ExponentSearchResult> best;
  double aim = std::log(kFirstAim);
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const double step =
        below ? (below->weight - above.weight) * (above.share - aim) / (above.share - below->share)
              : std::clamp(kPower * (above.share - aim), std::log(1.2), std::log(300.0));
    frozen.prolapseWeight = std::exp(above.weight + step);
    frozen.tolerance = std::max(options.tolerance, kResolutionOfLack * lack());
    series.addLists(series.found().basis, frozen);
    series.addLists(series.found().basis, once);
    if (error() <= 0.0) break;
    const bool lacksMore = lack() >= kMargin * most;
    const Pass now{above.weight + step, std::log(share())};
    aim = std::log(kAim);
    if (share() <= kShare) {
      if (!lacksMore && (!best || lack() < lackOf(*best, limit))) best = series.found();
      if (share() >= kNearEnough) break;
      below = now;
    } else {
      if (lacksMore || now.share >= above.share) break;
      above = now;
    }
  }
  return best;
}

/// Whether a list of s or p functions has a wide gap among its outermost functions, where bonds want some.
bool hasOuterGap(const BasisSet& basis) {
  constexpr double kWidest = 6.0;
  constexpr std::size_t kOutermost = 4;
  for (std::size_t a = 0; a < std::min<std::size_t>(3, basis.symmetries.size()); a += 2) {
    const std::vector<double>& exponents = basis.symmetries[a].exponents;
    for (std::size_t i = 1; i < std::min(kOutermost, exponents.size()); ++i)
      if (exponents[i] > kWidest * exponents[i - 1]) return true;
  }
  return false;
}

/// Another minimum, without a gap among the outermost functions, where it lacks no more than `most`, hartree.
void fillOuterGap(SearchSeries& series, const ExponentSearchOptions& options, double limit, double most) {
  for (std::size_t l = 0; l < 2 && 2 * l < series.found().basis.symmetries.size(); ++l) {
    if (!hasOuterGap(series.found().basis)) return;
    for (const std::vector<double>& list : movedAcrossGap(series.found().basis.symmetries[2 * l].exponents)) {
      SearchSeries other = series;
      other.addLists(withList(series.found().basis, l, list), options);
      if (hasOuterGap(other.found().basis) || lackOf(other.found(), limit) > most) continue;
      series = other;
      break;
    }
  }
}

/// Weighs what the valence lacks in a bond as much as leaves the set lacking no more than `most`, hartree,
/// and if it can be, the prolapse too until it is a hundredth of the error. Of weights that leave room for
/// that the largest is taken, unless it is smaller than one and another is not; else the largest of all. A
/// smaller prolapse may take functions from the valence to the core: a set where this opens a gap is not
/// taken. Nothing where no weight does.
std::optional<SizedMaker::Found> withValence(const SearchSeries& least,
                                             const ExponentSearchOptions& unweighted, int z, double limit,
                                             double most) {
  constexpr double kWeights[] = {4.0, 2.0, 1.0, 0.5, 0.25, 0.1};
  constexpr double kMargin = 0.999;  // audits measure the prolapse in another way
  std::optional<SizedMaker::Found> best;
  ExponentSearchOptions options = unweighted;
  options.valence = valenceShells(z);
  options.valenceField = bondConfiguration(z);
  for (const double weight : kWeights) {
    options.valenceWeight = weight;
    SearchSeries series = least;
    series.addLists(least.found().basis, options);
    fillOuterGap(series, options, limit, kMargin * most);
    if (series.found().energy < limit || lackOf(series.found(), limit) > kMargin * most) continue;
    if (weight < 1.0 && best && best->valenceWeight >= 1.0) break;
    if (!best) best = SizedMaker::Found{series.found(), false, weight};
    const auto clean = withoutProlapse(series, options, limit, most);
    if (clean && hasOuterGap(clean->basis) && !hasOuterGap(best->result.basis)) break;
    if (clean) return SizedMaker::Found{*clean, true, weight};
  }
  return best;
}

/// Where the set is large enough for its error to be stated beforehand, ladders will do: free exponents have
/// little to gain, and too many nearly flat directions to be found in.
SizedMaker::Found SizedMaker::search(const SetRequest& request, const WellTemperedSpec& first,
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
  ExponentSearchOptions coarse = options;
  if (!options_.threshold) coarse.tolerance = kCoarse;
  SearchSeries series(request.problem, static_cast<int>(first.functions.size()));
  if (const auto start = startOf(request.z, sizesOf(request.z)); start && !options_.threshold) {
    series.addLists(*start, options);
  } else {
    series.add(LadderVariables(first), coarse);
    if (!options_.threshold) series.addLists(series.found().basis, options);
  }
  while (!options_.prolapse && series.found().energy < limit && options.prolapseWeight < kMost) {
    options.prolapseWeight *= kMore;
    if (options_.threshold) {
      series.add(LadderVariables(first), options);
    } else {
      series.addLists(series.found().basis, options);
    }
  }
  const auto most = options_.lacks.find(request.z);
  if (options_.threshold || options_.prolapse || most == options_.lacks.end()) return {series.found()};
  tryOtherMinima(series, options, limit, most->second);
  // The functions for molecules of the others were optimised in molecules, for the lists of least lack.
  if (hasValencePairs(request.z))
    if (const auto weighed = withValence(series, options, request.z, limit, most->second)) return *weighed;
  if (const auto clean = withoutProlapse(series, options, limit, most->second)) return {*clean, true};
  return {series.found()};
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
  const auto [found, clean, valenceWeight] = search(request, first, limit->second);
  MadeSet made;
  for (const SymmetryBasis& s : found.basis.symmetries) {
    made.set.exponents.push_back(s.exponents);
    made.set.spec.functions.push_back(static_cast<int>(s.exponents.size()));
  }
  BasisProvenance& p = made.set.provenance;
  p.energy = found.energy;
  p.limit = limit->second;
  p.error = (found.energy - limit->second) / std::abs(limit->second);
  if (found.prolapse) p.prolapse = std::max(*found.prolapse, 0.0);
  p.source = fmt::format("{} optimised for {}, one list for both j, sizes {}",
                         options_.threshold ? "ladders" : "exponents",
                         clean               ? "least error with a prolapse of a hundredth of it at most"
                         : options_.prolapse ? energyStatement(*options_.prolapse)
                                             : "least error and prolapse",
                         options_.sizesFrom);
  if (valenceWeight > 0)
    p.source += fmt::format(", errors of the valence weighted {:g} times more in the field of a bonded atom",
                            valenceWeight);
  p.settings = options_.settings;
  if (!clean) p.source += fmt::format(", largest derivative {:.0e} hartree", found.gradient);
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
  if (!scf.converged) throw NotConvergedError("the SCF in the set did not converge");
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

/// Why the set is one of another request, by what its source says and by its sizes.
std::string SizedMaker::otherRequest(const LibraryEntry& entry) const {
  const std::string& source = entry.provenance.source;
  const std::string wanted = "sizes " + options_.sizesFrom;
  const std::size_t at = source.find(wanted), end = at + wanted.size();
  const bool whole =
      at != std::string::npos && (end == source.size() || source[end] == ',' || source[end] == ';');
  if (!whole) return fmt::format("it is not one of the {}, but says '{}'", wanted, source);
  if (const std::string& said = entry.provenance.settings; said != options_.settings) {
    const auto shown = [](const std::string& settings) {
      return settings.empty() ? std::string("the tier's own settings") : settings;
    };
    return fmt::format("it was made with {}, not with {}", shown(said), shown(options_.settings));
  }
  const bool energy = source.find(kForEnergy) != std::string::npos;
  if (options_.prolapse ? source.find(energyStatement(*options_.prolapse)) == std::string::npos : energy)
    return fmt::format("it was made with another limit of the prolapse: '{}'", source);
  const std::vector<int>& sizes = sizesOf(entry.z);
  const std::vector<int>& functions = entry.spec.functions;
  bool fits = functions.size() + 1 == 2 * sizes.size();
  for (std::size_t a = 0; fits && a < functions.size(); ++a)
    fits = options_.threshold ? functions[a] >= sizes[(a + 1) / 2] : functions[a] == sizes[(a + 1) / 2];
  return fits ? "" : fmt::format("its numbers of functions are not those of the {}", wanted);
}

std::string SizedMaker::whyNotFinished(const LibraryEntry& entry) const {
  if (const std::string other = otherRequest(entry); !other.empty()) return other;
  const BasisProvenance& p = entry.provenance;
  if (!p.energy || !p.limit || !p.error || !p.prolapse)
    return "it does not state energy, limit, error and prolapse";
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
