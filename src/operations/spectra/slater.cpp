#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "atoms/atom/shell_list.hpp"
#include "atoms/atom/species.hpp"
#include "atoms/levels/slater_parameters.hpp"
#include "core/common/constants.hpp"
#include "core/common/files.hpp"
#include "core/common/listed_words.hpp"
#include "core/common/text.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/setting_values.hpp"
#include "operations/record/report.hpp"
#include "operations/spectra/core_valence_levels.hpp"
#include "operations/spectra/level_spinors.hpp"
#include "operations/spectra/multiplet_files.hpp"

namespace prophet {
namespace {

enum class EnergyUnit { Electronvolt, InverseCentimetre, Hartree };

}  // namespace

template <>
const Names<EnergyUnit>& namesOf() {
  static const Names<EnergyUnit> names{{"eV", EnergyUnit::Electronvolt},
                                       {"cm-1", EnergyUnit::InverseCentimetre},
                                       {"hartree", EnergyUnit::Hartree}};
  return names;
}

namespace {

double perHartree(EnergyUnit unit) {
  if (unit == EnergyUnit::Hartree) return 1;
  return unit == EnergyUnit::Electronvolt ? constants::kElectronvoltsPerHartree
                                          : constants::kInverseCentimetresPerHartree;
}

Table parametersTable(const std::vector<SlaterParameter>& list, const std::string& unit) {
  using P = const SlaterParameter&;
  return {"parameters",
          {columnOf(list, {"integral", "", "`F`, `G`, `R`, `h`, `zeta` or `zeta_radial`"},
                    [](P p) { return p.integral; }),
           columnOf(list, {"shells", "", "shells of the integral"}, [](P p) { return p.shells; }),
           columnOf(list, {"k", "1", "rank", "{:.0f}"}, [](P p) { return p.k; }),
           columnOf(list, {"value", unit, "value, in `unit`", "{:.8g}"}, [](P p) { return p.value; })},
          Table::Layout::Rows,
          1000};
}

/// Parameters with the correlation of the core, and without it.
Table screenedTable(const std::vector<SlaterParameter>& list, const std::vector<SlaterParameter>& bare,
                    const std::string& unit) {
  Table table = parametersTable(list, unit);
  table.firstWith = "core_valence";
  table.columns.push_back(columnOf(bare,
                                   {"valence", unit, "the same without the core's correlation", "{:.8g}"},
                                   [](const SlaterParameter& p) { return p.value; }));
  return table;
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
  t.add("unit", &O::unit, prophet::namesOf<EnergyUnit>(), "of the parameters");
  t.add("shells", &O::shells, "closed or empty shells to list beside the open ones, '3s 3p'")
      .called("SHELLS");
  t.add("scale", &O::scale, "factor of F, G and R, as multiplet programs take for correlation; not of zeta")
      .from(0, 2)
      .byDefault("1");
  t.add("quanty", &O::quanty, "put the configuration into this HDF5 file, as Crispy has them for Quanty")
      .isFile(FileUse::WriteBinary);
  t.add("edrixs", &O::edrixs, "put the configuration into this JSON file, as EDRIXS has them")
      .isFile(FileUse::Write);
  return t;
}

/// What is listed.
struct ListedShells {
  std::vector<std::string> closed;  ///< names of full shells beside the open ones
  std::vector<Shell> empty;
  std::vector<Shell> inFiles;  ///< of a single configuration, by n and l
};

/// The shell that multiplet theory is about in the series that an element belongs to.
std::optional<Shell> seriesShell(double nuclearCharge) {
  struct Series {
    int first, last, n, l;
  };
  constexpr Series kSeries[] = {{19, 30, 3, 2}, {37, 48, 4, 2},  {55, 71, 4, 3},
                                {72, 80, 5, 2}, {87, 103, 5, 3}, {104, 112, 6, 2}};
  for (const Series& s : kSeries)
    if (s.first <= nuclearCharge && nuclearCharge <= s.last) return Shell{s.n, s.l};
  return std::nullopt;
}

bool isSame(const Shell& a, const Shell& b) { return a.n == b.n && a.l == b.l; }

/// Open shells, those that are named, and that of the series where nothing but holes is open below it: empty
/// (Ti4+, Ce4+) or full (Cu+). Throws SettingError where there are none.
ListedShells listedShells(const LevelSpinors& spinors, const std::vector<std::string>& names) {
  if (spinors.space.configurations.size() > 1) return {names, {}, {}};
  const AtomProblem& problem = spinors.job.calculation.problem;
  const LevelSpace::Part& part = spinors.space.configurations.front();
  ListedShells list;
  std::vector<Shell> named;
  const auto add = [&](const Shell& shell, std::vector<Shell>& to) {
    const auto place = std::ranges::find_if(part.shells, [&](const Shell& s) { return isSame(s, shell); });
    if (place != part.shells.end()) {
      list.closed.push_back(shell.name());
      to.push_back(*place);
    } else if (std::ranges::none_of(list.empty, [&](const Shell& s) { return isSame(s, shell); })) {
      list.empty.push_back({shell.n, shell.l});
    }
  };
  for (const Shell& s : part.shells)
    if (!s.full()) list.inFiles.push_back(s);
  const auto series = seriesShell(problem.nucleus.charge);
  const bool isIon = problem.nucleus.charge - problem.configuration.electrons() > 0.5;
  const bool isThere =
      series && std::ranges::any_of(part.shells, [&](const Shell& s) { return isSame(s, *series); });
  if (series && (isIon || isThere) &&
      std::ranges::all_of(list.inFiles, [&](const Shell& s) { return isFilledBefore(s, *series); }))
    add(*series, list.inFiles);
  for (const Shell& s : namedShells(part.text))
    if (s.electrons == 0) add(s, named);
  for (const std::string& name : names) add(shellNamed(name), named);
  list.inFiles.insert(list.inFiles.end(), list.empty.begin(), list.empty.end());
  if (list.inFiles.empty()) list.inFiles = named;
  if (list.inFiles.empty())
    throw SettingError("shells", fmt::format("{} of {} has no open shell; name those whose parameters you "
                                             "want, full or empty ones too, such as '2p'",
                                             part.text, atomName(problem)));
  std::ranges::sort(list.inFiles, {}, [](const Shell& s) { return std::pair(s.n, s.l); });
  return list;
}

/// Whether a parameter is one of a shell, or of one of its spinors.
bool isOf(const SlaterParameter& parameter, const Shell& shell) {
  const std::string name = shell.name();
  return std::ranges::any_of(split(parameter.shells, ','), [&](const std::string& s) {
    return s.starts_with(name) && s.find_first_not_of("0123456789/", name.size()) == std::string::npos;
  });
}

/// The configuration with one electron in an empty shell.
std::string withElectronIn(const Shell& shell, std::vector<Shell> shells) {
  shells.push_back({shell.n, shell.l, 0, 1});
  return configurationText(std::move(shells));
}

/// The parameters of an empty shell: those of an electron that is put into it.
std::vector<SlaterParameter> ofEmptyShell(const Shell& shell, const LevelSpinors& spinors,
                                          const std::vector<std::string>& closed, const AtomRequest& request,
                                          const Execution& e) {
  AtomRequest with = request;
  with.job.configuration =
      request.job.configuration.withText(withElectronIn(shell, spinors.space.configurations[0].shells));
  LevelSpinors other = levelJob(with, e);
  computeField(other, e, false);
  std::vector<SlaterParameter> list = slaterParameters(other.space, other.result, other.hamiltonian, closed);
  std::erase_if(list, [&](const SlaterParameter& p) { return !isOf(p, shell); });
  return list;
}

/// What the parameters are of, and their table.
void addParameters(const SlaterOptions& o, Table table, const char* accuracy, Record& record) {
  const std::string& unit = prophet::nameOf(o.unit);
  record.quantities.push_back({"unit", "", unit});
  record.quantities.push_back({"scale", "", o.scale});
  record.quantities.push_back(
      {"", "parameters", {}, fmt::format("{}, in {}", table.rows(), unit), Quantity::Place::Result});
  record.quantities.push_back({"", "accuracy", {}, accuracy, Quantity::Place::Accuracy});
  record.tables = {std::move(table)};
  record.csvComments = false;
  record.device = "CPU";
}

/// Parameters with the correlation of the core.
Record coreValenceSlater(const AtomRequest& request, const SlaterOptions& o, const Execution& e) {
  const Stopwatch watch;
  refuseTogether(
      "core_valence=, whose shells are those of the configurations; name one that has it, as in '3s2 "
      "| 3s 3d'",
      {{"shells", !o.shells.empty()}});
  refuseTogether("core_valence=, which is the correlation that it stands for", {{"scale", o.scale != 1}});
  refuseTogether("core_valence=", {{"quanty", !o.quanty.empty()}, {"edrixs", !o.edrixs.empty()}});
  Record record;
  CoreValenceParameters parameters = coreValenceParameters(request, record, e);
  for (auto* list : {&parameters.with, &parameters.without})
    for (SlaterParameter& p : *list) p.value *= perHartree(o.unit);
  addParameters(o, screenedTable(parameters.with, parameters.without, prophet::nameOf(o.unit)),
                "the correlation of the core with the valence electrons in second order; that between the "
                "valence electrons is not in them",
                record);
  record.seconds = watch.seconds();
  return record;
}

Record slater(const AtomRequest& request, const SlaterOptions& o, const Execution& e) {
  if (request.job.coreValence.coreValence) return coreValenceSlater(request, o, e);
  const Stopwatch watch;
  LevelSpinors spinors = levelJob(request, e);
  const ListedShells shells =
      ofSetting("shells", [&] { return listedShells(spinors, listedWords(o.shells)); });
  computeField(spinors, e, false);
  std::vector<SlaterParameter> list = ofSetting("shells", [&] {
    return slaterParameters(spinors.space, spinors.result, spinors.hamiltonian, shells.closed);
  });
  Json empty = Json::array();
  std::string emptyText;
  for (const Shell& s : shells.empty) {
    const std::vector<SlaterParameter> its = ofEmptyShell(s, spinors, shells.closed, request, e);
    list.insert(list.end(), its.begin(), its.end());
    const std::string text = withElectronIn(s, spinors.space.configurations[0].shells);
    empty.push_back({{"shell", s.name()}, {"configuration", text}});
    emptyText += fmt::format("{}{}, with the parameters of an electron in it, {}",
                             emptyText.empty() ? "" : "; ", s.name(), text);
  }
  for (SlaterParameter& p : list) p.value *= perHartree(o.unit) * (isRepulsion(p) ? o.scale : 1);
  const AtomProblem& problem = spinors.job.calculation.problem;
  Record record;
  record.title = fmt::format("Slater integrals and spin-orbit parameters of {}, {}", atomName(problem),
                             problem.configuration.description);
  addField(spinors, record);
  if (!empty.empty()) record.quantities.push_back({"empty_shells", "empty shells", empty, emptyText});
  addParameters(o, parametersTable(list, prophet::nameOf(o.unit)),
                "of the spinors' field, without correlation: multiplet programs take some 80 % of F, G and R",
                record);
  record.seconds = watch.seconds();
  for (SlaterParameter& p : list) p.value *= constants::kElectronvoltsPerHartree / perHartree(o.unit);
  const int z = static_cast<int>(std::lround(problem.nucleus.charge));
  const std::string ion = ionName(z, z - static_cast<int>(std::lround(spinors.space.average.electrons())));
  const auto put = [&](const char* setting, const std::string& path, const auto& fileOf) {
    if (path.empty()) return;
    const auto contentAfter = [&](const std::string& before) {
      return fileOf(ion, spinors.space, shells.inFiles, list, before);
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
      "several, for multiplet programs; of ions such as Ti4+, Cu+ and Ce4+ of the empty or full d or f "
      "shell. "
      "Core holes by hole='2p', final states of X-ray absorption by promote='2p->3d'." +
      std::string(kAtomAndKeywords);
  o.example = "slater ATOM";
  o.examples = {"slater Fe2+", "slater Ni2+ --promote '2p->3d' --quanty ni.h5",
                "slater Sr --core-valence --config '5s 5p'"};
  o.tables = [] { return std::vector{parametersTable({}, ""), screenedTable({}, {}, "")}; };
  return jobOperation(JobType::Slater, std::move(o), slaterTable(), slater);
}

}  // namespace prophet
