#include "matter/scattering/form_factor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>
#include <vector>

#include "atoms/atom/wavefunction.hpp"
#include "atoms/integrals/primitives.hpp"
#include "atoms/radial/radial_mesh.hpp"
#include "atoms/radial/spherical_bessel.hpp"
#include "atoms/scf/gaussian_wavefunction.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"

namespace prophet {

/// The density of spinors expanded in Gaussians, with its Fourier transform in closed form.
///
/// D(r) is a sum of r^(2m+2) exp(-zeta r^2), one zeta for each pair of primitives, whose transforms are
/// integral exp(-x) p_m(x) with x = q^2/(4 zeta) and p_m the Laguerre polynomial L_m^(1/2), scaled to
/// p_m(0) = 1. Pairs of equal zeta are gathered, whatever their symmetry.
class GaussianDensity : public RadialDensity {
 public:
  /// \param electrons of each spinor, numbered as in `wavefunction`
  GaussianDensity(const GaussianWavefunction& wavefunction, const std::vector<double>& electrons);

  Eigen::VectorXd formFactor(const Eigen::VectorXd& q) const override;
  Eigen::VectorXd deficit(const Eigen::VectorXd& q) const override;
  /// Different exponents: what a value of f costs.
  int terms() const { return static_cast<int>(zetas_.size()); }

 private:
  void addSymmetry(const SymmetryBasis& basis, const Eigen::MatrixXd& large, const Eigen::MatrixXd& small);
  void gather();

  std::vector<double> zetas_;  ///< bohr^-2, ascending
  Eigen::MatrixXd electrons_;  ///< (m, term): what the term holds of f(0); most are large and cancel
};

namespace {

constexpr double kAlpha = 0.5;      // of the Laguerre polynomials
constexpr double kFewTerms = 0.25;  // of x: below, the series of the deficit is the more accurate form
constexpr double kVanished = 760;   // of x: exp(-x) and all powers before it are zero in double precision

/// integral r^(2m+2) exp(-zeta r^2) dr.
double momentOf(int m, double zeta) { return 0.5 * std::tgamma(m + 1.5) * std::pow(zeta, -(m + 1.5)); }

/// (1 - 1F1(m + 3/2; 3/2; -x))/x by its power series: alternating, but small for small x.
double deficitSeries(int m, double x) {
  double term = (m + 1.5) / 1.5, sum = term;
  for (int k = 2; std::abs(term) > 1e-17 * std::abs(sum); ++k) {
    term *= -x * (m + 0.5 + k) / ((kAlpha + k) * k);
    sum += term;
  }
  return sum;
}

/// Density matrix of one component.
Eigen::MatrixXd weighted(const Eigen::MatrixXd& c, const Eigen::VectorXd& electrons) {
  return c * electrons.asDiagonal() * c.transpose();
}

}  // namespace

GaussianDensity::GaussianDensity(const GaussianWavefunction& wavefunction,
                                 const std::vector<double>& electrons) {
  const StartSpinors& spinors = wavefunction.coefficients();
  std::vector<Eigen::VectorXd> weights;
  for (const Eigen::MatrixXd& c : spinors.large) weights.push_back(Eigen::VectorXd::Zero(c.cols()));
  for (int i = 0; i < wavefunction.count(); ++i) {
    const GaussianWavefunction::Place& place = wavefunction.place(i);
    weights[place.symmetry](place.column) = electrons.at(i);
  }
  electrons_.resize(spinors.basis.largestL() + 2, 0);
  for (std::size_t a = 0; a < weights.size(); ++a) {
    if (weights[a].isZero(0)) continue;
    addSymmetry(spinors.basis.symmetries[a], weighted(spinors.large[a], weights[a]),
                weighted(spinors.small[a], weights[a]));
  }
  gather();
}

void GaussianDensity::addSymmetry(const SymmetryBasis& basis, const Eigen::MatrixXd& large,
                                  const Eigen::MatrixXd& small) {
  const int n = basis.size(), l = basis.symmetry.l();
  std::vector<Primitive> g;
  for (const double zeta : basis.exponents) g.push_back(makePrimitive(basis.symmetry, zeta));
  Eigen::Index term = electrons_.cols();
  electrons_.conservativeResize(Eigen::NoChange, term + n * (n + 1) / 2);
  electrons_.rightCols(n * (n + 1) / 2).setZero();
  const auto add = [&](const PairDistribution& pair, double weight) {
    for (int i = 0; i < pair.count; ++i) {
      const int m = pair.power / 2 - 1 + i;
      electrons_(m, term) += weight * pair.coefficient[i] * momentOf(m, pair.zeta);
    }
  };
  for (int p = 0; p < n; ++p) {
    for (int q = 0; q <= p; ++q, ++term) {
      const double both = p == q ? 1 : 2;
      zetas_.push_back(g[p].zeta + g[q].zeta);
      add(largePair(g[p], l, g[q], l), both * large(p, q));
      add(smallPair(g[p], l, g[q], l), both * small(p, q));
    }
  }
}

/// Sorts the terms and joins those of one exponent.
void GaussianDensity::gather() {
  std::vector<int> order(zetas_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int a, int b) { return zetas_[a] < zetas_[b]; });
  std::vector<double> zetas;
  Eigen::MatrixXd electrons(electrons_.rows(), electrons_.cols());
  for (const int i : order) {
    if (!zetas.empty() && zetas.back() == zetas_[i]) {
      electrons.col(static_cast<Eigen::Index>(zetas.size()) - 1) += electrons_.col(i);
    } else {
      electrons.col(static_cast<Eigen::Index>(zetas.size())) = electrons_.col(i);
      zetas.push_back(zetas_[i]);
    }
  }
  zetas_ = std::move(zetas);
  electrons_ = electrons.leftCols(static_cast<Eigen::Index>(zetas_.size()));
}

