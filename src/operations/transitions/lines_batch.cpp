#include "operations/transitions/lines_batch.hpp"
#include "core/common/index.hpp"
#include "operations/catalogue/setting_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/species.hpp"
#include "atoms/configurations/excitations.hpp"
#include "atoms/configurations/term_analysis.hpp"
#include "atoms/levels/angular_tables.hpp"
#include "core/common/constants.hpp"
#include "core/common/files.hpp"
#include "core/common/finished_pieces.hpp"
#include "core/common/json_text.hpp"
#include "core/common/text.hpp"
#include "core/hdf5/hdf5_group.hpp"
#include "core/ranks/for_many.hpp"
#include "operations/energies/batch_jobs.hpp"
#include "operations/spectra/level_list.hpp"
#include "operations/spectra/level_spinors.hpp"

namespace prophet {
namespace {

using constants::kInverseCentimetresPerHartree;

/// S to so much of the largest one: below all that the configurations leave out.
constexpr double kInterpolationOfMany = 1e-10;
constexpr int kIonsAtOnce = 8, kThreadsOfIon = 2;  // of one process: parts of an ion run on one thread alone
constexpr int kThreadsPerProcessor = 2;

constexpr int kShownIons = 1000;

struct NamedIon {
  std::string name, configurations;  ///< "Nd+", "4f4 6s | 4f4 5d" or nothing
  /// What the request has: "Fe" where no charge is written and the configuration makes it "Fe-", so that the
  /// ion has the warning of that.
  std::string atom = name;
};

/// One on each line of the file.
std::vector<NamedIon> listedIons(const std::string& path) {
  std::vector<NamedIon> ions;
  int number = 0;
  for (std::string line : split(withoutByteOrderMark(readFile(path)), '\n')) {
    ++number;
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const std::size_t blank = std::min(line.find_first_of(" \t:"), line.size());
    NamedIon ion{line.substr(0, blank), trimmed(line.substr(std::min(blank + 1, line.size())))};
    try {
      const Species species = parseSpecies(ion.name, true);
      ions.push_back({ionName(species.z, species.charge), std::move(ion.configurations)});
    } catch (const Error& e) {
      throw Error(fmt::format("{}:{}: {}", path, number, e.what()));
    }
  }
  if (ions.empty()) throw Error(path + ": names no ion");
  return ions;
}

std::vector<NamedIon> namedIons(const IonsRequest& request) {
  std::vector<NamedIon> ions;
  if (!request.list.empty()) {
    ions = ofSetting("batch_file", [&] { return listedIons(request.list); });
  } else {
    for (const Species& s : atomsOfBatch(request.ions, request.charges)) {
      const std::string name = ionName(s.z, s.charge);
      ions.push_back({name, s.configuration, s.remark().empty() ? name : symbolOf(s.z)});
    }
  }
  std::set<std::string> names;
  for (const NamedIon& ion : ions)
    if (!names.insert(ion.name).second)
      throw SettingError(request.list.empty() ? "batch" : "batch_file", ion.name + " is there twice");
  return ions;
}

Json valuesOf(const NamedIon& ion, Json values) {
  values["atom"] = ion.atom;
  if (!ion.configurations.empty()) {
    refuseTogether("configurations of the single ions",
                   {{"config", values.contains("config")}, {"configs", values.contains("configs")}});
    values["config"] = ion.configurations;
  }
  return values;
}

/// An ion that is ready to be computed.
struct ReadyIon {
  std::string name;  ///< by its electrons
  LevelSpinors spinors;
  LevelCount count;
  double seconds = 0;        ///< LevelCount::seconds with those of its fit
  double lines = 0;          ///< without the cut
  std::size_t kind = 0;      ///< those with equal angular coefficients have equal ones
  std::size_t position = 0;  ///< in the request
  AtomRequest request{};     ///< of it alone
};

/// An ion of which the request cannot be carried out.
struct RefusedIon {
  std::string name, reason;
  std::size_t position = 0;
};

struct Ions {
  std::vector<ReadyIon> ready;
  std::vector<RefusedIon> refused;
  std::size_t size() const { return ready.size() + refused.size(); }
};

std::string nameByElectrons(const LevelSpinors& s) {
  const double z = s.job.calculation.problem.nucleus.charge;
  return ionName(static_cast<int>(std::lround(z)),
                 static_cast<int>(std::lround(z) - std::lround(s.space.average.electrons())));
}

/// Takes each ion by itself, side by side: what is wrong with one is its problem, unless something is wrong
/// with all. Throws RequestErrors then.
std::vector<RefusedIon> eachIon(const std::vector<NamedIon>& ions, int threads,
                                const std::function<void(const NamedIon& ion, std::size_t position)>& take) {
  std::vector<std::vector<SettingProblem>> ofIons(ions.size());
  ThreadPool(std::max(1, threads)).forEach(static_cast<int>(ions.size()), [&](int number, int) {
    const auto i = usize(number);
    try {
      take(ions[i], i);
    } catch (const ResourceError&) {
      throw;
    } catch (const RequestErrors& e) {
      ofIons[i] = e.problems();
    } catch (const Error& e) {
      ofIons[i].push_back({"", e.what()});
    }
  });
  std::vector<RefusedIon> refused;
  std::vector<SettingProblem> problems;
  for (std::size_t i = 0; i < ions.size(); ++i) {
    if (ofIons[i].empty()) continue;
    std::string reason;
    for (SettingProblem& p : ofIons[i]) {
      reason += (reason.empty() ? "" : "; ") + (p.setting.empty() ? "" : p.setting + ": ") + p.message;
      problems.push_back({p.setting, ions[i].name + ": " + p.message});
    }
    refused.push_back({ions[i].name, std::move(reason), i});
  }
  if (refused.size() == ions.size()) throw RequestErrors(std::move(problems));
  return refused;
}

constexpr const char* kValence = "valence";
constexpr const char* kNoRules = "none";

/// Whether an ion has no configuration but the default one, and a rule makes others of it.
bool isOfChargeAlone(const NamedIon& ion, const AtomRequest& atom, const Json& values) {
  const ConfigurationRequest& c = atom.job.configuration;
  const Species species = parseSpecies(ion.name, true);
  return c.groundState && !c.changed && ion.configurations.empty() && !values.contains("charge") &&
         atom.job.virtuals.virtuals.empty() && hasValenceRule(species.z, species.charge);
}

Ions ionsOf(const Json& values, const IonsRequest& request, const CalibrateRequest& calibrate,
            const LineOptions& lines, const Execution& execution) {
  const std::vector<NamedIon> named = namedIons(request);
  std::vector<std::optional<ReadyIon>> made(named.size());
  Ions ions;
  ions.refused = eachIon(named, execution.threadsOrAll(), [&](const NamedIon& ion, std::size_t position) {
    pass(execution.checkpoint);
    AtomRequest atom = readAtomRequest(JobType::Lines, valuesOf(ion, values));
    const std::string excite = !request.excite.empty()              ? request.excite
                               : isOfChargeAlone(ion, atom, values) ? kValence
                                                                    : kNoRules;
    atom = withExcited(std::move(atom), excite, execution);
    ReadyIon ready{"", levelJob(atom, execution), {}, 0, 0, 0, position, atom};
    ready.name = nameByElectrons(ready.spinors);
    ready.count = requireMemory(ready.spinors);
    const bool isFitted = calibrate.calibrate == Calibrate::Nist && hasObservedLevels(ready.spinors);
    ready.seconds = ready.count.seconds * (1 + (isFitted ? shareOfFit(ready.count) : 0));
    ready.lines = countLines(ready.spinors.space, lines.multipoles, ready.spinors.wanted);
    made[position] = std::move(ready);
  });
  std::vector<ReadyIon>& list = ions.ready;
  std::vector<std::size_t> first;  // of each kind
  for (std::optional<ReadyIon>& ready : made) {
    if (!ready) continue;
    if (std::ranges::any_of(list, [&](const ReadyIon& other) { return other.name == ready->name; })) {
      ions.refused.push_back({named[ready->position].name,
                              fmt::format("has the electrons of {}, which is there already", ready->name),
                              ready->position});
      continue;
    }
    ready->kind = first.size();
    for (std::size_t k = 0; k < first.size(); ++k)
      if (AngularTables(list[first[k]].spinors.space).fit(ready->spinors.space)) ready->kind = k;
    if (ready->kind == first.size()) first.push_back(list.size());
    list.push_back(std::move(*ready));
  }
  return ions;
}

/// The most costly ones first, those of one kind one after the other.
std::vector<int> orderOf(const std::vector<ReadyIon>& ions) {
  std::map<std::size_t, double> costs;
  for (const ReadyIon& ion : ions) costs[ion.kind] += ion.seconds;
  std::vector<int> order(ions.size());
  for (std::size_t i = 0; i < ions.size(); ++i) order[i] = static_cast<int>(i);
  std::ranges::stable_sort(order, [&](int a, int b) {
    const ReadyIon &x = ions[usize(a)], &y = ions[usize(b)];
    return std::tuple(-costs[x.kind], x.kind, -x.seconds) < std::tuple(-costs[y.kind], y.kind, -y.seconds);
  });
  return order;
}

/// The order in which eight workers would finish ions that are begun in `order`: nearly that in which
/// they are finished, and the same for any number of workers.
std::vector<int> orderOfEnds(const std::vector<int>& order, const std::vector<ReadyIon>& ions) {
  std::multiset<double> free;
  for (int i = 0; i < kIonsAtOnce; ++i) free.insert(0);
  std::map<int, double> ends;
  for (const int i : order) {
    ends[i] = *free.begin() + ions[usize(i)].seconds;
    free.erase(free.begin());
    free.insert(ends[i]);
  }
  std::vector<int> list = order;
  std::ranges::stable_sort(list, {}, [&](int i) { return ends[i]; });
  return list;
}

/// Bytes that an engine keeps of an ion: vectors of its levels in five Hamiltonians.
double bytesOf(const ReadyIon& ion) {
  double squares = 0;
  for (const LevelCount::Block& b : ion.count.blocks) squares += b.levels * b.levels;
  return 5 * sizeof(double) * squares;
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
Record recordOf(const ReadyIon& ion, const std::optional<CalibratedField>& calibrated,
                const LevelResult& levels, const RatedLines& lines) {
  using L = const Level&;
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
  addCalibration(calibrated, ion.spinors.space, record);
  addLimit(ionisationLimit(ion.spinors.space, ion.spinors.references(), ion.spinors.job.calculation.problem,
                           levels.levels),
           record);
  std::vector<double> errors(levels.levels.size(), 0);
  if (calibrated) errors = calibrated->calibration.errorsOf(levels.levels);
  const auto& list = levels.levels;
  record.tables.emplace_back();  // the first one has no group of its own
  record.tables.push_back({"levels",
                           {columnOf(list, {"energy", "hartree"}, [](L l) { return l.excitation; }),
                            columnOf(list, {"J", "1"}, [](L l) { return 0.5 * l.twoJ; }),
                            columnOf(list, {"parity", "1"}, [](L l) { return l.odd ? -1.0 : 1.0; }),
                            columnOf(list, {"label", ""}, [](L l) { return l.label; }),
                            columnOf(list, {"percent", "1"}, [](L l) { return l.percent; })}});
  if (calibrated)
    record.tables.back().columns.push_back(
        columnOf(list, {"error", "hartree"}, [&](L l) { return errors[usize(&l - list.data())]; }));
  record.tables.push_back(lineTable(lines.lines, list, true));
  return record;
}

std::string packed(const IonOutcome& o, const std::string& file) {
  const Json head{
      {"name", o.name},
      {"reason", o.reason},
      {"configurations", o.configurations},
      {"counts", {o.levels, o.possibleLines, o.lines}},
      {"energies", {o.ground, o.highest, o.strongest}},
      {"ground", o.groundLabel},
      {"J", o.groundJ},
      {"calibration", {o.calibration, o.knownGround, o.fittedLevels, o.fitted, o.predicted, o.factors}},
      {"phases", o.phases},
      {"warnings", o.warnings}};
  return jsonText(head) + "\n" + file;
}

std::string recordIn(const std::string& bytes) { return bytes.substr(bytes.find('\n') + 1); }

IonOutcome outcomeOf(const std::string& bytes) {
  const Json head = Json::parse(bytes.substr(0, bytes.find('\n')));
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
  const Json& c = head["calibration"];
  o.calibration = c[0];
  o.knownGround = c[1];
  o.fittedLevels = c[2];
  o.fitted = c[3];
  o.predicted = c[4];
  c[5].get_to(o.factors);
  head["phases"].get_to(o.phases);
  head["warnings"].get_to(o.warnings);
  return o;
}

void addCalibration(const LevelSpace& space, const std::optional<CalibratedField>& field, IonOutcome& o) {
  if (!field) return;
  const Calibration& c = field->calibration;
  o.calibration = field->source;
  if (field->ground >= 0) o.knownGround = openText(space, field->ground);
  o.fittedLevels = c.fitted.levels;
  o.fitted = c.fitted.share;
  o.predicted = c.predicted.share;
  for (const FittedParameter& p : c.parameters)
    if (p.isFactor) o.factors.push_back(p.fitted);
}

/// Computes ions, several at once where there are threads for that.
class IonRunner {
 public:
  IonRunner(std::vector<ReadyIon>& ions, const CalibrateRequest& calibrate, const LineOptions& lines,
            bool keepsFile, LevelEngine& engine, const Execution& execution)
      : ions_(ions),
        calibrate_(calibrate),
        lines_(lines),
        keepsFile_(keepsFile),
        engine_(engine),
        execution_(execution),
        tables_(ions),
        threads_(execution.place().threads) {
    execution_.ranks = nullptr;
    execution_.progress = nullptr;
  }

  std::string compute(int number) {
    ++running_;
    const std::shared_ptr<void> end(nullptr, [this](void*) { --running_; });
    ReadyIon& ion = ions_[usize(number)];
    Phases phases;
    IonOutcome outcome;
    outcome.name = ion.name;
    outcome.configurations = static_cast<int>(ion.spinors.space.configurations.size());
    outcome.levels = ion.count.levels;
    outcome.possibleLines = ion.lines;
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
    std::shared_ptr<LevelEngine> engine = engine_.part(bytesOf(ion));
    // On one thread, so that the last digits do not depend on how many there are.
    Execution alone = execution_;
    alone.threads = 1;
    Phases::of(&phases, "field", [&] { computeField(s, alone, false); });
    const std::shared_ptr<AngularTables> tables = tables_.of(ion);
    std::optional<CalibratedField> calibrated = Phases::of(&phases, "calibration", [&] {
      return calibrateField(s, withUsualCalibration(calibrate_, s, true), {}, ion.request, alone,
                            {engine.get(), tables.get(), threads(), &phases});
    });
    LevelResult levels = calibratedLevels(s, calibrated,
                                          {.wanted = s.wanted,
                                           .detail = LevelDetail::Configurations,
                                           .vectors = true,
                                           .threads = threads(),
                                           .checkpoint = execution_.checkpoint,
                                           .engine = engine.get(),
                                           .angular = tables.get(),
                                           .phases = &phases});
    requireCredible(s, levels);
    LineOptions options = lines_;
    options.interpolation = kInterpolationOfMany;
    options.threads = threads();
    options.checkpoint = execution_.checkpoint;
    options.engine = engine.get();
    options.angular = tables.get();
    options.phases = &phases;
    LineList list = computeLines(s.space, s.result, s.hamiltonian, levels, options);
    // What follows needs no device, which others wait for.
    levels.vectors.clear();
    if (calibrated) calibrated->calibration.forgetMatrices();
    engine.reset();
    Phases::of(&phases, "line_errors", [&] { addLineErrors(calibrated, levels.levels, list, threads()); });
    const RatedLines made = Phases::of(
        &phases, "rates", [&] { return rated(list, levels.levels, s.hamiltonian.field.speedOfLight); });
    list.lines = {};
    outcome.lines = static_cast<double>(made.lines.size());
    outcome.ground = levels.levels.front().energy;
    outcome.groundLabel = levels.levels.front().label;
    outcome.groundJ = 0.5 * levels.levels.front().twoJ;
    addCalibration(s.space, calibrated, outcome);
    outcome.highest = levels.levels.back().excitation;
    for (const RatedLine& l : made.lines) outcome.strongest = std::max(outcome.strongest, l.length.gf);
    for (const Warning& w : warningsToShow(s)) outcome.warnings.emplace_back(w.id, w.text);
    for (const Warning& w :
         warningsOfLowest(s, levels.levels.front(), "--relaxed configurations of a single ion"))
      outcome.warnings.emplace_back(w.id, w.text);
    if (!keepsFile_) return "";
    const Record record =
        Phases::of(&phases, "columns", [&] { return recordOf(ion, calibrated, levels, made); });
    return Phases::of(&phases, "file", [&] { return packedRecord(record, true); });
  }

  /// For what begins now: what the ions that are computed leave to one of them, and more, as threads wait for
  /// the device and for the largest of their blocks. No digit depends on it.
  int threads() const { return std::clamp(kThreadsPerProcessor * threads_ / running_, 1, threads_); }

  std::vector<ReadyIon>& ions_;
  const CalibrateRequest& calibrate_;
  const LineOptions& lines_;
  bool keepsFile_;
  LevelEngine& engine_;
  Execution execution_;
  SharedTables tables_;
  int threads_;
  std::atomic<int> running_ = 0;
};

/// What came of all ions, in the order of the request.
std::vector<IonOutcome> inOrder(std::vector<IonOutcome> computed, const Ions& ions) {
  std::vector<IonOutcome> list(ions.size());
  for (std::size_t i = 0; i < computed.size(); ++i) list[ions.ready[i].position] = std::move(computed[i]);
  for (const RefusedIon& ion : ions.refused) {
    list[ion.position].name = ion.name;
    list[ion.position].reason = ion.reason;
  }
  return list;
}

/// Keeps finished ions, and copies them into the file of all while others are computed.
class IonFile {
 public:
  explicit IonFile(FinishedPieces pieces, std::string path)
      : pieces_(std::move(pieces)), path_(std::move(path)) {}
  /// What has finished stays in the pieces.
  ~IonFile() { end(); }
  IonFile(const IonFile&) = delete;
  IonFile& operator=(const IonFile&) = delete;

  /// An ion that was finished before; nothing where it was not. Not after start().
  std::optional<IonOutcome> finished(const std::string& name) const {
    if (!pieces_.has(name)) return {};
    return outcomeOf(pieces_.content(name));
  }
  /// `names`: of all that will be there, in the order of the file.
  void start(std::vector<std::string> names) {
    names_ = std::move(names);
    written_ = std::async(std::launch::async, [this] {
      const std::shared_ptr<void> always(nullptr, [this](void*) {
        const std::lock_guard<std::mutex> alone(mutex_);
        isWritten_ = true;
        changed_.notify_all();
      });
      hdf5::writeGroups(
          path_, names_, [this](const std::string& name) { return recordOf(name); }, writePackedRecord);
    });
  }
  /// Waits while several others wait to be kept. Throws what went wrong with those before.
  void keep(const std::string& name, std::string bytes, bool hasFailed) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return isWritten_ || waiting_.size() < kMostWaiting; });
    if (isWritten_) return written_.get();
    waiting_.push_back({name, std::move(bytes), hasFailed});
    changed_.notify_all();
  }
  /// Ends the file, of the ions that there are. The pieces stay unless it is whole: another run may try those
  /// that failed.
  void finish(bool isWhole, Record& record) {
    end();
    try {
      written_.get();
    } catch (const NoIon&) {
      record.reason += "; " + path_ + " was not written";
    }
    if (isWhole || failed_.size() == names_.size())
      pieces_.remove();
    else
      record.reason += fmt::format(
          "; {} has the others, and {} keeps them: the same command with resume=.true. tries the failed ones "
          "again",
          path_, pieces_.path());
  }

