#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "atoms/atom/elements.hpp"
#include "atoms/service/energy_service.hpp"
#include "core/common/finished_pieces.hpp"
#include "core/common/index.hpp"
#include "core/common/json_text.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/text.hpp"
#include "core/common/threads.hpp"
#include "core/ranks/for_many.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/kept_files.hpp"
#include "operations/energies/batch_jobs.hpp"
#include "operations/tables/species_tables.hpp"
#include "operations/tables/table_formats.hpp"
#include "operations/tables/tables_data.hpp"
#include "operations/tables/tables_request.hpp"

namespace prophet {
namespace {

constexpr const char* kTablesAccuracy =
    "free atoms and ions in the average of their configuration; errors are those of basis and grid, not of "
    "the "
    "model: without correlation";

/// Every ion of every element with at least one electron.
std::vector<Species> allIons() {
  std::vector<Species> list;
  for (int z = 1; z <= kLastElement; ++z)
    for (int charge = 0; charge < z; ++charge) list.push_back({"", z, charge, ""});
  return list;
}

std::vector<Species> speciesOfRequest(const TablesRequest& r) {
  if (r.batch.empty()) return r.species;
  std::vector<Species> list;
  if (lowerCase(trimmed(r.batch)) == "all") {
    if (!r.batchCharges.empty())
      throw SettingError("batch_charges", "all has every charge; name elements instead, such as 1-118");
    list = allIons();
  } else {
    list = atomsOfBatch(r.batch, r.batchCharges);
    std::erase_if(list, [](const Species& s) { return s.z - s.charge < 1; });
  }
  std::set<std::string> names;
  for (Species& s : list) {
    if (s.name.empty()) s.name = ionName(s.z, s.charge);
    if (!names.insert(s.name).second) throw SettingError("batch", s.name + " is there twice");
  }
  if (list.empty()) throw SettingError("batch", "has no species with electrons");
  return list;
}

/// Pieces are kept by the place of the species, as its name may have blanks.
std::string pieceKey(std::size_t number) { return fmt::format("species{}", number); }

Json valueOrNull(double x) { return std::isfinite(x) ? Json(x) : Json(); }

Json tableSpeciesJson(const TablesRequest& r, const SpeciesTables& s) {
  Json j{{"name", s.name},
         {"Z", s.z},
         {"charge", s.charge},
         {"configuration", s.configuration},
         {"nucleus", s.nucleus},
         {"basis", s.basis},
         {"status", nameOf(s.status)}};
  if (!s.reason.empty()) j["reason"] = s.reason;
  if (!s.ok()) return j;
  j["electrons"] = s.electrons;
  j["energy"] = s.energy;
  j["energy_error"] = valueOrNull(s.energyError);
  if (r.wants(TableTopic::Incoherent)) {
    j["incoherent_slope"] = s.slope;
    j["incoherent_convention"] = "average of the configuration, elastic part of the spherical density";
  }
  return j;
}

/// What stands beside the species.
void addSpecies(const TablesRequest& r, const std::vector<SpeciesTables>& all, Record& record) {
  Json species = Json::array();
  std::size_t failed = 0;
  for (const SpeciesTables& s : all) {
    species.push_back(tableSpeciesJson(r, s));
    for (const RecordWarning& w : s.warnings) record.warn(w.id, s.name + ": " + w.text);
    if (s.status == Status::Converged) continue;
    record.outcome = Outcome::NotConverged;
    if (s.ok()) {
      record.warn("unbound", fmt::format("{} is not bound as a free ion: {}", s.name, s.reason));
    } else {
      ++failed;
      record.warn("no_values", fmt::format("{} has no tables: {}", s.name, s.reason));
    }
  }
  if (failed > 0) record.reason = fmt::format("{} of {} species failed", failed, all.size());
  record.quantities.push_back({"species", "", std::move(species)});
  record.quantities.push_back(
      {"total", "species", all.size(), fmt::format("{}", all.size()), Quantity::Place::Result});
  record.quantities.push_back({"failed", "failed", failed, failed > 0 ? fmt::format("{}", failed) : ""});
  std::map<std::string, double> phases;
  for (const SpeciesTables& s : all)
    for (const auto& [phase, seconds] : s.phases) phases[phase] += seconds;
  Json spent = Json::object();
  std::string text;
  for (const auto& [phase, seconds] : phases) {
    spent[phase] = seconds;
    text += fmt::format("{}{} {:.2f} s", text.empty() ? "" : ", ", phase, seconds);
  }
  record.quantities.push_back({"phase_seconds", "time of all threads", std::move(spent), text});
  record.quantities.push_back(
      {"accuracy", "accuracy", kTablesAccuracy, kTablesAccuracy, Quantity::Place::Accuracy});
  if (all.size() == 1) record.quantities.push_back({"", "configuration", {}, all.front().configuration});
}

/// One or several files of a format.
void writeFormat(const TablesRequest& r, const std::vector<SpeciesTables>& all, const Execution& e) {
  std::vector<const SpeciesTables*> with;
  for (const SpeciesTables& s : all)
    if (s.ok()) with.push_back(&s);
  if (with.empty()) return;
  const TableFormat::Files files = ofSetting("format", [&] { return r.format->files(with); });
  const std::filesystem::path place = r.to;
  if (!r.format->folder) return e.write(r.to, files.front().second);
  std::error_code failed;
  std::filesystem::create_directories(place, failed);
  if (failed) throw SettingError("to", fmt::format("cannot make the folder {}: {}", r.to, failed.message()));
  for (const auto& [name, content] : files) {
    const std::string file = (place / name).string();
    requireKept(file, e);
    e.write(file, content);
  }
}

/// Refuses tables that nobody would see: CSV has one.
void requireOutputs(const TablesRequest& r, const Execution& e) {
  const bool elsewhere = !r.hdf5.empty() || (e.reportOnly && r.format);
  const std::vector<std::string> keys = tableKeys(r);
  if (!e.firstTableOnly || elsewhere || keys.size() < 2) return;
  throw SettingError("what", fmt::format("makes {} tables ({}), and CSV, as it is printed too, has one: ask "
                                         "for one, or write all with --json or --hdf5",
                                         keys.size(), fmt::join(keys, ", ")));
}

/// A request with what its file of earlier tables says.
struct Completed {
  TablesRequest request;
  Json values;
  std::optional<TablesData> data;
};

Completed completed(const TablesRequest& request, const Json& values, const Execution& execution) {
  Completed c{request, values, {}};
  if (request.data.empty()) return c;
  return ofSetting("data", [&] {
    c.data.emplace(tablesDataFile(request.data, execution.basisSets));
    c.request = tablesRequestTable().read(c.data->completed(values), c.values);
    return std::move(c);
  });
}

/// Whether the fields are worth starting GPUs, as the first rank sees it, where that decides.
bool agreeOnGpu(const TablesRequest& r, const std::vector<Species>& species, const std::vector<int>& missing,
                int threads, const Execution& execution) {
  if (r.atLimit()) return false;
  if (!execution.decides()) return true;
  const bool worth = execution.rank() == 0 && worthAGpu(missing.size(), threads, [&](std::size_t i) {
                       return speciesTask(r, species[usize(missing[i])], execution).calculation;
                     });
  return execution.fromFirst(worth ? "yes" : "no") == "yes";
}

/// `asked`: the request as it was understood.
Record tables(const TablesRequest& request, const Json& asked, const Execution& given) {
  const Stopwatch watch;
  SingleRank alone;
  Execution execution = given;
  if (!execution.ranks) execution.ranks = &alone;
  Completed whole;
  execution.together([&] {
    whole = completed(request, asked, execution);
    requireOutputs(whole.request, execution);
  });
  const TablesRequest& r = whole.request;
  const Json& values = whole.values;
  const std::optional<TablesData>& data = whole.data;
  std::vector<Species> species;
  execution.together([&] { species = speciesOfRequest(r); });
  const RankPlace place = execution.place();
  Json description{{"species", Json::array()}};
  for (const Species& s : species) description["species"].push_back(s.name + " " + s.configuration);
  description["request"] = values;
  for (const char* output : {"hdf5", "to", "resume"}) description["request"].erase(output);
  FinishedPieces pieces;
  execution.together([&] {
    pieces = finishedPieces({"hdf5", r.hdf5, r.resume}, "tables 1", description, execution);
  });

  std::vector<SpeciesTables> all(species.size());
  std::vector<int> missing;
  std::size_t done = 0;
  if (execution.rank() == 0)
    for (std::size_t i = species.size(); i-- > 0;) {  // the heavy ones first
      if (auto known = data ? data->of(species[i], r) : std::nullopt) {
        all[i] = std::move(*known);
        ++done;
        continue;
      }
      if (!pieces.has(pieceKey(i))) {
        missing.push_back(static_cast<int>(i));
        continue;
      }
      all[i] = unpacked(pieces.content(pieceKey(i)));
      ++done;
    }
  const std::size_t skipped = done;
  Execution own = execution;
  own.ranks = nullptr;
  own.progress = nullptr;
  own.threads = 1;
  const auto keep = [&](const FinishedWork& work) {
    const auto number = usize(work.number);
    all[number] = unpacked(work.bytes);
    if (all[number].ok()) pieces.keep(pieceKey(number), work.bytes);
    execution.show({"species", ++done, species.size(), all[number].name});
  };
  const int most = std::max(1, static_cast<int>(species.size()));
  int atOnce = std::clamp(place.threads, 1, most);
  std::function<std::string(int)> compute = [&](int number) {
    return packed(speciesTables(r, species[usize(number)], own));
  };
  Opened<EnergyService> service;
  if (agreeOnGpu(r, species, missing, place.threads * execution.rankCount(), execution))
    service = openEngine<EnergyService>(execution, true);
  Permits processors(place.threads);
  if (service.library) {
    // As many fields as keep it busy wait for the GPU; what is made of them is made by the processors.
    constexpr int kMostWaiting = 512;
    atOnce = std::clamp(std::min(service->sideBySide(), kMostWaiting), 1, most);
    compute = [&](int number) {
      SpeciesTask task;
      {
        const Permits::Hold one(&processors);
        task = speciesTask(r, species[usize(number)], own);
      }
      if (!task.calculation) return packed(task.tables);
      const Result result = service->evaluate(*task.calculation);
      const Permits::Hold one(&processors);
      return packed(tablesOf(r, std::move(task), result, 0, own));
    };
  }
  forMany(*execution.ranks, missing, atOnce, compute, keep);

  Record record;
  record.operation = "tables";
  record.title = species.size() == 1 ? "Tables of " + species.front().name
                                     : fmt::format("Tables of {} species", species.size());
  if (data) record.request = values;
  record.device = describeRanks(
      execution.ranks->allGather(service.library ? "fields on " + service->description() : "CPU"),
      place.machines);
  if (service.engine) record.warn("device", service->notes());
  execution.together([&] {
    if (execution.rank() > 0) return;
    addSpecies(r, all, record);
    if (skipped > 0)
      record.quantities.push_back({"skipped", "known before", skipped, fmt::format("{}", skipped)});
    record.tables = joined(r, all);
    if (r.format) writeFormat(r, all, execution);
  });
  record.printsTable = !r.format && r.hdf5.empty();
  record.csvComments = false;
  record.seconds = watch.seconds();
  execution.together([&] {
    if (execution.rank() > 0 || r.hdf5.empty()) return;
    if (std::ranges::none_of(all, &SpeciesTables::ok)) return pieces.remove();
    Record file = record;  // the same bytes whenever it is computed
    std::erase_if(file.quantities,
                  [](const Quantity& q) { return q.key == "phase_seconds" || q.key == "skipped"; });
    file.request = description["request"];
    execution.write(r.hdf5, r.compact ? compactTablesHdf5(file) : recordHdf5(file, true));
    if (std::ranges::all_of(all, &SpeciesTables::ok))
      pieces.remove();
    else
      record.reason += fmt::format(
          "; {} has the others, and {} keeps them: the same command with resume=.true. tries the failed "
          "ones again",
          r.hdf5, pieces.path());
  });
  if (record.printsTable) record.report = recordComments(record) + recordCsv(record);
  const bool fine = execution.fromFirst(record.outcome == Outcome::Done ? "done" : "") == "done";
  if (!fine) record.outcome = Outcome::NotConverged;
  return record;
}

}  // namespace

Operation tablesOperation() {
  Operation o;
  o.name = "tables";
  o.summary = "tables of subshells: binding, Compton profiles, form factors, scattering, moments, ionisation";
  o.description =
      "Numbers of the bound subshells of free atoms and ions that other programs take from tables: binding "
      "and "
      "kinetic energies, <r^k>, Compton profiles, magnetic form factors <j_k> with fits, incoherent "
      "scattering "
      "functions, X-ray form factors, and what the binary-encounter Bethe model of ionisation needs. "
      "SPECIES: Xe, 54, "
      "Fe3+, 'Fe2+ [Ar] 3d6', all (the neutral atoms 1-118), ions (those of the International Tables); or "
      "--batch. One "
      "species that fails is named in a warning, and the exit status is 3.";
  o.example = "tables SPECIES... --what LIST";
  o.tables = tableKinds;
  o.onGpus = o.onRanks = true;
  return operationOf(std::move(o), tablesRequestTable(), tables);
}

}  // namespace prophet
