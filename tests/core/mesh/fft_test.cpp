#include "core/mesh/fft.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/common/constants.hpp"

namespace prophet {
namespace {

using Complex = std::complex<double>;

std::vector<Complex> randomNumbers(std::size_t count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<Complex> list(count);
  for (Complex& x : list) x = {uniform(random), uniform(random)};
  return list;
}

/// exp(-2 pi i k j/n).
Complex root(std::size_t k, std::size_t j, std::size_t n) {
  return std::polar(1.0, -2 * constants::kPi * static_cast<double>(k * j % n) / static_cast<double>(n));
}

// Whichever library does it, for every kind of length.
TEST(Fft, LinesAreTheirSums) {
  for (const std::size_t n : {1U, 2U, 7U, 12U, 64U, 97U, 1000U, 2048U}) {
    const std::vector<Complex> values = randomNumbers(n);
    std::vector<Complex> modes = values;
    transformLine(modes);
    double largest = 0;
    for (std::size_t k = 0; k < n; k += 1 + n / 50) {
      Complex sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += values[j] * root(k, j, n);
      largest = std::max(largest, std::abs(sum - modes[k]));
    }
    EXPECT_LT(largest, 1e-14 * static_cast<double>(n) + 1e-15) << n;
  }
}

template <class Real>
void expectMesh(const MeshSize& n, double tolerance) {
  const std::vector<Complex> random = randomNumbers(meshPoints(n));
  MeshFft<Real> fft(n, 2);
  for (std::size_t i = 0; i < random.size(); ++i) fft.values()[i] = static_cast<Real>(random[i].real());
  fft.forward();
  const auto at = [](int a, int b, int c, const MeshSize& size) {
    return (static_cast<std::size_t>(a) * static_cast<std::size_t>(size[1]) + static_cast<std::size_t>(b)) *
               static_cast<std::size_t>(size[2]) +
           static_cast<std::size_t>(c);
  };
  const MeshSize half{n[0], n[1], n[2] / 2 + 1};
  for (const MeshSize& k : {MeshSize{0, 0, 0}, MeshSize{n[0] - 1, n[1] / 2, n[2] / 2}, MeshSize{1, 1, 0}}) {
    Complex sum = 0;
    for (int a = 0; a < n[0]; ++a)
      for (int b = 0; b < n[1]; ++b)
        for (int c = 0; c < n[2]; ++c) {
          const double phase = static_cast<double>(k[0]) * a / n[0] + static_cast<double>(k[1]) * b / n[1] +
                               static_cast<double>(k[2]) * c / n[2];
          sum += random[at(a, b, c, n)].real() * std::polar(1.0, -2 * constants::kPi * phase);
        }
    const std::complex<Real> mode = fft.modes()[at(k[0], k[1], k[2], half)];
    EXPECT_NEAR(mode.real(), sum.real(), tolerance) << k[0] << k[1] << k[2];
    EXPECT_NEAR(mode.imag(), sum.imag(), tolerance) << k[0] << k[1] << k[2];
  }
  fft.backward();
  const auto points = static_cast<double>(meshPoints(n));
  for (std::size_t i = 0; i < random.size(); i += 7)
    EXPECT_NEAR(fft.values()[i] / points, random[i].real(), tolerance) << i;
}

TEST(Fft, MeshesGoThereAndBack) {
  for (const MeshSize& n :
       {MeshSize{4, 6, 8}, MeshSize{5, 3, 7}, MeshSize{2, 9, 10}, MeshSize{3, 2, 1}, MeshSize{3, 2, 2}}) {
    expectMesh<double>(n, 1e-12);
    expectMesh<float>(n, 1e-4);
  }
}

TEST(Fft, PrunedModesAreThoseOfTheSum) {
  const MeshSize n{8, 6, 10}, kept{3, 4, 5};
  const std::vector<Complex> values = randomNumbers(meshPoints(n));
  PrunedFft fft(n, kept, 1);
  std::copy(values.begin(), values.end(), fft.values());
  fft.transform();
  for (const MeshSize& k : {MeshSize{0, 0, 0}, MeshSize{1, 1, 2}, MeshSize{-1, -2, -2}}) {
    Complex sum = 0;
    std::size_t i = 0;
    for (int a = 0; a < n[0]; ++a)
      for (int b = 0; b < n[1]; ++b)
        for (int c = 0; c < n[2]; ++c, ++i)
          sum += values[i] * std::polar(1.0, 2 * constants::kPi *
                                                 (static_cast<double>(k[0]) * a / n[0] +
                                                  static_cast<double>(k[1]) * b / n[1] +
                                                  static_cast<double>(k[2]) * c / n[2]));
    const auto index = static_cast<std::size_t>(
        (((k[0] + n[0]) % n[0]) * n[1] + (k[1] + n[1]) % n[1]) * n[2] + (k[2] + n[2]) % n[2]);
    EXPECT_LT(std::abs(fft.values()[index] - sum), 1e-12) << k[0] << k[1] << k[2];
  }
}

}  // namespace
}  // namespace prophet
