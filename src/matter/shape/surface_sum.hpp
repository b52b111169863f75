#pragma once
#include <memory>
#include <string>

#include "matter/shape/q_grid.hpp"
#include "matter/shape/triangle_mesh.hpp"

namespace prophet {

/// F(q) = 1/(i q^2) sum_t s_t (q.n_t) exp(i q.r_t), angstrom^3: every triangle at its centre (A. Sarje et
/// al., SC 2012, eq. 4), which is off by the order of (q times edge)^2. Terms are taken from exp - 1, so that
/// small q lose nothing; at q = 0 it is the volume.

/// Any points, each by itself: the reference.
FormFactor sumAtPoints(const std::vector<SurfaceElement>& elements, const QPoints& q, int threads = 1);

/// The same at complex momenta, for waves that decay.
FormFactor sumAtPoints(const std::vector<SurfaceElement>& elements, const Eigen::Matrix3Xcd& q,
                       int threads = 1);

/// The same at the pixels of a detector, a column for each pixel with its waves: sum_t exp(i q_par.r) (a U +
/// V) with a = s (qx nx + qy ny), of a pixel U = exp(i qz z), V = s conj(qz) nz U, of a row and wave. The
/// first exponential serves all waves and the others all pixels of the row; products of matrices add them up.
Eigen::MatrixXcd sumOnRows(const std::vector<SurfaceElement>& elements, const QRows& q, int threads);

/// What sumOnRows and engines have in common: pixels with |q| times the size of the body below 0.05, where
/// sums of exp instead of exp - 1 lose digits, by sumAtPoints.
void sumLongWaves(const std::vector<SurfaceElement>& elements, const QRows& q, int threads,
                  Eigen::MatrixXcd& f);

/// A regular grid: exp(i q.r) is a product of three factors, which are tabulated, and the sum over triangles
/// a product of matrices for each plane of qz.
FormFactor sumOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid, int threads);

/// The same by non-uniform Fourier transforms, one for each component of the normal: relative error (2-norm,
/// of each transform) about `tolerance`; points with |q| times the size of the body below 2 by the sum.
/// Throws Error without gemmi.
FormFactor transformOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid, double tolerance,
                           int threads);

enum class Precision { Single, Double };

/// Where sums over triangles are formed: the processor, or GPUs. All functions throw Error.
class ShapeEngine {
 public:
  virtual ~ShapeEngine() = default;
  /// "CPU, 2 threads", "NVIDIA H200".
  virtual std::string name() const = 0;
  /// As prophet::sumOnGrid, sumAtPoints, sumOnRows and transformOnGrid. `precision`: of the terms; sums and
  /// results are in double precision, and the processor computes all in it.
  virtual FormFactor sumOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid,
                               Precision precision) = 0;
  virtual FormFactor sumAtPoints(const std::vector<SurfaceElement>& elements, const QPoints& q,
                                 Precision precision) = 0;
  virtual Eigen::MatrixXcd sumOnRows(const std::vector<SurfaceElement>& elements, const QRows& q,
                                     Precision precision) = 0;
  virtual FormFactor transformOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid,
                                     double tolerance, Precision precision) = 0;
};

/// The processor.
std::unique_ptr<ShapeEngine> hostShapeEngine(int threads);

}  // namespace prophet
