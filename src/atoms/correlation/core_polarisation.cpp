#include "atoms/correlation/core_polarisation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "atoms/angular/angular.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

constexpr double kLeastResponse = 1e-11;  // of the amplitudes of first order
constexpr int kMostResponses = 150;

double phase(int twice) { return twice / 2 % 2 == 0 ? 1.0 : -1.0; }

/// (-1)^(j - j') of two symmetries.
double phase(Symmetry a, Symmetry b) { return phase(a.twoJ() - b.twoJ()); }

Eigen::VectorXd smallOf(const SymmetryOrbitals& s, Eigen::Index column) {
  return s.small.rows() > 0 ? Eigen::VectorXd(s.small.col(column)) : Eigen::VectorXd();
}

/// Whether <a||C^l||b> is not zero.
bool reaches(Symmetry a, int l, Symmetry b) {
  return (a.l() + b.l() + l) % 2 == 0 && 2 * l >= std::abs(a.twoJ() - b.twoJ()) &&
         2 * l <= a.twoJ() + b.twoJ();
}

/// All l that are so.
std::vector<int> ranks(Symmetry a, Symmetry b) {
  std::vector<int> list;
  for (int l = std::abs(a.twoJ() - b.twoJ()) / 2; 2 * l <= a.twoJ() + b.twoJ(); ++l)
    if (reaches(a, l, b)) list.push_back(l);
  return list;
}

/// Exchange of rank k between v and w by the potential of rank l of the pair b, w, or m, w:
/// (-1)^(k+l) {jv jw k; ji jo l} <v||C^l||o><i||C^l||w>, i and o the two others.
double exchangeFactor(int k, int l, Symmetry v, Symmetry w, Symmetry inner, Symmetry outer) {
  return ((k + l) % 2 == 0 ? 1.0 : -1.0) *
         wigner6j(v.twoJ(), w.twoJ(), 2 * k, inner.twoJ(), outer.twoJ(), 2 * l) * reducedC(v, l, outer) *
         reducedC(inner, l, w);
}

}  // namespace

CorePolarisation::CorePolarisation(const OrbitalSpace& space, SpinorOperator bare, double omega,
                                   ThreadPool& pool, const Checkpoint& checkpoint)
    : space_(space), bare_(std::move(bare)), omega_(omega) {
  const auto& all = space.symmetries();
  for (const SymmetryOrbitals& s : all)
    if (s.open > 0)
      throw Error("core polarisation is that of closed shells; found open ones: take the ion without them");
  for (std::size_t a = 0; a < all.size(); ++a)
    for (int i = 0; i < all[a].closed; ++i) {
      const std::size_t first = channels_.size();
      for (std::size_t n = 0; n < all.size(); ++n)
        if (bare_.couples(all[a].symmetry, all[n].symmetry) && all[n].virtuals() > 0) {
          channels_.push_back({static_cast<int>(a), i, static_cast<int>(n), count_, all[n].virtuals()});
          count_ += all[n].virtuals();
        }
      if (channels_.size() > first) closed_.push_back({static_cast<int>(a), i, first, channels_.size()});
      // The space lacks excitations to symmetries that it has not, or keeps for occupied spinors alone.
      for (int n = 0; n <= 2 * (all[a].symmetry.l() + bare_.rank + 1); ++n)
        if (bare_.couples(all[a].symmetry, Symmetry::fromIndex(n)) &&
            (usize(n) >= all.size() || all[usize(n)].virtuals() == 0))
          truncated_ = true;
    }
  if (count_ == 0)
    throw Error(
        fmt::format("core polarisation: no closed spinor has virtual ones that an operator of rank {} and {} "
                    "parity leads to; take virtual spinors of higher l",
                    bare_.rank, bare_.odd ? "odd" : "even"));
  inverse_.resize(2 * count_);
  bareCore_.resize(2 * count_);
  for (const Channel& c : channels_) {
    const SymmetryOrbitals &from = all[usize(c.core)], &to = all[usize(c.symmetry)];
    const auto gaps = from.energies(c.column) - to.energies.tail(c.count).array();
    if (gaps.maxCoeff() + std::abs(omega) >= 0)
      throw Error(
          fmt::format("core polarisation: the energy {:.6f} hartree suffices to excite {} of the core, which "
                      "then is no core; take that shell out of the closed ones",
                      std::abs(omega), from.label(c.column)));
    inverse_.segment(c.first, c.count) = (gaps - omega).inverse().matrix();
    inverse_.segment(count_ + c.first, c.count) = (gaps + omega).inverse().matrix();
    const SpinorFunctions a = functionsOf(space, c.core, c.column, 1),
                          n = functionsOf(space, c.symmetry, to.occupied(), c.count);
    bareCore_.segment(c.first, c.count) = bare_.elements(a, n).transpose();
    bareCore_.segment(count_ + c.first, c.count) = phase(to.symmetry, from.symmetry) * bare_.elements(n, a);
  }
  solve(pool, checkpoint);
}

