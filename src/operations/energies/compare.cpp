#include <algorithm>
#include <filesystem>
#include <map>

#include "atoms/atom/species.hpp"
#include "core/common/files.hpp"
#include "core/common/json_text.hpp"
#include "core/common/stopwatch.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/job_operation.hpp"
#include "operations/catalogue/known_keys.hpp"
#include "operations/energies/compare_isotopes.hpp"
#include "operations/energies/energy_difference.hpp"

namespace prophet {
namespace {

struct CompareRequest {
  std::vector<std::string> files;
  bool differences = false;
};

RequestTable<CompareRequest> compareTable() {
  using R = CompareRequest;
  RequestTable<R> t;
  t.add(
       "files", &R::files,
       "results of one element: JSON of a run or of levels, JSON lines of a batch; atoms and ions, which are "
       "computed; isotopes such as 40Ca+, whose lines are")
      .called("FILE|ATOM")
      .isFile(FileUse::ReadIfThere)
      .asWord()
      .mustBeGiven();
  t.add("differences", &R::differences,
        "ionisation, affinity and excitation energies between all results, element by element, instead of "
        "each result compared with the first")
      .often();
  return t;
}

/// Whether a word is an atom or ion and no file.
bool isAtom(const std::string& word) {
  std::error_code none;
  if (std::filesystem::exists(word, none) || word.find('/') != std::string::npos) return false;
  try {
    parseSpecies(word);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// The energy of an atom, as `cudaprophet ATOM` computes it.
ComparedResult computed(const std::string& atom, const Execution& execution) {
  Execution own = execution;
  own.brief = false;
  own.reportOnly = false;
  own.reader = {};
  const Record record = findOperation("energy")->run({{"atom", atom}}, own);
  if (record.outcome != Outcome::Done) throw NotConvergedError(atom + ": " + record.reason);
  return comparedResult(jsonText(recordJson(record)), atom);
}

std::vector<ComparedResult> readAll(const std::vector<std::string>& files, const Execution& execution,
                                    std::vector<std::string>& leftOut) {
  std::vector<ComparedResult> all;
  std::map<std::string, KnownKeys> known;
  const KeyCheck requireKnown = [&](const Json& json, const std::string& operation,
                                    const std::string& place) {
    known.try_emplace(operation, operation).first->second.require(json, place);
  };
  for (const std::string& file : files) {
    if (isAtom(file)) {
      all.push_back(computed(file, execution));
      continue;
    }
    try {
      for (ComparedResult& r : readResults(file, leftOut, requireKnown)) all.push_back(std::move(r));
    } catch (const ResourceError&) {
      throw;
    } catch (const Error& e) {
      throw SettingError("files", e.what());
    }
  }
  return all;
}

std::vector<EnergyDifference> againstFirst(const std::vector<ComparedResult>& results) {
  if (results.size() < 2) throw SettingError("files", "expected two results or more");
  std::vector<EnergyDifference> list;
  for (std::size_t i = 1; i < results.size(); ++i) list.push_back(differenceOf(results[0], results[i]));
  return list;
}

std::string blocks(const std::vector<EnergyDifference>& differences) {
  std::string text;
  for (const EnergyDifference& d : differences) text += (text.empty() ? "" : "\n") + differenceText(d);
  return text + whatDifferencesAre(differences);
}

/// The isotopes that the words of a request name; none where they name results or atoms. Throws SettingError
/// for a mixture.
std::vector<IsotopeName> isotopesIn(const CompareRequest& request) {
  std::vector<IsotopeName> list;
  std::error_code none;
  for (const std::string& word : request.files)
    if (const auto isotope = std::filesystem::exists(word, none) ? std::nullopt : isotopeNamed(word))
      list.push_back(*isotope);
  if (list.empty()) return list;
  if (list.size() != request.files.size())
    throw SettingError("files",
                       "isotopes are compared with isotopes; expected two or more of one atom or ion");
  if (list.size() < 2) throw SettingError("files", "expected two isotopes or more, such as 40Ca+ 48Ca+");
  for (const IsotopeName& isotope : list)
    if (isotope.z != list.front().z || isotope.charge != list.front().charge)
      throw SettingError("files", fmt::format("{} and {} are not isotopes of one atom or ion",
                                              list.front().name, isotope.name));
  if (request.differences) throw SettingError("differences", "is of results; omit it for isotopes");
  return list;
}

/// Checks what is asked of the lines of an isotope, which `files` names here and `atom` there.
void checkLines(const Json& request) {
  try {
    findOperation("lines")->check(request);
  } catch (const RequestErrors& e) {
    std::vector<SettingProblem> problems = e.problems();
    for (SettingProblem& problem : problems)
      if (problem.setting == "atom") problem.setting = "files";
    throw RequestErrors(std::move(problems));
  }
}

Record compare(const CompareRequest& request, const Execution& execution) {
  const Stopwatch watch;
  std::vector<std::string> leftOut;
  const std::vector<ComparedResult> results = readAll(request.files, execution, leftOut);
  const auto list = request.differences ? differencesAmong(results) : againstFirst(results);
  if (list.empty()) throw SettingError("differences", kNoDifferences);
  Record record;
  record.title = "Energy differences";
  record.quantities.push_back({"left_out", "", leftOut});
  record.tables.push_back(differenceColumns(list));
  record.device = "CPU";
  record.csvComments = false;
  for (const EnergyDifference& d : list) {
    if (static_cast<Eigen::Index>(&d - list.data()) >= execution.style.rows.value_or(kShownRows)) break;
    record.quantities.push_back({"", d.name, {}, shortText(d), Quantity::Place::Result});
  }
  const std::string what = whatDifferencesAre(list);
  record.quantities.push_back(
      {"", "accuracy", {}, what.substr(0, what.find('\n')), Quantity::Place::Accuracy});
  record.body = "\n" + (request.differences ? differenceTable(list) : blocks(list)) + couplingNotes(list);
  for (const std::string& reason : leftOut) record.body += "skipped: " + reason + "\n";
  record.seconds = watch.seconds();
  return record;
}

}  // namespace

Operation compareOperation() {
  Operation o;
  o.name = "compare";
  o.summary = "energy differences of results: ionisation, affinity, excitation";
  o.description =
      "Energy differences between results of one element (atoms and ions, which are computed, JSON of a run, "
      "JSON lines of a batch; of 'levels' "
      "the "
      "lowest level) in hartree, "
      "eV and cm^-1, with the density at the nucleus and the field shift if the results have them. Each "
      "result is compared with the first: one electron fewer gives an ionisation energy, one more an "
      "affinity, and the same charge an excitation energy; results of different settings (Hamiltonian, "
      "functional, nucleus, basis set, ...) give the difference of two calculations, and a note names them. "
      "Isotopes (40Ca+ 48Ca+) are compared by the lines between levels of configurations: each line's "
      "isotope "
      "shift, with its mass and field parts.";
  o.example = "compare A.json|ATOM B.json|ATOM...";
  o.examples = {"compare Fe Fe+", "compare a.json b.json", "compare batch.jsonl --differences",
                "compare 40Ca+ 48Ca+ --config '4s | 4p'"};
  o.tables = [] {
    Table isotopes = isotopeShiftTable();
    isotopes.firstWith = "isotopes";
    return std::vector{differenceColumns({}), isotopes};
  };
  o = operationOf(std::move(o), compareTable(), compare);
  o.keywords = isotopeSettings;
  // What is left of the values beside the own settings is of the lines of isotopes.
  const auto table = std::make_shared<const RequestTable<CompareRequest>>(compareTable());
  const auto isotopesOf = [table](Json& values) {
    Json typed, rest = values;
    const Json own = taken(table->settings(), rest);
    const std::vector<IsotopeName> isotopes = isotopesIn(table->read(own, typed));
    if (isotopes.empty() && !rest.empty())
      throw SettingError(rest.begin().key(),
                         "is of the lines of isotopes; expected isotopes such as 40Ca+ 48Ca+");
    if (!isotopes.empty()) values = std::move(rest);
    return isotopes;
  };
  o.check = [isotopesOf, results = o.check](const Json& given) {
    Json values = given;
    const std::vector<IsotopeName> isotopes = isotopesOf(values);
    if (isotopes.empty()) return results(given);
    for (const Json& request : linesOfIsotopes(isotopes, values)) checkLines(request);
  };
  o.run = [isotopesOf, results = o.run, name = o.name](const Json& given, const Execution& execution) {
    Json values = given;
    const std::vector<IsotopeName> isotopes = isotopesOf(values);
    if (isotopes.empty()) return results(given, execution);
    Record record = isotopeShifts(isotopes, values, execution);
    record.operation = name;
    record.request = given;
    return record;
  };
  return o;
}

}  // namespace prophet
