#include "atoms/correlation/partial_waves.hpp"

#include <cmath>
#include <numeric>

#include "core/common/index.hpp"
#include "core/linalg/decompositions.hpp"

namespace prophet {
namespace {

constexpr int kFirstPower = 4;
constexpr double kCuspPower = 3;  // of the width of cells, in the error that the cusp of two electrons leaves

/// Sum of (L + 1/2)^-power over all L from `first` on: terms, then the integral from the middle between two
/// of them, whose error is of the order of the next term's second difference.
double powerSum(int power, std::size_t first) {
  constexpr int kTermsOfSum = 1000;
  double sum = 0;
  for (int i = 0; i < kTermsOfSum; ++i) sum += std::pow(static_cast<double>(first) + i + 0.5, -power);
  return sum + std::pow(static_cast<double>(first) + kTermsOfSum, 1 - power) / (power - 1);
}

/// What is beyond the known terms, by so many powers.
double remainder(const std::vector<double>& waves, int powers) {
  Eigen::MatrixXd matrix(powers, powers);
  Eigen::VectorXd last(powers);
  for (int i = 0; i < powers; ++i) {
    const std::size_t l = waves.size() - usize(powers - i);
    last(i) = waves[l];
    for (int p = 0; p < powers; ++p) matrix(i, p) = std::pow(static_cast<double>(l) + 0.5, -kFirstPower - p);
  }
  const Eigen::VectorXd factors = leastSquares(matrix, last);
  double sum = 0;
  for (int p = 0; p < powers; ++p) sum += factors(p) * powerSum(kFirstPower + p, waves.size());
  return sum;
}

}  // namespace

WaveLimit extrapolatedWaves(const std::vector<double>& waves) {
  const double known = std::accumulate(waves.begin(), waves.end(), 0.0);
  if (waves.size() < usize(kLeastWaves)) return {known, waves.empty() ? 0 : std::abs(waves.back())};
  const double two = remainder(waves, 2), three = remainder(waves, 3);
  return {known + two, std::abs(three - two)};
}

WaveLimit extrapolatedWaves(const std::vector<double>& waves, const std::vector<double>& coarse) {
  const double factor = 1 / (std::pow(kCoarserCells, kCuspPower) - 1);
  std::vector<double> mesh = waves;
  double change = 0;
  for (std::size_t l = 0; l < mesh.size(); ++l) {
    mesh[l] += factor * (waves[l] - coarse[l]);
    change += mesh[l] - waves[l];
  }
  const WaveLimit corrected = extrapolatedWaves(mesh);
  return {corrected.value, corrected.error + std::abs(change)};
}

}  // namespace prophet
