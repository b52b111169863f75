#include "atoms/levels/parameter_operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

using Shells = std::array<std::string, 4>;

/// R^k(ab,cd) of a parameter: electron 1 from c to a, electron 2 from d to b.
Shells shellsOf(const SlaterParameter& p) {
  const std::vector<std::string> names = split(p.shells, ',');
  if (p.integral == "F") return {names[0], names[1], names[0], names[1]};
  if (p.integral == "G") return {names[0], names[1], names[1], names[0]};
  return {names[0], names[1], names[2], names[3]};
}

using Pair = std::pair<std::string, std::string>;
/// Integrals over real functions with the same pairs of functions for each electron are the same.
using Key = std::pair<Pair, Pair>;
Key keyOf(const Shells& s) {
  Pair first = std::minmax(s[0], s[2]), second = std::minmax(s[1], s[3]);
  return std::minmax(first, second);
}

/// l.s in one shell.
double spinOrbit(Symmetry s) { return s.kappa < 0 ? 0.5 * s.l() : -0.5 * (s.l() + 1); }

/// Mean of an operator over all states of a configuration: places of a shell are filled with equal weights.
double meanOf(const LevelSpace& space, const LevelSpace::Part& part, const std::vector<Place>& places,
              const OneBody& one, const TwoBody& two) {
  const auto shellAt = [&](const Place& p) -> const Shell* {
    const LevelSpinor& s = space.open[usize(p.spinor)];
    for (const Shell& shell : part.shells)
      if (shell.n == s.n && shell.l == s.symmetry.l()) return &shell;
    return nullptr;
  };
  double sum = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Shell* a = shellAt(places[i]);
    if (!a) continue;
    const double n = a->electrons, g = a->capacity();
    for (const auto& [k, value] : one[i])
      if (k == static_cast<int>(i)) sum += n / g * value;
    for (std::size_t j = i + 1; j < places.size(); ++j) {
      const Shell* b = shellAt(places[j]);
      if (!b) continue;
      const double both = a == b ? n * (n - 1) / (g * (g - 1)) : n * b->electrons / (g * b->capacity());
      for (const PairMove& m : two[i * places.size() + j])
        if (m.k == static_cast<int>(i) && m.l == static_cast<int>(j)) sum += both * m.value;
    }
  }
  return sum;
}

}  // namespace

ParameterOperator::ParameterOperator(const LevelSpace& space, const std::vector<Place>& places,
                                     SlaterParameter parameter)
    : parameter_(std::move(parameter)), places_(places.size()) {
  const auto shell = [&](int spinor) { return space.open[usize(spinor)].shell(); };
  const auto symmetry = [&](int spinor) { return space.open[usize(spinor)].symmetry; };
  if (!isRepulsion(parameter_)) {
    const std::vector<std::string> names = split(parameter_.shells, ',');
    const Pair mine = std::minmax(names.front(), names.back());
    one_ = oneBodyOf(places, [&](const Place& to, const Place& from) {
      if (to.symmetry != from.symmetry || to.twoM != from.twoM) return 0.0;
      if (Pair(std::minmax(shell(to.spinor), shell(from.spinor))) != mine) return 0.0;
      return parameter_.integral == "zeta" ? spinOrbit(to.symmetry) : 1.0;
    });
    two_ = TwoBody(places.size() * places.size());
  } else {
    one_ = OneBody(places.size());
    const Key mine = keyOf(shellsOf(parameter_));
    two_ = twoBodyOf(places, [&](int k, int a, int b, int c, int d) {
      if (k != parameter_.k || keyOf({shell(a), shell(b), shell(c), shell(d)}) != mine) return 0.0;
      return reducedC(symmetry(a), k, symmetry(c)) * reducedC(symmetry(b), k, symmetry(d));
    });
  }
  for (const LevelSpace::Part& part : space.configurations)
    means_.push_back(meanOf(space, part, places, one_, two_));
}

Eigen::MatrixXd ParameterOperator::matrixOf(const LevelBlock& block) const {
  Eigen::MatrixXd dense = betweenStates(block, hamiltonianOf(block, one_, two_, places_));
  for (Eigen::Index s = 0; s < block.size(); ++s)
    dense(s, s) -= means_[usize(block.configurations[usize(s)])];
  return dense;
}

std::vector<ParameterOperator> parameterOperators(const LevelSpace& space, const std::vector<Place>& places,
                                                  const std::vector<SlaterParameter>& parameters) {
  std::set<std::string> open;
  for (const LevelSpinor& s : space.open) open.insert(s.shell());
  if (const Shell* s = openShellOfOneJ(space))
    throw Error("parameters of multiplet theory belong to whole shells; found '" + s->name() +
                "', which names one j");
  std::vector<ParameterOperator> operators;
  std::set<std::pair<Key, int>> known;
  for (const SlaterParameter& p : parameters) {
    const bool isOperator = isRepulsion(p) || p.integral == "zeta" || p.integral == "h";
    if (!isOperator || (p.integral == "F" && p.k == 0)) continue;
    const std::vector<std::string> shells = split(p.shells, ',');
    const bool isOpen =
        std::all_of(shells.begin(), shells.end(), [&](const std::string& s) { return open.count(s) > 0; });
    if (!isOpen || (isRepulsion(p) && !known.insert({keyOf(shellsOf(p)), p.k}).second)) continue;
    operators.emplace_back(space, places, p);
  }
  return operators;
}

}  // namespace prophet
