#include "frontends/app/basis_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <sstream>

#include "atoms/basis/library.hpp"
#include "bases/formats/basis_commands.hpp"
#include "bases/optimise/collection.hpp"
#include "bases/optimise/results_table.hpp"
#include "core/common/text.hpp"
#include "core/common/write_file.hpp"
#include "frontends/app/backend_options.hpp"
#include "frontends/app/command_files.hpp"
#include "frontends/app/environment.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/operation_command.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/progress_line.hpp"
#include "frontends/app/usage_error.hpp"
#include "operations/jobs/basis_contraction.hpp"
#include "operations/jobs/basis_export.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

po::options_description basisOptions() {
  po::options_description options("Options");
  // clang-format off
  options.add_options()
      ("help,h", "print this text")
      ("library", po::value<std::string>()->value_name("NAME")->default_value(""), "collection (default: the program's default one; exports to other programs take prophet-l, with one list for each l)")
      ("format", po::value<std::string>()->value_name("NAME")->default_value("prophet"), "prophet, json (Basis Set Exchange), nwchem, dirac or gaussian: what to write")
      ("from", po::value<std::string>()->value_name("NAME"), "json, nwchem, dirac, gaussian, prophet or inp: what a file is (default: its content decides)")
      ("element", po::value<std::string>()->value_name("LIST"), "elements of a file to take (default: all)")
      ("hamiltonian", po::value<std::string>()->value_name("NAME")->default_value("dirac"), "dirac, x2c1e, sfx2c1e or nonrel: whose spinors contract a set")
      ("nucleus", po::value<std::string>()->value_name("NAME")->default_value("gaussian"), "point, sphere, gaussian or fermi, of the same")
      ("per", po::value<std::string>()->value_name("NAME")->default_value("l"), "l or j: contracted functions that are the mean of both j, or one for each")
      ("uncontract", po::value<int>()->value_name("N")->default_value(0), "how many of the outermost primitives of each l stay functions of their own beside the contracted ones")
      ("shared", po::value<std::string>()->value_name("NAME")->default_value("all"), "all or average: one list for l-1/2 and l+1/2 in other programs' formats of every exponent, or with close neighbours made one (contract: average)")
      ("without", po::value<std::string>()->value_name("NAME"), "polarisation, correlation or both, with a comma: groups of functions that an export to other programs leaves out")
      ("elements", po::value<std::string>()->value_name("LIST")->default_value("1-118"), "elements of a table")
      ("out,o", po::value<std::string>()->value_name("FILE"), "write to this file instead of standard output");
  // clang-format on
  addBackendOptions(options);
  return options;
}

/// The first word after 'basis', and what it takes.
struct Action {
  std::string name, arguments, text;
  std::vector<std::string> options;
};

constexpr char kWhatIsWritten[] =
    "ELEMENTS: symbols or charges, 'Rn', '86', '1-10,18'. FILE: a basis set as Basis Set Exchange JSON,\n"
    "NWChem, DIRAC, Gaussian, .basis, or an input file (.inp, .best) with exponents or ladders.";

const std::vector<Action>& actions() {
  static const std::vector<Action> list{
      {"show", "ELEMENTS", "Prints the sets of a collection and what their files state.", {"library"}},
      {"export",
       "ELEMENTS|FILE --format FORMAT",
       std::string("Writes sets in the format of another program.\n\n") + kWhatIsWritten,
       {"library", "format", "from", "element", "shared", "without", "out"}},
      {"contract",
       "ELEMENTS|FILE --format FORMAT [--hamiltonian NAME] [--uncontract N]",
       std::string("Computes the neutral atom and writes its occupied spinors as contracted functions.\n\n") +
           kWhatIsWritten,
       {"library", "format", "from", "element", "hamiltonian", "nucleus", "per", "uncontract", "shared",
        "out"}},
      {"import",
       "FILE [--element ELEMENTS] [--format FORMAT]",
       std::string("Writes our own format, several elements into a folder (--out), which\n"
                   "$bas library='./FOLDER' uses.\n\n") +
           kWhatIsWritten,
       {"format", "from", "element", "shared", "without", "out"}},
      {"compare", "LIBRARY LIBRARY", "Prints the errors that the files of two collections state.", {"out"}},
      {"table",
       "[LIBRARY [LIBRARY]]",
       "Computes all energies and compares them with the limits that the first collection states.",
       {"library", "elements", "out", "backend", "device", "threads"}}};
  return list;
}

const Action* findAction(const std::string& name) {
  for (const Action& action : actions()) {
    if (action.name == name) return &action;
  }
  return nullptr;
}

std::string usage(const po::options_description& options) {
  std::ostringstream text;
  for (const Action& action : actions())
    text << (&action == actions().data() ? "usage: " : "       ") << "cudaprophet basis " << action.name
         << " " << action.arguments << "\n";
  text << "       cudaprophet basis audit FILE-or-NAME... [--elements ELEMENTS]\n\n"
          "'cudaprophet basis ACTION --help' tells what each does and takes.\n\n"
       << kWhatIsWritten << "\n\n"
       << options;
  return text.str();
}