std::array<CorePolarisation::Changes, 2> CorePolarisation::changesOf(const Eigen::VectorXd& amplitudes,
                                                                     ThreadPool& pool) const {
  const auto count = static_cast<Eigen::Index>(channels_.size());
  const bool hasSmall = space_.symmetries().front().small.rows() > 0;
  std::array<Changes, 2> both;
  for (Changes& changes : both) {
    changes.large.resize(space_.points(), count);
    changes.small.resize(hasSmall ? space_.points() : 0, count);
  }
  pool.forEach(2 * static_cast<int>(count), [&](int task, int) {
    const Channel& c = channels_[usize(task / 2)];
    const SymmetryOrbitals& to = space_.symmetries()[usize(c.symmetry)];
    const auto own = amplitudes.segment(task % 2 * count_ + c.first, c.count);
    Changes& changes = both[usize(task % 2)];
    changes.large.col(task / 2).noalias() = to.large.rightCols(c.count) * own;
    if (hasSmall) changes.small.col(task / 2).noalias() = to.small.rightCols(c.count) * own;
  });
  return both;
}

Eigen::VectorXd CorePolarisation::directPotential(const Changes& absorbed, const Changes& emitted) const {
  Eigen::VectorXd density = Eigen::VectorXd::Zero(space_.points());
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const Channel& c = channels_[i];
    const double angular = reducedC(symmetryOf(c.core), bare_.rank, symmetryOf(c.symmetry));
    if (angular == 0) continue;
    const SymmetryOrbitals& from = space_.symmetries()[usize(c.core)];
    const auto column = static_cast<Eigen::Index>(i);
    density += angular *
               from.large.col(c.column).cwiseProduct(absorbed.large.col(column) + emitted.large.col(column));
    if (from.small.rows() > 0)
      density += angular * from.small.col(c.column).cwiseProduct(absorbed.small.col(column) +
                                                                 emitted.small.col(column));
  }
  if ((density.array() == 0).all()) return density;
  return space_.potentials(bare_.rank, density) / (2 * bare_.rank + 1);
}

std::vector<Eigen::MatrixXd> CorePolarisation::potentialsWithClosed(const Eigen::VectorXd& large,
                                                                    const Eigen::VectorXd& small,
                                                                    Symmetry ket) const {
  std::vector<Eigen::MatrixXd> list;
  for (const Closed& c : closed_) {
    const SymmetryOrbitals& from = space_.symmetries()[usize(c.symmetry)];
    Eigen::MatrixXd density = large.cwiseProduct(from.large.col(c.column));
    if (small.rows() > 0) density += small.cwiseProduct(from.small.col(c.column));
    const std::vector<int> own = ranks(from.symmetry, ket);
    list.emplace_back(space_.points(), own.size());
    for (std::size_t i = 0; i < own.size(); ++i)
      list.back().col(static_cast<Eigen::Index>(i)) = space_.potentials(own[i], density);
  }
  return list;
}

