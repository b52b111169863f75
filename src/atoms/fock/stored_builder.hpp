#pragma once
#include <memory>

#include "atoms/atom/symmetry.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/fock/fock_builder.hpp"
#include "atoms/fock/pair_density.hpp"
#include "atoms/fock/super_matrices.hpp"
#include "core/common/thread_pool.hpp"

namespace prophet {

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
