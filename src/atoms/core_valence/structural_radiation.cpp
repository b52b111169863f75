#include "atoms/core_valence/structural_radiation.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "atoms/angular/angular.hpp"
#include "atoms/core_valence/pair_table.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// Ranks of an interaction that takes the first electron from a to c and the second one from b to d.
std::vector<int> commonRanks(Symmetry a, Symmetry b, Symmetry c, Symmetry d) {
  std::vector<int> list;
  if ((a.l() + b.l() + c.l() + d.l()) % 2 != 0) return list;
  for (int k = 0; 2 * k <= a.twoJ() + c.twoJ(); ++k)
    if (triangle(a, k, c) && triangle(b, k, d)) list.push_back(k);
  return list;
}

}  // namespace

struct StructuralRadiation::Pairs {
  Symmetry f, g;
  Eigen::Index countF = 0, countG = 0;
  Eigen::MatrixXd density;
  std::vector<Eigen::MatrixXd> potentials{};

  bool hasPotentials() const { return !potentials.empty(); }
};

std::vector<StructuralRadiation::Outside> StructuralRadiation::valenceOf(const ValenceSpace& space) {
  std::vector<Outside> list;
  for (int s = 0; s < space.symmetries(); ++s) list.push_back({space.functions[usize(s)], space.lowest(s)});
  return list;
}

StructuralRadiation::StructuralRadiation(const ValenceSpace& space, const std::vector<Outside>& outside,
                                         const CoreExcitations& excitations, ThreadPool& pool)
    : pool_(pool), products_(excitations.products) {
  const std::vector<SymmetryOrbitals>& all = space.orbitals.symmetries();
  for (std::size_t s = 0; s < all.size(); ++s) {
    std::vector<Eigen::Index> columns;
    for (const ActiveSpinor& a : space.holes)
      if (usize(a.symmetry) == s) columns.push_back(a.column);
    if (columns.empty()) continue;
    ExcitedSpinors own;
    own.symmetry = all[s].symmetry;
    own.large = all[s].large(Eigen::all, columns);
    own.small = all[s].small.rows() > 0 ? Eigen::MatrixXd(all[s].small(Eigen::all, columns))
                                        : Eigen::MatrixXd(0, own.large.cols());
    own.energies = all[s].energies(columns);
    groups_.push_back({own, products_.valuesOf(own), true});
  }
  for (const ExcitedSpinors& p : excitations.particles)
    if (p.count() > 0) groups_.push_back({p, products_.valuesOf(p), false});
  for (const Outside& o : outside) {
    valence_.push_back(products_.valuesOf(o.spinors));
    energies_.push_back(o.energy);
  }
  makeLost();
}

StructuralRadiation::Pairs StructuralRadiation::pairsOf(const SpinorFunctions& f, const SpinorFunctions& g,
                                                        bool withPotentials) const {
  Pairs p{f.symmetry, g.symmetry, f.count(), g.count(), productsOf(f, g)};
  if (!withPotentials) return p;
  p.potentials.resize(usize((f.symmetry.twoJ() + g.symmetry.twoJ()) / 2) + 1);
  for (std::size_t k = 0; k < p.potentials.size(); ++k)
    if (reducedC(f.symmetry, static_cast<int>(k), g.symmetry) != 0)
      p.potentials[k] = products_.potentials(static_cast<int>(k), p.density);
  return p;
}

