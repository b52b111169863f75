#include "operations/catalogue/lines_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "atoms/atom/species.hpp"
#include "atoms/levels/angular_tables.hpp"
#include "atoms/levels/excitations.hpp"
#include "atoms/levels/term_analysis.hpp"
#include "core/common/constants.hpp"
#include "core/common/files.hpp"
#include "core/common/json_text.hpp"
#include "core/common/text.hpp"
#include "core/common/threads.hpp"
#include "core/hdf5/hdf5_group.hpp"
#include "core/ranks/ranks.hpp"
#include "operations/catalogue/batch_jobs.hpp"
#include "operations/catalogue/level_spinors.hpp"

namespace prophet {
namespace {

using constants::kInverseCentimetresPerHartree;

/// S to so much of the largest one: below all that the configurations leave out.
constexpr double kInterpolationOfMany = 1e-10;
constexpr int kIonsAtOnce = 4, kThreadsOfIon = 4;  // of one process: parts of an ion run on one thread alone

struct NamedIon {
  std::string name, configurations;  ///< "Nd+", "4f4 6s | 4f4 5d" or nothing
};

/// One on each line of the file.
std::vector<NamedIon> listedIons(const std::string& path) {
  std::vector<NamedIon> ions;
  for (std::string line : split(readFile(path), '\n')) {
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const std::size_t blank = std::min(line.find_first_of(" \t:"), line.size());
    NamedIon ion{line.substr(0, blank), trimmed(line.substr(std::min(blank + 1, line.size())))};
    const Species species = parseSpecies(ion.name);
    ions.push_back({ionName(species.z, species.charge), std::move(ion.configurations)});
  }
  if (ions.empty()) throw Error(path + ": names no ion");
  return ions;
}

std::vector<NamedIon> namedIons(const IonsRequest& request) {
  std::vector<NamedIon> ions;
  if (!request.list.empty()) {
    ions = ofSetting("batch_file", [&] { return listedIons(request.list); });
  } else {
    ElementRequest elements;
    ofSetting("batch", [&] { readElements(request.ions, elements); });
    if (!request.charges.empty())
      elements.charges = ofSetting("batch_charges", [&] { return parseCharges(request.charges); });
    for (const Species& s : atomsOf(elements)) ions.push_back({ionName(s.z, s.charge), s.configuration});
  }
  std::set<std::string> names;
  for (const NamedIon& ion : ions)
    if (!names.insert(ion.name).second)
      throw SettingError(request.list.empty() ? "batch" : "batch_file", ion.name + " is there twice");
  return ions;
}

Json valuesOf(const NamedIon& ion, Json values) {
  values["atom"] = ion.name;
  if (!ion.configurations.empty()) {
    for (const char* name : {"config", "configs"})
      if (values.contains(name))
        throw SettingError(name, "cannot be given together with configurations of the single ions");
    values["config"] = ion.configurations;
  }
  return values;
}

/// An ion that is ready to be computed.
struct ReadyIon {
  std::string name;
  LevelSpinors spinors;
  LevelCount count;
  double lines = 0;      ///< without the cut
  std::size_t kind = 0;  ///< those with equal angular coefficients have equal ones
};

std::vector<ReadyIon> readyIons(const Json& values, const IonsRequest& request, const LineOptions& lines,
                                const Execution& execution) {
  std::vector<ReadyIon> list;
  std::vector<std::size_t> first;  // of each kind
  std::vector<SettingProblem> problems;
  for (const NamedIon& ion : namedIons(request)) {
    pass(execution.checkpoint);
    try {
      AtomRequest atom = readAtomRequest(JobType::Lines, valuesOf(ion, values));
      if (!request.excite.empty()) atom = withExcited(std::move(atom), request.excite, execution);
      ReadyIon ready{ion.name, levelJob(atom, execution), {}, 0, first.size()};
      ready.count = requireMemory(ready.spinors);
      ready.lines = countLines(ready.spinors.space, lines.multipoles, ready.spinors.wanted);
      for (std::size_t k = 0; k < first.size(); ++k)
        if (AngularTables(list[first[k]].spinors.space).fit(ready.spinors.space)) ready.kind = k;
      if (ready.kind == first.size()) first.push_back(list.size());
      list.push_back(std::move(ready));
    } catch (const RequestErrors& e) {
      for (const SettingProblem& p : e.problems())
        problems.push_back({p.setting, ion.name + ": " + p.message});
    }
  }
  if (!problems.empty()) throw RequestErrors(std::move(problems));
  return list;
}

/// The most costly ones first, those of one kind one after the other.
std::vector<int> orderOf(const std::vector<ReadyIon>& ions) {
  std::map<std::size_t, double> costs;
  for (const ReadyIon& ion : ions) costs[ion.kind] += ion.count.seconds;
  std::vector<int> order(ions.size());
  for (std::size_t i = 0; i < ions.size(); ++i) order[i] = static_cast<int>(i);
  std::ranges::stable_sort(order, [&](int a, int b) {
    const ReadyIon &x = ions[static_cast<std::size_t>(a)], &y = ions[static_cast<std::size_t>(b)];
    return std::tuple(-costs[x.kind], x.kind, -x.count.seconds) <
           std::tuple(-costs[y.kind], y.kind, -y.count.seconds);
  });
  return order;
}

/// Angular coefficients of each kind, as long as some ion may need them.
class SharedTables {
 public:
  explicit SharedTables(const std::vector<ReadyIon>& ions) {
    for (const ReadyIon& ion : ions) ++left_[ion.kind];
  }
  std::shared_ptr<AngularTables> of(const ReadyIon& ion) {
    const std::lock_guard<std::mutex> alone(mutex_);
    std::shared_ptr<AngularTables>& tables = tables_[ion.kind];
    if (!tables) tables = std::make_shared<AngularTables>(ion.spinors.space, left_[ion.kind] > 1);
    return tables;
  }
  void finished(const ReadyIon& ion) {
    const std::lock_guard<std::mutex> alone(mutex_);
    if (--left_[ion.kind] == 0) tables_.erase(ion.kind);
  }

