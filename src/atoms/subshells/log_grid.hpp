#pragma once
#include <Eigen/Core>
#include <complex>
#include <map>
#include <vector>

namespace prophet {

/// Points e^(start + i step), i < count, of radii (bohr) or momenta (1/bohr). Integrals of functions that
/// vanish at both ends are sums there, as accurate as the functions are smooth.
struct LogGrid {
  double start = 0, step = 1.0 / 32;
  int count = 0;

  Eigen::VectorXd points() const;
  double first() const;
  double last() const;
  /// The grid of this step with points from `first` to `last` or just beyond.
  static LogGrid between(double first, double last, double step);
};

/// Values of functions (columns) of ln x on a grid at other x inside it, by polynomials through the twelve
/// nearest points.
Eigen::MatrixXd interpolated(const LogGrid& grid, const Eigen::MatrixXd& values, const Eigen::VectorXd& x);

/// d/d ln x of functions (columns) on a grid, exact for those that it resolves and that vanish at its ends.
Eigen::MatrixXd logDerivative(const LogGrid& grid, const Eigen::MatrixXd& values);

/// Transforms with spherical Bessel functions from a grid of radii to one of momenta of the same step: a
/// convolution in the logarithms, whose kernel has a closed Mellin transform (J. D. Talman, J. Comput. Phys.
/// 29, 35 (1978)). Error: rounding of the largest value of p^(3/2) times the result, for functions that the
/// grid resolves, whatever p. Used by one thread.
class BesselTransform {
 public:
  BesselTransform(const LogGrid& radii, const LogGrid& momenta);

  const LogGrid& radii() const { return radii_; }
  const LogGrid& momenta() const { return momenta_; }
  /// sqrt(2/pi) integral F(r) r j_l(pr) dr of each column.
  Eigen::MatrixXd waves(int l, const Eigen::MatrixXd& functions);
  /// integral D(r) j_k(qr) dr of each column.
  Eigen::MatrixXd densities(int k, const Eigen::MatrixXd& functions);

 private:
  using Complex = std::complex<double>;
  Eigen::MatrixXd convolved(int l, const Eigen::MatrixXd& scaled);
  const std::vector<Complex>& multiplier(int l);

  LogGrid radii_, momenta_;
  int size_ = 1;  ///< of the discrete transforms, a power of two
  std::map<int, std::vector<Complex>> multipliers_;
};

}  // namespace prophet