/// Direct pairs are (1, 3) and (2, 4), exchange pairs (1, 4) and (2, 3); one of either has potentials.
std::vector<StructuralRadiation::Multipole> StructuralRadiation::antisymmetric(const Pairs& direct,
                                                                               const Pairs& otherDirect,
                                                                               const Pairs& exchange,
                                                                               const Pairs& otherExchange) {
  const Symmetry a = direct.f, b = otherDirect.f, c = direct.g, d = otherDirect.g;
  const auto integrals = [](int k, const Pairs& rows, const Pairs& columns) {
    return rows.hasPotentials() ? multiply(rows.potentials[usize(k)], true, columns.density, false)
                                : multiply(rows.density, true, columns.potentials[usize(k)], false);
  };
  std::vector<Multipole> list;
  for (const int k : commonRanks(a, b, c, d)) {
    const double charge = reducedC(a, k, c) * reducedC(b, k, d);
    list.push_back({k, charge == 0 ? Eigen::MatrixXd::Zero(direct.density.cols(), otherDirect.density.cols())
                                   : Eigen::MatrixXd(charge * integrals(k, direct, otherDirect))});
  }
  for (const int l : commonRanks(a, b, d, c)) {
    const double charge = reducedC(a, l, d) * reducedC(b, l, c);
    if (charge == 0) continue;
    const Eigen::MatrixXd found = integrals(l, exchange, otherExchange);
    Eigen::MatrixXd ordered(direct.density.cols(), otherDirect.density.cols());
    for (Eigen::Index i4 = 0; i4 < otherDirect.countG; ++i4)
      for (Eigen::Index i2 = 0; i2 < otherDirect.countF; ++i2)
        for (Eigen::Index i3 = 0; i3 < direct.countG; ++i3)
          ordered.col(i2 + otherDirect.countF * i4).segment(direct.countF * i3, direct.countF) =
              found.col(i2 + otherDirect.countF * i3).segment(direct.countF * i4, direct.countF);
    for (Multipole& m : list)
      m.values += charge * (2 * m.k + 1) * minusOneTo(m.k + l) *
                  wigner6j(a.twoJ(), c.twoJ(), 2 * m.k, b.twoJ(), d.twoJ(), 2 * l) * ordered;
  }
  return list;
}

StructuralRadiation::Amplitudes StructuralRadiation::amplitudesOf(const Dressed& d) const {
  Amplitudes amplitudes(groups_.size());
  for (auto& row : amplitudes) row.resize(groups_.size());
  pool_.forEach(static_cast<int>(groups_.size()), [&](int task, int) {
    const auto j = usize(task);
    const Group& ket = groups_[j];
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const Group& bra = groups_[i];
      if (!d.operation.couples(bra.spinors.symmetry, ket.spinors.symmetry)) continue;
      Eigen::MatrixXd t = d.operation.elements(bra.spinors, ket.spinors);
      if (bra.hole != ket.hole)
        for (Eigen::Index q = 0; q < t.cols(); ++q)
          for (Eigen::Index p = 0; p < t.rows(); ++p)
            t(p, q) /= ket.hole ? ket.spinors.energies(q) - bra.spinors.energies(p) + d.omega
                                : bra.spinors.energies(p) - ket.spinors.energies(q) - d.omega;
      amplitudes[i][j] = std::move(t);
    }
  });
  return amplitudes;
}

/// One over E + e_3 - e_1 - e_2: the third line is a hole beside two particles, or a particle beside two
/// holes.
double StructuralRadiation::inverse(double energy, double first, double second, double third,
                                    bool particles) const {
  double apart = energy + third - first - second;
  if (particles) apart = std::min(apart, -(1 - kMostReleased) * (std::min(first, second) - third));
  return 1 / apart;
}

