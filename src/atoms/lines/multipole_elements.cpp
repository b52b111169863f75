#include "atoms/lines/multipole_elements.hpp"

#include <algorithm>
#include <cmath>

#include "atoms/breit/retarded.hpp"
#include "atoms/levels/level_engine.hpp"
#include "core/common/constants.hpp"

namespace prophet {
namespace {

constexpr int kMostNodes = 24;

class RadialMultipole {
 public:
  RadialMultipole(const std::vector<LevelSpinor>& open, const SpinorTable& spinors, Multipole multipole,
                  double c)
      : open_(open), spinors_(spinors), multipole_(multipole), c_(c) {}

  RadialElements at(double omegaSquared) const {
    const auto count = static_cast<Eigen::Index>(open_.size());
    const int k = multipole_.rank;
    const Eigen::ArrayXd r = spinors_.radii().array();
    const double wave = std::sqrt(omegaSquared) / c_;
    // (2n+1)!! j_n(wave r)/(wave r)^n.
    const auto bessel = [&](int n) -> Eigen::ArrayXd {
      return r.unaryExpr([&](double x) { return 1 + reducedBesselJ(n, wave * x); });
    };
    const Eigen::ArrayXd same = r.pow(k) * bessel(k);  // (2k+1)!! j_k/wave^k
    RadialElements e{Eigen::MatrixXd::Zero(count, count), {}, {}};
    if (multipole_.magnetic) {
      const Eigen::VectorXd f = 2 * c_ / (k + 1) * same.matrix();
      forPairs([&](int a, int b, Symmetry sa, Symmetry sb, int i, int j) {
        const double angular = (sa.kappa + sb.kappa) * reducedC(Symmetry{-sa.kappa}, k, sb);
        if (angular != 0) e.charge(a, b) = angular * spinors_.coupling(i, j, f);
      });
      return e;
    }
    const Eigen::VectorXd charge = same.matrix();
    // The same of j_(k+1)/(c wave^(k+1)), c j_(k-1)/wave^(k-1), and c j_k/(wave^k r); and of j_k' + j_k/z by
    // j_k' = j_(k-1) - (k+1) j_k/z.
    const Eigen::VectorXd current = (r.pow(k + 1) * bessel(k + 1) / (c_ * (2 * k + 3))).matrix();
    const Eigen::ArrayXd below = c_ * (2 * k + 1) * r.pow(k - 1) * bessel(k - 1);
    const Eigen::ArrayXd ratio = c_ * r.pow(k - 1) * bessel(k);
    const Eigen::VectorXd symmetric = (below - k * ratio).matrix(), antisymmetric = (k * ratio).matrix();
    e.current = e.velocity = e.charge;
    forPairs([&](int a, int b, Symmetry sa, Symmetry sb, int i, int j) {
      const double angular = reducedC(sa, k, sb);
      if (angular == 0) return;
      const double d = static_cast<double>(sa.kappa - sb.kappa) / (k + 1);
      e.charge(a, b) = angular * spinors_.density(i, j, charge);
      e.current(a, b) =
          angular * (d * spinors_.coupling(i, j, current) + spinors_.antisymmetric(i, j, current));
      e.velocity(a, b) =
          angular * (spinors_.antisymmetric(i, j, antisymmetric) - d * spinors_.coupling(i, j, symmetric));
    });
    return e;
  }

 private:
  template <class Take>
  void forPairs(Take take) const {
    const auto n = open_.size();
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        take(static_cast<int>(a), static_cast<int>(b), open_[a].symmetry, open_[b].symmetry, open_[a].index,
             open_[b].index);
  }

  const std::vector<LevelSpinor>& open_;
  const SpinorTable& spinors_;
  Multipole multipole_;
  double c_;
};

double largestMissing(const SampledMultipole& s, const RadialMultipole& radial) {
  // Between the points, where a polynomial misses most.
  double missing = 0;
  const auto compare = [&](const Eigen::VectorXd& parts, const RadialElements& exact,
                           Eigen::MatrixXd RadialElements::*member) {
    if ((exact.*member).size() == 0) return;
    Eigen::MatrixXd found = Eigen::MatrixXd::Zero((exact.*member).rows(), (exact.*member).cols());
    for (std::size_t i = 0; i < s.elements.size(); ++i)
      found += parts(static_cast<Eigen::Index>(i)) * (s.elements[i].*member);
    const double scale = (exact.*member).cwiseAbs().maxCoeff();
    if (scale > 0) missing = std::max(missing, (found - exact.*member).cwiseAbs().maxCoeff() / scale);
  };
  for (std::size_t i = 0; i <= s.nodes.points.size(); ++i) {
    const double low = i == 0 ? 0 : s.nodes.points[i - 1];
    const double high = i == s.nodes.points.size() ? s.nodes.end : s.nodes.points[i];
    const double x = 0.5 * (low + high);
    const RadialElements exact = radial.at(x);
    const Eigen::VectorXd parts = s.nodes.at(x);
    for (const auto member : {&RadialElements::charge, &RadialElements::current, &RadialElements::velocity})
      compare(parts, exact, member);
  }
  return missing;
}

}  // namespace

EnergyNodes::EnergyNodes(int count, double last) : end(last) {
  for (int i = 0; i < count; ++i)
    points.push_back(0.5 * end * (1 - std::cos(constants::kPi * (i + 0.5) / count)));
}

Eigen::VectorXd EnergyNodes::at(double x) const {
  Eigen::VectorXd parts(static_cast<Eigen::Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    parts(static_cast<Eigen::Index>(i)) = lagrange(points, i, x);
  return parts;
}

SampledMultipole sampledMultipole(const std::vector<LevelSpinor>& open, const SpinorTable& spinors,
                                  Multipole multipole, double c, double largestEnergy, double interpolation) {
  const RadialMultipole radial(open, spinors, multipole, c);
  for (int count = 2;; count = count < 4 ? count + 1 : count * 3 / 2) {
    SampledMultipole s{multipole, EnergyNodes(count, largestEnergy * largestEnergy), {}};
    for (const double x : s.nodes.points) s.elements.push_back(radial.at(x));
    if (count >= kMostNodes || largestMissing(s, radial) < interpolation) return s;
  }
}

}  // namespace prophet
