#include <gtest/gtest.h>

#include <algorithm>

#include "atoms/atom/default_configuration.hpp"
#include "atoms/service/energy_service.hpp"
#include "matter/scattering/form_factor.hpp"
#include "tests/atoms/service/library_calculation.hpp"

/// How many iterations calculations take from the tabulated screening that they start from.
namespace prophet {
namespace {

double median(std::vector<int> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

Calculation ion(int z, int charge) {
  Calculation c = test::libraryCalculation(z);
  c.problem.configuration = parseConfiguration(defaultConfiguration(z, charge).text);
  return c;
}

TEST(Iterations, AreSevenOrFewerForMostNeutralAtomsAndIons) {
  std::vector<Calculation> list;
  const std::vector<int> known = libraryElements(test::kCollection);
  for (const int z : known) list.push_back(ion(z, 0));
  for (const Species& species : usualIons()) {
    if (std::find(known.begin(), known.end(), species.z) != known.end())
      list.push_back(ion(species.z, species.charge));
  }
  HostEnergyService service;
  std::vector<int> iterations;
  for (const Result& result : service.evaluateAll(list))
    if (result.ok()) iterations.push_back(result.iterations);
  EXPECT_GE(iterations.size() + 1, list.size());  // O2- is not bound
  ASSERT_GT(iterations.size(), 160u);
  EXPECT_LE(median(iterations), 7.0);
}

TEST(Iterations, AreEightOrFewerForRadon) {
  for (const char* set : {"wtbs-2.1-by-symmetry", "prophet-1"}) {
    Calculation radon = test::libraryCalculation(86);
    radon.inBasis().basis = makeBasis(readLibraryEntry(86, set).value());
    const Result result = computeOrReason(radon);
    ASSERT_TRUE(result.ok()) << result.reason;
    EXPECT_LE(result.iterations, 8) << set;
  }
}

}  // namespace
}  // namespace prophet
