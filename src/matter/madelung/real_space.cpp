#include "matter/madelung/real_space.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/common/math_constants.hpp"
#include "core/common/thread_pool.hpp"
#include "matter/madelung/neighbours.hpp"

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

/// What some bins' pairs add; one column a site: potential, and field.
struct PairSums {
  explicit PairSums(Eigen::Index sites) : values(Eigen::Matrix4Xd::Zero(4, sites)) {}
  Eigen::Matrix4Xd values;
  double energy = 0, virial[6] = {};  ///< xx, yy, zz, xy, xz, yz
};

/// A pair that is met from both of its sites counts where the first has the lower number; an image of the
/// site itself is met twice, each time as a half.
class PairVisitor {
 public:
  PairVisitor(const ChargedCell& cell, double beta, PairSums& sums)
      : charges_(cell.charges), beta_(beta), slope_(2 * beta / std::sqrt(constants::kPi)), sums_(sums) {}

  void operator()(Eigen::Index i, Eigen::Index j, const Eigen::Vector3d& r, double squared) const {
    if (i > j) return;
    const double distance = std::sqrt(squared), x = beta_ * distance;
    const double potential = std::erfc(x) / distance;
    const double force = (potential + slope_ * std::exp(-x * x)) / squared;
    const double qi = charges_(i), qj = charges_(j), share = i == j ? 0.5 : 1.0;
    double* const first = sums_.values.data() + 4 * i;
    first[0] += qj * potential;
    for (int d = 0; d < 3; ++d) first[d + 1] -= qj * force * r(d);
    if (i != j) {
      double* const second = sums_.values.data() + 4 * j;
      second[0] += qi * potential;
      for (int d = 0; d < 3; ++d) second[d + 1] += qi * force * r(d);
    }
    sums_.energy += share * qi * qj * potential;
    const double pull = share * qi * qj * force;
    sums_.virial[0] += pull * r(0) * r(0);
    sums_.virial[1] += pull * r(1) * r(1);
    sums_.virial[2] += pull * r(2) * r(2);
    sums_.virial[3] += pull * r(0) * r(1);
    sums_.virial[4] += pull * r(0) * r(2);
    sums_.virial[5] += pull * r(1) * r(2);
  }

 private:
  const Eigen::VectorXd& charges_;
  double beta_, slope_;
  PairSums& sums_;
};

}  // namespace

void addRealSpace(const ChargedCell& cell, double beta, double cutoff, int threads, Electrostatics& sums) {
  constexpr int kShares = 16;  // fixed, so that the order of additions does not depend on the threads
  const NeighbourSearch search(cell, cutoff);
  const int bins = search.bins(), count = std::min(kShares, bins);
  std::vector<PairSums> shares(static_cast<std::size_t>(count), PairSums(cell.sites()));
  // Neighbouring bins in one share: they touch the same sites.
  ThreadPool(threads).forEach(count, [&](int share, int) {
    const PairVisitor visit(cell, beta, shares[static_cast<std::size_t>(share)]);
    const auto end = static_cast<int>(static_cast<long long>(bins) * (share + 1) / count);
    for (auto bin = static_cast<int>(static_cast<long long>(bins) * share / count); bin < end; ++bin)
      search.forEachPairOfBin(bin, visit);
  });
  for (const PairSums& part : shares) {
    sums.potentials += part.values.row(0).transpose();
    sums.fields += part.values.bottomRows(3);
    sums.energy += part.energy;
    const double* v = part.virial;
    sums.virial += (Eigen::Matrix3d() << v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2]).finished();
  }
  addSelfAndBackground(cell, beta, sums);
}

}  // namespace prophet
