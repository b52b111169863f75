#include "atoms/levels/level_engine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "atoms/configurations/determinant_space.hpp"
#include "core/common/index.hpp"
#include "core/common/memory.hpp"
#include "core/common/shared_room.hpp"
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

struct HostStates : LevelStates {
  Eigen::Index states() const override { return own.rows(); }
  Eigen::Index levels() const override { return own.cols(); }
  const Eigen::MatrixXd& vectors() const override { return own; }
  const std::vector<Eigen::MatrixXd>& moved() const override { return others; }

  Eigen::MatrixXd own;
  std::vector<Eigen::MatrixXd> others;
};

/// Root mean square of what log10 of the squares of an element changes by in other vectors.
double spreadOf(const std::vector<Eigen::MatrixXd>& moved, double own, Eigen::Index i, Eigen::Index j) {
  double sum = 0;
  for (const Eigen::MatrixXd& m : moved) {
    const double change = 2 * std::log10(std::abs(m(i, j) / own));
    if (!std::isnan(change)) sum += std::pow(std::clamp(change, -kMostSpread, kMostSpread), 2);
  }
  return std::sqrt(sum / static_cast<double>(moved.size()));
}

class HostProducts : public LevelProducts {
 public:
  explicit HostProducts(std::vector<BlockLevels> blocks) : blocks_(std::move(blocks)) {}

  ChosenLines lines(int bra, int ket, const TransitionOperators& o, const LineChoice& choice) override {
    const BlockLevels &a = blocks_[usize(bra)], &b = blocks_[usize(ket)];
    const Eigen::ArrayXXd omega = b.energies.transpose().replicate(a.energies.size(), 1).array() -
                                  a.energies.replicate(1, b.energies.size()).array();
    const Elements e = elements(a, b, o, omega);
    const Eigen::ArrayXXd gf =
        choice.gfOfStrength * e.length.array().square() * omega.abs().pow(choice.power);
    const auto each = [&](auto take) {
      for (Eigen::Index j = 0; j < omega.cols(); ++j)
        for (Eigen::Index i = bra == ket ? j + 1 : 0; i < omega.rows(); ++i)
          if (omega(i, j) != 0) take(i, j);
    };
    double largest = 0;
    each([&](Eigen::Index i, Eigen::Index j) { largest = std::max(largest, gf(i, j)); });
    const double least = std::min(choice.leastGf, choice.share * largest);
    ChosenLines chosen;
    chosen.belowBra = Eigen::VectorXd::Zero(omega.rows());
    chosen.belowKet = Eigen::VectorXd::Zero(omega.cols());
    std::vector<Eigen::MatrixXd> moved;
    for (std::size_t k = 0; k < a.states->moved().size(); ++k)
      moved.push_back(transformed(o, o.charge.col(0), a.states->moved()[k], b.states->moved()[k]));
    each([&](Eigen::Index i, Eigen::Index j) {
      if (gf(i, j) < least) {
        (omega(i, j) > 0 ? chosen.belowKet(j) : chosen.belowBra(i)) += omega(i, j) * omega(i, j) * gf(i, j);
        return;
      }
      chosen.bra.push_back(static_cast<int>(i));
      chosen.ket.push_back(static_cast<int>(j));
      chosen.length.push_back(e.length(i, j));
      if (e.velocity.size() > 0) chosen.velocity.push_back(e.velocity(i, j));
      if (!moved.empty()) chosen.spread.push_back(spreadOf(moved, e.atLongWaves(i, j), i, j));
    });
    return chosen;
  }

 private:
  /// Reduced elements, each at the energy of its own line but for those of the length gauge at long waves.
  struct Elements {
    Eigen::MatrixXd length, velocity, atLongWaves;
  };
  static Elements elements(const BlockLevels& a, const BlockLevels& b, const TransitionOperators& o,
                           const Eigen::ArrayXXd& omega) {
    const bool electric = o.velocity.cols() > 0;
    Elements sums{Eigen::MatrixXd::Zero(omega.rows(), omega.cols()), {}, {}};
    if (electric) sums.velocity = sums.length;
    for (std::size_t n = 0; n < o.nodes.size(); ++n) {
      const auto column = static_cast<Eigen::Index>(n);
      const Eigen::ArrayXXd part = omega.unaryExpr([&](double w) { return lagrange(o.nodes, n, w * w); });
      const auto of = [&](const Eigen::MatrixXd& elements) {
        return transformed(o, elements.col(column), a.states->vectors(), b.states->vectors());
      };
      Eigen::MatrixXd charge = of(o.charge);
      sums.length.array() += part * charge.array();
      if (n == 0) sums.atLongWaves = std::move(charge);
      if (!electric) continue;
      sums.length.array() += part * omega * of(o.current).array();
      sums.velocity.array() += part * of(o.velocity).array();
    }
    if (electric) sums.velocity.array() = (omega == 0).select(0, sums.velocity.array() / omega);
    return sums;
  }

  std::vector<BlockLevels> blocks_;
};

/// Angles by which each level (columns) turns to each other one where the Hamiltonian changes by `between`
/// them.
Eigen::MatrixXd turned(Eigen::MatrixXd between, const Eigen::VectorXd& values) {
  for (Eigen::Index i = 0; i < between.cols(); ++i)
    for (Eigen::Index j = 0; j < between.rows(); ++j)
      if (double& d = between(j, i); i == j)
        d = 1;
      else if (d != 0)
        d = 0.5 * std::atan(2 * d / (values(i) - values(j)));
  return between;
}

