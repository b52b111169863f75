#include "operations/sets/basis_contraction.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "atoms/calculation/compute.hpp"
#include "atoms/integrals/one_electron.hpp"
#include "core/common/error.hpp"
#include "core/linalg/decompositions.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/jobs/resolve.hpp"
#include "tests/core/common/folder.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;

class Contraction : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  Calculation calculationOf(const std::string& groups) const {
    return resolve(parseJob("test\n" + groups + "\n", (folder_ / "test.inp").string())).calculation;
  }
  double energyOf(const std::string& groups) const {
    const Result result = compute(calculationOf(groups));
    EXPECT_TRUE(result.ok()) << result.reason;
    return result.energy.total;
  }
  const test::Folder scratch_;
  const fs::path folder_ = scratch_.path();
};

/// Even-tempered primitives, so many of s, p and d.
ElementBasis primitives(int z, int s, int p, int d) {
  ElementBasis lists;
  lists.z = z;
  lists.name = "test";
  for (const int count : {s, p, d}) {
    if (count == 0) continue;
    std::vector<double>& shell = lists.shells.emplace_back();
    for (int k = count - 1; k >= 0; --k) shell.push_back(0.1 * std::pow(2.8, k));
  }
  return lists;
}

BasisContraction with(OneElectronOperator kind, ContractionPer per, int free) {
  BasisContraction c;
  c.hamiltonian = kind;
  c.per = per;
  c.uncontracted = free;
  c.how.format = "nwchem";
  return c;
}

TEST_F(Contraction, CountsOfFunctions) {
  using Kind = OneElectronOperator;
  const auto counts = [](Kind kind, ContractionPer per, int free) {
    const ElementBasis set = contractedBasis(primitives(18, 12, 9, 2), with(kind, per, free));
    std::vector<int> list;
    for (const SymmetryBasis& s : contractedSetOf(set, "set").symmetries)
      if (s.symmetry.kappa < 0) list.push_back(s.functions());
    return list;
  };
  EXPECT_EQ(counts(Kind::Dirac, ContractionPer::L, 0), (std::vector<int>{3, 2, 2}));
  EXPECT_EQ(counts(Kind::X2c, ContractionPer::J, 0), (std::vector<int>{3, 4, 2}));
  EXPECT_EQ(counts(Kind::SpinFreeX2c, ContractionPer::L, 2), (std::vector<int>{5, 4, 2}));
  EXPECT_EQ(counts(Kind::SpinFreeX2c, ContractionPer::L, 8), (std::vector<int>{11, 9, 2}));
}

/// Spinors themselves beside the free primitives have an overlap eigenvalue of 1e-6 here.
TEST_F(Contraction, IsFarFromLinearDependence) {
  const ElementBasis set = contractedBasis(primitives(36, 16, 13, 9),
                                           with(OneElectronOperator::SpinFreeX2c, ContractionPer::L, 3));
  for (const SymmetryBasis& s : contractedSetOf(set, "set").symmetries) {
    if (s.symmetry.kappa > 0) continue;
    Eigen::MatrixXd overlap = overlapBetween(s, s).large;
    if (s.contracted()) overlap = s.contraction.transpose() * overlap * s.contraction;
    EXPECT_GT(symmetricEigenvalues(overlap)(0), 1e-3) << s.symmetry.kappa;
    EXPECT_NEAR(overlap.diagonal().maxCoeff(), 1, 1e-12);
    EXPECT_NEAR(overlap.diagonal().minCoeff(), 1, 1e-12);
  }
}

TEST_F(Contraction, RefusesWhatHasNoMeaning) {
  const ElementBasis lists = primitives(2, 5, 0, 0);
  EXPECT_THROW(contractedBasis(lists, with(OneElectronOperator::SpinFreeX2c, ContractionPer::J, 0)), Error);
  EXPECT_THROW(contractedBasis(lists, with(OneElectronOperator::Dirac, ContractionPer::L, -1)), Error);
  BasisContraction own = with(OneElectronOperator::Dirac, ContractionPer::L, 0);
  own.how.format = kOwnFormat;
  EXPECT_THROW(contractedBasis(lists, own), Error);
}

BasisContraction naturalWith(OneElectronOperator kind, ContractionPer per, const std::string& natural,
                             const std::string& states = "0") {
  BasisContraction c = with(kind, per, 0);
  c.natural = naturalChoice(natural);
  c.natural->states = averagedStates(states);
  return c;
}

/// Primitives of neon that correlate its valence too.
ElementBasis neon() { return primitives(10, 11, 7, 3); }

std::vector<std::size_t> functionsOf(const ElementBasis& set) {
  std::vector<std::size_t> list;
  for (const ContractedShell& s : set.contracted)
    list.push_back(s.functions.empty() ? s.exponents.size() : s.functions.size());
  return list;
}

