#include "frontends/app/batch_command.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>

#include "atoms/service/host_service.hpp"
#include "core/common/read_file.hpp"
#include "core/common/text.hpp"
#include "core/common/utf8.hpp"
#include "core/common/version.hpp"
#include "core/ranks/agree.hpp"
#include "core/ranks/gather.hpp"
#include "frontends/app/backend_options.hpp"
#include "frontends/app/batch_csv.hpp"
#include "frontends/app/batch_differences.hpp"
#include "frontends/app/batch_items.hpp"
#include "frontends/app/batch_line.hpp"
#include "frontends/app/batch_summary.hpp"
#include "frontends/app/environment.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/progress_line.hpp"
#include "frontends/app/rank_command.hpp"
#include "frontends/app/result_output.hpp"
#include "frontends/app/signals.hpp"
#include "frontends/app/usage_error.hpp"

namespace prophet {
namespace {

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

/// What the batch computes.
struct Tasks {
  std::vector<BatchTask> list;
  std::vector<std::string> ids, leftOut;
  bool areLimits = false;  ///< all of them, as the command line has it
};

/// The jobs: rank 0 reads the list of input files, which may be standard input, and tells the others.
Tasks agreeOnTasks(BatchLine& line, Ranks& ranks) {
  std::vector<std::string> files;
  Tasks tasks;
  ElementJobs elements;
  together(ranks, kBadInput, [&] {
    if (ranks.rank() == 0) files = inputFiles(line);
    if (!line.elements) return;
    elements = elementJobs(*line.elements, environment::basisSets());
    tasks.leftOut = std::move(elements.leftOut);
    if (elements.jobs.empty())
      throw UsageError("--elements: nothing is left to compute; " + tasks.leftOut.front());
  });
  together(ranks, kFailure, [&] {
    if (ranks.rank() == 0) line.files.open();
  });
  if (ranks.size() > 1) files = splitLines(fromFirst(ranks, joinLines(files)));
  tasks.areLimits = files.empty() && line.elements->limit;
  for (std::string& file : files) tasks.list.push_back({utf8(file), file, {}});
  for (ElementJob& job : elements.jobs) tasks.list.push_back({job.id, "", std::move(job)});
  for (const BatchTask& task : tasks.list) tasks.ids.push_back(task.id);
  return tasks;
}

/// Whether the batch is worth starting GPUs, as rank 0 sees it, where that decides.
bool agreeOnGpu(const BatchLine& line, const Tasks& tasks, int threads, Ranks& ranks) {
  if (!sizeDecides(line.backend)) return true;
  bool worth = false;
  if (ranks.rank() == 0)
    worth = worthAGpu(tasks.list.size(), threads * ranks.size(), [&](std::size_t i) {
      return batchItem(tasks.list[i], line.estimateError, line.files).calculation;
    });
  return fromFirst(ranks, worth ? "yes" : "no") == "yes";
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

/// The jobs of this rank; with `results` their spinors are kept and go there.
BatchJobs jobsOf(const BatchLine& line, const Tasks& tasks, BatchResults* results) {
  BatchJobs jobs{tasks.ids, [&line, &tasks, results](std::size_t i) {
                   BatchItem item = batchItem(tasks.list[i], line.estimateError, line.files);
                   if ((results || line.properties) && item.calculation && !item.calculation->isLimit())
                     item.calculation->inBasis().keepSpinors = true;
                   return item;
                 }};
  jobs.properties = line.properties;
  if (!results) return jobs;
  jobs.finished = [&tasks, results](std::size_t i, const Calculation& calculation, const Result& result) {
    results->add(tasks.list[i], calculation, result);
  };
  jobs.again = [&tasks, results](std::size_t i) { return !results->contains(tasks.ids[i]); };
  return jobs;
}

BatchSummary runJobs(const BatchLine& line, const Tasks& tasks, BatchResults* results, int threads,
                     EnergyService& service, Ranks& ranks) {
  const BatchJobs jobs = jobsOf(line, tasks, results);
  const BatchOptions options{line.output, line.resume, threads,
                             line.retryFailed ? Retry::Failed : Retry::None};
  ProgressLine progress("jobs", !line.quiet && ranks.rank() == 0, ProgressLine::When::AtOnce,
                        ProgressLine::AtTheEnd::Stays);
  return runBatch(service, jobs, options, ranks,
                  [&](std::size_t finished, std::size_t total) { progress.show(finished, total); });
}

/// The result file, where one is asked for: all spinors must come together in one process.
std::unique_ptr<BatchResults> openResults(const BatchLine& line, Ranks& ranks) {
  std::unique_ptr<BatchResults> results;
  together(ranks, kBadInput, [&] {
    if (line.hdf5.empty()) return;
    if (ranks.size() > 1)
      throw UsageError("--hdf5: a batch over several processes writes no result file; leave one of them out");
    results = std::make_unique<BatchResults>(line.hdf5, line.resume);
  });
  return results;
}

/// A file in memory, and a path that leads to it as long as it is open.
FileHandle namelessFile(std::string& path) {
  FileHandle file(::memfd_create("cudaprophet batch", MFD_CLOEXEC));
  if (!file.isOpen()) throw Error(std::string("no file in memory for the results: ") + std::strerror(errno));
  path = fmt::format("/proc/self/fd/{}", file.number());
  return file;
}

/// The batch on this rank; the exit status, which is the same on all.
int runBatchOn(BatchLine line, Ranks& ranks) {
  const Tasks tasks = agreeOnTasks(line, ranks);
  const RankPlace place = placeOf(ranks, environment::startedByMpirun());
  const int threads = line.threads > 0 ? line.threads : place.threads;
  const bool worth = agreeOnGpu(line, tasks, threads, ranks);
  const std::unique_ptr<BatchResults> results = openResults(line, ranks);
  Execution execution = executionOf(line.backend, threads);
  execution.ranks = &ranks;
  Opened<EnergyService> service = openEnergyService(execution, worth);
  if (sizeDecides(line.backend) && !worth)
    service.note = "CPU, because so small a batch is done before a GPU has started";
  if (tasks.areLimits) service.note = "CPU, because numerical limits are computed there";
  const std::string who = describeRanks(ranks.allGather(service->description()), place.machines);
  const std::vector<std::string> choices = mergeTexts(ranks, service.note),
                                 hints = mergeTexts(ranks, place.hint);
  const bool speaks = ranks.rank() == 0 && !line.quiet;
  if (speaks) {
    print(fmt::format("{} on {}\n", countOfJobs(tasks.list.size()), who));
    for (const std::string& text : tasks.leftOut) print("left out: " + text + "\n");
    for (const std::string& choice : choices) print("chosen for you: " + choice + "\n");
    for (const std::string& hint : hints) print("hint: " + hint + "\n");
  }
  FileHandle nameless;
  together(ranks, kFailure, [&] {
    if (ranks.rank() == 0 && line.output.empty()) nameless = namelessFile(line.output);
  });
  const ResumeHint hint(nameless.isOpen() ? ""
                                          : "the same command with --resume goes on from " + line.output);
  BatchSummary run = runJobs(line, tasks, results.get(), threads, *service, ranks);
  if (results && results->withoutSpinors() > 0)
    run.notes.push_back(
        fmt::format("{}: {} without P and Q, because a GPU keeps its spinors; --backend cpu has them",
                    line.hdf5, countOfJobs(results->withoutSpinors())));
  int status = kSuccess;
  together(ranks, kFailure, [&] {
    if (ranks.rank() > 0) return;
    // From the file, so that jobs of an earlier run count too.
    const OutputTally tally = tallyJsonLines(line.output, tasks.ids);
    if (!line.csv.empty()) line.files.write(line.csv, batchCsv(line.output, tasks.ids, kVersion));
    if (line.printsLines) line.files.write("-", readFile(line.output));
    if (results) results->write();
    const std::string differences = line.differences ? batchDifferences(line.output, tasks.ids) : "";
    if (!line.keepsLines && !nameless.isOpen()) std::filesystem::remove(line.output);
    if (!line.quiet) print(summaryText(tally, run));
    print(differences);
    status = tally.bad.empty() ? kSuccess : kNotConverged;
  });
  // After the summary is out: a launcher may end all ranks as soon as one has ended with a status other than
  // 0.
  return std::stoi(fromFirst(ranks, std::to_string(status)));
}

}  // namespace

int batchCommand(const std::vector<std::string>& arguments) {
  BatchLine line;
  std::exception_ptr wrong;
  try {
    line = parseBatchLine(arguments);
  } catch (const UsageError&) {
    wrong = std::current_exception();
  }
  if (!line.help.empty()) {
    print(line.help);
    return kSuccess;
  }
  return runOnRanks(arguments, line.mpi, wrong, [&](Ranks& ranks) { return runBatchOn(line, ranks); });
}

}  // namespace prophet
