#include "matter/madelung/direct_ewald.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <map>
#include <numeric>
#include <vector>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/threads.hpp"
#include "matter/madelung/charged_cell.hpp"
#include "matter/madelung/real_space.hpp"

namespace prophet {
namespace {

using Complex = std::complex<double>;

/// erfc(x)/x and exp(-x^2)/x^2 are below rounding here.
constexpr double kReach = 6.3;
constexpr double kMostTerms = 1e11;

/// Half of the reciprocal vectors within a sphere: those whose first index that is not 0 is positive.
struct Wave {
  Eigen::Vector3i m;
  Eigen::Vector3d k;
  double weight;  ///< 4 pi/(V k^2) exp(-k^2/(4 beta^2)), twice, for k and -k
};

class Waves {
 public:
  Waves(const ChargedCell& cell, double beta)
      : reciprocal_(2 * constants::kPi * cell.vectors.inverse().transpose()) {
    const double most = 2 * kReach * beta;
    for (int d = 0; d < 3; ++d)
      most_(d) = static_cast<int>(most * cell.vectors.col(d).norm() / (2 * constants::kPi)) + 1;
    const double around = (most_(0) + 1.0) * (2 * most_(1) + 1.0) * (2 * most_(2) + 1.0);
    if (!(around * static_cast<double>(cell.sites()) < kMostTerms))
      throw Error(fmt::format(
          "Ewald's sum over {} sites has more than {:g} terms; use a particle mesh (the method 'spread')",
          cell.sites(), kMostTerms));
    for (int x = 0; x <= most_(0); ++x) {
      for (int y = x == 0 ? 0 : -most_(1); y <= most_(1); ++y) {
        for (int z = x == 0 && y == 0 ? 1 : -most_(2); z <= most_(2); ++z) {
          const Eigen::Vector3i m(x, y, z);
          const Eigen::Vector3d k = reciprocal_ * m.cast<double>();
          const double k2 = k.squaredNorm();
          if (k2 > most * most) continue;
          waves_.push_back(
              {m, k, 8 * constants::kPi / (cell.volume() * k2) * std::exp(-k2 / (4 * beta * beta))});
        }
      }
    }
  }
  const std::vector<Wave>& list() const { return waves_; }
  const Eigen::Vector3i& most() const { return most_; }

 private:
  Eigen::Matrix3d reciprocal_;
  Eigen::Vector3i most_;
  std::vector<Wave> waves_;
};

/// exp(2 pi i m f) of one site and axis for m = -most ... most.
struct Phases {
  Phases(const Eigen::Vector3d& f, const Eigen::Vector3i& most) : most_(most) {
    for (int d = 0; d < 3; ++d) {
      table_[d].resize(static_cast<std::size_t>(2 * most(d) + 1));
      for (int m = -most(d); m <= most(d); ++m) {
        const double turns = m * f(d);
        table_[d][m + most(d)] = std::polar(1.0, 2 * constants::kPi * (turns - std::round(turns)));
      }
    }
  }
  Complex operator()(const Eigen::Vector3i& m) const {
    return table_[0][m(0) + most_(0)] * table_[1][m(1) + most_(1)] * table_[2][m(2) + most_(2)];
  }

