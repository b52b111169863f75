#include "atoms/valence/isotope_fields.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "atoms/calculation/compute.hpp"
#include "tests/atoms/core_valence/small_core.hpp"
#include "tests/atoms/correlation/spaces.hpp"

namespace prophet {
namespace {

OrbitalSpace neonLike(ThreadPool& pool, AtomProblem& problem) {
  problem = atomOf(12, "1s2 2s2 2p6", OneElectronOperator::Dirac);
  LimitMethod method;
  method.density = 0.5;
  method.largestRadius = 20;
  method.residualThreshold = 1e-10;
  return OrbitalSpace::ofSplines(problem, compute({problem, method}), 2, 1000, pool);
}

/// Two perturbations change each other's expectation value in the closed shells by as much: a second
/// derivative of their energy, of which the self-consistent field is the one half and the operators are the
/// other.
TEST(IsotopeFields, PerturbationsOfClosedShellsActOnEachOtherAlike) {
  ThreadPool pool(2);
  AtomProblem problem;
  const OrbitalSpace space = neonLike(pool, problem);
  const LevelField field{problem.nucleus, problem.hamiltonian.speedOfLight, {}};
  const RecoilInteraction pair(space, field, 1);
  const auto matrices = [&](const OrbitalSpace& of, const auto& elements) {
    std::vector<Eigen::MatrixXd> list;
    for (const SymmetryOrbitals& o : of.symmetries())
      list.push_back(elements(SpinorFunctions{o.symmetry, o.large, o.small}));
    return list;
  };
  // The recoil of single electrons, that of pairs, and 1/r.
  using Operator = std::function<ScalarPerturbation(const OrbitalSpace&, double)>;
  std::vector<RecoilInteraction> kept;
  kept.reserve(100);
  const Operator normal = [&](const OrbitalSpace& of, double factor) {
    return ScalarPerturbation{
        matrices(of, [&](const SpinorFunctions& f) -> Eigen::MatrixXd { return factor * pair.normal(f); })};
  };
  const Operator specific = [&](const OrbitalSpace& of, double factor) {
    return ScalarPerturbation{{}, &kept.emplace_back(of, field, factor)};
  };
  const Operator attraction = [&](const OrbitalSpace& of, double factor) {
    const Eigen::VectorXd inverse = factor * of.weights().cwiseQuotient(of.radii());
    return ScalarPerturbation{
        matrices(of, [&](const SpinorFunctions& f) { return localBetween(f, inverse); })};
  };
  constexpr double kFactor = 1e-4;
  const auto change = [&](const Operator& by, const Operator& of) {
    const auto value = [&](double factor) {
      const OrbitalSpace changed = perturbedSpace(space, by(space, factor), pool);
      return closedEnergy(changed, of(changed, 1));
    };
    return (value(kFactor) - value(-kFactor)) / (2 * kFactor);
  };
  const double one = change(normal, specific), other = change(specific, normal);
  EXPECT_GT(std::abs(one), 0.1);
  EXPECT_NEAR(one, other, 1e-5 * std::abs(one));
  const double third = change(attraction, specific), fourth = change(specific, attraction);
  EXPECT_GT(std::abs(third), 0.1);
  EXPECT_NEAR(third, fourth, 1e-5 * std::abs(third));
}

/// The field responds with the Breit interaction too: a little more attraction by the nucleus changes the
/// energies of closed shells as whole computations with other charges do. Without it they would differ by
/// 2e-4 to 1e-3.
TEST(IsotopeFields, PerturbedFieldsAreThoseOfOtherNuclei) {
  ThreadPool pool(2);
  constexpr double kCharge = 30, kStep = 0.01;
  const auto spaceOf = [&](double charge) {
    AtomProblem problem = atomOf(charge, "1s2 2s2 2p6", OneElectronOperator::Dirac);
    problem.hamiltonian.repulsion = TwoElectronOperator::CoulombBreit;
    problem.hamiltonian.breitTreatment = Treatment::SelfConsistent;
    return splineSpace(problem, 0.5, 1, 20, pool);
  };
  const OrbitalSpace space = spaceOf(kCharge);
  const auto perturbed = [&](double step) {
    const Eigen::VectorXd more = -step * space.weights().cwiseQuotient(space.radii());
    ScalarPerturbation attraction;
    for (const SymmetryOrbitals& o : space.symmetries())
      attraction.single.push_back(localBetween({o.symmetry, o.large, o.small}, more));
    return perturbedSpace(space, attraction, pool);
  };
  const auto slopes = [&](const OrbitalSpace& plus, const OrbitalSpace& minus) {
    std::vector<double> list;
    for (std::size_t s = 0; s < plus.symmetries().size(); ++s)
      for (int c = 0; c < plus.symmetries()[s].closed; ++c)
        list.push_back((plus.symmetries()[s].energies(c) - minus.symmetries()[s].energies(c)) / (2 * kStep));
    return list;
  };
  const std::vector<double> ofField = slopes(perturbed(kStep), perturbed(-kStep)),
                            ofNuclei = slopes(spaceOf(kCharge + kStep), spaceOf(kCharge - kStep));
  for (std::size_t i = 0; i < ofField.size(); ++i)
    EXPECT_NEAR(ofField[i], ofNuclei[i], 1e-5 * std::abs(ofNuclei[i])) << i;
}

/// Without anything, nothing changes.
TEST(IsotopeFields, AFieldWithoutPerturbationStays) {
  ThreadPool pool(2);
  AtomProblem problem;
  const OrbitalSpace space = neonLike(pool, problem), same = perturbedSpace(space, {}, pool);
  for (std::size_t s = 0; s < space.symmetries().size(); ++s) {
    const SymmetryOrbitals &o = space.symmetries()[s], &p = same.symmetries()[s];
    EXPECT_LT((o.energies - p.energies).cwiseAbs().maxCoeff(), 1e-9) << s;
    EXPECT_LT((o.large - p.large).cwiseAbs().maxCoeff(), 1e-7) << s;
  }
}

}  // namespace
}  // namespace prophet