/// Lines 2 and 3 are spectators, one of a hole and one of a particle, and close a loop of rank k; line 1 is
/// i on the side of v and j on that of w.
void StructuralRadiation::addLoops(std::size_t second, std::size_t third,
                                   const std::vector<Dressed>& operators,
                                   const std::vector<Amplitudes>& amplitudes, Elements& sum) const {
  const Group &two = groups_[second], &three = groups_[third];
  // Line 1 is of the kind of line 2 where its energy is in the denominator.
  const bool particles = !two.hole;
  const Pairs spectators = pairsOf(three.at, two.at, true);
  std::vector<Pairs> ofThree;
  for (const Group& g : groups_) ofThree.push_back(pairsOf(three.at, g.at, false));
  const auto symmetries = valence_.size();
  // [symmetry][group]
  std::vector<std::vector<std::vector<Multipole>>> tables(symmetries);
  std::vector<std::vector<Eigen::MatrixXd>> weights(symmetries);
  for (std::size_t s = 0; s < symmetries; ++s) {
    const Pairs ofTwo = pairsOf(valence_[s], two.at, true);
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      tables[s].push_back(
          antisymmetric(pairsOf(valence_[s], groups_[i].at, false), spectators, ofTwo, ofThree[i]));
      Eigen::MatrixXd w(groups_[i].spinors.count(), spectators.density.cols());
      for (Eigen::Index p = 0; p < w.rows(); ++p)
        for (Eigen::Index n = 0; n < two.at.count(); ++n)
          for (Eigen::Index a = 0; a < three.at.count(); ++a)
            w(p, a + three.at.count() * n) =
                groups_[i].hole == two.hole
                    ? inverse(energies_[s], groups_[i].spinors.energies(p), two.spinors.energies(n),
                              three.spinors.energies(a), particles)
                    : 1.0;
      weights[s].push_back(std::move(w));
    }
  }
  for (std::size_t v = 0; v < symmetries; ++v)
    for (std::size_t w = 0; w < symmetries; ++w)
      for (std::size_t i = 0; i < groups_.size(); ++i)
        for (std::size_t j = 0; j < groups_.size(); ++j) {
          const bool ofI = groups_[i].hole == two.hole, ofJ = groups_[j].hole == two.hole;
          if (!ofI && !ofJ) continue;
          const double kind = ofI == ofJ || !particles ? 1 : -1;
          const Symmetry si = groups_[i].at.symmetry, sj = groups_[j].at.symmetry;
          const int jv = valence_[v].symmetry.twoJ(), jw = valence_[w].symmetry.twoJ();
          for (const Multipole& left : tables[v][i])
            for (const Multipole& right : tables[w][j]) {
              if (left.k != right.k) continue;
              const int k = left.k;
              for (std::size_t o = 0; o < operators.size(); ++o) {
                Eigen::MatrixXd& out = sum[o][v][w];
                const Eigen::MatrixXd& t = amplitudes[o][i][j];
                if (out.size() == 0 || t.size() == 0) continue;
                const int rank = operators[o].operation.rank;
                const double angular = kind * minusOneTo((jw + si.twoJ()) / 2 + k + rank) / (2 * k + 1) *
                                       wigner6j(jv, jw, 2 * rank, sj.twoJ(), si.twoJ(), 2 * k);
                if (angular == 0) continue;
                const Eigen::Index nv = valence_[v].count(), nw = valence_[w].count();
                for (Eigen::Index c = 0; c < left.values.cols(); ++c) {
                  const Eigen::MatrixXd a = left.values.col(c).reshaped(nv, t.rows()) *
                                            weights[v][i].col(c).asDiagonal(),
                                        b = right.values.col(c).reshaped(nw, t.cols()) *
                                            weights[w][j].col(c).asDiagonal();
                  out.noalias() += angular * ((a * t) * b.transpose());
                }
              }
            }
        }
}

