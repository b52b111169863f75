#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "atoms/functional/functional.hpp"
#include "atoms/service/energy_service.hpp"
#include "core/common/constants.hpp"
#include "core/common/failure.hpp"
#include "core/common/files.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/text.hpp"
#include "core/hdf5/hdf5_group.hpp"
#include "core/ranks/ranks.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/kept_files.hpp"
#include "operations/catalogue/setting_values.hpp"
#include "operations/energies/batch_jobs.hpp"
#include "operations/energies/batch_lines.hpp"
#include "operations/jobs/result_record.hpp"

namespace prophet {
namespace {

constexpr const char* kStandard = "-";  // standard input or output

struct BatchRequest {
  std::vector<std::string> files;
  std::string jobsFile;
  ElementRequest elements;
  std::string lines, csv, hdf5;  ///< empty: none
  bool properties = false, differences = false, resume = false, retryFailed = false, estimateError = true;

  bool keepsLines() const { return !lines.empty() && lines != kStandard; }
  /// Where the lines are as long as the batch runs; empty: in a file without a name.
  std::string linesPath() const {
    return keepsLines() ? lines : csv.empty() || csv == kStandard ? "" : csv + ".jsonl";
  }
};

/// Several values of an enumeration, as a list or with commas between them, each once.
template <class E>
std::vector<E> severalFrom(const Json& value) {
  std::vector<E> list;
  for (const std::string& name : split(listText(value), ',')) {
    list.push_back(requireNamed<E>(name, "name"));
    if (std::count(list.begin(), list.end(), list.back()) > 1) throw Error("names " + name + " twice");
  }
  return list;
}

/// A limit of two components has no program; better said before than by every job.
void checkHamiltonians(const ElementRequest& r) {
  for (const OneElectronOperator kind : r.hamiltonians) {
    if (!kindOf(kind).hasBasis)
      throw SettingError("hamiltonian",
                         nameOf(kind) + " is not one of batches of elements; compute the limits one by one");
    if (r.limit && !kindOf(kind).hasLimit)
      throw SettingError("limit",
                         "is available for the Hamiltonians dirac and nonrel, not for " + nameOf(kind));
  }
}

void checkBatch(const BatchRequest& r) {
  if (!r.elements.charges.empty() && r.elements.elements.empty())
    throw SettingError("charge", "belongs to elements; ions have their own charges");
  checkHamiltonians(r.elements);
  if (r.retryFailed && !r.keepsLines())
    throw SettingError("retry_failed", "needs the lines of the earlier run; name them with json_lines=");
  if (r.resume && r.linesPath().empty())
    throw SettingError("resume", "needs the file of the earlier run; name it with json_lines= or csv=");
  if (r.elements.limit && !r.estimateError)
    throw SettingError("no_error_estimate", "belongs to basis sets; a limit has its error by itself");
  if (!r.hdf5.empty() && !hasResultFiles()) throw SettingError("hdf5", hdf5::kNotBuilt);
}

void addElements(RequestTable<BatchRequest>& t) {
  using R = BatchRequest;
  t.add("elements", ValueType::Any, "atoms and ions without input files: 1-118, 1-10,18,Rn, Fe2+,Cl-",
        [](R& r, const Json& v) { readElements(listText(v), r.elements); })
      .called("LIST")
      .often();
  t.add("charge", ValueType::Any, "charges of elements that have none: 0,1,2 or -1-3",
        [](R& r, const Json& v) { r.elements.charges = parseCharges(listText(v)); })
      .called("LIST")
      .often()
      .byDefault("0")
      .onlyWith({"elements"});
  t.add("hole", ValueType::Text,
        "take an electron out of this shell, or of several, '2p', '1s 2p3/2': one charge more for each",
        [](R& r, const Json& v) { r.elements.holes = trimmed(v.get<std::string>()); })
      .called("SHELLS")
      .onlyWith({"elements"});
  t.add("promote", ValueType::Text, "move an electron from shell to shell, '2p->3d'",
        [](R& r, const Json& v) { r.elements.promotions = trimmed(v.get<std::string>()); })
      .called("FROM->INTO")
      .onlyWith({"elements"});
  t.add("nucleus", ValueType::Any,
        "nuclear models of the elements: point, sphere, gaussian, fermi; several separated by commas",
        [](R& r, const Json& v) { r.elements.nuclei = severalFrom<NuclearModel>(v); })
      .called("NAME")
      .onlyWith({"elements"});
  t.add("hamiltonian", ValueType::Any,
        "Hamiltonians of the elements: dirac, x2c1e, sfx2c1e, nonrel; several separated by commas",
        [](R& r, const Json& v) { r.elements.hamiltonians = severalFrom<OneElectronOperator>(v); })
      .called("NAME")
      .byDefault("dirac")
      .onlyWith({"elements"});
  t.add("functional", ValueType::Texts,
        "density functionals in place of exact exchange: lda, rlda, pbe, pbe0, pbesol, or names of libxc "
        "joined "
        "by +",
        [](R& r, const Json& v) {
          for (const Json& name : v)
            r.elements.functionals.push_back(Functional(name, constants::kSpeedOfLight).name());
        })
      .called("NAME")
      .byDefault("exact exchange")
      .onlyWith({"elements"});
  t.add("basis", ValueType::Texts, "basis-set libraries of the elements, several with blanks between them",
        [](R& r, const Json& v) {
          for (const Json& name : v) {
            if (std::count(v.begin(), v.end(), name) > 1)
              throw Error("names " + name.get<std::string>() + " twice");
            r.elements.libraries.push_back(name);
          }
        })
      .called("NAME")
      .byDefault("chosen automatically")
      .often()
      .onlyWith({"elements"});
  t.add("limit", ValueType::Logical,
        "compute numerical limits of the elements instead of energies in a basis",
        [](R& r, const Json& v) { r.elements.limit = v; })
      .onlyWith({"elements"})
      .notWith({"basis"});
}

RequestTable<BatchRequest> batchRequestTable() {
  using R = BatchRequest;
  RequestTable<R> t;
  t.add("files", &R::files, "input files").often().called("FILE.inp").isFile(FileUse::Read).asOptionalWord();
  t.add("jobs_file", &R::jobsFile,
        "file with further input files: one path on each line, # begins a comment; - reads standard input")
      .called("FILE");
  addElements(t);
  t.add("json_lines", &R::lines, "write one JSON line for each finished job to this file")
      .isFile(FileUse::Write)
      .often();
  t.add("csv", &R::csv, "write a table of all jobs to this file at the end").isFile(FileUse::Write).often();
  t.add("properties", &R::properties,
        "also compute the densities at the nucleus with their errors; takes about twice as long");
  t.add("differences", &R::differences,
        "print ionisation, affinity and excitation energies between the jobs at the end");
  t.add("hdf5", &R::hdf5, "write all results with their spinors to this HDF5 file, a group for each job")
      .isFile(FileUse::WriteBinary);
  t.add("resume", &R::resume, "continue an interrupted batch: skip the jobs that the file has").often();
  t.add("retry_failed", &R::retryFailed,
        "compute again the jobs that the file has as failed or not converged")
      .onlyWith({"resume"});
  t.add(
      "no_error_estimate", ValueType::Logical,
      "do not estimate the errors of basis sets: the estimate on a processor takes longer than the energy on "
      "a GPU",
      [](R& r, const Json& v) { r.estimateError = !v.get<bool>(); });
  t.afterwards(checkBatch);
  return t;
}

std::vector<std::string> readJobsList(const std::string& path) {
  try {
    return listedFiles(path == kStandard ? readAll(FileHandle(::dup(STDIN_FILENO)), "standard input")
                                         : readFile(path));
  } catch (const ResourceError&) {
    throw;
  } catch (const Error& e) {
    throw SettingError("jobs_file", fmt::format("cannot read the jobs file {} ({})", path, e.what()));
  }
}

/// The input files of the request and of its list.
std::vector<std::string> inputFiles(const BatchRequest& request, const Execution& execution) {
  std::vector<std::string> files = request.files;
  if (!request.jobsFile.empty())
    for (std::string& file : readJobsList(request.jobsFile)) files.push_back(std::move(file));
  if (files.empty() && !request.elements.any() && execution.jobs.empty())
    throw request.jobsFile.empty()
        ? SettingError("elements", "expected elements, or input files, or a list of them (jobs_file)")
        : SettingError("jobs_file", "names no input file");
  std::set<std::string> seen;
  for (const std::string& file : files) {
    if (!seen.insert(utf8(file)).second) throw SettingError("", "the batch names " + file + " twice");
    requireKept(file, execution);
  }
  return files;
}

/// What the batch computes.
struct Tasks {
  std::vector<BatchTask> list;
  std::vector<std::string> ids, leftOut;
  bool areLimits = false;  ///< all of them, as the request has it
};

std::string joinLines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// Inverse of joinLines.
std::vector<std::string> splitLines(const std::string& text) {
  std::vector<std::string> lines = split(text, '\n');
  lines.pop_back();
  return lines;
}

void requireOutputs(const BatchRequest& request, const Execution& execution) {
  const std::string lines = request.linesPath();
  if (!request.keepsLines() && !lines.empty()) requireKept(lines, execution);
  for (const std::string& path : {lines, request.csv, request.hdf5})
    if (!path.empty() && path != kStandard) requireWritable(path);
}

/// The jobs: rank 0 reads the list of input files, which may be standard input, and tells the others.
Tasks agreeOnTasks(const BatchRequest& request, const Execution& execution) {
  std::vector<std::string> files;
  ElementJobs elements;
  execution.together([&] {
    if (execution.rank() == 0) files = inputFiles(request, execution);
    if (request.elements.any()) elements = elementJobs(request.elements, execution.basisSets);
    if (request.elements.any() && elements.jobs.empty())
      throw SettingError("elements", "nothing is left to compute; " + elements.leftOut.front());
    if (execution.rank() == 0) requireOutputs(request, execution);
  });
  files = splitLines(execution.fromFirst(joinLines(files)));
  Tasks tasks;
  tasks.leftOut = std::move(elements.leftOut);
  tasks.areLimits = files.empty() && request.elements.limit;
  for (std::string& file : files) tasks.list.push_back({utf8(file), file, {}});
  for (ElementJob& job : elements.jobs) tasks.list.push_back({job.id, "", std::move(job)});
  for (const auto& job : execution.jobs)
    tasks.list.push_back({fmt::format("job {}", tasks.list.size() + 1), "", {}, job});
  for (const BatchTask& task : tasks.list) tasks.ids.push_back(task.id);
  return tasks;
}

/// Whether the batch is worth starting GPUs, as rank 0 sees it, where that decides.
bool agreeOnGpu(const BatchRequest& request, const Tasks& tasks, const Execution& execution, int threads) {
  if (!execution.decides()) return true;
  const bool worth = execution.rank() == 0 && worthAGpu(tasks.list.size(), threads, [&](std::size_t i) {
                       return batchItem(tasks.list[i], request.estimateError, execution).calculation;
                     });
  return execution.fromFirst(worth ? "yes" : "no") == "yes";
}

/// The texts of all ranks, each once; one that not all have with the first rank's number and how many more.
std::vector<std::string> mergeTexts(Ranks& ranks, const std::string& mine) {
  const std::vector<std::string> all = ranks.allGather(mine);
  std::map<std::string, int> counts;
  for (const std::string& text : all) ++counts[text];
  std::vector<std::string> merged;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    int& count = counts[all[rank]];
    if (!all[rank].empty() && count > 0) {
      const std::string more = count > 1 ? fmt::format(" and {} more", count - 1) : "";
      merged.push_back(count == ranks.size() ? all[rank]
                                             : fmt::format("{} (rank {}{})", all[rank], rank, more));
    }
    count = 0;
  }
  return merged;
}

/// The result file of a batch: written at the end and now and then before.
class BatchResults {
 public:
  /// \param resume go on with the results that the file holds, if there is one
  BatchResults(std::string path, bool resume)
      : path_(std::move(path)),
        collection_(resume && isThere(path_) ? ResultCollection(path_) : ResultCollection()) {}
  bool contains(const std::string& id) const { return collection_.contains(id); }
  void add(const BatchTask& task, const Calculation& calculation, const Result& result) {
    // A killed batch loses the results of so many seconds; a resumed one computes them again.
    constexpr double kSecondsBetweenWrites = 60;
    ResultRecord record = recordOf(task.file, "", calculation, result);
    if (task.job) {
      record.id = task.id;
      record.title = task.job->job.title;
      record.input = task.job->job.text;
    } else if (task.element) {
      record.id = record.title = task.id;
      record.input = jobOf(*task.element).text;
    }
    collection_.add(record);
    withoutSpinors_ += result.ok() && !result.wavefunction;
    if (sinceWritten_.seconds() > kSecondsBetweenWrites) write();
  }
  void write() {
    collection_.write(path_);
    sinceWritten_ = Stopwatch();
  }
  /// Converged results that came without spinors.
  std::size_t withoutSpinors() const { return withoutSpinors_; }

