#pragma once
#include <memory>

#include "atom/symmetry.hpp"
#include "basis/basis_set.hpp"
#include "fock/fock_builder.hpp"
#include "fock/pair_density.hpp"
#include "fock/super_matrices.hpp"

namespace prophet {

/// P and Q (as vectors over pairs) from stored super-matrices: the reference contraction.
/// `openOfSymmetry[a]`: whether symmetry a has an open spinor; `defect`: FockBuilder's exchangeDefect.
/// q is only formed between open symmetries.
void contractSuperMatrices(const SuperMatrices& matrices, const PairIndex& index, const PairVectors& total,
                           const PairVectors& open, const std::vector<bool>& openOfSymmetry,
                           const Eigen::MatrixXd& defect, int threads, PairVectors& p, PairVectors& q);

/// Fock matrices from the eight stored super-matrices of the thesis, computed once in the constructor.
class StoredFockBuilder : public FockBuilder {
 public:
  StoredFockBuilder(const BasisSet& basis, int threads);
  void build(const std::vector<OccupiedSpinors>& spinors, const Eigen::MatrixXd& exchangeDefect,
             std::vector<BlockMatrix>& p, std::vector<BlockMatrix>& q) override;
  std::string name() const override { return "stored"; }

 private:
  PairIndex index_;
  SuperMatrices matrices_;
  int threads_;
};

}  // namespace prophet
