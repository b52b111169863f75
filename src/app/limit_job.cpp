#include "app/limit_job.hpp"

#include <fmt/format.h>

#include "app/exit_status.hpp"
#include "app/print.hpp"
#include "calculation/limit_run.hpp"
#include "common/stopwatch.hpp"
#include "common/version.hpp"
#include "common/write_file.hpp"
#include "report/limit_report.hpp"

namespace prophet {
int runLimitJob(const CommandLine& line, const Calculation& c) {
  if (!line.quiet) print(reportLimitJob(kVersion, c));
  const Stopwatch watch;
  const LimitResult result = runLimit(c, line.threads);
  const double seconds = watch.seconds();
  if (!line.jsonFile.empty())
    writeFileAtomically(line.jsonFile, jsonLimit(kVersion, c, result, seconds) + "\n");
  const int status = result.converged ? kSuccess : kNotConverged;
  if (line.quiet) {
    print(fmt::format("{:.10f}\n", result.energy + result.firstOrder));
    return status;
  }
  print(reportLimit(c, result, seconds));
  print(result.converged
            ? "\nConverged.\n"
            : fmt::format("\nNOT CONVERGED within {} iterations (maxitr): the energy above is not to be "
                          "trusted. Raise maxitr.\n",
                          c.job.scf.maxIterations));
  return status;
}

}  // namespace prophet
