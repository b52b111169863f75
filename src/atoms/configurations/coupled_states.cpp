#include "atoms/configurations/coupled_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "atoms/angular/angular.hpp"
#include "core/common/text.hpp"
#include "core/linalg/decompositions.hpp"

namespace prophet {
namespace {

using Components = std::vector<std::pair<Determinant, double>>;

constexpr double kNothing = 1e-14;  // a coefficient that is rounding

/// States of j^n of one J and seniority: the vectors of all M.
struct SubshellState {
  int twoJ = 0, seniority = 0;
  std::map<int, Components> components;  ///< by 2M
};

/// The determinants of n electrons in one subshell (bits m = -j, ..., j), and one-body operators on them.
class Subshell {
 public:
  explicit Subshell(int twoJ) : twoJ_(twoJ) {}

  int twiceM(Determinant d) const {
    int sum = 0;
    for (int b = 0; b <= twoJ_; ++b)
      if (d >> b & 1) sum += 2 * b - twoJ_;
    return sum;
  }
  /// Determinants of n electrons by 2M.
  std::map<int, std::vector<Determinant>> determinants(int n) const {
    std::map<int, std::vector<Determinant>> list;
    for (Determinant d = 0; d < Determinant(1) << (twoJ_ + 1); ++d)
      if (std::popcount(d) == n) list[twiceM(d)].push_back(d);
    return list;
  }
  /// J+ (step 1) or J- (step -1) of a determinant.
  Components shifted(Determinant d, int step) const {
    Components terms;
    for (int b = 0; b <= twoJ_; ++b) {
      const int to = b + step;
      if (!(d >> b & 1) || to < 0 || to > twoJ_ || (d >> to & 1)) continue;
      const double m = 0.5 * (2 * b - twoJ_), j = 0.5 * twoJ_;
      // Neighbouring places: no electron stands between, so no sign.
      terms.emplace_back((d ^ (Determinant(1) << b)) | Determinant(1) << to,
                         std::sqrt(j * (j + 1) - m * (m + step)));
    }
    return terms;
  }
  /// sum over m > 0 of (-1)^(j-m) a_-m a_m: pairs of J = 0 taken out.
  Components withoutPair(Determinant d) const {
    Components terms;
    for (int up = (twoJ_ + 1) / 2; up <= twoJ_; ++up) {
      const int down = twoJ_ - up;
      if (!(d >> up & 1) || !(d >> down & 1)) continue;
      const int between = std::popcount(d >> (down + 1) & ((Determinant(1) << (up - down - 1)) - 1));
      const double sign = (between + (twoJ_ - up)) % 2 == 0 ? 1 : -1;
      terms.emplace_back(d ^ (Determinant(1) << up) ^ (Determinant(1) << down), sign);
    }
    return terms;
  }

 private:
  int twoJ_;
};

template <class Operator>
Eigen::MatrixXd matrixOf(const std::vector<Determinant>& from, const std::vector<Determinant>& to,
                         Operator apply) {
  Eigen::MatrixXd matrix =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(to.size()), static_cast<Eigen::Index>(from.size()));
  for (std::size_t i = 0; i < from.size(); ++i)
    for (const auto& [d, value] : apply(from[i]))
      matrix(std::lower_bound(to.begin(), to.end(), d) - to.begin(), static_cast<Eigen::Index>(i)) += value;
  return matrix;
}

std::vector<SubshellState> subshellStates(int twoJ, int n) {
  const Subshell shell(twoJ);
  const auto all = shell.determinants(n);
  const auto pairless = n >= 2 ? shell.determinants(n - 2) : std::map<int, std::vector<Determinant>>{};
  const auto find = [](const auto& map, int m) {
    const auto it = map.find(m);
    return it == map.end() ? std::vector<Determinant>{} : it->second;
  };
  std::vector<SubshellState> states;
  for (auto it = all.rbegin(); it != all.rend() && it->first >= 0; ++it) {
    const int m = it->first;
    const std::vector<Determinant>& here = it->second;
    const std::vector<Determinant> above = find(all, m + 2);
    const Eigen::MatrixXd up = matrixOf(here, above, [&](Determinant d) { return shell.shifted(d, 1); });
    const SymmetricEigen raising(up.transpose() * up);
    const auto count = static_cast<Eigen::Index>(here.size()) - static_cast<Eigen::Index>(above.size());
    if (count <= 0) continue;
    Eigen::MatrixXd kernel = raising.eigenvectors().leftCols(count);
    // Seniority v: P+ P- = (n - v)(2 Omega + 2 - n - v)/4 on the states of J.
    const Eigen::MatrixXd pairs =
        matrixOf(here, find(pairless, m), [&](Determinant d) { return shell.withoutPair(d); }) * kernel;
    const SymmetricEigen seniority(pairs.transpose() * pairs);
    kernel = kernel * seniority.eigenvectors();
    for (Eigen::Index s = count - 1; s >= 0; --s) {
      SubshellState state{m, 0, {}};
      for (int v = n % 2; v <= n; v += 2)
        if (std::abs(0.25 * (n - v) * (twoJ + 3 - n - v) - seniority.eigenvalues()(s)) < 1e-6)
          state.seniority = v;
      Eigen::VectorXd vector = kernel.col(s);
      Eigen::Index largest = 0;
      vector.cwiseAbs().maxCoeff(&largest);
      if (vector(largest) < 0) vector = -vector;  // the same sign on every machine
      std::vector<Determinant> basis = here;
      for (int twoM = m; twoM >= -m; twoM -= 2) {
        Components& terms = state.components[twoM];
        for (std::size_t i = 0; i < basis.size(); ++i)
          if (std::abs(vector(static_cast<Eigen::Index>(i))) > kNothing)
            terms.emplace_back(basis[i], vector(static_cast<Eigen::Index>(i)));
        if (twoM == -m) break;
        const std::vector<Determinant> below = find(all, twoM - 2);
        const Eigen::VectorXd lowered =
            matrixOf(basis, below, [&](Determinant d) { return shell.shifted(d, -1); }) * vector;
        const double j = 0.5 * m, mm = 0.5 * twoM;
        vector = lowered / std::sqrt(j * (j + 1) - mm * (mm - 1));
        basis = below;
      }
      states.push_back(std::move(state));
    }
  }
  return states;
}

/// States of the first subshells, coupled, with the components of all M.
struct Prefix {
  int twoJ = 0;
  std::map<int, Components> components;
  std::string label;
};

Components coupledComponent(const Prefix& left, const SubshellState& right, int firstBit, int twoJ,
                            int twoM) {
  Components terms;
  for (const auto& [m, components] : right.components) {
    const auto other = left.components.find(twoM - m);
    if (other == left.components.end()) continue;
    const double factor = clebschGordan(left.twoJ, twoM - m, right.twoJ, m, twoJ, twoM);
    if (std::abs(factor) < kNothing) continue;
    for (const auto& [a, x] : other->second)
      for (const auto& [b, y] : components) terms.emplace_back(a | b << firstBit, factor * x * y);
  }
  return terms;
}

}  // namespace

