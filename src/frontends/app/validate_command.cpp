#include "frontends/app/validate_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdio>
#include <sstream>

#include "atoms/basis/library.hpp"
#include "bases/optimise/collection.hpp"
#include "core/common/text.hpp"
#include "core/common/version.hpp"
#include "frontends/app/backend_options.hpp"
#include "frontends/app/command_files.hpp"
#include "frontends/app/environment.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/progress_line.hpp"
#include "frontends/app/usage_error.hpp"
#include "operations/input/hamiltonian_names.hpp"
#include "operations/input/keywords.hpp"
#include "operations/validate/validation_table.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

po::options_description validateOptions() {
  po::options_description options("Options");
  // clang-format off
  options.add_options()
      ("help,h", "print this text")
      ("elements", po::value<std::string>()->value_name("LIST"), "elements: 1-10,18,Rn (default: 1-118; with --library those that it has)")
      ("against", po::value<std::string>()->value_name("NAME")->default_value("limit"),
       "limit: the basis sets against the numerical limit; reference: the limit against shipped figures")
      ("nucleus", po::value<std::string>()->value_name("NAME"), "point, fermi, gaussian or sphere (default: that of each set; every figure)")
      ("threshold", po::value<double>()->value_name("NUMBER"), "largest relative difference (default: 5e-9 for limit, 1e-10 for reference)")
      ("library", po::value<std::string>()->value_name("NAME")->default_value(""), "collection of basis sets (default: the program's)")
      ("hamiltonian", po::value<std::string>()->value_name("NAME")->default_value("dirac"), "dirac or nonrel")
      ("breit", po::value<std::string>()->value_name("NAME")->default_value("none"), "compare the Breit interaction too: gaunt or breit")
      ("qedvp", po::value<std::string>()->value_name("NAME")->default_value("none"), "compare the vacuum polarisation too: uehling or full")
      ("qedse", po::value<std::string>()->value_name("NAME")->default_value("none"), "compare the self-energy too: inner or valence")
      ("self-consistent", "these parts self-consistent (default: in first order)")
      ("csv", po::value<std::string>()->value_name("FILE"), "write the table as CSV to this file")
      ("json", po::value<std::string>()->value_name("FILE"), "write the table as JSON to this file")
      ("threads", po::value<int>()->value_name("N"), "threads to use (default: all processors)");
  // clang-format on
  return options;
}

ValidateAgainst againstOf(const std::string& name) {
  if (name == "limit") return ValidateAgainst::Limit;
  if (name == "reference") return ValidateAgainst::Reference;
  throw UsageError("--against takes limit or reference, not '" + name + "'");
}

/// One of the values of a keyword of $contrl.
std::string keywordValue(const po::variables_map& values, const std::string& name) {
  std::string value = lowerCase(values[name].as<std::string>());
  const Keyword& keyword = *findKeyword("contrl", name);
  if (std::find(keyword.choices.begin(), keyword.choices.end(), value) == keyword.choices.end())
    throw UsageError("--" + name + " takes " + expectedValue(keyword) + ", not '" + value + "'");
  return value;
}

Hamiltonian hamiltonianOf(const po::variables_map& values) {
  Hamiltonian h;
  const std::string kind = lowerCase(values["hamiltonian"].as<std::string>());
  if (kind != "dirac" && kind != "nonrel")
    throw UsageError("--hamiltonian takes dirac or nonrel, not '" + values["hamiltonian"].as<std::string>() +
                     "'");
  h.oneElectron = *oneElectronOperatorNamed(kind);
  h.repulsion = operatorNamed(keywordValue(values, "breit"));
  h.qed = qedNamed(keywordValue(values, "qedvp"), keywordValue(values, "qedse"));
  if (!h.isFourComponent() && h.hasCorrections())
    throw UsageError("--breit, --qedvp and --qedse belong to --hamiltonian dirac");
  const bool selfConsistent = values.count("self-consistent") > 0;
  if (selfConsistent && !h.hasCorrections())
    throw UsageError("--self-consistent belongs to --breit, --qedvp and --qedse");
  if (selfConsistent) h.breitTreatment = h.qedTreatment = Treatment::SelfConsistent;
  return h;
}

