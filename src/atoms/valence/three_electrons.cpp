#include "atoms/valence/three_electrons.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "atoms/angular/angular.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// The places of a determinant but one.
std::array<int, 3> without(const CoupledSpace::Places& d, int electrons, int left) {
  std::array<int, 3> three{};
  std::size_t next = 0;
  for (int i = 0; i < electrons; ++i)
    if (i != left) three[next++] = d[usize(i)];
  return three;
}

}  // namespace

ThreeElectronTerms::ThreeElectronTerms(const ValenceSpace& space, const PlaceHamiltonian& places,
                                       int perSymmetry)
    : space_(space), places_(places), number_(space.spinors.size(), -1) {
  struct Member {
    int symmetry, i;
  };
  std::vector<Member> members;
  int largest = 0;
  for (int s = 0; s < space.symmetries(); ++s) {
    largest = std::max(largest, space.type(s).twoJ());
    for (int i = 0; i < std::min(perSymmetry, space.count(s)); ++i) {
      number_[usize(space.first[usize(s)] + i)] = static_cast<int>(members.size());
      members.push_back({s, i});
    }
  }
  count_ = static_cast<int>(members.size());
  const Eigen::Index n = count_, holes = static_cast<Eigen::Index>(space.holes.size());
  Eigen::MatrixXd pairs(space.orbitals.points(), n * n), withHoles(space.orbitals.points(), n * holes);
  for (Eigen::Index r = 0; r < n; ++r)
    for (Eigen::Index p = 0; p < n; ++p) {
      const Member &a = members[usize(p)], &c = members[usize(r)];
      pairs.col(p + n * r) = space.densities(c.symmetry, c.i, a.symmetry, space.count(a.symmetry)).col(a.i);
    }
  for (Eigen::Index h = 0; h < holes; ++h)
    for (Eigen::Index q = 0; q < n; ++q) {
      const ActiveSpinor& hole = space.holes[usize(h)];
      withHoles.col(q + n * h) =
          space.densitiesWith(members[usize(q)].symmetry, members[usize(q)].i, hole.symmetry, hole.column, 1);
    }
  for (int k = 0; k <= largest; ++k)
    radial_.push_back(multiply(pairs, true, space.orbitals.potentials(k, withHoles), false));
  // Places of all symmetries to the highest one.
  int most = 0;
  for (int s = 0; s < space.symmetries(); ++s) most = std::max(most, space.type(s).index());
  for (const ActiveSpinor& a : space.holes) most = std::max(most, space.type(a.symmetry).index());
  std::vector<State> states;
  for (const Symmetry s : firstSymmetries(most + 1))
    for (int m = -s.twoJ(); m <= s.twoJ(); m += 2) states.push_back({s, m});
  states_ = states.size();
  for (std::size_t k = 0; k < radial_.size(); ++k)
    for (const State& a : states)
      for (const State& c : states) {
        const int ja = a.type.twoJ(), jc = c.type.twoJ(), rank = static_cast<int>(k);
        angles_.push_back(reducedC(a.type, rank, c.type) * minusOneTo((ja - a.twoM) / 2) *
                          wigner3j(ja, 2 * rank, jc, -a.twoM, a.twoM - c.twoM, c.twoM));
      }
}

std::size_t ThreeElectronTerms::numberOf(State s) const {
  // The symmetries before have 2, then 2 and 4, 4 and 6, ... states.
  const int index = s.type.index(), l = (index + 1) / 2;
  const int before = index == 0 ? 0 : 2 * l * l + (index % 2 == 0 ? 2 * l : 0);
  return usize(before + (s.twoM + s.type.twoJ()) / 2);
}

double ThreeElectronTerms::angular(int k, State a, State b, State c, State d) const {
  const auto of = [&](State x, State y) {
    return angles_[(usize(k) * states_ + numberOf(x)) * states_ + numberOf(y)];
  };
  return minusOneTo((a.twoM - c.twoM) / 2) * of(a, c) * of(b, d);
}

