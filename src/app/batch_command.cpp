#include "app/batch_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/program_options.hpp>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "app/batch_items.hpp"
#include "app/batch_progress.hpp"
#include "app/batch_service.hpp"
#include "app/batch_summary.hpp"
#include "app/exit_status.hpp"
#include "app/parse_options.hpp"
#include "app/print.hpp"
#include "app/usage_error.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

struct BatchLine {
  std::vector<std::string> files;
  std::string output, help;
  bool resume = false, quiet = false;
  int threads = 1;
  BackendOptions backend;
};

po::options_description batchOptions() {
  po::options_description options("Options");
  // clang-format off
  options.add_options()
      ("help,h", "print this text")
      ("jobs-file", po::value<std::string>(), "more input files: one path a line, # comments; - reads standard input")
      ("json-lines", po::value<std::string>(), "write one JSON line for each finished job to this file")
      ("resume", "go on with an interrupted batch: skip the jobs that the file holds")
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

std::vector<std::string> listedFiles(const std::string& path) {
  if (path == "-") return readJobsList(std::cin);
  std::ifstream in(path);
  if (!in) throw UsageError("cannot read the jobs file " + path);
  return readJobsList(in);
}

std::vector<std::string> filesOf(const po::variables_map& values) {
  std::vector<std::string> files;
  if (values.count("file")) files = values["file"].as<std::vector<std::string>>();
  if (values.count("jobs-file")) {
    for (std::string& file : listedFiles(values["jobs-file"].as<std::string>()))
      files.push_back(std::move(file));
  }
  if (files.empty()) throw UsageError("batch needs input files: name them, or give a list with --jobs-file");
  std::set<std::string> seen;
  for (const std::string& file : files) {
    if (!seen.insert(file).second) throw UsageError("the batch names " + file + " twice");
  }
  return files;
}

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
  line.quiet = values.count("quiet") > 0;
  line.threads = readThreads(values);
  line.backend = readBackendOptions(values);
  line.files = filesOf(values);
  return line;
}

/// Reads the input files and runs them, with a display of the progress unless quiet.
BatchSummary runJobs(const BatchLine& line, EnergyService& service) {
  std::vector<BatchItem> items;
  items.reserve(line.files.size());
  for (const std::string& file : line.files) items.push_back(batchItem(file));
  if (line.quiet) return runBatch(service, items, {line.output, line.resume});
  ProgressDisplay display(stderr, ::isatty(STDERR_FILENO) == 1);
  return runBatch(
      service, items, {line.output, line.resume},
      [&](std::size_t finished, std::size_t total, const EnergyOutcome&) { display.show(finished, total); });
}

}  // namespace

int batchCommand(const std::vector<std::string>& arguments) {
  const BatchLine line = parseBatchLine(arguments);
  if (!line.help.empty()) {
    print(line.help);
    return kSuccess;
  }
  const BatchService service = openBatchService(line.backend, line.threads);
  if (!line.quiet) {
    print(fmt::format("{} jobs on {}\n", line.files.size(), service.energies->description()));
    if (!service.choice.empty()) print("chosen for you: " + service.choice + "\n");
  }
  const BatchSummary run = runJobs(line, *service.energies);
  // From the file, so that jobs of an earlier run count too.
  const OutputTally tally = tallyJsonLines(line.output, line.files);
  if (!line.quiet) print(summaryText(tally, run));
  return tally.bad.empty() ? kSuccess : kNotConverged;
}

}  // namespace prophet
