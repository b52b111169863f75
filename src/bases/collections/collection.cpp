#include "bases/collections/collection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "bases/collections/chain.hpp"
#include "bases/formats/exchange_formats.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"
#include "core/ranks/for_many.hpp"

namespace prophet {
namespace fs = std::filesystem;
namespace {

/// How the source of a non-relativistic set's file begins: it has no speed of light.
const std::string kNonrelativistic = "non-relativistic: ";

std::string folderName(const fs::path& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
}

/// A collection and its observer, shared by the threads.
class CollectionRun {
 public:
  CollectionRun(const CollectionTask& task, const CollectionOptions& options, const SetMaker& maker,
                const CollectionObserver& observer)
      : task_(task), options_(options), maker_(maker), observer_(observer) {
    if (task_.collection.empty()) task_.collection = folderName(task_.folder);
    if (task_.date.empty()) task_.date = timeNow();
    std::error_code failure;
    fs::create_directories(statePath(), failure);
    if (failure) throw Error(statePath().string() + ": cannot be made: " + failure.message());
    lock_.emplace(statePath().string());
    std::sort(task_.elements.rbegin(), task_.elements.rend());
  }
  std::vector<CollectionRow> run();

 private:
  fs::path statePath() const { return fs::path(task_.folder) / "state"; }
  fs::path fileOf(int z) const { return fs::path(task_.folder) / basisFileName(z); }
  fs::path stateOf(int z) const { return statePath() / fmt::format("{:03}.chain", z); }
  CollectionRow element(int z);
  CollectionRow compute(int z);
  AtomProblem problemOf(int z) const;
  bool nonrelativistic() const { return task_.oneElectron == OneElectronOperator::Nonrelativistic; }
  CollectionRow readBack(int z) const;
  std::string whyNotFinished(const LibraryEntry& entry) const;
  void say(int z, const std::string& line) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (observer_.log) observer_.log(z, line);
  }

  CollectionTask task_;
  std::optional<FolderLock> lock_;
  const CollectionOptions& options_;
  const SetMaker& maker_;
  const CollectionObserver& observer_;
  std::mutex mutex_;  ///< of the observer
};

/// What a file's set says of itself.
CollectionRow rowOf(const LibraryEntry& entry) {
  CollectionRow row;
  row.z = entry.z;
  row.sizes = entry.spec.functions;
  for (const int n : row.sizes) row.functions += n;
  const BasisProvenance& p = entry.provenance;
  row.energy = p.energy.value_or(0.0);
  row.limit = p.limit.value_or(0.0);
  row.error = p.error.value_or(0.0);
  row.prolapse = p.prolapse.value_or(0.0);
  return row;
}

CollectionRow CollectionRun::readBack(int z) const {
  std::ifstream in(fileOf(z));
  LibraryEntry entry = readBasisFile(in, fileOf(z).string());
  if (whyNotFinished(entry).empty() && maker_.complete(entry, problemOf(z)))
    writeFileAtomically(fileOf(z).string(), libraryFileText(entry));
  CollectionRow row = rowOf(entry);
  row.skipped = true;
  row.failure = whyNotFinished(entry);
  row.met = row.failure.empty();
  // A run that was killed between its two last steps has left it.
  if (row.met) fs::remove(stateOf(z));
  return row;
}

/// Why the set in a file is not what this run is asked for; empty where it is.
std::string CollectionRun::whyNotFinished(const LibraryEntry& entry) const {
  const BasisProvenance& p = entry.provenance;
  std::string problem;
  if (entry.configuration != groundConfiguration(entry.z)) {
    problem = "it is a set for " + entry.configuration;
  } else if (entry.nuclearModel != task_.model) {
    problem = fmt::format("it is a set for a {} nucleus", nameOf(entry.nuclearModel));
  } else if (nonrelativistic() && p.speedOfLight) {
    problem = "it is a relativistic set";
  } else if (!nonrelativistic() && p.source.rfind(kNonrelativistic, 0) == 0) {
    problem = "it is a non-relativistic set";
  } else if (p.speedOfLight && *p.speedOfLight != task_.c) {
    problem = fmt::format("it is a set for c = {}", *p.speedOfLight);
  } else {
    problem = maker_.whyNotFinished(entry);
  }
  return problem.empty()
             ? ""
             : fileOf(entry.z).string() + ": " + problem + "; remove the file so that it is made again";
}

AtomProblem CollectionRun::problemOf(int z) const {
  NucleusRequest nucleus;
  nucleus.model = task_.model;
  nucleus.charge = z;
  AtomProblem problem;
  problem.nucleus = makeNucleus(nucleus);
  problem.configuration = parseConfiguration(groundConfiguration(z));
  problem.hamiltonian.speedOfLight = task_.c;
  problem.hamiltonian.oneElectron = task_.oneElectron;
  return problem;
}

CollectionRow CollectionRun::compute(int z) {
  const std::string stateFile = stateOf(z).string();
  MadeSet made = maker_.make(
      {problemOf(z), z, stateFile, options_.resume, [&](const std::string& line) { say(z, line); }});
  LibraryEntry& entry = made.set;
  entry.z = z;
  entry.library = task_.collection;
  entry.configuration = groundConfiguration(z);
  entry.nuclearModel = task_.model;
  entry.provenance.program = task_.program;
  entry.provenance.date = task_.date;
  if (nonrelativistic())
    entry.provenance.source = kNonrelativistic + entry.provenance.source;
  else
    entry.provenance.speedOfLight = task_.c;
  CollectionRow row = rowOf(entry);
  row.seconds = made.seconds;
  row.failure = made.shortfall;
  row.met = made.shortfall.empty();
  if (!row.met) return row;
  writeFileAtomically(fileOf(z).string(), libraryFileText(entry));
  fs::remove(stateFile);
  return row;
}

CollectionRow CollectionRun::element(int z) {
  try {
    if (fs::exists(fileOf(z))) {
      if (!options_.resume) throw Error(fileOf(z).string() + ": exists already; resume to keep it");
      return readBack(z);
    }
    return compute(z);
  } catch (const std::exception& error) {
    CollectionRow row;
    row.z = z;
    row.failure = error.what();
    return row;
  }
}

/// An observer's exception (standard output that is full, say) ends all threads' work.
std::vector<CollectionRow> CollectionRun::run() {
  std::vector<CollectionRow> rows(task_.elements.size());
  forMany(
      static_cast<int>(rows.size()), options_.threads,
      [&](int i) {
        rows[static_cast<std::size_t>(i)] = element(task_.elements[static_cast<std::size_t>(i)]);
      },
      [&](int i) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (observer_.finished) observer_.finished(rows[static_cast<std::size_t>(i)]);
      });
  std::ranges::sort(rows, {}, &CollectionRow::z);
  return rows;
}

}  // namespace

