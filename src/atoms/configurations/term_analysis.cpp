#include "atoms/configurations/term_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/linalg/decompositions.hpp"

namespace prophet {
namespace {

/// L^2 + 100 sqrt(2) S^2 tells every pair (L, S) apart.
constexpr double kSpinWeight = 141.4213562373095;

/// <l j m|l ml, s ms> of spin up and down.
double spinPart(const Place& p, int twoSpin) {
  const int twoMl = p.twoM - twoSpin;
  return std::abs(twoMl) > 2 * p.symmetry.l()
             ? 0.0
             : clebschGordan(2 * p.symmetry.l(), twoMl, 1, twoSpin, p.symmetry.twoJ(), p.twoM);
}

/// "3P" of L = 1 and 2S = 2.
std::string termName(int l, int twoS) {
  return fmt::format("{}{}", twoS + 1, static_cast<char>(std::toupper(letterOfL(l))));
}

/// L and 2S of an eigenvalue of L^2 + kSpinWeight S^2. Throws Error where it is none.
std::pair<int, int> termOf(double value, int electrons) {
  for (int twoS = electrons % 2; twoS <= electrons; twoS += 2) {
    const double rest = value - kSpinWeight * 0.25 * twoS * (twoS + 2);
    const int l = static_cast<int>(std::lround(0.5 * (std::sqrt(std::max(0.0, 1 + 4 * rest)) - 1)));
    if (std::abs(rest - l * (l + 1)) < 1e-5) return {l, twoS};
  }
  throw Error(
      fmt::format("levels: {} is no eigenvalue of L^2 and S^2; this is a defect of the program", value));
}

/// A matrix between the block's states, which rounding leaves a little unsymmetric.
Eigen::MatrixXd symmetric(const Eigen::MatrixXd& matrix) { return 0.5 * (matrix + matrix.transpose()); }

}  // namespace

TermAnalysis::TermAnalysis(const LevelSpace& space, const std::vector<Place>& places)
    : space_(space), places_(places), possible_(openShellOfOneJ(space) == nullptr) {
  std::vector<ShellName> all;
  for (const LevelSpinor& s : space.open) all.emplace_back(s.n, s.symmetry.l());
  for (const LevelSpace::Part& part : space.configurations) {
    std::vector<ShellName> open;
    for (const Shell& s : part.shells) {
      const bool isOpen = s.electrons > 0 && s.electrons < s.capacity();
      if (isOpen) open.emplace_back(s.n, s.l);
    }
    openShells_.push_back(std::move(open));
  }
  if (possible_) all_ = momentaOf(all);
}

TermAnalysis::Momenta TermAnalysis::momentaOf(const std::vector<ShellName>& shells) const {
  const auto shellOf = [&](const Place& p) {
    return ShellName{space_.open[usize(p.spinor)].n, p.symmetry.l()};
  };
  const auto within = [&](const Place& a, const Place& b) {
    return shellOf(a) == shellOf(b) && std::find(shells.begin(), shells.end(), shellOf(a)) != shells.end();
  };
  const auto lRaising = [&](const Place& to, const Place& from) {
    if (!within(to, from) || to.twoM != from.twoM + 2) return 0.0;
    double sum = 0;
    for (const int spin : {-1, 1}) {
      const double l = from.symmetry.l(), m = 0.5 * (from.twoM - spin);
      if (std::abs(m) <= l && m + 1 <= l)
        sum += spinPart(to, spin) * spinPart(from, spin) * std::sqrt(l * (l + 1) - m * (m + 1));
    }
    return sum;
  };
  const auto sRaising = [&](const Place& to, const Place& from) {
    return within(to, from) && to.twoM == from.twoM + 2 ? spinPart(to, 1) * spinPart(from, -1) : 0.0;
  };
  const auto projection = [&](double ofL, double ofS) {
    return [&, ofL, ofS](const Place& to, const Place& from) {
      if (!within(to, from) || to.twoM != from.twoM) return 0.0;
      double sum = 0;
      for (const int spin : {-1, 1})
        sum += spinPart(to, spin) * spinPart(from, spin) * (ofL * (from.twoM - spin) + ofS * spin);
      return sum;
    };
  };
  return {oneBodyOf(places_, lRaising), oneBodyOf(places_, sRaising), oneBodyOf(places_, projection(0.5, 0)),
          oneBodyOf(places_, projection(0, 0.5))};
}

TermAnalysis::Squares TermAnalysis::squaresOf(const Momenta& momenta, const LevelBlock& block) const {
  // Single components of L and S lead to determinants that states of this J do not have.
  // L^2 = L- L+ + L_z (L_z + 1).
  const auto square = [&](const OneBody& raising, const OneBody& z) {
    const SparseMatrix up = appliedTo(raising, block), along = appliedTo(z, block, block.places);
    SparseMatrix states = block.states;
    states.conservativeResize(along.rows(), states.cols());
    return symmetric(transposedProduct(up, up) + transposedProduct(along, along + states));
  };
  return {square(momenta.lRaising, momenta.lz), square(momenta.sRaising, momenta.sz)};
}

void TermAnalysis::nameParents(const LevelBlock& block, int configuration, TermStates& terms) const {
  const std::vector<ShellName>& open = openShells_[usize(configuration)];
  const LevelSpace::Part& part = space_.configurations[usize(configuration)];
  const auto electronsOf = [&](ShellName name) {
    for (const Shell& s : part.shells)
      if (s.n == name.first && s.l == name.second) return s.electrons;
    return 0;
  };
  // What the terms may differ in: each shell of several electrons, and the first shells together.
  std::vector<Coupled> steps;
  Coupled first;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const int electrons = electronsOf(open[i]);
    if (electrons > 1 && open.size() > 1) steps.push_back({{open[i]}, electrons});
    first.shells.push_back(open[i]);
    first.electrons += electrons;
    if (i > 0 && i + 1 < open.size()) steps.push_back(first);
  }
  const Eigen::Index count = terms.vectors.cols();
  std::vector<std::vector<std::string>> parents(steps.size(), std::vector<std::string>(usize(count)));
  std::vector<Eigen::MatrixXd> squares;
  for (const Coupled& step : steps) {
    const Squares s = squaresOf(momentaOf(step.shells), block);
    squares.push_back((s.l + kSpinWeight * s.s)(terms.states, terms.states));
  }
  for (Eigen::Index begin = 0, end; begin < count; begin = end) {
    for (end = begin; end < count && terms.names[usize(end)] == terms.names[usize(begin)];) ++end;
    if (steps.empty()) continue;
    // The operators commute, and a sum of them tells all sets of eigenvalues apart where no integers and
    // multiples of the square root of two add up to zero with the factors: powers of a transcendental number.
    const Eigen::MatrixXd group = terms.vectors.middleCols(begin, end - begin);
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(end - begin, end - begin);
    double factor = 1;
    for (const Eigen::MatrixXd& square : squares) {
      sum += factor * (group.transpose() * square * group);
      factor *= 0.25 * constants::kPi;
    }
    const SymmetricEigen solver(0.5 * (sum + sum.transpose()));
    terms.vectors.middleCols(begin, end - begin) = group * solver.eigenvectors();
    for (std::size_t k = 0; k < steps.size(); ++k)
      for (Eigen::Index i = begin; i < end; ++i) {
        const double value = terms.vectors.col(i).dot(squares[k] * terms.vectors.col(i));
        const auto [l, twoS] = termOf(value, steps[k].electrons);
        parents[k][usize(i)] = termName(l, twoS);
      }
  }
  const std::string closed = openText(space_, configuration);
  for (Eigen::Index i = 0; i < count; ++i) {
    std::string label = closed;
    for (std::size_t k = steps.size(); k-- > 0;) {
      // Behind the last of the shells that it is the term of.
      const ShellName last = steps[k].shells.back();
      const bool single = steps[k].shells.size() == 1;
      const std::string shell = fmt::format("{}{}{}", last.first, letterOfL(last.second), electronsOf(last));
      if (const auto at = label.find(shell); at != std::string::npos)
        label.insert(at + shell.size(), fmt::format("{}({})", single ? "" : " ", parents[k][usize(i)]));
    }
    terms.labels.push_back(label + (label.empty() ? "" : " ") + terms.names[usize(i)]);
  }
}

