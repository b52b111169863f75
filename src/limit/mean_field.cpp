#include "limit/mean_field.hpp"

#include <algorithm>

namespace prophet::limit {

std::vector<PointSpinors> atPoints(const RadialBasis& basis, const SpinorSet& spinors) {
  std::vector<PointSpinors> all;
  for (int a = 0; a < static_cast<int>(spinors.coefficients.size()); ++a) {
    const auto& c = spinors.coefficients[a];
    all.push_back(
        {basis.largeValues(Symmetry::fromIndex(a), c), basis.smallValues(c), spinors.occupations[a]});
  }
  return all;
}

Eigen::VectorXd densityAtPoints(const PointSpinors& s) {
  return s.large.cwiseAbs2() * s.occupation + s.small.cwiseAbs2() * s.occupation;
}

MeanField::MeanField(const RadialBasis& basis, const Configuration& configuration,
                     std::vector<ExchangeChannel> channels, int threads, bool direct)
    : basis_(basis),
      configuration_(configuration),
      symmetries_(static_cast<int>(configuration.symmetries.size())),
      kernel_(basis, largestMultipole(channels)),
      exchange_(basis, kernel_, std::move(channels), symmetries_, threads),
      direct_(direct) {}

Fields MeanField::build(const SpinorSet& spinors) const {
  const std::vector<PointSpinors> all = atPoints(basis_, spinors);
  Eigen::VectorXd density = Eigen::VectorXd::Zero(basis_.points);
  for (const auto& s : all) density += densityAtPoints(s);
  const Eigen::VectorXd direct =
      direct_ ? kernel_.potential(0, density) : Eigen::VectorXd::Zero(basis_.points);
  const auto exchange = exchange_.build(all, Eigen::MatrixXd::Ones(symmetries_, symmetries_));
  Fields fields;
  for (int a = 0; a < symmetries_; ++a) {
    const Symmetry s = Symmetry::fromIndex(a);
    fields.closed.push_back(basis_.localMatrix(s, direct) - basis_.restrictTo(s, exchange[a]));
  }
  fields.defect.resize(symmetries_);
  return configuration_.hasOpenShells() ? defectOf(all, std::move(fields)) : fields;
}

Fields MeanField::defectOf(const std::vector<PointSpinors>& all, Fields fields) const {
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(symmetries_, symmetries_);
  std::vector<PointSpinors> open(symmetries_);
  std::vector<Eigen::VectorXd> potentials(symmetries_);
  const Eigen::MatrixXd reduction = configuration_.openReduction();
  for (int b = 0; b < symmetries_; ++b) {
    if (!configuration_.symmetries[b].open()) continue;
    open[b] = {all[b].large.rightCols(1), all[b].small.rightCols(1), all[b].occupation.tail(1)};
    potentials[b] = kernel_.potential(0, densityAtPoints(open[b]));
    for (int a = 0; a < symmetries_; ++a) {
      if (configuration_.symmetries[a].open())
        weights(a, b) = reduction(configuration_.firstOpen(a), configuration_.firstOpen(b));
    }
  }
  const auto exchange = exchange_.build(open, weights);
  for (int a = 0; a < symmetries_; ++a) {
    if (!configuration_.symmetries[a].open()) continue;
    const Symmetry s = Symmetry::fromIndex(a);
    Eigen::VectorXd direct = Eigen::VectorXd::Zero(basis_.points);
    for (int b = 0; b < symmetries_; ++b) {
      if (direct_ && weights(a, b) != 0) direct += weights(a, b) * potentials[b];
    }
    fields.defect[a] = basis_.localMatrix(s, direct) - basis_.restrictTo(s, exchange[a]);
  }
  return fields;
}

double twoElectronEnergy(const Fields& fields, const SpinorSet& spinors) {
  double energy = 0;
  for (std::size_t a = 0; a < spinors.coefficients.size(); ++a) {
    const Eigen::MatrixXd& c = spinors.coefficients[a];
    const Eigen::VectorXd& n = spinors.occupations[a];
    for (int i = 0; i < n.size(); ++i) energy += 0.5 * n[i] * c.col(i).dot(fields.closed[a] * c.col(i));
    if (fields.defect[a].size() == 0) continue;
    const Eigen::VectorXd open = c.rightCols(1);
    energy -= 0.5 * n.tail(1)[0] * open.dot(fields.defect[a] * open);
  }
  return energy;
}

}  // namespace prophet::limit
