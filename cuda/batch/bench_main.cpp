/// Energies a second in batches, and where a batch's time goes. See --help.
#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <random>

#include "basis/library.hpp"
#include "calculation/compute.hpp"
#include "common/stopwatch.hpp"
#include "cuda/batch/cuda_service.hpp"

namespace {

using namespace prophet;
namespace po = boost::program_options;

TwoElectronOperator operatorOf(const std::string& breit) {
  if (breit == "none") return TwoElectronOperator::Coulomb;
  if (breit == "gaunt") return TwoElectronOperator::CoulombGaunt;
  if (breit == "breit" || breit == "first") return TwoElectronOperator::CoulombBreit;
  throw std::runtime_error("--breit takes none, gaunt, breit or first");
}

/// The library set of an element with its ladder parameters changed by up to 2 %, as an optimiser would.
std::vector<Calculation> variations(int z, const std::string& library, const std::string& breit,
                                    const std::string& model, int count) {
  NucleusRequest nucleus;
  const auto named = nuclearModelNamed(model);
  if (!named) throw std::runtime_error("--nucleus takes point, sphere, gaussian or fermi");
  nucleus.model = *named;
  nucleus.charge = z;
  AtomProblem problem{makeNucleus(nucleus), parseConfiguration(groundConfiguration(z)), {}};
  problem.hamiltonian.repulsion = operatorOf(breit);
  problem.hamiltonian.breitTreatment = breit == "first" ? Treatment::FirstOrder : Treatment::SelfConsistent;
  const BasisSet basis = makeBasis(readLibraryEntry(z, library).value());
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

}  // namespace

int main(int argc, char** argv) {
  po::options_description options("batch_bench: energies a second in batches on the GPU");
  std::vector<int> counts, devices;
  int z = 86, samples = 3;
  std::string library = "wtbs-2.1", breit = "none", nucleus = "gaussian";
  cuda::CudaServiceOptions service;
  options.add_options()("help", "this text")("element", po::value(&z), "nuclear charge (86)")(
      "library", po::value(&library), "basis set collection (wtbs-2.1)")(
      "breit", po::value(&breit), "none, gaunt, breit (self-consistent) or first (order, of breit) (none)")(
      "nucleus", po::value(&nucleus), "point, sphere, gaussian or fermi (gaussian)")(
      "counts", po::value(&counts)->multitoken(), "numbers of energies (1 10 100 1000 10000)")(
      "devices", po::value(&devices)->multitoken(), "GPUs to use (all)")(
      "slots", po::value(&service.slots), "calculations side by side in a batch (512)")(
      "batches", po::value(&service.batchesPerDevice), "batches for each GPU (2)")(
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
    fmt::print("{}; Z = {}, {} nucleus, breit {}, {} batches of {} slots\n", gpu.description(), z, nucleus,
               breit, service.batchesPerDevice, service.slots);
    gpu.evaluateAll(
        variations(z, library, breit, nucleus, std::min(64, counts.back())));  // loads modules, takes memory
    cuda::batch::PhaseTimes before = gpu.phaseTimes();
    for (const int count : counts) {
      const std::vector<Calculation> calculations = variations(z, library, breit, nucleus, count);
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
