#include "cuda/scf/device_scf.hpp"

#include <algorithm>
#include <cmath>

#include "common/stopwatch.hpp"

namespace prophet::cuda {
namespace {

/// Copies one symmetry's matrix over its large and small functions into padded form.
void pad(const ScfShape& shape, int a, const Eigen::MatrixXd& m, int large, std::vector<double>& out) {
  const auto padded = [&](Eigen::Index i) { return i < large ? i : shape.half + i - large; };
  for (Eigen::Index j = 0; j < m.cols(); ++j) {
    for (Eigen::Index i = 0; i < m.rows(); ++i) {
      out[a * shape.matrix() + padded(j) * shape.dim() + padded(i)] = m(i, j);
    }
  }
}

/// Orthonormal functions over primitives: large and small blocks on the diagonal.
void padSpace(const ScfShape& shape, int a, const SymmetrySpace& space, std::vector<double>& out) {
  for (Eigen::Index j = 0; j < space.large.x.cols(); ++j) {
    for (Eigen::Index i = 0; i < space.large.x.rows(); ++i) {
      out[a * shape.matrix() + j * shape.dim() + i] = space.large.x(i, j);
    }
  }
  for (Eigen::Index j = 0; j < space.small.x.cols(); ++j) {
    for (Eigen::Index i = 0; i < space.small.x.rows(); ++i) {
      out[a * shape.matrix() + (shape.half + j) * shape.dim() + shape.half + i] = space.small.x(i, j);
    }
  }
}

template <class Fill>
std::vector<double> padded(const ScfSetup& setup, const Fill& fill) {
  std::vector<double> out(static_cast<std::size_t>(setup.shape.matrix() * setup.shape.symmetries), 0.0);
  for (int a = 0; a < setup.shape.symmetries; ++a) fill(a, out);
  return out;
}

std::vector<double> paddedOccupations(const ScfSetup& setup) {
  std::vector<double> out(static_cast<std::size_t>(setup.shape.columns) * setup.shape.symmetries, 0.0);
  for (int a = 0; a < setup.shape.symmetries; ++a) {
    for (Eigen::Index i = 0; i < setup.occupations[a].size(); ++i) {
      out[a * setup.shape.columns + i] = setup.occupations[a](i);
    }
  }
  return out;
}

}  // namespace

std::size_t DeviceScf::matrixSize() const {
  return static_cast<std::size_t>(shape_.matrix() * shape_.symmetries);
}

DeviceScf::DeviceScf(const ScfSetup& setup, const StoredBasis& basis, StoredIntegrals& integrals,
                     const StoredSettings& settings, const ScfOptions& options, double c,
                     const Stream& stream)
    : setup_(setup),
      shape_(setup.shape),
      integrals_(integrals),
      options_(options),
      padding_(c * c),
      stream_(stream),
      open_(setup.anyOpen()),
      blas_(stream.get()),
      eigen_(shape_.dim(), shape_.symmetries, stream),
      mixer_(options.extrapolation, options.damping, shape_.matrix() * shape_.symmetries, stream),
      contraction_(basis, setup.open, setup.reduction, settings.kernel),
      data_(setup.symmetries),
      occupations_(paddedOccupations(setup)),
      space_(padded(setup, [&](int a, auto& out) { padSpace(shape_, a, setup.spaces[a], out); })),
      core_(padded(
          setup,
          [&](int a, auto& out) { pad(shape_, a, setup.spaces[a].core, setup.symmetries[a].large, out); })),
      nuclear_(padded(setup,
                      [&](int a, auto& out) {
                        pad(shape_, a, setup.spaces[a].nuclear, setup.symmetries[a].large, out);
                      })),
      eigenMatrices_(padded(
          setup, [&](int a, auto& out) { pad(shape_, a, setup.guess[a], setup.symmetries[a].large, out); })),
      eigenvalues_(static_cast<std::size_t>(shape_.dim()) * shape_.symmetries),
      coefficients_(static_cast<std::size_t>(shape_.block() * shape_.symmetries)),
      primitiveCoefficients_(coefficients_.size()),
      totalDensity_(static_cast<std::size_t>(kPairComponents * basis.index().pairs())),
      openDensity_(open_ ? totalDensity_.size() : 0),
      p_(totalDensity_.size()),
      q_(open_ ? totalDensity_.size() : 0),
      primitive_(matrixSize()),
      work_(matrixSize()),
      fock_(matrixSize()),
      openFock_(open_ ? matrixSize() : 0),
      effectiveWork_(static_cast<std::size_t>((shape_.block() + 5 * shape_.dim()) * shape_.symmetries)),
      density_(matrixSize()),
      oldDensity_(matrixSize()),
      measures_(static_cast<std::size_t>(shape_.symmetries)),
      hostMeasures_(static_cast<std::size_t>(shape_.symmetries)) {
  oldDensity_.fill(0, stream.get());
  primitive_.fill(0, stream.get());
}

/// Eigenvectors of eigenMatrices_, then occupied coefficients, over primitives too, and densities.
void DeviceScf::diagonalise() {
  padDiagonal(shape_, data_.data(), padding_, eigenMatrices_.data(), stream_.get());
  eigen_.solve(eigenMatrices_.data(), eigenvalues_.data());
  pickOccupied(shape_, data_.data(), eigenMatrices_.data(), coefficients_.data(), stream_.get());
  const int dim = shape_.dim();
  const double one = 1.0, zero = 0.0;
  PROPHET_CUDA_CHECK(cublasDgemmStridedBatched(
      blas_.get(), CUBLAS_OP_N, CUBLAS_OP_N, dim, shape_.columns, dim, &one, space_.data(), dim,
      shape_.matrix(), coefficients_.data(), dim, shape_.block(), &zero, primitiveCoefficients_.data(), dim,
      shape_.block(), shape_.symmetries));
  makeDensities(shape_, coefficients_.data(), occupations_.data(), density_.data(), stream_.get());
}

/// orthonormal = X^T primitive X + addOld orthonormal, all symmetries at once.
void DeviceScf::transform(const double* primitive, double* orthonormal, double addOld) {
  const int dim = shape_.dim();
  const double one = 1.0, zero = 0.0;
  PROPHET_CUDA_CHECK(cublasDgemmStridedBatched(
      blas_.get(), CUBLAS_OP_N, CUBLAS_OP_N, dim, dim, dim, &one, primitive, dim, shape_.matrix(),
      space_.data(), dim, shape_.matrix(), &zero, work_.data(), dim, shape_.matrix(), shape_.symmetries));
  PROPHET_CUDA_CHECK(cublasDgemmStridedBatched(
      blas_.get(), CUBLAS_OP_T, CUBLAS_OP_N, dim, dim, dim, &one, space_.data(), dim, shape_.matrix(),
      work_.data(), dim, shape_.matrix(), &addOld, orthonormal, dim, shape_.matrix(), shape_.symmetries));
}

void DeviceScf::buildFock() {
  const cudaStream_t s = stream_.get();
  packDensities(shape_, data_.data(), primitiveCoefficients_.data(), occupations_.data(),
                totalDensity_.data(), open_ ? openDensity_.data() : nullptr, s);
  p_.fill(0, s);
  q_.fill(0, s);
  contractionBegin_.record(s);
  integrals_.contract(contraction_, totalDensity_.data(), openDensity_.data(), p_.data(), q_.data());
  contractionEnd_.record(s);
  unpackPairs(shape_, data_.data(), p_.data(), primitive_.data(), s);
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(fock_.data(), core_.data(), matrixSize() * sizeof(double),
                                     cudaMemcpyDeviceToDevice, s));
  transform(primitive_.data(), fock_.data(), 1.0);
  if (open_) {
    unpackPairs(shape_, data_.data(), q_.data(), primitive_.data(), s);
    transform(primitive_.data(), openFock_.data(), 0.0);
  }
  makeEffectiveFock(shape_, data_.data(), coefficients_.data(), fock_.data(), openFock_.data(),
                    effectiveWork_.data(), mixer_.fock(), mixer_.gradient(), s);
  measure(shape_, data_.data(), coefficients_.data(), core_.data(), nuclear_.data(), fock_.data(),
          openFock_.data(), density_.data(), oldDensity_.data(), mixer_.gradient(), measures_.data(), s);
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(hostMeasures_.data(), measures_.data(),
                                     measures_.size() * sizeof(SymmetryMeasures), cudaMemcpyDeviceToHost, s));
  eigen_.checkLast();
  stream_.synchronize();
  contractionSeconds_ += contractionEnd_.secondsSince(contractionBegin_);
  ++contractions_;
}