/// With the options that it has.
std::string usage(const Action& action, const po::options_description& all) {
  po::options_description own("Options");
  for (const auto& option : all.options()) {
    const std::string& name = option->long_name();
    if (name == "help" || std::count(action.options.begin(), action.options.end(), name) > 0) own.add(option);
  }
  std::ostringstream text;
  text << "usage: cudaprophet basis " << action.name << " " << action.arguments << "\n\n"
       << action.text << "\n\n"
       << own;
  return text.str();
}

/// Options that an action does not have would be without effect.
void rejectOthers(const std::string& name, const po::variables_map& values) {
  const Action* action = findAction(name);
  for (const auto& [option, value] : values) {
    if (value.defaulted() || option == "help" || option == "words") continue;
    const auto has = [&, &option = option](const Action& a) {
      return std::count(a.options.begin(), a.options.end(), option) > 0;
    };
    if (action && has(*action)) continue;
    std::vector<std::string> owners;
    for (const Action& a : actions()) {
      if (has(a)) owners.push_back("'basis " + a.name + "'");
    }
    throw UsageError(fmt::format("--{} belongs to {}", option, fmt::join(owners, ", ")));
  }
}

BasisFormat formatOf(const std::string& name) {
  try {
    return basisFormatOf(name);
  } catch (const Error& e) {
    throw UsageError(std::string("--format: ") + e.what());
  }
}

SharedLists sharedOf(const std::string& name) {
  if (name == "all") return SharedLists::All;
  if (name == "average") return SharedLists::Average;
  throw UsageError("--shared takes all or average, not '" + name + "'");
}

/// Names of groups of functions, separated by commas.
std::vector<std::string> groupsWithout(const po::variables_map& values) {
  if (!values.count("without")) return {};
  const std::vector<std::string> names = split(values["without"].as<std::string>(), ',');
  for (const std::string& name : names) {
    if (std::find(std::begin(kFunctionGroups), std::end(kFunctionGroups), name) == std::end(kFunctionGroups))
      throw UsageError(fmt::format("--without takes {}, not '{}'", fmt::join(kFunctionGroups, " or "), name));
  }
  return names;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[16] = "";
  std::tm parts{};
  if (gmtime_r(&now, &parts)) std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

/// Whether the word of 'export' names a file: element lists have neither points nor slashes.
bool isFileName(const std::string& word) { return word.find_first_of("./\\_") != std::string::npos; }

/// Files of our own format hold one element each: several go into a folder.
void writeFolder(const ExportedBasis& exported, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const auto& [name, text] : exported.files) writeFileAtomically((folder / name).string(), text);
}

/// The text of 'export' and 'import'; empty where a folder was written.
std::string exportedText(const std::vector<std::string>& words, const std::string& outFile,
                         const po::variables_map& values) {
  const BasisExport how{formatOf(values["format"].as<std::string>()),
                        sharedOf(values["shared"].as<std::string>()), today(), groupsWithout(values)};
  if (!how.without.empty() && how.format == BasisFormat::Prophet)
    throw UsageError("--without belongs to the formats of other programs; our own keeps groups apart");
  ExportedBasis exported;
  if (words[0] == "export" && !isFileName(words[1])) {
    for (const char* option : {"from", "element"})
      if (values.count(option)) throw UsageError(std::string("--") + option + " belongs to files");
    exported = exportLibrary(parseElementOption(words[1], "ELEMENTS"), values["library"].as<std::string>(),
                             how, environment::basisSets());
  } else {
    std::vector<int> elements;
    if (values.count("element"))
      elements = parseElementOption(values["element"].as<std::string>(), "--element");
    const BasisFileSets sets = readBasisSets(words[1], elements.size() == 1 ? elements.front() : 0,
                                             values.count("from") ? values["from"].as<std::string>() : "");
    const std::filesystem::path out = outFile;
    const bool folder = how.format == BasisFormat::Prophet && !out.empty() && !isStandardStream(outFile) &&
                        (elements.empty() ? sets.sets.size() : elements.size()) > 1;
    exported = exportFile(sets, elements, how, folder ? out.filename().string() : "imported");
    if (exported.files.size() > 1 && !folder)
      throw UsageError(
          "our own format has a file for each element: name a folder with --out, or one --element");
    if (folder) writeFolder(exported, out), exported.text.clear();
  }
  for (const std::string& remark : exported.remarks) std::fputs(("note: " + remark + "\n").c_str(), stderr);
  return exported.text;
}

