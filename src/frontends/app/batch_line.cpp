#include "frontends/app/batch_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <iostream>
#include <set>
#include <sstream>

#include "core/common/read_file.hpp"
#include "core/common/text.hpp"
#include "core/common/utf8.hpp"
#include "frontends/app/batch_items.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/rank_command.hpp"
#include "frontends/app/usage_error.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

po::options_description batchOptions() {
  po::options_description options("Options");
  // clang-format off
  options.add_options()
      ("help,h", "print this text")
      ("jobs-file", po::value<std::string>()->value_name("FILE"), "more input files: one path a line, # comments; - reads standard input")
      ("elements", po::value<std::string>()->value_name("LIST"), "atoms and ions without input files: 1-118, 1-10,18,Rn, Fe2+,Cl-")
      ("charge", po::value<std::string>()->value_name("LIST"), "charges of those without one: 0,1,2 or -1-3 (default: 0)")
      ("nucleus", po::value<std::string>()->value_name("NAME"), "their nuclear models: point, sphere, gaussian, fermi; several with commas")
      ("hamiltonian", po::value<std::string>()->value_name("NAME"), "their Hamiltonians: dirac, x2c1e, sfx2c1e, nonrel; several with commas (default: dirac)")
      ("basis", po::value<std::vector<std::string>>()->value_name("NAME")->multitoken(), "their basis-set libraries (default: the program chooses)")
      ("limit", "their numerical limits instead of energies in a basis")
      ("json-lines", po::value<std::string>()->value_name("FILE"), "write one JSON line for each finished job to this file")
      ("csv", po::value<std::string>()->value_name("FILE"), "write a table of all jobs to this file at the end")
      ("properties", "give the densities at the nucleus too, with their errors; takes about twice as long")
      ("differences", "print ionisation, affinity and excitation energies among the jobs at the end")
      ("hdf5", po::value<std::string>()->value_name("FILE"), "write all results with their spinors to this HDF5 file, a group for each job")
      ("resume", "go on with an interrupted batch: skip the jobs that the file holds")
      ("retry-failed", "with --resume: compute those jobs again that the file holds as failed or not converged")
      ("no-error-estimate", "do not estimate the errors of basis sets: a processor takes longer for one than a GPU for the energy")
      ("quiet,q", "print nothing but errors");
  // clang-format on
  addRankOption(options, "the jobs");
  addBackendOptions(options);
  return options;
}

std::string helpText(const po::options_description& options) {
  std::ostringstream text;
  text << "usage: cudaprophet batch FILE.inp... --json-lines OUT [options]\n"
          "       cudaprophet batch --elements 1-118 --charge 0,1 --csv TABLE.csv [options]\n\n"
          "Computes the energies (or numerical limits) of many input files, or of elements and their ions,\n"
          "side by side. A job that fails does so alone. Exit status:\n"
          "0 all converged, 1 output or GPU unusable, 2 wrong command line, 3 a job failed or did not "
          "converge.\n\n"
       << options;
  return text.str();
}

std::vector<NuclearModel> readNuclei(const std::string& text) {
  std::vector<NuclearModel> models;
  for (const std::string& name : split(text, ',')) {
    const NuclearModel model = parseNuclearModel(name);
    if (std::count(models.begin(), models.end(), model) > 0)
      throw UsageError("--nucleus names " + name + " twice");
    models.push_back(model);
  }
  return models;
}

std::vector<OneElectronOperator> readHamiltonians(const std::string& text) {
  std::vector<OneElectronOperator> kinds;
  for (const std::string& name : split(text, ',')) {
    const auto kind = oneElectronOperatorNamed(name);
    if (!kind) throw UsageError("--hamiltonian takes dirac, x2c1e, sfx2c1e or nonrel, not '" + name + "'");
    if (std::count(kinds.begin(), kinds.end(), *kind) > 0)
      throw UsageError("--hamiltonian names " + name + " twice");
    kinds.push_back(*kind);
  }
  return kinds;
}

/// A limit of two components has no program; better said before than by every job.
void requireLimits(const ElementRequest& request) {
  for (const OneElectronOperator kind : request.hamiltonians) {
    if (kind == OneElectronOperator::Dirac || kind == OneElectronOperator::Nonrelativistic) continue;
    throw UsageError("--limit is there for --hamiltonian dirac and nonrel, not for " + nameOf(kind));
  }
}

