#include "app/basis_command.hpp"

#include <boost/program_options.hpp>
#include <cstdio>
#include <sstream>

#include "app/exit_status.hpp"
#include "app/parse_options.hpp"
#include "app/usage_error.hpp"
#include "common/write_file.hpp"
#include "formats/basis_commands.hpp"
#include "optimise/table.hpp"

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
      ("out,o", po::value<std::string>(), "write to this file instead of standard output");
  // clang-format on
  return options;
}

std::string usage(const po::options_description& options) {
  std::ostringstream text;
  text << "usage: cudaprophet basis show ELEMENT\n"
          "       cudaprophet basis export ELEMENTS --format FORMAT\n"
          "       cudaprophet basis compare LIBRARY LIBRARY\n\n"
          "ELEMENTS: symbols or charges, 'Rn', '86', '1-10,18'.\n\n"
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

std::string answer(const std::vector<std::string>& words, const po::variables_map& values) {
  const std::string library = values["library"].as<std::string>();
  if (words.size() == 2 && words[0] == "show") {
    std::string text;
    for (const int z : parseElementOption(words[1], "ELEMENTS")) text += basisShow(z, library);
    return text;
  }
  if (words.size() == 2 && words[0] == "export") {
    return basisExport(parseElementOption(words[1], "ELEMENTS"), library,
                       formatOf(values["format"].as<std::string>()));
  }
  if (words.size() == 3 && words[0] == "compare") return basisCompare(words[1], words[2]);
  throw UsageError(
      "expected 'basis show ELEMENT', 'basis export ELEMENTS' or 'basis compare LIBRARY LIBRARY'; "
      "'cudaprophet "
      "basis --help' tells more");
}

}  // namespace

int basisCommand(const std::vector<std::string>& arguments) {
  const po::options_description visible = basisOptions();
  const po::variables_map values = parseOptions(arguments, visible, "words", "cudaprophet basis");
  if (values.count("help")) {
    std::fputs(usage(visible).c_str(), stdout);
    return kSuccess;
  }
  const std::vector<std::string> words =
      values.count("words") ? values["words"].as<std::vector<std::string>>() : std::vector<std::string>();
  const std::string text = answer(words, values);
  if (values.count("out")) {
    writeFileAtomically(values["out"].as<std::string>(), text);
  } else {
    std::fputs(text.c_str(), stdout);
  }
  return kSuccess;
}

}  // namespace prophet
