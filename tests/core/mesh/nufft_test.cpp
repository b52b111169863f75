#include "core/mesh/nufft.hpp"

#include <gtest/gtest.h>

#include <random>

#include "core/common/error.hpp"

namespace prophet {
namespace {

/// The sum as it is written, one term after the other.
void sumExponentials(const Eigen::Matrix3Xd& x, const Eigen::VectorXcd& c, const MeshSize& modes,
                     std::complex<double>* f) {
  std::size_t at = 0;
  for (int a = 0; a < modes[0]; ++a) {
    for (int b = 0; b < modes[1]; ++b) {
      for (int k = 0; k < modes[2]; ++k, ++at) {
        const Eigen::Vector3d mode(a - modes[0] / 2, b - modes[1] / 2, k - modes[2] / 2);
        f[at] = 0;
        for (Eigen::Index j = 0; j < x.cols(); ++j) f[at] += c(j) * std::polar(1.0, mode.dot(x.col(j)));
      }
    }
  }
}

struct Sources {
  Eigen::Matrix3Xd x;
  Eigen::VectorXcd c;
};

Sources randomSources(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-20.0, 20.0);
  Sources s{Eigen::Matrix3Xd(3, count), Eigen::VectorXcd(count)};
  for (int i = 0; i < count; ++i) {
    for (int d = 0; d < 3; ++d) s.x(d, i) = uniform(random);
    s.c(i) = {uniform(random), uniform(random)};
  }
  return s;
}

class NufftTolerance : public testing::TestWithParam<double> {};

TEST_P(NufftTolerance, AgreesWithTheSum) {
  const Sources s = randomSources(300, 11);
  for (const MeshSize& n : {MeshSize{9, 12, 7}, MeshSize{1, 16, 5}, MeshSize{30, 2, 3}}) {
    const Eigen::Index count = static_cast<Eigen::Index>(meshPoints(n));
    Eigen::VectorXcd f(count), g(count), reference(count);
    sumExponentials(s.x, s.c, n, reference.data());
    Nufft one(n, GetParam(), 1), two(n, GetParam(), 2);
    one.setPoints(s.x);
    one.transform(s.c, f.data());
    two.setPoints(s.x);
    two.transform(s.c, g.data());
    EXPECT_LT((f - reference).norm(), 3 * GetParam() * reference.norm());
    EXPECT_LT((f - g).norm(), 1e-14 * reference.norm());
  }
}

INSTANTIATE_TEST_SUITE_P(Tolerances, NufftTolerance,
                         testing::Values(1e-2, 1e-3, 1e-4, 1e-6, 1e-9, 1e-12, 1e-13));

TEST(Nufft, RefusesWhatItCannotDo) {
  EXPECT_THROW(kernelFor(1e-15), Error);
  EXPECT_THROW(kernelFor(1.0), Error);
  EXPECT_THROW(nufftMesh({4, 0, 4}, ExpSqrtKernel{}), Error);
  Nufft transform({4, 4, 4}, 1e-6, 1);
  Eigen::VectorXcd f(64);
  EXPECT_THROW(transform.transform(Eigen::VectorXcd(3), f.data()), Error);
}

}  // namespace
}  // namespace prophet
