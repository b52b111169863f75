#include "frontends/app/input_command.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "core/common/failure.hpp"
#include "core/common/version.hpp"
#include "frontends/app/commands.hpp"
#include "frontends/app/environment.hpp"
#include "frontends/app/operation_command.hpp"
#include "frontends/app/operation_help.hpp"
#include "frontends/app/output_stream.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/usage_error.hpp"
#include "operations/catalogue/job_operation.hpp"
#include "operations/input/keywords.hpp"
#include "operations/input/parse_job.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

/// `all`: with the options that stand beside an input file.
std::string helpText(bool all) {
  std::ostringstream text;
  text
      << "usage: cudaprophet ATOM [options]\n"
         "       cudaprophet COMMAND [options]\n"
         "       cudaprophet [options] FILE.inp > FILE.out\n"
         "       cudaprophet [options] - < FILE.inp\n"
         "       cudaprophet help [COMMAND]\n\n"
         "Relativistic electronic structure of atoms: energies, levels, lines, basis sets, form factors.\n"
         "'cudaprophet explain' lists the keywords of input files. Exit status: 0 success, 2 the request is\n"
         "wrong (options, names or files), 3 not converged or not bound, 1 anything else.\n\n"
         "Commands ('cudaprophet NAME --help' describes each):\n";
  for (const Command& command : commands())
    text << "  " << command.name << std::string(12 - command.name.size(), ' ') << command.summary << "\n";
  if (all)
    text << "\n" << inputOptions();
  else
    text << "\n'cudaprophet --help all' has the options that stand beside an input file.\n";
  return text.str();
}

/// An operation's settings, the keywords of a group, or those of that name.
std::string explained(const std::string& name) {
  const Operation* operation = findOperation(name);
  std::string text = operation ? explain(*operation) : "";
  try {
    return text + (operation ? "\n" : "") + explainGroup(name);
  } catch (const Error& e) {
    if (!operation) throw UsageError(e.what());
  }
  return text;
}

/// Standard input or a pipe.
bool isStream(const std::string& file) {
  std::error_code none;
  return isStandardStream(file) || std::filesystem::is_fifo(file, none);
}

/// What a stream holds, up to more than any input file has.
std::string textOfStream(const std::string& file) {
  constexpr std::streamsize kMost = 4 * 1024 * 1024;
  std::ifstream pipe;
  if (!isStandardStream(file)) pipe.open(file);
  std::istream& in = isStandardStream(file) ? std::cin : pipe;
  std::string text(static_cast<std::size_t>(kMost), '\0');
  in.read(text.data(), kMost);
  if (in.gcount() == kMost) throw Error(file + ": error: more than 4 MiB; this is not an input file");
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

/// The one input file of the command line.
std::string fileOf(const std::vector<std::string>& words) {
  if (words.empty()) throw UsageError("no input file; usage: cudaprophet [options] FILE.inp");
  const std::string& file = words.front();
  if (findCommand(file)) throw UsageError("a command must come first: cudaprophet " + file + " ...");
  if (looksLikeCommand(file)) throw UsageError(unknownCommand(file));
  if (words.size() > 1)
    throw UsageError("'" + words[1] +
                     "' is one too many: a run takes one input file, and 'cudaprophet batch' takes many");
  return file;
}

/// What an input file is made from or leaves.
CommandFiles filesBeside(const std::string& file) {
  CommandFiles files;
  files.reads(file);
  if (isStandardStream(file)) return files;
  for (const char* ending : {".bsopt", ".chain", ".best"}) files.reads(file + ending);
  files.readsAllOf(file + ".bsopt.");  // several starts
  return files;
}

}  // namespace

int inputCommand(const std::vector<std::string>& arguments) {
  if (const HelpAsked help = helpAsked(arguments); help.any) {
    print(helpText(help.all));
    return kSuccess;
  }
  const po::variables_map values = parseOptions(arguments, inputOptions(), "words", "cudaprophet");
  const auto words =
      values.count("words") ? values["words"].as<std::vector<std::string>>() : std::vector<std::string>{};
  if (values.count("explain") && !words.empty())
    throw UsageError("--explain takes one name and no input file; ' " + words.front() + "' is one too many");
  if (values.count("version") || values.count("explain")) {
    print(values.count("version") ? std::string("cudaprophet ") + kVersion + "\n"
                                  : explained(values["explain"].as<std::string>()));
    return kSuccess;
  }
  const std::string file = fileOf(words);
  std::string text;
  try {
    text = isStream(file) ? textOfStream(file) : readInputText(file);
  } catch (const Error& e) {
    throw UsageError(e.what());
  }
  const std::string name = isStandardStream(file) ? "standard input" : file;
  const CommandFiles files = filesBeside(file);
  return runInput(readOperationInput(text, name), name, files, values);
}

}  // namespace prophet
