#include "bases/collections/sized_maker.hpp"

#include <gtest/gtest.h>

#include "bases/collections/collection.hpp"
#include "tests/bases/optimise/fixtures.hpp"

namespace prophet {
namespace {

/// Of Ba the other minima lie below the limit by their prolapse, and are not taken; the small prolapse of
/// Pd comes out negative by rounding, and its weight is found nevertheless.
TEST(SizedMaker, MakesLargeSetsThatHaveLessErrorThanProlapse) {
  const test::Folder folder;
  CollectionTask task;
  task.elements = {46, 56};
  task.folder = folder / "5z";
  SizedMakerOptions options;
  options.sizes = readTierSizes(tierSizesFile(), "5z");
  options.limits = limitsOf("", NuclearModel::Gaussian, constants::kSpeedOfLight);
  options.lacks = readTierLacks(tierSizesFile(), "5z");
  for (const auto& row : runCollection(task, CollectionOptions{2, false}, SizedMaker(options))) {
    EXPECT_TRUE(row.met) << row.failure;
    EXPECT_GT(row.energy, row.limit);
    EXPECT_GE(row.prolapse, 0.0);
    EXPECT_LE(row.prolapse, 0.01 * (row.energy - row.limit));
    EXPECT_LE(row.energy - row.limit + row.prolapse, options.lacks.at(row.z));
  }
}

}  // namespace
}  // namespace prophet