std::vector<CollectionRow> runCollection(const CollectionTask& task, const CollectionOptions& options,
                                         const SetMaker& maker, const CollectionObserver& observer) {
  return CollectionRun(task, options, maker, observer).run();
}

std::map<int, double> limitsOf(const std::string& collection, NuclearModel model, double c,
                               const std::filesystem::path& basisSets) {
  std::map<int, double> limits;
  for (const int z : libraryElements(collection, basisSets)) {
    const auto entry = readLibraryEntry(z, collection, basisSets);
    if (!entry || entry->nuclearModel != model || entry->configuration != groundConfiguration(z)) continue;
    const BasisProvenance& p = entry->provenance;
    if (p.limit && p.speedOfLight == c) limits[z] = *p.limit;
  }
  return limits;
}

namespace {

Calculation calculationFor(const LibraryEntry& ours, const LibraryEntry& set) {
  NucleusRequest nucleus;
  nucleus.model = ours.nuclearModel;
  nucleus.charge = ours.z;
  AtomProblem problem{makeNucleus(nucleus), parseConfiguration(ours.configuration), {}};
  problem.hamiltonian.speedOfLight = ours.provenance.speedOfLight.value_or(constants::kSpeedOfLight);
  return calculationIn(makeBasis(set), std::move(problem));
}

/// "33s+ 30p- 27p+ ... | 155 | 4.6e-09 |".
std::string cells(const LibraryEntry& set, const Result& outcome, double limit) {
  int sum = 0;
  for (const int n : set.spec.functions) sum += n;
  const std::string error =
      outcome.ok() ? fmt::format("{:.1e}", (outcome.energy.total - limit) / std::abs(limit)) : outcome.reason;
  return fmt::format(" {} | {} | {} |", sizesText(set.spec.functions), sum, error);
}

}  // namespace

std::string resultsTable(const std::string& ours, const std::string& other, EnergyService& service,
                         const std::vector<int>& elements, const std::filesystem::path& basisSets,
                         const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<LibraryEntry> sets;
  std::vector<Calculation> calculations;
  std::vector<bool> hasOther;
  std::vector<double> limits;
  std::string name = ours;
  for (const int z : libraryElements(ours, basisSets)) {
    if (!elements.empty() && std::ranges::count(elements, z) == 0) continue;
    const LibraryEntry mine = *readLibraryEntry(z, ours, basisSets);
    name = mine.library;
    if (!mine.provenance.limit) continue;
    limits.push_back(*mine.provenance.limit);
    sets.push_back(mine);
    calculations.push_back(calculationFor(mine, mine));
    const auto theirs = other.empty() ? std::nullopt : readLibraryEntry(z, other, basisSets);
    hasOther.push_back(theirs.has_value());
    if (!theirs) continue;
    sets.push_back(*theirs);
    calculations.push_back(calculationFor(mine, *theirs));
  }
  std::size_t finished = 0;
  const std::vector<Result> outcomes = service.evaluateAll(calculations, [&](std::size_t, const Result&) {
    if (progress) progress(++finished, calculations.size());
  });
  std::string text = fmt::format("| Z | | {} | functions | error |", name);
  if (!other.empty()) text += fmt::format(" {} | functions | error |", other);
  text += other.empty() ? "\n| --- | --- | --- | --- | --- |\n"
                        : "\n| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  std::size_t at = 0;
  for (std::size_t row = 0; row < limits.size(); ++row) {
    text += fmt::format("| {} | {} |", sets[at].z, symbolOf(sets[at].z));
    text += cells(sets[at], outcomes[at], limits[row]);
    ++at;
    if (hasOther[row]) {
      text += cells(sets[at], outcomes[at], limits[row]);
      ++at;
    } else if (!other.empty()) {
      text += " | | |";
    }
    text += "\n";
  }
  return text;
}

}  // namespace prophet
