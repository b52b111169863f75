#include <gtest/gtest.h>

#include <cmath>

#include "atoms/atom/elements.hpp"
#include "bases/optimise/exponent_search.hpp"

namespace prophet {
namespace {

AtomProblem atomOf(int z) {
  NucleusRequest request;
  request.model = NuclearModel::Gaussian;
  request.charge = z;
  AtomProblem problem;
  problem.nucleus = makeNucleus(request);
  problem.configuration = parseConfiguration(groundConfiguration(z));
  return problem;
}

/// Even-tempered lists, one for each symmetry, slightly different for each.
BasisSet listsOf(const std::vector<int>& functions, double first, double ratio) {
  BasisSet basis;
  for (std::size_t a = 0; a < functions.size(); ++a) {
    SymmetryBasis s{Symmetry::fromIndex(static_cast<int>(a)), {}};
    for (int i = 0; i < functions[a]; ++i)
      s.exponents.push_back(first * (1.0 + 0.01 * static_cast<double>(a)) * std::pow(ratio, i));
    basis.symmetries.push_back(s);
  }
  return basis;
}

ExponentSearchOptions withMethod(MinimiserMethod method) {
  ExponentSearchOptions options;
  options.method = method;
  options.prolapse = 0.01;
  return options;
}

class ExponentSearch : public ::testing::TestWithParam<MinimiserMethod> {};

/// Ne with the sizes of the Dyall v2z set and one list for both p: the energy of that set as it is published
/// (basis_set_exchange), -128.6857049702 with this nucleus, is the minimum.
TEST_P(ExponentSearch, FindsThePublishedSetOfNeon) {
  const ListVariables variables(shareExponents(listsOf({10, 6, 6}, 0.2, 3.2), 3, Sharing::ByL), {});
  const ExponentSearchResult r = searchExponents(atomOf(10), variables, withMethod(GetParam()));
  EXPECT_TRUE(r.converged);
  EXPECT_LT(r.gradient, 1e-6);
  EXPECT_NEAR(r.energy, -128.6857049702, 2e-9);
  ASSERT_TRUE(r.error && r.prolapse);
  EXPECT_NEAR(*r.error, 6.2256e-3, 1e-6);
  EXPECT_LT(*r.prolapse, 0.01 * *r.error);
  EXPECT_EQ(r.basis.symmetries[1].exponents, r.basis.symmetries[2].exponents);
}

INSTANTIATE_TEST_SUITE_P(Methods, ExponentSearch,
                         ::testing::Values(MinimiserMethod::Lbfgs, MinimiserMethod::Slsqp));

/// More freedom, lower energy: family < l < j.
TEST(ExponentSearchSharing, OrdersTheEnergies) {
  const BasisSet start = listsOf({8, 5, 5}, 0.12, 3.5);
  const AtomProblem boron = atomOf(5);
  const auto energy = [&](Sharing sharing) {
    const ListVariables variables(shareExponents(start, 3, sharing), {});
    const ExponentSearchResult r = searchExponents(boron, variables, withMethod(MinimiserMethod::Lbfgs));
    EXPECT_TRUE(r.converged) << nameOf(sharing);
    return r.energy;
  };
  EXPECT_LT(energy(Sharing::ByJ), energy(Sharing::ByL));
}

/// The same ladder that NEWUOA finds without derivatives (docs/how-to/basis-optimisation.md has its energy of
/// Ne).
TEST(ExponentSearchLadders, MinimisesOverParameters) {
  const LadderVariables variables(
      {{{0.1, 1.9, 3.0, 1.0}}, {12, 8, 8}, {1, 1, 1}, {1, 1, 1}, LadderPool::Symmetry});
  const ExponentSearchResult r = searchExponents(atomOf(10), variables, withMethod(MinimiserMethod::Lbfgs));
  EXPECT_TRUE(r.converged);
  EXPECT_LT(r.energy, r.startEnergy);
  for (int k = 0; k < 4; ++k) {
    Eigen::VectorXd v = r.variables;
    v(k) += 0.02;
    ExponentSearchOptions options;
    options.maxEvaluations = 1;
    const LadderVariables moved(variables.spec(v));
    EXPECT_GT(searchExponents(atomOf(10), moved, options).energy, r.energy) << k;
  }
}

TEST(ExponentSearch, RefusesMethodsWithoutGradients) {
  const ListVariables variables(shareExponents(listsOf({6}, 0.3, 4.0), 1, Sharing::ByL), {});
  EXPECT_THROW(searchExponents(atomOf(2), variables, withMethod(MinimiserMethod::Newuoa)), Error);
}

/// Derivatives of what ladders and lists make of the exponents.
void expectGradient(const BasisVariables& variables) {
  const Eigen::VectorXd v = variables.start();
  const auto value = [&](const Eigen::VectorXd& at) {  // any smooth function of the exponents
    double sum = 0.0;
    const BasisSet basis = variables.basis(at);
    for (std::size_t a = 0; a < basis.symmetries.size(); ++a)
      for (std::size_t i = 0; i < basis.symmetries[a].exponents.size(); ++i)
        sum += std::sin(1.0 + static_cast<double>(a + i)) *
               std::pow(std::log(basis.symmetries[a].exponents[i]), 2);
    return sum;
  };
  std::vector<Eigen::VectorXd> byExponents;
  const BasisSet basis = variables.basis(v);
  for (std::size_t a = 0; a < basis.symmetries.size(); ++a) {
    Eigen::VectorXd& g = byExponents.emplace_back(basis.symmetries[a].size());
    for (Eigen::Index i = 0; i < g.size(); ++i)
      g(i) = 2.0 * std::sin(1.0 + static_cast<double>(a) + static_cast<double>(i)) *
             std::log(basis.symmetries[a].exponents[static_cast<std::size_t>(i)]);
  }
  const Eigen::VectorXd gradient = variables.gradient(v, byExponents);
  for (Eigen::Index k = 0; k < v.size(); ++k) {
    Eigen::VectorXd up = v, down = v;
    up(k) += 1e-5;
    down(k) -= 1e-5;
    EXPECT_NEAR(gradient(k), (value(up) - value(down)) / 2e-5, 1e-5 * (1.0 + std::abs(gradient(k)))) << k;
  }
}

TEST(BasisVariables, HaveTheRightDerivatives) {
  const BasisSet start = listsOf({7, 4, 4, 3, 3}, 0.2, 3.0);
  for (const Sharing sharing : {Sharing::ByL, Sharing::ByJ, Sharing::ByFamily})
    expectGradient(ListVariables(shareExponents(start, 5, sharing), {}));
  for (const LadderPool pool : {LadderPool::Symmetry, LadderPool::Shared}) {
    expectGradient(LadderVariables(
        {{{0.1, 1.9, 3.0, 1.0}, {0.2, 2.2, 1.5, 0.4}}, {7, 5, 6}, {1, 2, 1}, {1, 2, 1}, pool}));
  }
}

TEST(ExponentLists, ShareByFamilyTakesTheNearestStretch) {
  const BasisSet basis{{{Symmetry::fromIndex(0), {64.0, 0.25, 1.0, 4.0, 16.0}},
                        {Symmetry::fromIndex(1), {0.5, 3.0}},
                        {Symmetry::fromIndex(2), {0.5, 3.0}},
                        {Symmetry::fromIndex(3), {1.1, 3.7}},
                        {Symmetry::fromIndex(4), {1.1, 3.7}}},
                       ""};
  const BasisSet shared = shareExponents(basis, 5, Sharing::ByFamily).basis();
  EXPECT_EQ(shared.symmetries[0].exponents, (std::vector<double>{0.25, 1.0, 4.0, 16.0, 64.0}));
  EXPECT_EQ(shared.symmetries[3].exponents, (std::vector<double>{1.0, 4.0}));
  EXPECT_EQ(shared.symmetries[4].exponents, shared.symmetries[3].exponents);
  EXPECT_THROW(shareExponents({{{Symmetry::fromIndex(0), {1.0, 1.0}}}, ""}, 1, Sharing::ByL), Error);
  EXPECT_THROW(shareExponents(basis, 7, Sharing::ByL), Error);
}

}  // namespace
}  // namespace prophet
