#include "frontends/app/formfactor_command.hpp"

#include <fmt/format.h>

#include <boost/math/constants/constants.hpp>
#include <cstdio>
#include <mutex>

#include "atoms/basis/library.hpp"
#include "atoms/calculation/compute.hpp"
#include "core/common/thread_pool.hpp"
#include "core/common/version.hpp"
#include "frontends/app/environment.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/formfactor_line.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/progress_line.hpp"
#include "matter/scattering/electron_scattering.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {
namespace {

Job jobOf(const FormfactorLine& line, const Species& species) {
  Job job;
  job.type = line.limit ? JobType::Limit : JobType::Energy;
  job.nucleus.charge = species.z;
  job.nucleus.model = line.nucleus;
  job.nuclearModelGiven = true;
  job.configuration.text = species.configuration;
  job.configuration.groundState = species.configuration.empty();
  job.configuration.charge = species.charge;
  job.hamiltonian.shell = line.shell;
  job.basisSets = environment::basisSets();
  job.libraryName = line.library;
  return job;
}

Eigen::VectorXd factors(const FormfactorLine& line, int z, const Result& result, const Eigen::VectorXd& q) {
  return line.kind == FactorKind::Xray ? formFactor(result, q, line.transform)
                                       : electronScatteringFactor(result, z, q, line.transform);
}

SpeciesFactors computed(const FormfactorLine& line, const Species& species) {
  SpeciesFactors out;
  out.species = species;
  out.configuration = species.configuration;
  ResolvedJob job = resolve(jobOf(line, species));
  out.configuration = job.calculation.problem.configuration.description;
  out.nucleus = job.calculation.problem.nucleus.description();
  if (!line.limit) {
    job.calculation.inBasis().keepSpinors = true;
    out.basis = job.calculation.inBasis().basis.description;
  }
  const Result result = compute(job.calculation);
  out.status = result.status;
  out.reason = result.reason;
  if (result.status != Status::Converged && result.status != Status::Unbound) return out;
  out.values = factors(line, species.z, result, line.q);
  if (line.shells) {
    for (const Spinor& s : result.spinors) out.spinorNames.push_back(s.label());
    out.spinors = spinorFormFactors(result, line.q, line.transform);
  }
  if (line.form) {
    const Eigen::VectorXd s = fitSamples(*line.form);
    const double fourPi = 4 * boost::math::double_constants::pi;
    out.fit = fitGaussians(*line.form, s, factors(line, species.z, result, fourPi * s));
  }
  return out;
}

/// One species must not spoil the others.
SpeciesFactors computedOrReason(const FormfactorLine& line, const Species& species) {
  try {
    return computed(line, species);
  } catch (const Error& e) {
    SpeciesFactors failed;
    failed.species = species;
    failed.configuration = species.configuration;
    failed.reason = e.what();
    return failed;
  }
}

FactorTable tableOf(const FormfactorLine& line) {
  FactorTable table{fmt::format("cudaprophet {}", kVersion), line.kind, line.q, line.form, {}};
  table.species.resize(line.species.size());
  ProgressLine progress("species", true);
  std::mutex mutex;
  std::size_t finished = 0;
  const int count = static_cast<int>(line.species.size());
  ThreadPool(line.threads).forEach(count, [&](int i, int) {
    table.species[i] = computedOrReason(line, line.species[i]);
    const std::lock_guard<std::mutex> lock(mutex);
    progress.show(++finished, line.species.size());
  });
  return table;
}

/// Says on standard error what is not to be trusted; the exit status.
int judge(const FactorTable& table) {
  int status = kSuccess;
  for (const SpeciesFactors& s : table.species) {
    if (s.status == Status::Converged) continue;
    status = kNotConverged;
    const std::string text =
        s.status == Status::Unbound
            ? fmt::format(
                  "warning: {} is not bound as a free ion; its values depend on the basis set and "
                  "describe no ion in a crystal: {}",
                  s.species.name, s.reason)
            : fmt::format("error: {} has no values: {}", s.species.name, s.reason);
    std::fputs(fmt::format("cudaprophet: {}\n", text).c_str(), stderr);
  }
  return status;
}

}  // namespace

int formfactorCommand(const std::vector<std::string>& arguments) {
  FormfactorLine line = parseFormfactorLine(arguments);
  if (!line.help.empty()) {
    print(line.help);
    return kSuccess;
  }
  line.files.open();
  const FactorTable table = tableOf(line);
  const bool written = !line.csvFile.empty() || !line.jsonFile.empty();
  if (line.form || !written) {
    const std::string text = line.form ? fitsText(table, line.format) : factorsText(table);
    if (line.outFile.empty()) {
      print(text);
    } else {
      line.files.write(line.outFile, text);
    }
  }
  if (!line.csvFile.empty()) line.files.write(line.csvFile, factorsCsv(table));
  if (!line.jsonFile.empty()) line.files.write(line.jsonFile, factorsJson(table));
  return judge(table);
}

}  // namespace prophet