Eigen::VectorXd GaussianDensity::formFactor(const Eigen::VectorXd& q) const {
  const Eigen::Index powers = electrons_.rows();
  const Eigen::ArrayXd quarter = 0.25 * q.array().square();
  Eigen::ArrayXd f = Eigen::ArrayXd::Zero(q.size()), x, value, previous, sum, next;
  for (int term = 0; term < terms(); ++term) {
    x = (quarter / zetas_[term]).min(kVanished);
    value.setOnes(q.size());
    previous.setZero(q.size());
    sum.setZero(q.size());
    for (Eigen::Index m = 0; m < powers; ++m) {
      sum += electrons_(m, term) * value;
      next = ((2.0 * m + 1 + kAlpha - x) * value - double(m) * previous) / (m + 1 + kAlpha);
      previous.swap(value);
      value.swap(next);
    }
    f += sum * (-x).exp();
  }
  return f;
}

Eigen::VectorXd GaussianDensity::deficit(const Eigen::VectorXd& q) const {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    for (int term = 0; term < terms(); ++term) {
      const double x = 0.25 * q(i) * q(i) / zetas_[term], decay = std::exp(-x);
      double value = 1, previous = 0, sum = 0;
      for (int m = 0; m < electrons_.rows(); ++m) {
        const double share = x < kFewTerms ? deficitSeries(m, x) : (1 - decay * value) / x;
        sum += electrons_(m, term) * share;
        const double next = ((2 * m + 1 + kAlpha - x) * value - m * previous) / (m + 1 + kAlpha);
        previous = value;
        value = next;
      }
      result(i) += sum / (4 * zetas_[term]);
    }
  }
  return result;
}

/// The density of spinors of any kind, known by its values: Fourier transforms by Gauss-Legendre quadrature
/// over panels that grow with r and hold no more than a fraction of an oscillation of the largest q. Accurate
/// to about 1e-13 of the number of electrons where the functions are smooth (Gaussians).
class SampledDensity : public RadialDensity {
 public:
  /// \param wavefunction is referred to, not copied
  /// \param electrons of each spinor, numbered as in `wavefunction`
  SampledDensity(const Wavefunction& wavefunction, const std::vector<double>& electrons);

  Eigen::VectorXd formFactor(const Eigen::VectorXd& q) const override;
  Eigen::VectorXd deficit(const Eigen::VectorXd& q) const override;

 private:
  /// Radii and D(r) times their weights.
  struct Samples {
    Eigen::ArrayXd r, electrons;
  };
  Samples samplesFor(const Eigen::VectorXd& q) const;