 private:
  std::mutex mutex_;
  std::map<std::size_t, int> left_;
  std::map<std::size_t, std::shared_ptr<AngularTables>> tables_;
};

/// What the file has of an ion: levels in order of energy, and lines between their numbers from 0.
Record recordOf(const ReadyIon& ion, const LevelResult& levels, const LineList& lines) {
  using L = const Level&;
  const double c = ion.spinors.hamiltonian.field.speedOfLight;
  const RatedLines made = rated(lines, levels.levels, c);
  Record record;
  record.operation = "lines";
  record.title = "Lines of " + ion.name;
  addField(ion.spinors, record);
  record.quantities.push_back({"average_energy", "", levels.average});
  record.quantities.push_back({"ground_energy", "", levels.levels.front().energy});
  record.quantities.push_back({"possible_lines", "", ion.lines});
  Json configurations = Json::array();
  for (const auto& part : ion.spinors.space.configurations) configurations.push_back(part.text);
  record.quantities.push_back({"configurations", "", configurations});
  const auto& list = levels.levels;
  record.tables.emplace_back();  // the first one has no group of its own
  record.tables.push_back({"levels",
                           {columnOf(list, "energy", "hartree", [](L l) { return l.excitation; }),
                            columnOf(list, "J", "1", [](L l) { return 0.5 * l.twoJ; }),
                            columnOf(list, "parity", "1", [](L l) { return l.odd ? -1.0 : 1.0; }),
                            columnOf(list, "label", "", [](L l) { return l.label; }),
                            columnOf(list, "percent", "1", [](L l) { return l.percent; })}});
  using R = const RatedLine&;
  record.tables.push_back(
      {"lines",
       {columnOf(made.lines, "type", "", [](R l) { return l.line.multipole.name(); }),
        columnOf(made.lines, "lower", "1", [](R l) { return static_cast<double>(l.line.lower); }),
        columnOf(made.lines, "upper", "1", [](R l) { return static_cast<double>(l.line.upper); }),
        columnOf(made.lines, "energy", "hartree", [](R l) { return l.line.energy; }),
        columnOf(made.lines, "S", "1", [](R l) { return l.line.strength; }),
        columnOf(made.lines, "gf", "1", [](R l) { return l.length.gf; }),
        columnOf(made.lines, "A", "1/s", [](R l) { return l.length.rate; }),
        columnOf(made.lines, "gf_velocity", "1", [](R l) { return l.velocity.gf; })}});
  return record;
}

/// What is said of a finished ion beside its file, as ranks hand it over.
struct IonOutcome {
  std::string name, reason;  ///< reason: why there is nothing
  int configurations = 0;
  double levels = 0, possibleLines = 0, lines = 0;
  double ground = 0, highest = 0, strongest = 0;  ///< hartree; the largest gf
  std::string groundLabel;
  double groundJ = 0;
  std::vector<std::pair<std::string, double>> phases;
  std::vector<std::pair<std::string, std::string>> warnings;
};

std::string packed(const IonOutcome& o, const std::string& file) {
  const Json head{{"name", o.name},
                  {"reason", o.reason},
                  {"configurations", o.configurations},
                  {"counts", {o.levels, o.possibleLines, o.lines}},
                  {"energies", {o.ground, o.highest, o.strongest}},
                  {"ground", o.groundLabel},
                  {"J", o.groundJ},
                  {"phases", o.phases},
                  {"warnings", o.warnings}};
  return jsonText(head) + "\n" + file;
}

IonOutcome unpacked(const std::string& bytes, std::string& file) {
  const std::size_t end = bytes.find('\n');
  const Json head = Json::parse(bytes.substr(0, end));
  file = bytes.substr(end + 1);
  IonOutcome o;
  o.name = head["name"];
  o.reason = head["reason"];
  o.configurations = head["configurations"];
  o.levels = head["counts"][0];
  o.possibleLines = head["counts"][1];
  o.lines = head["counts"][2];
  o.ground = head["energies"][0];
  o.highest = head["energies"][1];
  o.strongest = head["energies"][2];
  o.groundLabel = head["ground"];
  o.groundJ = head["J"];
  head["phases"].get_to(o.phases);
  head["warnings"].get_to(o.warnings);
  return o;
}

/// Computes ions, several at once where there are threads for that.
class IonRunner {
 public:
  IonRunner(std::vector<ReadyIon>& ions, const LineOptions& lines, bool keepsFile, LevelEngine& engine,
            const Execution& execution, int threads)
      : ions_(ions),
        lines_(lines),
        keepsFile_(keepsFile),
        engine_(engine),
        execution_(execution),
        tables_(ions) {
    execution_.ranks = nullptr;
    execution_.threads = threads;
    execution_.progress = nullptr;
  }

