#include "cuda/atoms/batch/nuclear_table.hpp"

#include <algorithm>
#include <cmath>

#include "cuda/atoms/batch/shape.hpp"

namespace prophet::cuda::batch {
namespace {

/// Where the densities of the tightest functions begin, as makeGrid has it.
constexpr double kStart = 2e-6;
/// Widths of the surface and rms radii beyond which nothing is left of a nucleus.
constexpr double kSkins = 45.0, kRadii = 6.0;

int indexAt(double r) { return static_cast<int>(std::floor(std::log(r) / kTableSpacing)); }

}  // namespace

int firstTablePoint(double largestExponent) { return indexAt(kStart / std::sqrt(largestExponent)); }

int lastTablePoint(const Nucleus& nucleus) {
  const NuclearSurface surface = nucleus.surface().value_or(NuclearSurface{});
  return indexAt(std::max(surface.radius + kSkins * surface.width, kRadii * nucleus.rms));
}

Nucleus gaussianOf(const Nucleus& nucleus) {
  Nucleus gaussian = nucleus;
  gaussian.model = NuclearModel::Gaussian;
  gaussian.exponent = 1.5 / (nucleus.rms * nucleus.rms);
  return gaussian;
}

void NuclearTable::make(const Nucleus& nucleus) {
  const Nucleus gaussian = gaussianOf(nucleus);
  values_.clear();
  for (int j = firstTablePoint(kTightest); j <= lastTablePoint(nucleus); ++j) {
    const double r = std::exp(j * kTableSpacing);
    values_.push_back(nucleus.potential(r) - gaussian.potential(r));
  }
  nucleus_ = nucleus;
}

const double* NuclearTable::from(const Nucleus& nucleus, int first, int& count) {
  if (values_.empty() || !nucleus.hasChargeOf(nucleus_)) make(nucleus);
  const int skipped = std::clamp(first - firstTablePoint(kTightest), 0, static_cast<int>(values_.size()));
  count = static_cast<int>(values_.size()) - skipped;
  return values_.data() + skipped;
}

}  // namespace prophet::cuda::batch
