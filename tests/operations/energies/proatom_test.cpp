#include "operations/energies/proatom.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <sstream>

#include "atoms/calculation/compute.hpp"
#include "atoms/properties/density.hpp"
#include "core/common/error.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {
namespace {

class Proatom : public ::testing::Test {
 protected:
  Proatom() {
    calculation_.inBasis().keepSpinors = true;
    result_ = compute(calculation_);
  }
  /// Numbers of an array of AtomDB's species, from the bytes after its name.
  std::vector<double> numbersOf(const std::string& file, const std::string& name) const {
    const std::size_t key = file.find(std::string("\xda\0", 2) + static_cast<char>(name.size()) + name);
    const std::size_t data = file.find("data", key) + 5;  // and 0xc6, then four bytes with the size
    std::size_t size = 0;
    for (int i = 0; i < 4; ++i) size = size << 8 | static_cast<unsigned char>(file[data + i]);
    std::vector<double> values;
    for (std::size_t at = data + 4; at < data + 4 + size; at += 8) {
      std::uint64_t bits = 0;
      for (int i = 7; i >= 0; --i) bits = bits << 8 | static_cast<unsigned char>(file[at + i]);
      values.push_back(std::bit_cast<double>(bits));
    }
    return values;
  }

  Calculation calculation_ = resolve(parseJob("Carbon\n$nuc znuc=6 $end\n", "c.inp")).calculation;
  Result result_;
};

TEST_F(Proatom, OfMultiwfnIsATableOnItsRadii) {
  const Eigen::VectorXd radii = proatomRadii(ProatomFormat::Multiwfn, *result_.wavefunction);
  ASSERT_EQ(radii.size(), 200);
  EXPECT_NEAR(radii[0] * radii[199], 1, 1e-12);  // (1 + x)/(1 - x) of nodes that are symmetric
  std::istringstream text(proatomFile(ProatomFormat::Multiwfn, calculation_.problem, result_, radii));
  int count = 0;
  text >> count;
  EXPECT_GT(count, 100);
  EXPECT_LT(count, 200);  // the last radius is 16,000 bohr
  const Eigen::VectorXd density = Density(result_).at(radii);
  double electrons = 0;  // by the rule that the radii belong to
  for (int i = 0; i < count; ++i) {
    double r = 0, n = 0;
    text >> r >> n;
    EXPECT_NEAR(r / radii[i], 1, 1e-6);
    EXPECT_NEAR(n / density[i], 1, 1e-11);
    const double angle = (200 - i) * M_PI / 201;
    electrons += M_PI / 201 * std::sin(angle) * 2 / std::pow(1 - std::cos(angle), 2) * 4 * M_PI * r * r * n;
  }
  EXPECT_NEAR(electrons, 6, 1e-6);
}

TEST_F(Proatom, OfAtomDbHoldsTheDensityAndItsDerivatives) {
  const Eigen::VectorXd radii = proatomRadii(ProatomFormat::AtomDb, *result_.wavefunction);
  const std::string file = proatomFile(ProatomFormat::AtomDb, calculation_.problem, result_, radii);
  const std::vector<double> r = numbersOf(file, "rs"), n = numbersOf(file, "dens_tot"),
                            slope = numbersOf(file, "d_dens_tot");
  ASSERT_EQ(r.size(), static_cast<std::size_t>(radii.size()));
  ASSERT_EQ(n.size(), r.size());
  ASSERT_EQ(slope.size(), r.size());
  ASSERT_EQ(numbersOf(file, "dd_dens_tot").size(), r.size());
  const Eigen::VectorXd density = Density(result_).at(radii);
  for (std::size_t i = 0; i < r.size(); ++i) {
    EXPECT_EQ(r[i], radii[static_cast<Eigen::Index>(i)]);
    EXPECT_NEAR(n[i], density[static_cast<Eigen::Index>(i)], 1e-12 * n[i]);
  }
  EXPECT_LT(slope[250], 0);
}

TEST_F(Proatom, FormatsGoByTheEndingAndSpinsByHund) {
  EXPECT_EQ(proatomFormatOf("C .rad"), ProatomFormat::Multiwfn);
  EXPECT_EQ(proatomFormatOf("db/C_000_003_000.msg"), ProatomFormat::AtomDb);
  EXPECT_THROW(proatomFormatOf("c.h5"), Error);
  EXPECT_EQ(parallelSpins(calculation_.problem.configuration), 2);
  EXPECT_EQ(parallelSpins(parseConfiguration("[Ar] 3d5 4s1")), 6);
  EXPECT_EQ(parallelSpins(parseConfiguration("[Ne]")), 0);
  AtomProblem half = calculation_.problem;
  half.nucleus.charge = 6.5;
  EXPECT_THROW(proatomFile(ProatomFormat::AtomDb, half, result_, Eigen::VectorXd::Ones(1)), Error);
}

}  // namespace
}  // namespace prophet
