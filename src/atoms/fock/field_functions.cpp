#include <cmath>

#include "atoms/fock/grid_builder.hpp"
#include "atoms/integrals/primitives.hpp"
#include "core/common/math_constants.hpp"

namespace prophet {
namespace {

/// ln Gamma(a), a > 0. std::lgamma writes the sign into a global variable, which is a race between threads.
double logGamma(double a) {
  int sign = 0;
  return ::lgamma_r(a, &sign);
}

/// Below the first point a function goes as r^(l+1), and a pair density of equal l as a geometric series on
/// the grid: its sum, 1/(1 - exp(-(2l+3) h)), becomes the weight of the first point.
double foldTail(int l, double h) { return 1.0 / std::sqrt(1.0 - std::exp(-(2 * l + 3) * h)); }

}  // namespace

RadialGrid fockGrid(const BasisSet& basis, double tolerance) {
  // The trapezoidal rule's relative error for r^n exp(-r^2) is 2 |Gamma((n+1)/2 + i pi/h)| / Gamma((n+1)/2),
  // with |Gamma(a + i y)| ~ sqrt(2 pi) y^(a - 1/2) exp(-pi y/2).
  const double a = 0.5 * (2 * basis.largestL() + 3);
  const auto error = [&](double h) {
    const double y = constants::kPi / h;
    return 2.0 *
           std::exp(0.91893853320467274 + (a - 0.5) * std::log(y) - 1.5707963267948966 * y - logGamma(a));
  };
  double h = 0.16;
  while (error(h) > tolerance && h > 0.04) h *= 0.98;
  // Left end: what lies below the first point is carried by its weight (foldTail) up to (3e-3)^5. Right end:
  // the product of two functions has fallen to exp(-44).
  return makeGrid(basis, h, 3e-3, 22.0);
}

GridFunctions fieldFunctions(GridFunctions f, Symmetry symmetry, const RadialGrid& grid) {
  const Eigen::VectorXd scale = grid.radii().array().pow(-0.25);
  f.large = scale.asDiagonal() * f.large;
  f.small = scale.asDiagonal() * f.small;
  f.large.row(0) *= foldTail(symmetry.l(), grid.h);
  f.small.row(0) *= foldTail(symmetry.lSmall(), grid.h);
  return f;
}

/// Normalisations go as zeta^((2l+3)/4), those of the small component as zeta^((2l+5)/4) with r^(l+2) and as
/// zeta^((2l+1)/4) with r^l.
GridFunctions fieldDerivatives(const GridFunctions& f, const SymmetryBasis& basis, const RadialGrid& grid) {
  const int l = basis.symmetry.l();
  const Eigen::ArrayXd r = grid.radii(), square = r.square();
  const double firstSmall = foldTail(basis.symmetry.lSmall(), grid.h) / foldTail(l, grid.h);
  GridFunctions d{Eigen::MatrixXd(f.large.rows(), f.large.cols()),
                  Eigen::MatrixXd(f.small.rows(), f.small.cols())};
  for (int p = 0; p < basis.size(); ++p) {
    const Primitive g = makePrimitive(basis.symmetry, basis.exponents[p]);
    d.large.col(p) = (0.25 * (2 * l + 3) - g.zeta * square) * f.large.col(p).array();
    d.small.col(p) = (0.25 * (2 * l + 5) - g.zeta * square) * f.small.col(p).array();
    if (g.small0 == 0.0) continue;
    Eigen::ArrayXd inner = g.small0 / g.norm * f.large.col(p).array() / r;
    inner(0) *= firstSmall;
    d.small.col(p).array() -= inner;
  }
  return d;
}

}  // namespace prophet