 private:
  static bool isThere(const std::string& path) {
    std::error_code failed;
    return std::filesystem::exists(path, failed);
  }

  std::string path_;
  ResultCollection collection_;
  Stopwatch sinceWritten_;
  std::size_t withoutSpinors_ = 0;
};

/// The result file, where one is asked for: all spinors must come together in one process.
std::unique_ptr<BatchResults> openResults(const BatchRequest& request, const Execution& execution) {
  if (request.hdf5.empty()) return nullptr;
  if (execution.rankCount() > 1)
    throw SettingError("hdf5", "a batch over several processes writes no result file; omit it");
  return std::make_unique<BatchResults>(request.hdf5, request.resume);
}

/// The jobs of this rank; with `results` their spinors are kept and go there. What comes of jobs that a
/// caller has as objects goes to `record`.
BatchJobs jobsOf(const BatchRequest& request, const Tasks& tasks, BatchResults* results,
                 const Execution& execution, Record& record) {
  const bool keeps = results || !execution.jobs.empty();
  BatchJobs jobs{tasks.ids, [&, keeps](std::size_t i) {
                   BatchItem item = batchItem(tasks.list[i], request.estimateError, execution);
                   if ((keeps || request.properties) && item.calculation && !item.calculation->isLimit())
                     item.calculation->inBasis().keepSpinors = true;
                   return item;
                 }};
  jobs.properties = request.properties;
  jobs.input = [&](std::size_t i) { return inputChecksumOf(tasks.list[i]); };
  record.results.resize(execution.jobs.size());
  // Calculations that a checkpoint ended have failed, and are no lines of the output.
  if (keeps || execution.checkpoint)
    jobs.finished = [&, results](std::size_t i, const Calculation& calculation, const Result& result) {
      pass(execution.checkpoint);
      if (const auto& job = tasks.list[i].job)
        record.results[i - (tasks.list.size() - execution.jobs.size())] =
            std::make_shared<JobResult>(JobResult{{job->job, calculation, job->choices}, result});
      if (results) results->add(tasks.list[i], calculation, result);
    };
  if (results) jobs.again = [&, results](std::size_t i) { return !results->contains(tasks.ids[i]); };
  return jobs;
}

/// A file in memory, and a path that leads to it as long as it is open.
FileHandle namelessFile(std::string& path) {
  FileHandle file(::memfd_create("cudaprophet batch", MFD_CLOEXEC));
  if (!file.isOpen())
    throw FailureError(std::string("no file in memory for the results: ") + std::strerror(errno));
  path = fmt::format("/proc/self/fd/{}", file.number());
  return file;
}

BatchSummary runJobs(const BatchJobs& jobs, const BatchOptions& options, EnergyService& service,
                     const Execution& execution) {
  const BatchProgress progress = [&](std::size_t done, std::size_t total) {
    execution.show({"jobs", done, total, "", true});
  };
  if (execution.rankCount() == 1) return runBatch(service, jobs, options, progress);
  try {
    return runBatch(service, jobs, options, *execution.ranks, progress);
  } catch (const SharedError&) {
    throw;
  } catch (const std::exception& e) {
    throw LoneError(e.what());
  }
}

/// Who computes, and what was decided, before the batch begins.
struct Beginning {
  std::string device;
  std::vector<Quantity> remarks;
};

Beginning beginningOf(const Tasks& tasks, const Opened<EnergyService>& service, const RankPlace& place,
                      Ranks& ranks) {
  Beginning begin;
  begin.device = describeRanks(ranks.allGather(service->description()), place.machines);
  using Place = Quantity::Place;
  const auto add = [&](const char* label, const std::string& text, Place where = Place::Body) {
    begin.remarks.push_back({"", label, {}, text, where});
  };
  for (const std::string& text : tasks.leftOut) add("skipped", text);
  for (const std::string& choice : mergeTexts(ranks, service.note))
    add("chosen automatically", choice, Place::Details);
  for (const std::string& hint : mergeTexts(ranks, place.hint)) add("hint", hint);
  return begin;
}

/// What a batch prints of its table where no output is named.
Table shortTable(const Table& table) {
  Table shown{table.key, {}};
  for (const char* key : {"id", "configuration", "total_with_corrections", "error_estimate", "status"}) {
    Column column = *table.find(key);
    if (!column.isText()) column.digits = column.key == "error_estimate" ? "{:.1e}" : "{:.8f}";
    if (column.key == "total_with_corrections") column.label = "energy";
    if (column.key == "error_estimate") column.label = "error";
    shown.columns.push_back(std::move(column));
  }
  return shown;
}

/// The largest error of the table's energies, for people; empty where it has none.
std::string largestError(const Table& table) {
  double largest = 0;
  for (const double error : table.find("error_estimate")->numbers())
    if (std::isfinite(error)) largest = std::max(largest, std::abs(error));
  return largest > 0 ? fmt::format("errors of the basis sets or limits at most {:.1e} hartree", largest) : "";
}

/// What the first rank does with the lines of a finished batch.
void finish(const BatchRequest& request, const Tasks& tasks, const std::string& lines, BatchResults* results,
            const BatchSummary& run, const Execution& execution, Record& record) {
  // From the file, so that jobs of an earlier run count too.
  const OutputTally tally = tallyJsonLines(lines, tasks.ids);
  if (!request.csv.empty() || !execution.reportOnly) record.tables.push_back(batchTable(lines, tasks.ids));
  if (!request.csv.empty()) execution.write(request.csv, batchCsv(record.tables.front()));
  if (request.lines == kStandard) execution.write(kStandard, readFile(lines));
  if (results) results->write();
  const bool printed = execution.reportOnly && !request.keepsLines() && request.lines.empty() &&
                       request.csv.empty() && !results;
  Record shown = record;
  shown.tables.clear();
  if (printed) {
    const Table table = batchTable(lines, tasks.ids);
    if (const std::string error = largestError(table); !error.empty())
      shown.quantities.push_back({"", "accuracy", {}, error, Quantity::Place::Accuracy});
    shown.tables.push_back(shortTable(table));
  }
  const std::string summary = summaryText(tally, run);
  const std::size_t end = summary.find('\n');
  shown.quantities.push_back({"", "result", {}, summary.substr(0, end), Quantity::Place::Result});
  std::string below = end == std::string::npos ? "" : summary.substr(end + 1);
  if (request.differences) below += batchDifferences(lines, tasks.ids);
  record.report = recordText(shown, execution.style) + (below.empty() ? "" : "\n" + below);
  execution.tell(execution.brief ? below : record.report);
  record.outcome = tally.bad.empty() ? Outcome::Done : Outcome::NotConverged;
  record.quantities = {{"total", "", run.total},
                       {"converged", "", tally.converged},
                       {"not_converged", "", tally.notConverged},
                       {"unbound", "", tally.unbound},
                       {"failed", "", tally.failed},
                       {"skipped", "", run.skipped},
                       {"left_out", "", tasks.leftOut},
                       {"notes", "", run.notes}};
}

Record batch(const BatchRequest& request, const Execution& given) {
  SingleRank alone;
  Execution execution = given;
  if (!execution.ranks) execution.ranks = &alone;
  if (request.properties && execution.backend == BackendRequest::Cuda)
    throw SettingError("properties",
                       "needs the spinors, which batches on a GPU do not return; omit the backend");
  if (request.properties) execution.backend = BackendRequest::Cpu;
  Ranks& ranks = *execution.ranks;
  const Tasks tasks = agreeOnTasks(request, execution);
  const RankPlace place = execution.place();
  const bool worth = agreeOnGpu(request, tasks, execution, place.threads * ranks.size());
  const std::unique_ptr<BatchResults> results = openResults(request, execution);
  Opened<EnergyService> service = openEngine<EnergyService>(execution, worth);
  if (execution.decides() && !worth)
    service.note = "CPU, because a batch of this size is finished before a GPU has started";
  if (tasks.areLimits) service.note = "CPU, because numerical limits are always computed on the CPU";
  const Beginning begin = beginningOf(tasks, service, place, ranks);
  std::string lines = request.linesPath();
  FileHandle nameless;
  execution.together([&] {
    if (execution.rank() == 0 && lines.empty()) nameless = namelessFile(lines);
  });
  if (!request.linesPath().empty()) execution.canResume(lines);
  const BatchOptions options{lines, request.resume, place.threads,
                             request.retryFailed ? Retry::Failed : Retry::None};
  Record record;
  BatchSummary run =
      runJobs(jobsOf(request, tasks, results.get(), execution, record), options, *service, execution);
  if (results && results->withoutSpinors() > 0)
    run.notes.push_back(
        fmt::format("{}: {} without P and Q, because a GPU does not return its spinors; the backend cpu does",
                    request.hdf5, countOfJobs(results->withoutSpinors())));
  record.title = "Energies of " + countOfJobs(tasks.list.size());
  record.device = begin.device;
  record.quantities = begin.remarks;
  record.printsTable = true;
  record.seconds = run.seconds;
  execution.together([&] {
    if (execution.rank() > 0) return;
    finish(request, tasks, lines, results.get(), run, execution, record);
    if (!request.keepsLines() && !nameless.isOpen()) std::filesystem::remove(lines);
  });
  const bool done = execution.fromFirst(record.outcome == Outcome::Done ? "done" : "") == "done";
  record.outcome = done ? Outcome::Done : Outcome::NotConverged;
  return record;
}

}  // namespace

Operation batchOperation() {
  Operation o;
  o.name = "batch";
  o.summary = "energies of many input files or elements at once";
  o.description =
      "Computes the energies (or numerical limits) of many input files, or of elements and their ions, side "
      "by side. A job that fails does not affect the others.";
  o.example =
      "batch FILE.inp... --json-lines OUT [options]\n"
      "       cudaprophet batch --elements 2-118 --charge 0,1 --csv TABLE.csv";
  o.examples = {"batch --elements Fe,Co", "batch --elements 2-118 --charge 0,1 -o atoms.csv",
                "batch *.inp --json-lines results.jsonl"};
  o.onGpus = o.onRanks = true;
  o.tables = [] { return std::vector{batchTable(0)}; };
  return operationOf(std::move(o), batchRequestTable(), batch);
}

}  // namespace prophet
