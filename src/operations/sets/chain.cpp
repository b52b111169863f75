#include <fmt/format.h>

#include <algorithm>

#include "bases/collections/thesis_chain.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/version.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/setting_values.hpp"
#include "operations/input/keywords.hpp"
#include "operations/sets/chain_of_atom.hpp"
#include "operations/sets/collection_run.hpp"

namespace prophet {
namespace {

/// The symmetries that any atom has with electrons in them.
constexpr int kOccupiedSymmetries = 8;
/// Elements whose searches together keep a GPU busy: fewer are done before it has started.
constexpr int kElementsForGpu = 8;

struct ChainsRequest {
  std::vector<int> elements = elementsFrom("1-118");
  std::string out, knownLimits, state;
  ChainMethod method = ChainMethod::Ladders;
  OneElectronOperator hamiltonian = OneElectronOperator::Dirac;
  NuclearModel nucleus = NuclearModel::Gaussian;
  std::optional<int> probes;
  double threshold = 5e-9;
  bool resume = false, check = false;
  std::optional<Json> input;  ///< one atom, whose file says all
  AtomRequest atom;           ///< of `input`

  bool isThesis() const { return method == ChainMethod::Thesis; }
};

void checkRequest(ChainsRequest& r) {
  if (r.input) {
    r.atom = readAtomRequest(JobType::Chain, {{"input", *r.input}});
    return;
  }
  if (r.isThesis()) return;
  if (r.probes) throw SettingError("probes", "belongs to the method 'thesis'");
  if (r.hamiltonian == OneElectronOperator::Nonrelativistic)
    throw SettingError(
        "hamiltonian",
        "'nonrel' belongs to the method 'thesis': the frozen fields of the method 'ladders' are "
        "those of the Dirac Hamiltonian");
}

RequestTable<ChainsRequest> chainTable() {
  using R = ChainsRequest;
  RequestTable<R> t;
  addElementsRow(t).byDefault("1-118").notWith({"input"});
  t.add("out", &R::out, "folder for the library files, with state/ for unfinished elements")
      .called("FOLDER")
      .notWith({"input"});
  t.add("method", &R::method,
        Names<ChainMethod>{{"ladders", ChainMethod::Ladders}, {"thesis", ChainMethod::Thesis}},
        "one ladder for each symmetry, or one pool of exponents with functions removed end by end as in "
        "Hennessey (2018)")
      .notWith({"input"});
  t.add("hamiltonian", &R::hamiltonian,
        Names<OneElectronOperator>{{"dirac", OneElectronOperator::Dirac},
                                   {"nonrel", OneElectronOperator::Nonrelativistic}},
        "Hamiltonian; nonrel requires the method thesis")
      .notWith({"input"});
  t.add("nucleus", &R::nucleus, wordsOf<NuclearModel>(), "nuclear model").notWith({"input"});
  t.add("probes", &R::probes, "sizes tried at once by the method thesis")
      .from(1, 1000)
      .byDefault("4")
      .notWith({"input"});
  t.add("threshold", &R::threshold, "largest relative error against the numerical limit")
      .byDefault("5e-9")
      .notWith({"input"})
      .range = {0, 1, true, true};
  t.add("known_limits", &R::knownLimits,
        "take the numerical limits that the files of this collection state, such as prophet-1, instead of "
        "computing them")
      .called("NAME")
      .notWith({"input"});
  t.add("state", &R::state,
        "beginning of the names of the output files of one atom: NAME.best, the set, and NAME.chain, the "
        "state "
        "for resume")
      .called("NAME")
      .byDefault("the name of the input file")
      .notWith({"out"});
  t.add("resume", &R::resume, "keep finished elements and continue those that were begun");
  t.add("check", &R::check, "only check the input; compute nothing").onlyWith({"input"}).notWith({"resume"});
  t.add("input", ValueType::Any, "an input file with jobtype='chain', for one atom, instead of elements",
        [](R& r, const Json& v) { r.input = v; })
      .called("FILE")
      .inInput = true;
  t.afterwards(checkRequest);
  return t;
}

CollectionTask taskOf(const ChainsRequest& r) {
  CollectionTask task;
  task.elements = r.elements;
  task.folder = r.out;
  task.program = fmt::format("cudaprophet {}", kVersion);
  task.model = r.nucleus;
  task.oneElectron = r.hamiltonian;
  return task;
}

std::map<int, double> knownLimitsOf(const ChainsRequest& r, const CollectionTask& task,
                                    const Execution& execution) {
  if (r.knownLimits.empty()) return {};
  std::map<int, double> limits;
  if (task.oneElectron == OneElectronOperator::Dirac)
    limits = limitsOf(r.knownLimits, task.model, task.c, execution.basisSets);
  if (limits.empty())
    throw SettingError("known_limits",
                       "the collection " + r.knownLimits +
                           " states no limit for this Hamiltonian, nuclear model and speed of light");
  return limits;
}

/// Who measures the trials of searches in frozen fields; the host where there is no engine.
Opened<TrialGatherer> trialsFor(const ChainsRequest& r, const Execution& execution) {
  if (r.isThesis()) return {};
  const bool many = static_cast<int>(r.elements.size()) >= kElementsForGpu;
  auto trials = openEngine<TrialGatherer>(execution, many);
  if (execution.decides() && !many)
    trials.note =
        fmt::format("CPU, because the searches of fewer than {} elements are faster there", kElementsForGpu);
  return trials;
}

std::string trialSummary(const TrialGatherer& trials) {
  const TrialGatherer::Tally t = trials.tally();
  std::string text = fmt::format("{} trials in {} batches on {}, which left {} to the CPU\n", t.measured,
                                 t.batches, trials.deviceName(), t.left);
  for (const std::string& note : trials.notes()) text += "note: " + note + "\n";
  return text;
}

Record chain(const ChainsRequest& request, const Execution& execution) {
  if (request.input || !execution.jobs.empty())
    return chainOfAtom(
        execution.jobs.empty() ? request.atom : requestOfJob(JobType::Chain, execution.jobs.front()),
        request.state, request.resume, request.check, execution);
  if (request.out.empty()) throw SettingError("out", "is missing; expected a folder");
  const Stopwatch watch;
  const CollectionTask task = taskOf(request);
  const std::map<int, double> known = knownLimitsOf(request, task, execution);
  const int threads = execution.threadsOrAll(), elements = static_cast<int>(task.elements.size());
  const Opened<TrialGatherer> trials = trialsFor(request, execution);
  // Two SCFs or three for each element are too few to start a GPU's batches for.
  const auto service = openEngine<EnergyService>(execution, false);
  Permits permits(threads);
  const bool onGpu = trials.engine != nullptr;
  const int sideBySide = onGpu ? elements : threads;  // they mostly wait for the GPU

  ChainOptions ladders;
  ladders.threshold = request.threshold;
  ladders.fit.checkpoint = execution.checkpoint;
  ladders.sideBySide =
      onGpu ? kOccupiedSymmetries : std::clamp(threads / std::max(elements, 1), 1, kOccupiedSymmetries);
  ladders.trials = {trials.engine.get(), onGpu ? &permits : nullptr};
  ThesisChainOptions thesis;
  thesis.threshold = request.threshold;
  thesis.minimiser.checkpoint = execution.checkpoint;
  thesis.probes = request.probes.value_or(thesis.probes);
  const ChainMaker maker = request.isThesis() ? ChainMaker(thesis, *service, known, request.knownLimits)
                                              : ChainMaker(ladders, *service, known, request.knownLimits);

  Record record;
  record.title = "Smallest basis sets";
  record.device = service.device();
  const auto tell = [&](const std::string& text) {
    record.report += text;
    execution.tell(text);
  };
  if (!execution.brief) {
    const std::string who = onGpu ? trials->deviceName() : "the CPU";
    tell(fmt::format("{} element{}, {} side by side, {}energies on {}\n", elements, elements == 1 ? "" : "s",
                     std::min(sideBySide, elements),
                     request.isThesis() ? "" : fmt::format("trials on {}, ", who), service->description()));
    if (!trials.note.empty()) tell("chosen automatically: " + trials.note + "\n");
  }
  const auto rows = runAndTell(task, {sideBySide, request.resume}, maker, execution, record.report);
  const std::size_t missed = missedIn(rows);
  record.seconds = watch.seconds();
  tell(fmt::format("{} element{}, {} without a set within {:.1e}, {:.1f} s\n", rows.size(),
                   rows.size() == 1 ? "" : "s", missed, request.threshold, record.seconds));
  if (!execution.brief) {
    if (onGpu) tell(trialSummary(*trials));
    for (const std::string& note : service->notes()) tell("note: " + note + "\n");
  }
  record.outcome = missed == 0 ? Outcome::Done : Outcome::NotConverged;
  record.quantities = {{"folder", "", request.out}, {"missed", "", missed}};
  record.tables.push_back(collectionTable(rows));
  return record;
}

}  // namespace

Operation chainOperation() {
  Operation o;
  o.name = "chain";
  o.summary = "smallest basis sets of elements within a threshold";
  o.description =
      "Finds the smallest well-tempered set within the threshold of the numerical limit for each element, as "
      "many elements side by side as there are threads. If there is a GPU, and enough elements, it computes "
      "the trial sets of all elements side by side; the SCF energies of the resulting sets are computed "
      "there only if a GPU is requested. With the method thesis every set of parameters costs an SCF on the "
      "CPU or, if it is requested, on the GPU; with the Hamiltonian nonrel and point nuclei this method "
      "repeats the published sets of Hennessey (2018) for the elements 2-86.";
  o.example = "chain --elements LIST --out FOLDER";
  o.brief = "the energy in the set of one atom (of a list of elements a line each)";
  o.tables = [] { return std::vector{collectionTable({})}; };
  o.onGpus = true;
  return operationOf(std::move(o), chainTable(), chain);
}

}  // namespace prophet