BasisContraction contractionOf(const po::variables_map& values) {
  BasisContraction c;
  const std::string hamiltonian = values["hamiltonian"].as<std::string>(),
                    per = values["per"].as<std::string>();
  const auto kind = oneElectronOperatorNamed(hamiltonian);
  if (!kind)
    throw UsageError("--hamiltonian takes dirac, x2c1e, sfx2c1e or nonrel, not '" + hamiltonian + "'");
  if (per != "l" && per != "j") throw UsageError("--per takes l or j, not '" + per + "'");
  c.hamiltonian = *kind;
  c.nucleus = parseNuclearModel(values["nucleus"].as<std::string>());
  c.per = per == "l" ? ContractionPer::L : ContractionPer::J;
  c.uncontracted = values["uncontract"].as<int>();
  if (c.uncontracted < 0) throw UsageError("--uncontract takes a number of functions, 0 or more");
  c.how.format = formatOf(values["format"].as<std::string>());
  if (c.how.format == BasisFormat::Prophet)
    throw UsageError("--format: contracted functions are written as nwchem, json, dirac or gaussian");
  // Near-dependent lists have large coefficients that cancel.
  c.how.shared =
      values["shared"].defaulted() ? SharedLists::Average : sharedOf(values["shared"].as<std::string>());
  c.how.date = today();
  return c;
}

/// The text of 'contract'.
std::string contractedText(const std::string& what, const po::variables_map& values) {
  const BasisContraction contraction = contractionOf(values);
  ExportedBasis contracted;
  if (isFileName(what)) {
    std::vector<int> elements;
    if (values.count("element"))
      elements = parseElementOption(values["element"].as<std::string>(), "--element");
    const BasisFileSets sets = readBasisSets(what, elements.size() == 1 ? elements.front() : 0,
                                             values.count("from") ? values["from"].as<std::string>() : "");
    contracted = contractFile(sets, elements, contraction);
  } else {
    for (const char* option : {"from", "element"})
      if (values.count(option)) throw UsageError(std::string("--") + option + " belongs to files");
    contracted = contractLibrary(parseElementOption(what, "ELEMENTS"), values["library"].as<std::string>(),
                                 contraction, environment::basisSets());
  }
  for (const std::string& remark : contracted.remarks) std::fputs(("note: " + remark + "\n").c_str(), stderr);
  return contracted.text;
}

std::string unknownAction(const std::vector<std::string>& words) {
  std::vector<std::string> names{"audit"};
  for (const Action& action : actions()) names.push_back(action.name);
  const std::string nearest = words.empty() ? "" : nearestName(words[0], names);
  return fmt::format("{}expected 'basis ACTION' with {}; 'cudaprophet basis --help' tells more",
                     words.empty() ? ""
                     : nearest.empty()
                         ? "unknown action '" + words[0] + "'; "
                         : "unknown action '" + words[0] + "'; did you mean '" + nearest + "'? ",
                     fmt::join(names, ", "));
}

std::string answer(const std::vector<std::string>& words, const std::string& out,
                   const po::variables_map& values) {
  const std::string library = values["library"].as<std::string>();
  const std::filesystem::path sets = environment::basisSets();
  if (words.empty() || !findAction(words[0])) throw UsageError(unknownAction(words));
  rejectOthers(words[0], values);
  const bool contracts = words.size() == 2 && words[0] == "contract";
  const bool writes = contracts || (words.size() == 2 && (words[0] == "export" || words[0] == "import"));
  if (words.size() == 2 && words[0] == "show") {
    std::string text;
    for (const int z : parseElementOption(words[1], "ELEMENTS")) text += basisShow(z, library, sets);
    return text;
  }
  if (contracts) return contractedText(words[1], values);
  if (writes) return exportedText(words, out, values);
  if (words.size() == 3 && words[0] == "compare") return basisCompare(words[1], words[2], sets);
  if (!words.empty() && words.size() <= 3 && words[0] == "table") {
    const std::vector<int> elements = parseElementOption(values["elements"].as<std::string>(), "--elements");
    const Opened<EnergyService> service =
        openEnergyService(executionOf(readBackendOptions(values), readThreads(values)), true);
    ProgressLine progress("energies", true);
    const std::string table = resultsTable(
        words.size() > 1 ? words[1] : library, words.size() > 2 ? words[2] : "", *service, elements,
        sets, [&](std::size_t finished, std::size_t total) { progress.show(finished, total); });
    printNotes(*service, false, stderr);  // the table has standard output to itself
    return table;
  }
  throw UsageError(fmt::format("expected 'basis {} {}'; 'cudaprophet basis {} --help' tells more", words[0],
                               findAction(words[0])->arguments, words[0]));
}

}  // namespace

int basisCommand(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments.front() == "audit")
    return operationCommand(*findOperation("audit"), {arguments.begin() + 1, arguments.end()});
  const po::options_description visible = basisOptions();
  const po::variables_map values = parseOptions(arguments, visible, "words", "cudaprophet basis");
  const std::vector<std::string> words =
      values.count("words") ? values["words"].as<std::vector<std::string>>() : std::vector<std::string>();
  if (values.count("help")) {
    const Action* action = words.empty() ? nullptr : findAction(words.front());
    print(action ? usage(*action, visible) : usage(visible));
    return kSuccess;
  }
  CommandFiles files;
  for (const std::string& word : words) files.readsIfThere(word);
  const std::string out = files.output(values, "out");
  std::error_code none;
  if (!std::filesystem::is_directory(out, none)) files.open();
  const std::string text = answer(words, out, values);
  if (text.empty()) return kSuccess;  // a folder was written
  if (!out.empty()) {
    files.write(out, text);
  } else {
    print(text);
  }
  return kSuccess;
}

}  // namespace prophet