  const Wavefunction& wavefunction_;
  std::vector<double> electrons_;
};

namespace {

constexpr int kPanelPoints = 20;  // in each panel
constexpr double kGrowth = 1.25;  // of radii from panel to panel
constexpr double kPhase = 6.0;    // radians of the fastest oscillation in a panel
constexpr int kMostPanels = 100000;

/// Ends of the panels.
std::vector<double> panels(double first, double last, double largestQ) {
  std::vector<double> ends{0.0, first};
  while (ends.back() < last) {
    if (ends.size() > kMostPanels)
      throw Error("a momentum transfer is too large to be integrated numerically; omit it");
    const double r = ends.back(), step = (kGrowth - 1) * r;
    ends.push_back(std::min(last, r + (largestQ > 0 ? std::min(step, kPhase / largestQ) : step)));
  }
  return ends;
}

}  // namespace

SampledDensity::SampledDensity(const Wavefunction& wavefunction, const std::vector<double>& electrons)
    : wavefunction_(wavefunction), electrons_(electrons) {}

SampledDensity::Samples SampledDensity::samplesFor(const Eigen::VectorXd& q) const {
  const GaussRule rule = gaussLegendre(kPanelPoints);
  const std::vector<double> ends = panels(wavefunction_.smallestRadius(), wavefunction_.largestRadius(),
                                          q.size() > 0 ? q.maxCoeff() : 0.0);
  const auto count = static_cast<Eigen::Index>(ends.size()) - 1;
  Eigen::VectorXd r(count * kPanelPoints);
  Samples samples{{}, Eigen::ArrayXd::Zero(r.size())};
  Eigen::ArrayXd weights(r.size());
  for (Eigen::Index i = 0; i < count; ++i) {
    const double half = 0.5 * (ends[i + 1] - ends[i]);
    r.segment(i * kPanelPoints, kPanelPoints) = (half * rule.nodes).array() + (ends[i] + half);
    weights.segment(i * kPanelPoints, kPanelPoints) = half * rule.weights.array();
  }
  for (int i = 0; i < wavefunction_.count(); ++i) {
    if (electrons_.at(i) == 0) continue;
    const RadialFunctions f = wavefunction_.radial(i, r);
    samples.electrons += electrons_[i] * (f.large.array().square() + f.small.array().square()) * weights;
  }
  samples.r = r;
  return samples;
}

Eigen::VectorXd SampledDensity::formFactor(const Eigen::VectorXd& q) const {
  const Samples s = samplesFor(q);
  return q.unaryExpr([&](double momentum) {
    if (momentum == 0) return s.electrons.sum();
    const Eigen::ArrayXd x = momentum * s.r;
    return (s.electrons * (x < 1e-150).select(1.0, x.sin() / x)).sum();
  });
}

Eigen::VectorXd SampledDensity::deficit(const Eigen::VectorXd& q) const {
  const Samples s = samplesFor(q);
  return q.unaryExpr([&](double momentum) {
    return (s.electrons * s.r.square() * (momentum * s.r).unaryExpr(&sineDeficit)).sum();
  });
}

namespace {

const Wavefunction& wavefunctionOf(const Result& result) {
  if (result.status == Status::Failed || result.status == Status::NotConverged)
    throw Error(fmt::format("there is no density to transform: {}", result.reason));
  if (!result.wavefunction)
    throw Error("the result does not have its spinors; ask for them with BasisMethod::keepSpinors");
  return *result.wavefunction;
}

std::unique_ptr<const RadialDensity> densityOf(const Result& result, const std::vector<double>& electrons,
                                               TransformMethod method) {
  const Wavefunction& wavefunction = wavefunctionOf(result);
  const auto* gaussian = dynamic_cast<const GaussianWavefunction*>(&wavefunction);
  if (gaussian && method == TransformMethod::Automatic)
    return std::make_unique<GaussianDensity>(*gaussian, electrons);
  return std::make_unique<SampledDensity>(wavefunction, electrons);
}

Eigen::VectorXd perBohr(const Eigen::VectorXd& q) {
  requireMomenta(q);
  return q * constants::kAngstromsPerBohr;
}

}  // namespace

