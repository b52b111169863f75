#include "bases/optimise/correlating_search.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "atoms/correlation/added_functions.hpp"
#include "bases/collections/correlating_maker.hpp"
#include "core/common/error.hpp"
#include "fixtures.hpp"

namespace prophet {
namespace {

AtomProblem neutralAtom(int z) {
  AtomProblem problem;
  problem.nucleus = test::gaussianNucleus(z);
  problem.configuration = parseConfiguration(groundConfiguration(z));
  return problem;
}

std::string names(const std::vector<Shell>& shells) {
  std::string text;
  for (const Shell& s : shells) text += (text.empty() ? "" : " ") + s.name();
  return text;
}

TEST(FunctionCounts, AreReadOrRefused) {
  const std::vector<FunctionCount> counts = parseFunctionCounts("2d10f");
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts[0].l, 2);
  EXPECT_EQ(counts[1].count, 10);
  EXPECT_TRUE(parseFunctionCounts("").empty());
  for (const char* wrong : {"d", "2", "0d", "2d1p", "1x", "1d 1f", "1d1d"})
    EXPECT_THROW(parseFunctionCounts(wrong), Error) << wrong;
}

TEST(FunctionCounts, OfTheTableAreThereForEveryElement) {
  for (const char* tier : {"dz", "tz", "qz"}) {
    const auto counts = readCorrelatingCounts(correlatingCountsFile(), tier);
    EXPECT_EQ(counts.size(), 118u);
    for (const auto& [z, functions] : counts) EXPECT_FALSE(functions.empty()) << z;
  }
  EXPECT_THROW(readCorrelatingCounts(correlatingCountsFile(), "xz"), Error);
}

TEST(TierEnergies, AreThoseOfPublishedSetsWhereTheyMeanSomething) {
  const auto energies = readTierEnergies(correlatingCountsFile(), "dz");
  EXPECT_EQ(energies.size(), 106u);
  EXPECT_EQ(energies.at(17), -0.12918280);
  EXPECT_FALSE(energies.contains(1));
  EXPECT_TRUE(readTierEnergies(coreCountsFile(), "dz").empty());
  const test::Folder folder;
  std::ofstream(folder / "wrong.csv") << "Z,dz_energy\n7,0.1\n";
  EXPECT_THROW(readTierEnergies(folder / "wrong.csv", "dz"), Error);
}

TEST(Valence, FollowsTheBlock) {
  EXPECT_EQ(names(valenceOf(7).frozen), "1s");
  EXPECT_EQ(names(valenceOf(12).frozen), "1s");
  EXPECT_EQ(names(valenceOf(12).inner), "2s 2p");
  EXPECT_EQ(names(valenceOf(30).frozen), "1s 2s 2p 3s 3p");
  EXPECT_EQ(names(valenceOf(35).frozen), "1s 2s 2p 3s 3p 3d");
  EXPECT_EQ(names(valenceOf(46).frozen), "1s 2s 2p 3s 3p 3d 4s 4p");  // 4d10, no 5s
  EXPECT_EQ(names(valenceOf(60).frozen), "1s 2s 2p 3s 3p 3d 4s 4p 4d 5s 5p");
  EXPECT_EQ(names(valenceOf(79).frozen), "1s 2s 2p 3s 3p 3d 4s 4p 4d 5s 5p 4f");
  EXPECT_TRUE(valenceOf(60).virtualOnly);
  EXPECT_FALSE(valenceOf(7).virtualOnly);
  EXPECT_FALSE(hasValencePairs(11));
  EXPECT_THROW(valenceOf(11), Error);
}

TEST(CoreValence, HasTheShellsBelowTheValenceAsInnerOnes) {
  EXPECT_EQ(names(coreValenceOf(3).inner), "1s");
  EXPECT_EQ(names(coreValenceOf(7).inner), "1s");
  EXPECT_EQ(names(coreValenceOf(18).inner), "2s 2p");
  EXPECT_EQ(names(coreValenceOf(18).frozen), "1s");
  EXPECT_EQ(names(coreValenceOf(19).inner), "2s 2p 3s 3p");
  EXPECT_EQ(names(coreValenceOf(30).inner), "2s 2p 3s 3p");
  EXPECT_EQ(names(coreValenceOf(35).inner), "3s 3p 3d");
  EXPECT_EQ(names(coreValenceOf(60).inner), "5s 5p");
  EXPECT_EQ(names(coreValenceOf(79).inner), "4s 4p 4d 5s 5p 4f");
  EXPECT_EQ(names(coreValenceOf(86).inner), "5s 5p 5d");
  EXPECT_TRUE(coreValenceOf(30).virtualOnly);
  EXPECT_FALSE(hasOuterCore(2));
  EXPECT_THROW(coreValenceOf(2), Error);
}

/// 7p1/2 and 7p3/2 lie so far apart that the average of their configurations is no reference.
TEST(CorrelatingSearch, RefusesExcitationsThatTakeNoEnergy) {
  const AtomProblem livermorium = neutralAtom(116);
  const BasisSet basis = makeBasis(*readLibraryEntry(116, "prophet-dz"));
  EXPECT_THROW(secondOrderIn(livermorium, withLists(basis, {{1, {0.03, 0.1, 0.43}}}), valenceOf(116)), Error);
}

TEST(CorrelatingSearch, FindsAMinimumWherePublishedExponentsLie) {
  const AtomProblem problem = neutralAtom(7);
  const BasisSet basis = makeBasis(*readLibraryEntry(7, "prophet-tz"));
  CorrelatingSearchOptions options;
  options.ionWeight = 0;
  const CorrelatingSearchResult found =
      searchCorrelating(7, problem, basis, parseFunctionCounts("2d1f"), options);
  ASSERT_EQ(found.groups.size(), 2u);
  EXPECT_EQ(found.groups[0].name, "polarisation");
  EXPECT_EQ(found.groups[1].name, "correlation");
  const std::vector<double>& d = found.groups[0].exponents;
  const double f = found.groups[1].exponents.at(0);
  // dyall-v3z: 0.456, 1.568; 1.021.
  EXPECT_NEAR(d.at(0), 0.456, 0.03);
  EXPECT_NEAR(d.at(1), 1.568, 0.1);
  EXPECT_NEAR(f, 1.021, 0.1);
  EXPECT_LT(found.energy, found.startEnergy - 1e-4);
  EXPECT_NEAR(found.energy, secondOrderIn(problem, withLists(basis, {{2, d}, {3, {f}}}), valenceOf(7)), 1e-7);
  AddedFunctions functions(problem, basis, valenceOf(7), {{2, {0.1, 10}}, {3, {0.1, 10}}});
  EXPECT_LT(found.energy, functions.energy({{2, {0.4561, 1.5679}}, {3, {1.0214}}}));
  for (const double factor : {0.95, 1.05}) {
    EXPECT_LT(found.energy, functions.energy({{2, {d[0] * factor, d[1]}}, {3, {f}}}));
    EXPECT_LT(found.energy, functions.energy({{2, {d[0], d[1] * factor}}, {3, {f}}}));
    EXPECT_LT(found.energy, functions.energy({{2, d}, {3, {f * factor}}}));
  }
}

/// Argon's set ends an s function's way at one of its own exponents.
TEST(CorrelatingSearch, TriesFunctionsBeyondTheExponentThatTheyEndNextTo) {
  const AtomProblem problem = neutralAtom(18);
  const BasisSet basis = makeBasis(*readLibraryEntry(18, "prophet-dz"));
  const std::vector<FunctionCount> counts = parseFunctionCounts("1s");
  CorrelatingSearchOptions with, without;
  with.ionWeight = without.ionWeight = 0;
  without.mostMoves = 0;
  const CorrelatingSearchResult stopped = searchCorrelating(18, problem, basis, counts, without);
  const CorrelatingSearchResult found = searchCorrelating(18, problem, basis, counts, with);
  EXPECT_LT(found.energy, stopped.energy - 5e-4);
  for (const double zeta : basis.symmetries[0].exponents)
    EXPECT_GT(std::abs(std::log(zeta / found.groups.at(0).exponents.at(0))), std::log(1.15));
}

/// The sum of N's and N+'s energies is at its minimum; N+ is the smaller one, and its functions are steeper.
TEST(CorrelatingSearch, WeighsThePositiveIon) {
  const AtomProblem atom = neutralAtom(7);
  AtomProblem ion = atom;
  ion.configuration = parseConfiguration("[He] 2s2 2p2");
  const BasisSet basis = makeBasis(*readLibraryEntry(7, "prophet-dz"));
  CorrelatingSearchOptions options;
  const auto exponentWith = [&](double weight) {
    options.ionWeight = weight;
    const CorrelatingSearchResult found =
        searchCorrelating(7, atom, basis, parseFunctionCounts("1d"), options);
    EXPECT_EQ(found.ionWeight, weight);
    return found.groups.at(0).exponents.at(0);
  };
  const double without = exponentWith(0), with = exponentWith(2);
  EXPECT_GT(with, 1.05 * without);
  AddedFunctions ofAtom(atom, basis, valenceOf(7), {{2, {0.1, 10}}}),
      ofIon(ion, basis, valenceOf(7), {{2, {0.1, 10}}});
  const auto sum = [&](double zeta) {
    return ofAtom.energy({{2, {zeta}}}) + 2 * ofIon.energy({{2, {zeta}}});
  };
  EXPECT_LT(sum(with), sum(1.02 * with));
  EXPECT_LT(sum(with), sum(with / 1.02));
}

/// Least energy would be further out, where Br's outermost d function for 3d serves as a second one.
TEST(CorrelatingSearch, KeepsASinglePolarisingFunctionInsideOfItsCentre) {
  const AtomProblem problem = neutralAtom(35);
  const BasisSet basis = makeBasis(*readLibraryEntry(35, "prophet-dz"));
  CorrelatingSearchOptions options;
  options.ionWeight = 0;
  const auto found = searchCorrelating(35, problem, basis, parseFunctionCounts("1d"), options);
  const double zeta = found.groups.at(0).exponents.at(0);
  EXPECT_NEAR(zeta, 1.2 * 0.349, 0.01);  // 0.349: the centre, by the rule for functions of molecules
  EXPECT_LT(secondOrderIn(problem, withLists(basis, {{2, {0.8 * zeta}}}), valenceOf(35)), found.energy);
}

/// Bonds of Al to Ar need it; what correlates is searched as without it.
TEST(CorrelatingSearch, PlacesASteepDFunctionBesideThoseThatCorrelate) {
  const auto exponentsOf = [](int z, const char* counts) {
    const BasisSet basis = makeBasis(*readLibraryEntry(z, "prophet-dz"));
    const auto found = searchCorrelating(z, neutralAtom(z), basis, parseFunctionCounts(counts));
    EXPECT_EQ(found.groups.size(), 1u);
    return found.groups.at(0).exponents;
  };
  const std::vector<double> chlorine = exponentsOf(17, "2d"), one = exponentsOf(17, "1d");
  ASSERT_EQ(chlorine.size(), 2u);
  EXPECT_NEAR(chlorine[0], one.at(0), 1e-6);
  EXPECT_NEAR(chlorine[1], 4.3 * chlorine[0], 1e-9);
  const std::vector<double> fluorine = exponentsOf(9, "2d");  // both correlate
  ASSERT_EQ(fluorine.size(), 2u);
  EXPECT_LT(fluorine[1], 4 * fluorine[0]);
  EXPECT_GT(std::abs(fluorine[0] - exponentsOf(9, "1d").at(0)), 0.1);
}

/// The functions of lower l are those for atom and positive ion.
TEST(CorrelatingSearch, FollowsAHalogenAloneWithItsHighestL) {
  const AtomProblem problem = neutralAtom(9);
  const BasisSet basis = makeBasis(*readLibraryEntry(9, "prophet-tz"));
  const auto found = searchCorrelating(9, problem, basis, parseFunctionCounts("2d1f"));
  EXPECT_EQ(found.ionWeight, 1);
  ASSERT_EQ(found.groups.size(), 2u);
  const auto energy = [&](double ofD, double ofF) {
    std::vector<double> d = found.groups[0].exponents;
    for (double& zeta : d) zeta *= ofD;
    return secondOrderIn(problem, withLists(basis, {{2, d}, {3, {ofF * found.groups[1].exponents.at(0)}}}),
                         valenceOf(9));
  };
  EXPECT_NEAR(energy(1, 1), found.energy, 1e-7);
  for (const double factor : {0.98, 1.02}) EXPECT_LT(found.energy, energy(1, factor));
  EXPECT_LT(energy(0.98, 1), found.energy);
}

/// Against energies of published sets, which `basis audit` computed of the Exchange's files.
TEST(CorrelatingFunctions, OfTheTiersHaveThePublishedEnergyOfSecondOrder) {
  for (const char* tier : {"dz", "tz", "5z"}) {
    const auto published = readTierEnergies(correlatingCountsFile(), tier);
    for (const int z : {7, 17, 30}) {
      if (!published.contains(z)) continue;  // 5z has no d blocks
      const LibraryEntry set = *readLibraryEntry(z, std::string("prophet-") + tier);
      const double energy =
          secondOrderIn(neutralAtom(z), withGroups(makeBasis(set), valenceGroups(set.groups)), valenceOf(z));
      EXPECT_LE(energy, published.at(z)) << tier << " " << z;
      EXPECT_NE(set.provenance.source.find(fmt::format("energy of second order, {:.8f} hartree", energy)),
                std::string::npos)
          << set.provenance.source << " " << energy;
    }
  }
}

/// Argon's functions for 2s and 2p without its steep d function; those of dyall-cv2z are 2.925 and 11.394.
TEST(CoreSearch, FindsAMinimumBesideTheFunctionsOfTheValence) {
  const AtomProblem problem = neutralAtom(18);
  LibraryEntry entry = *readLibraryEntry(18, "prophet-dz");
  entry.groups.at(0).exponents.resize(1);
  const BasisSet basis = withGroups(makeBasis(entry), valenceGroups(entry.groups));
  const CorrelatingSearchResult found = searchCore(18, problem, basis, parseFunctionCounts("2d"));
  ASSERT_EQ(found.groups.size(), 1u);
  EXPECT_EQ(found.groups[0].name, "core");
  const std::vector<double>& d = found.groups[0].exponents;
  const auto energy = [&](double first, double second) {
    return secondOrderIn(problem, withLists(basis, {{2, {first, second}}}), coreValenceOf(18));
  };
  EXPECT_NEAR(found.energy, energy(d.at(0), d.at(1)), 1e-7);
  EXPECT_LT(found.energy, energy(2.92464004, 11.3941141));
  for (const double factor : {0.9, 1.1}) {
    EXPECT_LT(found.energy, energy(d[0] * factor, d[1]));
    EXPECT_LT(found.energy, energy(d[0], d[1] * factor));
  }
  EXPECT_LT(found.energy, secondOrderIn(problem, basis, valenceOf(18)));
}

/// With it the second one would be a third function for the valence, at 0.28.
TEST(CoreSearch, LeavesTheValenceToItsOwnFunctionsWhereThereIsASteepOne) {
  const LibraryEntry entry = *readLibraryEntry(18, "prophet-dz");
  const std::vector<double>& valence = entry.groups.at(0).exponents;
  ASSERT_EQ(valence.size(), 2u);
  const BasisSet basis = withGroups(makeBasis(entry), valenceGroups(entry.groups));
  const auto found = searchCore(18, neutralAtom(18), basis, parseFunctionCounts("2d"));
  EXPECT_NEAR(found.groups.at(0).exponents.at(0), std::sqrt(valence[0] * valence[1]), 0.05);
  EXPECT_GT(found.groups.at(0).exponents.at(1), 2 * valence[1]);
}

TEST(CorrelatingMaker, KeepsTheSetAndResumes) {
  const test::Folder files;
  const std::string folder = files / "set";
  const CorrelatingMaker maker("prophet-dz", {}, readCorrelatingCounts(correlatingCountsFile(), "dz"));
  CollectionTask task;
  task.elements = {1, 2, 12};
  task.folder = folder;
  task.program = "test";
  const auto rows = runCollection(task, {1, false}, maker);
  ASSERT_EQ(rows.size(), 3u);
  const auto entryOf = [&](int z) {
    std::ifstream in(folder + "/" + basisFileName(z));
    return readBasisFile(in, "test");
  };
  for (const CollectionRow& row : rows) {
    EXPECT_TRUE(row.met) << row.failure;
    EXPECT_EQ(entryOf(row.z).exponents, readLibraryEntry(row.z, "prophet-dz")->exponents);
  }
  // Hydrogen has no pairs of electrons and keeps its functions, optimised in a molecule; helium's function is
  // that of dyall-v2z, 1.272, or better.
  EXPECT_EQ(entryOf(1).groups.at(0).exponents, readLibraryEntry(1, "prophet-dz")->groups.at(0).exponents);
  const std::string kept = entryOf(1).provenance.source;  // without the statement about diffuse functions
  EXPECT_NE(kept.find("in H2, HF, HCl, LiH, NaH and KH"), std::string::npos) << kept;
  EXPECT_EQ(kept, readLibraryEntry(1, "prophet-dz")->provenance.source.substr(0, kept.size()));
  EXPECT_NEAR(entryOf(2).groups.at(0).exponents.at(0), 1.33, 0.1);
  // Magnesium's p functions change its field: the file has the energy in that of the whole set.
  const LibraryEntry magnesium = entryOf(12);
  std::vector<AddedList> lists;
  for (const FunctionGroup& group : magnesium.groups) lists.push_back({group.l, group.exponents});
  const double energy = secondOrderIn(neutralAtom(12), withLists(makeBasis(magnesium), lists), valenceOf(12));
  EXPECT_NE(magnesium.provenance.source.find(fmt::format("second order, {:.8f} hartree", energy)),
            std::string::npos)
      << magnesium.provenance.source << " " << energy;
  EXPECT_EQ(magnesium.provenance.source.find("positive ion"), std::string::npos);  // it has no pair left
  const auto again = runCollection(task, {1, true}, maker);
  EXPECT_TRUE(std::ranges::all_of(again, [](const CollectionRow& row) { return row.skipped; }));
}

/// With all of the ion's weight N would have less than the energy of dyall-v2z.
TEST(CorrelatingMaker, WeighsTheIonAsFarAsTheAtomHasThePublishedEnergy) {
  const test::Folder files;
  CollectionTask task;
  task.elements = {7};
  task.program = "test";
  const auto published = readTierEnergies(correlatingCountsFile(), "dz");
  const auto sourceWith = [&](const std::string& name, std::map<int, double> energies) {
    task.folder = files / name;
    const CorrelatingMaker maker("prophet-dz", {}, {{7, {{2, 1}}}}, CorrelatingPart::Valence,
                                 std::move(energies));
    EXPECT_TRUE(runCollection(task, {1, false}, maker).at(0).met);
    std::ifstream in(std::filesystem::path(task.folder) / basisFileName(7));
    return readBasisFile(in, "test").provenance.source;
  };
  EXPECT_NE(sourceWith("any", {}).find("positive ion's weighted 1"), std::string::npos);
  EXPECT_NE(sourceWith("published", published).find("positive ion's weighted 0.1"), std::string::npos);
}

TEST(CorrelatingMaker, MakesFunctionsForTheCoreBesideTheOthers) {
  const test::Folder files;
  const std::string folder = files / "set";
  const CorrelatingMaker maker("prophet-dz", {}, {{2, {}}, {10, {{2, 1}}}, {11, {}}},
                               CorrelatingPart::CoreValence);
  CollectionTask task;
  task.elements = {2, 10, 11};
  task.folder = folder;
  task.program = "test";
  for (const CollectionRow& row : runCollection(task, {1, false}, maker)) {
    EXPECT_TRUE(row.met) << row.failure;
    std::ifstream in(folder + "/" + basisFileName(row.z));
    const LibraryEntry made = readBasisFile(in, "test"), before = *readLibraryEntry(row.z, "prophet-dz");
    EXPECT_EQ(made.exponents, before.exponents);
    const std::vector<FunctionGroup> others = withoutGroup(made.groups, kCoreGroup),
                                     kept = withoutGroup(before.groups, kCoreGroup);
    ASSERT_EQ(others.size(), kept.size());
    for (std::size_t g = 0; g < others.size(); ++g) EXPECT_EQ(others[g].exponents, kept[g].exponents);
    EXPECT_EQ(made.groups.size() - others.size(), row.z == 10 ? 1u : 0u);
    const std::string& source = made.provenance.source;
    if (row.z == 2) {
      EXPECT_NE(source.find("; core functions: none"), std::string::npos) << source;
      continue;
    }
    const double energy =
        secondOrderIn(neutralAtom(row.z), withGroups(makeBasis(made), coreValenceGroups(made.groups)),
                      coreValenceOf(row.z));
    EXPECT_NE(source.find(fmt::format("{:.8f} hartree", energy)), std::string::npos) << source;
    EXPECT_EQ(source.find("; core functions"), source.rfind("; core functions")) << source;
  }
}

}  // namespace
}  // namespace prophet
