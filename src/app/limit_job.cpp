#include "app/limit_job.hpp"

#include <fmt/format.h>

#include "app/exit_status.hpp"
#include "app/print.hpp"
#include "app/version.hpp"
#include "calculation/limit_run.hpp"
#include "common/stopwatch.hpp"
#include "common/write_file.hpp"
#include "report/limit_report.hpp"

namespace prophet {
int runLimitJob(const CommandLine& line, const Calculation& c) {
  if (!line.quiet) print(reportLimitJob(kVersion, c));
  const Stopwatch watch;
  const LimitResult result = runLimit(c, line.threads);
  const double seconds = watch.seconds();
  const int status = result.converged ? kSuccess : kNotConverged;
  // Before the file: where that cannot be written, the energy is not lost.
  print(line.quiet ? fmt::format("{:.10f}\n", result.energy + result.firstOrder) : reportLimit(c, result, seconds));
  if (!line.jsonFile.empty())
    writeFileAtomically(line.jsonFile, jsonLimit(kVersion, c, result, seconds) + "\n");
  if (line.quiet) return status;
  print(result.converged
            ? "\nConverged.\n"
            : fmt::format("\nNOT CONVERGED within {} iterations (maxitr): the energy above is not to be "
                          "trusted. Raise maxitr.\n",
                          c.job.scf.maxIterations));
  return status;
}

}  // namespace prophet
