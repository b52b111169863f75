#include "atoms/breit/retarded.hpp"

#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/bessel.hpp>
#include <cmath>

#include "atoms/integrals/radial_grid.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

using constants::kPi;

double doubleFactorial(int n) {
  double result = 1.0;
  for (; n > 1; n -= 2) result *= n;
  return result;
}

/// Entry `order` of a table of samples of f(order, omega r), made if it is not there.
template <class Function>
const Eigen::ArrayXd& tabulated(std::vector<Eigen::ArrayXd>& table, const Eigen::VectorXd& radii,
                                double omega, int order, const Function& f) {
  if (table.size() <= static_cast<std::size_t>(order)) table.resize(order + 1);
  Eigen::ArrayXd& values = table[order];
  if (values.size() == 0) {
    values.resize(radii.size());
    for (Eigen::Index i = 0; i < radii.size(); ++i) values(i) = f(order, omega * radii(i));
  }
  return values;
}

}  // namespace

double reducedBesselJ(int order, double x) {
  if (x > 1.0)
    return boost::math::sph_bessel(static_cast<unsigned>(order), x) * doubleFactorial(2 * order + 1) /
               std::pow(x, order) -
           1.0;
  double term = 1.0, sum = 0.0;
  for (int k = 1; k < 20; ++k) {
    term *= -0.5 * x * x / (k * (2.0 * order + 2.0 * k + 1.0));
    sum += term;
  }
  return sum;
}

double reducedBesselY(int order, double x) {
  if (x > 1.0)
    return -boost::math::sph_neumann(static_cast<unsigned>(order), x) * std::pow(x, order + 1) /
               doubleFactorial(2 * order - 1) -
           1.0;
  double term = 1.0, sum = 0.0;
  for (int k = 1; k < 24; ++k) {
    term *= 0.5 * x * x / (k * (2.0 * order - 2.0 * k + 1.0));
    sum += term;
  }
  return sum;
}

Eigen::VectorXd indefiniteIntegrationWeights(int points) {
  using Gauss = boost::math::quadrature::gauss<double, 20>;
  constexpr double kPanels[] = {0.0, 1.0, 2.5, 5.0, 9.0, 15.0, 23.0, 38.0};
  Eigen::VectorXd s(points);
  s(0) = 0.5;
  for (int m = 1; m < points; ++m) {
    // 1/2 - Si(pi m)/pi = (-1)^m f(pi m)/pi with f(x) = integral of exp(-u) x/(x^2 + u^2).
    const double x = kPi * m;
    double f = 0.0;
    for (std::size_t i = 0; i + 1 < std::size(kPanels); ++i)
      f += Gauss::integrate([x](double u) { return std::exp(-u) * x / (x * x + u * u); }, kPanels[i],
                            kPanels[i + 1]);
    s(m) = 1.0 - (m % 2 == 0 ? 1.0 : -1.0) * f / kPi;
  }
  return s;
}

RetardedKernels::RetardedKernels(const Eigen::VectorXd& radii, const Eigen::MatrixXd& weights, double omega)
    : radii_(radii), weights_(weights), omega_(omega) {}

const Eigen::ArrayXd& RetardedKernels::besselJ(int order) const {
  return tabulated(besselJ_, radii_, omega_, order, reducedBesselJ);
}

const Eigen::ArrayXd& RetardedKernels::besselY(int order) const {
  return tabulated(besselY_, radii_, omega_, order, reducedBesselY);
}

double RetardedKernels::slater(int order, const Eigen::VectorXd& f, const Eigen::VectorXd& g) const {
  const Eigen::ArrayXd r = radii_.array();
  const Eigen::ArrayXd inner = r.pow(order) * (1.0 + besselJ(order));
  const Eigen::ArrayXd outer = r.pow(-order - 1) * (1.0 + besselY(order));
  const Eigen::VectorXd fInner = f.array() * inner, fOuter = f.array() * outer;
  const Eigen::VectorXd gInner = g.array() * inner, gOuter = g.array() * outer;
  return fOuter.dot(weights_ * gInner) + gOuter.dot(weights_ * fInner);
}

double RetardedKernels::gauge(int rankJ, const Eigen::VectorXd& f, const Eigen::VectorXd& g) const {
  // r1 < r2: (2 (2J+1)/omega^2) r1^(J-1)/r2^(J+2) [(1 + a)(1 + b) - 1] with a = reducedBesselJ(J-1, omega
  // r1), b = reducedBesselY(J+1, omega r2); r1 > r2: 2 omega^2 r2^(J+1)/r1^J / ((2J+3)(2J+1)(2J-1)) (1 +
  // a')(1 + b').
  const Eigen::ArrayXd r = radii_.array();
  const double twoJ = 2.0 * rankJ, scale = 2.0 * (twoJ + 1.0) / (omega_ * omega_);
  const Eigen::ArrayXd a = besselJ(rankJ - 1);
  const Eigen::ArrayXd b = besselY(rankJ + 1);
  const Eigen::VectorXd fA = f.array() * r.pow(rankJ - 1) * a, fOne = f.array() * r.pow(rankJ - 1);
  const Eigen::VectorXd gB = g.array() * r.pow(-rankJ - 2) * b,
                        gAll = g.array() * r.pow(-rankJ - 2) * (1.0 + b);
  const double below = scale * (gAll.dot(weights_ * fA) + gB.dot(weights_ * fOne));

  const Eigen::ArrayXd aPrime = 1.0 + besselJ(rankJ + 1);
  const Eigen::ArrayXd bPrime = 1.0 + besselY(rankJ - 1);
  const Eigen::VectorXd gInner = g.array() * r.pow(rankJ + 1) * aPrime,
                        fOuter = f.array() * r.pow(-rankJ) * bPrime;
  const double above =
      2.0 * omega_ * omega_ / ((twoJ + 3.0) * (twoJ + 1.0) * (twoJ - 1.0)) * fOuter.dot(weights_ * gInner);
  return below + above;
}