 private:
  struct Waiting {
    std::string name, bytes;
    bool hasFailed;
  };
  struct NoIon {};
  static constexpr std::size_t kMostWaiting = 8;

  void end() {
    const std::lock_guard<std::mutex> alone(mutex_);
    isEnded_ = true;
    changed_.notify_all();
  }
  /// Waits for it, and keeps all that comes meanwhile. Empty where the ion failed.
  std::string recordOf(const std::string& name) {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      while (!waiting_.empty()) {
        const Waiting ion = std::move(waiting_.front());
        waiting_.pop_front();
        changed_.notify_all();
        lock.unlock();
        if (ion.hasFailed)
          failed_.insert(ion.name);
        else
          pieces_.keep(ion.name, ion.bytes);
        if (ion.name == name && !ion.hasFailed) return recordIn(ion.bytes);
        lock.lock();
      }
      if (failed_.size() == names_.size()) throw NoIon();
      if (failed_.contains(name)) return "";
      if (pieces_.has(name)) break;
      if (isEnded_) throw NoIon();
      changed_.wait(lock);
    }
    lock.unlock();
    return recordIn(pieces_.content(name));
  }

  FinishedPieces pieces_;
  std::string path_;
  std::vector<std::string> names_;
  std::set<std::string> failed_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> waiting_;
  bool isEnded_ = false, isWritten_ = false;
  std::future<void> written_;  ///< the last member: its end waits for the thread that uses the others
};

}  // namespace

