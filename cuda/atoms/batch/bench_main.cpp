/// Energies a second in batches, and where a batch's time goes. See --help.
#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <random>

#include "atoms/basis/library.hpp"
#include "atoms/calculation/compute.hpp"
#include "core/common/stopwatch.hpp"
#include "cuda/atoms/batch/cuda_service.hpp"

namespace {

using namespace prophet;
namespace po = boost::program_options;

TwoElectronOperator operatorOf(const std::string& breit) {
  if (breit == "none") return TwoElectronOperator::Coulomb;
  if (breit == "gaunt") return TwoElectronOperator::CoulombGaunt;
  if (breit == "breit" || breit == "first") return TwoElectronOperator::CoulombBreit;
  throw std::runtime_error("--breit takes none, gaunt, breit or first");
}

/// What all calculations of a run have in common.
struct Setting {
  std::string library = "wtbs-2.1-by-symmetry", breit = "none", nucleus = "gaussian", qed = "none",
              functional;
};

AtomProblem problemOf(int z, const Setting& setting) {
  NucleusRequest nucleus;
  const auto named = nuclearModelNamed(setting.nucleus);
  if (!named) throw std::runtime_error("--nucleus takes point, sphere, gaussian or fermi");
  if (setting.qed != "none" && setting.qed != "first" && setting.qed != "scf")
    throw std::runtime_error("--qed takes none, first or scf");
  nucleus.model = *named;
  nucleus.charge = z;
  AtomProblem problem{makeNucleus(nucleus), parseConfiguration(groundConfiguration(z)), {}};
  Hamiltonian& h = problem.hamiltonian;
  h.repulsion = operatorOf(setting.breit);
  h.functional = setting.functional;
  h.breitTreatment = setting.breit == "first" ? Treatment::FirstOrder : Treatment::SelfConsistent;
  h.qed.vacuumPolarisation = h.qed.selfEnergy = setting.qed != "none";
  h.qedTreatment = setting.qed == "scf" ? Treatment::SelfConsistent : Treatment::FirstOrder;
  return problem;
}

/// The library set of an element with its ladder parameters changed by up to 2 %, as an optimiser would.
std::vector<Calculation> variations(int z, const Setting& setting, int count) {
  const AtomProblem problem = problemOf(z, setting);
  const BasisSet basis = makeBasis(readLibraryEntry(z, setting.library).value());
  std::mt19937 random(z);
  std::uniform_real_distribution<double> change(-0.02, 0.02);
  std::vector<Calculation> list;
  for (int i = 0; i < count; ++i) {
    list.push_back(calculationIn(basis, problem));
    const double stretch = 1.0 + 0.3 * change(random), power = 1.0 + 0.1 * change(random);
    for (SymmetryBasis& block : list.back().inBasis().basis.symmetries) {
      for (double& zeta : block.exponents) zeta = stretch * std::pow(zeta, power);
    }
  }
  return list;
}

struct Tally {
  std::size_t converged = 0, iterations = 0;
  double worst = 0;
};

Tally check(const std::vector<Calculation>& calculations, const std::vector<Result>& outcomes, int samples) {
  Tally tally;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    tally.converged += outcomes[i].ok();
    tally.iterations += outcomes[i].iterations;
    if (!outcomes[i].ok() && tally.converged + 3 > calculations.size())
      fmt::print("  {}: {} {}\n", i, nameOf(outcomes[i].status), outcomes[i].reason);
  }
  for (int i = 0; i < samples && i < static_cast<int>(calculations.size()); ++i) {
    const std::size_t at = i * calculations.size() / samples;
    const Result host = computeOrReason(calculations[at]);
    tally.worst = std::max(tally.worst, std::abs(outcomes[at].energy.total / host.energy.total - 1.0));
    for (std::size_t p = 0; p < host.energy.parts.size(); ++p) {
      const EnergyPart& part = host.energy.parts[p];
      if (i == 0 && isQed(part.id))
        fmt::print("  {}: {:.12g} (host {:.12g})\n", labelOf(part.id), outcomes[at].energy.parts.at(p).value,
                   part.value);
    }
    if (i == 0)
      fmt::print("  first: {:.12f} in {} (host {:.12f} in {}) iterations\n", outcomes[at].energy.total,
                 outcomes[at].iterations, host.energy.total, host.iterations);
  }
  return tally;
}

void printPhases(const cuda::batch::PhaseTimes& times, std::size_t count) {
  const double total = std::accumulate(times.begin(), times.end(), 0.0);
  fmt::print("  device time by phase ({:.1f} us an energy):\n", 1e6 * total / count);
  for (std::size_t i = 0; i < times.size(); ++i)
    fmt::print("    {:13} {:8.2f} us  {:5.1f} %\n", nameOf(static_cast<cuda::batch::Phase>(i)),
               1e6 * times[i] / count, 100.0 * times[i] / total);
}

