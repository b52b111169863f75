#pragma once
#include <vector>

#include "atoms/atom/nucleus.hpp"

namespace prophet::cuda::batch {

/// Points r_j = exp(j kTableSpacing), j whole, on which the device integrates what the potential of a
/// nucleus without closed form differs by from that of the Gaussian one of the same rms radius, for which
/// there are closed forms. Beyond the nucleus the two are the same, so that a few hundred points suffice.
constexpr double kTableSpacing = 0.03;  // as the host has it: the poles at arg r = pi a/c
/// More than from the tightest functions that the device takes to beyond the widest nucleus known.
constexpr int kTablePoints = 832;

/// First j for functions up to this exponent, and the last for a nucleus.
int firstTablePoint(double largestExponent);
int lastTablePoint(const Nucleus& nucleus);

/// Differences of the potentials of one nucleus; kept until another one is asked for.
class NuclearTable {
 public:
  /// Hartree, at the `count` points from `first` to lastTablePoint.
  const double* from(const Nucleus& nucleus, int first, int& count);

 private:
  void make(const Nucleus& nucleus);
  Nucleus nucleus_;
  std::vector<double> values_;
};

/// The Gaussian nucleus of the same charge and rms radius.
Nucleus gaussianOf(const Nucleus& nucleus);

}  // namespace prophet::cuda::batch