  std::string compute(int number) {
    ReadyIon& ion = ions_[static_cast<std::size_t>(number)];
    Phases phases;
    IonOutcome outcome{ion.name,
                       "",
                       static_cast<int>(ion.spinors.space.configurations.size()),
                       ion.count.levels,
                       ion.lines,
                       0,
                       0,
                       0,
                       0,
                       "",
                       0,
                       {},
                       {}};
    std::string file;
    try {
      file = computed(ion, phases, outcome);
    } catch (const ResourceError&) {
      throw;
    } catch (const Error& e) {
      outcome.reason = e.what();
    }
    tables_.finished(ion);
    ion.spinors.result = {};  // several hundred functions on a grid
    outcome.phases = phases.seconds();
    return packed(outcome, file);
  }

 private:
  std::string computed(ReadyIon& ion, Phases& phases, IonOutcome& outcome) {
    LevelSpinors& s = ion.spinors;
    // On one thread, so that the last digits do not depend on how many there are.
    Execution alone = execution_;
    alone.threads = 1;
    Phases::of(&phases, "field", [&] { computeField(s, alone, false); });
    const std::shared_ptr<AngularTables> tables = tables_.of(ion);
    const LevelResult levels = computeLevels(s.space, s.result, s.hamiltonian,
                                             {.wanted = s.wanted,
                                              .detail = LevelDetail::Configurations,
                                              .vectors = true,
                                              .threads = execution_.threads,
                                              .checkpoint = execution_.checkpoint,
                                              .engine = &engine_,
                                              .angular = tables.get(),
                                              .phases = &phases});
    requireCredible(s, levels);
    LineOptions options = lines_;
    options.interpolation = kInterpolationOfMany;
    options.threads = execution_.threads;
    options.checkpoint = execution_.checkpoint;
    options.engine = &engine_;
    options.angular = tables.get();
    options.phases = &phases;
    const LineList list = computeLines(s.space, s.result, s.hamiltonian, levels, options);
    outcome.lines = static_cast<double>(list.lines.size());
    outcome.ground = levels.levels.front().energy;
    outcome.groundLabel = levels.levels.front().label;
    outcome.groundJ = 0.5 * levels.levels.front().twoJ;
    outcome.highest = levels.levels.back().excitation;
    for (const Line& l : list.lines) {
      const int twoJ = levels.levels[static_cast<std::size_t>(l.upper)].twoJ;
      outcome.strongest =
          std::max(outcome.strongest, ratesOf(l, l.strength, twoJ, s.hamiltonian.field.speedOfLight).gf);
    }
    for (const Warning& w : warningsToShow(s)) outcome.warnings.emplace_back(w.id, w.text);
    for (const Warning& w :
         warningsOfLowest(s, levels.levels.front(), "--relaxed configurations of a single ion"))
      outcome.warnings.emplace_back(w.id, w.text);
    if (!keepsFile_) return "";
    return Phases::of(&phases, "file", [&] { return recordHdf5(recordOf(ion, levels, list), true); });
  }

