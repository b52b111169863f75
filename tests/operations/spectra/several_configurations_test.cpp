#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "operations/catalogue/operation.hpp"
#include "test_paths.hpp"

namespace prophet {
namespace {

/// Several configurations: each beside the levels that NIST has of it, from the lowest of all.
TEST(LevelsBesideExperiment, OfSeveralConfigurations) {
  Execution execution;
  execution.basisSets = std::string(PROPHET_SOURCE_DIR) + "/basis_sets";
  const Json r = recordJson(findOperation("levels")->run(
      {{"atom", "Mg"}, {"config", "[Ne] 3s2 | [Ne] 3s1 3p1 | [Ne] 3s1 3d1"}}, execution));
  constexpr double kPerHartree = 219474.63136314;
  std::map<std::string, double> known;
  for (const Json& l : r["levels"])
    if (l.contains("nist_excitation_energy"))
      known[l["label"].get<std::string>() + " " + l["J"].dump()] =
          kPerHartree * l["nist_excitation_energy"].get<double>();
  EXPECT_EQ(known.size() + 1, r["levels"].size());
  EXPECT_FALSE(known.contains("3s1 3d1 1D 2.0"));  // experiment has it below 3D
  const auto of = [&](const std::string& label) {
    return known.contains(label) ? known[label] : std::nan("");
  };
  EXPECT_NEAR(of("3s2 1S 0.0"), 0, 1e-9);
  EXPECT_NEAR(of("3s1 3p1 3Po 1.0"), 21870.464, 0.01);
  EXPECT_NEAR(of("3s1 3p1 1Po 1.0"), 35051.264, 0.01);
  EXPECT_NEAR(of("3s1 3d1 3D 3.0"), 47957.0, 1);
}

}  // namespace
}  // namespace prophet