/// "field +1.00e-05 hartree" of the last note, "0" for nothing.
double statedField(const ElementBasis& set) {
  const std::string& note = set.notes.back();
  return std::stod(note.substr(note.find("field ") + 6));
}
double statedShare(const ElementBasis& set) {
  const std::string& note = set.notes.back();
  return std::stod(note.substr(note.rfind(", ") + 2));
}

TEST_F(Contraction, WithNaturalFunctionsKeepsTheFieldAndMostOfSecondOrder) {
  using Kind = OneElectronOperator;
  for (const auto& [kind, per] :
       {std::pair{Kind::SpinFreeX2c, ContractionPer::L}, std::pair{Kind::X2c, ContractionPer::J},
        std::pair{Kind::Nonrelativistic, ContractionPer::L}}) {
    const bool j = per == ContractionPer::J;
    const ElementBasis few = contractedBasis(neon(), naturalWith(kind, per, j ? "3s3p1d" : "3s2p1d"));
    const ElementBasis more = contractedBasis(neon(), naturalWith(kind, per, j ? "5s5p2d" : "5s4p2d"));
    EXPECT_EQ(functionsOf(few), (std::vector<std::size_t>{3, j ? 3u : 2u, 1}));
    EXPECT_EQ(statedField(few), 0) << few.notes.back();
    EXPECT_EQ(statedField(more), 0) << more.notes.back();
    EXPECT_GT(statedShare(few), 50) << few.notes.back();
    EXPECT_GT(statedShare(more), 90) << more.notes.back();
    EXPECT_LT(statedShare(few), statedShare(more));
    EXPECT_LT(statedShare(more), 100);
  }
}

/// The natural function of d has more of second order than any primitive.
TEST_F(Contraction, WithOneNaturalFunctionIsBetterThanWithOnePrimitive) {
  const auto kind = OneElectronOperator::Nonrelativistic;
  const double share = statedShare(contractedBasis(neon(), naturalWith(kind, ContractionPer::L, "2s1p1d")));
  const std::vector<double> d = neon().shells[2];
  for (const double zeta : d) {
    ElementBasis one = neon();
    one.shells[2] = {zeta};
    const ElementBasis all = contractedBasis(neon(), naturalWith(kind, ContractionPer::L, "2s1p3d"));
    const ElementBasis single = contractedBasis(one, naturalWith(kind, ContractionPer::L, "2s1p1d"));
    const auto energyOf = [](const ElementBasis& set) {
      const std::string& note = set.notes.back();
      return std::stod(note.substr(note.find('(') + 1));
    };
    EXPECT_GT(energyOf(single) / energyOf(all) * statedShare(all), 0);
    EXPECT_LT(energyOf(single) / energyOf(all) * statedShare(all), share) << zeta;
  }
}

TEST_F(Contraction, TakesNaturalFunctionsByTheirElectrons) {
  const auto kind = OneElectronOperator::SpinFreeX2c;
  std::size_t functions = 0;
  for (const char* least : {"1e-2", "1e-3", "1e-5"}) {
    const ElementBasis set = contractedBasis(neon(), naturalWith(kind, ContractionPer::L, least));
    std::size_t count = 0;
    for (const std::size_t n : functionsOf(set)) count += n;
    EXPECT_GT(count, functions) << least;
    functions = count;
  }
}

TEST_F(Contraction, AveragesTheDensitiesOfIons) {
  const auto kind = OneElectronOperator::SpinFreeX2c;
  const ElementBasis carbon = primitives(6, 10, 6, 2);
  const auto shareOf = [&](const std::string& states) {
    return contractedBasis(carbon, naturalWith(kind, ContractionPer::L, "3s2p1d", states));
  };
  const ElementBasis neutral = shareOf("0"), average = shareOf("0 +1 -1:0.5");
  EXPECT_LT(statedShare(average), statedShare(neutral));
  EXPECT_EQ(statedField(average), 0);
  EXPECT_NE(average.notes[0].find("the neutral atom, the ion 1+, the ion 1- (weight 0.5)"), std::string::npos)
      << average.notes[0];
  EXPECT_NE(neutral.contracted[1].functions[1], average.contracted[1].functions[1]);
}

