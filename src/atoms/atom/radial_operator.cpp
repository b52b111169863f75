#include "atoms/atom/radial_operator.hpp"

namespace prophet {

SampledOperator::SampledOperator(const RadialOperator& radial, const Eigen::VectorXd& radii)
    : parts_(radii.size(), radial.parts.size()) {
  const auto sample = [&](const std::function<double(double)>& f) {
    return Eigen::VectorXd(radii.unaryExpr([&](double r) { return f(r); }));
  };
  for (std::size_t i = 0; i < radial.parts.size(); ++i) {
    parts_.col(static_cast<Eigen::Index>(i)) = sample(radial.parts[i].function);
    factors_.push_back(radial.parts[i].factor);
  }
  if (radial.coupling) coupling_ = sample(radial.coupling);
}

Eigen::VectorXd SampledOperator::local(Symmetry symmetry) const {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(parts_.rows());
  for (std::size_t i = 0; i < factors_.size(); ++i)
    sum += (factors_[i] ? factors_[i](symmetry) : 1.0) * parts_.col(static_cast<Eigen::Index>(i));
  return sum;
}

}  // namespace prophet
