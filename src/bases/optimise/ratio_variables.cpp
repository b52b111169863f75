#include "bases/optimise/ratio_variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/common/error.hpp"

namespace prophet {

RatioVariables::RatioVariables(RatioBounds bounds)
    : low_(std::log(bounds.least)), high_(std::log(bounds.most)) {
  if (!(bounds.least > 1.0) || !(bounds.most > bounds.least)) {
    throw Error(
        fmt::format("ratios of neighbouring exponents from {:g} to {:g}; expected two numbers above 1, the "
                    "smaller one first",
                    bounds.least, bounds.most));
  }
}

Eigen::VectorXd RatioVariables::toVariables(const std::vector<std::vector<double>>& lists) const {
  constexpr double kInside = 0.01;
  std::vector<double> v;
  for (const auto& list : lists) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i == 0) {
        v.push_back(std::log(list[0]));
        continue;
      }
      const double share = (std::log(list[i] / list[i - 1]) - low_) / (high_ - low_);
      const double inside = std::clamp(share, kInside, 1.0 - kInside);
      v.push_back(std::log(inside / (1.0 - inside)));
    }
  }
  return Eigen::Map<Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

std::vector<std::vector<double>> RatioVariables::toLists(
    const Eigen::VectorXd& v, const std::vector<std::vector<double>>& shape) const {
  std::vector<std::vector<double>> lists = shape;
  Eigen::Index k = 0;
  for (auto& list : lists) {
    double logarithm = 0.0;
    for (std::size_t i = 0; i < list.size(); ++i, ++k) {
      logarithm = i == 0 ? v(k) : logarithm + low_ + (high_ - low_) / (1.0 + std::exp(-v(k)));
      list[i] = std::exp(logarithm);
    }
  }
  return lists;
}

Eigen::VectorXd RatioVariables::gradient(const Eigen::VectorXd& v, const Eigen::VectorXd& byExponents,
                                         const std::vector<std::vector<double>>& shape) const {
  Eigen::VectorXd g(v.size());
  Eigen::Index end = v.size();
  for (auto list = shape.rbegin(); list != shape.rend(); ++list) {
    const Eigen::Index first = end - static_cast<Eigen::Index>(list->size());
    double above = 0.0;  // a ratio moves all exponents from its own on
    for (Eigen::Index k = end - 1; k >= first; --k) {
      above += byExponents(k);
      const double share = 1.0 / (1.0 + std::exp(-v(k)));
      g(k) = k == first ? above : above * (high_ - low_) * share * (1.0 - share);
    }
    end = first;
  }
  return g;
}

}  // namespace prophet
