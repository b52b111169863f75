#include "atoms/properties/mean_field.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "atoms/calculation/compute.hpp"
#include "core/common/error.hpp"
#include "tests/atoms/calculation/from_text.hpp"

namespace prophet {
namespace {

/// Neon with a d function, which has no electrons.
constexpr const char* kNeon =
    "$nuc znuc=10 $end $bas bastype='wtbs' nsym=5 $end "
    "$wtbs wtbspara=0.1,2.2,4.5,1.5 nbs=14,9,9,3,3 $end "
    "$scf thdll=1e-9 thdsl=1e-11 thdss=1e-13 $end ";

Calculation neon(const std::string& more = "") {
  Calculation calculation = test::calculationFrom(kNeon + more);
  calculation.inBasis().keepSpinors = true;
  return calculation;
}

MeanField fieldOf(const Calculation& calculation, DecoupledField decoupled = DecoupledField::Whole) {
  ThreadPool pool(1);
  return meanField(calculation, compute(calculation), decoupled, pool);
}

double electronsOf(const MeanField& field) {
  double sum = 0;
  for (const SymmetryField& f : field.symmetries)
    sum += f.symmetry.degeneracy() * (f.density.LL.cwiseProduct(f.oneElectron.overlapLarge).sum() +
                                      f.density.SS.cwiseProduct(f.oneElectron.overlapSmall).sum());
  return sum;
}

double electronsInTwoComponents(const MeanField& field) {
  double sum = 0;
  for (const SymmetryField& f : field.symmetries)
    sum += f.symmetry.degeneracy() * f.density2c.cwiseProduct(f.oneElectron.overlapLarge).sum();
  return sum;
}

TEST(MeanField, HasTheEnergyOfClosedShells) {
  for (const char* breit : {"", "$contrl breit='breit' breitscf=.true. $end"}) {
    const MeanField field = fieldOf(neon(breit));
    EXPECT_NEAR(field.fractionalEnergy, field.energy, 1e-10);
    EXPECT_NEAR(electronsOf(field), 10, 1e-11);
    EXPECT_NEAR(electronsInTwoComponents(field), 10, 1e-9);
    EXPECT_EQ(field.symmetries.size(), 5u);
    const SymmetryField& d = field.symmetries[3];
    EXPECT_EQ(d.density.LL.norm(), 0);
    EXPECT_GT(d.coulomb.LL(0, 0), 1);  // repulsion of ten electrons, mostly inside
    EXPECT_EQ(d.gauge.LL.norm() > 0, *breit != 0);
  }
}

// The energy of an average from its matrices: fractional occupations less what open spinors do not feel.
TEST(MeanField, OfOpenSpinorsHasTheEnergyOfTheAverage) {
  for (const char* more : {"znuc=9", "znuc=24", "znuc=24 $end $contrl breit='breit' breitscf=.true."}) {
    Calculation calculation = test::calculationFrom(
        std::string("$nuc ") + more +
        " $end $bas bastype='wtbs' nsym=5 $end $wtbs wtbspara=0.05,2.2,4.5,1.5 nbs=16,11,11,8,8 $end "
        "$scf thdll=1e-9 thdsl=1e-11 thdss=1e-13 $end ");
    calculation.inBasis().keepSpinors = true;
    const MeanField field = fieldOf(calculation);
    double energy = field.fractionalEnergy, electrons = 0;
    int open = 0;
    for (const FieldSpinor& s : field.spinors) {
      electrons += s.electrons;
      EXPECT_EQ(s.open, s.coulomb.LL.size() > 0);
      if (!s.open) continue;
      ++open;
      for (const BlockMatrix* q : {&s.coulomb, &s.gaunt, &s.gauge})
        energy -=
            0.5 * s.electrons *
            (s.large.dot(q->LL * s.large) + 2 * s.large.dot(q->LS * s.small) + s.small.dot(q->SS * s.small));
    }
    EXPECT_NEAR(electrons, calculation.problem.nucleus.charge, 1e-12);
    EXPECT_EQ(open, electrons == 9 ? 2 : 3) << more;  // 2p of both j; 3d of both, and 4s
    EXPECT_NEAR(energy, field.energy, 1e-9) << more;
    EXPECT_GT(std::abs(energy - field.fractionalEnergy), 1e-2) << more;
  }
}

// h + G2 of two components, folded from four, has the energy of four components.
TEST(MeanField, DecouplesExactly) {
  const MeanField field = fieldOf(neon());
  double folded = 0, untransformed = 0;
  const double c = neon().problem.hamiltonian.speedOfLight;
  for (const SymmetryField& f : field.symmetries) {
    const Eigen::VectorXd& b = f.oneElectron.balance;
    const Eigen::MatrixXd kinetic = c * b.asDiagonal() * f.oneElectron.overlapSmall,  // rows large
        ls = kinetic + f.coulomb.LS,
                          ss = f.oneElectron.nuclearSmall - 2 * c * c * f.oneElectron.overlapSmall +
                               f.coulomb.SS;
    const Eigen::MatrixXd& x = f.coupling;
    Eigen::MatrixXd fock =
        f.oneElectron.nuclearLarge + f.coulomb.LL + ls * x + x.transpose() * ls.transpose();
    fock += x.transpose() * ss * x;
    const Eigen::MatrixXd& r = f.normalisation;
    const Eigen::MatrixXd whole = r.transpose() * fock * r;
    folded += f.symmetry.degeneracy() * f.density2c.cwiseProduct(whole).sum();
    untransformed += f.symmetry.degeneracy() * f.density2c.cwiseProduct(f.field2c).sum();
    const Eigen::MatrixXd metric =
        f.oneElectron.overlapLarge + x.transpose() * f.oneElectron.overlapSmall * x;
    EXPECT_LT((r.transpose() * metric * r - f.oneElectron.overlapLarge).cwiseAbs().maxCoeff(), 1e-10);
  }
  EXPECT_NEAR(folded - 0.5 * untransformed + field.constant, field.energy, 1e-8);
  EXPECT_GT(field.constant, 1e-3);
}

TEST(MeanField, OfTheNucleusAloneDecouplesNearly) {
  const MeanField whole = fieldOf(neon()), alone = fieldOf(neon(), DecoupledField::Nucleus);
  EXPECT_EQ(whole.energy, alone.energy);
  EXPECT_NE(whole.constant, alone.constant);
  EXPECT_NEAR(whole.constant, alone.constant, 1e-4);
}

TEST(MeanField, RefusesWhatItDoesNotDescribe) {
  for (const char* other : {"$contrl hamiltonian='x2c1e' $end", "$contrl qedvp='uehling' $end",
                            "$contrl breit='breit' breitfreq=.true. $end"}) {
    Calculation calculation;
    try {
      calculation = neon(other);
    } catch (const Error&) {
      ADD_FAILURE() << other;
      continue;
    }
    EXPECT_THROW(requireMeanField(calculation), Error) << other;
  }
  EXPECT_THROW(requireMeanField(test::calculationFrom("$nuc znuc=2 $end $contrl jobtype='limit' $end")),
               Error);
}

}  // namespace
}  // namespace prophet
