#include "atoms/core_valence/core_response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "atoms/angular/angular.hpp"
#include "core/common/error.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/dense.hpp"
#include "core/linalg/eigen_solver.hpp"

namespace prophet {
namespace {

constexpr const char* kUnstable =
    "the core is not stable against its own excitations to all orders: 'core_rings' second takes those of "
    "second order alone";

}  // namespace

CoreResponse::CoreResponse(const ValenceSpace& space, const CoreExcitations& excitations, ThreadPool& pool)
    : space_(space), pool_(pool), products_(excitations.products), particles_(excitations.particles) {
  for (const ActiveSpinor& a : space.holes)
    if (a.energy > -kDeepest)
      holes_.push_back(
          {functionsOf(space.orbitals, a.symmetry, a.column, 1), Eigen::VectorXd::Constant(1, a.energy)});
  for (const ExcitedSpinors& a : holes_) dressedHoles_.push_back(dressed(a));
  for (const ExcitedSpinors& n : particles_) dressedParticles_.push_back(dressed(n));
  makeRanks();
}

void CoreResponse::makeRanks() {
  int most = 0;
  for (const ExcitedSpinors& a : holes_)
    for (const ExcitedSpinors& n : particles_)
      most = std::max(most, (a.symmetry.twoJ() + n.symmetry.twoJ()) / 2);
  ranks_.resize(usize(most) + 1);
  std::vector<Eigen::MatrixXd> sums(ranks_.size()), differences(ranks_.size());
  for (std::size_t k = 0; k < ranks_.size(); ++k) {
    Rank& r = ranks_[k];
    Eigen::Index first = 0;
    for (std::size_t a = 0; a < holes_.size(); ++a)
      for (std::size_t n = 0; n < particles_.size(); ++n)
        if (reducedC(holes_[a].symmetry, static_cast<int>(k), particles_[n].symmetry) != 0) {
          r.channels.push_back({a, n, first});
          first += particles_[n].count();
        }
    r.gaps.resize(first);
    for (const Channel& c : r.channels)
      r.gaps.segment(c.first, particles_[c.particle].count()) =
          particles_[c.particle].energies.array() - holes_[c.hole].energies(0);
    sums[k] = r.gaps.asDiagonal();
    differences[k] = sums[k];
  }
  for (std::size_t b = 0; b < holes_.size(); ++b)
    for (std::size_t m = 0; m < particles_.size(); ++m)
      for (const Vertices& v : vertices(dressedHoles_[b], dressedParticles_[m], pool_))
        for (const Channel& c : ranks_[usize(v.k)].channels)
          if (c.hole == b && c.particle == m) {
            sums[usize(v.k)].middleRows(c.first, particles_[m].count()) += v.plus / (2 * v.k + 1);
            differences[usize(v.k)].middleRows(c.first, particles_[m].count()) -= v.minus / (2 * v.k + 1);
          }
  pool_.forEach(static_cast<int>(ranks_.size()), [&](int k, int) {
    solve(ranks_[usize(k)], std::move(sums[usize(k)]), std::move(differences[usize(k)]));
  });
}

/// (A - B)(A + B)(X + Y) = omega^2 (X + Y), with (X + Y)^T (X - Y) = 1.
void CoreResponse::solve(Rank& rank, Eigen::MatrixXd sum, Eigen::MatrixXd difference) const {
  if (rank.size() == 0) return;
  if (!choleskyInPlace(difference)) throw NotConvergedError(kUnstable);
  Eigen::MatrixXd square = multiply(difference, true, multiply(sum, false, difference, false), false);
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
  EigenSolver().solve(square, 0, static_cast<int>(rank.size()), values, vectors);
  if (!(values.minCoeff() > 0)) throw NotConvergedError(kUnstable);
  rank.modes = values.cwiseSqrt();
  rank.sum = multiply(difference, false, vectors, false) * rank.modes.cwiseSqrt().cwiseInverse().asDiagonal();
  rank.difference = multiply(sum, false, rank.sum, false) * rank.modes.cwiseInverse().asDiagonal();
}

CoreResponse::Dressed CoreResponse::dressed(const SpinorFunctions& functions) const {
  Dressed d{products_.valuesOf(functions), {}};
  d.withHoles.resize(holes_.size());
  pool_.forEach(static_cast<int>(holes_.size()), [&](int task, int) {
    const auto a = usize(task);
    const Eigen::MatrixXd density = productsOf(d.at, products_.valuesOf(holes_[a]));
    d.withHoles[a].resize(usize(space_.orbitals.kernel().largestK()) + 1);
    for (std::size_t l = 0; l < d.withHoles[a].size(); ++l)
      if (reducedC(functions.symmetry, static_cast<int>(l), holes_[a].symmetry) != 0)
        d.withHoles[a][l] = products_.potentials(static_cast<int>(l), density);
  });
  return d;
}

std::vector<CoreResponse::Vertices> CoreResponse::vertices(const Dressed& bra, const Dressed& ket,
                                                           ThreadPool& pool) const {
  const Symmetry sv = bra.at.symmetry, sx = ket.at.symmetry;
  const Eigen::Index nv = bra.at.count(), nx = ket.at.count(), size = nv * nx;
  std::vector<Vertices> list;
  for (std::size_t k = 0; k < ranks_.size(); ++k) {
    const Eigen::Index columns = ranks_[k].size();
    if (columns > 0 && reducedC(sv, static_cast<int>(k), sx) != 0)
      list.push_back({static_cast<int>(k), Eigen::MatrixXd::Zero(size, columns),
                      Eigen::MatrixXd::Zero(size, columns), Eigen::MatrixXd::Zero(size, columns)});
  }
  if (list.empty()) return list;
  const int ranks = space_.orbitals.kernel().largestK() + 1;
  const Eigen::MatrixXd own = productsOf(bra.at, ket.at);
  std::vector<Eigen::MatrixXd> ownPotentials(list.size());
  pool.forEach(static_cast<int>(list.size()),
               [&](int j, int) { ownPotentials[usize(j)] = products_.potentials(list[usize(j)].k, own); });
  const auto particles = particles_.size();
  pool.forEach(static_cast<int>(holes_.size() * particles), [&](int task, int) {
    const std::size_t a = usize(task) / particles, n = usize(task) % particles;
    const Symmetry sa = holes_[a].symmetry, sn = particles_[n].symmetry;
    const Eigen::Index count = particles_[n].count();
    struct Own {
      std::size_t place;
      Eigen::Index first;
      Eigen::MatrixXd left, right;
    };
    std::vector<Own> found;
    for (std::size_t j = 0; j < list.size(); ++j)
      for (const Channel& c : ranks_[usize(list[j].k)].channels)
        if (c.hole == a && c.particle == n) found.push_back({j, c.first, {}, {}});
    if (found.empty()) return;
    const Eigen::MatrixXd excited = productsOf(dressedParticles_[n].at, dressedHoles_[a].at);
    for (Own& o : found) {
      Vertices& v = list[o.place];
      const double charge = reducedC(sv, v.k, sx) * reducedC(sa, v.k, sn);
      o.right = charge * multiply(ownPotentials[o.place], true, excited, false);
      v.direct.middleCols(o.first, count) = o.right;
      o.left = minusOneTo((sn.twoJ() - sa.twoJ()) / 2) * o.right;
    }
    const Eigen::MatrixXd ofKet = productsOf(ket.at, dressedParticles_[n].at),
                          ofBra = productsOf(bra.at, dressedParticles_[n].at);
    for (int l = 0; l < ranks; ++l) {
      const double ofLeft = reducedC(sv, l, sa) * reducedC(sn, l, sx),
                   ofRight = reducedC(sv, l, sn) * reducedC(sa, l, sx);
      if (ofLeft != 0) {
        const Eigen::MatrixXd e =
            multiply(bra.withHoles[a][usize(l)], true, ofKet, false).reshaped(size, count);
        for (Own& o : found) {
          const int k = list[o.place].k;
          o.left += (2 * k + 1) * minusOneTo(k + l) * ofLeft *
                    wigner6j(sv.twoJ(), sx.twoJ(), 2 * k, sn.twoJ(), sa.twoJ(), 2 * l) * e;
        }
      }
      if (ofRight != 0) {
        const Eigen::MatrixXd g = multiply(ofBra, true, ket.withHoles[a][usize(l)], false);
        Eigen::MatrixXd e(size, count);
        for (Eigen::Index p = 0; p < count; ++p) e.col(p) = g.middleRows(p * nv, nv).reshaped();
        for (Own& o : found) {
          const int k = list[o.place].k;
          o.right += (2 * k + 1) * minusOneTo(k + l) * ofRight *
                     wigner6j(sv.twoJ(), sx.twoJ(), 2 * k, sa.twoJ(), sn.twoJ(), 2 * l) * e;
        }
      }
    }
    const double phase = minusOneTo((sn.twoJ() - sa.twoJ()) / 2);
    for (const Own& o : found) {
      list[o.place].plus.middleCols(o.first, count) = o.right + phase * o.left;
      list[o.place].minus.middleCols(o.first, count) = o.right - phase * o.left;
    }
  });
  return list;
}

Eigen::MatrixXd CoreResponse::selfEnergyWith(const Dressed& functions, double energy, const Dressed& others,
                                             const Eigen::VectorXd& ofOthers, bool areHoles) const {
  const Eigen::Index count = functions.at.count();
  const double sign = areHoles ? -1 : 1;
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(count, count);
  ThreadPool alone(1);  // others are computed beside these
  for (const Vertices& v : vertices(functions, others, alone)) {
    const Rank& r = ranks_[usize(v.k)];
    const double weight = 1.0 / ((2 * v.k + 1) * functions.at.symmetry.degeneracy());
    const Eigen::MatrixXd bare = 0.5 * (v.plus + sign * v.minus);
    const Eigen::MatrixXd direct = multiply(v.direct, false, r.sum, false);
    const Eigen::MatrixXd whole =
        0.5 * (multiply(v.plus, false, r.sum, false) + sign * multiply(v.minus, false, r.difference, false));
    for (Eigen::Index m = 0; m < ofOthers.size(); ++m) {
      const auto add = [&](const Eigen::MatrixXd& x, const Eigen::MatrixXd& w,
                           const Eigen::VectorXd& energies, double factor) {
        const double released = energy - ofOthers(m);
        Eigen::ArrayXd apart = released + energies.array();
        if (!areHoles) apart = (kMostReleased * energies.array()).min(released) - energies.array();
        const Eigen::VectorXd weights = factor * apart.inverse();
        const Eigen::MatrixXd product = x.middleRows(m * count, count) * weights.asDiagonal() *
                                        w.middleRows(m * count, count).transpose();
        sum += 0.5 * (product + product.transpose());
      };
      add(direct, whole, r.modes, weight);
      add(v.direct, bare, r.gaps, -weight);
    }
  }
  return sum;
}

Eigen::MatrixXd CoreResponse::selfEnergy(int symmetry) const {
  const SpinorFunctions f = space_.withCore(symmetry);
  const Dressed own = dressed(f);
  const double energy = space_.lowest(symmetry);
  // Symmetries of particles, which take longest, come first.
  const auto particles = particles_.size();
  std::vector<Eigen::MatrixXd> parts(particles + holes_.size());
  pool_.forEach(static_cast<int>(parts.size()), [&](int task, int) {
    const bool isHole = usize(task) >= particles;
    const std::size_t i = usize(task) - (isHole ? particles : 0);
    parts[usize(task)] = selfEnergyWith(own, energy, (isHole ? dressedHoles_ : dressedParticles_)[i],
                                        (isHole ? holes_ : particles_)[i].energies, isHole);
  });
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(f.count(), f.count());
  for (const Eigen::MatrixXd& part : parts) sum += part;
  return sum;
}

double CoreResponse::polarisability(int k) const {
  const Rank& r = ranks_[usize(k)];
  Eigen::VectorXd elements(r.size());
  for (const Channel& c : r.channels)
    elements.segment(c.first, particles_[c.particle].count()) =
        reducedC(holes_[c.hole].symmetry, k, particles_[c.particle].symmetry) *
        space_.orbitals.moments(k, productsOf(particles_[c.particle], holes_[c.hole]));
  return 2 * (r.sum.transpose() * elements).cwiseAbs2().cwiseQuotient(r.modes).sum() / (2 * k + 1);
}

// With modes in place of excitations x^T w/gap becomes x^T M w, M = 1/gap - (X + Y) 1/omega (X + Y)^T. Both
// factors are the same, but for a sign, between v and x in either order.
void CoreResponse::addTo(PairTable& rings) const {
  std::vector<Eigen::MatrixXd> direct(ranks_.size()), whole(ranks_.size());
  const auto numberOf = [](std::size_t k) { return PairTable::number(static_cast<int>(k), k % 2 != 0); };
  const auto takesPart = [&](std::size_t k) {
    return static_cast<int>(k) <= rings.largestK() && ranks_[k].size() > 0 && rings.size(numberOf(k)) > 0;
  };
  for (std::size_t k = 0; k < ranks_.size(); ++k)
    if (takesPart(k)) direct[k] = whole[k] = Eigen::MatrixXd::Zero(ranks_[k].size(), rings.size(numberOf(k)));
  std::vector<Dressed> valence;
  for (int v = 0; v < space_.symmetries(); ++v)
    valence.push_back(dressed(lowestOf(space_.functions[usize(v)], rings.count(v))));
  for (int v = 0; v < space_.symmetries(); ++v)
    for (int x = v; x < space_.symmetries(); ++x)
      for (const Vertices& w : vertices(valence[usize(v)], valence[usize(x)], pool_)) {
        const auto k = usize(w.k);
        if (!takesPart(k)) continue;
        const PairTable::Rows rows = rings.rows(numberOf(k), v, x);
        if (rows.first < 0) continue;
        copyTransposed(w.direct, direct[k].middleCols(rows.first, w.direct.rows()), pool_);
        copyTransposed(w.plus, whole[k].middleCols(rows.first, w.direct.rows()), pool_);
      }
  for (std::size_t k = 0; k < ranks_.size(); ++k) {
    if (!takesPart(k)) continue;
    const Rank& r = ranks_[k];
    Eigen::MatrixXd change = -multiply(r.sum * r.modes.cwiseInverse().asDiagonal(), false, r.sum, true);
    change.diagonal() += r.gaps.cwiseInverse();
    change *= 0.5 / (2.0 * static_cast<double>(k) + 1);
    const std::vector<PairTable::RowPair> pairs = rings.rowPairs(numberOf(k));
    std::vector<Eigen::Index> list;
    for (const PairTable::RowPair& p : pairs) list.push_back(p.row);
    const Eigen::MatrixXd own = direct[k](Eigen::all, list), other = whole[k](Eigen::all, list);
    const Eigen::Index size = r.size(), columns = own.cols();
    // The sum of x^T M w and its transpose is one symmetric product.
    Eigen::MatrixXd left(2 * size, columns), right(2 * size, columns);
    overColumns(columns, pool_, [&](Eigen::Index first, Eigen::Index count) {
      left.block(0, first, size, count) = right.block(size, first, size, count) =
          own.middleCols(first, count);
      product(change, other.middleCols(first, count), right.block(0, first, size, count));
      left.block(size, first, size, count) = right.block(0, first, size, count);
    });
    const Eigen::MatrixXd sum = sharedSymmetric(left, right, pool_);
    Eigen::MatrixXd& values = rings.values(numberOf(k));
    overColumns(columns, pool_, [&](Eigen::Index first, Eigen::Index count) {
      for (Eigen::Index j = first; j < first + count; ++j)
        for (Eigen::Index i = 0; i < columns; ++i) {
          const PairTable::RowPair &vx = pairs[usize(i)], &wy = pairs[usize(j)];
          values(vx.row, wy.row) += sum(i, j);
          if (vx.row != vx.swapped) values(vx.swapped, wy.row) += vx.sign * sum(i, j);
          if (wy.row == wy.swapped) continue;
          values(vx.row, wy.swapped) += wy.sign * sum(i, j);
          if (vx.row != vx.swapped) values(vx.swapped, wy.swapped) += vx.sign * wy.sign * sum(i, j);
        }
    });
  }
}

}  // namespace prophet
