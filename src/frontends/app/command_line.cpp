#include "frontends/app/command_line.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <sstream>

#include "frontends/app/backend_options.hpp"
#include "frontends/app/commands.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/restart.hpp"
#include "frontends/app/usage_error.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

po::options_description visibleOptions() {
  po::options_description options("Options");
  // clang-format off
  options.add_options()
      ("help,h", "print this text")
      ("version", "print the version")
      ("check", "check the input file only; compute nothing")
      ("explain", po::value<std::string>()->value_name("NAME")->implicit_value(""), "print the keywords of an input group, that keyword, or an operation's settings (the groups without a name)")
      ("resume", "go on with an interrupted optimisation (jobtype='bsopt' or 'chain')");
  // clang-format on
  const po::options_description shared = resultOptions();
  for (const auto& option : shared.options()) options.add(option);
  return options;
}

std::string commandList() {
  if (commands().empty()) return "";
  std::string text = "Commands (cudaprophet NAME --help tells more):\n";
  for (const Command& command : commands()) {
    text += "  " + command.name + std::string(12 - command.name.size(), ' ') + command.summary + "\n";
  }
  return text + "\n";
}

std::string helpText(const po::options_description& options) {
  std::ostringstream text;
  text << "usage: cudaprophet [options] FILE.inp > FILE.out\n"
          "       cudaprophet [options] - < FILE.inp\n"
          "       cudaprophet ATOM [options]\n"
          "       cudaprophet help [COMMAND]\n\n"
          "Computes the Dirac-Hartree-Fock energy of an atom from an input file; 'cudaprophet --explain' "
          "lists\n"
          "what the file may say. Exit status: 0 done, 1 failed, 2 wrong input or command line, 3 not "
          "converged.\n\n"
       << commandList() << options;
  return text.str();
}

/// Options that would be without effect beside others must not pass in silence.
void rejectContradictions(const CommandLine& line, const po::variables_map& values) {
  if (line.quiet && line.verbose) throw UsageError("--quiet and --verbose exclude each other");
  if (values.count("orbital-grid") && !values.count("orbitals"))
    throw UsageError("--orbital-grid belongs to --orbitals FILE");
  if (values.count("hdf5")) requireResultFiles(values["hdf5"].as<std::string>(), "--hdf5");
  if (values.count("restart")) requireResultFiles(line.restartFile, "--restart");
  if (line.quiet && line.properties)
    throw UsageError("--quiet does not print --properties; leave one of them out");
  if (line.quiet && line.verifyGrid)
    throw UsageError("--quiet does not print what --verify-grid finds; leave one of them out");
}

/// The same for those that compute nothing.
void rejectWithoutComputing(const CommandLine& line, const po::variables_map& values) {
  if (line.explain && values.count("file"))
    throw UsageError("--explain takes one group and no input file: '" +
                     values["file"].as<std::vector<std::string>>().front() + "' is too many");
  if (line.check) {
    for (const auto& [option, does] :
         {std::pair("json", "write"), std::pair("orbitals", "write"), std::pair("hdf5", "write"),
          std::pair("properties", "print"), std::pair("verify-grid", "compare"),
          std::pair("resume", "go on with")}) {
      if (values.count(option))
        throw UsageError(std::string("--check computes nothing that --") + option + " could " + does +
                         "; leave one of them out");
    }
  }
}

/// What an input file is made from or leaves.
void nameFiles(CommandLine& line) {
  CommandFiles& files = line.files;
  files.reads(line.file);
  if (isStandardStream(line.file)) return;
  for (const char* ending : {".bsopt", ".chain", ".best"}) files.reads(line.file + ending);
  files.readsAllOf(line.file + ".bsopt.");  // several starts
}

}  // namespace

BackendOptions backendOf(const CommandLine& line) {
  BackendOptions options{line.backend, {}};
  if (line.device) options.devices = {*line.device};
  return options;
}

