#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/fock/fock_builder.hpp"
#include "atoms/integrals/pair_index.hpp"

namespace prophet {

/// Density (or Fock) blocks of all symmetries as vectors over pair indices (r >= s). For densities the LL and
/// SS entries carry the factor 2 - delta_rs of the two orders, and sr is 0 where r = s, so that every
/// super-matrix element multiplies exactly one entry.
struct PairVectors {
  Eigen::VectorXd ll, ss, rs, sr;  ///< D^LL, D^SS, D^LS_rs, D^LS_sr
  explicit PairVectors(std::int64_t pairs);
  void setZero();
  PairVectors& operator+=(const PairVectors& other);
};

/// Density of all spinors, each times its weight: one vector for each symmetry, an entry for each column.
PairVectors packDensity(const std::vector<OccupiedSpinors>& spinors,
                        const std::vector<Eigen::VectorXd>& weights, const PairIndex& index);

/// Unpacks the Fock blocks of symmetry `a`: ll, ss symmetric; LS_pq from rs and LS_qp from sr.
void unpackFock(const PairVectors& packed, const PairIndex& index, int a, BlockMatrix& block);

}  // namespace prophet
