#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/math/interpolators/cardinal_cubic_b_spline.hpp>
#include <cmath>

#include "core/hdf5/hdf5_group.hpp"
#include "operations/result_file/result_file.hpp"
#include "scratch_file.hpp"

namespace prophet {
namespace {

using test::recordOf;
using test::ScratchFile;
using ::testing::ElementsAre;

void expectSameProblem(const AtomProblem& a, const AtomProblem& b) {
  EXPECT_EQ(a.nucleus.description(), b.nucleus.description());
  for (const double r : {1e-6, 1e-4, 1.0}) EXPECT_EQ(a.nucleus.potential(r), b.nucleus.potential(r));
  EXPECT_EQ(a.configuration.description, b.configuration.description);
  ASSERT_EQ(a.configuration.symmetries.size(), b.configuration.symmetries.size());
  for (std::size_t s = 0; s < a.configuration.symmetries.size(); ++s) {
    const auto &one = a.configuration.symmetries[s].spinors, &other = b.configuration.symmetries[s].spinors;
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      EXPECT_EQ(one[i].number, other[i].number);
      EXPECT_EQ(one[i].electrons, other[i].electrons);
      EXPECT_EQ(one[i].open, other[i].open);
    }
  }
  EXPECT_EQ(a.configuration.openPairWeights, b.configuration.openPairWeights);
  EXPECT_EQ(a.hamiltonian.speedOfLight, b.hamiltonian.speedOfLight);
  EXPECT_EQ(a.hamiltonian.oneElectron, b.hamiltonian.oneElectron);
  EXPECT_EQ(a.hamiltonian.repulsion, b.hamiltonian.repulsion);
  EXPECT_EQ(a.hamiltonian.breitTreatment, b.hamiltonian.breitTreatment);
  EXPECT_EQ(a.hamiltonian.qed.selfEnergy, b.hamiltonian.qed.selfEnergy);
  EXPECT_EQ(a.hamiltonian.qed.kallenSabry, b.hamiltonian.qed.kallenSabry);
  EXPECT_EQ(a.hamiltonian.qedTreatment, b.hamiltonian.qedTreatment);
}

void expectSameSpinors(const Result& a, const Result& b) {
  ASSERT_EQ(a.spinors.size(), b.spinors.size());
  ASSERT_TRUE(b.wavefunction);
  ASSERT_EQ(b.wavefunction->count(), static_cast<int>(b.spinors.size()));
  const Eigen::VectorXd r = Eigen::VectorXd::LinSpaced(401, -16, 6).array().exp();
  for (std::size_t i = 0; i < a.spinors.size(); ++i) {
    EXPECT_EQ(a.spinors[i].label(), b.spinors[i].label());
    EXPECT_EQ(a.spinors[i].symmetry.kappa, b.spinors[i].symmetry.kappa);
    EXPECT_EQ(a.spinors[i].occupation, b.spinors[i].occupation);
    EXPECT_EQ(a.spinors[i].energy, b.spinors[i].energy);
    EXPECT_EQ(a.spinors[i].bound, b.spinors[i].bound);
    EXPECT_EQ(a.spinors[i].meanRadius, b.spinors[i].meanRadius);
    EXPECT_EQ(a.spinors[i].meanInverseRadius, b.spinors[i].meanInverseRadius);
    const RadialFunctions one = a.wavefunction->radial(static_cast<int>(i), r),
                          other = b.wavefunction->radial(static_cast<int>(i), r);
    EXPECT_EQ(one.large, other.large) << i;  // bit for bit
    EXPECT_EQ(one.small, other.small) << i;
  }
}

void expectSame(const ResultRecord& a, const ResultRecord& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.input, b.input);
  EXPECT_EQ(a.version, b.version);
  EXPECT_EQ(a.date, b.date);
  EXPECT_EQ(a.calculation.isLimit(), b.calculation.isLimit());
  expectSameProblem(a.calculation.problem, b.calculation.problem);
  EXPECT_EQ(a.calculation.configurationSource, b.calculation.configurationSource);
  EXPECT_EQ(a.result.status, b.result.status);
  EXPECT_EQ(a.result.reason, b.result.reason);
  EXPECT_EQ(a.result.iterations, b.result.iterations);
  EXPECT_EQ(a.result.virialRatio, b.result.virialRatio);
  EXPECT_EQ(a.result.energy.total, b.result.energy.total);
  EXPECT_EQ(a.result.energy.withCorrections(), b.result.energy.withCorrections());
  ASSERT_EQ(a.result.energy.parts.size(), b.result.energy.parts.size());
  for (std::size_t i = 0; i < a.result.energy.parts.size(); ++i) {
    EXPECT_EQ(a.result.energy.parts[i].id, b.result.energy.parts[i].id);
    EXPECT_EQ(a.result.energy.parts[i].value, b.result.energy.parts[i].value);
  }
  ASSERT_EQ(a.result.warnings.size(), b.result.warnings.size());
  for (std::size_t i = 0; i < a.result.warnings.size(); ++i) {
    EXPECT_EQ(a.result.warnings[i].id, b.result.warnings[i].id);
    EXPECT_EQ(a.result.warnings[i].text, b.result.warnings[i].text);
  }
  EXPECT_EQ(a.result.provenance.method, b.result.provenance.method);
  EXPECT_EQ(a.result.provenance.device, b.result.provenance.device);
  EXPECT_EQ(a.result.timings.size(), b.result.timings.size());
  expectSameSpinors(a.result, b.result);
}