class HostMatrices : public LevelMatrices {
 public:
  HostMatrices(const LevelBlock& block, const std::vector<const ElectronOperator*>& operators,
               int configurations)
      : matrices_(prophet::matricesOf(block, operators)), own_(usize(configurations)) {
    for (Eigen::Index s = 0; s < block.size(); ++s) own_[usize(block.configurations[usize(s)])].push_back(s);
  }
  Eigen::Index size() const override { return matrices_.front().rows(); }

  Eigen::VectorXd solve(const Eigen::VectorXd& x, Eigen::Index count) override {
    Eigen::MatrixXd m = basis_.size() == 0 ? at(x) : low_.front();
    for (std::size_t p = 1; p < low_.size(); ++p) m += x(static_cast<Eigen::Index>(p) - 1) * low_[p];
    found_ = std::make_shared<HostStates>();
    EigenSolver().solve(m, 0, static_cast<int>(count), values_, found_->own);
    if (basis_.size() > 0) found_->own = multiply(basis_, false, found_->own, false);
    return values_;
  }

  Eigen::MatrixXd slopes(const std::vector<int>& levels) override {
    return slopesOf(found_->own(Eigen::all, levels), [](Eigen::Index, const auto&, const auto&) {});
  }

  Eigen::MatrixXd shares() override {
    Eigen::MatrixXd shares(static_cast<Eigen::Index>(own_.size()), found_->own.cols());
    for (std::size_t c = 0; c < own_.size(); ++c)
      shares.row(static_cast<Eigen::Index>(c)) = found_->own(own_[c], Eigen::all).colwise().squaredNorm();
    return shares;
  }

  Eigen::MatrixXd overlaps(const std::vector<int>& states, const Eigen::MatrixXd& vectors) override {
    return multiply(vectors, true, found_->own(states, Eigen::all), false);
  }

  Eigen::MatrixXd move(const Eigen::MatrixXd& changes) override {
    const Eigen::MatrixXd& vectors = found_->own;
    // What the Hamiltonians differ by, between the levels.
    std::vector<Eigen::MatrixXd> differences(usize(changes.cols()),
                                             Eigen::MatrixXd::Zero(vectors.cols(), vectors.cols()));
    const auto add = [&](Eigen::Index p, const Eigen::MatrixXd& left, const Eigen::MatrixXd& right) {
      if (differences.empty()) return;
      const Eigen::MatrixXd between = multiply(left, true, right, false);
      for (Eigen::Index k = 0; k < changes.cols(); ++k) differences[usize(k)] += changes(p, k) * between;
    };
    Eigen::MatrixXd slopes = slopesOf(vectors, add);
    found_->others.clear();
    for (Eigen::MatrixXd& d : differences) {
      found_->others.push_back(multiply(vectors, false, turned(std::move(d), values_), false));
      found_->others.back().colwise().normalize();
    }
    return slopes;
  }

  std::shared_ptr<const LevelStates> states() const override { return found_; }

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

 private:
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
  /// Expectation values, vectors x entries of x. Hands on two matrices for each entry of x, columns of which
  /// the products are its elements between the vectors.
  template <class Take>
  Eigen::MatrixXd slopesOf(const Eigen::MatrixXd& vectors, Take take) const {
    Eigen::MatrixXd slopes(vectors.cols(), static_cast<Eigen::Index>(matrices_.size() - 1 + own_.size()));
    Eigen::Index p = 0;
    const auto add = [&](const Eigen::MatrixXd& left, const Eigen::MatrixXd& right) {
      slopes.col(p) = left.cwiseProduct(right).colwise().sum().transpose();
      take(p++, left, right);
    };
    for (std::size_t o = 1; o < matrices_.size(); ++o)
      add(vectors, multiply(matrices_[o], false, vectors, false));
    for (const auto& states : own_) {
      const Eigen::MatrixXd part = vectors(states, Eigen::all);
      add(part, part);
    }
    return slopes;
  }

  std::vector<Eigen::MatrixXd> matrices_;
  std::vector<std::vector<Eigen::Index>> own_;  ///< states of each configuration
  Eigen::MatrixXd basis_;                       ///< no elements: all states
  std::vector<Eigen::MatrixXd> low_;            ///< between its columns: matrices, then configurations
  Eigen::VectorXd values_;                      ///< found last
  std::shared_ptr<HostStates> found_;
};

class HostLevelEngine : public LevelEngine {
 public:
  std::string name() const override { return "CPU"; }
  std::shared_ptr<LevelEngine> part(double bytes) override { return {room_.take(bytes), this}; }
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

 private:
  SharedRoom room_{0.5 * availableMemory()};  // the rest: what blocks take while they are solved
};

}  // namespace

std::shared_ptr<const LevelStates> hostStates(Eigen::MatrixXd vectors, std::vector<Eigen::MatrixXd> moved) {
  const auto made = std::make_shared<HostStates>();
  made->own = std::move(vectors);
  made->others = std::move(moved);
  return made;
}

std::unique_ptr<LevelEngine> hostLevelEngine() { return std::make_unique<HostLevelEngine>(); }

}  // namespace prophet