void requireMomenta(const Eigen::VectorXd& q) {
  if (!q.allFinite() || !(q.array() >= 0).all())
    throw Error("momentum transfers q must be finite numbers that are not negative, in 1/angstrom");
}

std::unique_ptr<const RadialDensity> electronDensity(const Result& result, TransformMethod method) {
  std::vector<double> electrons;
  for (const Spinor& s : result.spinors) electrons.push_back(s.occupation);
  return densityOf(result, electrons, method);
}

std::unique_ptr<const RadialDensity> spinorDensity(const Result& result, int spinor, TransformMethod method) {
  const int count = static_cast<int>(result.spinors.size());
  if (spinor < 0 || spinor >= count)
    throw Error(fmt::format("there is no spinor {}; this atom has {}", spinor, count));
  std::vector<double> electrons(count, 0.0);
  electrons[spinor] = result.spinors[spinor].occupation;
  return densityOf(result, electrons, method);
}

Eigen::VectorXd formFactor(const Result& result, const Eigen::VectorXd& q, TransformMethod method) {
  return electronDensity(result, method)->formFactor(perBohr(q));
}

Eigen::MatrixXd spinorFormFactors(const Result& result, const Eigen::VectorXd& q, TransformMethod method) {
  const Eigen::VectorXd momenta = perBohr(q);
  Eigen::MatrixXd f(q.size(), static_cast<Eigen::Index>(result.spinors.size()));
  for (int i = 0; i < f.cols(); ++i) f.col(i) = spinorDensity(result, i, method)->formFactor(momenta);
  return f;
}

namespace {

constexpr double kNeutralElectrons = 1e-9;  // electrons: occupations are sums of fractions

}  // namespace

Eigen::VectorXd electronScatteringFactor(const Result& result, double charge, const Eigen::VectorXd& q,
                                         TransformMethod method) {
  requireMomenta(q);
  double excess = charge;
  for (const Spinor& s : result.spinors) excess -= s.occupation;
  if (std::abs(excess) < kNeutralElectrons) excess = 0;
  const Eigen::VectorXd momenta = q * constants::kAngstromsPerBohr;
  Eigen::VectorXd f = electronDensity(result, method)->deficit(momenta);
  if (excess != 0) f.array() += excess / momenta.array().square();
  return 2 * constants::kAngstromsPerBohr * f;
}

namespace {

constexpr const char* kIons =
    "H1- Li1+ Be2+ O1- O2- F1- Na1+ Mg2+ Al3+ Si4+ Cl1- K1+ Ca2+ Sc3+ Ti2+ Ti3+ Ti4+ V2+ V3+ V5+ Cr2+ Cr3+ "
    "Mn2+ Mn3+ Mn4+ Fe2+ Fe3+ Co2+ Co3+ Ni2+ Ni3+ Cu1+ Cu2+ Zn2+ Ga3+ Ge4+ Br1- Rb1+ Sr2+ Y3+ Zr4+ Nb3+ "
    "Nb5+ Mo3+ Mo5+ Mo6+ Ru3+ Ru4+ Rh3+ Rh4+ Pd2+ Pd4+ Ag1+ Ag2+ Cd2+ In3+ Sn2+ Sn4+ Sb3+ Sb5+ I1- Cs1+ "
    "Ba2+ La3+ Ce3+ Ce4+ Pr3+ Pr4+ Nd3+ Pm3+ Sm3+ Eu2+ Eu3+ Gd3+ Tb3+ Dy3+ Ho3+ Er3+ Tm3+ Yb2+ Yb3+ Lu3+ "
    "Hf4+ Ta5+ W6+ Os4+ Ir3+ Ir4+ Pt2+ Pt4+ Au1+ Au3+ Hg1+ Hg2+ Tl1+ Tl3+ Pb2+ Pb4+ Bi3+ Bi5+ Ra2+ Ac3+ "
    "Th4+ U3+ U4+ U6+ Np3+ Np4+ Np6+ Pu3+ Pu4+ Pu6+";

}  // namespace

std::vector<Species> usualIons() {
  std::vector<Species> list;
  std::istringstream words(kIons);
  for (std::string word; words >> word;) list.push_back(parseSpecies(word));
  return list;
}

}  // namespace prophet