TEST_F(Contraction, RefusesNaturalFunctionsThatThereAreNot) {
  const auto l = ContractionPer::L;
  const auto kind = OneElectronOperator::SpinFreeX2c;
  EXPECT_THROW(contractedBasis(neon(), naturalWith(kind, l, "1s1p")), Error);    // 2s is occupied
  EXPECT_THROW(contractedBasis(neon(), naturalWith(kind, l, "2s1p4d")), Error);  // 3 primitives
  EXPECT_THROW(contractedBasis(neon(), naturalWith(OneElectronOperator::Dirac, l, "2s1p1d")), Error);
  EXPECT_THROW(contractedBasis(neon(), naturalWith(kind, l, "2s1p1d1f")), Error);
  // Hydrogen's one electron correlates with nothing.
  EXPECT_THROW(contractedBasis(primitives(1, 6, 2, 0), naturalWith(kind, l, "2s1p")), Error);
  EXPECT_EQ(functionsOf(contractedBasis(primitives(1, 6, 3, 0), naturalWith(kind, l, "2s1p", "0 -1"))),
            (std::vector<std::size_t>{2, 1}));
  BasisContraction free = naturalWith(kind, l, "2s1p1d");
  free.uncontracted = 1;
  EXPECT_THROW(contractedBasis(neon(), free), Error);
  for (const char* text : {"", "2", "0", "-1e-3", "2s1s", "s2", "nan"})
    EXPECT_THROW(naturalChoice(text), Error);
  for (const char* text : {"", "1 0", "0 x", "0:0", "0:1:1", "0.5"})
    EXPECT_THROW(averagedStates(text), Error);
}

/// Without the l that have no function.
TEST_F(Contraction, LeavesOutWhatHasNoFunction) {
  const ElementBasis set =
      contractedBasis(neon(), naturalWith(OneElectronOperator::SpinFreeX2c, ContractionPer::L, "3s2p"));
  EXPECT_EQ(functionsOf(set), (std::vector<std::size_t>{3, 2}));
  EXPECT_EQ(set.shells.size(), 2u);
  for (const std::string format : {"nwchem", "json", "dirac", "gaussian"}) {
    EXPECT_EQ(readBasis(writeBasis({set}, format), format, "set").front().shells.size(), 2u) << format;
  }
}

/// Written, read and used as contracted functions, in every format: the atom has the energy of the
/// primitives.
TEST_F(Contraction, EnergyOfThePrimitivesInEveryFormat) {
  const ElementBasis lists = primitives(18, 13, 10, 0);
  for (const auto& [kind, per] : {std::pair{OneElectronOperator::SpinFreeX2c, ContractionPer::L},
                                  std::pair{OneElectronOperator::X2c, ContractionPer::J},
                                  std::pair{OneElectronOperator::Nonrelativistic, ContractionPer::L}}) {
    const ElementBasis set = contractedBasis(lists, with(kind, per, 1));
    const std::string job = "$nuc z=18 $end\n$contrl hamiltonian='" + nameOf(kind) + "' $end\n";
    write("plain.nw", writeBasis({lists}, "nwchem"));
    const double expected = energyOf(job + "$bas bastype='file' file='plain.nw' $end");
    for (const std::string format : {"nwchem", "json", "dirac", "gaussian"}) {
      write("set", writeBasis({set}, format));
      const std::string basis = "$bas bastype='file' file='set' contracted=";
      EXPECT_NEAR(energyOf(job + basis + ".true. $end"), expected, 1e-9) << format << nameOf(kind);
      EXPECT_NEAR(energyOf(job + basis + ".false. $end"), expected, 1e-9) << format << nameOf(kind);
    }
  }
}

/// Kinetic balance of as few small functions as there are large ones binds the inner electrons too strongly:
/// said in a warning, and mended by free functions.
TEST_F(Contraction, OfFourComponentsWarnsOfItsSmallComponents) {
  const ElementBasis lists = primitives(18, 13, 10, 0);
  const auto resultOf = [&](int free) {
    write("set",
          writeBasis({contractedBasis(lists, with(OneElectronOperator::Dirac, ContractionPer::J, free))},
                     "json"));
    return compute(calculationOf("$nuc z=18 $end\n$bas bastype='file' file='set' contracted=.true. $end"));
  };
  const auto warns = [](const Result& r) {
    return std::any_of(r.warnings.begin(), r.warnings.end(),
                       [](const Warning& w) { return w.id == "contracted_kinetic_balance"; });
  };
  write("plain.nw", writeBasis({lists}, "nwchem"));
  const Result whole = compute(calculationOf("$nuc z=18 $end\n$bas bastype='file' file='plain.nw' $end"));
  const Result minimal = resultOf(0), most = resultOf(9);
  EXPECT_LT(minimal.energy.total, whole.energy.total);
  EXPECT_LT(std::abs(most.energy.total - whole.energy.total),
            0.5 * std::abs(minimal.energy.total - whole.energy.total));
  EXPECT_TRUE(warns(minimal));
  EXPECT_FALSE(warns(whole));
  EXPECT_FALSE(minimal.basisError.has_value());
}

TEST_F(Contraction, OfALibrarySet) {
  BasisContraction c = with(OneElectronOperator::SpinFreeX2c, ContractionPer::L, 0);
  c.how.shared = SharedLists::Average;
  const ExportedBasis written = contractLibrary({10}, "", c);
  EXPECT_NE(written.text.find("-> [2s,1p]"), std::string::npos) << written.text.substr(0, 800);
  EXPECT_NE(written.text.find("hamiltonian='sfx2c1e'"), std::string::npos);
}

}  // namespace
}  // namespace prophet
