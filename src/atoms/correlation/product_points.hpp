#pragma once
#include <Eigen/Core>
#include <functional>
#include <random>
#include <vector>

#include "atoms/correlation/spinor_operators.hpp"
#include "core/common/threads.hpp"

namespace prophet {

/// A few points of the mesh that say all about functions of some kind: their values at every point are
/// `interpolation` times those at these.
struct InterpolationPoints {
  std::vector<Eigen::Index> points;
  Eigen::MatrixXd interpolation;  ///< a row for each point of the mesh

  Eigen::MatrixXd valuesOf(const Eigen::MatrixXd& functions) const { return functions(points, Eigen::all); }
  SpinorFunctions valuesOf(const SpinorFunctions& functions) const;
};

/// `samples(engine, n)`: random functions of the kind, a row for each, n at least; they are interpolated to
/// `threshold` of the largest one, in the mean square over the mesh. Source: J. Lu and L. Ying, J. Comput.
/// Phys. 302 (2015) 329 (interpolative decomposition of products by random combinations).
InterpolationPoints interpolationPoints(
    const OrbitalSpace& space, double threshold,
    const std::function<Eigen::MatrixXd(std::mt19937_64& engine, Eigen::Index count)>& samples);

/// Those of products of spinors, P_f P_g + Q_f Q_g for some functions f and all spinors g of a space. Smooth
/// products have far fewer degrees of freedom than a mesh that holds their potentials has points, and sums
/// over points are most of the work of second order.
struct ProductPoints : InterpolationPoints {
  /// [k]: R^k of two products is the values of one times this matrix times those of the other.
  std::vector<Eigen::MatrixXd> kernels;

  /// What values of products are multiplied by to be R^k with those of other products, which `values` are.
  Eigen::MatrixXd potentials(int k, const Eigen::MatrixXd& values) const;
};

/// P_f P_g + Q_f Q_g of all functions of two groups at the same points, those of the first fastest.
Eigen::MatrixXd productsOf(const SpinorFunctions& f, const SpinorFunctions& g);
/// The first ones.
SpinorFunctions lowestOf(const SpinorFunctions& f, Eigen::Index count);

/// Factors of random combinations, between -1 and 1: the same ones with every standard library.
Eigen::MatrixXd randomFactors(std::mt19937_64& engine, Eigen::Index rows, Eigen::Index columns);

/// Random combinations of the functions of all symmetries, a column for each: the span of their products is
/// wanted, not their angles. Without small components these are zero.
struct RandomCombinations {
  Eigen::MatrixXd large, small;

  RandomCombinations(Eigen::Index points, Eigen::Index count)
      : large(Eigen::MatrixXd::Zero(points, count)), small(large) {}
  void add(const Eigen::MatrixXd& ofLarge, const Eigen::MatrixXd& ofSmall, std::mt19937_64& engine);
};

/// Products are interpolated to 1e-10 of the largest one.
ProductPoints productPoints(const OrbitalSpace& space, const std::vector<SpinorFunctions>& functions,
                            ThreadPool& pool);

}  // namespace prophet