Table ionTable(const std::vector<IonOutcome>& ions) {
  using O = const IonOutcome&;
  const auto known = [](O o, double value) {
    return o.reason.empty() ? std::optional<double>(value) : std::nullopt;
  };
  return {
      "ions",
      {columnOf(ions, {"ion", "", "the ion"}, [](O o) { return o.name; }),
       columnOf(ions, {"configurations", "1", "number of its configurations", "{:.0f}"},
                [](O o) { return o.configurations; }),
       columnOf(ions, {"levels", "1", "number of its levels", "{:.0f}"}, [](O o) { return o.levels; }),
       columnOf(ions, {"possible_lines", "1", "number of its lines without a cut in gf", "{:.6g}"},
                [](O o) { return o.possibleLines; }),
       columnOf(ions, {"lines", "1", "number of its lines that are strong enough", "{:.0f}"},
                [&](O o) { return known(o, o.lines); }),
       columnOf(ions, {"ground", "", "configuration with the largest share in the lowest level"},
                [](O o) { return o.groundLabel; }),
       columnOf(ions, {"ground_J", "1", "its total angular momentum", "{:.1f}"},
                [&](O o) { return known(o, o.groundJ); }),
       columnOf(ions, {"ground_energy", "hartree", "its energy", "{:.8f}"},
                [&](O o) { return known(o, o.ground); }),
       columnOf(ions, {"highest_level", "hartree", "highest level above the lowest one", "{:.6f}"},
                [&](O o) { return known(o, o.highest); }),
       columnOf(ions, {"largest_gf", "1", "largest weighted oscillator strength", "{:.4g}"},
                [&](O o) { return known(o, o.strongest); }),
       columnOf(ions,
                {"calibration", "", "what its levels were calibrated by: `nist`, `rule` or `none`", "-"},
                [](O o) { return o.reason.empty() ? o.calibration : std::string(); }),
       columnOf(ions,
                {"nist_ground", "", "configuration of the ground level by NIST, where it is among them", "-"},
                [](O o) { return o.knownGround; }),
       columnOf(ions, {"fitted_levels", "1", "number of observed levels that it was calibrated by", "-"},
                [&](O o) { return known(o, o.fittedLevels); }),
       columnOf(ions,
                {"fitted_deviation", "1",
                 "mean deviation of these levels in their energy above the ground level", "-"},
                [](O o) { return o.fitted > 0 ? std::optional(o.fitted) : std::nullopt; }),
       columnOf(
           ions,
           {"predicted_deviation", "1", "the same without the observed levels of the same J and parity", "-"},
           [](O o) { return o.predicted > 0 ? std::optional(o.predicted) : std::nullopt; }),
       columnOf(ions, {"factors", "", "of the classes of parameters", "-"},
                [](O o) { return fmt::format("{:.4f}", fmt::join(o.factors, " ")); }),
       columnOf(ions, {"reason", "", "why there are no lines; empty: there are"},
                [](O o) { return o.reason; })},
      Table::Layout::Rows,
      kShownIons,
      "batch"};
}

