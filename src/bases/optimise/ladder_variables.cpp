#include "bases/optimise/ladder_variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace prophet {
namespace {

constexpr double kSmallest = 1e-6, kLargestLogarithm = 300.0;

double safeExp(double x) { return std::exp(std::clamp(x, -kLargestLogarithm, kLargestLogarithm)); }

}  // namespace

std::vector<double> toVariables(const std::vector<WellTemperedParameters>& groups) {
  std::vector<double> x;
  for (const WellTemperedParameters& p : groups) {
    x.push_back(std::log(p.alpha));
    x.push_back(std::log(p.beta - 1.0));
    x.push_back(std::log(std::max(p.delta, kSmallest)));
    x.push_back(std::log(std::max(p.gamma, kSmallest)));
  }
  return x;
}

std::vector<WellTemperedParameters> fromVariables(const std::vector<double>& x) {
  std::vector<WellTemperedParameters> groups(x.size() / 4);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double* v = &x[4 * g];
    groups[g] = {safeExp(v[0]), 1.0 + safeExp(v[1]), safeExp(v[2]), safeExp(v[3])};
    // 1 + exp(-40) is 1: beta must stay above.
    groups[g].beta = std::max(groups[g].beta, 1.0 + 1e-12);
  }
  return groups;
}

std::string parametersText(const std::vector<WellTemperedParameters>& groups) {
  std::string text;
  for (const WellTemperedParameters& p : groups)
    text += fmt::format(" {} {} {} {}", p.alpha, p.beta, p.delta, p.gamma);
  return text;
}

}  // namespace prophet