/// Lines 1 and 2 are spectators, two particles or two holes, coupled to J with either side; line 3 is l on
/// the side of v and r on that of w.
void StructuralRadiation::addLadders(std::size_t first, std::size_t second,
                                     const std::vector<Dressed>& operators,
                                     const std::vector<Amplitudes>& amplitudes, Elements& sum) const {
  const Group &one = groups_[first], &two = groups_[second];
  const bool particles = !one.hole;
  const double share = first == second ? 0.5 : 1;
  const Symmetry s1 = one.at.symmetry, s2 = two.at.symmetry;
  const Eigen::Index n1 = one.at.count(), n2 = two.at.count();
  // Functions on line 3 beside the groups themselves: of a hole what an operator makes of it.
  struct Third {
    Symmetry symmetry;
    Pairs ofOne, ofTwo;  ///< (3, 1), (3, 2)
  };
  const auto thirdOf = [&](const SpinorFunctions& f) {
    return Third{f.symmetry, pairsOf(f, one.at, false), pairsOf(f, two.at, false)};
  };
  struct Table {
    std::vector<int> twoJ;
    std::vector<Eigen::MatrixXd> values;  ///< rows (v, 3), columns (1, 2)
  };
  const auto tableOf = [&](const SpinorFunctions& v, const Pairs& vOne, const Pairs& vTwo, const Third& t) {
    Table table;
    const std::vector<Multipole> list = antisymmetric(vOne, t.ofTwo, vTwo, t.ofOne);
    if (list.empty()) return table;
    const Symmetry sv = v.symmetry, s3 = t.symmetry;
    const int least = std::max(std::abs(sv.twoJ() - s3.twoJ()), std::abs(s1.twoJ() - s2.twoJ())),
              most = std::min(sv.twoJ() + s3.twoJ(), s1.twoJ() + s2.twoJ());
    const Eigen::Index nv = v.count(), n3 = t.ofOne.countF;
    for (int twoJ = least; twoJ <= most; twoJ += 2) {
      Eigen::MatrixXd coupled = Eigen::MatrixXd::Zero(nv * n1, n3 * n2);
      for (const Multipole& m : list)
        if (const double c = pairCoupling(m.k, twoJ, sv, s3, s1, s2); c != 0) coupled += c * m.values;
      Eigen::MatrixXd ordered(nv * n3, n1 * n2);
      for (Eigen::Index i2 = 0; i2 < n2; ++i2)
        for (Eigen::Index i3 = 0; i3 < n3; ++i3)
          for (Eigen::Index i1 = 0; i1 < n1; ++i1)
            ordered.col(i1 + n1 * i2).segment(nv * i3, nv) = coupled.col(i3 + n3 * i2).segment(nv * i1, nv);
      table.twoJ.push_back(twoJ);
      table.values.push_back(std::move(ordered));
    }
    return table;
  };
  const auto symmetries = valence_.size();
  std::vector<Pairs> valenceOne, valenceTwo;
  for (const SpinorFunctions& v : valence_) {
    valenceOne.push_back(pairsOf(v, one.at, true));
    valenceTwo.push_back(pairsOf(v, two.at, true));
  }
  // The third line's spinors whose energies are in the denominators are of the other kind than the
  // spectators; where a ladder is of particles, particles on line 3 are summed up in advance, as there are
  // many.
  std::vector<std::vector<Table>> tables(symmetries, std::vector<Table>(groups_.size()));
  std::vector<std::vector<Eigen::MatrixXd>> weighted(symmetries);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (particles && !groups_[i].hole) continue;
    const Third t = thirdOf(groups_[i].at);
    for (std::size_t s = 0; s < symmetries; ++s)
      tables[s][i] = tableOf(valence_[s], valenceOne[s], valenceTwo[s], t);
  }
  const auto scaled = [&](std::size_t s, std::size_t i, const Eigen::MatrixXd& values) {
    Eigen::MatrixXd made = values;
    if (groups_[i].hole == one.hole) return made;
    const Eigen::Index nv = valence_[s].count();
    for (Eigen::Index i2 = 0; i2 < n2; ++i2)
      for (Eigen::Index i1 = 0; i1 < n1; ++i1)
        for (Eigen::Index i3 = 0; i3 < groups_[i].at.count(); ++i3)
          made.col(i1 + n1 * i2).segment(nv * i3, nv) *=
              inverse(energies_[s], one.spinors.energies(i1), two.spinors.energies(i2),
                      groups_[i].spinors.energies(i3), particles);
    return made;
  };
  const auto angularOf = [&](std::size_t v, std::size_t w, Symmetry l, Symmetry r, int twoJ, int rank) {
    const int jv = valence_[v].symmetry.twoJ(), jw = valence_[w].symmetry.twoJ();
    return share * (twoJ + 1) * minusOneTo((r.twoJ() - jw - twoJ) / 2 + 1) *
           wigner6j(jv, jw, 2 * rank, r.twoJ(), l.twoJ(), twoJ);
  };
  for (std::size_t l = 0; l < groups_.size(); ++l)
    for (std::size_t r = 0; r < groups_.size(); ++r) {
      const bool ofL = groups_[l].hole != one.hole, ofR = groups_[r].hole != one.hole;
      if ((!ofL && !ofR) || (particles && !(ofL && ofR))) continue;
      for (std::size_t v = 0; v < symmetries; ++v)
        for (std::size_t w = 0; w < symmetries; ++w)
          for (std::size_t x = 0; x < tables[v][l].twoJ.size(); ++x)
            for (std::size_t y = 0; y < tables[w][r].twoJ.size(); ++y) {
              const int twoJ = tables[v][l].twoJ[x];
              if (twoJ != tables[w][r].twoJ[y]) continue;
              std::optional<Eigen::MatrixXd> product;
              for (std::size_t o = 0; o < operators.size(); ++o) {
                Eigen::MatrixXd& out = sum[o][v][w];
                const Eigen::MatrixXd& t = amplitudes[o][r][l];
                if (out.size() == 0 || t.size() == 0) continue;
                const double angular = -angularOf(v, w, groups_[l].at.symmetry, groups_[r].at.symmetry, twoJ,
                                                  operators[o].operation.rank);
                if (angular == 0) continue;
                if (!product)
                  product = multiply(scaled(v, l, tables[v][l].values[x]), false,
                                     scaled(w, r, tables[w][r].values[y]), true);
                const Eigen::Index nv = valence_[v].count(), nw = valence_[w].count();
                for (Eigen::Index q = 0; q < t.rows(); ++q)
                  for (Eigen::Index p = 0; p < t.cols(); ++p)
                    out += angular * t(q, p) * product->block(nv * p, nw * q, nv, nw);
              }
            }
    }
  if (!particles) return;
  // A particle on one side and a hole on the other.
  for (std::size_t o = 0; o < operators.size(); ++o)
    for (std::size_t h = 0; h < groups_.size(); ++h) {
      const Group& hole = groups_[h];
      if (!hole.hole) continue;
      for (std::size_t p = 0; p < groups_.size(); ++p) {
        const Group& particle = groups_[p];
        if (particle.hole || amplitudes[o][h][p].size() == 0) continue;
        for (const bool particleIsLeft : {true, false}) {
          const Eigen::MatrixXd t =
              particleIsLeft ? Eigen::MatrixXd(amplitudes[o][h][p].transpose()) : amplitudes[o][p][h];
          const Third third = thirdOf({particle.at.symmetry, particle.at.large * t,
                                       particle.at.small.rows() > 0 ? Eigen::MatrixXd(particle.at.small * t)
                                                                    : Eigen::MatrixXd(0, t.cols())});
          for (std::size_t s = 0; s < symmetries; ++s) {
            const Table own = tableOf(valence_[s], valenceOne[s], valenceTwo[s], third);
            for (std::size_t x = 0; x < own.twoJ.size(); ++x)
              for (std::size_t u = 0; u < symmetries; ++u)
                for (std::size_t y = 0; y < tables[u][h].twoJ.size(); ++y) {
                  const std::size_t v = particleIsLeft ? s : u, w = particleIsLeft ? u : s;
                  Eigen::MatrixXd& out = sum[o][v][w];
                  if (own.twoJ[x] != tables[u][h].twoJ[y] || out.size() == 0) continue;
                  const Symmetry sp = particle.at.symmetry, sh = hole.at.symmetry;
                  const double angular = angularOf(v, w, particleIsLeft ? sp : sh, particleIsLeft ? sh : sp,
                                                   own.twoJ[x], operators[o].operation.rank);
                  if (angular == 0) continue;
                  const Eigen::MatrixXd other = scaled(u, h, tables[u][h].values[y]);
                  const Eigen::Index ns = valence_[s].count(), nu = valence_[u].count();
                  for (Eigen::Index b = 0; b < hole.at.count(); ++b) {
                    const Eigen::MatrixXd product =
                        own.values[x].middleRows(ns * b, ns) * other.middleRows(nu * b, nu).transpose();
                    out += angular * (particleIsLeft ? product : Eigen::MatrixXd(product.transpose()));
                  }
                }
          }
        }
      }
    }
}

