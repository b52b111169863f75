#include "cuda/atoms/correlation/device_space.hpp"

#include <cstdlib>

namespace prophet::cuda {
DeviceBuffer<double> uploaded(const Eigen::MatrixXd& m) {
  return DeviceBuffer<double>(std::vector<double>(m.data(), m.data() + m.size()));
}

Lanes::Lanes() : side_(kCount) {
  for (int lane = 0; lane < kCount; ++lane) blas_.emplace_back(side_[lane]);
}

void Lanes::multiply(int lane, bool transposed, int m, int n, int k, const double* a, const double* b,
                     double* c) const {
  const double one = 1, none = 0;
  PROPHET_CUDA_CHECK(cublasDgemm(blas(lane), transposed ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N, m, n, k,
                                 &one, a, transposed ? k : m, b, k, &none, c, m));
}

DeviceSpace::DeviceSpace(const OrbitalSpace& space, int largestK)
    : space_(space), points_(static_cast<int>(space.points())) {
  for (const SymmetryOrbitals& s : space_.symmetries()) {
    large_.push_back(uploaded(s.large));
    small_.push_back(uploaded(s.small));
    energies_.push_back(uploaded(s.energies));
  }
  for (int k = 0; k <= largestK; ++k) kernels_.push_back(uploaded(space_.kernelMatrix(k)));
}

DeviceSpace::DeviceSpace(const OrbitalSpace& space, const ProductPoints& products)
    : space_(space), points_(static_cast<int>(products.points.size())) {
  for (const SymmetryOrbitals& s : space_.symmetries()) {
    const SpinorFunctions own = products.valuesOf(SpinorFunctions{s.symmetry, s.large, s.small});
    large_.push_back(uploaded(own.large));
    small_.push_back(uploaded(own.small));
    energies_.push_back(uploaded(s.energies));
  }
  for (const Eigen::MatrixXd& kernel : products.kernels) kernels_.push_back(uploaded(kernel));
}

SpinorColumns DeviceSpace::spinors(int symmetry, Eigen::Index first) const {
  const auto s = static_cast<std::size_t>(symmetry);
  const std::ptrdiff_t offset = first * points_;
  return {large_[s].data() + offset, small_[s].size() == 0 ? nullptr : small_[s].data() + offset};
}

void DeviceSpace::densities(int symmetry, Eigen::Index column, int targetSymmetry, double* values) const {
  makeDensities(points_, targets(targetSymmetry), spinors(symmetry, column),
                spinors(targetSymmetry, of(targetSymmetry).closed), values, lanes_.main());
}

void DeviceSpace::makePotentials(int symmetry, Eigen::Index column) {
  const Symmetry own = of(symmetry).symmetry;
  std::vector<std::size_t> densityOf;
  std::vector<int> ranks;
  firstOf_.clear();
  least_.clear();
  std::size_t densities = 0, potentials = 0;
  for (int r = 0; r < symmetries(); ++r) {
    const Symmetry other = of(r).symmetry;
    int least = std::abs(own.twoJ() - other.twoJ()) / 2;
    if ((least + own.l() + other.l()) % 2 != 0) ++least;
    const int most = (own.twoJ() + other.twoJ()) / 2;
    least_.push_back(least);
    ranks.push_back(most < least ? 0 : (most - least) / 2 + 1);
    densityOf.push_back(densities);
    firstOf_.push_back(potentials);
    densities += targetSize(r);
    potentials += targetSize(r) * static_cast<std::size_t>(ranks.back());
  }
  double *const density = densities_.of(densities), *const potential = potentials_.of(potentials);
  for (int r = 0; r < symmetries(); ++r)
    this->densities(symmetry, column, r, density + densityOf[static_cast<std::size_t>(r)]);
  lanes_.begin();
  int lane = 0;
  for (int r = 0; r < symmetries(); ++r) {
    const auto place = static_cast<std::size_t>(r);
    for (int i = 0; i < ranks[place] && targets(r) > 0; ++i, lane = (lane + 1) % Lanes::kCount)
      lanes_.multiply(lane, false, points_, targets(r), points_, kernel(least_[place] + 2 * i),
                      density + densityOf[place],
                      potential + firstOf_[place] + targetSize(r) * static_cast<std::size_t>(i));
  }
  lanes_.end();
}

const double* DeviceSpace::potential(int targetSymmetry, int k) const {
  const auto r = static_cast<std::size_t>(targetSymmetry);
  return potentials_.data() + firstOf_[r] +
         targetSize(targetSymmetry) * static_cast<std::size_t>((k - least_[r]) / 2);
}

}  // namespace prophet::cuda
