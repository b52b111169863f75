#pragma once
#include <functional>
#include <vector>

namespace prophet::qed {

/// G(u) = u v(u), where v is the potential of a unit point charge, and its integral H(s) from 0 to s,
/// tabulated by Chebyshev interpolation on panels of ln u: evaluations cost some 100 ns at rounding accuracy
/// however dear G is. G may have a logarithm at u = 0 and must vanish, or be constant, beyond `last`.
class PointSource {
 public:
  /// `g`: G(u), u > 0 (bohr); `last`: where the table ends.
  PointSource(const std::function<double(double)>& g, double last);
  double value(double u) const;     ///< G(u)
  double integral(double s) const;  ///< H(s)

 private:
  double interpolate(const std::vector<double>& table, double logU) const;

  double firstLog_, lastLog_;
  int panels_;
  std::vector<double> g_, hOverU_;  ///< panels_ x kNodes each
  double start_ = 0.0;              ///< dG/d(ln u) at the first point
};

}  // namespace prophet::qed
