#include "atoms/properties/screening_fit.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "atoms/properties/radial_fields.hpp"
#include "core/common/error.hpp"
#include "core/linalg/decompositions.hpp"

namespace prophet {
namespace {

constexpr double kLeastExponent = 0.005;   // bohr^-2; published fits begin at 0.0057
constexpr double kMostOfCharge = 40;       // times Z^2: the greatest exponent
constexpr double kInnermostRadius = 1e-6;  // bohr
constexpr int kFitRadii = 1000;            // of the fit
constexpr double kWorthKeeping = 1.01;     // a function that lowers the rms error by less is left out

struct ScreenedCharge {
  Eigen::VectorXd r, values;
  double charge = 0;
};

struct Expansion {
  Eigen::VectorXd exponents, coefficients, errors;  ///< errors at the radii
  double rms() const { return std::sqrt(errors.squaredNorm() / static_cast<double>(errors.size())); }
};

/// The last coefficient is what the others leave of the charge.
Expansion expand(const ScreenedCharge& s, const std::vector<double>& exponents) {
  const auto count = static_cast<Eigen::Index>(exponents.size());
  Expansion e;
  e.exponents = Eigen::Map<const Eigen::VectorXd>(exponents.data(), count);
  Eigen::MatrixXd terms(s.r.size(), count);
  for (Eigen::Index k = 0; k < count; ++k)
    terms.col(k) = (std::sqrt(e.exponents[k]) * s.r).unaryExpr([](double x) { return std::erf(x); });
  const Eigen::VectorXd last = terms.col(count - 1);
  e.coefficients.resize(count);
  e.coefficients.head(count - 1) =
      leastSquares(terms.leftCols(count - 1).colwise() - last, s.values - s.charge * last);
  e.coefficients[count - 1] = s.charge - e.coefficients.head(count - 1).sum();
  e.errors = terms * e.coefficients - s.values;
  return e;
}

/// Without the functions at both ends that add nothing.
Expansion trimmed(const ScreenedCharge& s, std::vector<double> exponents) {
  Expansion best = expand(s, exponents);
  const double enough = kWorthKeeping * best.rms();
  const auto shorten = [&](auto without) {
    while (exponents.size() > 2) {
      std::vector<double> fewer = exponents;
      fewer.erase(without(fewer));
      Expansion e = expand(s, fewer);
      if (e.rms() > enough) return;
      best = std::move(e);
      exponents = std::move(fewer);
    }
  };
  shorten([](auto& list) { return list.begin(); });
  shorten([](auto& list) { return list.end() - 1; });
  return best;
}

}  // namespace

ScreeningFit fitScreening(const AtomProblem& problem, const Result& result, double ratio) {
  const double charge = problem.nucleus.charge;
  if (std::abs(problem.configuration.electrons() - charge) > 1e-9)
    throw Error("the screening of an ion is not fitted: guesses for molecules start from neutral atoms");
  if (!(ratio > 1)) throw Error("the ratio of the exponents of a fit must be above 1");
  const RadialFields fields(problem, result);
  if (!fields.has(PotentialPart::Effective)) throw Error(fields.objection(PotentialPart::Effective));
  ScreenedCharge s;
  s.charge = charge;
  s.r = logarithmicRadii(kInnermostRadius, result.wavefunction->largestRadius(), kFitRadii);
  s.values = s.r.cwiseProduct(fields.potential(PotentialPart::Coulomb, s.r) +
                              fields.potential(PotentialPart::ExchangeCorrelation, s.r));
  std::vector<double> exponents;
  for (double alpha = kLeastExponent; alpha < ratio * kMostOfCharge * charge * charge; alpha *= ratio)
    exponents.push_back(alpha);
  std::reverse(exponents.begin(), exponents.end());
  const Expansion e = trimmed(s, std::move(exponents));

  ScreeningFit fit;
  fit.exponents = e.exponents;
  fit.coefficients = e.coefficients;
  Eigen::Index at = 0;
  fit.largestError = e.errors.cwiseAbs().maxCoeff(&at);
  fit.largestErrorAt = s.r[at];
  fit.rmsError = e.rms();
  const double step = std::log(s.r[1] / s.r[0]);
  for (int i = 0; i < result.wavefunction->count(); ++i) {
    const RadialFunctions f = result.wavefunction->radial(i, s.r);
    const double change = step * (f.large.cwiseAbs2() + f.small.cwiseAbs2()).dot(e.errors);
    if (std::abs(change) < std::abs(fit.largestEnergyError)) continue;
    fit.largestEnergyError = change;
    fit.spinor = result.spinors[static_cast<std::size_t>(i)].label();
  }
  return fit;
}

}  // namespace prophet
