#include "cuda/atoms/scf/device_scf.hpp"

#include <algorithm>
#include <cmath>

#include "core/common/stopwatch.hpp"

namespace prophet::cuda {
namespace {

/// Not-a-number wins, as in the kernels: it must not look like convergence.
double largerOf(double a, double b) { return a > b || std::isnan(a) ? a : b; }

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

DeviceScf::DeviceScf(const ScfSetup& setup, DeviceSpaces& spaces, const StoredBasis& basis,
                     StoredIntegrals& integrals, const StoredSettings& settings, const ScfOptions& options,
                     double c, StoredContext& context)
    : setup_(setup),
      shape_(setup.shape),
      spaces_(spaces),
      integrals_(integrals),
      options_(options),
      padding_(c * c),
      context_(context),
      stream_(context.stream.get()),
      open_(setup.anyOpen()),
      mixer_(options.extrapolation, options.damping, shape_.matrix() * shape_.symmetries, context.workspace),
      contraction_(basis, setup.open, setup.reduction, settings.kernel, context.workspace),
      occupations_(context.workspace.upload(paddedOccupations(setup))) {
  const Workspace& w = context.workspace;
  const auto pairs = static_cast<std::size_t>(kPairComponents * basis.index().pairs());
  const auto block = static_cast<std::size_t>(shape_.block() * shape_.symmetries);
  for (DeviceBuffer<double>* m : {&mixed_, &primitive_, &work_, &fock_, &density_, &oldDensity_})
    *m = w.make<double>(matrixSize());
  for (DeviceBuffer<double>* v : {&coefficients_, &primitiveCoefficients_}) *v = w.make<double>(block);
  for (DeviceBuffer<double>* v : {&totalDensity_, &p_}) *v = w.make<double>(pairs);
  if (open_) {
    for (DeviceBuffer<double>* v : {&openDensity_, &q_}) *v = w.make<double>(pairs);
    openFock_ = w.make<double>(matrixSize());
  }
  effectiveWork_ =
      w.make<double>(static_cast<std::size_t>((shape_.block() + 5 * shape_.dim()) * shape_.symmetries));
  energies_ = w.make<double>(static_cast<std::size_t>(shape_.columns) * shape_.symmetries);
  report_ = w.make<StoredContext::Report>(1);
  if (!canFindOccupied(shape_)) {
    eigen_.emplace(shape_.dim(), shape_.symmetries, context.workspace);
    eigenvalues_ = w.make<double>(static_cast<std::size_t>(shape_.dim()) * shape_.symmetries);
  }
  oldDensity_.fill(0, stream_);
  primitive_.fill(0, stream_);
  coefficients_.fill(0, stream_);
  report_.fill(0, stream_);
}

/// Occupied coefficients from padded Fock matrices, which are destroyed; over primitives too, and densities.
void DeviceScf::diagonalise(double* matrices) {
  const SymmetryData* data = spaces_.data().data();
  if (eigen_) {
    padDiagonal(shape_, data, padding_, matrices, stream_);
    eigen_->solve(matrices, eigenvalues_.data());
    pickOccupied(shape_, data, matrices, coefficients_.data(), stream_);
  } else {
    findOccupied(shape_, data, matrices, known_, coefficients_.data(), &report_.data()->failures, stream_);
    known_ = true;
  }
  mark(kFound);
  const int dim = shape_.dim();
  const double one = 1.0, zero = 0.0;
  PROPHET_CUDA_CHECK(cublasDgemmStridedBatched(
      context_.blas.get(), CUBLAS_OP_N, CUBLAS_OP_N, dim, shape_.columns, dim, &one, spaces_.space(), dim,
      shape_.matrix(), coefficients_.data(), dim, shape_.block(), &zero, primitiveCoefficients_.data(), dim,
      shape_.block(), shape_.symmetries));
  makeDensities(shape_, coefficients_.data(), occupations_.data(), density_.data(), stream_);
}

void DeviceScf::buildFock() {
  const SymmetryData* data = spaces_.data().data();
  packDensities(shape_, data, primitiveCoefficients_.data(), occupations_.data(), totalDensity_.data(),
                open_ ? openDensity_.data() : nullptr, stream_);
  p_.fill(0, stream_);
  q_.fill(0, stream_);
  integrals_.waitFor(stream_);
  mark(kPacked);
  integrals_.contract(contraction_, totalDensity_.data(), openDensity_.data(), p_.data(), q_.data());
  mark(kContracted);
  unpackPairs(shape_, data, p_.data(), primitive_.data(), stream_);
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(fock_.data(), spaces_.core(), matrixSize() * sizeof(double),
                                     cudaMemcpyDeviceToDevice, stream_));
  toOrthonormal(context_, shape_, spaces_.space(), primitive_.data(), work_.data(), fock_.data(), 1.0);
  if (open_) {
    unpackPairs(shape_, data, q_.data(), primitive_.data(), stream_);
    toOrthonormal(context_, shape_, spaces_.space(), primitive_.data(), work_.data(), openFock_.data(), 0.0);
  }
  makeEffectiveFock(shape_, data, coefficients_.data(), fock_.data(), openFock_.data(), effectiveWork_.data(),
                    mixer_.fock(), mixer_.gradient(), stream_);
  measure(shape_, data, coefficients_.data(), spaces_.core(), spaces_.nuclear(), fock_.data(),
          openFock_.data(), density_.data(), oldDensity_.data(), mixer_.gradient(), report_.data()->measures,
          stream_);
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(context_.report.data(), report_.data(), sizeof(StoredContext::Report),
                                     cudaMemcpyDeviceToHost, stream_));
  mark(kDone);
}

