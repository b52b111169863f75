#include <gtest/gtest.h>

#include <cmath>

#include "atoms/default_basis/default_basis.hpp"
#include "default_case.hpp"

namespace prophet {
namespace {

using test::expectGoodDefault;
using test::nucleusOf;

constexpr double kDefaultC = constants::kSpeedOfLight;

/// Dirac's 1s energy, rest mass subtracted.
double dirac1s(double z) {
  return kDefaultC * kDefaultC * (std::sqrt(1 - (z / kDefaultC) * (z / kDefaultC)) - 1);
}

TEST(DefaultBasis, TakesTheLibrarySetWhereItWasMadeForTheCase) {
  const auto choice =
      chooseBasis({nucleusOf(86, NuclearModel::Gaussian), parseConfiguration("[Xe] 4f14 5d10 6s2 6p6"), {}});
  const BasisSet set = makeBasis(*readLibraryEntry(86));
  ASSERT_EQ(choice.basis.symmetries.size(), set.symmetries.size());
  for (std::size_t a = 0; a < set.symmetries.size(); ++a)
    EXPECT_EQ(choice.basis.symmetries[a].exponents, set.symmetries[a].exponents);
  ASSERT_TRUE(choice.knownError && choice.knownLimit);
  EXPECT_NEAR(*choice.knownError, 8.548e-5, 1e-8);
  EXPECT_FALSE(choice.start);
}

TEST(DefaultBasis, SaysInWhatTheLibrarySetDiffersFromTheCase) {
  const LibraryEntry neon = *readLibraryEntry(10);
  const auto mismatch = [&](const Nucleus& nucleus, const char* text, double c = kDefaultC) {
    return purposeMismatch(neon, nucleus, parseConfiguration(text), c).value_or("");
  };
  const Nucleus gaussian = nucleusOf(10, NuclearModel::Gaussian);
  EXPECT_EQ(mismatch(gaussian, "1s2 2s2 2p6"), "");
  EXPECT_NE(mismatch(gaussian, "1s2 2s2 2p5").find("neutral"), std::string::npos);
  EXPECT_NE(mismatch(gaussian, "1s2 2s2 2p5 3s1").find("1s2 2s2 2p6"), std::string::npos);
  EXPECT_NE(mismatch(nucleusOf(10, NuclearModel::Point), "1s2 2s2 2p6").find("Gaussian"), std::string::npos);
  EXPECT_NE(mismatch(gaussian, "1s2 2s2 2p6", 1000.0).find("speed of light"), std::string::npos);
  Nucleus large = gaussian;
  large.rms *= 2;
  EXPECT_NE(mismatch(large, "1s2 2s2 2p6").find("size"), std::string::npos);
}

TEST(DefaultBasis, FitsNegativeIons) {
  expectGoodDefault(nucleusOf(1, NuclearModel::Gaussian), "1s2", NAN);
  expectGoodDefault(nucleusOf(3, NuclearModel::Gaussian), "1s2 2s2", NAN);
  expectGoodDefault(nucleusOf(9, NuclearModel::Gaussian), "1s2 2s2 2p6", NAN);
  expectGoodDefault(nucleusOf(17, NuclearModel::Fermi), "[Ar]", NAN);
}

TEST(DefaultBasis, FitsExcitedStates) {
  expectGoodDefault(nucleusOf(11, NuclearModel::Gaussian), "[Ne] 3p1", NAN);
  expectGoodDefault(nucleusOf(3, NuclearModel::Gaussian), "1s2 4f1", NAN);
}

/// Their outermost spinors have many nodes and reach far.
TEST(DefaultBasis, FitsRydbergStates) {
  expectGoodDefault(nucleusOf(1, NuclearModel::Point), "5p1", -0.0200001100);
  expectGoodDefault(nucleusOf(1, NuclearModel::Point), "10s1", -0.0050000250);
  expectGoodDefault(nucleusOf(3, NuclearModel::Gaussian), "1s2 6p1", NAN);
  expectGoodDefault(nucleusOf(11, NuclearModel::Gaussian), "[Ne] 5d1", -161.915943622);
}

/// gamma falls from 0.49 to 0.17: what no exponent up to 1e24 can follow is in the estimate, and said.
TEST(DefaultBasis, EstimatesWhatStrongPointNucleiLack) {
  for (const double z : {120.0, 126.0, 130.0, 135.0}) {
    const Nucleus nucleus = nucleusOf(z, NuclearModel::Point);
    const Configuration configuration = parseConfiguration("1s1");
    const test::BasisCase result =
        test::computeIn(chooseBasis({nucleus, configuration, {}}).basis, nucleus, configuration);
    ASSERT_TRUE(result.scf.converged) << z;
    const double error = result.scf.energy.total - dirac1s(z);
    EXPECT_LT(result.estimate.total(), 3 * error) << z;
    EXPECT_GT(result.estimate.total(), error / 3) << z;
  }
}

TEST(DefaultBasis, FitsBareAndNearlyBareNuclei) {
  for (const double z : {1.0, 10.0, 54.0, 92.0, 118.0})
    expectGoodDefault(nucleusOf(z, NuclearModel::Point), "1s1", dirac1s(z));
  expectGoodDefault(nucleusOf(36, NuclearModel::Sphere), "1s2", NAN);
  expectGoodDefault(nucleusOf(55, NuclearModel::Gaussian), "1s2 2s2 2p6", NAN);
}

/// Limits: basis_sets/reference/numerical_energies.csv (GRASP 2018).
TEST(DefaultBasis, FitsPointNuclei) {
  expectGoodDefault(nucleusOf(10, NuclearModel::Point), "[Ne]", NAN);
  expectGoodDefault(nucleusOf(118, NuclearModel::Point), "[Rn] 5f14 6d10 7s2 7p6", -55159.706862020575);
}

TEST(DefaultBasis, NeedsNoElement) {
  NucleusRequest request;
  request.model = NuclearModel::Gaussian;
  request.charge = 10.5;
  request.massNumber = 21;
  const DefaultBasis choice = chooseBasis({makeNucleus(request), parseConfiguration("1s2 2s2 2p6"), {}});
  EXPECT_NE(choice.reason.find("no set"), std::string::npos) << choice.reason;
  expectGoodDefault(makeNucleus(request), "1s2 2s2 2p6", NAN);
}

TEST(DefaultBasis, IsTheSameWhenChosenAgain) {
  const Nucleus nucleus = nucleusOf(26, NuclearModel::Fermi);
  const Configuration iron = parseConfiguration("[Ar] 3d6 4s1");
  const DefaultBasis first = chooseBasis({nucleus, iron, {}}), second = chooseBasis({nucleus, iron, {}});
  ASSERT_EQ(first.basis.functions(), second.basis.functions());
  for (std::size_t a = 0; a < first.basis.symmetries.size(); ++a)
    EXPECT_EQ(first.basis.symmetries[a].exponents, second.basis.symmetries[a].exponents);
}

TEST(DefaultBasis, RefusesNoElectrons) {
  Configuration none;
  EXPECT_THROW(chooseBasis({nucleusOf(1, NuclearModel::Point), none, {}}), Error);
}

}  // namespace
}  // namespace prophet