StructuralRadiation::Elements StructuralRadiation::of(const std::vector<Dressed>& operators,
                                                      const Checkpoint& checkpoint) const {
  std::vector<Amplitudes> amplitudes;
  for (const Dressed& d : operators) amplitudes.push_back(amplitudesOf(d));
  Elements zero(operators.size());
  for (std::size_t o = 0; o < operators.size(); ++o) {
    zero[o].resize(valence_.size());
    for (std::size_t v = 0; v < valence_.size(); ++v)
      for (std::size_t w = 0; w < valence_.size(); ++w) {
        const auto& wanted = operators[o].between;
        const bool isWanted = wanted.empty() || std::ranges::count(wanted, std::pair(v, w)) > 0;
        zero[o][v].push_back(
            isWanted && operators[o].operation.couples(valence_[v].symmetry, valence_[w].symmetry)
                ? Eigen::MatrixXd::Zero(valence_[v].count(), valence_[w].count())
                : Eigen::MatrixXd());
      }
  }
  struct Task {
    std::size_t first, second;
  };
  std::vector<Task> tasks;
  for (std::size_t i = groups_.size(); i-- > 0;)
    for (std::size_t j = groups_.size(); j-- > 0;)
      if (groups_[i].hole != groups_[j].hole || i <= j) tasks.push_back({i, j});
  std::vector<Elements> parts(tasks.size(), zero);
  pool_.forEach(static_cast<int>(tasks.size()), [&](int task, int) {
    pass(checkpoint);
    const auto [first, second] = tasks[usize(task)];
    if (groups_[first].hole != groups_[second].hole)
      addLoops(first, second, operators, amplitudes, parts[usize(task)]);
    else
      addLadders(first, second, operators, amplitudes, parts[usize(task)]);
  });
  for (const Elements& part : parts)
    for (std::size_t o = 0; o < operators.size(); ++o)
      for (std::size_t v = 0; v < valence_.size(); ++v)
        for (std::size_t w = 0; w < valence_.size(); ++w)
          if (zero[o][v][w].size() > 0) zero[o][v][w] += part[o][v][w];
  return zero;
}

