#include "shipped_sets.hpp"
#include "test_paths.hpp"

namespace prophet {
namespace {

TEST(AllShippedSets, LieWithinTheirThresholdAboveTheLimit) {
  setenv("CUDAPROPHET_BASIS_SETS", PROPHET_SOURCE_DIR "/basis_sets", 1);
  for (int z = 1; z <= kLastElement; ++z) {
    test::checkShippedSet(z, "prophet-1", 5e-9);
    test::checkShippedSet(z, "universal", 1e-9);
  }
}

}  // namespace
}  // namespace prophet
