#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/nucleus.hpp"
#include "atoms/atom/symmetry.hpp"
#include "atoms/functional/functional.hpp"
#include "atoms/radial/radial_mesh.hpp"

namespace prophet::limit {

/// B-splines of one order (degree + 1) over a list of break points.
///
/// End points carry `order`-fold knots, so the first spline is 1 at the left end and the last is 1 at the
/// right end. An interior break point of multiplicity m leaves order - 1 - m continuous derivatives. Source:
/// C. de Boor, A Practical Guide to Splines (2001), chapter IX.
class SplineSpace {
 public:
  /// `multiplicity`: one entry for each break point; those of the two ends are not used.
  SplineSpace(int order, std::vector<double> breaks, const std::vector<int>& multiplicity);

  int order() const { return order_; }
  int size() const { return static_cast<int>(knots_.size()) - order_; }
  int cells() const { return static_cast<int>(breaks_.size()) - 1; }
  const std::vector<double>& breaks() const { return breaks_; }

  /// How often each break point stands among the knots.
  std::vector<int> multiplicity() const;

  /// Index of the first of the `order` splines that are not zero in a cell.
  int firstSpline(int cell) const { return lastKnot_[cell] - order_ + 1; }
  /// Cell that contains x; the nearest one for x outside.
  int cellOf(double x) const;
  /// Values and first derivatives at x (inside `cell`) of the splines firstSpline(cell) ... + order - 1.
  void evaluate(int cell, double x, double* values, double* derivatives) const;

 private:
  void lowerOrder(int knot, double x, int order, double* values) const;

  int order_;
  std::vector<double> breaks_, knots_;
  std::vector<int> lastKnot_;  ///< for each cell the last knot that is not beyond its left end
};

/// Break points in x = ln r with their knot multiplicities (docs/theory/numerical-limit.md, "Mesh").
struct Mesh {
  std::vector<double> breaks;
  std::vector<int> multiplicity;
};

/// What a mesh must resolve.
struct MeshRequest {
  Nucleus nucleus;
  double speedOfLight = 0;
  double largestRadius = 0;  ///< bohr; all spinors vanish there
  double decay = 1;          ///< smallest decay constant sqrt(-2 epsilon) of an occupied spinor, 1/bohr
  double density = 1;        ///< multiplies the number of cells per unit of x
  int smoothOrder = 9;       ///< order of the splines: the largest multiplicity that may be needed
  double charge = 0;         ///< that acts on the outermost electron: sets the oscillations of Rydberg states
  double shellRadius = 0;    ///< bohr, where the potential has an edge; 0: nowhere
};

/// Cells about equally demanding for the spinors of an atom: uniform in ln r where they oscillate (narrower
/// for Rydberg states), wider towards the origin (where they are powers of r), uniform in r in the tail, and
/// narrower at the surface of a Fermi nucleus. The radii of a sphere nucleus and of a charged
/// shell are break points where derivatives may jump.
Mesh makeMesh(const MeshRequest& request);

/// The innermost radius of a mesh: below it the spinors' share of the energy is under 1e-13.
double smallestRadius(const Nucleus& nucleus, double speedOfLight);

/// Which radial functions a spinor has: non-relativistic orbitals have no Q, scalar-relativistic ones those
/// of both j (docs/theory/numerical-limit.md, "Scalar-relativistic").
enum class Components { LargeAndSmall, LargeOnly, LargeAndSmallOfBothJ };

/// Splines and quadrature points shared by all symmetries.
///
/// p is a spline of order k, q one of order k - 1 on the same break points: the derivative maps the first
/// space onto the second, which keeps spurious states out (docs/theory/numerical-limit.md).
struct RadialBasis : RadialMesh {
  RadialBasis(const Mesh& mesh, int order, int pointsPerCell,
              Components components = Components::LargeAndSmall);

  SplineSpace largeSpace, smallSpace;  ///< q's splines hold derivatives where spinors have no q
  Components components;

