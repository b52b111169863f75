#include "operations/execution/execution.hpp"

#include <gtest/gtest.h>

#include "tests/matter/pairs/broken_engine.hpp"
#include "tests/matter/pairs/random_structure.hpp"

namespace prophet {
namespace {

HistogramRequest request() {
  HistogramRequest r;
  r.width = 0.1;
  r.bins = 300;
  return r;
}

TEST(FallbackPairEngine, AsksTheOtherFromTheFirstErrorOn) {
  const Structure s = test::randomStructure(41, 100, 2, 10, false);
  FallbackPairEngine engine(std::make_unique<test::BrokenEngine>(), hostPairEngine(1));
  EXPECT_EQ(engine.name(), "broken");
  EXPECT_EQ(engine.freeBins(), 7);
  EXPECT_EQ(engine.histogram(s, request()).counts, pairHistogram(s, request()).counts);
  EXPECT_EQ(engine.name(), "CPU, 1 thread, because: it broke");
  EXPECT_EQ(engine.sincSum({0.0}, Eigen::VectorXd::Ones(1))(0), 1);
}

TEST(FallbackPairEngine, WithoutAnotherItThrows) {
  const Structure s = test::randomStructure(42, 10, 1, 10, false);
  FallbackPairEngine engine(std::make_unique<test::BrokenEngine>(), nullptr);
  EXPECT_THROW(engine.histogram(s, request()), Error);
  EXPECT_EQ(engine.name(), "broken");
}

/// A structure that makes no sense is refused by both.
TEST(FallbackPairEngine, AnErrorOfBothIsOne) {
  const Structure s = test::randomStructure(43, 10, 1, 10, false);
  FallbackPairEngine engine(std::make_unique<test::BrokenEngine>(), hostPairEngine(1));
  EXPECT_THROW(engine.histogram(s, HistogramRequest{}), Error);
}

}  // namespace
}  // namespace prophet
