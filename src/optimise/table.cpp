#include "optimise/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>

#include "atom/elements.hpp"
#include "basis/basis_file.hpp"
#include "common/error.hpp"
#include "common/text.hpp"
#include "common/write_file.hpp"
#include "formats/library_file.hpp"

namespace prophet {
namespace fs = std::filesystem;
namespace {

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

std::string folderName(const fs::path& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
}

/// Finished elements and observers, shared by the threads.
class Table {
 public:
  Table(const TableTask& task, const TableOptions& options, EnergyService& service,
        const TableObserver& observer)
      : task_(task), options_(options), service_(service), observer_(observer) {
    if (task_.collection.empty()) task_.collection = folderName(task_.folder);
    if (task_.date.empty()) task_.date = today();
    std::error_code failure;
    fs::create_directories(statePath(), failure);
    if (failure) throw Error(statePath().string() + ": cannot be made: " + failure.message());
    std::sort(task_.elements.rbegin(), task_.elements.rend());
  }
  std::vector<TableRow> run();

 private:
  fs::path statePath() const { return fs::path(task_.folder) / "state"; }
  fs::path fileOf(int z) const { return fs::path(task_.folder) / basisFileName(z); }
  TableRow element(int z);
  TableRow compute(int z);
  TableRow readBack(int z) const;
  void work();
  void say(int z, const std::string& line) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (observer_.log) observer_.log(z, line);
  }

  TableTask task_;
  const TableOptions& options_;
  EnergyService& service_;
  const TableObserver& observer_;
  std::mutex mutex_;
  std::atomic<std::size_t> next_{0};
  std::vector<TableRow> rows_;
};

TableRow Table::readBack(int z) const {
  std::ifstream in(fileOf(z));
  const LibraryEntry entry = readBasisFile(in, fileOf(z).string());
  TableRow row;
  row.z = z;
  row.skipped = row.met = true;
  row.sizes = entry.spec.functions;
  for (const int n : row.sizes) row.functions += n;
  row.energy = entry.provenance.energy.value_or(0.0);
  row.limit = entry.provenance.limit.value_or(0.0);
  row.error = entry.provenance.error.value_or(0.0);
  return row;
}

TableRow Table::compute(int z) {
  ChainTask task;
  NucleusRequest nucleus;
  nucleus.model = task_.model;
  nucleus.charge = z;
  task.problem.nucleus = makeNucleus(nucleus);
  task.problem.configuration = parseConfiguration(groundConfiguration(z));
  task.problem.hamiltonian.speedOfLight = task_.c;
  std::string source =
      fmt::format("chain, threshold {}, a ladder for each symmetry", options_.chain.threshold);
  if (const auto at = task_.limits.find(z); at != task_.limits.end()) {
    task.limit = at->second;
    if (!task_.limitsFrom.empty()) source += ", limit from " + task_.limitsFrom;
  }
  ChainOptions chain = options_.chain;
  chain.stateFile = (statePath() / fmt::format("{:03}.chain", z)).string();
  chain.resume = options_.resume;
  const ChainResult result = runChain(task, chain, service_, [&](const std::string& line) { say(z, line); });

  TableRow row;
  row.z = z;
  row.sizes = result.spec.functions;
  for (const int n : row.sizes) row.functions += n;
  row.energy = result.energy;
  row.limit = result.limit;
  row.error = result.error;
  row.seconds = result.seconds;
  row.met = result.met;
  if (!result.met) {
    row.failure = fmt::format("best error {:.2e}, threshold {:.2e}", result.error, chain.threshold);
    return row;
  }
  LibraryEntry entry;
  entry.z = z;
  entry.library = task_.collection;
  entry.configuration = groundConfiguration(z);
  entry.nuclearModel = task_.model;
  entry.spec = result.spec;
  entry.provenance = {source, task_.program, task_.date, result.energy, result.limit, result.error, task_.c};
  writeFileAtomically(fileOf(z).string(), libraryFileText(entry));
  fs::remove(chain.stateFile);
  return row;
}

TableRow Table::element(int z) {
  try {
    if (fs::exists(fileOf(z))) {
      if (!options_.resume) throw Error(fileOf(z).string() + ": exists already; use --resume to keep it");
      return readBack(z);
    }
    return compute(z);
  } catch (const std::exception& error) {
    TableRow row;
    row.z = z;
    row.failure = error.what();
    return row;
  }
}

void Table::work() {
  for (std::size_t i; (i = next_++) < task_.elements.size();) {
    TableRow row = element(task_.elements[i]);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (observer_.finished) observer_.finished(row);
    rows_.push_back(std::move(row));
  }
}

std::vector<TableRow> Table::run() {
  std::vector<std::thread> threads;
  for (int t = 1; t < options_.threads; ++t) threads.emplace_back([this] { work(); });
  work();
  for (std::thread& thread : threads) thread.join();
  std::sort(rows_.begin(), rows_.end(), [](const TableRow& a, const TableRow& b) { return a.z < b.z; });
  return rows_;
}

/// A charge or a symbol.
int elementFrom(const std::string& word) {
  int z = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), z);
  if (status != std::errc() || end != word.data() + word.size()) z = elementOf(word).value_or(0);
  if (z < 1 || z > kLastElement)
    throw Error(
        fmt::format("'{}' is no element; expected a charge from 1 to {} or a symbol", word, kLastElement));
  return z;
}

}  // namespace

std::vector<TableRow> runTable(const TableTask& task, const TableOptions& options, EnergyService& service,
                               const TableObserver& observer) {
  return Table(task, options, service, observer).run();
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

std::vector<int> parseElements(const std::string& text) {
  std::set<int> elements;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string part = trimmed(text.substr(at, end - at));
    const std::size_t dash = part.find('-');
    const int first = elementFrom(trimmed(part.substr(0, dash)));
    const int last = dash == std::string::npos ? first : elementFrom(trimmed(part.substr(dash + 1)));
    if (last < first) throw Error(fmt::format("the range '{}' is empty", part));
    for (int z = first; z <= last; ++z) elements.insert(z);
    at = end + 1;
  }
  return {elements.begin(), elements.end()};
}

}  // namespace prophet