ScfIteration DeviceScf::measureStep(ScfResult& result, double previous) {
  ScfIteration step;
  step.number = static_cast<int>(result.iterations.size()) + 1;
  double kinetic = 0, nuclear = 0, repulsion = 0;
  for (int a = 0; a < shape_.symmetries; ++a) {
    const SymmetryMeasures& m = hostMeasures_[a];
    nuclear += m.nuclear;
    kinetic += m.core - m.nuclear;
    repulsion += m.twoElectron;
    step.densityChangeLL = std::max(step.densityChangeLL, m.changeLL);
    step.densityChangeSL = std::max(step.densityChangeSL, m.changeSL);
    step.densityChangeSS = std::max(step.densityChangeSS, m.changeSS);
    step.diisError = std::max(step.diisError, m.gradient);
  }
  result.energy = coulombBreakdown(kinetic, nuclear, repulsion);
  step.energy = result.energy.total;
  step.energyChange = step.number == 1 ? step.energy : step.energy - previous;
  return step;
}

ScfResult DeviceScf::run(const ScfObserver& observer) {
  ScfResult result;
  const Stopwatch whole, guessWatch;
  diagonalise();
  stream_.synchronize();
  result.timings.guess = guessWatch.seconds();
  while (static_cast<int>(result.iterations.size()) < options_.maxIterations) {
    const Stopwatch fockWatch;
    buildFock();
    result.timings.fock += fockWatch.seconds();
    const double previous = result.iterations.empty() ? 0.0 : result.iterations.back().energy;
    const ScfIteration step = measureStep(result, previous);
    result.iterations.push_back(step);
    if (observer) observer(step);
    result.converged = isConverged(step, options_);
    if (result.converged || !std::isfinite(step.energy)) break;
    if (step.number == options_.maxIterations) break;
    const Stopwatch eigenWatch;
    mixer_.mix(eigenMatrices_.data());
    diagonalise();
    stream_.synchronize();
    result.timings.eigen += eigenWatch.seconds();
  }
  collect(result);
  result.timings.rest = whole.seconds() - result.timings.guess - result.timings.fock - result.timings.eigen;
  return result;
}

