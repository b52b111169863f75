#include "cuda/atoms/scf/device_spaces.hpp"

#include <algorithm>

#include "atoms/scf/guess.hpp"
#include "core/linalg/eigen_solver.hpp"

namespace prophet::cuda {
namespace {

/// Copies a matrix into an array of columns of length `dim`, from (row, column) on.
void place(const Eigen::MatrixXd& m, int dim, int row, int column, double* out) {
  Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>(out + static_cast<std::ptrdiff_t>(column) * dim + row,
                                                       m.rows(), m.cols(), Eigen::OuterStride<>(dim)) = m;
}

std::vector<SymmetryScreening> screeningsOf(const BasisSet& basis, double charge, double electrons) {
  std::vector<SymmetryScreening> all;
  for (const SymmetryBasis& block : basis.symmetries) {
    SymmetryScreening s{};
    if (const auto found = tabulatedScreening(charge, electrons, block.symmetry)) {
      s.tabulated = 1;
      std::copy(found->rates.begin(), found->rates.end(), s.rates);
      std::copy(found->charges.begin(), found->charges.end(), s.charges);
    }
    all.push_back(s);
  }
  return all;
}

}  // namespace

void toOrthonormal(const StoredContext& context, const ScfShape& shape, const double* space,
                   const double* primitive, double* work, double* orthonormal, double addOld) {
  const int dim = shape.dim();
  const double one = 1.0, zero = 0.0;
  PROPHET_CUDA_CHECK(cublasDgemmStridedBatched(
      context.blas.get(), CUBLAS_OP_N, CUBLAS_OP_N, dim, dim, dim, &one, primitive, dim, shape.matrix(),
      space, dim, shape.matrix(), &zero, work, dim, shape.matrix(), shape.symmetries));
  PROPHET_CUDA_CHECK(cublasDgemmStridedBatched(context.blas.get(), CUBLAS_OP_T, CUBLAS_OP_N, dim, dim, dim,
                                               &one, space, dim, shape.matrix(), work, dim, shape.matrix(),
                                               &addOld, orthonormal, dim, shape.matrix(), shape.symmetries));
}

DeviceSpaces::DeviceSpaces(ScfSetup& setup, const BasisSet& basis, const PrimitiveTable& table,
                           const StoredBasis& stored, const Nucleus& nucleus, double c, double threshold,
                           double electrons, StoredContext& context)
    : context_(context),
      layout_(oneElectronLayout(table)),
      blocks_(context.workspace.upload(layout_.blocks)) {
  Workspace& w = context.workspace;
  const cudaStream_t stream = w.stream();
  const ScfShape& shape = setup.shape;
  const auto size = static_cast<std::size_t>(shape.matrix() * shape.symmetries);
  for (DeviceBuffer<double>* matrix : {&space_, &core_, &nuclear_, &guess_}) *matrix = w.make<double>(size);
  dual_ = w.make<double>(static_cast<std::size_t>(shape.half) * shape.half * shape.symmetries);
  DeviceBuffer<double> primitive = w.make<double>(size), work = w.make<double>(size);
  space_.fill(0, stream);
  dual_.fill(0, stream);
  primitive.fill(0, stream);
  computeOneElectronMatrices(basis, stored, nucleus);
  orthonormaliseAll(setup, table, threshold);
  requireEnoughFunctions(setup, basis);
  data_ = w.upload(setup.symmetries);
  padAttraction(shape, blocks_.data(), oneElectron_.data(), primitive.data(), stream);
  toOrthonormal(context, shape, space(), primitive.data(), work.data(), nuclear_.data(), 0.0);
  makeCore(shape, data_.data(), blocks_.data(), stored.view().primitives, space(), dual_.data(), nuclear(), c,
           core_.data(), stream);
  makeGuess(setup, basis, stored, nucleus.charge, electrons, primitive.data(), work.data());
}

void DeviceSpaces::computeOneElectronMatrices(const BasisSet& basis, const StoredBasis& stored,
                                              const Nucleus& nucleus) {
  Workspace& w = context_.workspace;
  if (!nucleus.attraction()) {
    oneElectron_ = w.upload(joined(layout_, prophet::oneElectronMatrices(basis, nucleus)));
  } else {
    oneElectron_ = w.make<double>(static_cast<std::size_t>(layout_.size));
    computeOneElectron(layout_, stored.view().primitives, blocks_.data(), nucleus, oneElectron_.data(),
                       w.stream());
  }
}

void DeviceSpaces::orthonormaliseAll(ScfSetup& setup, const PrimitiveTable& table, double threshold) {
  if (canOrthonormalise(setup.shape) && independent(setup, threshold)) return;
  orthonormaliseOnHost(setup, table, threshold);
}

/// Orthonormalises by Cholesky's factors; whether these serve for all (see prophet::orthonormalise).
bool DeviceSpaces::independent(const ScfSetup& setup, double threshold) {
  DeviceBuffer<double> norms = context_.workspace.make<double>(2 * setup.symmetries.size());
  orthonormalise(setup.shape, blocks_.data(), oneElectron_.data(), space_.data(), dual_.data(), norms.data(),
                 context_.stream.get());
  const std::vector<double> values = norms.download(context_.stream.get());
  return std::all_of(values.begin(), values.end(), [&](double norm) { return norm < 1.0 / threshold; });
}

void DeviceSpaces::orthonormaliseOnHost(ScfSetup& setup, const PrimitiveTable& table, double threshold) {
  const ScfShape& shape = setup.shape;
  const int dim = shape.dim(), half = shape.half;
  const auto matrices = separated(layout_, table, oneElectron_.download(context_.stream.get()));
  std::vector<double> space(space_.size(), 0.0), dual(dual_.size(), 0.0);
  for (int a = 0; a < shape.symmetries; ++a) {
    const OrthonormalBasis large = prophet::orthonormalise(matrices[a].overlapLarge, threshold),
                           small = prophet::orthonormalise(matrices[a].overlapSmall, threshold);
    double* own = space.data() + a * shape.matrix();
    place(large.x, dim, 0, 0, own);
    place(small.x, dim, half, half, own);
    place(small.dual, half, 0, 0, dual.data() + static_cast<std::ptrdiff_t>(a) * half * half);
    setup.symmetries[a].large = static_cast<int>(large.x.cols());
    setup.symmetries[a].small = static_cast<int>(small.x.cols());
  }
  space_ = context_.workspace.upload(space);
  dual_ = context_.workspace.upload(dual);
}

void DeviceSpaces::makeGuess(const ScfSetup& setup, const BasisSet& basis, const StoredBasis& stored,
                             double charge, double electrons, double* primitive, double* work) {
  Workspace& w = context_.workspace;
  const ScfShape& shape = setup.shape;
  const RadialGrid radial = guessGrid(basis);
  const GuessGrid grid{radial.first, radial.h, radial.points, charge, electrons};
  const DeviceBuffer<SymmetryScreening> screenings = w.upload(screeningsOf(basis, charge, electrons));
  const auto points = static_cast<std::size_t>(grid.points) * shape.symmetries;
  DeviceBuffer<double> functions = w.make<double>(2 * points * shape.half),
                       potential = w.make<double>(points);
  makeScreening(shape, blocks_.data(), stored.view().primitives, screenings.data(), grid, functions.data(),
                potential.data(), primitive, w.stream());
  PROPHET_CUDA_CHECK(
      cudaMemcpyAsync(guess(), core(), core_.size() * sizeof(double), cudaMemcpyDeviceToDevice, w.stream()));
  toOrthonormal(context_, shape, space(), primitive, work, guess(), 1.0);
}

}  // namespace prophet::cuda
