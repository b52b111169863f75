#include "bases/optimise/diffuse_search.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "bases/collections/correlating_maker.hpp"
#include "bases/optimise/outer_response.hpp"
#include "core/common/error.hpp"
#include "fixtures.hpp"

namespace prophet {
namespace {

AtomProblem neutral(int z) {
  return {test::gaussianNucleus(z), parseConfiguration(groundConfiguration(z)), {}};
}

BasisSet valenceSet(int z) {
  const LibraryEntry set = *readLibraryEntry(z, "prophet-dz");
  return withGroups(makeBasis(set), valenceGroups(set.groups));
}

TEST(DiffuseCounts, AreThereForEveryElement) {
  for (const char* tier : {"dz", "tz", "qz"}) {
    const auto counts = readCorrelatingCounts(diffuseCountsFile(), tier);
    EXPECT_EQ(counts.size(), 118u);
    for (const auto& [z, functions] : counts) {
      ASSERT_GE(functions.size(), 2u) << z;
      for (std::size_t l = 0; l < functions.size(); ++l) EXPECT_EQ(functions[l].l, static_cast<int>(l)) << z;
    }
  }
}

TEST(NegativeIon, IsThereWhereHartreeFockBindsIt) {
  // Noble gases, group 2 and N with a set that has no room; the 4f14 of Tm- lies inside; Og- has no element.
  for (const int z : {2, 4, 10, 69, 118}) EXPECT_FALSE(negativeIonIn(z, neutral(z), valenceSet(z))) << z;
  // prophet-dz with functions of dyall-av2z; cudaprophet limit F-: -99.5512637957 hartree.
  const BasisSet wide = withLists(valenceSet(9), {{0, {0.0914}}, {1, {0.0658}}, {2, {0.46}}});
  const auto ion = negativeIonIn(9, neutral(9), wide), narrow = negativeIonIn(9, neutral(9), valenceSet(9));
  ASSERT_TRUE(ion && narrow);
  EXPECT_EQ(ion->configuration, "1s2 2s2 2p6");
  EXPECT_GT(ion->field, -99.5512637957);
  EXPECT_LT(ion->field, narrow->field - 0.01);
  EXPECT_LT(ion->secondOrder, narrow->secondOrder - 0.02);
  EXPECT_EQ(ion->total(), ion->field + ion->secondOrder);
}

TEST(DiffuseSearch, FindsTheLargestAffinityWherePublishedExponentsLie) {
  const AtomProblem atom = neutral(9);
  const BasisSet basis = valenceSet(9);
  const DiffuseSearchResult found = searchDiffuse(9, atom, basis, parseFunctionCounts("1s1p1d"));
  ASSERT_TRUE(found.affinity);
  ASSERT_EQ(found.groups.size(), 3u);
  // dyall-av2z: 0.0914, 0.0658, 0.460.
  EXPECT_NEAR(found.groups[0].exponents.at(0), 0.0914, 0.015);
  EXPECT_NEAR(found.groups[1].exponents.at(0), 0.0658, 0.01);
  EXPECT_NEAR(found.groups[2].exponents.at(0), 0.460, 0.09);
  std::vector<AddedList> lists;
  for (const FunctionGroup& group : found.groups) {
    EXPECT_EQ(group.name, "diffuse");
    lists.push_back({group.l, group.exponents});
  }
  const auto affinity = [&] { return affinityIn(9, atom, withLists(basis, lists))->value(); };
  const double largest = affinity();
  EXPECT_NEAR(largest, found.affinity->value(), 1e-7);
  EXPECT_GT(largest, 0.12107);
  for (AddedList& list : lists)
    for (const double factor : {0.85, 1.18}) {
      list.exponents[0] *= factor;
      EXPECT_LT(affinity(), largest - 1e-6) << list.l << " " << factor;
      list.exponents[0] /= factor;
    }
}

TEST(DiffuseSearch, FollowsFieldsWhereNoNegativeIonIsBound) {
  const AtomProblem atom = neutral(10);
  const BasisSet basis = valenceSet(10);
  const DiffuseSearchResult found = searchDiffuse(10, atom, basis, parseFunctionCounts("1s1p1d"));
  EXPECT_FALSE(found.affinity);
  EXPECT_EQ(found.shell, "2p");
  ASSERT_EQ(found.groups.size(), 3u);
  for (const FunctionGroup& group : {found.groups[0], found.groups[2]}) {
    const double zeta = group.exponents.at(0);
    const OuterResponse response(atom, basis, {2, 1}, {group.l, {zeta / 4, zeta * 4}});
    const double most = response({zeta});
    EXPECT_GT(most, response({}) * 1.01);
    for (const double factor : {0.8, 1.25}) EXPECT_LT(response({zeta * factor}), most) << group.l;
    EXPECT_GT(response({zeta, 3.5 * zeta}), most);  // further functions only add
  }
  const std::vector<double>& p = basis.symmetries[2].exponents;
  EXPECT_NEAR(found.groups[1].exponents.at(0), p[0] * p[0] / p[1], 0.05 * p[0]);
}

TEST(CorrelatingMaker, MakesDiffuseFunctionsBesideTheOthers) {
  const test::Folder files;
  const std::string folder = files / "set";
  CollectionTask task;
  task.elements = {1, 12};
  task.folder = folder;
  task.program = "test";
  const CorrelatingMaker maker("prophet-dz", {}, {{1, {{0, 1}, {1, 1}}}, {12, {{0, 1}}}},
                               CorrelatingPart::Diffuse);
  const auto rows = runCollection(task, {1, false}, maker);
  ASSERT_EQ(rows.size(), 2u);
  for (const CollectionRow& row : rows) {
    EXPECT_TRUE(row.met) << row.failure;
    std::ifstream in(folder + "/" + basisFileName(row.z));
    const LibraryEntry made = readBasisFile(in, "test"), before = *readLibraryEntry(row.z, "prophet-dz");
    EXPECT_EQ(made.exponents, before.exponents);
    EXPECT_EQ(withoutGroup(made.groups, "diffuse").size(), withoutGroup(before.groups, "diffuse").size());
    EXPECT_GT(made.groups.size(), withoutGroup(made.groups, "diffuse").size());
    const std::string& source = made.provenance.source;
    EXPECT_EQ(source.find("; diffuse functions"), source.rfind("; diffuse functions")) << source;
    const auto has = [](const std::string& text) { return text.find("core functions") != std::string::npos; };
    EXPECT_EQ(has(source), has(before.provenance.source)) << source;
    std::vector<FunctionGroup> groups = valenceGroups(made.groups);
    for (const FunctionGroup& group : made.groups)
      if (group.name == "diffuse") groups.push_back(group);
    const auto ion = negativeIonIn(row.z, neutral(row.z), withGroups(makeBasis(made), groups));
    EXPECT_EQ(ion.has_value(), row.z == 1);
    const std::string said =
        ion ? fmt::format("negative ion 1s2: Hartree-Fock {:.8f}, second order {:.8f} hartree", ion->field,
                          ion->secondOrder)
            : "of largest response of 3s to fields";
    EXPECT_NE(source.find(said), std::string::npos) << source << "\n" << said;
  }
  const auto again = runCollection(task, {1, true}, maker);
  EXPECT_TRUE(std::ranges::all_of(again, [](const CollectionRow& row) { return row.skipped; }));
}

TEST(DiffuseSearch, RefusesAnLThatTheSetLacks) {
  EXPECT_THROW(searchDiffuse(2, neutral(2), valenceSet(2), parseFunctionCounts("1s1p1d")), Error);
}

/// Every set of the tiers has its diffuse functions below all others of their l, and not too close.
TEST(DiffuseFunctions, OfTheTiersLieBelowTheOthers) {
  for (const char* tier : {"dz", "tz", "qz"}) {
    const auto counts = readCorrelatingCounts(diffuseCountsFile(), tier);
    for (int z = 1; z <= 118; ++z) {
      const LibraryEntry set = *readLibraryEntry(z, fmt::format("prophet-{}", tier));
      const BasisSet others = withGroups(makeBasis(set), valenceGroups(set.groups));
      std::size_t found = 0;
      for (const FunctionGroup& group : set.groups) {
        if (group.name != "diffuse") continue;
        ++found;
        const double least = others.symmetries.at(static_cast<std::size_t>(2 * group.l)).exponents.front();
        EXPECT_LE(group.exponents.back() * 1.3499, least) << tier << " " << z << " " << group.l;
      }
      EXPECT_EQ(found, counts.at(z).size()) << tier << " " << z;
    }
  }
}

}  // namespace
}  // namespace prophet
