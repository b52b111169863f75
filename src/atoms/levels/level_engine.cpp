#include "atoms/levels/level_engine.hpp"

#include <cmath>
#include <utility>

#include "atoms/levels/determinant_space.hpp"
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

class HostMatrices : public LevelMatrices {
 public:
  HostMatrices(const LevelBlock& block, const std::vector<const ElectronOperator*>& operators,
               int configurations)
      : matrices_(prophet::matricesOf(block, operators)), own_(usize(configurations)) {
    for (Eigen::Index s = 0; s < block.size(); ++s) own_[usize(block.configurations[usize(s)])].push_back(s);
  }
  Eigen::Index size() const override { return matrices_.front().rows(); }

  void eigenpairs(const Eigen::VectorXd& x, Eigen::Index count, Eigen::VectorXd& values,
                  Eigen::MatrixXd& vectors) override {
    if (basis_.size() == 0) {
      Eigen::MatrixXd m = at(x);
      EigenSolver().solve(m, 0, static_cast<int>(count), values, vectors);
      return;
    }
    Eigen::MatrixXd m = low_.front();
    for (std::size_t p = 1; p < low_.size(); ++p) m += x(static_cast<Eigen::Index>(p) - 1) * low_[p];
    Eigen::MatrixXd low;
    EigenSolver().solve(m, 0, static_cast<int>(count), values, low);
    vectors = multiply(basis_, false, low, false);
  }

  std::optional<double> lowestOf(const Eigen::VectorXd& x, int configuration) override {
    const auto& states = own_[usize(configuration)];
    if (states.empty()) return {};
    return EigenSolver().values(at(x)(states, states), 0, 1)(0);
  }

  void restrictTo(const Eigen::VectorXd& x, Eigen::Index count) override {
    low_.clear();
    basis_.resize(0, 0);
    if (count >= size()) return;
    Eigen::MatrixXd m = at(x);
    Eigen::VectorXd values;
    EigenSolver().solve(m, 0, static_cast<int>(count), values, basis_);
    for (const Eigen::MatrixXd& o : matrices_)
      low_.push_back(multiply(basis_, true, multiply(o, false, basis_, false), false));
    for (const auto& states : own_) {
      const Eigen::MatrixXd part = basis_(states, Eigen::all);
      low_.push_back(multiply(part, true, part, false));
    }
  }

  Eigen::MatrixXd slopes(const Eigen::MatrixXd& vectors) override {
    return responses({}, vectors, {}).slopes;
  }

  LevelResponses responses(const Eigen::VectorXd& values, const Eigen::MatrixXd& vectors,
                           const Eigen::MatrixXd& changes) override {
    LevelResponses made{Eigen::MatrixXd(vectors.cols(), parameters()), {}};
    // What the Hamiltonians differ by, between the levels.
    std::vector<Eigen::MatrixXd> differences(usize(changes.cols()),
                                             Eigen::MatrixXd::Zero(vectors.cols(), vectors.cols()));
    each(vectors, [&](Eigen::Index p, const Eigen::MatrixXd& left, const Eigen::MatrixXd& right) {
      made.slopes.col(p) = left.cwiseProduct(right).colwise().sum().transpose();
      if (differences.empty()) return;
      const Eigen::MatrixXd between = multiply(left, true, right, false);
      for (Eigen::Index k = 0; k < changes.cols(); ++k) differences[usize(k)] += changes(p, k) * between;
    });
    for (Eigen::MatrixXd& d : differences) {
      made.moved.push_back(multiply(vectors, false, turned(std::move(d), values), false));
      made.moved.back().colwise().normalize();
    }
    return made;
  }

 private:
  Eigen::Index parameters() const { return static_cast<Eigen::Index>(matrices_.size() - 1 + own_.size()); }
  Eigen::MatrixXd at(const Eigen::VectorXd& x) const {
    Eigen::MatrixXd m = matrices_.front();
    if (x.size() == 0) return m;
    Eigen::Index p = 0;
    for (std::size_t o = 1; o < matrices_.size(); ++o) m += x(p++) * matrices_[o];
    for (const auto& states : own_) {
      for (const Eigen::Index s : states) m(s, s) += x(p);
      ++p;
    }
    return m;
  }
  /// Hands on two matrices for each entry of x, columns of which the products are its elements between
  /// vectors.
  template <class Take>
  void each(const Eigen::MatrixXd& vectors, Take take) const {
    Eigen::Index p = 0;
    for (std::size_t o = 1; o < matrices_.size(); ++o)
      take(p++, vectors, multiply(matrices_[o], false, vectors, false));
    for (const auto& states : own_) {
      const Eigen::MatrixXd part = vectors(states, Eigen::all);
      take(p++, part, part);
    }
  }

  std::vector<Eigen::MatrixXd> matrices_;
  std::vector<std::vector<Eigen::Index>> own_;  ///< states of each configuration
  Eigen::MatrixXd basis_;                       ///< no elements: all states
  std::vector<Eigen::MatrixXd> low_;            ///< between its columns: matrices, then configurations
};

class HostEngine : public LevelEngine {
 public:
  std::string name() const override { return "CPU"; }
  void eigenpairs(Eigen::MatrixXd& matrix, Eigen::Index count, Eigen::VectorXd& values,
                  Eigen::MatrixXd& vectors) override {
    EigenSolver().solve(matrix, 0, static_cast<int>(count), values, vectors);
  }
  std::unique_ptr<LevelMatrices> matricesOf(const LevelBlock& block,
                                            const std::vector<const ElectronOperator*>& operators,
                                            int configurations) override {
    return std::make_unique<HostMatrices>(block, operators, configurations);
  }
  std::unique_ptr<LevelProducts> productsOf(std::vector<BlockLevels> blocks) override {
    return std::make_unique<HostProducts>(std::move(blocks));
  }
};

}  // namespace

Eigen::MatrixXd turned(Eigen::MatrixXd between, const Eigen::VectorXd& values) {
  for (Eigen::Index i = 0; i < between.cols(); ++i)
    for (Eigen::Index j = 0; j < between.rows(); ++j)
      if (double& d = between(j, i); i == j)
        d = 1;
      else if (d != 0)
        d = 0.5 * std::atan(2 * d / (values(i) - values(j)));
  return between;
}

std::unique_ptr<LevelEngine> hostLevelEngine() { return std::make_unique<HostEngine>(); }

}  // namespace prophet
