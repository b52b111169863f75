#pragma once
#include <Eigen/Core>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "atoms/angular/angular.hpp"
#include "atoms/atom/energy_breakdown.hpp"
#include "atoms/atom/nucleus.hpp"
#include "atoms/atom/wavefunction.hpp"
#include "atoms/calculation/result.hpp"
#include "atoms/radial/slater_kernel.hpp"
#include "core/common/index.hpp"

namespace prophet {

/// The one-electron part of a Hamiltonian: nucleus, speed of light (a.u.) and what is added to them.
struct LevelField {
  Nucleus nucleus;
  double speedOfLight = 0;
  std::vector<RadialOperator> extra{};
};

/// P and Q of a spinor with their derivatives by r, at points.
struct RadialValues {
  Eigen::ArrayXd large, small, largeSlope, smallSlope;
};

/// 1, or -1 where the function first is below zero: where it is larger than what rounding leaves of others.
double signNearNucleus(const Eigen::VectorXd& large);

/// df/dx of functions at the points of a mesh, a column for each: of polynomials in every cell.
Eigen::MatrixXd derivativesOn(const RadialMesh& mesh, const Eigen::MatrixXd& functions);

/// Radial integrals over the spinors of one atom, whatever their functions are expanded in: fourteen
/// Gauss-Legendre points in each cell of ln r, in which derivatives and kernels are those of polynomials.
/// Hartree, bohr. Conventions: psi = (1/r)[P chi_kappa; i Q chi_-kappa]; electron 1 goes from c to a,
/// electron 2 from d to b. Not thread-safe: potentials are kept.
class SpinorTable {
 public:
  /// `largestK`: of the multipoles that will be asked for. Throws Error where the result has no wavefunction.
  SpinorTable(const Result& result, const LevelField& field, int largestK);
  /// Takes any functions, P sqrt(r) and Q sqrt(r) at the points of a mesh, a column for each symmetry;
  /// energies are not known.
  SpinorTable(const RadialMesh& mesh, std::vector<Symmetry> symmetries, RadialTable functions,
              const LevelField& field, int largestK);

  int count() const { return static_cast<int>(symmetries_.size()); }
  Symmetry symmetry(int a) const { return symmetries_[usize(a)]; }
  /// 1, or -1 where the result's P begins below zero: here it begins above.
  double sign(int a) const { return signs_[usize(a)]; }
  const Eigen::VectorXd& radii() const { return mesh_->r; }
  /// Where a cell begins, bohr; each has kTablePoints points.
  double edge(int cell) const;
  /// Weights of integrals over r at radii().
  Eigen::ArrayXd lengths() const { return mesh_->weight.array() * mesh_->r.array(); }
  RadialValues values(int a) const;
  const LevelField& field() const { return field_; }

  /// <a|h|b> of the Dirac operator with nucleus and extra operators; both of one symmetry.
  double oneElectron(int a, int b) const;
  /// Integral of f (P_a P_b + Q_a Q_b) dr, f at radii().
  double density(int a, int b, const Eigen::VectorXd& f) const;
  /// Integrals of P_a P_b dr and of Q_a Q_b dr.
  double largeOverlap(int a, int b) const;
  double smallOverlap(int a, int b) const;
  /// Integral of f (P_a Q_b + Q_a P_b) dr.
  double coupling(int a, int b, const Eigen::VectorXd& f) const;
  /// Integral of f (P_a Q_b - Q_a P_b) dr.
  double antisymmetric(int a, int b, const Eigen::VectorXd& f) const;
  /// Integral of f P_a P_b dr.
  double largeDensity(int a, int b, const Eigen::VectorXd& f) const;

  /// Potential energy of an electron in the nucleus' field, hartree, at radii().
  Eigen::VectorXd nuclearPotential() const;
  /// Repulsion by one electron in each of these spinors' spherical charge, sum of weights, hartree, at
  /// radii().
  Eigen::VectorXd directPotential(const std::vector<std::pair<int, double>>& electrons) const;
  /// df/dr of a smooth function at radii().
  Eigen::VectorXd slope(const Eigen::VectorXd& f) const;

  /// R^k(ab,cd) = integrals of (P_a P_c + Q_a Q_c)(1) r<^k/r>^(k+1) (P_b P_d + Q_b Q_d)(2).
  double slater(int k, int a, int b, int c, int d) const;
  /// The Breit interaction of frequency zero between the spinors (`gauge`: with the retardation term, else
  /// Gaunt's alone) as the factor X^k of sum_q (-1)^q w(a k q c) w(b k -q d), w = (-1)^(ja-ma) 3j(ja k jc;
  /// -ma q mc). Source: docs/theory/breit-qed.md, in the compact form with the reduced elements put in.
  double breit(int k, int a, int b, int c, int d, bool gauge) const;
  /// The whole Breit interaction with the frequency of the exchanged photon: the mean of those of the
  /// frequencies |e_a - e_c|/c and |e_b - e_d|/c, e the energies of the spinors, 0 where one of them has no
  /// electrons. Source: I. P. Grant and N. C. Pyper, J. Phys. B 9 (1976) 761; the mean: F. A. Parpia, C.
  /// Froese Fischer and I. P. Grant, Comput. Phys. Commun. 94 (1996) 249 (GRASP92).
  double retardedBreit(int k, int a, int b, int c, int d) const;

 private:
  void complete(int largestK);
  enum class Pair { Density, Sum, V, W };
  enum class Side { All, Inside, Outside };
  Eigen::VectorXd derivative(const Eigen::VectorXd& f) const;  ///< d/dx
  Eigen::VectorXd pair(Pair kind, int k, int a, int c) const;
  const Eigen::VectorXd& potential(Pair kind, int rank, Side side, int k, int b, int d) const;
  double product(const Eigen::VectorXd& f, const Eigen::VectorXd& potential) const;
  /// The frequency that retardedBreit has, in 1/bohr.
  double frequency(int a, int c) const;
  double breitOf(double omega, int k, int a, int b, int c, int d) const;
  /// Double integral of f(1) g_L g(2) with the kernel of this frequency that replaces r<^L/r>^(L+1).
  double retardedSlater(double omega, int order, const Eigen::VectorXd& f, const Eigen::VectorXd& g) const;
  /// The same with the kernel that replaces theta(r1 < r2) [r1^(k-1)/r2^k - r1^(k+1)/r2^(k+2)].
  double retardedGauge(double omega, int k, const Eigen::VectorXd& f, const Eigen::VectorXd& g) const;
  /// reducedBesselJ and reducedBesselY of this order at the points.
  struct Bessel {
    Eigen::ArrayXd j, y;
  };
  const Bessel& bessel(int order, double omega) const;

  LevelField field_;
  std::shared_ptr<const RadialMesh> mesh_;
  std::shared_ptr<const SlaterKernel> kernel_;
  std::vector<Symmetry> symmetries_;
  Eigen::MatrixXd large_, small_, slope_;  ///< p, q, dp/dx at the points, x = ln r, p = P sqrt(r)
  std::vector<double> signs_;
  std::vector<double> energies_;  ///< not a number where there are no electrons
  mutable std::map<std::pair<int, double>, Bessel> bessel_;
  mutable std::map<std::tuple<Pair, int, Side, int, int, int>, Eigen::VectorXd> potentials_;
};

}  // namespace prophet
