#include "app/basis_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <sstream>

#include "app/audit_command.hpp"
#include "app/batch_service.hpp"
#include "app/environment.hpp"
#include "app/exit_status.hpp"
#include "app/parse_options.hpp"
#include "app/print.hpp"
#include "app/progress_line.hpp"
#include "app/usage_error.hpp"
#include "basis/library.hpp"
#include "common/text.hpp"
#include "common/write_file.hpp"
#include "formats/basis_commands.hpp"
#include "jobs/basis_contraction.hpp"
#include "jobs/basis_export.hpp"
#include "optimise/collection.hpp"
#include "optimise/results_table.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

po::options_description basisOptions() {
  po::options_description options("Options");
  // clang-format off
  options.add_options()
      ("help,h", "print this text")
      ("library", po::value<std::string>()->default_value(""), "collection (default: the program's default one; exports to other programs take prophet-l, with one list for each l)")
      ("format", po::value<std::string>()->default_value("prophet"), "prophet, json (Basis Set Exchange), nwchem, dirac or gaussian: what to write")
      ("from", po::value<std::string>(), "json, nwchem, dirac, gaussian, prophet or inp: what a file is (default: its content decides)")
      ("element", po::value<std::string>(), "elements of a file to take (default: all)")
      ("hamiltonian", po::value<std::string>()->default_value("dirac"), "dirac, x2c1e, sfx2c1e or nonrel: whose spinors contract a set")
      ("nucleus", po::value<std::string>()->default_value("gaussian"), "point, sphere, gaussian or fermi, of the same")
      ("per", po::value<std::string>()->default_value("l"), "l or j: contracted functions that are the mean of both j, or one for each")
      ("uncontract", po::value<int>()->default_value(0), "how many of the outermost primitives of each l stay functions of their own beside the contracted ones")
      ("shared", po::value<std::string>()->default_value("all"), "all or average: one list for l-1/2 and l+1/2 in other programs' formats of every exponent, or with close neighbours made one (contract: average)")
      ("without", po::value<std::string>(), "polarisation, correlation or both, with a comma: groups of functions that an export to other programs leaves out")
      ("elements", po::value<std::string>()->default_value("1-118"), "elements of a table")
      ("out,o", po::value<std::string>(), "write to this file instead of standard output");
  // clang-format on
  addBackendOptions(options);
  return options;
}

std::string usage(const po::options_description& options) {
  std::ostringstream text;
  text << "usage: cudaprophet basis show ELEMENT\n"
          "       cudaprophet basis export ELEMENTS|FILE --format FORMAT\n"
          "       cudaprophet basis contract ELEMENTS|FILE --format FORMAT [--hamiltonian NAME] "
          "[--uncontract N]\n"
          "       cudaprophet basis import FILE [--element ELEMENTS] [--format FORMAT]\n"
          "       cudaprophet basis compare LIBRARY LIBRARY\n"
          "       cudaprophet basis table [LIBRARY [LIBRARY]]\n"
          "       cudaprophet basis audit FILE-or-NAME... [--elements ELEMENTS]  (options: basis audit "
          "--help)\n\n"
          "ELEMENTS: symbols or charges, 'Rn', '86', '1-10,18'. FILE: a basis set as Basis Set Exchange "
          "JSON,\n"
          "NWChem, DIRAC, Gaussian, .basis, or an input file (.inp, .best) with exponents or ladders. "
          "'import'\n"
          "writes our own format, several elements into a folder (--out), which $bas library='./FOLDER' "
          "uses.\n"
          "'contract' computes the neutral atom and writes its occupied spinors as contracted functions.\n"
          "'compare' prints the errors that the files state, 'table' computes all energies (--backend,\n"
          "--threads) and compares them with the limits that the first collection states.\n\n"
       << options;
  return text.str();
}

BasisFormat formatOf(const std::string& name) {
  try {
    return basisFormatOf(name);
  } catch (const Error& e) {
    throw UsageError(std::string("--format: ") + e.what());
  }
}

