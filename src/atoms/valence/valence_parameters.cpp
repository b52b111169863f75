#include "atoms/valence/valence_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "atoms/angular/angular.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"

namespace prophet {
namespace {

/// (l||C^k||l').
double orbitalC(int l, int k, int other) {
  return minusOneTo(l) * std::sqrt((2 * l + 1.0) * (2 * other + 1.0)) *
         wigner3j(2 * l, 2 * k, 2 * other, 0, 0, 0);
}

class ValenceParameters {
 public:
  ValenceParameters(const ValenceHamiltonian& h, const std::vector<ValenceShells>& configurations,
                    ThreadPool& pool)
      : space_(h.space), h_(h), configurations_(configurations) {
    for (const ValenceShells& shells : configurations)
      for (const Shell& s : shells)
        if (std::ranges::none_of(shells_, [&](const Shell& o) { return isSame(o, s); }))
          shells_.push_back({s.n, s.l});
    std::ranges::sort(shells_, {}, [](const Shell& s) { return std::pair(s.n, s.l); });
    for (const Shell& s : shells_) {
      std::vector<int> own;
      for (std::size_t i = 0; i < space_.spinors.size(); ++i)
        if (space_.spinors[i].n == s.n && space_.spinors[i].type.l() == s.l)
          own.push_back(static_cast<int>(i));
      if (own.size() != (s.l == 0 ? 1U : 2U))
        throw Error(fmt::format("the valence electrons have no spinors {}", s.name()));
      spinors_.push_back(std::move(own));
    }
    if (h.interactions.empty()) return;
    int most = 0;
    for (const std::vector<int>& own : spinors_) most = std::max(most, 2 * typeOf(own.back()).twoJ());
    for (int twoJ = 0; twoJ <= most; twoJ += 2)
      for (const bool odd : {false, true}) {
        const PairSpace pairs(space_, twoJ, odd);
        Block& block = blocks_[{twoJ, odd}];
        block.matrix = pairs.hamiltonian(h, pool, true);
        for (std::size_t i = 0; i < pairs.pairs().size(); ++i)
          block.rows[{pairs.pairs()[i].a, pairs.pairs()[i].b}] = static_cast<Eigen::Index>(i);
      }
  }

  std::vector<SlaterParameter> list() const {
    std::vector<SlaterParameter> values;
    const bool several = configurations_.size() > 1;
    if (!h_.interactions.empty())
      for (const SlaterIntegral& i : slaterIntegrals(shells_, several))
        values.push_back(parameterOf(i, shells_, integral(i)));
    for (std::size_t i = 0; several && i < shells_.size(); ++i)
      for (std::size_t j = i + 1; j < shells_.size(); ++j)
        if (shells_[i].l == shells_[j].l) addBetween(i, j, values);
    for (std::size_t i = 0; i < shells_.size(); ++i)
      if (shells_[i].l > 0) values.push_back({"zeta", shells_[i].name(), 0, zeta(i)});
    return values;
  }

 private:
  struct Block {
    Eigen::MatrixXd matrix;
    std::map<std::pair<int, int>, Eigen::Index> rows;  ///< of pairs of spinors
  };
  static bool isSame(const Shell& a, const Shell& b) { return a.n == b.n && a.l == b.l; }
  Symmetry typeOf(int spinor) const { return space_.spinors[usize(spinor)].type; }

  /// <{ab}J|V|{cd}J> of normalised antisymmetric pairs in this order; 0 where there are none.
  double element(int twoJ, int a, int b, int c, int d) const {
    const bool odd = (typeOf(a).l() + typeOf(b).l()) % 2 != 0;
    const auto block = blocks_.find({twoJ, odd});
    if (block == blocks_.end()) return 0;
    double sign = 1;
    const auto rowOf = [&](int p, int q) {
      const auto& rows = block->second.rows;
      if (const auto row = rows.find({p, q}); row != rows.end()) return row->second;
      const auto row = rows.find({q, p});
      if (row == rows.end()) return Eigen::Index(-1);
      sign *= -minusOneTo((typeOf(p).twoJ() + typeOf(q).twoJ() - twoJ) / 2);
      return row->second;
    };
    const Eigen::Index bra = rowOf(a, b), ket = rowOf(c, d);
    return bra < 0 || ket < 0 ? 0 : sign * block->second.matrix(bra, ket);
  }

  /// A pair of spinors of two shells in an LS state with J.
  struct Part {
    int a, b;
    double coefficient;
  };
  std::vector<Part> partsOf(std::size_t first, std::size_t second, int l, int s, int twoJ) const {
    std::vector<Part> parts;
    for (const int a : spinors_[first])
      for (const int b : spinors_[second]) {
        if (first == second && a > b) continue;
        const double c = couplingOfLS(typeOf(a), typeOf(b), l, s, twoJ);
        if (c != 0) parts.push_back({a, b, c * (first == second && a != b ? std::sqrt(2.0) : 1)});
      }
    return parts;
  }

