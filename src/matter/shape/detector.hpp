#pragma once
#include "matter/shape/q_grid.hpp"

namespace prophet {

/// A beam that grazes a surface z = 0 in the direction x, and a detector behind it. Angles in degrees:
/// `alphaI` between beam and surface, `alphaF` between the scattered wave and the surface, `twoThetaF` of its
/// direction along the surface. Pixels: alphaF x twoThetaF, twoThetaF fastest.
struct Detector {
  double wavelength = 1;  ///< angstrom
  double alphaI = 0;
  QAxis alphaF, twoThetaF;

  double waveNumber() const;  ///< 2 pi over the wavelength, 1/angstrom
  std::size_t pixels() const;
  /// The rows [first, first + count) of alphaF.
  Detector rows(int first, int count) const;
};

/// Throws Error unless the wavelength is above 0 and all angles lie between -90 and 90, alphaI from 0 on.
void check(const Detector& detector);

/// q = k_f - k_i of every pixel, 1/angstrom: k (cos alpha_f cos 2theta_f - cos alpha_i, cos alpha_f sin
/// 2theta_f, sin alpha_f + sin alpha_i).
QPoints momentaOf(const Detector& detector);

}  // namespace prophet
