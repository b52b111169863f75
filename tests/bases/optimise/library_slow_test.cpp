#include "shipped_sets.hpp"

namespace prophet {
namespace {

TEST(AllShippedSets, LieWithinTheirThresholdAboveTheLimit) {
  for (int z = 1; z <= kLastElement; ++z) {
    test::checkShippedSet(z, "prophet-1", 5e-9);
    test::checkShippedSet(z, "universal", 1e-9);
  }
}

}  // namespace
}  // namespace prophet