ResultRecord writtenAndRead(const ResultRecord& record) {
  const ScratchFile file;
  writeResult(file.path, record);
  return readRecord(file.path);
}

TEST(ResultFile, GivesBackAnEnergyInABasis) {
  const ResultRecord record = recordOf(
      "$nuc z=6 nucmdl='fermi' $end $contrl breit='breit' qedvp='full' qedse='inner' $end "
      "$basis library='wtbs-2.1' $end");
  ASSERT_FALSE(record.result.warnings.empty());
  ASSERT_TRUE(record.result.basisError);
  const ResultRecord again = writtenAndRead(record);
  expectSame(record, again);
  ASSERT_TRUE(again.result.basisError);
  EXPECT_EQ(again.result.basisError->value, record.result.basisError->value);
  const BasisMethod &a = record.calculation.inBasis(), &b = again.calculation.inBasis();
  ASSERT_EQ(a.basis.symmetries.size(), b.basis.symmetries.size());
  for (std::size_t s = 0; s < a.basis.symmetries.size(); ++s)
    EXPECT_EQ(a.basis.symmetries[s].exponents, b.basis.symmetries[s].exponents);
  EXPECT_EQ(a.basis.description, b.basis.description);
  EXPECT_EQ(a.fock, b.fock);
  EXPECT_EQ(a.scf.damping, b.scf.damping);
  EXPECT_EQ(a.scf.thresholdSS, b.scf.thresholdSS);
  // What was read computes the same energy.
  EXPECT_EQ(compute(again.calculation).energy.total, record.result.energy.total);
}

TEST(ResultFile, GivesBackTwoComponentsAndContractions) {
  ResultRecord record = recordOf("$nuc z=10 $end $contrl hamiltonian='x2c1e' $end");
  const ResultRecord plain = writtenAndRead(record);
  expectSame(record, plain);
  EXPECT_EQ(plain.calculation.problem.hamiltonian.oneElectron, OneElectronOperator::X2c);
  EXPECT_FALSE(plain.calculation.inBasis().basis.contracted());
  std::vector<SymmetryBasis>& symmetries = record.calculation.inBasis().basis.symmetries;
  for (std::size_t a = 0; a < symmetries.size(); ++a)
    symmetries[a].contraction = record.result.coefficients->large[a];
  const ResultRecord contracted = writtenAndRead(record);
  for (std::size_t a = 0; a < symmetries.size(); ++a)
    EXPECT_EQ(contracted.calculation.inBasis().basis.symmetries[a].contraction, symmetries[a].contraction);
  EXPECT_NEAR(compute(contracted.calculation).energy.total, record.result.energy.total, 1e-9);
}

TEST(ResultFile, GivesBackALimit) {
  const ResultRecord record = recordOf("$nuc z=11 nucmdl='point' $end $contrl jobtype='limit' $end");
  const ResultRecord again = writtenAndRead(record);
  expectSame(record, again);
  ASSERT_TRUE(again.result.limit);
  EXPECT_EQ(again.result.limit->estimatedError, record.result.limit->estimatedError);
  ASSERT_EQ(again.result.limit->resolutions.size(), 2u);
  EXPECT_EQ(again.result.limit->resolutions[1].energy, record.result.limit->resolutions[1].energy);
  EXPECT_EQ(again.result.limit->resolutions[1].cells, record.result.limit->resolutions[1].cells);
}

TEST(ResultFile, GivesBackHolesAndResultsThatAreNotToBeTrusted) {
  expectSame(recordOf("$nuc z=10 $end $electrons config='1s1 2s2 2p6' $end"),
             writtenAndRead(recordOf("$nuc z=10 $end $electrons config='1s1 2s2 2p6' $end")));
}

TEST(ResultFile, GivesBackSpinorsOpenByTheirJAndWhereDefaultsComeFrom) {
  for (const char* electrons : {"hole='2p1/2'", "charge=1", "charge=-2"}) {
    const std::string groups = std::string("$nuc z=10 $end $electrons ") + electrons + " $end";
    expectSame(recordOf(groups), writtenAndRead(recordOf(groups)));
  }
}

