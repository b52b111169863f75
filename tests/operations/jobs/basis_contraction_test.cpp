#include "operations/jobs/basis_contraction.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "atoms/calculation/compute.hpp"
#include "core/common/error.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;

class Contraction : public testing::Test {
 protected:
  Contraction() {
    std::string pattern = (fs::temp_directory_path() / "contraction-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~Contraction() override { fs::remove_all(folder_); }
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
  fs::path folder_;
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

TEST_F(Contraction, RefusesWhatHasNoMeaning) {
  const ElementBasis lists = primitives(2, 5, 0, 0);
  EXPECT_THROW(contractedBasis(lists, with(OneElectronOperator::SpinFreeX2c, ContractionPer::J, 0)), Error);
  EXPECT_THROW(contractedBasis(lists, with(OneElectronOperator::Dirac, ContractionPer::L, -1)), Error);
  BasisContraction own = with(OneElectronOperator::Dirac, ContractionPer::L, 0);
  own.how.format = kOwnFormat;
  EXPECT_THROW(contractedBasis(lists, own), Error);
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
