#pragma once
#include <cmath>

#include "atoms/breit/breit.hpp"
#include "atoms/gradient/energy_gradient.hpp"

namespace prophet::test {

/// Energies of one problem in changed bases, each from the spinors of the unchanged one.
class DisplacedEnergies {
 public:
  DisplacedEnergies(ScfProblem problem, TwoElectronOperator repulsion = TwoElectronOperator::Coulomb)
      : problem_(std::move(problem)), repulsion_(repulsion), pool_(1) {
    const auto builder = builderOf(problem_.basis);
    result_ = runScf(problem_, *builder, tightThresholds(), pool_);
    start_ = startSpinors(problem_.basis, result_);
    gradient_ = energyGradient(problem_, result_, *builder);
  }
  const ScfResult& result() const { return result_; }
  const ExponentGradient& gradient() const { return gradient_; }

  /// Energy with ln zeta of one function changed.
  double energy(int a, int p, double change) {
    ScfProblem problem = problem_;
    problem.basis.symmetries[a].exponents[p] *= std::exp(change);
    problem.start = &start_;
    const auto builder = builderOf(problem.basis);
    return runScf(problem, *builder, tightThresholds(), pool_).energy.total;
  }

  /// Central differences with steps h and 2 h, of fourth order.
  double derivative(int a, int p, double h) {
    const double one = energy(a, p, h) - energy(a, p, -h), two = energy(a, p, 2 * h) - energy(a, p, -2 * h);
    return (8.0 * one - two) / (12.0 * h);
  }

 private:
  std::unique_ptr<GridFockBuilder> builderOf(const BasisSet& basis) {
    return makeGridBuilder(basis, fockGrid(basis), repulsion_, pool_);
  }
  ScfProblem problem_;
  TwoElectronOperator repulsion_;
  ThreadPool pool_;
  ScfResult result_;
  StartSpinors start_;
  ExponentGradient gradient_;
};

}  // namespace prophet::test