  Eigen::MatrixXd large, largeSlope, small;  ///< points x splines: values of p's splines, dp/dx, q's splines
  Eigen::MatrixXd smallSlope;                ///< dq/dx
  Eigen::MatrixXd largeOverlap, smallOverlap;  ///< integrals over x

  /// Splines of p that a symmetry uses: p vanishes at the outer end, and for kappa > 0 at the inner end too
  /// (kappa < 0 leaves that to q, whose natural boundary condition it is). Without q the natural condition is
  /// that p rises as r^(l + 3/2), which suits both kappa; with those of both j, that P rises as r.
  int firstLarge(Symmetry s) const { return hasSmall() && s.kappa > 0 ? 1 : 0; }
  int largeCount(Symmetry s) const { return largeSpace.size() - 1 - firstLarge(s); }
  /// Whether spinors have one Q, with its share in their density.
  bool hasSmall() const { return components == Components::LargeAndSmall; }
  /// Whether there is but one orbital of each n and l, and its density is that of P alone.
  bool isSpinFree() const { return !hasSmall(); }
  /// Functions beside P, each of the splines of q.
  int smallBlocks() const { return hasSmall() ? 1 : components == Components::LargeOnly ? 0 : 2; }
  int smallCount() const { return smallBlocks() * smallSpace.size(); }
  /// Splines of p and of q, of all symmetries.
  int allSplines() const { return largeSpace.size() + smallCount(); }
  int size(Symmetry s) const { return largeCount(s) + smallCount(); }

  /// Values of spinors at the points; `coefficients` has size(s) rows: splines of p first, then those of q.
  /// Q is zero where spinors have none of their own.
  Eigen::MatrixXd largeValues(Symmetry s, const Eigen::MatrixXd& coefficients) const;
  Eigen::MatrixXd smallValues(const Eigen::MatrixXd& coefficients) const;
  /// Their derivatives with respect to x.
  Eigen::MatrixXd largeSlopes(Symmetry s, const Eigen::MatrixXd& coefficients) const;
  Eigen::MatrixXd smallSlopes(const Eigen::MatrixXd& coefficients) const;

  /// Matrix of a local function given by its values at the points, over size(s) functions; the blocks between
  /// large and small components vanish.
  Eigen::MatrixXd localMatrix(Symmetry s, const Eigen::VectorXd& values) const;
  /// Matrix over all splines of p (first) and q of potentials that expandedFor gives, for each component its
  /// own: integral (local a b + gradient d(a b)/dx + kinetic a' b') dx.
  Eigen::MatrixXd localMatrixOfAll(const RadialPotential& ofLarge, const RadialPotential& ofSmall) const;
  /// Matrix of a local function between large and small components, <a|f|b> = integral f (P_a Q_b + Q_a P_b).
  Eigen::MatrixXd couplingMatrix(Symmetry s, const Eigen::VectorXd& values) const;
  /// Matrix of the Dirac operator without potential: c(-d/dr + kappa/r), c(d/dr + kappa/r) and -2c^2; of
  /// p^2/2 without small components, whatever c is; with those of both j of the scalar-relativistic operator.
  Eigen::MatrixXd kineticMatrix(Symmetry s, double speedOfLight) const;
  Eigen::MatrixXd overlapMatrix(Symmetry s) const;
  /// The orbitals whose squares make the density: those of p alone, normalised, where spinors have no one Q.
  Eigen::MatrixXd densityOrbitals(Symmetry s, const Eigen::MatrixXd& coefficients) const;
  /// A matrix over all splines of p (first) and q, restricted to the functions of a symmetry.
  Eigen::MatrixXd restrictTo(Symmetry s, const Eigen::MatrixXd& all) const;

 private:
  void addSmall(const Eigen::MatrixXd& block, Eigen::MatrixXd& matrix) const;
};

}  // namespace prophet::limit
