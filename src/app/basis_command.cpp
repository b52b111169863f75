#include "app/basis_command.hpp"

#include <boost/program_options.hpp>
#include <cstdio>
#include <sstream>

#include "app/batch_service.hpp"
#include "app/environment.hpp"
#include "app/exit_status.hpp"
#include "app/parse_options.hpp"
#include "app/print.hpp"
#include "app/usage_error.hpp"
#include "common/write_file.hpp"
#include "formats/basis_commands.hpp"
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
      ("library", po::value<std::string>()->default_value(""), "collection (default: the program's default one)")
      ("format", po::value<std::string>()->default_value("prophet"), "prophet, json (Basis Set Exchange), nwchem, dirac or gaussian")
      ("elements", po::value<std::string>()->default_value("1-118"), "elements of a table")
      ("out,o", po::value<std::string>(), "write to this file instead of standard output");
  // clang-format on
  addBackendOptions(options);
  return options;
}

std::string usage(const po::options_description& options) {
  std::ostringstream text;
  text << "usage: cudaprophet basis show ELEMENT\n"
          "       cudaprophet basis export ELEMENTS --format FORMAT\n"
          "       cudaprophet basis compare LIBRARY LIBRARY\n"
          "       cudaprophet basis table [LIBRARY [LIBRARY]]\n\n"
          "ELEMENTS: symbols or charges, 'Rn', '86', '1-10,18'. 'compare' prints the errors that the files "
          "state,\n"
          "'table' computes all energies (--backend, --threads) and compares them with the limits that the "
          "first\n"
          "collection states.\n\n"
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

/// 'show' has a form of its own, 'compare' and 'table' print tables.
void rejectFormat(const po::variables_map& values) {
  if (!values["format"].defaulted()) throw UsageError("--format belongs to 'basis export'");
}

std::string answer(const std::vector<std::string>& words, const po::variables_map& values) {
  const std::string library = values["library"].as<std::string>();
  const std::filesystem::path sets = environment::basisSets();
  if (words.empty() || words[0] != "table") rejectTableOptions(values);
  if (words.empty() || words[0] != "export") rejectFormat(values);
  if (words.size() == 2 && words[0] == "show") {
    std::string text;
    for (const int z : parseElementOption(words[1], "ELEMENTS")) text += basisShow(z, library, sets);
    return text;
  }
  if (words.size() == 2 && words[0] == "export") {
    return basisExport(parseElementOption(words[1], "ELEMENTS"), library,
                       formatOf(values["format"].as<std::string>()), sets);
  }
  if (words.size() == 3 && words[0] == "compare") return basisCompare(words[1], words[2], sets);
  if (!words.empty() && words.size() <= 3 && words[0] == "table") {
    const std::vector<int> elements = parseElementOption(values["elements"].as<std::string>(), "--elements");
    const BatchService service = openBatchService(readBackendOptions(values), readThreads(values));
    const std::string table =
        resultsTable(words.size() > 1 ? words[1] : library, words.size() > 2 ? words[2] : "",
                     *service.energies, elements, sets);
    printNotes(*service.energies, false, stderr);  // the table has standard output to itself
    return table;
  }
  throw UsageError(
      "expected 'basis show ELEMENT', 'basis export ELEMENTS', 'basis compare LIBRARY LIBRARY' or 'basis "
      "table'; 'cudaprophet basis --help' tells more");
}

}  // namespace

int basisCommand(const std::vector<std::string>& arguments) {
  const po::options_description visible = basisOptions();
  const po::variables_map values = parseOptions(arguments, visible, "words", "cudaprophet basis");
  if (values.count("help")) {
    print(usage(visible));
    return kSuccess;
  }
  const std::vector<std::string> words =
      values.count("words") ? values["words"].as<std::vector<std::string>>() : std::vector<std::string>();
  const std::string text = answer(words, values);
  if (values.count("out")) {
    writeFileAtomically(values["out"].as<std::string>(), text);
  } else {
    print(text);
  }
  return kSuccess;
}

}  // namespace prophet