namespace {

/// Radial functions of all occupied spinors on the grid, times sqrt(r_i h).
struct GridSpinor {
  int symmetry = 0;
  int open = -1;  ///< place among the open spinors, -1 if closed
  double occupation = 0.0, energy = 0.0;
  Eigen::VectorXd large, small;
};

std::vector<GridSpinor> gridSpinors(const BasisSet& basis, const RadialGrid& grid, const ScfResult& scf) {
  std::vector<GridSpinor> spinors;
  int open = 0;
  for (std::size_t a = 0; a < basis.symmetries.size(); ++a) {
    const SymmetrySpinors& s = scf.symmetries[a];
    const GridFunctions f = evaluateOnGrid(basis.symmetries[a], grid);
    for (Eigen::Index i = 0; i < s.occupations.size(); ++i) {
      GridSpinor g;
      g.symmetry = static_cast<int>(a);
      if (s.places[i].open) g.open = open++;
      g.occupation = s.occupations(i);
      g.energy = s.energies(i);
      g.large = f.large * s.large.col(i);
      g.small = f.small * s.small.col(i);
      spinors.push_back(std::move(g));
    }
  }
  return spinors;
}

double radialIntegral(const RetardedKernels& kernels, const BreitTerm& t, const Eigen::VectorXd& f,
                      const Eigen::VectorXd& g) {
  if (t.rank1 == t.rank2) return kernels.slater(t.rank1, f, g);
  return t.rank1 < t.rank2 ? kernels.gauge(t.rankJ, f, g) : kernels.gauge(t.rankJ, g, f);
}

/// <ab|B|ba> for each electron of a and b (angular averages included), one part of the interaction.
double exchange(const std::vector<BreitTerm>& terms, const RetardedKernels& kernels, const GridSpinor& a,
                const GridSpinor& b) {
  const Eigen::VectorXd ab = a.large.cwiseProduct(b.small), ba = a.small.cwiseProduct(b.large);
  double sum = 0.0;
  for (const BreitTerm& t : terms) {
    sum += t.coefficient * (t.largeFromSmall * radialIntegral(kernels, t, ab, ab) +
                            t.smallFromLarge * radialIntegral(kernels, t, ba, ba) +
                            2.0 * t.mixed * radialIntegral(kernels, t, ab, ba));
  }
  return sum;
}

/// Frequencies below this one (1/bohr) make no difference and would divide by zero.
constexpr double kLeastExchanged = 1e-8;

}  // namespace

BreitEnergy retardedBreitEnergy(const BasisSet& basis, const RadialGrid& grid,
                                const Configuration& configuration, const ScfResult& scf, double c,
                                ThreadPool& pool) {
  if (scf.symmetries.size() != basis.symmetries.size())
    throw Error("the Breit energy needs the spinors of the same basis set");
  const std::vector<GridSpinor> spinors = gridSpinors(basis, grid, scf);
  const Eigen::MatrixXd reduction = configuration.openReduction();
  const Eigen::VectorXd radii = grid.radii();
  const Eigen::VectorXd s = indefiniteIntegrationWeights(grid.points);
  Eigen::MatrixXd weights(grid.points, grid.points);
  for (int i = 0; i < grid.points; ++i) {
    for (int j = 0; j < grid.points; ++j) weights(i, j) = i >= j ? s(i - j) : 1.0 - s(j - i);
  }
  const int count = static_cast<int>(spinors.size());
  std::vector<BreitEnergy> rows(count);
  pool.forEach(count, [&](int i, int) {
    const GridSpinor& a = spinors[i];
    for (int k = 0; k <= i; ++k) {
      const GridSpinor& b = spinors[k];
      const double omega = std::max(std::abs(a.energy - b.energy) / c, kLeastExchanged);
      const RetardedKernels kernels(radii, weights, omega);
      const Symmetry sa = basis.symmetries[a.symmetry].symmetry, sb = basis.symmetries[b.symmetry].symmetry;
      double weight = (i == k ? -0.5 : -1.0) * a.occupation * b.occupation;
      if (a.open >= 0 && b.open >= 0) weight *= 1.0 - reduction(a.open, b.open);
      rows[i].gaunt += weight * exchange(breitTerms(sa, sb, BreitPart::Gaunt), kernels, a, b);
      rows[i].gauge += weight * exchange(breitTerms(sa, sb, BreitPart::Gauge), kernels, a, b);
    }
  });
  BreitEnergy energy;
  for (const BreitEnergy& row : rows) {
    energy.gaunt += row.gaunt;
    energy.gauge += row.gauge;
  }
  return energy;
}

}  // namespace prophet