/// Occupied spinors over primitives, and their energies: expectation values of the last Fock matrix, as on
/// the host.
void DeviceScf::collect(ScfResult& result) {
  DeviceBuffer<double> energies(static_cast<std::size_t>(shape_.columns) * shape_.symmetries);
  expectationValues(shape_, coefficients_.data(), mixer_.fock(), energies.data(), stream_.get());
  const std::vector<double> e = energies.download(stream_.get());
  const std::vector<double> c = primitiveCoefficients_.download(stream_.get());
  result.symmetries.resize(static_cast<std::size_t>(shape_.symmetries));
  for (int a = 0; a < shape_.symmetries; ++a) {
    const SymmetryData& d = setup_.symmetries[a];
    SymmetrySpinors& s = result.symmetries[a];
    s.occupations = setup_.occupations[a];
    s.places = setup_.places[a];
    s.droppedLarge = setup_.spaces[a].large.dropped;
    s.droppedSmall = setup_.spaces[a].small.dropped;
    s.energies = Eigen::Map<const Eigen::VectorXd>(e.data() + a * shape_.columns, d.occupied);
    const Eigen::Map<const Eigen::MatrixXd> all(c.data() + a * shape_.block(), shape_.dim(), d.occupied);
    s.large = all.topRows(d.functions);
    s.small = all.middleRows(shape_.half, d.functions);
  }
}

}  // namespace prophet::cuda