/// The same elements alone, each with its share of the calculations, and then all at once in the order of a
/// list that is dealt out one element after the other.
void compareMixed(cuda::CudaEnergyService& gpu, const Setting& setting, int count) {
  std::vector<std::vector<Calculation>> pure;
  for (const int z : libraryElements(setting.library)) pure.push_back(variations(z, setting, 1000));
  const int each = count / static_cast<int>(pure.size());
  double predicted = 0;
  std::vector<Calculation> mixed;
  for (const auto& list : pure) {
    const Stopwatch watch;
    gpu.evaluateAll(list);
    predicted += watch.seconds() * each / static_cast<double>(list.size());
  }
  for (int i = 0; i < each; ++i)
    for (const auto& list : pure) mixed.push_back(list[static_cast<std::size_t>(i)]);
  for (int run = 0; run < 2; ++run) {
    const Stopwatch watch;
    const std::vector<Result> outcomes = gpu.evaluateAll(mixed);
    const double seconds = watch.seconds();
    const auto converged =
        std::count_if(outcomes.begin(), outcomes.end(), [](const Result& r) { return r.ok(); });
    fmt::print(
        "{} mixed jobs of {} elements: {:.4f} s, {:.1f} a second, {} converged, {} left to the host; alone "
        "they "
        "would take {:.4f} s: {:.0f} %\n",
        mixed.size(), pure.size(), seconds, static_cast<double>(mixed.size()) / seconds, converged,
        gpu.leftToHost(), predicted, 100.0 * predicted / seconds);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  po::options_description options("batch_bench: energies a second in batches on the GPU");
  std::vector<int> counts, devices;
  int z = 86, samples = 3, mixed = 0;
  Setting setting;
  cuda::CudaServiceOptions service;
  options.add_options()("help", "this text")("element", po::value(&z), "nuclear charge (86)")(
      "library", po::value(&setting.library), "basis set collection (wtbs-2.1-by-symmetry)")(
      "breit", po::value(&setting.breit),
      "none, gaunt, breit (self-consistent) or first (order, of breit) (none)")(
      "nucleus", po::value(&setting.nucleus), "point, sphere, gaussian or fermi (gaussian)")(
      "qed", po::value(&setting.qed),
      "none, first (order) or scf: vacuum polarisation and self-energy (none)")(
      "functional", po::value(&setting.functional), "lda, rlda, pbe or pbesol in place of exchange (none)")(
      "mixed", po::value(&mixed),
      "so many calculations of all elements of the collection at once, against each "
      "element alone, 1000 calculations each")("mixed-batches", po::value(&service.mixedBatches),
                                               "batches of all shapes for each GPU (6)")(
      "counts", po::value(&counts)->multitoken(), "numbers of energies (1 10 100 1000 10000)")(
      "devices", po::value(&devices)->multitoken(), "GPUs to use (all)")(
      "slots", po::value(&service.slots), "calculations side by side in a batch (512)")(
      "batches", po::value(&service.batchesPerDevice), "batches for each GPU (3)")(
      "samples", po::value(&samples), "energies to repeat on the host (3)")(
      "profile", po::bool_switch(&service.profile), "measure phases; use with --batches 1");
  po::variables_map values;
  try {
    po::store(po::parse_command_line(argc, argv, options), values);
    po::notify(values);
    if (values.count("help")) {
      std::cout << options;
      return 0;
    }
    if (counts.empty()) counts = {1, 10, 100, 1000, 10000};
    service.devices = devices;
    cuda::CudaEnergyService gpu(service);
    if (mixed > 0) {
      compareMixed(gpu, setting, mixed);
      return 0;
    }
    fmt::print("{}; Z = {}, {} nucleus, breit {}, qed {}, functional {}, {} batches of {} slots\n",
               gpu.description(), z, setting.nucleus, setting.breit, setting.qed,
               setting.functional.empty() ? "none" : setting.functional, service.batchesPerDevice,
               service.slots);
    gpu.evaluateAll(variations(z, setting, std::min(64, counts.back())));  // loads modules, takes memory
    cuda::batch::PhaseTimes before = gpu.phaseTimes();
    for (const int count : counts) {
      const std::vector<Calculation> calculations = variations(z, setting, count);
      const Stopwatch watch;
      const std::vector<Result> outcomes = gpu.evaluateAll(calculations);
      const double seconds = watch.seconds();
      const Tally tally = check(calculations, outcomes, samples);
      fmt::print(
          "{:6} energies  {:9.4f} s  {:9.1f} a second  {} converged, {:.2f} iterations, {} left to the host, "
          "worst relative difference of {} {:.1e}\n",
          count, seconds, count / seconds, tally.converged, double(tally.iterations) / count,
          gpu.leftToHost(), samples, tally.worst);
      std::fflush(stdout);
      if (service.profile) {
        cuda::batch::PhaseTimes times = gpu.phaseTimes();
        for (std::size_t i = 0; i < times.size(); ++i) times[i] -= before[i];
        before = gpu.phaseTimes();
        printPhases(times, count);
      }
    }
    for (const std::string& note : gpu.notes()) fmt::print("note: {}\n", note);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
