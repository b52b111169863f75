#include "bases/collections/collection.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "atoms/basis/library.hpp"
#include "atoms/service/energy_service.hpp"
#include "bases/collections/thesis_chain.hpp"
#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "tests/bases/optimise/fixtures.hpp"

namespace prophet {
namespace {

CollectionTask firstThree(const std::string& folder) {
  CollectionTask task;
  task.elements = {1, 2, 3};
  task.folder = folder;
  task.collection = "test";
  task.program = "cudaprophet test";
  task.date = "2026-01-02";
  return task;
}

ChainMaker makerOn(EnergyService& service) {
  return {ChainOptions{}, service, limitsOf("universal", NuclearModel::Gaussian, constants::kSpeedOfLight)};
}

TEST(Collection, WritesLibraryFilesWithProvenance) {
  const test::Folder folder;
  HostEnergyService service(2);
  CollectionOptions options;
  options.threads = 2;
  const auto rows = runCollection(firstThree(folder / "a"), options, makerOn(service));
  ASSERT_EQ(rows.size(), 3u);
  for (int z = 1; z <= 3; ++z) {
    const CollectionRow& row = rows[z - 1];
    EXPECT_EQ(row.z, z);
    EXPECT_TRUE(row.met) << row.failure;
    std::ifstream in(folder / ("a/" + basisFileName(z)));
    const LibraryEntry entry = readBasisFile(in, "file");
    EXPECT_EQ(entry.library, "test");
    EXPECT_EQ(entry.provenance.program, "cudaprophet test");
    EXPECT_EQ(entry.provenance.date, "2026-01-02");
    EXPECT_EQ(entry.provenance.energy, row.energy);
    EXPECT_EQ(entry.provenance.error, row.error);
    EXPECT_EQ(entry.spec.functions, row.sizes);
  }
}

TEST(Collection, AnInterruptedRunGoesOnToTheSameFiles) {
  const test::Folder folder;
  HostEnergyService service(1);
  CollectionOptions options;
  runCollection(firstThree(folder / "whole"), options, makerOn(service));

  struct Stop {};
  int lines = 0;
  CollectionObserver observer;
  observer.log = [&](int, const std::string&) {
    if (++lines == 5) throw std::runtime_error("stopped");
  };
  auto rows = runCollection(firstThree(folder / "again"), options, makerOn(service), observer);
  int failed = 0;
  for (const CollectionRow& row : rows) failed += !row.failure.empty();
  EXPECT_EQ(failed, 1);
  options.resume = true;
  rows = runCollection(firstThree(folder / "again"), options, makerOn(service));
  int skipped = 0;
  for (const CollectionRow& row : rows) {
    EXPECT_TRUE(row.failure.empty()) << row.failure;
    skipped += row.skipped;
    EXPECT_EQ(readFile(folder / ("again/" + basisFileName(row.z))),
              readFile(folder / ("whole/" + basisFileName(row.z))));
  }
  EXPECT_EQ(skipped, 2);
  options.resume = false;
  for (const CollectionRow& row : runCollection(firstThree(folder / "again"), options, makerOn(service)))
    EXPECT_NE(row.failure.find("resume"), std::string::npos);
}

/// Killed after a set was written and before its state was removed.
TEST(Collection, AResumedRunRemovesTheStatesOfFinishedElements) {
  const test::Folder folder;
  HostEnergyService service(1);
  CollectionOptions options;
  runCollection(firstThree(folder / "sets"), options, makerOn(service));
  const std::filesystem::path state = folder / "sets/state";
  EXPECT_TRUE(std::filesystem::is_empty(state));
  std::ofstream(state / "002.chain") << "chain\n";
  options.resume = true;
  for (const CollectionRow& row : runCollection(firstThree(folder / "sets"), options, makerOn(service)))
    EXPECT_TRUE(row.met) << row.failure;
  EXPECT_TRUE(std::filesystem::is_empty(state));
}

TEST(Collection, ReadsLimitsFromACollection) {
  const auto limits = limitsOf("universal", NuclearModel::Gaussian, constants::kSpeedOfLight);
  EXPECT_EQ(limits.size(), 118u);
  EXPECT_NEAR(limits.at(86), -23602.10392, 2e-5);
  EXPECT_TRUE(limitsOf("universal", NuclearModel::Fermi, constants::kSpeedOfLight).empty());
  EXPECT_TRUE(limitsOf("universal", NuclearModel::Gaussian, 137.0).empty());
}

}  // namespace
}  // namespace prophet