std::vector<int> elementsOf(const po::variables_map& values, const ValidationTask& task) {
  if (values.count("elements")) return parseElementOption(values["elements"].as<std::string>(), "--elements");
  if (task.against == ValidateAgainst::Reference || task.collection.empty())
    return parseElementOption("1-118", "--elements");
  try {
    return libraryElements(task.collection, task.basisSets);
  } catch (const Error& e) {
    throw UsageError(std::string("--library: ") + e.what());
  }
}

ValidationTask taskOf(const po::variables_map& values) {
  ValidationTask task;
  task.collection = values["library"].as<std::string>();
  task.basisSets = environment::basisSets();
  task.against = againstOf(values["against"].as<std::string>());
  if (values.count("nucleus")) task.model = parseNuclearModel(values["nucleus"].as<std::string>());
  task.threshold =
      values.count("threshold") ? values["threshold"].as<double>() : defaultThreshold(task.against);
  if (!(task.threshold > 0)) throw UsageError("--threshold takes a number above 0");
  task.elements = elementsOf(values, task);
  task.threads = readThreads(values);
  task.hamiltonian = hamiltonianOf(values);
  if (task.hamiltonian.hasCorrections() && task.against == ValidateAgainst::Reference)
    throw UsageError(
        "--breit, --qedvp and --qedse need --against limit; the shipped figures are Dirac-Coulomb");
  if (!task.hamiltonian.isFourComponent() && task.against == ValidateAgainst::Reference)
    throw UsageError("--hamiltonian nonrel needs --against limit; the shipped figures are Dirac-Coulomb");
  return task;
}

/// What would fail in every row is a wrong command line.
void checkTask(const ValidationTask& task) {
  try {
    libraryElements(task.collection, task.basisSets);
  } catch (const Error& e) {
    throw UsageError(std::string("--library: ") + e.what());
  }
  if (planValidation(task).empty()) {
    throw UsageError(
        "no figure is shipped for these elements and this nucleus (there are point and fermi ones); "
        "--against limit needs none");
  }
}

std::vector<ValidationRow> validated(const ValidationTask& task) {
  ProgressLine progress("rows", true);
  const std::size_t total = planValidation(task).size();
  std::size_t finished = 0;
  progress.show(0, total);
  return validate(task, [&](const ValidationRow& row) {
    progress.print(validationLine(row));
    progress.show(++finished, total);
  });
}

}  // namespace

int validateCommand(const std::vector<std::string>& arguments) {
  const po::options_description options = validateOptions();
  const po::variables_map values = parseOptions(arguments, options, "", "cudaprophet validate");
  if (values.count("help")) {
    std::ostringstream text;
    text << "usage: cudaprophet validate [options]\n\n"
            "Compares energies in basis sets, the numerical limit and shipped figures of other programs.\n"
            "Exit status: 0 everything passes, 1 something fails, 2 wrong command line.\n\n"
         << options;
    print(text.str());
    return kSuccess;
  }
  const ValidationTask task = taskOf(values);
  CommandFiles files;
  const std::string csv = files.output(values, "csv"), json = files.output(values, "json");
  checkTask(task);
  files.open();
  print(validationHead(task));
  const auto rows = validated(task);
  print(validationSummary(task, rows));
  if (!csv.empty()) files.write(csv, validationCsv(rows));
  if (!json.empty()) files.write(json, validationJson(kVersion, task, rows));
  const bool passed = std::all_of(rows.begin(), rows.end(), [](const ValidationRow& r) { return r.passed; });
  return passed ? kSuccess : kFailure;
}

}  // namespace prophet