TEST(ResultFile, KeepsAResultWithoutSpinors) {
  ResultRecord record = recordOf("$nuc z=2 $end $scf maxitr=1 $end");
  const ResultRecord again = writtenAndRead(record);
  EXPECT_EQ(again.result.status, Status::NotConverged);
  EXPECT_EQ(again.result.reason, record.result.reason);
  EXPECT_FALSE(again.result.wavefunction);
  record.result = failedResult("no energy: why?");
  EXPECT_EQ(writtenAndRead(record).result.reason, "no energy: why?");
  EXPECT_EQ(writtenAndRead(record).result.status, Status::Failed);
}

TEST(ResultFile, ACollectionHasAGroupForEachResult) {
  const ScratchFile file;
  ResultCollection collection;
  ResultRecord he = recordOf("$nuc z=2 $end", "folder/he.inp");
  collection.add(recordOf("$nuc z=10 $end", "Ne"));
  collection.add(he);
  collection.write(file.path);
  EXPECT_THAT(resultIds(file.path), ElementsAre("Ne", "folder/he.inp"));
  expectSame(he, readRecord(file.path, "folder/he.inp"));
  EXPECT_NEAR(readResult(file.path, "Ne").energy.total, -128.69, 0.01);
  EXPECT_THROW(readRecord(file.path), Error);
  EXPECT_THROW(readRecord(file.path, "Ar"), Error);

  ResultCollection more(file.path);
  EXPECT_TRUE(more.contains("folder/he.inp"));
  EXPECT_FALSE(more.contains("Li"));
  he.title = "again";
  more.add(he);
  more.add(recordOf("$nuc z=3 $end", "Li"));
  more.write(file.path);
  EXPECT_THAT(resultIds(file.path), ElementsAre("Li", "Ne", "folder/he.inp"));
  EXPECT_EQ(readRecord(file.path, "folder/he.inp").title, "again");
}

TEST(ResultFile, ASingleResultTakesNoOthers) {
  const ScratchFile file;
  writeResult(file.path, recordOf("$nuc z=2 $end", "he.inp"));
  EXPECT_THAT(resultIds(file.path), ElementsAre("he.inp"));
  EXPECT_NO_THROW(readRecord(file.path, "he.inp"));
  EXPECT_THROW(readRecord(file.path, "ne.inp"), Error);
  EXPECT_THROW(ResultCollection collection(file.path), Error);
}

/// Largest error of cubic splines in ln r through the stored P and Q, over the largest value of each
/// function.
double interpolationError(const ResultRecord& record) {
  const ScratchFile file;
  writeResult(file.path, record);
  const auto lock = hdf5::lock();
  const hdf5::File hdf5(unwrapped(file.bytes(), file.path));
  const hdf5::Group spinors = hdf5.root().open("spinors");
  const std::vector<double> r = spinors.numbers("r"), large = spinors.numbers("P"),
                            small = spinors.numbers("Q");
  const auto points = static_cast<Eigen::Index>(r.size());
  const double first = std::log(r.front());
  Eigen::VectorXd between(3 * (points - 1));
  for (Eigen::Index i = 0; i < between.size(); ++i)
    between[i] = std::exp(first + kGridStep * (static_cast<double>(i) / 3 + 1.0 / 6));
  double worst = 0;
  for (int s = 0; s < record.result.wavefunction->count(); ++s) {
    const RadialFunctions exact = record.result.wavefunction->radial(s, between);
    for (const bool isLarge : {true, false}) {
      const double* values = (isLarge ? large : small).data() + s * points;
      const Eigen::VectorXd& f = isLarge ? exact.large : exact.small;
      const boost::math::interpolators::cardinal_cubic_b_spline<double> spline(
          values, static_cast<std::size_t>(points), first, kGridStep);
      const double largest = f.cwiseAbs().maxCoeff();
      for (Eigen::Index i = 0; i < between.size(); ++i)
        worst = std::max(worst, std::abs(spline(std::log(between[i])) - f[i]) / largest);
    }
  }
  return worst;
}

TEST(ResultFile, PAndQCanBeInterpolatedOnTheGrid) {
  const double neon = interpolationError(recordOf("$nuc z=10 $end $contrl jobtype='limit' $end"));
  const double radon = interpolationError(recordOf("$nuc z=86 $end"));
  EXPECT_LT(neon, 1e-5) << neon;
  EXPECT_LT(radon, 1e-5) << radon;
  EXPECT_GT(radon, 1e-12) << "the grid is finer than it needs to be";
}

}  // namespace
}  // namespace prophet
