#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/configurations/level_space.hpp"
#include "atoms/levels/spinor_table.hpp"
#include "atoms/lines/lines.hpp"

namespace prophet {

/// Reduced elements of one multipole between open spinors at one omega^2, each even in omega: the length
/// gauge is `charge` + omega `current`, the velocity gauge `velocity`/omega; magnetic multipoles have
/// `charge` alone. Atomic units; docs/theory/lines.md.
struct RadialElements {
  Eigen::MatrixXd charge, current, velocity;
};

/// Chebyshev points of the first kind for an interval from 0.
struct EnergyNodes {
  EnergyNodes(int count, double last);
  /// The interpolation of a function at x is made of so much of its values at the points.
  Eigen::VectorXd at(double x) const;

  double end;
  std::vector<double> points;
};

/// One multipole at as many omega^2 as its interpolation needs.
struct SampledMultipole {
  Multipole multipole;
  EnergyNodes nodes;
  std::vector<RadialElements> elements;
};

/// Between all pairs of these spinors, whose indices are those of the table, for energies up to the largest
/// one (hartree); `interpolation`: what that may miss, of the largest element.
SampledMultipole sampledMultipole(const std::vector<LevelSpinor>& open, const SpinorTable& spinors,
                                  Multipole multipole, double speedOfLight, double largestEnergy,
                                  double interpolation);

}  // namespace prophet
