#include "madelung/real_space.hpp"

#include <cmath>
#include <vector>

#include "common/math_constants.hpp"
#include "common/thread_pool.hpp"
#include "madelung/neighbours.hpp"

namespace prophet {
namespace {

void addSelfAndBackground(const ChargedCell& cell, double beta, Electrostatics& sums) {
  const double self = 2 * beta / std::sqrt(constants::kPi);
  const double net = cell.charges.sum(), background = -constants::kPi * net / (beta * beta * cell.volume());
  sums.potentials.noalias() -= self * cell.charges;
  sums.potentials.array() += background;
  sums.energy += -0.5 * self * cell.charges.squaredNorm() + 0.5 * background * net;
  sums.virial.diagonal().array() += 0.5 * background * net;
}

}  // namespace

void addRealSpace(const ChargedCell& cell, double beta, double cutoff, int threads, Electrostatics& sums) {
  const NeighbourSearch search(cell, cutoff);
  const double slope = 2 * beta / std::sqrt(constants::kPi);
  std::vector<double> energies(static_cast<std::size_t>(search.bins()), 0.0);
  std::vector<Eigen::Matrix3d> virials(energies.size(), Eigen::Matrix3d::Zero());
  ThreadPool(threads).forEach(search.bins(), [&](int bin, int) {
    double energy = 0;
    Eigen::Matrix3d virial = Eigen::Matrix3d::Zero();
    search.forEachPairOfBin(bin,
                            [&](Eigen::Index i, Eigen::Index j, const Eigen::Vector3d& r, double squared) {
                              const double distance = std::sqrt(squared), x = beta * distance;
                              const double potential = std::erfc(x) / distance;
                              const double force = (potential + slope * std::exp(-x * x)) / squared;
                              const double qi = cell.charges(i), qj = cell.charges(j);
                              sums.potentials(i) += qj * potential;
                              sums.fields.col(i) -= qj * force * r;
                              energy += 0.5 * qi * qj * potential;
                              virial.noalias() += (0.5 * qi * qj * force) * r * r.transpose();
                            });
    energies[static_cast<std::size_t>(bin)] = energy;
    virials[static_cast<std::size_t>(bin)] = virial;
  });
  for (std::size_t bin = 0; bin < energies.size(); ++bin) {
    sums.energy += energies[bin];
    sums.virial += virials[bin];
  }
  addSelfAndBackground(cell, beta, sums);
}

}  // namespace prophet
