#include "frontends/app/run_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "core/common/heap.hpp"
#include "core/common/read_file.hpp"
#include "core/common/version.hpp"
#include "frontends/app/bsopt_job.hpp"
#include "frontends/app/chain_job.hpp"
#include "frontends/app/environment.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/operation_command.hpp"
#include "frontends/app/orbital_output.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/progress_line.hpp"
#include "frontends/app/restart.hpp"
#include "frontends/app/usage_error.hpp"
#include "operations/catalogue/operation_input.hpp"
#include "operations/input/diagnostics.hpp"
#include "operations/input/keywords.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/jobs/backend_choice.hpp"
#include "operations/jobs/job_warnings.hpp"
#include "operations/jobs/result_record.hpp"
#include "operations/report/json_report.hpp"
#include "operations/report/properties_report.hpp"
#include "operations/report/report.hpp"
#include "operations/report/text_parts.hpp"

namespace prophet {
namespace {

std::string verdict(const Calculation& c, const Result& result) {
  if (result.ok()) return "\nConverged.\n";
  if (result.status == Status::Unbound) return "\nNOT BOUND: " + result.reason + ".\n";
  if (c.isLimit()) {
    return fmt::format(
        "\nNOT CONVERGED within {} iterations (maxitr): the energy above is not to be trusted. Raise "
        "maxitr.\n",
        c.limit().maxIterations);
  }
  return fmt::format(
      "\nNOT CONVERGED after {} iterations (maxitr {}): the energy above is not to be trusted. Raise maxitr, "
      "or try ixtrp=0 with a larger dfctr.\n",
      result.iterations, c.inBasis().scf.maxIterations);
}

int statusOf(const Result& result) { return result.ok() ? kSuccess : kNotConverged; }

/// Standard input or a pipe.
bool isStream(const std::string& file) {
  std::error_code none;
  return isStandardStream(file) || std::filesystem::is_fifo(file, none);
}

/// What a stream holds, up to more than any input file has.
std::string textOfStream(const std::string& file) {
  constexpr std::streamsize kMost = 4 * 1024 * 1024;
  std::ifstream pipe;
  if (!isStandardStream(file)) pipe.open(file);
  std::istream& in = isStandardStream(file) ? std::cin : pipe;
  std::string text(static_cast<std::size_t>(kMost), '\0');
  in.read(text.data(), kMost);
  if (in.gcount() == kMost) throw Error(file + ": error: more than 4 MiB; this is no input file");
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

/// What messages call the input.
std::string nameOf(const CommandLine& line) {
  return isStandardStream(line.file) ? "standard input" : line.file;
}

/// The text of the input; that of a stream is kept, as it can be read once only.
std::string textOf(CommandLine& line) {
  try {
    return isStream(line.file) ? line.inputText = textOfStream(line.file) : readInputText(line.file);
  } catch (const Error& e) {
    throw UsageError(e.what());
  }
}

/// What is wrong with a job as a whole (a basis that cannot hold the electrons, say) is wrong input as well.
ResolvedJob resolveText(const std::string& text, const CommandLine& line) {
  const std::string file = nameOf(line);
  Job job;
  try {
    job = parseJob(text, file);
    if (isStream(line.file) && (job.type == JobType::BasisOptimisation || job.type == JobType::Chain))
      throw Error(describeJobs(jobBit(job.type)) +
                  " leaves its sets and its state beside the input file: give it as a file");
    job.basisSets = environment::basisSets();
  } catch (const InputErrors&) {
    throw;
  } catch (const Error& e) {
    throw UsageError(e.what());
  }
  try {
    return resolve(job, line.backend);
  } catch (const Error& e) {
    throw UsageError(file + ": error: " + e.what());
  }
}

/// Options that a job does not have must not pass in silence.
void checkOptions(const CommandLine& line, JobType type) {
  const auto only = [type](bool given, const char* option, JobSet jobs) {
    if (given && (jobs & jobBit(type)) == 0)
      throw UsageError(fmt::format("{} is not used by {}; it belongs to {}", option,
                                   describeJobs(jobBit(type)), describeJobs(jobs)));
  };
  only(line.verifyGrid, "--verify-grid", jobBit(JobType::Energy));
  only(line.noErrorEstimate, "--no-error-estimate", jobBit(JobType::Energy));
  const JobSet results = jobBit(JobType::Energy) | jobBit(JobType::Limit);
  only(!line.hdf5File.empty(), "--hdf5", results);
  only(line.properties, "--properties", results);
  only(!line.orbitalsFile.empty(), "--orbitals", results);
  only(!line.restartFile.empty(), "--restart", jobBit(JobType::Energy));
  only(line.resume, "--resume", jobBit(JobType::BasisOptimisation) | jobBit(JobType::Chain));
}

/// A GPU that was asked for by its number and would not be used must not be passed over in silence.
void requireUseForDevice(const CommandLine& line, const Calculation& c) {
  if (!line.device) return;
  if (c.isLimit()) throw UsageError("--device: jobtype='limit' runs on the CPU; leave --device out");
  if (c.inBasis().fock == FockKind::Grid)
    throw UsageError(
        "--device: one calculation on the grid runs on the CPU; use fock='stored', 'stse' or 'mtse', or "
        "leave "
        "--device out");
}

/// What standard error hears of a result that is not to be trusted; where the report is not printed, of
/// warnings too.
void complain(const Result& result, bool quiet) {
  if (!result.ok()) {
    const std::string status = nameOf(result.status);
    const bool said = result.reason.compare(0, status.size(), status) == 0;
    fmt::print(stderr, "cudaprophet: {}\n", said ? result.reason : status + ": " + result.reason);
  }
  if (!quiet) return;
  for (const Warning& warning : result.warnings) {
    if (warning.text != result.reason) fmt::print(stderr, "cudaprophet: warning: {}\n", warning.text);
  }
}

/// Hundredths of a limit's work that are done: half of it for each resolution, there as the logarithm of the
/// residual falls.
class LimitShare {
 public:
  std::size_t after(const LimitStep& step) {
    if (step.resolution != resolution_) first_ = 0;
    resolution_ = step.resolution;
    first_ = std::max(first_, step.residual);
    const double whole = std::log(first_ / step.threshold);
    const double done = whole > 0 ? std::log(first_ / step.residual) / whole : 1.0;
    const auto share = static_cast<std::size_t>(50.0 * (resolution_ - 1 + std::clamp(done, 0.0, 1.0)));
    return shown_ = std::max(shown_, share);  // on a larger mesh it begins again
  }

 private:
  int resolution_ = 1;
  double first_ = 0;
  std::size_t shown_ = 0;
};

/// The result; a line on a terminal says how far a limit is.
Result computed(const Calculation& c, const CommandLine& line, StoredSolver* gpu,
                const ScfObserver& observer) {
  if (!c.isLimit()) {
    Resources resources{line.threads, gpu};
    resources.hostIfGpuFails = line.backend == BackendRequest::Automatic;
    return compute(c, resources, observer);
  }
  ProgressLine progress("%", !line.quiet);
  LimitShare share;
  Resources resources{line.threads, nullptr};
  resources.limitObserver = [&](const LimitStep& step) {
    progress.show(share.after(step), 100, fmt::format("iteration {}", step.iteration));
  };
  return compute(c, resources);
}

/// The best set takes the place of that of an earlier run, but of no file of somebody else.
void refuseForeignBest(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return;
  const std::string mark = "! energy ";
  if (readFile(path).compare(0, mark.size(), mark) != 0)
    throw Error(path +
                " is no set that an optimisation has left; move it away, because the best set goes there");
}

/// What the outputs of this command line need beside the energy.
void askForOutputs(const CommandLine& line, Calculation& c) {
  if (c.isLimit()) return;
  c.inBasis().estimateError = !line.noErrorEstimate;
  c.inBasis().keepSpinors =
      line.properties || !line.jsonFile.empty() || !line.hdf5File.empty() || !line.orbitalsFile.empty();
}

/// An energy or a limit.
int runEnergyJob(const CommandLine& line, ResolvedJob& job) {
  growHeapInLargePages(line.threads);
  const Calculation& c = job.calculation;
  askForOutputs(line, job.calculation);
  const Eigen::VectorXd radii =
      line.orbitalGrid.empty() ? Eigen::VectorXd() : parseOrbitalGrid(line.orbitalGrid);
  std::string start;
  if (!line.restartFile.empty()) {
    Restart restart = restartFrom(line.restartFile, job);
    job.calculation.inBasis().start = std::move(restart.spinors);
    start = "\n" + keyValue("start", restart.description);
  }
  if (c.isLimit() && line.backend == BackendRequest::Cuda)
    throw Error("--backend cuda: jobtype='limit' runs on the CPU; leave --backend out");
  requireUseForDevice(line, c);
  const auto gpu =
      c.isLimit() ? nullptr
                  : chooseBackend(job, line.backend, line.device.value_or(0), environment::cudaLibrary());
  ScfObserver observer;
  if (!line.quiet) {
    print(reportHeader(kVersion, job) + reportJob(job) + start);
    if (!c.isLimit()) {
      print(reportBasis(c.inBasis().basis, line.verbose) + reportIterationHead());
      observer = [](const ScfIteration& step) { print(reportIteration(step)); };
    }
  }
  Result result = computed(c, line, gpu.get(), observer);
  addJobWarnings(job, result);
  // Before the file: where that cannot be written, the energy is not lost.
  if (line.quiet) {
    print(fmt::format("{:.10f}\n", result.energy.withCorrections()));
  } else {
    print(reportResult(result));
    if (line.properties && result.wavefunction) print(reportProperties(propertiesOf(c, result)));
    if (!c.isLimit()) print(reportTimings(result));
  }
  if (!line.jsonFile.empty()) line.files.write(line.jsonFile, jsonResult(job, result) + "\n");
  if (!line.orbitalsFile.empty())
    line.files.write(line.orbitalsFile, orbitalsText(line.orbitalsFile, job, result, radii));
  if (!line.hdf5File.empty()) {
    ResultRecord record = recordOf(job.job.file, job.job.title, c, result);
    if (!line.inputText.empty()) record.input = line.inputText;
    writeResult(line.hdf5File, record);
  }
  if (line.quiet) {
    complain(result, true);
    return statusOf(result);
  }
  if (line.verifyGrid) print(reportGridCheck(verifyGrid(c, line.threads)));
  print(verdict(c, result));
  complain(result, false);
  return statusOf(result);
}

}  // namespace

int runCommand(CommandLine line) {
  const std::string text = textOf(line);
  if (const auto input = readOperationInput(text, nameOf(line))) return runOperationInput(*input, line);
  return runJob(resolveText(text, line), line);
}

int runJob(ResolvedJob job, CommandLine& line) {
  checkOptions(line, job.job.type);
  for (const std::string& file : filesOf(job.job)) line.files.reads(file);
  if (line.check) {
    print(fmt::format("{}: no errors\n", job.job.file));
    return kSuccess;
  }
  line.files.open();
  if (job.job.type == JobType::BasisOptimisation || job.job.type == JobType::Chain)
    refuseForeignBest(line.file + ".best");
  switch (job.job.type) {
    case JobType::BasisOptimisation:
      return runBsoptJob(line, job);
    case JobType::Chain:
      return runChainJob(line, job);
    case JobType::Energy:
    case JobType::Limit:
      break;
  }
  return runEnergyJob(line, job);
}

}  // namespace prophet