std::vector<TermStates> TermAnalysis::of(const LevelBlock& block) const {
  const Squares squares = squaresOf(all_, block);
  const Eigen::MatrixXd whole = squares.l + kSpinWeight * squares.s;
  std::vector<TermStates> all;
  for (std::size_t c = 0; c < space_.configurations.size(); ++c) {
    TermStates terms;
    for (std::size_t i = 0; i < block.configurations.size(); ++i)
      if (block.configurations[i] == static_cast<int>(c)) terms.states.push_back(static_cast<int>(i));
    if (!terms.states.empty()) {
      const SymmetricEigen solver(Eigen::MatrixXd(whole(terms.states, terms.states)));
      terms.vectors = solver.eigenvectors();
      for (Eigen::Index i = 0; i < terms.vectors.cols(); ++i) {
        const auto [l, twoS] = termOf(solver.eigenvalues()(i), space_.openElectrons());
        terms.names.push_back(termName(l, twoS) + (block.odd ? "o" : ""));
      }
      nameParents(block, static_cast<int>(c), terms);
    }
    all.push_back(std::move(terms));
  }
  return all;
}

std::string openText(const LevelSpace& space, int configuration) {
  std::string text;
  for (const Shell& s : space.configurations[usize(configuration)].shells) {
    const bool isOpen =
        s.electrons > 0 && std::any_of(space.open.begin(), space.open.end(), [&](const LevelSpinor& o) {
          return o.n == s.n && o.symmetry.l() == s.l && s.has(o.symmetry.twoJ());
        });
    if (isOpen) text += fmt::format("{}{}{}", text.empty() ? "" : " ", s.name(), s.electrons);
  }
  return text;
}

}  // namespace prophet
