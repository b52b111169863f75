#include "cuda/atoms/integrals/one_electron.hpp"

#include "gpu_test.hpp"
#include "random_basis.hpp"

namespace prophet::cuda {
namespace {

using OneElectron = GpuTest;

double difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  EXPECT_EQ(a.rows(), b.rows());
  return a.size() == 0 ? 0.0 : (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
}

void compare(NuclearModel model, unsigned seed) {
  std::mt19937 random(seed);
  const BasisSet basis = randomBasis({14, 11, 12, 0, 7, 5, 3}, random);
  NucleusRequest request;
  request.model = model;
  request.charge = 86.0;
  request.massNumber = 222;
  const Nucleus nucleus = makeNucleus(request);
  const Stream stream;
  const auto device = oneElectronMatrices(basis, nucleus, stream);
  const auto host = prophet::oneElectronMatrices(basis, nucleus);
  ASSERT_EQ(device.size(), host.size());
  for (std::size_t a = 0; a < host.size(); ++a) {
    EXPECT_LT(difference(device[a].overlapLarge, host[a].overlapLarge), 1e-14);
    EXPECT_LT(difference(device[a].overlapSmall, host[a].overlapSmall), 1e-14);
    EXPECT_LT(difference(device[a].nuclearLarge, host[a].nuclearLarge), 1e-14);
    EXPECT_LT(difference(device[a].nuclearSmall, host[a].nuclearSmall), 1e-14);
    EXPECT_EQ((device[a].balance - host[a].balance).norm(), 0.0);
  }
}

TEST_F(OneElectron, PointNucleusEqualsHost) { compare(NuclearModel::Point, 31); }
TEST_F(OneElectron, GaussianNucleusEqualsHost) { compare(NuclearModel::Gaussian, 32); }
TEST_F(OneElectron, SphereNucleusEqualsHost) { compare(NuclearModel::Sphere, 34); }
TEST_F(OneElectron, FermiNucleusEqualsHost) { compare(NuclearModel::Fermi, 33); }

}  // namespace
}  // namespace prophet::cuda
