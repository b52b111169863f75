#pragma once
#include <Eigen/Core>
#include <functional>
#include <vector>

#include "matter/pairs/pair_histogram.hpp"

namespace prophet {

/// What a direct sum needs to know.
struct DebyeRequest {
  Eigen::VectorXd q;  ///< 1/angstrom, 0 or more
  bool doublePrecision = true;
  int threads = 1;
  int part = 0, parts = 1;                 ///< as those of a HistogramRequest
  std::function<void(double)> progress{};  ///< told how many pairs are done, from any thread; may be empty
};

/// Sums over pairs of atoms of sin(q r)/(q r), by kinds; each pair once, an atom with itself never.
struct DebyeSums {
  Eigen::MatrixXd values;  ///< (q, pairKind)
  double terms = 0;        ///< pairs times q
  double seconds = 0;
  /// Seconds of pairs of one kind (triangles of the matrix of pairs) and of two kinds (rectangles), and their
  /// terms.
  double triangleSeconds = 0, rectangleSeconds = 0, triangleTerms = 0, rectangleTerms = 0;
};

/// Direct summation by tiles of the pair matrix, triangles and rectangles (A. L. Reiten, NTNU 2010). In
/// single precision phases and sines have 24 bits, distances 48; sums of a tile are added up in double
/// precision. The structure is taken as a particle, whatever its lattice. Throws Error for a q that is
/// negative or not finite.
DebyeSums debyeSums(const Structure& structure, const DebyeRequest& request);

/// The same from a histogram: pairs of a bin at their mean distance. Empty bins cost nothing.
DebyeSums debyeTransform(const PairHistogram& histogram, const Eigen::VectorXd& q, int threads);

/// sum of sin(q r)/(q r) over these distances (angstrom), in double precision.
Eigen::VectorXd sincSum(const std::vector<double>& distances, const Eigen::VectorXd& q, int threads);

/// A bound of the error that the bins (and the distances sorted into them) make of each sum: (q, pairKind).
///
/// The distances of a bin of width d with their mean at m d differ from it by a variance of at most m (1 - m)
/// d^2, up to d^2/4; a pair errs by half of that times the largest second derivative of sin(qr)/(qr) near r;
/// an error e of the distance adds e times the largest first derivative.
Eigen::MatrixXd debyeErrorBound(const PairHistogram& histogram, const Eigen::VectorXd& q);

/// The widest bins (angstrom) with which debyeErrorBound stays below `tolerance` times the number of pairs,
/// for distances that are spread like those of a ball of this diameter.
double widthForTolerance(double tolerance, double largestQ, double diameter);

/// Bins for the transform of a particle up to `largestQ`: as wide as `tolerance` allows, narrower where
/// `freeBins` of them take no longer, wider where they would be more than `mostBins`.
HistogramRequest requestForTolerance(const Structure& structure, double tolerance, double largestQ,
                                     int freeBins, int mostBins = 50000);

/// Positions of one kind after the other; kind k from first[k] to first[k + 1].
struct ByKind {
  std::vector<std::size_t> first;
  std::vector<Eigen::Vector3d> positions;
};
ByKind sortByKind(const Structure& structure);

/// Throws Error for a q that is negative or not finite.
void requireScattering(const Eigen::VectorXd& q);

/// Sums of sin(q r)/(q r) over the pairs of a particle that are closer than some distance, one by one.
struct ClosePairs {
  double range = 0;        ///< angstrom
  Eigen::MatrixXd values;  ///< (q, pairKind)
  Eigen::VectorXd counts;  ///< of pairs, [pairKind]
};

/// Tells `sink` the distances (angstrom, double precision) of all pairs closer than `range`, each once, many
/// at a time and those of a kind of pairs together; of a periodic structure those of its atoms as a particle.
/// The share `part` of `parts`. Time grows with N times the atoms within the range; no list of all pairs is
/// kept.
void forClosePairs(const Structure& structure, double range, int part, int parts,
                   const std::function<void(int pair, const std::vector<double>& distances)>& sink);

/// Empties the first `bins` bins and returns how many pairs they held, [pairKind].
Eigen::VectorXd takeOut(PairHistogram& histogram, int bins);

/// Adds what close pairs scatter to the sums over a histogram without them. `taken`: the pairs that were
/// taken out of it, to the same distance. Distances at the end of the range may have been rounded to its
/// other side: so many pairs as are then missing or too many count at that distance, which errs by no more
/// than the rounding.
void addClosePairs(const ClosePairs& close, const Eigen::VectorXd& taken, const Eigen::VectorXd& q,
                   Eigen::MatrixXd& sums);

}  // namespace prophet