double ThreeElectronTerms::withHole(int p, int q, int r, std::size_t hole, int twoM) const {
  const State a{space_.type(space_.holes[hole].symmetry), twoM};
  const Eigen::Index n = count_, np = number(p), nq = number(q), nr = number(r),
                     column = n * static_cast<Eigen::Index>(hole);
  double sum = 0;
  for (std::size_t k = 0; k < radial_.size(); ++k) {
    const int rank = static_cast<int>(k);
    if (const double direct = angular(rank, state(p), state(q), state(r), a); direct != 0)
      sum += direct * radial_[k](np + n * nr, nq + column);
    if (const double exchange = angular(rank, state(p), state(q), a, state(r)); exchange != 0)
      sum -= exchange * radial_[k](nq + n * nr, np + column);
  }
  return sum;
}

double ThreeElectronTerms::between(const Three& bra, const Three& ket) const {
  // The electrons in this order: two that come from a hole's and one more, and the third.
  constexpr std::array<std::array<std::size_t, 3>, 3> kOrders{{{0, 1, 2}, {0, 2, 1}, {1, 2, 0}}};
  constexpr std::array<double, 3> kSigns{1, -1, 1};
  double lowest = 0;
  for (const int p : bra)
    lowest += space_.lowest(space_.spinors[usize(places_.places()[usize(p)].spinor)].symmetry);
  for (const int p : ket)
    lowest += space_.lowest(space_.spinors[usize(places_.places()[usize(p)].spinor)].symmetry);
  lowest /= 6;
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const int v = bra[kOrders[i][0]], w = bra[kOrders[i][1]], z = bra[kOrders[i][2]];
      const int y = ket[kOrders[j][0]], t = ket[kOrders[j][1]], x = ket[kOrders[j][2]];
      const int twoM = state(v).twoM + state(w).twoM - state(x).twoM;
      for (std::size_t a = 0; a < space_.holes.size(); ++a) {
        if (std::abs(twoM) > space_.type(space_.holes[a].symmetry).twoJ()) continue;
        const double first = withHole(v, w, x, a, twoM);
        // <az||yt> is -<yt||za>.
        if (first != 0)
          sum -=
              kSigns[i] * kSigns[j] * first * withHole(y, t, z, a, twoM) / (lowest - space_.holes[a].energy);
      }
    }
  return sum;
}

Eigen::VectorXd ThreeElectronTerms::expectation(const CoupledSpace& states, const Eigen::MatrixXd& vectors,
                                                double least) const {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(vectors.cols()), weight = sum;
  struct Part {
    const CoupledSpace::Configuration* configuration;
    Eigen::MatrixXd determinants;  ///< x vectors
  };
  std::vector<Part> parts;
  for (const CoupledSpace::Configuration& c : states.configurations()) {
    const Eigen::MatrixXd own = vectors.middleRows(c.first, c.count());
    if (own.colwise().squaredNorm().maxCoeff() < least) continue;
    bool here = true;
    for (const int s : c.spinors) here = here && number_[usize(s)] >= 0;
    if (here) parts.push_back({&c, c.states * own});
  }
  for (const Part& a : parts) {
    weight += a.determinants.colwise().squaredNorm().transpose();
    for (const Part& b : parts) {
      const int electrons = static_cast<int>(a.configuration->spinors.size());
      if (electrons == 4 && differInMoreThan(3, a.configuration->spinors, b.configuration->spinors)) continue;
      Eigen::MatrixXd elements(a.determinants.rows(), b.determinants.rows());
      for (std::size_t i = 0; i < a.configuration->determinants.size(); ++i)
        for (std::size_t j = 0; j < b.configuration->determinants.size(); ++j) {
          const CoupledSpace::Places &x = a.configuration->determinants[i],
                                     &y = b.configuration->determinants[j];
          double element = 0;
          if (electrons == 3) {
            element = between(without(x, 3, -1), without(y, 3, -1));
          } else {
            for (int e = 0; e < electrons; ++e)
              for (int f = 0; f < electrons; ++f)
                if (x[usize(e)] == y[usize(f)])
                  element += minusOneTo(e + f) * between(without(x, electrons, e), without(y, electrons, f));
          }
          elements(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = element;
        }
      sum +=
          (a.determinants.array() * (elements * b.determinants).array()).colwise().sum().transpose().matrix();
    }
  }
  return (weight.array() > 0).select(sum.array() / weight.array(), 0.0);
}

}  // namespace prophet
