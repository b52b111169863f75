#include "shipped_sets.hpp"

namespace prophet {
namespace {

class ShippedSets : public testing::TestWithParam<int> {};

TEST_P(ShippedSets, LieWithinTheirThresholdAboveTheLimit) {
  test::checkShippedSet(GetParam(), "prophet-1", 5e-9);
  test::checkShippedSet(GetParam(), "universal", 1e-9);
}

// In: the universal set needs the eigensolver's second method (linalg/eigen_solver.cpp).
INSTANTIATE_TEST_SUITE_P(Some, ShippedSets, testing::Values(1, 2, 10, 24, 49, 58, 86, 118));

TEST(Library, BothCollectionsHaveEveryElement) {
  EXPECT_EQ(libraryElements("prophet-1").size(), 118u);
  EXPECT_EQ(libraryElements("universal").size(), 118u);
  EXPECT_EQ(readLibraryEntry(92)->library, "prophet-1");  // the default
}

}  // namespace
}  // namespace prophet
