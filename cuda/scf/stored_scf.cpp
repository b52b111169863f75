#include "cuda/scf/stored_scf.hpp"

#include "common/stopwatch.hpp"
#include "cuda/scf/device_scf.hpp"

namespace prophet::cuda {
namespace {

/// <c alpha.p>: twice the sum over symmetries of D^SL times the kinetic block, from spinors over primitives.
/// With c (d/dr + kappa/r) P_p = c balance_p Q_p it is 2 c sum n_i Q_i^T S^SS balance P_i.
double momentum(const ScfSetup& setup, const ScfResult& result) {
  double sum = 0.0;
  for (std::size_t a = 0; a < setup.spaces.size(); ++a) {
    const SymmetrySpace& space = setup.spaces[a];
    const SymmetrySpinors& s = result.symmetries[a];
    // Coefficients in the orthonormal basis again: dual = X^T S undoes X.
    const Eigen::MatrixXd large = space.large.dual * s.large, small = space.small.dual * s.small;
    const Eigen::MatrixXd product = space.kinetic * large;
    sum += 2.0 * (small.cwiseProduct(product).colwise().sum() * s.occupations)(0, 0);
  }
  return sum;
}

void addMeanRadii(const BasisSet& basis, ScfResult& result) {
  const std::vector<BlockMatrix> radius = radialMomentMatrices(basis, 1);
  for (std::size_t a = 0; a < result.symmetries.size(); ++a) {
    SymmetrySpinors& s = result.symmetries[a];
    s.meanRadii =
        (s.large.cwiseProduct(radius[a].LL * s.large) + s.small.cwiseProduct(radius[a].SS * s.small))
            .colwise()
            .sum();
  }
}

std::string currentDevice() {
  int device = 0;
  cudaDeviceProp properties;
  PROPHET_CUDA_CHECK(cudaGetDevice(&device));
  PROPHET_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  return properties.name;
}

}  // namespace

ScfResult runStoredScf(const BasisSet& basis, const Nucleus& nucleus, const Configuration& configuration,
                       double c, const ScfOptions& options, const StoredSettings& settings,
                       const ScfObserver& observer, StoredReport* report) {
  const Stopwatch setupWatch;
  const Stream integralStream, scfStream;
  const StoredBasis stored(makePrimitiveTable(basis));
  // Queued first: the device computes integrals while the host prepares the rest.
  StoredIntegrals integrals(stored, settings, integralStream);
  const ScfSetup setup = makeScfSetup(basis, nucleus, configuration, c, options, scfStream);
  DeviceScf scf(setup, stored, integrals, settings, options, c, integralStream);
  const double setupSeconds = setupWatch.seconds();

  ScfResult result = scf.run(observer);
  result.timings.setup = setupSeconds;
  addMeanRadii(basis, result);
  result.virialRatio = -(result.energy.value(EnergyPartId::NuclearAttraction) +
                         result.energy.value(EnergyPartId::ElectronRepulsion)) /
                       momentum(setup, result);
  if (report) {
    report->device = currentDevice();
    report->memory = integrals.plan().description;
    report->integralSeconds = integrals.integralSeconds();
    report->contractionSeconds = scf.contractionSeconds();
    report->contractions = scf.contractions();
  }
  return result;
}

}  // namespace prophet::cuda
