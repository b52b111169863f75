#include "app/batch_line.hpp"

#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <iostream>
#include <set>
#include <sstream>

#include "app/batch_items.hpp"
#include "app/parse_options.hpp"
#include "app/usage_error.hpp"
#include "common/read_file.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

po::options_description batchOptions() {
  po::options_description options("Options");
  // clang-format off
  options.add_options()
      ("help,h", "print this text")
      ("jobs-file", po::value<std::string>(), "more input files: one path a line, # comments; - reads standard input")
      ("json-lines", po::value<std::string>(), "write one JSON line for each finished job to this file")
      ("resume", "go on with an interrupted batch: skip the jobs that the file holds")
      ("retry-failed", "with --resume: compute those jobs again that the file holds as failed or not converged")
      ("mpi", po::value<std::string>(), "auto, on or off: share the jobs among the processes that mpirun or srun started (default: auto)")
      ("quiet,q", "print nothing but errors");
  // clang-format on
  addBackendOptions(options);
  return options;
}

std::string helpText(const po::options_description& options) {
  std::ostringstream text;
  text << "usage: cudaprophet batch FILE.inp... --json-lines OUT [options]\n\n"
          "Computes the energies of many input files side by side. A job that fails does so alone. Exit "
          "status:\n"
          "0 all converged, 1 output or GPU unusable, 2 wrong command line, 3 a job failed or did not "
          "converge.\n\n"
       << options;
  return text.str();
}

JoinMode readMpi(const std::string& text) {
  if (text == "auto") return JoinMode::Automatic;
  if (text == "on") return JoinMode::On;
  if (text == "off") return JoinMode::Off;
  throw UsageError("--mpi takes auto, on or off, not '" + text + "'");
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
  if (!values.count("json-lines"))
    throw UsageError("batch needs --json-lines OUT; 'cudaprophet batch --help' tells more");
  line.output = values["json-lines"].as<std::string>();
  line.resume = values.count("resume") > 0;
  line.retryFailed = values.count("retry-failed") > 0;
  if (line.retryFailed && !line.resume) throw UsageError("--retry-failed belongs to --resume");
  line.quiet = values.count("quiet") > 0;
  if (values.count("mpi")) line.mpi = readMpi(values["mpi"].as<std::string>());
  if (values.count("threads")) line.threads = readThreads(values);
  line.backend = readBackendOptions(values);
  if (values.count("file")) line.words = values["file"].as<std::vector<std::string>>();
  if (values.count("jobs-file")) line.jobsFile = values["jobs-file"].as<std::string>();
  return line;
}

std::vector<std::string> inputFiles(const BatchLine& line) {
  std::vector<std::string> files = line.words;
  if (!line.jobsFile.empty()) {
    for (std::string& file : listedFiles(line.jobsFile)) files.push_back(std::move(file));
  }
  if (files.empty()) throw UsageError("batch needs input files: name them, or give a list with --jobs-file");
  std::set<std::string> seen;
  for (const std::string& file : files) {
    if (!seen.insert(file).second) throw UsageError("the batch names " + file + " twice");
  }
  return files;
}

}  // namespace prophet
