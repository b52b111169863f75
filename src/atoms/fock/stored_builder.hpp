#pragma once
#include <Eigen/Core>
#include <array>
#include <memory>
#include <vector>

#include "atoms/atom/symmetry.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/fock/fock_builder.hpp"
#include "atoms/integrals/pair_index.hpp"
#include "core/common/large_vector.hpp"
#include "core/common/threads.hpp"

namespace prophet {

/// The eight two-electron super-matrices of Hennessey (2018) over the triangle of pair indices, x[0] = X1 ...
/// x[7] = X8 (see SuperMatrixElement), each with PairIndex::elements() numbers in hartree.
struct SuperMatrices {
  std::array<LargeVector<double>, 8> x;
};

/// Exchange multipoles of every pair of symmetries, entry [a * n + b].
std::vector<ExchangeList> exchangeLists(const std::vector<Symmetry>& symmetries);

/// Bytes that SuperMatrices of this numbering take.
double superMatrixBytes(const PairIndex& index);

/// All elements, one index after the other, each as a sum over multipoles and terms: the reference for every
/// other implementation. Throws Error if memory does not suffice.
SuperMatrices computeSuperMatrices(const PrimitiveTable& table, const PairIndex& index, ThreadPool& pool);

/// The same to rounding by the polynomials of slater_polynomials.hpp, eight elements of a row at once.
SuperMatrices polynomialSuperMatrices(const PrimitiveTable& table, const PairIndex& index, ThreadPool& pool);

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

/// The density whose field makes the Q of an open spinor: sum over open j of openReduction(i, j) n_j j j^T.
struct OpenField {
  int symmetry = 0;  ///< of the spinor
  PairVectors density;
};

/// P (all pairs) from the density of all spinors, and for each entry of `open` its Q (the pairs of its
/// symmetry; the others stay zero) from stored super-matrices, as vectors over pairs: the reference
/// contraction. The digits do not depend on the threads.
void contractSuperMatrices(const SuperMatrices& matrices, const PairIndex& index, const PairVectors& total,
                           const std::vector<OpenField>& open, ThreadPool& pool, PairVectors& p,
                           std::vector<PairVectors>& q);

/// Fock matrices from the eight stored super-matrices of Hennessey (2018), computed once in the constructor.
class StoredFockBuilder : public FockBuilder {
 public:
  StoredFockBuilder(const BasisSet& basis, int threads);
  void build(const std::vector<OccupiedSpinors>& spinors, const Eigen::MatrixXd& openReduction,
             std::vector<BlockMatrix>& p, std::vector<BlockMatrix>& q) override;
  bool sumsOverPrimitives() const override { return true; }
  std::string name() const override { return "stored"; }

 private:
  PairIndex index_;
  ThreadPool pool_;
  SuperMatrices matrices_;
};

}  // namespace prophet