std::vector<CorePolarisation::FieldOn> CorePolarisation::fieldsOn(
    const Eigen::VectorXd& large, const Eigen::VectorXd& small, Symmetry ket,
    const std::vector<Symmetry>& bras, const Eigen::VectorXd& direct,
    const std::vector<Eigen::MatrixXd>& withClosed, const Changes& absorbed, const Changes& emitted) const {
  const int k = bare_.rank;
  const bool hasSmall = small.rows() > 0;
  std::vector<FieldOn> fields;
  for (const Symmetry bra : bras) {
    const double angular = reducedC(bra, k, ket);
    fields.push_back({angular * direct.cwiseProduct(large),
                      hasSmall ? Eigen::VectorXd(angular * direct.cwiseProduct(small)) : Eigen::VectorXd()});
  }
  // `potentials`: of the pairs with w, a column for each of these channels, or one for all of them where a
  // closed spinor is in the pair.
  const auto addExchange = [&](const std::vector<Eigen::Index>& list, bool isAbsorbed, int l,
                               const Eigen::MatrixXd& potentials) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Channel& c = channels_[usize(list[i])];
      const Symmetry b = symmetryOf(c.core), m = symmetryOf(c.symmetry);
      const Symmetry inner = isAbsorbed ? m : b, outer = isAbsorbed ? b : m;
      const SymmetryOrbitals& from = space_.symmetries()[usize(c.core)];
      const auto potential = potentials.col(isAbsorbed ? static_cast<Eigen::Index>(i) : 0);
      for (std::size_t v = 0; v < bras.size(); ++v) {
        if (!reaches(bras[v], l, outer)) continue;
        const double factor =
            (isAbsorbed ? phase(m, b) : 1.0) * exchangeFactor(k, l, bras[v], ket, inner, outer);
        if (factor == 0) continue;
        if (isAbsorbed) {
          fields[v].large += factor * potential.cwiseProduct(from.large.col(c.column));
          if (hasSmall) fields[v].small += factor * potential.cwiseProduct(from.small.col(c.column));
        } else {
          fields[v].large += factor * potential.cwiseProduct(emitted.large.col(list[i]));
          if (hasSmall) fields[v].small += factor * potential.cwiseProduct(emitted.small.col(list[i]));
        }
      }
    }
  };
  // The changed functions of one symmetry make potentials with w, in which closed spinors stand.
  const auto& all = space_.symmetries();
  for (std::size_t m = 0; m < all.size(); ++m) {
    std::vector<Eigen::Index> list;
    for (std::size_t i = 0; i < channels_.size(); ++i)
      if (usize(channels_[i].symmetry) == m) list.push_back(static_cast<Eigen::Index>(i));
    if (list.empty()) continue;
    Eigen::MatrixXd density = large.asDiagonal() * absorbed.large(Eigen::all, list);
    if (hasSmall) density += small.asDiagonal() * absorbed.small(Eigen::all, list);
    for (const int l : ranks(all[m].symmetry, ket)) addExchange(list, true, l, space_.potentials(l, density));
  }
  // Closed spinors make potentials with w, in which changed functions stand.
  for (std::size_t b = 0; b < closed_.size(); ++b) {
    std::vector<Eigen::Index> list;
    for (std::size_t i = closed_[b].first; i < closed_[b].end; ++i)
      list.push_back(static_cast<Eigen::Index>(i));
    Eigen::Index rank = 0;
    for (const int l : ranks(symmetryOf(closed_[b].symmetry), ket))
      addExchange(list, false, l, withClosed[b].col(rank++));
  }
  return fields;
}

/// What the amplitudes add to t'_an, and to t'_na times (-1)^(jn-ja). Elements of t'_na are fields on a;
/// those of t'_an are the same with both kinds of amplitudes exchanged, because of the symmetry of the
/// interaction.
Eigen::VectorXd CorePolarisation::coupled(const Eigen::VectorXd& amplitudes,
                                          const std::vector<std::vector<Eigen::MatrixXd>>& between,
                                          ThreadPool& pool) const {
  const std::array<Changes, 2> changes = changesOf(amplitudes, pool);
  const Eigen::VectorXd direct = directPotential(changes[0], changes[1]);
  Eigen::VectorXd sum(2 * count_);
  pool.forEach(2 * static_cast<int>(closed_.size()), [&](int task, int) {
    const Closed& a = closed_[usize(task / 2)];
    const auto kind = usize(task % 2);  // 0: t'_an
    std::vector<Symmetry> bras;
    for (std::size_t i = a.first; i < a.end; ++i) bras.push_back(symmetryOf(channels_[i].symmetry));
    const SymmetryOrbitals& from = space_.symmetries()[usize(a.symmetry)];
    const std::vector<FieldOn> fields =
        fieldsOn(from.large.col(a.column), smallOf(from, a.column), from.symmetry, bras, direct,
                 between[usize(task / 2)], changes[1 - kind], changes[kind]);
    for (std::size_t v = 0; v < bras.size(); ++v) {
      const Channel& c = channels_[a.first + v];
      const SymmetryOrbitals& to = space_.symmetries()[usize(c.symmetry)];
      Eigen::VectorXd elements = to.large.rightCols(c.count).transpose() * fields[v].large;
      if (to.small.rows() > 0) elements += to.small.rightCols(c.count).transpose() * fields[v].small;
      sum.segment(static_cast<Eigen::Index>(kind) * count_ + c.first, c.count) =
          phase(to.symmetry, from.symmetry) * elements;
    }
  });
  return sum;
}

