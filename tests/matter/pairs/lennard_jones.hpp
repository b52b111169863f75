#pragma once
#include <algorithm>
#include <cmath>
#include <random>

#include "matter/structure/structure.hpp"

namespace prophet::test {

/// Argon as a Lennard-Jones fluid (sigma = 3.405 angstrom, epsilon/k = 119.8 K; A. Rahman, Phys. Rev. 136,
/// A405 (1964)) of reduced density 0.70 at a reduced temperature of 1.4, by the algorithm of N. Metropolis et
/// al., J. Chem. Phys. 21, 1087 (1953): single atoms are moved, the potential ends at 2.5 sigma. Starts from
/// an f.c.c. crystal, which melts while it is equilibrated. The same seed gives the same fluid.
class LennardJones {
 public:
  LennardJones(int cells, std::uint64_t seed) : random_(seed), edge_(cells * std::cbrt(4 / kDensity)) {
    const double half[4][3] = {{0, 0, 0}, {.5, .5, 0}, {.5, 0, .5}, {0, .5, .5}};
    for (int n = 0; n < cells * cells * cells; ++n) {
      for (const auto& h : half)
        places_.push_back(
            Eigen::Vector3d(n % cells + h[0], n / cells % cells + h[1], n / cells / cells + h[2]) *
            (edge_ / cells));
    }
  }

  /// As many attempts as atoms, times `count`.
  void sweep(int count) {
    std::uniform_real_distribution<double> uniform(0, 1);
    for (std::size_t n = 0; n < static_cast<std::size_t>(count) * places_.size(); ++n) {
      const std::size_t i = static_cast<std::size_t>(uniform(random_) * static_cast<double>(places_.size()));
      Eigen::Vector3d moved = places_[i];
      for (int k = 0; k < 3; ++k) moved(k) += kStep * (uniform(random_) - 0.5);
      const double change = energyOf(i, moved) - energyOf(i, places_[i]);
      if (uniform(random_) < std::exp(-change / kTemperature))
        places_[i] = moved.array() - edge_ * (moved / edge_).array().floor();
    }
  }

  /// In angstrom, periodic.
  Structure structure() const {
    Structure s;
    const int argon = s.kindNumber("Ar");
    for (const auto& p : places_) s.add(argon, kSigma * p);
    s.lattice = kSigma * edge_ * Eigen::Matrix3d::Identity();
    return s;
  }

 private:
  static constexpr double kSigma = 3.405, kDensity = 0.70, kTemperature = 1.4, kStep = 0.3;

  double energyOf(std::size_t i, const Eigen::Vector3d& place) const {
    double energy = 0;
    for (std::size_t j = 0; j < places_.size(); ++j) {
      double square = 0;
      for (int k = 0; k < 3; ++k) {
        double d = std::abs(place(k) - places_[j](k));
        d = std::min(d, std::abs(edge_ - d));
        square += d * d;
      }
      if (j == i || square > 6.25) continue;
      const double s6 = 1 / (square * square * square);
      energy += 4 * (s6 * s6 - s6);
    }
    return energy;
  }

  std::mt19937_64 random_;
  double edge_;
  std::vector<Eigen::Vector3d> places_;
};

}  // namespace prophet::test
