#include "atoms/levels/level_engine.hpp"

#include <utility>

#include "core/common/index.hpp"
#include "core/linalg/dense.hpp"
#include "core/linalg/eigen_solver.hpp"

namespace prophet {
namespace {

/// V_bra^T T V_ket, T with these elements.
Eigen::MatrixXd transformed(const TransitionOperators& o, const Eigen::Ref<const Eigen::VectorXd>& elements,
                            const Eigen::MatrixXd& bra, const Eigen::MatrixXd& ket) {
  // The transposed vectors have the levels of a state side by side, in which the sparse product runs.
  const Eigen::MatrixXd states = ket.transpose();
  Eigen::MatrixXd product = Eigen::MatrixXd::Zero(ket.cols(), o.rows);
  for (std::size_t column = 0; column + 1 < o.starts.size(); ++column)
    for (int i = o.starts[column]; i < o.starts[column + 1]; ++i)
      product.col(o.places[usize(i)]) += elements(i) * states.col(static_cast<Eigen::Index>(column));
  const Eigen::MatrixXd others = bra.transpose();
  return multiply(others, false, product, true);
}

class HostProducts : public LevelProducts {
 public:
  explicit HostProducts(std::vector<BlockLevels> blocks) : blocks_(std::move(blocks)) {}

  TransitionElements elements(int bra, int ket, const TransitionOperators& o) override {
    const BlockLevels &a = blocks_[usize(bra)], &b = blocks_[usize(ket)];
    const bool electric = o.velocity.cols() > 0;
    const Eigen::ArrayXXd omega = b.energies.transpose().replicate(a.energies.size(), 1).array() -
                                  a.energies.replicate(1, b.energies.size()).array();
    TransitionElements sums{Eigen::MatrixXd::Zero(omega.rows(), omega.cols()), {}};
    if (electric) sums.velocity = sums.length;
    for (std::size_t n = 0; n < o.nodes.size(); ++n) {
      const auto column = static_cast<Eigen::Index>(n);
      const Eigen::ArrayXXd part = omega.unaryExpr([&](double w) { return lagrange(o.nodes, n, w * w); });
      const auto of = [&](const Eigen::MatrixXd& elements) {
        return transformed(o, elements.col(column), *a.vectors, *b.vectors);
      };
      sums.length.array() += part * of(o.charge).array();
      if (!electric) continue;
      sums.length.array() += part * omega * of(o.current).array();
      sums.velocity.array() += part * of(o.velocity).array();
    }
    if (electric) sums.velocity.array() = (omega == 0).select(0, sums.velocity.array() / omega);
    return sums;
  }

 private:
  std::vector<BlockLevels> blocks_;
};

class HostEngine : public LevelEngine {
 public:
  std::string name() const override { return "CPU"; }
  void eigenpairs(Eigen::MatrixXd& matrix, Eigen::Index count, Eigen::VectorXd& values,
                  Eigen::MatrixXd& vectors) override {
    EigenSolver().solve(matrix, 0, static_cast<int>(count), values, vectors);
  }
  std::unique_ptr<LevelProducts> productsOf(std::vector<BlockLevels> blocks) override {
    return std::make_unique<HostProducts>(std::move(blocks));
  }
};

}  // namespace

std::unique_ptr<LevelEngine> hostLevelEngine() { return std::make_unique<HostEngine>(); }

}  // namespace prophet
