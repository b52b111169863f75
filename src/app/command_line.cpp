#include "app/command_line.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <sstream>

#include "app/backend_options.hpp"
#include "app/commands.hpp"
#include "app/parse_options.hpp"
#include "app/usage_error.hpp"
#include "common/file_handle.hpp"

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
      ("explain", po::value<std::string>()->implicit_value(""), "print the keywords of an input group (all without a name)")
      ("json", po::value<std::string>(), "write the result as JSON to this file")
      ("properties", "print <r^k>, density at the nucleus, spin-orbit splittings and hyperfine integrals (jobtype='energy' or 'limit')")
      ("orbitals", po::value<std::string>(), "write density, P and Q of all spinors to this file as CSV (jobtype='energy' or 'limit')")
      ("orbital-grid", po::value<std::string>(), "its radii in bohr: START:STOP:COUNT (logarithmic), or a file with one on each line")
      ("hdf5", po::value<std::string>(), "write the result with its spinors to this HDF5 file")
      ("restart", po::value<std::string>(), "start from the spinors of this HDF5 file (FILE:ID for one of several; jobtype='energy')")
      ("verify-grid", "repeat the energy on a finer grid and with analytic integrals, and compare (jobtype='energy')")
      ("resume", "go on with an interrupted optimisation (jobtype='bsopt' or 'chain')")
      ("no-error-estimate", "do not estimate the error of the basis set (jobtype='energy')")
      ("quiet,q", "print the energy only (with all corrections that the input asks for)")
      ("verbose,v", "print every exponent of the basis, and every evaluation of an optimisation");
  // clang-format on
  addBackendOptions(options);
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
  text << "usage: cudaprophet [options] FILE.inp > FILE.out\n\n"
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
  if (values.count("json") && line.jsonFile.empty()) throw UsageError("--json takes the name of a file");
  if (values.count("orbitals") && line.orbitalsFile.empty())
    throw UsageError("--orbitals takes the name of a file");
  if (values.count("orbital-grid") && line.orbitalsFile.empty())
    throw UsageError("--orbital-grid belongs to --orbitals FILE");
  if (values.count("hdf5")) requireResultFiles(line.hdf5File, "--hdf5");
  if (values.count("restart")) requireResultFiles(line.restartFile, "--restart");
  if (line.explain && values.count("file"))
    throw UsageError("--explain takes one group and no input file: '" +
                     values["file"].as<std::vector<std::string>>().front() + "' is too many");
  if (line.check && !line.jsonFile.empty())
    throw UsageError("--check computes nothing that --json could write; leave one of them out");
  if (line.check && !line.orbitalsFile.empty())
    throw UsageError("--check computes nothing that --orbitals could write; leave one of them out");
  if (line.check && line.properties)
    throw UsageError("--check computes nothing that --properties could print; leave one of them out");
  if (line.quiet && line.properties)
    throw UsageError("--quiet does not print --properties; leave one of them out");
  if (line.check && !line.hdf5File.empty())
    throw UsageError("--check computes nothing that --hdf5 could write; leave one of them out");
  if (line.check && line.verifyGrid)
    throw UsageError("--check computes nothing that --verify-grid could compare; leave one of them out");
  if (line.check && line.resume)
    throw UsageError("--check computes nothing that --resume could go on with; leave one of them out");
  if (line.quiet && line.verifyGrid)
    throw UsageError("--quiet does not print what --verify-grid finds; leave one of them out");
}

/// The result must not take the place of what the job is made from or goes on from.
void refuseToOverwrite(const CommandLine& line, const std::string& option, const std::string& file) {
  if (file.empty()) return;
  for (const char* ending : {"", ".bsopt", ".chain", ".best"}) {
    if (isSameFile(file, line.file + ending))
      throw UsageError(option + " would overwrite " + line.file + ending + "; name another file");
  }
  const std::string numbered = line.file + ".bsopt.";  // several starts
  if (file.compare(0, numbered.size(), numbered) == 0)
    throw UsageError(option + " would write to " + file +
                     ", which may be an optimisation's state; name another "
                     "file");
}

void refuseToOverwrite(const CommandLine& line) {
  refuseToOverwrite(line, "--json", line.jsonFile);
  refuseToOverwrite(line, "--hdf5", line.hdf5File);
  refuseToOverwrite(line, "--orbitals", line.orbitalsFile);
  if (line.orbitalsFile.empty()) return;
  for (const auto& [option, file] :
       {std::pair("--json", line.jsonFile), std::pair("--hdf5", line.hdf5File)}) {
    if (!file.empty() && isSameFile(line.orbitalsFile, file))
      throw UsageError(std::string(option) + " and --orbitals name the same file");
  }
  if (isSameFile(line.orbitalsFile, line.orbitalGrid))
    throw UsageError("--orbitals would overwrite the file of --orbital-grid; name another file");
}

}  // namespace

BackendOptions backendOf(const CommandLine& line) {
  BackendOptions options{line.backend, {}};
  if (line.device) options.devices = {*line.device};
  return options;
}

CommandLine parseCommandLine(int argc, const char* const* argv) {
  const po::options_description visible = visibleOptions();
  const po::variables_map values =
      parseOptions({argv + std::min(argc, 1), argv + argc}, visible, "file", "cudaprophet");
  CommandLine line;
  line.helpText = helpText(visible);
  line.help = values.count("help") > 0;
  line.version = values.count("version") > 0;
  line.check = values.count("check") > 0;
  line.verifyGrid = values.count("verify-grid") > 0;
  line.resume = values.count("resume") > 0;
  line.noErrorEstimate = values.count("no-error-estimate") > 0;
  line.quiet = values.count("quiet") > 0;
  line.verbose = values.count("verbose") > 0;
  if (values.count("explain")) line.explain = values["explain"].as<std::string>();
  if (values.count("hdf5")) line.hdf5File = values["hdf5"].as<std::string>();
  if (values.count("restart")) line.restartFile = values["restart"].as<std::string>();
  if (values.count("json")) line.jsonFile = values["json"].as<std::string>();
  line.properties = values.count("properties") > 0;
  if (values.count("orbitals")) line.orbitalsFile = values["orbitals"].as<std::string>();
  if (values.count("orbital-grid")) line.orbitalGrid = values["orbital-grid"].as<std::string>();
  line.threads = readThreads(values);
  const BackendOptions backend = readBackendOptions(values);
  if (backend.devices.size() > 1) throw UsageError("--device: one input file runs on one GPU");
  line.backend = backend.backend;
  if (!backend.devices.empty()) line.device = backend.devices.front();
  rejectContradictions(line, values);
  if (line.help || line.version || line.explain) return line;
  if (!values.count("file")) throw UsageError("no input file; usage: cudaprophet [options] FILE.inp");
  const auto& files = values["file"].as<std::vector<std::string>>();
  if (files.size() > 1) throw UsageError("one input file at a time, please: '" + files[1] + "' is too many");
  line.file = files.front();
  refuseToOverwrite(line);
  if (!line.jsonFile.empty() && !line.hdf5File.empty() && isSameFile(line.jsonFile, line.hdf5File))
    throw UsageError("--json and --hdf5 name the same file");
  return line;
}

}  // namespace prophet
