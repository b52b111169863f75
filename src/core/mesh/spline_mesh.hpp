#pragma once
#include <Eigen/Core>
#include <functional>
#include <vector>

#include "core/mesh/bspline.hpp"
#include "core/mesh/mesh_slabs.hpp"

namespace prophet {

/// Weights g_0, g_1, ..., g_h of the symmetric filter of Assignment::Filter, g_0 + 2 (g_1 + ...) = 1: a
/// Gaussian whose variance makes up for that which narrow splines lack against those of `order`, cut off
/// after h = order / 2 points.
std::vector<double> filterWeights(int order);

/// Filters a periodic mesh along its three axes, one after the other; every axis needs more than 2h points.
template <class Real>
void filterMesh(const std::vector<double>& weights, const MeshSize& n, int threads, Real* mesh);

/// sum_j g_|j| cos(2 pi m j / n) for m = 0 ... n-1: what the filter does to each mode.
std::vector<double> filterSpectrum(const std::vector<double>& weights, int n);

/// |sum_k M_p(k+1) exp(2 pi i m k / n)|^2 for m = 0 ... n-1 (Essmann 1995, eq. 4.4, without the inverse).
/// With an odd order and even n the mode n/2 has 0: splines cannot say anything about it.
std::vector<double> splineSpectrum(int order, int n);

/// 1/|w(m)|^2 for m = 0 ... n-1: what assigning charges and reading the potential back with the same weights
/// are undone by; 0 where the weights lose a mode.
std::vector<double> inverseSpectrum(Assignment assignment, int order, int n);

/// Particles on a periodic mesh: their charges assigned to its points by B-splines, and numbers at its points
/// interpolated back to the particles with the same weights, so that forces are the derivatives of the
/// energy.
class SplineMesh {
 public:
  /// `u`: positions in units of the spacings, each in [0, n) of its axis. `order`: 2 to 12, no more than the
  /// points of any axis (for Filter also fewer than them). Throws Error otherwise.
  SplineMesh(MeshPositions u, const MeshSize& n, Assignment assignment, int order, int threads);

  /// Charges, one for each particle, onto the points of the mesh (of floats or doubles); what was there is
  /// overwritten.
  template <class Real>
  void assign(const Eigen::VectorXd& charges, Real* mesh) const;
  /// Numbers on the mesh at the particles, and their gradients for each spacing. Filter changes the mesh
  /// (filters it).
  template <class Real>
  void interpolate(Real* mesh, Eigen::VectorXd& values, Eigen::Matrix3Xd& gradients) const;

 private:
  template <class Real>
  void spread(const Eigen::VectorXd& charges, Real* mesh) const;
  /// Takes the index of the first point of a row of the mesh and the row; from any thread.
  using Row = std::function<void(std::size_t first, const std::vector<double>& row)>;
  void gather(const Eigen::VectorXd& charges, const Row& put) const;

  MeshPositions u_;
  MeshSize n_;
  Assignment assignment_;
  int order_, own_, threads_;
  MeshSlabs slabs_;
};

}  // namespace prophet
