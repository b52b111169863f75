// Every row of the tables of Kohn-Sham atoms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "atoms/functional/functional.hpp"
#include "atoms/limit/limit.hpp"
#include "kohn_sham_reference.hpp"

namespace prophet {
namespace {

void compareAll(const std::string& functional, std::size_t eigenvalues) {
  if (!hasFunctionals()) GTEST_SKIP() << "built without libxc";
  const auto atoms = test::readKohnShamAtoms(functional);
  ASSERT_EQ(atoms.size(), 92u);
  std::size_t compared = 0;
  for (const test::KohnShamAtom& atom : atoms) {
    Nucleus nucleus;
    nucleus.charge = atom.z;
    LimitOptions options;
    options.functional = functional;
    options.speedOfLight = test::kKohnShamSpeedOfLight;
    if (functional == "lda") options.oneElectron = OneElectronOperator::Nonrelativistic;
    const LimitResult r = numericalLimit(nucleus, parseConfiguration(atom.configuration), options);
    EXPECT_TRUE(r.converged) << atom.z;
    EXPECT_NEAR(r.energy, atom.energy, std::max(2e-9, 1e-12 * std::abs(atom.energy))) << atom.z;
    EXPECT_LT(r.estimatedError, 2e-12 * std::abs(r.energy)) << atom.z;
    for (const LimitSpinor& s : r.spinors) {
      EXPECT_NEAR(s.energy, atom.energies.at(s.label), 1e-8) << atom.z << " " << s.label;
      ++compared;
    }
  }
  EXPECT_EQ(compared, eigenvalues);
}

TEST(KohnShamTable, EveryRelativisticAtom) { compareAll("rlda", 1393); }

/// Both spinors of a shell have the energy of its orbital: more spinors than the 915 rows of the table.
TEST(KohnShamTable, EveryNonrelativisticAtom) { compareAll("lda", 1393); }

/// All 267 numbers of oncvpsp. It cuts the 3d function of Cu off too early: docs/engineering/kohn-sham.md.
TEST(KohnShamTable, EveryAtomOfOncvpsp) {
  if (!hasFunctionals()) GTEST_SKIP() << "built without libxc";
  int numbers = 0;
  for (const test::OncvpspAtom& atom : test::readOncvpspAtoms()) {
    const LimitResult r = test::limitOf(atom);
    EXPECT_TRUE(r.converged) << atom.file;
    const test::OncvpspDifference d = test::differenceFrom(atom, r);
    numbers += d.numbers;
    EXPECT_NEAR(d.total, 0, atom.scalar ? 1e-7 : 2e-9) << atom.file;
    EXPECT_NEAR(d.level, 0, atom.z == 29 ? 5e-5 : 6e-7) << atom.file << " " << d.worst;
  }
  EXPECT_EQ(numbers, 267);
}

}  // namespace
}  // namespace prophet