po::options_description resultOptions() {
  po::options_description options;
  // clang-format off
  options.add_options()
      ("json", po::value<std::string>()->value_name("FILE"), "write the result as JSON to this file")
      ("properties", "print <r^k>, density at the nucleus, spin-orbit splittings and hyperfine integrals (jobtype='energy' or 'limit')")
      ("orbitals", po::value<std::string>()->value_name("FILE"), "write density, P and Q of all spinors to this file as CSV (jobtype='energy' or 'limit')")
      ("orbital-grid", po::value<std::string>()->value_name("GRID"), "its radii in bohr: START:STOP:COUNT (logarithmic), or a file with one on each line")
      ("hdf5", po::value<std::string>()->value_name("FILE"), "write the result with its spinors to this HDF5 file")
      ("restart", po::value<std::string>()->value_name("FILE"), "start from the spinors of this HDF5 file (FILE:ID for one of several; jobtype='energy'); --hdf5 may name it too and then takes its place at the end")
      ("verify-grid", "repeat the energy on a finer grid and with analytic integrals, and compare (jobtype='energy')")
      ("no-error-estimate", "do not estimate the error of the basis set (jobtype='energy')")
      ("quiet,q", "print the energy only (with all corrections that the input asks for)")
      ("verbose,v", "print every exponent of the basis, and every evaluation of an optimisation");
  // clang-format on
  addBackendOptions(options);
  return options;
}

CommandLine readResultOptions(const po::variables_map& values) {
  CommandLine line;
  line.verifyGrid = values.count("verify-grid") > 0;
  line.noErrorEstimate = values.count("no-error-estimate") > 0;
  line.quiet = values.count("quiet") > 0;
  line.verbose = values.count("verbose") > 0;
  if (values.count("restart")) line.restartFile = values["restart"].as<std::string>();
  line.properties = values.count("properties") > 0;
  if (values.count("orbital-grid")) line.orbitalGrid = values["orbital-grid"].as<std::string>();
  line.threads = readThreads(values);
  const BackendOptions backend = readBackendOptions(values);
  if (backend.devices.size() > 1) throw UsageError("--device: one calculation runs on one GPU");
  line.backend = backend.backend;
  if (!backend.devices.empty()) line.device = backend.devices.front();
  rejectContradictions(line, values);
  line.files.reads(line.orbitalGrid);
  const auto [restart, id] = restartFileAndId(line.restartFile);
  // One result of several may not take the place of all.
  line.files.reads(restart, id.empty() ? "--hdf5" : "");
  line.jsonFile = line.files.output(values, "json");
  line.hdf5File = line.files.output(values, "hdf5", CommandFiles::Content::Binary);
  line.orbitalsFile = line.files.output(values, "orbitals");
  return line;
}

CommandLine parseCommandLine(int argc, const char* const* argv) {
  const po::options_description visible = visibleOptions();
  const po::variables_map values =
      parseOptions({argv + std::min(argc, 1), argv + argc}, visible, "file", "cudaprophet");
  CommandLine line = readResultOptions(values);
  line.helpText = helpText(visible);
  line.help = values.count("help") > 0;
  line.version = values.count("version") > 0;
  line.check = values.count("check") > 0;
  line.resume = values.count("resume") > 0;
  if (values.count("explain")) line.explain = values["explain"].as<std::string>();
  rejectWithoutComputing(line, values);
  if (line.help || line.version || line.explain) return line;
  if (!values.count("file")) throw UsageError("no input file; usage: cudaprophet [options] FILE.inp");
  const auto& files = values["file"].as<std::vector<std::string>>();
  line.file = files.front();
  if (findCommand(line.file)) throw UsageError("a command comes first: cudaprophet " + line.file + " ...");
  if (looksLikeCommand(line.file)) throw UsageError(unknownCommand(line.file));
  if (files.size() > 1)
    throw UsageError("'" + files[1] +
                     "' is too many: one run takes one input file, 'cudaprophet batch' many");
  nameFiles(line);
  return line;
}

}  // namespace prophet