/// Options that only a table uses have no effect elsewhere.
void rejectTableOptions(const po::variables_map& values) {
  for (const char* option : {"elements", "backend", "device", "threads"}) {
    if (values.count(option) && !values[option].defaulted())
      throw UsageError(std::string("--") + option + " belongs to 'basis table'");
  }
}

void rejectFileOptions(const std::string& command, const po::variables_map& values) {
  for (const char* option : {"from", "element", "shared", "without"}) {
    if (values.count(option) && !values[option].defaulted())
      throw UsageError(std::string("--") + option +
                       " belongs to 'basis export' and 'basis import', not to '" + command + "'");
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
std::string exportedText(const std::vector<std::string>& words, const po::variables_map& values) {
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
    const std::filesystem::path out = values.count("out") ? values["out"].as<std::string>() : "";
    const bool folder = how.format == BasisFormat::Prophet && !out.empty() &&
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

/// Options that only a contraction uses have no effect elsewhere.
void rejectContractionOptions(const po::variables_map& values) {
  for (const char* option : {"hamiltonian", "nucleus", "per", "uncontract"}) {
    if (!values[option].defaulted())
      throw UsageError(std::string("--") + option + " belongs to 'basis contract'");
  }
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

/// 'show' has a form of its own, 'compare' and 'table' print tables.
void rejectFormat(const po::variables_map& values) {
  if (!values["format"].defaulted())
    throw UsageError("--format belongs to 'basis export' and 'basis import'");
}

std::string answer(const std::vector<std::string>& words, const po::variables_map& values) {
  const std::string library = values["library"].as<std::string>();
  const std::filesystem::path sets = environment::basisSets();
  if (words.empty() || words[0] != "table") rejectTableOptions(values);
  const bool contracts = words.size() == 2 && words[0] == "contract";
  const bool writes = contracts || (words.size() == 2 && (words[0] == "export" || words[0] == "import"));
  if (!contracts) rejectContractionOptions(values);
  if (!writes) rejectFormat(values);
  if (!writes && !words.empty()) rejectFileOptions(words[0], values);
  if (words.size() == 2 && words[0] == "show") {
    std::string text;
    for (const int z : parseElementOption(words[1], "ELEMENTS")) text += basisShow(z, library, sets);
    return text;
  }
  if (contracts) return contractedText(words[1], values);
  if (writes) return exportedText(words, values);
  if (words.size() == 3 && words[0] == "compare") return basisCompare(words[1], words[2], sets);
  if (!words.empty() && words.size() <= 3 && words[0] == "table") {
    const std::vector<int> elements = parseElementOption(values["elements"].as<std::string>(), "--elements");
    const BatchService service = openBatchService(readBackendOptions(values), readThreads(values));
    ProgressLine progress("energies", true);
    const std::string table = resultsTable(
        words.size() > 1 ? words[1] : library, words.size() > 2 ? words[2] : "", *service.energies, elements,
        sets, [&](std::size_t finished, std::size_t total) { progress.show(finished, total); });
    printNotes(*service.energies, false, stderr);  // the table has standard output to itself
    return table;
  }
  throw UsageError(
      "expected 'basis show ELEMENT', 'basis export ELEMENTS', 'basis contract ELEMENTS', 'basis import "
      "FILE', "
      "'basis compare LIBRARY LIBRARY' or 'basis table'; 'cudaprophet basis --help' tells more");
}

}  // namespace

int basisCommand(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments.front() == "audit")
    return auditCommand({arguments.begin() + 1, arguments.end()});
  const po::options_description visible = basisOptions();
  const po::variables_map values = parseOptions(arguments, visible, "words", "cudaprophet basis");
  if (values.count("help")) {
    print(usage(visible));
    return kSuccess;
  }
  const std::vector<std::string> words =
      values.count("words") ? values["words"].as<std::vector<std::string>>() : std::vector<std::string>();
  const std::string text = answer(words, values);
  if (text.empty()) return kSuccess;  // a folder was written
  if (values.count("out")) {
    writeFileAtomically(values["out"].as<std::string>(), text);
  } else {
    print(text);
  }
  return kSuccess;
}

}  // namespace prophet