/// Sigma_1 = 1/2 sum_k W^k W^k/([k][v])/(E + e_3 - e_1 - e_2), whose derivative has the square below.
void StructuralRadiation::makeLost() {
  struct Task {
    std::size_t symmetry, first, second;
  };
  std::vector<Task> tasks;
  for (std::size_t s = 0; s < valence_.size(); ++s) {
    lost_.push_back(Eigen::MatrixXd::Zero(valence_[s].count(), valence_[s].count()));
    for (std::size_t i = 0; i < groups_.size(); ++i)
      for (std::size_t j = 0; j < groups_.size(); ++j)
        if (groups_[i].hole == groups_[j].hole) tasks.push_back({s, i, j});
  }
  std::vector<Eigen::MatrixXd> parts(tasks.size());
  pool_.forEach(static_cast<int>(tasks.size()), [&](int task, int) {
    const auto [s, first, second] = tasks[usize(task)];
    const Group &one = groups_[first], &two = groups_[second];
    const SpinorFunctions& v = valence_[s];
    const Eigen::Index nv = v.count();
    Eigen::MatrixXd& sum = parts[usize(task)] = Eigen::MatrixXd::Zero(nv, nv);
    const Pairs ofOne = pairsOf(v, one.at, true), ofTwo = pairsOf(v, two.at, true);
    for (const Group& three : groups_) {
      if (three.hole == one.hole) continue;
      const Pairs threeTwo = pairsOf(three.at, two.at, false), threeOne = pairsOf(three.at, one.at, false);
      for (const Multipole& m : antisymmetric(ofOne, threeTwo, ofTwo, threeOne)) {
        const double factor = 0.5 / ((2 * m.k + 1) * v.symmetry.degeneracy());
        for (Eigen::Index n = 0; n < two.at.count(); ++n)
          for (Eigen::Index a = 0; a < three.at.count(); ++a)
            for (Eigen::Index i = 0; i < one.at.count(); ++i) {
              const auto w = m.values.col(a + three.at.count() * n).segment(nv * i, nv);
              const double apart = inverse(energies_[s], one.spinors.energies(i), two.spinors.energies(n),
                                           three.spinors.energies(a), !one.hole);
              sum.noalias() += factor * apart * apart * w * w.transpose();
            }
      }
    }
  });
  for (std::size_t i = 0; i < tasks.size(); ++i) lost_[tasks[i].symmetry] += parts[i];
}

}  // namespace prophet