  /// The mean over J, with weights 2J + 1, of <{AB}LS|V|{CD}LS>.
  double termElement(const SlaterIntegral& i, int l, int s) const {
    double sum = 0;
    for (int twoJ = 2 * std::abs(l - s); twoJ <= 2 * (l + s); twoJ += 2)
      for (const Part& bra : partsOf(i.a, i.b, l, s, twoJ))
        for (const Part& ket : partsOf(i.c, i.d, l, s, twoJ))
          sum += (twoJ + 1) * bra.coefficient * ket.coefficient * element(twoJ, bra.a, bra.b, ket.a, ket.b);
    return sum / ((2 * l + 1) * (2 * s + 1));
  }

  /// The part of <AB L|V|CD L> that does not change places of electrons, and of that the tensor of rank k.
  double integral(const SlaterIntegral& i) const {
    const int la = shells_[i.a].l, lb = shells_[i.b].l, lc = shells_[i.c].l, ld = shells_[i.d].l;
    const bool one = i.a == i.b, other = i.c == i.d;
    double sum = 0;
    for (int l = std::max(std::abs(la - lb), std::abs(lc - ld)); l <= std::min(la + lb, lc + ld); ++l) {
      // Singlets and triplets have exchange of opposite signs; two electrons of one shell have one of both.
      const double direct = one || other ? termElement(i, l, l % 2) / (one && other ? 1 : std::sqrt(2.0))
                                         : 0.5 * (termElement(i, l, 0) + termElement(i, l, 1));
      sum += (2 * l + 1) * minusOneTo(lb + lc + l) *
             wigner6j(2 * la, 2 * lb, 2 * l, 2 * ld, 2 * lc, 2 * i.k) * direct;
    }
    return (2 * i.k + 1) * sum / (orbitalC(la, i.k, lc) * orbitalC(lb, i.k, ld));
  }

  double oneBody(int a, int b) const {
    const ValenceSpinor& s = space_.spinors[usize(a)];
    const int first = space_.first[usize(s.symmetry)];
    return h_.oneBody[usize(s.symmetry)](a - first, b - first);
  }

  /// Mean of <ab|V|ab> - <ab|V|ba> over the places of two electrons in different states of these spinors.
  double meanOfPair(int a, int b) const {
    const double ga = typeOf(a).degeneracy(), gb = typeOf(b).degeneracy();
    double sum = 0;
    for (const auto& [key, block] : blocks_)
      if (key.second == ((typeOf(a).l() + typeOf(b).l()) % 2 != 0))
        sum += (key.first + 1) * element(key.first, a, b, a, b);
    return sum / (a == b ? ga * (ga - 1) / 2 : ga * gb);
  }

  /// Mean energy of an electron in a spinor of a shell in a configuration.
  double energy(int a, const Shell& own, const ValenceShells& configuration) const {
    double sum = oneBody(a, a);
    for (const Shell& s : configuration) {
      const bool isOwn = isSame(s, own);
      const double others = isOwn ? s.electrons - 1 : s.electrons, places = s.capacity() - (isOwn ? 1 : 0);
      if (others <= 0) continue;
      const auto shell = std::ranges::find_if(shells_, [&](const Shell& o) { return isSame(o, s); });
      for (const int b : spinors_[usize(static_cast<int>(shell - shells_.begin()))])
        sum += others * (typeOf(b).degeneracy() - (a == b ? 1 : 0)) / places * meanOfPair(a, b);
    }
    return sum;
  }

  double zeta(std::size_t shell) const {
    const Shell& own = shells_[shell];
    const auto in = std::ranges::find_if(configurations_, [&](const ValenceShells& c) {
      return std::ranges::any_of(c, [&](const Shell& s) { return isSame(s, own); });
    });
    return (energy(spinors_[shell][1], own, *in) - energy(spinors_[shell][0], own, *in)) / (own.l + 0.5);
  }

  /// One electron between two shells of one l, in the field of the core.
  void addBetween(std::size_t i, std::size_t j, std::vector<SlaterParameter>& values) const {
    const std::string names = shells_[i].name() + "," + shells_[j].name();
    std::vector<double> own;
    double mean = 0;
    for (std::size_t s = 0; s < spinors_[i].size(); ++s) {
      own.push_back(oneBody(spinors_[i][s], spinors_[j][s]));
      mean += own.back() * typeOf(spinors_[i][s]).degeneracy() / shells_[i].capacity();
    }
    values.push_back({"h", names, 0, mean});
    if (own.size() == 2) values.push_back({"zeta", names, 0, (own[1] - own[0]) / (shells_[i].l + 0.5)});
  }

  const ValenceSpace& space_;
  const ValenceHamiltonian& h_;
  const std::vector<ValenceShells>& configurations_;
  std::vector<Shell> shells_;
  std::vector<std::vector<int>> spinors_;         ///< of each shell, j = l - 1/2 first
  std::map<std::pair<int, bool>, Block> blocks_;  ///< by 2J and parity
};

}  // namespace

std::vector<SlaterParameter> valenceParameters(const ValenceHamiltonian& h,
                                               const std::vector<ValenceShells>& configurations,
                                               ThreadPool& pool) {
  return ValenceParameters(h, configurations, pool).list();
}

}  // namespace prophet
