#include "atoms/limit/mean_field.hpp"

#include "atoms/angular/angular.hpp"

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
  fields.reductions.resize(symmetries_);
  fields.responses.resize(symmetries_);
  for (int a = 0; direct_ && a < symmetries_; ++a) fields.responses[a] = responsesOf(a, all[a]);
  if (configuration_.hasOpenShells()) addReductions(all, fields);
  return fields;
}

// The exchange builder takes one spinor of each symmetry as source and one matrix of each as target: open
// spinors are taken in layers, the first ones of all symmetries, the second ones, ...
void MeanField::addReductions(const std::vector<PointSpinors>& all, Fields& fields) const {
  const std::vector<OpenSpinor> open = configuration_.openSpinors();
  const Eigen::MatrixXd share = configuration_.openReduction();
  const int count = static_cast<int>(open.size());
  std::vector<int> layer(count);
  std::vector<Eigen::VectorXd> potential(count);
  std::vector<std::vector<PointSpinors>> sources;
  for (int i = 0; i < count; ++i) {
    const int a = open[i].symmetry, column = open[i].position;
    layer[i] = i - configuration_.firstOpen(a);
    if (layer[i] == static_cast<int>(sources.size())) sources.emplace_back(symmetries_);
    PointSpinors& source = sources[layer[i]][a];
    source = {all[a].large.col(column), all[a].small.col(column), all[a].occupation.segment(column, 1)};
    if (direct_) potential[i] = kernel_.potential(0, densityAtPoints(source));
  }
  for (int i = 0; i < count; ++i) {
    Eigen::VectorXd direct = Eigen::VectorXd::Zero(basis_.points);
    for (int j = 0; j < count; ++j) {
      if (direct_ && share(i, j) != 0) direct += share(i, j) * potential[j];
    }
    fields.reductions[open[i].symmetry].push_back(
        basis_.localMatrix(Symmetry::fromIndex(open[i].symmetry), direct));
  }
  const int layers = static_cast<int>(sources.size());
  for (int target = 0; target < layers; ++target) {
    for (int source = 0; source < layers; ++source) {
      Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(symmetries_, symmetries_);
      for (int i = 0; i < count; ++i) {
        for (int j = 0; j < count; ++j) {
          if (layer[i] == target && layer[j] == source)
            weights(open[i].symmetry, open[j].symmetry) = share(i, j);
        }
      }
      if (weights.isZero(0)) continue;
      const auto exchange = exchange_.build(sources[source], weights);
      for (int i = 0; i < count; ++i) {
        const int a = open[i].symmetry;
        if (layer[i] == target)
          fields.reductions[a][target] -= basis_.restrictTo(Symmetry::fromIndex(a), exchange[a]);
      }
    }
  }
}

// 2 (w_ii - 2 w_ij + w_jj) [R^0(ij,ij) - 1/2 sum_k Lambda_k (R^k(ii,jj) + R^k(ij,ij))]: rotating i and j
// moves charge of the density ij from one to the other.
Eigen::MatrixXd MeanField::responsesOf(int symmetry, const PointSpinors& spinors) const {
  const SymmetryOccupation& occupation = configuration_.symmetries[symmetry];
  const int open = occupation.occupied() - occupation.closed();
  if (open < 2) return {};
  const Symmetry s = Symmetry::fromIndex(symmetry);
  const std::vector<int> columns = occupation.openPositions();
  const auto density = [&](int i, int j) -> Eigen::VectorXd {
    return spinors.large.col(columns[i]).cwiseProduct(spinors.large.col(columns[j])) +
           spinors.small.col(columns[i]).cwiseProduct(spinors.small.col(columns[j]));
  };
  const auto integral = [&](int k, const Eigen::VectorXd& one, const Eigen::VectorXd& other) {
    return kernel_.potential(k, one).dot(basis_.weight.cwiseProduct(other));
  };
  const int first = configuration_.firstOpen(symmetry);
  const Eigen::MatrixXd weights = configuration_.openPairWeights.block(first, first, open, open);
  Eigen::MatrixXd responses = Eigen::MatrixXd::Zero(open, open);
  for (int i = 0; i < open; ++i) {
    for (int j = 0; j < i; ++j) {
      const Eigen::VectorXd mixed = density(i, j);
      double sum = integral(0, mixed, mixed);
      for (const ExchangeTerm& term : exchangeTerms(s, s)) {
        sum -= 0.5 * term.coefficient *
               (integral(term.k, density(i, i), density(j, j)) + integral(term.k, mixed, mixed));
      }
      responses(i, j) = responses(j, i) = 2 * (weights(i, i) - 2 * weights(i, j) + weights(j, j)) * sum;
    }
  }
  return responses;
}

double twoElectronEnergy(const Fields& fields, const SpinorSet& spinors, const Configuration& configuration) {
  double energy = 0;
  for (std::size_t a = 0; a < spinors.coefficients.size(); ++a) {
    const Eigen::MatrixXd& c = spinors.coefficients[a];
    const Eigen::VectorXd& n = spinors.occupations[a];
    for (int i = 0; i < n.size(); ++i) energy += 0.5 * n[i] * c.col(i).dot(fields.closed[a] * c.col(i));
  }
  const std::vector<OpenSpinor> open = configuration.openSpinors();
  for (int i = 0; i < static_cast<int>(open.size()); ++i) {
    const int a = open[i].symmetry, column = open[i].position;
    const Eigen::VectorXd c = spinors.coefficients[a].col(column);
    const Eigen::MatrixXd& reduction = fields.reductions[a][i - configuration.firstOpen(a)];
    energy -= 0.5 * spinors.occupations[a][column] * c.dot(reduction * c);
  }
  return energy;
}

}  // namespace prophet::limit
