#include "frontends/app/chain_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdio>
#include <sstream>

#include "bases/hennessey/chain_maker.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/version.hpp"
#include "frontends/app/backend_options.hpp"
#include "frontends/app/environment.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/progress_line.hpp"
#include "frontends/app/signals.hpp"
#include "frontends/app/trial_service.hpp"
#include "frontends/app/usage_error.hpp"
#include "operations/catalogue/collection_run.hpp"

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
      ("method", po::value<std::string>()->value_name("NAME")->default_value("ladders"), "ladders: one for each symmetry; thesis: one pool of exponents, functions dropped end by end as in Hennessey (2018)")
      ("hamiltonian", po::value<std::string>()->value_name("NAME")->default_value("dirac"), "dirac, or nonrel with --method thesis")
      ("nucleus", po::value<std::string>()->value_name("NAME")->default_value("gaussian"), "point, fermi, gaussian or sphere")
      ("probes", po::value<int>()->value_name("N"), "sizes tried at once with --method thesis (4)")
      ("threshold", po::value<double>()->value_name("NUMBER")->default_value(5e-9, "5e-9"), "largest relative error against the numerical limit")
      ("known-limits", po::value<std::string>()->value_name("NAME"), "take the numerical limits that the files of this collection state, e.g. prophet-1, instead of computing them")
      ("resume", "leave finished elements as they are and go on with begun ones")
      ("quiet,q", "print the finished elements only");
  // clang-format on
  addBackendOptions(options);
  return options;
}

/// What the elements' searches are for, and where their sets go.
CollectionTask collectionOf(const po::variables_map& values) {
  CollectionTask task;
  task.elements = parseElementOption(values["elements"].as<std::string>(), "--elements");
  task.folder = values["out"].as<std::string>();
  task.program = fmt::format("cudaprophet {}", kVersion);
  task.model = parseNuclearModel(values["nucleus"].as<std::string>());
  const std::string hamiltonian = values["hamiltonian"].as<std::string>();
  if (hamiltonian == "nonrel") {
    task.oneElectron = OneElectronOperator::Nonrelativistic;
  } else if (hamiltonian != "dirac") {
    throw UsageError("--hamiltonian takes dirac or nonrel, not '" + hamiltonian + "'");
  }
  return task;
}

double thresholdOf(const po::variables_map& values) {
  const double threshold = values["threshold"].as<double>();
  if (!(threshold > 0.0 && threshold < 1.0))
    throw UsageError("--threshold takes a number above 0 and below 1, the largest relative error");
  return threshold;
}

bool byThesis(const po::variables_map& values) {
  const std::string method = values["method"].as<std::string>();
  if (method != "ladders" && method != "thesis")
    throw UsageError("--method takes ladders or thesis, not '" + method + "'");
  if (method == "thesis") return true;
  if (values.count("probes")) throw UsageError("--probes belongs to --method thesis");
  if (values["hamiltonian"].as<std::string>() == "nonrel")
    throw UsageError(
        "--hamiltonian nonrel belongs to --method thesis: the frozen fields of --method ladders are those of "
        "the Dirac Hamiltonian");
  return false;
}

/// Known limits, and where they are from.
struct KnownLimits {
  std::map<int, double> limits;
  std::string from;
};

KnownLimits knownLimitsOf(const po::variables_map& values, const CollectionTask& task) {
  if (!values.count("known-limits")) return {};
  KnownLimits known{{}, values["known-limits"].as<std::string>()};
  if (task.oneElectron == OneElectronOperator::Dirac)
    known.limits = limitsOf(known.from, task.model, task.c, environment::basisSets());
  if (known.limits.empty())
    throw UsageError("--known-limits: the collection " + known.from +
                     " states no limit for this Hamiltonian, nuclear model and speed of light");
  return known;
}

std::string thesisHelp() {
  return "With --method thesis every set of parameters costs an SCF; these run on the CPU or, with --backend "
         "cuda,\non the GPU. 'cudaprophet chain --elements 2-86 --method thesis --hamiltonian nonrel "
         "--nucleus "
         "point --out DIR'\nrepeats the published sets of Hennessey (2018).\n\n";
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
        << thesisHelp() << options;
    print(text.str());
    return kSuccess;
  }
  if (!values.count("out"))
    throw UsageError("chain needs --out FOLDER; 'cudaprophet chain --help' tells more");

  const bool thesis = byThesis(values);
  const CollectionTask task = collectionOf(values);
  CollectionOptions table;
  ChainOptions chain;
  ThesisChainOptions thesisChain;
  chain.threshold = thesisChain.threshold = thresholdOf(values);
  if (values.count("probes")) thesisChain.probes = values["probes"].as<int>();
  if (thesisChain.probes < 1 || thesisChain.probes > 1000)
    throw UsageError("--probes takes a number from 1 to 1000");
  table.threads = readThreads(values);
  table.resume = values.count("resume") > 0;
  const BackendOptions backend = readBackendOptions(values);
  const KnownLimits known = knownLimitsOf(values, task);

  const Stopwatch watch;
  const int threads = table.threads, elements = static_cast<int>(task.elements.size());
  TrialService trials(thesis ? BackendOptions{BackendRequest::Cpu, {}} : backend, elements, threads);
  // Two SCFs or three for each element are too few to start a GPU's batches for.
  const Opened<EnergyService> service = openEnergyService(executionOf(backend, threads), false);
  if (trials.onGpu()) table.threads = elements;  // they mostly wait for the GPU
  chain.sideBySide =
      trials.onGpu() ? kMostSymmetries : std::clamp(threads / std::max(elements, 1), 1, kMostSymmetries);
  chain.trials = trials.means();
  if (!values.count("quiet")) {
    print(fmt::format(
        "{} elements, {} side by side, {}energies on {}\n", elements, std::min(table.threads, elements),
        thesis ? "" : fmt::format("trials on {}, ", trials.description()), service->description()));
    if (!trials.choice().empty()) print("chosen for you: " + trials.choice() + "\n");
  }
  const ResumeHint hint("the same command with --resume goes on");
  const ChainMaker maker = thesis ? ChainMaker(thesisChain, *service, known.limits, known.from)
                                  : ChainMaker(chain, *service, known.limits, known.from);
  Execution execution;
  execution.brief = values.count("quiet") > 0;
  std::string report;
  std::vector<CollectionRow> rows;
  {
    ProgressLine progress("elements", !execution.brief);
    execution.reader = [&](const std::string& part) { progress.print(part); };
    execution.progress = [&](const Progress& p) { progress.show(p.done, p.total); };
    rows = runAndTell(task, table, maker, execution, report);
  }
  const std::size_t missed = missedIn(rows);
  print(fmt::format("{} elements, {} without a set within {:.1e}, {:.1f} s\n", rows.size(), missed,
                    chain.threshold, watch.seconds()));
  if (!thesis && !values.count("quiet")) trials.printSummary();
  printNotes(*service, values.count("quiet") > 0);
  return missed == 0 ? kSuccess : kNotConverged;
}

}  // namespace prophet
