#include <algorithm>
#include <cmath>

#include "atoms/frozen/frozen_field.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// Between nodes, in ln zeta: interpolation is then good to 2e-15 for s and 1e-13 for f.
constexpr double kSpacing = 0.1;
/// How far beyond the reference's exponents the table reaches: searches hardly ever go there.
constexpr double kBeyond = 4.0;

}  // namespace

FieldTable FrozenField::table(int symmetry) const {
  const Field& f = fields_[symmetry];
  const std::vector<double>& reference = f.reference.exponents;
  const auto [least, most] = std::minmax_element(reference.begin(), reference.end());
  FieldTable t;
  t.symmetry = f.symmetry;
  t.nucleus = nucleus_;
  t.c = c_;
  t.dependencyThreshold = dependencyThreshold_;
  const int margin = ExponentNodes::kPoints / 2;
  t.nodes.spacing = kSpacing;
  t.nodes.first = std::log(*least / kBeyond) - margin * kSpacing;
  t.nodes.count =
      2 * margin + 1 + static_cast<int>(std::ceil(std::log(*most / *least * kBeyond * kBeyond) / kSpacing));
  SymmetryBasis nodes{f.symmetry, {}};
  for (int k = 0; k < t.nodes.count; ++k) nodes.exponents.push_back(std::exp(t.nodes.first + k * kSpacing));

  const GridFunctions g = evaluateOnGrid(nodes, grid_);
  const Eigen::MatrixXd large = scale_.asDiagonal() * g.large, small = scale_.asDiagonal() * g.small;
  t.LL = multiply(large, true, multiply(f.LL, false, large, false), false);
  t.SS = multiply(small, true, multiply(f.SS, false, small, false), false);
  t.LS = multiply(large, true, multiply(f.LS, false, small, false), false);
  if (f.o.size() > 0) {
    const Eigen::VectorXd oLarge = g.large.transpose() * f.o.col(0),
                          oSmall = g.small.transpose() * f.o.col(1),
                          uLarge = g.large.transpose() * f.u.col(0),
                          uSmall = g.small.transpose() * f.u.col(1);
    t.LL += oLarge * uLarge.transpose() + uLarge * oLarge.transpose();
    t.SS += oSmall * uSmall.transpose() + uSmall * oSmall.transpose();
    t.LS += oLarge * uSmall.transpose() + uLarge * oSmall.transpose();
  }
  t.occupation = f.occupation;
  t.energies = f.energies;
  t.negativeEnergies = f.negativeEnergies;
  t.negativeLarge = multiply(f.negativeLarge, true, g.large, false);
  t.negativeSmall = multiply(f.negativeSmall, true, g.small, false);
  return t;
}

}  // namespace prophet