std::optional<ElementRequest> readElementOptions(const po::variables_map& values) {
  if (!values.count("elements")) {
    for (const char* option : {"charge", "nucleus", "hamiltonian", "basis", "limit"}) {
      if (values.count(option))
        throw UsageError(
            fmt::format("--{} belongs to --elements; an input file says such things itself", option));
    }
    return std::nullopt;
  }
  ElementRequest request;
  readElements(values["elements"].as<std::string>(), request);
  if (values.count("charge") && request.elements.empty())
    throw UsageError("--charge belongs to elements; the ions of --elements have theirs");
  if (values.count("charge")) request.charges = parseCharges(values["charge"].as<std::string>());
  if (values.count("nucleus")) request.nuclei = readNuclei(values["nucleus"].as<std::string>());
  if (values.count("hamiltonian"))
    request.hamiltonians = readHamiltonians(values["hamiltonian"].as<std::string>());
  if (values.count("basis")) request.libraries = values["basis"].as<std::vector<std::string>>();
  request.limit = values.count("limit") > 0;
  if (request.limit && !request.libraries.empty())
    throw UsageError("--limit needs no basis set; leave --basis out");
  if (request.limit) requireLimits(request);
  std::set<std::string> seen;
  for (const std::string& library : request.libraries) {
    if (!seen.insert(library).second) throw UsageError("--basis names " + library + " twice");
  }
  return request;
}

/// Where the results go: lines that stay, or a table with lines beside it as long as the batch runs.
void readOutputs(const po::variables_map& values, BatchLine& line) {
  line.differences = values.count("differences") > 0;
  line.properties = values.count("properties") > 0;
  line.csv = line.files.output(values, "csv");
  line.hdf5 = line.files.output(values, "hdf5", CommandFiles::Content::Binary);
  if (!line.hdf5.empty()) requireResultFiles(line.hdf5, "--hdf5");
  line.output = line.files.output(values, "json-lines");
  if (line.output.empty() && line.csv.empty())
    throw UsageError("batch needs --json-lines OUT or --csv OUT; 'cudaprophet batch --help' tells more");
  line.printsLines = isStandardStream(line.output);
  line.keepsLines = !line.output.empty() && !line.printsLines;
  if (line.keepsLines) return;
  line.output = line.csv.empty() || isStandardStream(line.csv) ? "" : line.csv + ".jsonl";
  line.files.writes("--csv (" + line.output + ", as long as it runs)", line.output);
}

std::vector<std::string> listedFiles(const std::string& path) {
  if (path == "-") return readJobsList(std::cin);
  try {
    std::istringstream in(readFile(path));
    return readJobsList(in);
  } catch (const ResourceError&) {
    throw;
  } catch (const Error& e) {
    throw UsageError(fmt::format("cannot read the jobs file {} ({})", path, e.what()));
  }
}

}  // namespace

BatchLine parseBatchLine(const std::vector<std::string>& arguments) {
  const po::options_description visible = batchOptions();
  const po::variables_map values = parseOptions(arguments, visible, "file", "cudaprophet batch");
  BatchLine line;
  if (values.count("help")) {
    line.help = helpText(visible);
    return line;
  }
  readOutputs(values, line);
  line.elements = readElementOptions(values);
  line.resume = values.count("resume") > 0;
  line.retryFailed = values.count("retry-failed") > 0;
  if (line.retryFailed && !line.resume) throw UsageError("--retry-failed belongs to --resume");
  if (line.retryFailed && !line.keepsLines)
    throw UsageError("--retry-failed needs the lines of the earlier run: name them with --json-lines");
  if (line.resume && line.output.empty())
    throw UsageError("--resume goes on with a file: name it with --json-lines or --csv");
  line.estimateError = values.count("no-error-estimate") == 0;
  line.quiet = values.count("quiet") > 0;
  line.mpi = readRankOption(values);
  if (values.count("threads")) line.threads = readThreads(values);
  line.backend = readBackendOptions(values);
  if (line.properties && line.backend.backend == BackendRequest::Cuda)
    throw UsageError(
        "--properties needs the spinors, which batches on a GPU keep to themselves; leave --backend out");
  if (line.properties) line.backend.backend = BackendRequest::Cpu;
  if (values.count("file")) line.words = values["file"].as<std::vector<std::string>>();
  line.jobsFile = fileOption(values, "jobs-file");
  line.files.reads(line.jobsFile);
  return line;
}

std::vector<std::string> inputFiles(BatchLine& line) {
  std::vector<std::string> files = line.words;
  if (!line.jobsFile.empty()) {
    for (std::string& file : listedFiles(line.jobsFile)) files.push_back(std::move(file));
  }
  if (files.empty() && !line.elements)
    throw UsageError("batch needs input files or --elements: name them, or give a list with --jobs-file");
  std::set<std::string> seen;
  for (const std::string& file : files) {
    if (!seen.insert(utf8(file)).second) throw UsageError("the batch names " + file + " twice");
    line.files.reads(file);
  }
  return files;
}

}  // namespace prophet
