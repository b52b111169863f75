// The numerical limit and large Gaussian basis sets, two methods that share no integral, at one energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "atoms/atom/elements.hpp"
#include "atoms/calculation/compute.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {
namespace {

Job jobFor(int z, NuclearModel model) {
  Job job;
  job.nucleus.charge = z;
  job.nucleus.model = model;
  job.nuclearModelGiven = true;
  job.configuration.groundState = true;
  job.basisType = BasisType::ReadIn;
  job.scf.maxIterations = 100;
  return job;
}

constexpr double kFirstExponent = 0.004, kRatio = 1.6;

/// Nuclei are small, and s and p- spinors fill them: the largest exponents that matter, by orbital angular
/// momentum, for Og; lighter atoms need about Z^2 as much.
double lastExponent(Symmetry symmetry, int z) {
  const double forOg = symmetry.twoJ() == 1 ? 1e10 : symmetry.l() == 1 ? 1e9 : symmetry.l() == 2 ? 1e8 : 1e7;
  const double scale = z / 118.0;
  return forOg * scale * scale;
}

/// Even-tempered exponents for each symmetry that the ground configuration occupies.
void addExponents(Job& job, int z) {
  const Configuration configuration = parseConfiguration(groundConfiguration(z));
  for (std::size_t a = 0; a < configuration.symmetries.size(); ++a) {
    const double last = lastExponent(Symmetry::fromIndex(static_cast<int>(a)), z);
    std::vector<double> exponents;
    for (double zeta = kFirstExponent; zeta < last; zeta *= kRatio) exponents.push_back(zeta);
    job.readInExponents.push_back(exponents);
  }
}

class TwoMethods : public ::testing::TestWithParam<std::tuple<const char*, NuclearModel>> {};

TEST_P(TwoMethods, AgreeTo1e9) {
  const int z = elementOf(std::get<0>(GetParam())).value();
  Job job = jobFor(z, std::get<1>(GetParam()));
  addExponents(job, z);
  const Calculation calculation = resolve(job).calculation;
  const Result gaussians = compute(calculation, {2}),
               limit = compute({calculation.problem, LimitMethod{}}, {2});
  ASSERT_TRUE(gaussians.ok());
  ASSERT_TRUE(limit.ok());
  const double difference = (gaussians.energy.total - limit.energy.total) / std::abs(limit.energy.total);
  std::printf("%-2s %-8s limit %.10f gaussians %.10f (%d functions) relative difference %.2e\n",
              std::get<0>(GetParam()), nameOf(std::get<1>(GetParam())).c_str(), limit.energy.total,
              gaussians.energy.total, calculation.inBasis().basis.functions(), difference);
  EXPECT_LT(std::abs(difference), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Validate, TwoMethods,
                         ::testing::Combine(::testing::Values("He", "N", "Ne", "Fe", "Kr", "Xe", "Hg", "Rn",
                                                              "U", "Og"),
                                            ::testing::Values(NuclearModel::Gaussian, NuclearModel::Sphere)),
                         [](const auto& atom) {
                           return std::string(std::get<0>(atom.param)) + "_" +
                                  nameOf(std::get<1>(atom.param));
                         });

}  // namespace
}  // namespace prophet