 private:
  Eigen::Vector3i most_;
  std::vector<Complex> table_[3];
};

/// sum_j q_j exp(-i k.r_j) of every wave.
std::vector<Complex> structureFactors(const ChargedCell& cell, const Eigen::Matrix3Xd& f, const Waves& waves,
                                      int threads) {
  const int shares = std::min<int>(32, static_cast<int>(cell.sites()));
  const std::vector<Wave>& list = waves.list();
  std::vector<std::vector<Complex>> parts(static_cast<std::size_t>(shares),
                                          std::vector<Complex>(list.size()));
  ThreadPool(threads).forEachShare(static_cast<int>(cell.sites()), shares, [&](int i, int share) {
    const Phases phases(f.col(i), waves.most());
    auto& part = parts[share];
    for (std::size_t w = 0; w < list.size(); ++w) part[w] += cell.charges(i) * std::conj(phases(list[w].m));
  });
  std::vector<Complex> sum(list.size());
  for (const auto& part : parts) {
    for (std::size_t w = 0; w < sum.size(); ++w) sum[w] += part[w];
  }
  return sum;
}

void addWaves(const ChargedCell& cell, double beta, int threads, Electrostatics& sums) {
  const Waves waves(cell, beta);
  const std::vector<Wave>& list = waves.list();
  const Eigen::Matrix3Xd f = cell.fractional();
  const std::vector<Complex> factors = structureFactors(cell, f, waves, threads);
  ThreadPool(threads).forEach(static_cast<int>(cell.sites()), [&](int i, int) {
    const Phases phases(f.col(i), waves.most());
    double potential = 0;
    Eigen::Vector3d field = Eigen::Vector3d::Zero();
    for (std::size_t w = 0; w < list.size(); ++w) {
      const Complex term = list[w].weight * factors[w] * phases(list[w].m);
      potential += term.real();
      field += term.imag() * list[w].k;
    }
    sums.potentials(i) += potential;
    sums.fields.col(i) += field;
  });
  for (std::size_t w = 0; w < list.size(); ++w) {
    const double energy = 0.5 * list[w].weight * std::norm(factors[w]);
    const double stretch = 2 * (1 / list[w].k.squaredNorm() + 1 / (4 * beta * beta));
    sums.energy += energy;
    sums.virial += energy * (Eigen::Matrix3d::Identity() - stretch * list[w].k * list[w].k.transpose());
  }
}

}  // namespace

Electrostatics directEwald(const ChargedCell& cell, NetCharge netCharge, int threads, double beta) {
  check(cell, netCharge);
  const double n = static_cast<double>(cell.sites()), v = cell.volume();
  if (beta == 0) beta = std::sqrt(constants::kPi) * std::pow(4 * n / (v * v), 1.0 / 6);
  Electrostatics sums;
  sums.potentials = Eigen::VectorXd::Zero(cell.sites());
  sums.fields = Eigen::Matrix3Xd::Zero(3, cell.sites());
  addWaves(cell, beta, threads, sums);
  addRealSpace(cell, beta, kReach / beta, ChargePrecision::Double, threads, sums);
  return sums;
}

namespace {

constexpr double kSame = 1e-6, kSmallest = 0.01;

/// Euclid's algorithm with a tolerance.
double commonFactor(double a, double b) {
  while (b > kSame) {
    const double rest = a - b * std::floor(a / b + kSame);
    a = b;
    b = std::abs(rest);
  }
  return a;
}

}  // namespace

double commonCharge(const Eigen::VectorXd& charges) {
  double factor = 0;
  for (const double q : charges) {
    const double size = std::abs(q);
    if (size > kSame)
      factor = factor == 0 ? size : commonFactor(std::max(factor, size), std::min(factor, size));
  }
  return factor < kSmallest ? 1.0 : factor;
}

double madelungConstant(const ChargedCell& cell, const std::vector<std::string>& kinds, double energy) {
  std::map<std::string, int> counts;
  for (const std::string& kind : kinds) ++counts[kind];
  int units = 0;
  for (const auto& [kind, count] : counts) units = std::gcd(units, count);
  const double z = commonCharge(cell.charges);
  return -energy / units * nearestDistance(cell) / (z * z);
}

ChargedShell shellAround(const ChargedStructure& crystal, Eigen::Index site, int threads) {
  const std::string& label = crystal.labels.at(site);
  const double charge = -crystal.cell.charges(site);
  if (charge == 0) throw Error(fmt::format("the site {} has no charge; nothing binds an ion there", label));
  const double potential = directEwald(crystal.cell, NetCharge::Refused, threads).potentials(site);
  if (!(potential * charge > 0))
    throw Error(fmt::format(
        "the potential at the site {} is {:g} hartree/e, which does not bind a charge of {:g} e; are the "
        "charges right?",
        label, potential, -charge));
  return {charge, charge / potential};
}

}  // namespace prophet
