#include "app/chain_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdio>
#include <sstream>

#include "app/batch_service.hpp"
#include "app/collection_run.hpp"
#include "app/environment.hpp"
#include "app/exit_status.hpp"
#include "app/parse_options.hpp"
#include "app/print.hpp"
#include "app/signals.hpp"
#include "app/trial_service.hpp"
#include "app/usage_error.hpp"
#include "common/stopwatch.hpp"
#include "common/version.hpp"
#include "optimise/chain_maker.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

/// That any atom has with electrons in them.
constexpr int kMostSymmetries = 8;

po::options_description chainOptions() {
  po::options_description options("Options");
  // clang-format off
  options.add_options()
      ("help,h", "print this text")
      ("elements", po::value<std::string>()->value_name("LIST")->default_value("1-118"), "elements: 1-10,18,Rn")
      ("out", po::value<std::string>()->value_name("FOLDER"), "folder for the library files (and state/ for --resume)")
      ("threshold", po::value<double>()->value_name("NUMBER")->default_value(5e-9, "5e-9"), "largest relative error against the numerical limit")
      ("known-limits", po::value<std::string>()->value_name("NAME"), "take the numerical limits that the files of this collection state, e.g. prophet-1, instead of computing them")
      ("resume", "leave finished elements as they are and go on with begun ones")
      ("quiet,q", "print the finished elements only");
  // clang-format on
  addBackendOptions(options);
  return options;
}

}  // namespace

int chainCommand(const std::vector<std::string>& arguments) {
  const po::options_description options = chainOptions();
  const po::variables_map values = parseOptions(arguments, options, "", "cudaprophet chain");
  if (values.count("help")) {
    std::ostringstream text;
    text
        << "usage: cudaprophet chain --elements LIST --out FOLDER [options]\n\n"
           "Finds for each element the smallest well-tempered set within the threshold of its numerical "
           "limit,\n"
           "as many elements side by side as there are threads. Where there is a GPU, and elements enough, "
           "it\n"
           "measures the trial sets, all elements side by side; the SCF energies of the sets that were found "
           "go\n"
           "there only with --backend cuda or --device.\n\n"
        << options;
    print(text.str());
    return kSuccess;
  }
  if (!values.count("out"))
    throw UsageError("chain needs --out FOLDER; 'cudaprophet chain --help' tells more");

  CollectionTask task;
  task.elements = parseElementOption(values["elements"].as<std::string>(), "--elements");
  task.folder = values["out"].as<std::string>();
  task.program = fmt::format("cudaprophet {}", kVersion);
  CollectionOptions table;
  ChainOptions chain;
  chain.threshold = values["threshold"].as<double>();
  if (!(chain.threshold > 0.0 && chain.threshold < 1.0))
    throw UsageError("--threshold takes a number above 0 and below 1, the largest relative error");
  table.threads = readThreads(values);
  table.resume = values.count("resume") > 0;
  const BackendOptions backend = readBackendOptions(values);
  std::map<int, double> limits;
  std::string limitsFrom;
  if (values.count("known-limits")) {
    limitsFrom = values["known-limits"].as<std::string>();
    limits = limitsOf(limitsFrom, task.model, task.c, environment::basisSets());
    if (limits.empty())
      throw UsageError("--known-limits: the collection " + limitsFrom +
                       " states no limit for this nuclear model and speed of light");
  }

  const Stopwatch watch;
  const int threads = table.threads, elements = static_cast<int>(task.elements.size());
  TrialService trials(backend, elements, threads);
  // Two SCFs or three for each element are too few to start a GPU's batches for.
  const BatchService service =
      sizeDecides(backend) ? openHostService(threads, "") : openBatchService(backend, threads);
  if (trials.onGpu()) table.threads = elements;  // they mostly wait for the GPU
  chain.sideBySide =
      trials.onGpu() ? kMostSymmetries : std::clamp(threads / std::max(elements, 1), 1, kMostSymmetries);
  chain.trials = trials.means();
  if (!values.count("quiet")) {
    print(fmt::format("{} elements, {} side by side, trials on {}, energies on {}\n", elements, table.threads,
                      trials.description(), service.energies->description()));
    if (!trials.choice().empty()) print("chosen for you: " + trials.choice() + "\n");
  }
  const ResumeHint hint("the same command with --resume goes on");
  const ChainMaker maker(chain, *service.energies, limits, limitsFrom);
  const std::vector<CollectionRow> rows = runAndPrint(task, table, maker, values.count("quiet") > 0);
  const std::size_t missed = missedIn(rows);
  print(fmt::format("{} elements, {} without a set within {:.1e}, {:.1f} s\n", rows.size(), missed,
                    chain.threshold, watch.seconds()));
  if (!values.count("quiet")) trials.printSummary();
  printNotes(*service.energies, values.count("quiet") > 0);
  return missed == 0 ? kSuccess : kNotConverged;
}

}  // namespace prophet
