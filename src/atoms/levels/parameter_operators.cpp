#include "atoms/levels/parameter_operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

using ShellNames = std::array<std::string, 4>;

/// R^k(ab,cd) of a parameter: electron 1 from c to a, electron 2 from d to b.
ShellNames shellsOf(const SlaterParameter& p) {
  const std::vector<std::string> names = split(p.shells, ',');
  if (p.integral == "F") return {names[0], names[1], names[0], names[1]};
  if (p.integral == "G") return {names[0], names[1], names[1], names[0]};
  return {names[0], names[1], names[2], names[3]};
}

using Pair = std::pair<std::string, std::string>;
/// Integrals over real functions with the same pairs of functions for each electron are the same.
using Key = std::pair<Pair, Pair>;
Key keyOf(const ShellNames& s) {
  Pair first = std::minmax(s[0], s[2]), second = std::minmax(s[1], s[3]);
  return std::minmax(first, second);
}

/// l.s in one shell.
double spinOrbit(Symmetry s) { return s.kappa < 0 ? 0.5 * s.l() : -0.5 * (s.l() + 1); }

}  // namespace

ParameterOperator::ParameterOperator(const LevelSpace& space, const std::vector<Place>& places,
                                     const SlaterParameter& parameter)
    : ParameterOperator(space, places, std::vector{std::pair(parameter, 1.0)}, parameter) {}

ParameterOperator::ParameterOperator(const LevelSpace& space, const std::vector<Place>& places,
                                     const std::vector<std::pair<SlaterParameter, double>>& list,
                                     SlaterParameter sum)
    : parameter_(std::move(sum)), operator_{places.size(), {}, {}} {
  const auto shell = [&](int spinor) { return space.open[usize(spinor)].shell(); };
  const auto symmetry = [&](int spinor) { return space.open[usize(spinor)].symmetry; };
  std::map<std::pair<Pair, bool>, double> ones;  // whether of l.s
  std::map<std::pair<Key, int>, double> twos;
  for (const auto& [p, factor] : list) {
    if (isRepulsion(p)) {
      twos[{keyOf(shellsOf(p)), p.k}] += factor;
    } else {
      const std::vector<std::string> names = split(p.shells, ',');
      ones[{std::minmax(names.front(), names.back()), p.integral == "zeta"}] += factor;
    }
  }
  operator_.one = oneBodyOf(places, [&](const Place& to, const Place& from) {
    if (ones.empty() || to.symmetry != from.symmetry || to.twoM != from.twoM) return 0.0;
    const Pair mine = std::minmax(shell(to.spinor), shell(from.spinor));
    double value = 0;
    if (const auto found = ones.find({mine, true}); found != ones.end())
      value += found->second * spinOrbit(to.symmetry);
    if (const auto found = ones.find({mine, false}); found != ones.end()) value += found->second;
    return value;
  });
  if (twos.empty()) {
    operator_.two = TwoBody(places.size() * places.size());
  } else {
    operator_.two = twoBodyOf(places, [&](int k, int a, int b, int c, int d) {
      const auto found = twos.find({keyOf({shell(a), shell(b), shell(c), shell(d)}), k});
      return found == twos.end() ? 0.0
                                 : found->second * reducedC(symmetry(a), k, symmetry(c)) *
                                       reducedC(symmetry(b), k, symmetry(d));
    });
  }
  for (const LevelSpace::Part& part : space.configurations)
    operator_.means.push_back(meanOver(space, part, places, operator_.one, operator_.two));
}

std::vector<SlaterParameter> openParameters(const LevelSpace& space,
                                            const std::vector<SlaterParameter>& parameters) {
  std::set<std::string> open;
  for (const LevelSpinor& s : space.open) open.insert(s.shell());
  if (const Shell* s = openShellOfOneJ(space))
    throw Error("parameters of multiplet theory belong to whole shells; found '" + s->name() +
                "', which names one j");
  std::vector<SlaterParameter> list;
  std::set<std::pair<Key, int>> known;
  for (const SlaterParameter& p : parameters) {
    const bool isOperator = isRepulsion(p) || p.integral == "zeta" || p.integral == "h";
    if (!isOperator || (p.integral == "F" && p.k == 0)) continue;
    const std::vector<std::string> shells = split(p.shells, ',');
    const bool isOpen =
        std::all_of(shells.begin(), shells.end(), [&](const std::string& s) { return open.count(s) > 0; });
    if (!isOpen || (isRepulsion(p) && !known.insert({keyOf(shellsOf(p)), p.k}).second)) continue;
    list.push_back(p);
  }
  return list;
}

std::vector<ParameterOperator> parameterOperators(const LevelSpace& space, const std::vector<Place>& places,
                                                  const std::vector<SlaterParameter>& parameters) {
  std::vector<ParameterOperator> operators;
  for (const SlaterParameter& p : openParameters(space, parameters)) operators.emplace_back(space, places, p);
  return operators;
}

}  // namespace prophet