  std::vector<ReadyIon>& ions_;
  const LineOptions& lines_;
  bool keepsFile_;
  LevelEngine& engine_;
  Execution execution_;
  SharedTables tables_;
};

/// The files of the single ions, in a folder beside the one that they become.
class PartsOfFile {
 public:
  /// `description`: of the request, which an interrupted run must have had too. Throws SettingError.
  PartsOfFile(const std::string& path, const std::string& description, bool resume)
      : path_(path), folder_(path + ".parts") {
    namespace fs = std::filesystem;
    const fs::path request = folder_ / "request.json";
    const bool begun = fs::exists(request);
    if (begun && !resume)
      throw SettingError("lines_hdf5", folder_.string() +
                                           " holds a run that was interrupted; continue it with "
                                           "resume, or remove that folder");
    if (!begun && resume && fs::exists(path))
      throw SettingError("resume", path + " is finished; there is nothing to continue");
    requireWritable(path);
    fs::create_directories(folder_);
    lock_ = std::make_unique<FolderLock>(folder_.string());
    if (!begun) writeFileAtomically(request.string(), description);
    if (readFile(request.string()) != description)
      throw SettingError("resume", "the run that was interrupted (" + request.string() +
                                       ") had other ions or settings, or another version of the program");
  }
  std::string file(const std::string& ion) const { return (folder_ / (ion + ".h5")).string(); }
  std::string outcome(const std::string& ion) const { return (folder_ / (ion + ".json")).string(); }
  bool has(const std::string& ion) const {
    return std::filesystem::exists(file(ion)) && std::filesystem::exists(outcome(ion));
  }
  void finish(const std::vector<std::string>& ions) {
    std::vector<std::pair<std::string, std::string>> files;
    for (const std::string& ion : ions) files.emplace_back(ion, file(ion));
    hdf5::gatherFiles(path_, files);
    lock_.reset();
    std::filesystem::remove_all(folder_);
  }