AtomRequest withExcited(AtomRequest request, const std::string& rules, const Execution& execution) {
  if (rules == kNoRules) return request;
  const AtomProblem problem = resolvedFor(request, execution).calculation.problem;
  const std::string& references = problem.configuration.description;
  request.job.configuration = request.job.configuration.withText(ofSetting("excite", [&] {
    if (rules != kValence) return configurationsByRules(references, rules);
    const auto z = elementOfCharge(problem.nucleus.charge);
    const std::string first = trimmed(references.substr(0, references.find('|')));
    if (!z || !hasValenceRule(*z, *z - static_cast<int>(std::lround(problem.configuration.electrons()))))
      throw Error("'valence' is of atoms and ions of Ca to Lr with charges 0 to 3");
    return valenceConfigurations(*z, first);
  }));
  return request;
}

void checkLinesOfIons(const Json& values, const IonsRequest& ions) {
  refuseTogether(kIonsOfBatch, {{"atom", values.contains("atom")}, {"input", values.contains("input")}});
  eachIon(namedIons(ions), 1,
          [&](const NamedIon& ion, std::size_t) { readAtomRequest(JobType::Lines, valuesOf(ion, values)); });
}

Record linesOfIons(const Json& values, const IonsRequest& request, const CalibrateRequest& calibrate,
                   const LineOptions& lines, const Execution& given) {
  const Stopwatch watch;
  SingleRank alone;
  Execution execution = given;
  if (!execution.ranks) execution.ranks = &alone;
  Ions all;
  execution.together([&] { all = ionsOf(values, request, calibrate, lines, execution); });
  std::vector<ReadyIon>& ions = all.ready;
  const RankPlace place = execution.place();
  double seconds = 0;
  std::vector<std::string> names;
  Json description{
      {"values", values},
      {"least_gf", lines.leastGf},
      {"calibrate",
       {calibrate.calibrate ? nameOf(*calibrate.calibrate) : "usual", calibrate.classes, calibrate.heldOut}},
      {"multipoles", Json::array()},
      {"ions", Json::array()}};
  for (const Multipole& m : lines.multipoles) description["multipoles"].push_back(m.name());
  for (const ReadyIon& ion : ions) {
    seconds += ion.seconds;
    names.push_back(ion.name);
    description["ions"].push_back(ion.name + ": " +
                                  ion.spinors.job.calculation.problem.configuration.description);
  }
  for (const RefusedIon& ion : all.refused) description["ions"].push_back(ion.name + ": none");
  std::optional<IonFile> file;
  execution.together([&] {
    if (execution.rank() == 0 && !request.hdf5.empty())
      file.emplace(
          finishedPieces({"lines_hdf5", request.hdf5, request.resume}, "lines 6", description, execution),
          request.hdf5);
  });
  const Opened<LevelEngine> engine = openEngine<LevelEngine>(execution, seconds > kLevelSecondsForGpu);

  // The first rank knows what is finished.
  std::vector<IonOutcome> outcomes(ions.size());
  std::vector<int> missing;
  std::size_t done = 0;
  const std::vector<int> order = orderOf(ions);
  if (execution.rank() == 0)
    for (const int i : order) {
      std::optional<IonOutcome> before = file ? file->finished(names[usize(i)]) : std::nullopt;
      if (!before) {
        missing.push_back(i);
        continue;
      }
      outcomes[usize(i)] = std::move(*before);
      ++done;
    }
  const std::size_t skipped = done;
  if (file) {
    std::vector<std::string> ordered;
    for (const int i : orderOfEnds(order, ions)) ordered.push_back(names[usize(i)]);
    file->start(std::move(ordered));
  }
  const auto keep = [&](FinishedWork ion) {
    IonOutcome outcome = outcomeOf(ion.bytes);
    if (file) file->keep(outcome.name, std::move(ion.bytes), !outcome.reason.empty());
    execution.show({"ions", ++done, ions.size(), outcome.name, true});
    outcomes[usize(ion.number)] = std::move(outcome);
  };
  const bool shared = execution.rankCount() > 1;
  const int atOnce =
      shared ? 1
             : std::clamp(place.threads / kThreadsOfIon, 1,
                          std::min(kIonsAtOnce * engine->devices(), static_cast<int>(ions.size())));
  IonRunner runner(ions, calibrate, lines, !request.hdf5.empty(), *engine, execution);
  forMany(
      *execution.ranks, missing, atOnce, [&](int number) { return runner.compute(number); }, keep);

  Record record;
  record.title =
      fmt::format("Lines of {}", all.size() == 1 ? names.front() : fmt::format("{} ions", all.size()));
  record.device = describeRanks(execution.ranks->allGather(engine.device()), place.machines);
  record.printsTable = request.hdf5.empty();  // else people get the report with the table
  execution.together([&] {
    if (execution.rank() > 0) return;
    outcomes = inOrder(std::move(outcomes), all);
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
      record.reason = fmt::format("{} of {} ions failed", failed, outcomes.size());
    }
    if (file) file->finish(failed == 0, record);
    const auto add = [&](const char* key, const char* label, Json value, std::string shown) {
      record.quantities.push_back({key, label, std::move(value), std::move(shown)});
    };
    add("total", "ions", outcomes.size(), fmt::format("{}", outcomes.size()));
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
    record.tables = {ionTable(outcomes)};
  });
  record.seconds = watch.seconds();
  const bool fine = execution.fromFirst(record.outcome == Outcome::Done ? "done" : "") == "done";
  record.outcome = fine ? Outcome::Done : Outcome::NotConverged;
  return record;
}

}  // namespace prophet
