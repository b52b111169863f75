#include "atoms/default_basis/basis_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "atoms/limit/limit.hpp"
#include "default_case.hpp"

namespace prophet {
namespace {

using test::nucleusOf;

double limitOf(const Nucleus& nucleus, const Configuration& configuration) {
  LimitOptions options;
  options.threads = 1;
  return numericalLimit(nucleus, configuration, options).energy;
}

/// Checks the estimate in the library's set of an element. `limit`: NAN, to be computed, where the case is
/// not the one that the set was made for.
void expectHonest(int z, NuclearModel model, const std::string& text, double least, double limit = NAN) {
  SCOPED_TRACE(text);
  const Nucleus nucleus = nucleusOf(z, model);
  const Configuration configuration = parseConfiguration(text);
  const auto result = test::computeIn(makeBasis(*readLibraryEntry(z)), nucleus, configuration);
  if (std::isnan(limit)) limit = limitOf(nucleus, configuration);
  const double error = result.scf.energy.total - limit;
  EXPECT_GT(error, least);
  EXPECT_LT(result.estimate.total(), 3 * error);
  EXPECT_GT(result.estimate.total(), error / 3);
}

TEST(BasisError, AgreesWithTheTrueErrorOfAPoorSet) {
  expectHonest(9, NuclearModel::Gaussian, "1s2 2s2 2p6", 1e-4);
  expectHonest(11, NuclearModel::Gaussian, "[Ne] 3p1", 0.03);
}

TEST(BasisError, AgreesWithTheTrueErrorForOpenShells) {
  for (const int z : {7, 24, 64, 92}) {
    expectHonest(z, NuclearModel::Gaussian, groundConfiguration(z), 1e-7,
                 *readLibraryEntry(z)->provenance.limit);
  }
}

/// 2p1/2 of a nearly bare nucleus without the diffuse functions that its small component needs.
TEST(BasisError, FindsProlapse) {
  const Nucleus nucleus = nucleusOf(55, NuclearModel::Gaussian);
  const Configuration configuration = parseConfiguration("1s2 2s2 2p6");
  BasisSet basis = chooseBasis({nucleus, configuration, {}}).basis;
  std::vector<double>& minus = basis.symmetries[1].exponents;
  while (minus.front() < 10.0) minus.erase(minus.begin());
  const auto result = test::computeIn(basis, nucleus, configuration);
  const double error = result.scf.energy.total - limitOf(nucleus, configuration);
  EXPECT_LT(error, -1e-4);
  EXPECT_LT(result.estimate.total(), error / 3);
  EXPECT_GT(result.estimate.total(), 3 * error);
  EXPECT_GT(result.estimate.prolapse, -error / 3);
}

TEST(BasisError, PartsAddUp) {
  const Nucleus nucleus = nucleusOf(10, NuclearModel::Gaussian);
  const auto estimate =
      test::computeIn(makeBasis(*readLibraryEntry(10)), nucleus, parseConfiguration("[Ne]")).estimate;
  double sum = 0;
  for (const double error : estimate.symmetryErrors) sum += error;
  EXPECT_NEAR(sum, estimate.total(), 1e-15);
  EXPECT_GE(estimate.prolapse, 0.0);
}

}  // namespace
}  // namespace prophet