 private:
  std::string path_;
  std::filesystem::path folder_;
  std::unique_ptr<FolderLock> lock_;
};

Table tableOf(const std::vector<IonOutcome>& ions) {
  using O = const IonOutcome&;
  const auto known = [](O o, double value) {
    return o.reason.empty() ? std::optional<double>(value) : std::nullopt;
  };
  return {"ions",
          {columnOf(ions, "ion", "", [](O o) { return o.name; }),
           columnOf(ions, "configurations", "1", [](O o) { return o.configurations; }),
           columnOf(ions, "levels", "1", [](O o) { return o.levels; }),
           columnOf(ions, "possible_lines", "1", [](O o) { return o.possibleLines; }),
           columnOf(ions, "lines", "1", [&](O o) { return known(o, o.lines); }),
           columnOf(ions, "ground", "", [](O o) { return o.groundLabel; }),
           columnOf(ions, "ground_J", "1", [&](O o) { return known(o, o.groundJ); }),
           columnOf(ions, "ground_energy", "hartree", [&](O o) { return known(o, o.ground); }),
           columnOf(ions, "highest_level", "hartree", [&](O o) { return known(o, o.highest); }),
           columnOf(ions, "largest_gf", "1", [&](O o) { return known(o, o.strongest); }),
           columnOf(ions, "reason", "", [](O o) { return o.reason; })},
          Table::Layout::Rows,
          {"", ".0f", ".0f", ".6g", ".0f", "", ".1f", ".8f", ".6f", ".4g", ""},
          0};
}

}  // namespace

AtomRequest withExcited(AtomRequest request, const std::string& rules, const Execution& execution) {
  const std::string references =
      resolvedFor(request, execution).calculation.problem.configuration.description;
  request.job.configuration = request.job.configuration.withText(
      ofSetting("excite", [&] { return configurationsByRules(references, rules); }));
  return request;
}

void checkLinesOfIons(const Json& values, const IonsRequest& ions) {
  for (const char* name : {"atom", "input"})
    if (values.contains(name)) throw SettingError(name, "cannot be given together with the ions of a batch");
  for (const NamedIon& ion : namedIons(ions)) readAtomRequest(JobType::Lines, valuesOf(ion, values));
}

Record linesOfIons(const Json& values, const IonsRequest& request, const LineOptions& lines,
                   const Execution& given) {
  const Stopwatch watch;
  SingleRank alone;
  Execution execution = given;
  if (!execution.ranks) execution.ranks = &alone;
  if (!request.hdf5.empty() && !hdf5::isAvailable())
    throw SettingError("lines_hdf5",
                       "this program was built without HDF5; install it (Debian: libhdf5-dev), configure and "
                       "build again");
  std::vector<ReadyIon> ions;
  execution.together([&] { ions = readyIons(values, request, lines, execution); });
  const RankPlace place = execution.place();
  double seconds = 0;
  std::map<std::string, int> numbers;
  std::vector<std::string> names;
  Json description{{"version", envelope("", {})["version"]},
                   {"values", values},
                   {"least_gf", lines.leastGf},
                   {"multipoles", Json::array()},
                   {"ions", Json::array()}};
  for (const Multipole& m : lines.multipoles) description["multipoles"].push_back(m.name());
  for (const ReadyIon& ion : ions) {
    seconds += ion.count.seconds;
    numbers[ion.name] = static_cast<int>(names.size());
    names.push_back(ion.name);
    description["ions"].push_back(ion.name + ": " +
                                  ion.spinors.job.calculation.problem.configuration.description);
  }
  std::unique_ptr<PartsOfFile> parts;
  execution.together([&] {
    if (execution.rank() == 0 && !request.hdf5.empty())
      parts = std::make_unique<PartsOfFile>(request.hdf5, jsonText(description, 1), request.resume);
  });
  const Opened<LevelEngine> engine = openLevelEngine(execution, seconds > kLevelSecondsForGpu);

  // The first rank knows what is finished.
  std::vector<IonOutcome> outcomes(ions.size());
  std::vector<int> missing;
  std::size_t done = 0;
  if (execution.rank() == 0)
    for (const int i : orderOf(ions)) {
      const std::string& name = names[static_cast<std::size_t>(i)];
      if (!parts || !parts->has(name)) {
        missing.push_back(i);
        continue;
      }
      std::string none;
      outcomes[static_cast<std::size_t>(i)] = unpacked(readFile(parts->outcome(name)), none);
      ++done;
    }
  const std::size_t skipped = done;
  if (parts) execution.canResume(request.hdf5);
  std::mutex keeping;
  const auto keep = [&](int number, const std::string& bytes) {
    const std::lock_guard<std::mutex> one(keeping);
    std::string file;
    IonOutcome outcome = unpacked(bytes, file);
    if (parts && outcome.reason.empty()) {
      writeFileAtomically(parts->file(outcome.name), file);
      writeFileAtomically(parts->outcome(outcome.name), packed(outcome, ""));
    }
    execution.show({"ions", ++done, ions.size(), outcome.name, true});
    outcomes[static_cast<std::size_t>(number)] = std::move(outcome);
  };
  const bool shared = execution.rankCount() > 1;
  const int atOnce = shared ? 1
                            : std::clamp(place.threads / kThreadsOfIon, 1,
                                         std::min<int>(kIonsAtOnce, static_cast<int>(ions.size())));
  IonRunner runner(ions, lines, !request.hdf5.empty(), *engine, execution,
                   std::max(1, place.threads / atOnce));
  const auto compute = [&](int number) { return runner.compute(number); };
  if (shared) {
    shareTiles(*execution.ranks, missing, compute, keep);
  } else {
    ThreadPool pool(atOnce);
    pool.forEach(static_cast<int>(missing.size()), [&](int i, int) {
      const int number = missing[static_cast<std::size_t>(i)];
      keep(number, compute(number));
    });
  }

  Record record;
  record.title =
      fmt::format("Lines of {}", ions.size() == 1 ? names.front() : fmt::format("{} ions", ions.size()));
  record.device = describeRanks(execution.ranks->allGather(engine.device()), place.machines);
  record.printsTable = true;
  execution.together([&] {
    if (execution.rank() > 0) return;
    std::map<std::string, double> phases;
    double levels = 0, kept = 0;
    int failed = 0;
    for (const IonOutcome& o : outcomes) {
      for (const auto& [name, spent] : o.phases) phases[name] += spent;
      for (const auto& [id, text] : o.warnings) record.warn(id, o.name + ": " + text);
      levels += o.levels;
      kept += o.lines;
      if (o.reason.empty()) continue;
      ++failed;
      record.warn("ion_failed", o.name + ": " + o.reason);
    }
    if (failed > 0) {
      record.outcome = Outcome::NotConverged;
      record.reason = fmt::format("{} of {} ions failed", failed, ions.size());
    } else if (parts) {
      parts->finish(names);
    }
    const auto add = [&](const char* key, const char* label, Json value, std::string shown) {
      record.quantities.push_back({key, label, std::move(value), std::move(shown)});
    };
    add("total", "ions", ions.size(), fmt::format("{}", ions.size()));
    add("failed", "failed", failed, failed > 0 ? fmt::format("{}", failed) : "");
    add("skipped", "finished before", skipped, skipped > 0 ? fmt::format("{}", skipped) : "");
    add("level_count", "levels", levels, fmt::format("{}", levels));
    add("line_count", "lines", kept, fmt::format("{}", kept));
    Json spent = Json::object();
    std::string text;
    for (const auto& [name, value] : phases) {
      spent[name] = value;
      text += fmt::format("{}{} {:.1f} s", text.empty() ? "" : ", ", name, value);
    }
    add("phase_seconds", "time of all threads", spent, text);
    record.tables = {tableOf(outcomes)};
  });
  record.seconds = watch.seconds();
  const bool fine = execution.fromFirst(record.outcome == Outcome::Done ? "done" : "") == "done";
  record.outcome = fine ? Outcome::Done : Outcome::NotConverged;
  return record;
}

}  // namespace prophet
