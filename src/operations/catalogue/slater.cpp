#include <fmt/format.h>

#include <cmath>

#include "atoms/atom/species.hpp"
#include "atoms/levels/slater_parameters.hpp"
#include "core/common/constants.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/level_spinors.hpp"
#include "operations/catalogue/multiplet_files.hpp"
#include "operations/report/report.hpp"

namespace prophet {
namespace {

enum class EnergyUnit { Electronvolt, InverseCentimetre, Hartree };

const Names<EnergyUnit> kUnits{{"eV", EnergyUnit::Electronvolt},
                               {"cm-1", EnergyUnit::InverseCentimetre},
                               {"hartree", EnergyUnit::Hartree}};

double perHartree(EnergyUnit unit) {
  if (unit == EnergyUnit::Hartree) return 1;
  return unit == EnergyUnit::Electronvolt ? constants::kElectronvoltsPerHartree
                                          : constants::kInverseCentimetresPerHartree;
}

struct SlaterOptions {
  EnergyUnit unit = EnergyUnit::Electronvolt;
  std::string shells;
  double scale = 1;
  std::string quanty, edrixs;
};

RequestTable<SlaterOptions> slaterTable() {
  using O = SlaterOptions;
  RequestTable<O> t;
  t.add("unit", &O::unit, kUnits, "of the parameters");
  t.add("shells", &O::shells, "closed shells to list beside the open ones, '3s 3p'").called("SHELLS");
  t.add("scale", &O::scale, "factor of F, G and R, as multiplet programs take for correlation; not of zeta")
      .from(0, 2)
      .byDefault("1");
  t.add("quanty", &O::quanty, "put the configuration into this HDF5 file, as Crispy has them for Quanty")
      .isFile(FileUse::WriteBinary);
  t.add("edrixs", &O::edrixs, "put the configuration into this JSON file, as EDRIXS has them")
      .isFile(FileUse::Write);
  return t;
}

Record slater(const AtomRequest& request, const SlaterOptions& o, const Execution& e) {
  const Stopwatch watch;
  LevelSpinors spinors = levelJob(request, e);
  computeField(spinors, e, false);
  std::vector<SlaterParameter> list = ofSetting("shells", [&] {
    return slaterParameters(spinors.space, spinors.result, spinors.hamiltonian, splitWords(o.shells, " \t,"));
  });
  for (SlaterParameter& p : list) p.value *= perHartree(o.unit) * (isRepulsion(p) ? o.scale : 1);
  std::string unit;
  for (const auto& [name, value] : kUnits)
    if (value == o.unit) unit = name;
  const AtomProblem& problem = spinors.job.calculation.problem;
  Record record;
  record.title = fmt::format("Slater integrals and spin-orbit parameters of {}, {}", atomName(problem),
                             problem.configuration.description);
  addField(spinors, record);
  record.quantities.push_back({"unit", "", unit});
  record.quantities.push_back({"scale", "", o.scale});
  using P = const SlaterParameter&;
  record.tables = {{"parameters",
                    {columnOf(list, "integral", "", [](P p) { return p.integral; }),
                     columnOf(list, "shells", "", [](P p) { return p.shells; }),
                     columnOf(list, "k", "1", [](P p) { return p.k; }),
                     columnOf(list, "value", unit, [](P p) { return p.value; })},
                    Table::Layout::Rows,
                    {"", "", "{:.0f}", "{:.8g}"},
                    1000}};
  record.csvComments = false;
  record.device = "CPU";
  record.seconds = watch.seconds();
  for (SlaterParameter& p : list) p.value *= constants::kElectronvoltsPerHartree / perHartree(o.unit);
  const int z = static_cast<int>(std::lround(problem.nucleus.charge));
  const std::string ion = ionName(z, z - static_cast<int>(std::lround(spinors.space.average.electrons())));
  const auto put = [&](const char* setting, const std::string& path, const auto& fileOf) {
    if (path.empty()) return;
    const auto contentAfter = [&](const std::string& before) {
      return fileOf(ion, spinors.space, list, before);
    };
    ofSetting(setting, [&] {
      if (path == "-" || !canBeLocked(path)) return e.write(path, contentAfter(""));
      LockedFile file(path, LockedFile::Wait::Wait);  // other runs may extend it at the same time
      file.replace(contentAfter(file.read()));
    });
  };
  put("quanty", o.quanty, quantyFile);
  put("edrixs", o.edrixs, edrixsFile);
  return record;
}

}  // namespace

Operation slaterOperation() {
  Operation o;
  o.name = jobName(JobType::Slater);
  o.summary = "Slater integrals and spin-orbit parameters";
  o.description =
      "F^k, G^k and spin-orbit parameters zeta of the open shells of a configuration, and R^k between "
      "several, for multiplet programs; core holes by hole='2p'." +
      std::string(kAtomAndKeywords);
  o.example = "slater ATOM";
  o.table = "integral, shells, k, value";
  return jobOperation(JobType::Slater, std::move(o), slaterTable(), slater);
}

}  // namespace prophet
