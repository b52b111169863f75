#pragma once
#include <functional>
#include <vector>

#include "matter/pairs/debye_sums.hpp"

namespace prophet {

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
