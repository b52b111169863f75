#include "atoms/subshells/subshell_functions.hpp"

#include <algorithm>
#include <cmath>

#include "atoms/integrals/primitives.hpp"
#include "atoms/scf/gaussian_wavefunction.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr double kInnermostFine = 1e-11, kInnermostCoarse = 1e-8;  // bohr
constexpr double kSmallestMomentum = 1e-5;                         // 1/bohr
// Beyond the momenta that are asked for, so that profiles have all of what lies above them.
constexpr double kBeyondLargest = 10;

double stepOf(GridSpacing spacing) { return spacing == GridSpacing::Fine ? 1.0 / 32 : 1.0 / 16; }

LogGrid radiiFor(const Result& result, GridSpacing spacing) {
  if (!result.wavefunction)
    throw Error(
        "the result has no radial functions and therefore no tables; let the calculation converge and keep "
        "its spinors");
  double innermost = spacing == GridSpacing::Fine ? kInnermostFine : kInnermostCoarse;
  innermost = std::min(innermost, 1e-3 * result.wavefunction->largestRadius());
  return LogGrid::between(innermost, result.wavefunction->largestRadius(), stepOf(spacing));
}

LogGrid momentaFor(GridSpacing spacing) {
  return LogGrid::between(kSmallestMomentum, kBeyondLargest * kLargestSubshellMomentum, stepOf(spacing));
}

}  // namespace

SubshellFunctions::SubshellFunctions(const AtomProblem& problem, const Result& result, GridSpacing spacing)
    : problem_(problem),
      spinors_(result.spinors),
      radii_(radiiFor(result, spacing)),
      momenta_(momentaFor(spacing)),
      r_(radii_.points()),
      transform_(radii_, momenta_) {
  large_.resize(radii_.count, count());
  small_.resize(radii_.count, count());
  const std::vector<RadialFunctions> all = result.wavefunction->allRadial(r_);
  const double c = lightSpeedOf(problem.hamiltonian);
  gaussians_ = sumGaussians(*result.wavefunction);
  for (int i = 0; i < count(); ++i) {
    large_.col(i) = all[static_cast<std::size_t>(i)].large;
    small_.col(i) = all[static_cast<std::size_t>(i)].small;
    const Symmetry s = spinor(i).symmetry;
    powers_.push_back(gaussians_
                          ? analyticPowers(s)
                          : leadingPowers(problem.nucleus, s, c, problem.hamiltonian.isKoellingHarmon()));
  }
  if (!gaussians_) transformWaves();
}

double SubshellFunctions::electrons() const {
  double sum = 0;
  for (const Spinor& s : spinors_) sum += s.occupation;
  return sum;
}

Eigen::VectorXd SubshellFunctions::density(int a, int b) const {
  return large_.col(a).cwiseProduct(large_.col(b)) + small_.col(a).cwiseProduct(small_.col(b));
}

Eigen::MatrixXd SubshellFunctions::densities() const { return large_.cwiseAbs2() + small_.cwiseAbs2(); }

// Below the first point the values are those of the power, at the same steps.
double SubshellFunctions::integral(const Eigen::Ref<const Eigen::ArrayXd>& values, double power) const {
  const double below = values[0] * r_[0] / std::expm1((power + 1) * radii_.step);
  return radii_.step * ((values * r_.array()).sum() + below);
}

void SubshellFunctions::transformWaves() {
  waveLarge_.resize(momenta_.count, count());
  waveSmall_.resize(momenta_.count, count());
  const auto each = [&](const Eigen::MatrixXd& functions, bool isSmall, Eigen::MatrixXd& waves) {
    for (int l = 0; l < 2 * count() + 2; ++l) {
      std::vector<int> columns;
      for (int i = 0; i < count(); ++i)
        if ((isSmall ? spinor(i).symmetry.lSmall() : spinor(i).symmetry.l()) == l) columns.push_back(i);
      if (!columns.empty()) waves(Eigen::all, columns) = transform_.waves(l, functions(Eigen::all, columns));
    }
  };
  each(large_, false, waveLarge_);
  each(small_, true, waveSmall_);
}

// sqrt(2/pi) integral r^(l+2) exp(-zeta r^2) j_l(pr) dr = p^l exp(-p^2/4 zeta)/(2 zeta)^(l+3/2), and of its
// kinetically balanced partner p times that, with the sign of kappa.
bool SubshellFunctions::sumGaussians(const Wavefunction& wavefunction) {
  const auto* own = dynamic_cast<const GaussianWavefunction*>(&wavefunction);
  if (!own) return false;
  const StartSpinors& spinors = own->coefficients();
  const Eigen::ArrayXd p = momenta_.points();
  waveLarge_.resize(momenta_.count, count());
  waveSmall_.resize(momenta_.count, count());
  for (int a = 0, first = 0; a < static_cast<int>(spinors.large.size()); ++a) {
    const SymmetryBasis& basis = spinors.basis.symmetries[a];
    const Symmetry s = basis.symmetry;
    const auto columns = static_cast<int>(spinors.large[a].cols());
    if (columns == 0) continue;
    Eigen::MatrixXd large(p.size(), basis.size()), small(p.size(), basis.size());
    for (int i = 0; i < basis.size(); ++i) {
      const Primitive g = makePrimitive(s, basis.exponents[i]);
      large.col(i) =
          g.norm * std::pow(2 * g.zeta, -(s.l() + 1.5)) * p.pow(s.l()) * (-p.square() / (4 * g.zeta)).exp();
      const double sign = s.kappa > 0 ? 1 : -1;
      small.col(i) = sign / std::sqrt((2 * s.l() + 3) * g.zeta) * p * large.col(i).array();
    }
    waveLarge_.middleCols(first, columns) = large * spinors.large[a];
    waveSmall_.middleCols(first, columns) = small * spinors.small[a];
    for (int i = first; i < first + columns; ++i) {
      waveLarge_.col(i) *= own->place(i).sign;
      waveSmall_.col(i) *= own->place(i).sign;
    }
    first += columns;
  }
  return true;
}

Eigen::MatrixXd pairProbabilities(const Configuration& configuration) {
  std::vector<double> share;
  std::vector<double> capacity;
  std::vector<int> open;  // number among the open ones; -1: closed
  int seen = 0;
  for (std::size_t a = 0; a < configuration.symmetries.size(); ++a)
    for (const SpinorOccupation& s : configuration.symmetries[a].spinors) {
      capacity.push_back(degeneracyOf(static_cast<int>(a)));
      share.push_back(s.electrons / capacity.back());
      open.push_back(s.open ? seen++ : -1);
    }
  const auto n = static_cast<Eigen::Index>(share.size());
  Eigen::MatrixXd w(n, n);
  for (Eigen::Index a = 0; a < n; ++a)
    for (Eigen::Index b = 0; b < n; ++b)
      w(a, b) = open[a] >= 0 && open[b] >= 0
                    ? configuration.openPairWeights(open[a], open[b]) / (capacity[a] * capacity[b])
                    : share[a] * share[b];
  return w;
}

}  // namespace prophet
