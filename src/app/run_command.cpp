#include "app/run_command.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "app/bsopt_job.hpp"
#include "app/chain_job.hpp"
#include "app/exit_status.hpp"
#include "app/limit_job.hpp"
#include "app/print.hpp"
#include "app/usage_error.hpp"
#include "app/version.hpp"
#include "calculation/backend_choice.hpp"
#include "calculation/calculation.hpp"
#include "common/write_file.hpp"
#include "input/diagnostics.hpp"
#include "input/keywords.hpp"
#include "input/parse_job.hpp"
#include "report/report.hpp"

namespace prophet {
namespace {

int finish(const EnergyResult& result, int maxIterations) {
  if (result.scf.converged) {
    print("\nConverged.\n");
    return kSuccess;
  }
  print(fmt::format(
      "\nNOT CONVERGED after {} iterations (maxitr {}): the energy above is not to be trusted. Raise maxitr, "
      "or try ixtrp=0 with a larger dfctr.\n",
      result.scf.iterations.size(), maxIterations));
  return kNotConverged;
}

/// What is wrong with a job as a whole (a basis that cannot hold the electrons, say) is wrong input as well.
Calculation resolveFile(const std::string& file, BackendRequest backend) {
  Job job;
  try {
    job = readJobFile(file);
  } catch (const InputErrors&) {
    throw;
  } catch (const Error& e) {
    throw UsageError(e.what());
  }
  try {
    return resolve(job, backend);
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
  only(line.resume, "--resume", jobBit(JobType::BasisOptimisation) | jobBit(JobType::Chain));
}

}  // namespace

int runCommand(const CommandLine& line) {
  Calculation calculation = resolveFile(line.file, line.backend);
  checkOptions(line, calculation.job.type);
  if (line.check) {
    print(fmt::format("{}: no errors\n", line.file));
    return kSuccess;
  }
  if (calculation.job.type == JobType::BasisOptimisation) return runBsoptJob(line, calculation);
  if (calculation.job.type == JobType::Chain) return runChainJob(line, calculation);
  if (calculation.job.type == JobType::Limit) {
    if (line.backend == BackendRequest::Cuda)
      throw Error("--backend cuda: jobtype='limit' runs on the CPU; leave --backend out");
    if (line.device) throw UsageError("--device: jobtype='limit' runs on the CPU; leave --device out");
    return runLimitJob(line, calculation);
  }
  if (line.device && calculation.fock == FockKind::Grid)
    throw UsageError(
        "--device: one calculation on the grid runs on the CPU; use fock='stored', 'stse' or 'mtse', or leave "
        "--device out");
  const auto gpu = chooseBackend(calculation, line.backend, line.device.value_or(0));
  const RunOptions options{line.threads, gpu.get()};
  ScfObserver observer;
  if (!line.quiet) {
    print(reportHeader(kVersion, calculation) + reportJob(calculation) +
          reportBasis(calculation, line.verbose) + reportIterationHead());
    observer = [](const ScfIteration& step) { print(reportIteration(step)); };
  }
  const EnergyResult result = calculateEnergy(calculation, options, observer);
  // Before the file: where that cannot be written, the energy is not lost.
  print(line.quiet ? fmt::format("{:.10f}\n", totalWithCorrections(result.scf, result.corrections))
                   : reportResult(calculation, result) + reportTimings(result));
  if (!line.jsonFile.empty())
    writeFileAtomically(line.jsonFile, jsonResult(kVersion, calculation, result) + "\n");
  if (line.quiet) return result.scf.converged ? kSuccess : kNotConverged;
  if (line.verifyGrid) print(reportGridCheck(verifyGrid(calculation, options)));
  return finish(result, calculation.job.scf.maxIterations);
}

}  // namespace prophet