/// Waits for the Fock matrix and adds up what it and the eigenproblem before it took on the device.
void DeviceScf::finishFock(ScfTimings& timings) {
  PROPHET_CUDA_CHECK(cudaStreamSynchronize(stream_));
  requireOccupied();
  if (eigen_) eigen_->checkLast();
  for (int m = kBegin; m + 1 < kMarks; ++m) {
    const double seconds = marks_[m + 1].secondsSince(marks_[m]);
    stages_[m].seconds += seconds;
    (m >= kPacked ? timings.fock : contractions_ == 0 ? timings.guess : timings.eigen) += seconds;
  }
  ++contractions_;
}

double DeviceScf::contractionSeconds() const { return stages_[kPacked].seconds; }

void DeviceScf::requireOccupied() const {
  if (context_.report[0].failures == 0) return;
  throw DeviceError(
      "an occupied spinor could not be found among the eigenvectors of the Fock matrix, which probably holds "
      "not-a-number: check the exponents for extreme values");
}

ScfIteration DeviceScf::measureStep(ScfResult& result, double previous) {
  ScfIteration step;
  step.number = static_cast<int>(result.iterations.size()) + 1;
  double kinetic = 0, nuclear = 0, repulsion = 0;
  momentum_ = 0;
  for (int a = 0; a < shape_.symmetries; ++a) {
    const SymmetryMeasures& m = context_.report[0].measures[a];
    nuclear += m.nuclear;
    kinetic += m.core - m.nuclear;
    repulsion += m.twoElectron;
    momentum_ += m.momentum;
    step.densityChangeLL = largerOf(m.changeLL, step.densityChangeLL);
    step.densityChangeSL = largerOf(m.changeSL, step.densityChangeSL);
    step.densityChangeSS = largerOf(m.changeSS, step.densityChangeSS);
    step.diisError = largerOf(m.gradient, step.diisError);
  }
  result.energy = coulombBreakdown(kinetic, nuclear, repulsion);
  step.energy = result.energy.total;
  step.energyChange = step.number == 1 ? step.energy : step.energy - previous;
  return step;
}

void DeviceScf::begin() {
  mark(kBegin);
  mark(kMixed);
  diagonalise(spaces_.guess());
  buildFock();
}

ScfResult DeviceScf::run(const ScfObserver& observer) {
  ScfResult result;
  const Stopwatch whole;
  for (;;) {
    finishFock(result.timings);
    const double previous = result.iterations.empty() ? 0.0 : result.iterations.back().energy;
    const ScfIteration step = measureStep(result, previous);
    result.iterations.push_back(step);
    if (observer) observer(step);
    result.converged = isConverged(step, options_);
    if (result.converged || !std::isfinite(step.energy)) break;
    if (step.number == options_.maxIterations) break;
    mark(kBegin);
    mixer_.mix(mixed_.data());
    mark(kMixed);
    diagonalise(mixed_.data());
    buildFock();
  }
  collect(result);
  const ScfTimings& t = result.timings;
  result.timings.rest = std::max(0.0, whole.seconds() - t.guess - t.fock - t.eigen);
  return result;
}

/// Occupied spinors over primitives, and their energies: expectation values of the last Fock matrix, as on
/// the host.
void DeviceScf::collect(ScfResult& result) {
  expectationValues(shape_, coefficients_.data(), mixer_.fock(), energies_.data(), stream_);
  const std::vector<double> e = energies_.download(stream_);
  const std::vector<double> c = primitiveCoefficients_.download(stream_);
  result.symmetries.resize(static_cast<std::size_t>(shape_.symmetries));
  for (int a = 0; a < shape_.symmetries; ++a) {
    const SymmetryData& d = setup_.symmetries[a];
    SymmetrySpinors& s = result.symmetries[a];
    s.occupations = setup_.occupations[a];
    s.places = setup_.places[a];
    s.droppedLarge = d.functions - d.large;
    s.droppedSmall = d.functions - d.small;
    s.energies = Eigen::Map<const Eigen::VectorXd>(e.data() + a * shape_.columns, d.occupied);
    const Eigen::Map<const Eigen::MatrixXd> all(c.data() + a * shape_.block(), shape_.dim(), d.occupied);
    s.large = all.topRows(d.functions);
    s.small = all.middleRows(shape_.half, d.functions);
  }
}

}  // namespace prophet::cuda