std::vector<int> firstBits(const std::vector<LevelSpinor>& open) {
  std::vector<int> bits = {0};
  for (const LevelSpinor& s : open) bits.push_back(bits.back() + s.symmetry.degeneracy());
  return bits;
}

double clebschGordan(int twoJ1, int twoM1, int twoJ2, int twoM2, int twoJ, int twoM) {
  const double sign = (twoJ1 - twoJ2 + twoM) / 2 % 2 == 0 ? 1 : -1;
  return sign * std::sqrt(twoJ + 1.0) * wigner3j(twoJ1, twoJ2, twoJ, twoM1, twoM2, -twoM);
}

std::vector<CoupledState> coupledStates(const std::vector<LevelSpinor>& open,
                                        const std::vector<int>& electrons, int twoJ) {
  const std::vector<int> bits = firstBits(open);
  std::vector<std::size_t> occupied;
  for (std::size_t i = 0; i < open.size(); ++i)
    if (electrons[i] > 0) occupied.push_back(i);
  // What the subshells behind each one can still add to the angular momentum.
  std::vector<int> reach(occupied.size() + 1, 0);
  std::vector<std::vector<SubshellState>> states(occupied.size());
  for (std::size_t i = occupied.size(); i-- > 0;) {
    states[i] = subshellStates(open[occupied[i]].symmetry.twoJ(), electrons[occupied[i]]);
    int most = 0;
    for (const SubshellState& s : states[i]) most = std::max(most, s.twoJ);
    reach[i] = reach[i + 1] + most;
  }
  std::vector<Prefix> prefixes = {{0, {{0, {{0, 1.0}}}}, ""}};
  for (std::size_t i = 0; i < occupied.size(); ++i) {
    const LevelSpinor& spinor = open[occupied[i]];
    const int count = electrons[occupied[i]];
    const bool isLast = i + 1 == occupied.size(), isFull = count == spinor.symmetry.degeneracy();
    std::vector<Prefix> next;
    for (const Prefix& left : prefixes) {
      for (const SubshellState& right : states[i]) {
        for (int j = std::abs(left.twoJ - right.twoJ); j <= left.twoJ + right.twoJ; j += 2) {
          if (j > twoJ + reach[i + 1] || twoJ > j + reach[i + 1]) continue;
          Prefix both{j, {}, left.label};
          for (int m = isLast ? j : -j; m <= j; m += 2)
            both.components[m] = coupledComponent(left, right, bits[occupied[i]], j, m);
          both.label += fmt::format("{}{}({})", left.label.empty() ? "" : " ", spinor.label(), count);
          if (!isFull)
            both.label +=
                halves(right.twoJ) + (right.seniority > 1 ? fmt::format("v{}", right.seniority) : "");
          if (!left.label.empty()) both.label += "; " + halves(j);
          next.push_back(std::move(both));
        }
      }
    }
    prefixes = std::move(next);
  }
  std::vector<CoupledState> list;
  for (Prefix& p : prefixes)
    if (p.twoJ == twoJ) list.push_back({std::move(p.components[twoJ]), std::move(p.label)});
  return list;
}

}  // namespace prophet
