#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string_view>

#include "atoms/basis/library.hpp"
#include "bases/collections/correlating_maker.hpp"
#include "bases/collections/sized_maker.hpp"
#include "bases/optimise/diffuse_search.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/version.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/setting_values.hpp"
#include "operations/sets/collection_run.hpp"

namespace prophet {
namespace {

/// What is searched for: the set itself, one part of the functions for molecules in the sets of a collection,
/// or the set and then all of these parts.
struct Searched {
  bool set = true;
  std::vector<CorrelatingPart> parts{};
  bool all() const { return set && !parts.empty(); }
  bool operator==(const Searched&) const = default;
};

struct TierRequest {
  std::string tier, sizes, out, from;
  std::vector<int> elements = elementsFrom("1-118");
  std::optional<double> threshold, prolapse;
  std::optional<int> correlating;
  double gradient = 1e-6;  ///< hartree
  Searched searched{};
  bool resume = false;
};

Names<Searched> searches() {
  Names<Searched> names{{"set", {}}};
  Searched all;
  for (const auto& [name, part] : correlatingParts()) {
    names.emplace_back(name, Searched{false, {part}});
    all.parts.push_back(part);
  }
  names.emplace_back("all", all);
  return names;
}

/// What belongs to the search for the set itself.
void refuseOfSet(const TierRequest& r) {
  for (const auto& [setting, given] :
       {std::pair("threshold", r.threshold.has_value()), std::pair("prolapse", r.prolapse.has_value()),
        std::pair("correlating", r.correlating.has_value()),
        std::pair("gradient", r.gradient != TierRequest().gradient)})
    if (given)
      throw SettingError(setting, "belongs to the exponents of the set: expected optimise='set' or 'all'");
}

RequestTable<TierRequest> tierTable() {
  using R = TierRequest;
  constexpr Range kShare{0, 1, true, true};
  RequestTable<R> t;
  t.add("tier", &R::tier,
        "dz, tz, qz or 5z of the table that comes with the program, or a column of another table")
      .called("TIER")
      .asOptionalWord();
  t.add("sizes", &R::sizes, "another table of sizes: CSV with the columns Z and TIER, fields like 24/20/14/8")
      .called("FILE")
      .onlyWith({"tier"});
  t.add("threshold", &R::threshold,
        "add functions until the relative error is at most this, such as 5e-9; without a tier, from the "
        "sizes of the default collection")
      .range = kShare;
  addElementsRow(t).byDefault("1-118");
  t.add("out", &R::out, "folder for the files").called("FOLDER").mustBeGiven();
  t.add("prolapse", &R::prolapse,
        "minimise the energy with at most this prolapse, as a fraction of the error, such as 0.01")
      .byDefault("minimise the lack, error plus prolapse")
      .range = kShare;
  t.add("from", &R::from,
        "collection whose sets the searches start from, such as prophet-tz, or a folder that tier has made")
      .called("NAME")
      .byDefault("ladders");
  t.add("correlating", &R::correlating,
        "number of sets of polarising and correlating functions for molecules, as separate groups")
      .from(0, 4)
      .byDefault("1, 2, 3, 4 with dz, tz, qz, 5z, otherwise 0");
  t.add(
      "optimise", &R::searched, searches(),
      "what is searched for: all exponents, for the energy of the atom, and functions for molecules by a "
      "rule; or, with the sets of `from`, these functions alone, for energies of second order of the "
      "valence; or functions for the correlation of the outer core with the valence beside them, or diffuse "
      "functions, for the energy of the negative ion, or steep ones, for the density and hyperfine "
      "integrals at the nucleus within a thousandth of the limit's; or all of these, of each element one "
      "after the other");
  t.add("gradient", &R::gradient, "largest derivative of the energy at the end")
      .in("hartree")
      .byDefault("1e-6")
      .range = kShare;
  t.add("resume", &R::resume, "keep finished elements");
  t.afterwards([](const R& r) {
    if (r.tier.empty() && !r.threshold)
      throw SettingError("tier", "expected a tier, such as dz, or a threshold");
    if (r.searched.all()) {
      if (r.tier.empty())
        throw SettingError("tier", "expected the tier whose functions are all searched for");
      if (!r.sizes.empty())
        throw SettingError("sizes", "a table has the numbers of one part: give `optimise` that part's name");
    } else if (!r.searched.set) {
      if (r.tier.empty() || r.from.empty())
        throw SettingError("from",
                           "expected the collection whose functions for correlation are optimised, and "
                           "a tier");
      refuseOfSet(r);
    }
    if (r.searched == Searched{false, {CorrelatingPart::CoreDensity}} && !r.sizes.empty())
      throw SettingError("sizes", "numbers of steep functions follow from the errors that they leave");
  });
  return t;
}

/// The collection to start from: a folder of the user's own may be named like one, without a '/'.
std::string startCollection(const TierRequest& r, const std::filesystem::path& basisSets) {
  if (r.from.empty()) return "";
  std::error_code failure;
  const bool shipped = std::filesystem::is_directory(basisSetFolder(basisSets) / r.from, failure);
  const std::string name =
      !shipped && std::filesystem::is_directory("./" + r.from, failure) ? "./" + r.from : r.from;
  ofSetting("from", [&] { return libraryElements(name, basisSets); });
  return name;
}

SizedMakerOptions makerOptions(const TierRequest& r, const CollectionTask& task, const Execution& execution) {
  SizedMakerOptions options;
  options.basisSets = execution.basisSets;
  options.threshold = r.threshold;
  options.prolapse = r.prolapse;
  options.tolerance = r.gradient;
  constexpr std::string_view kTiers[] = {"dz", "tz", "qz", "5z"};
  const auto* const place = std::ranges::find(kTiers, r.tier);
  const int usual = place == std::end(kTiers) ? 0 : static_cast<int>(place - kTiers) + 1;
  options.correlatingSets = r.correlating.value_or(usual);
  if (options.correlatingSets != usual) options.settings = fmt::format("correlating={}", *r.correlating);
  if (r.gradient != TierRequest().gradient)
    options.settings += fmt::format("{}gradient={}", options.settings.empty() ? "" : " ", r.gradient);
  options.limits = limitsOf("", task.model, task.c, options.basisSets);
  if (r.tier.empty()) {
    options.sizes = sizesOfDefaultSets(options.basisSets);
    options.sizesFrom = fmt::format("of the default collection and more, threshold {}", *options.threshold);
    return options;
  }
  const std::filesystem::path table =
      r.sizes.empty() ? tierSizesFile(options.basisSets) : std::filesystem::path(r.sizes);
  ofSetting(r.sizes.empty() ? "tier" : "sizes", [&] {
    options.sizes = readTierSizes(table, r.tier);
    options.lacks = readTierLacks(table, r.tier);
  });
  options.sizesFrom = fmt::format("{} of {}", r.tier, table.filename().string());
  if (r.threshold) options.sizesFrom += fmt::format(" and more, threshold {}", *r.threshold);
  options.startFrom = startCollection(r, options.basisSets);
  return options;
}

/// `collection`: whose sets get the functions; empty: any.
CorrelatingMaker partMaker(CorrelatingPart part, const std::string& collection, const TierRequest& r,
                           const Execution& execution) {
  const std::filesystem::path own = countsFileOf(part, execution.basisSets),
                              table = r.sizes.empty() ? own : std::filesystem::path(r.sizes);
  std::map<int, CorrelatingMaker::Counts> counts;
  std::map<int, double> energies;
  if (!own.empty())
    ofSetting(r.sizes.empty() ? "tier" : "sizes", [&] {
      counts = readCorrelatingCounts(table, r.tier);
      energies = readTierEnergies(table, r.tier);
    });
  return {collection, execution.basisSets, counts, part, energies};
}

std::unique_ptr<SetMaker> makerFor(const TierRequest& r, const CollectionTask& task,
                                   const Execution& execution) {
  const auto& [set, searched] = r.searched;
  if (!set)
    return std::make_unique<CorrelatingMaker>(
        partMaker(searched.front(), startCollection(r, execution.basisSets), r, execution));
  auto sets = std::make_unique<SizedMaker>(makerOptions(r, task, execution));
  if (searched.empty()) return sets;
  std::vector<CorrelatingMaker> parts;
  for (const CorrelatingPart part : searched) parts.push_back(partMaker(part, "", r, execution));
  return std::make_unique<WholeTierMaker>(std::move(sets), std::move(parts));
}

Record tier(const TierRequest& request, const Execution& execution) {
  const Stopwatch watch;
  CollectionTask task;
  task.elements = request.elements;
  task.folder = request.out;
  task.program = fmt::format("cudaprophet {}", kVersion);
  Record record;
  record.title = "Basis sets of given sizes";
  record.device = "CPU";
  const auto rows = runAndTell(task, {execution.threadsOrAll(), request.resume},
                               *makerFor(request, task, execution), execution, record.report);
  const std::size_t missed = missedIn(rows);
  record.outcome = missed == 0 ? Outcome::Done : Outcome::NotConverged;
  record.quantities = {{"folder", "", request.out}, {"missed", "", missed}};
  record.tables.push_back(collectionTable(rows));
  record.seconds = watch.seconds();
  const std::string last = fmt::format("{} element{}, {} without a set, {:.1f} s\n", rows.size(),
                                       rows.size() == 1 ? "" : "s", missed, record.seconds);
  record.report += last;
  execution.tell(last);
  return record;
}

}  // namespace

Operation tierOperation() {
  Operation o;
  o.name = "tier";
  o.summary = "basis sets of given sizes for molecules, one list of exponents for both j";
  o.description =
      "Makes a basis set of given size for each element, with every exponent optimised for the neutral atom "
      "and the same exponents for both j. It minimises the lack of the set, the sum of its error against the "
      "limit and its prolapse. TIER: dz, tz, qz or 5z of the table that comes with the program (the sizes of "
      "the Dyall sets), or a column of the file sizes.";
  o.example = "tier [TIER] [--threshold ERROR] --out FOLDER";
  o.tables = [] { return std::vector{collectionTable({})}; };
  return operationOf(std::move(o), tierTable(), tier);
}

}  // namespace prophet
