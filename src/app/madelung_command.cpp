#include "app/madelung_command.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/device_engine.hpp"
#include "app/exit_status.hpp"
#include "app/madelung_line.hpp"
#include "app/madelung_report.hpp"
#include "app/matter_options.hpp"
#include "app/print.hpp"
#include "common/error.hpp"
#include "madelung/direct_ewald.hpp"
#include "madelung/madelung_constant.hpp"
#include "structure/frames.hpp"

namespace prophet {
namespace {

/// Up to so many sites Ewald's sum takes no longer than a mesh.
constexpr Eigen::Index kFewSites = 512;
/// Parts of the potentials by which an estimated error leaves no digit right; and factor by which estimates
/// miss.
constexpr double kUseless = 0.03, kMissed = 3;
/// Seconds that a GPU takes to start.
constexpr double kGpuStart = 1;

/// Refuses parameters with which the sums mean nothing, and warns of those that miss the tolerance.
void judge(const SpmeParameters& parameters, const MadelungLine& line, MadelungResult& r) {
  const double error = estimatedErrors(r.structure.cell, parameters).all();
  if (!(error < std::max(kUseless, kMissed * line.request.tolerance)))
    throw Error(
        fmt::format("with this splitting, cutoff, mesh and order the estimated error is {:.2g} of the "
                    "potentials; leave out "
                    "--beta, --cutoff, --mesh or --order, and the program chooses them by --tolerance",
                    error));
  if (error > kMissed * line.request.tolerance)
    r.warnings.push_back(fmt::format(
        "the estimated error is {:.1e} of the potentials, above the tolerance of {:g}: it comes from the "
        "given splitting, cutoff, mesh or order",
        error, line.request.tolerance));
}

MadelungResult computed(const MadelungLine& line) {
  MadelungResult r;
  r.file = line.file;
  const Structure structure = readStructure(line.file);
  r.warnings = structure.warnings;
  try {
    r.structure = chargedStructure(structure, line.charges);
    const ChargedCell& cell = r.structure.cell;
    if (line.mesh.value_or(cell.sites() > kFewSites)) {
      check(cell, line.netCharge);
      r.parameters = chosenParameters(cell, line.request);
      judge(*r.parameters, line, r);
      const auto engine = spmeEngineFor(line.backend, line.threads,
                                        secondsOnProcessor(cell, *r.parameters) > kGpuStart, r.note);
      r.sums = engine->compute(cell, *r.parameters, nullptr);
      r.device = engine->name();
    } else {
      r.sums = directEwald(cell, line.netCharge, line.threads);
      r.device = fmt::format("CPU, {} {}", line.threads, line.threads == 1 ? "thread" : "threads");
    }
    r.nearest = nearestDistance(cell);
    const bool neutral = std::abs(cell.charges.sum()) < 1e-6 * cell.charges.cwiseAbs().sum();
    if (neutral) r.constant = madelungConstant(cell, r.structure.kinds, r.sums.energy);
  } catch (const Error& e) {
    throw Error(line.file + ": " + e.what());
  }
  return r;
}

}  // namespace

int madelungCommand(const std::vector<std::string>& arguments) {
  MadelungLine line = parseMadelungLine(arguments);
  if (!line.help.empty()) {
    print(line.help);
    return kSuccess;
  }
  line.files.open();
  const MadelungResult result = computed(line);
  if (!line.jsonFile.empty()) line.files.write(line.jsonFile, madelungJson(result));
  print(madelungText(result));
  printWarnings(result.warnings);
  return kSuccess;
}

}  // namespace prophet
