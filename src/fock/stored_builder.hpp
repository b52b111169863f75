#pragma once
#include <memory>

#include "atom/symmetry.hpp"
#include "basis/basis_set.hpp"
#include "common/thread_pool.hpp"
#include "fock/fock_builder.hpp"
#include "fock/pair_density.hpp"
#include "fock/super_matrices.hpp"

namespace prophet {

/// P and Q (as vectors over pairs) from stored super-matrices: the reference contraction.
/// `openOfSymmetry[a]`: whether symmetry a has an open spinor; `defect`: FockBuilder's exchangeDefect.
/// q is only formed between open symmetries. The digits do not depend on the threads.
void contractSuperMatrices(const SuperMatrices& matrices, const PairIndex& index, const PairVectors& total,
                           const PairVectors& open, const std::vector<bool>& openOfSymmetry,
                           const Eigen::MatrixXd& defect, ThreadPool& pool, PairVectors& p, PairVectors& q);

/// Fock matrices from the eight stored super-matrices of the thesis, computed once in the constructor.
class StoredFockBuilder : public FockBuilder {
 public:
  StoredFockBuilder(const BasisSet& basis, int threads);
  void build(const std::vector<OccupiedSpinors>& spinors, const Eigen::MatrixXd& exchangeDefect,
             std::vector<BlockMatrix>& p, std::vector<BlockMatrix>& q) override;
  std::string name() const override { return "stored"; }

 private:
  PairIndex index_;
  ThreadPool pool_;
  SuperMatrices matrices_;
};

}  // namespace prophet