/// z - D C z = D t by the generalised minimal residual (Y. Saad and M. H. Schultz, SIAM J. Sci. Stat. Comput.
/// 7, 856 (1986)) without restarts: z the amplitudes, D one over the energies, C coupled().
void CorePolarisation::solve(ThreadPool& pool, const Checkpoint& checkpoint) {
  const Eigen::VectorXd right = inverse_.cwiseProduct(bareCore_);
  const double norm = right.norm();
  Eigen::VectorXd amplitudes = right;
  if (norm > 0) {
    std::vector<std::vector<Eigen::MatrixXd>> between(closed_.size());
    pool.forEach(static_cast<int>(closed_.size()), [&](int i, int) {
      const Closed& a = closed_[usize(i)];
      const SymmetryOrbitals& from = space_.symmetries()[usize(a.symmetry)];
      between[usize(i)] =
          potentialsWithClosed(from.large.col(a.column), smallOf(from, a.column), from.symmetry);
    });
    std::vector<Eigen::VectorXd> basis = {right / norm};
    Eigen::MatrixXd projected = Eigen::MatrixXd::Zero(kMostResponses + 1, kMostResponses);
    double residual = std::numeric_limits<double>::infinity();
    while (residual > kLeastResponse) {
      pass(checkpoint);
      if (iterations_ == kMostResponses)
        throw NotConvergedError(fmt::format(
            "core polarisation: the response of the core to an operator of rank {} did not converge in {} "
            "iterations (residual {:.1e}): its closed shells are not stable, or the frequency {:.6f} hartree "
            "excites them; take outer shells out of the closed ones",
            bare_.rank, iterations_, residual, omega_));
      const auto last = static_cast<Eigen::Index>(basis.size()) - 1;
      Eigen::VectorXd next = basis.back() - inverse_.cwiseProduct(coupled(basis.back(), between, pool));
      for (int twice = 0; twice < 2; ++twice)
        for (Eigen::Index i = 0; i <= last; ++i) {
          const double share = basis[usize(i)].dot(next);
          projected(i, last) += share;
          next -= share * basis[usize(i)];
        }
      const double rest = next.norm();
      projected(last + 1, last) = rest;
      ++iterations_;
      const Eigen::MatrixXd own = projected.topLeftCorner(last + 2, last + 1);
      const Eigen::VectorXd wanted = norm * Eigen::VectorXd::Unit(last + 2, 0);
      const Eigen::VectorXd parts = leastSquares(own, wanted);
      residual = (own * parts - wanted).norm() / norm;
      if (residual <= kLeastResponse || rest == 0) {
        amplitudes.setZero();
        for (Eigen::Index i = 0; i <= last; ++i) amplitudes += parts(i) * basis[usize(i)];
        break;
      }
      basis.emplace_back(next / rest);
    }
  }
  susceptibility_ = -bareCore_.dot(amplitudes) / (2 * bare_.rank + 1);
  std::array<Changes, 2> changes = changesOf(amplitudes, pool);
  absorbed_ = std::move(changes[0]);
  emitted_ = std::move(changes[1]);
}

Eigen::MatrixXd CorePolarisation::correction(const SpinorFunctions& bra, const SpinorFunctions& ket) const {
  Eigen::MatrixXd elements = Eigen::MatrixXd::Zero(bra.count(), ket.count());
  if (!bare_.couples(bra.symmetry, ket.symmetry)) return elements;
  const Eigen::VectorXd direct = directPotential(absorbed_, emitted_);
  const bool hasSmall = ket.small.rows() > 0;
  for (Eigen::Index w = 0; w < ket.count(); ++w) {
    const Eigen::VectorXd large = ket.large.col(w),
                          small = hasSmall ? Eigen::VectorXd(ket.small.col(w)) : Eigen::VectorXd();
    const FieldOn field = fieldsOn(large, small, ket.symmetry, {bra.symmetry}, direct,
                                   potentialsWithClosed(large, small, ket.symmetry), absorbed_, emitted_)
                              .front();
    elements.col(w) = bra.large.transpose() * field.large;
    if (hasSmall) elements.col(w) += bra.small.transpose() * field.small;
  }
  return elements;
}

Eigen::MatrixXd CorePolarisation::dressed(const SpinorFunctions& bra, const SpinorFunctions& ket) const {
  return bare_.elements(bra, ket) + correction(bra, ket);
}

}  // namespace prophet
