#pragma once
#include <cmath>

#include "core/common/constants.hpp"
#include "core/common/host_device.hpp"

namespace prophet {

/// Functionals that are also written out here, for devices on which libxc does not run; on the host libxc
/// computes them, and the tests compare both.
enum class ClosedForm : int { None, Lda, Rlda, Pbe, Pbesol };

/// The energy per volume f at a point and its derivatives, as FunctionalValues.
struct PointFunctional {
  double energy = 0, slope = 0, slopeOfSigma = 0;
};

/// Exchange energy of the uniform relativistic electron gas over that of the non-relativistic one, and its
/// derivative with respect to beta = k_F/c (MacDonald and Vosko, Coulomb and transverse parts):
///   R = 1 - 3/2 [(beta eta - ln(beta + eta))/beta^2]^2, eta = sqrt(1 + beta^2).
struct RelativisticExchange {
  double factor = 1, slope = 0;
};
PROPHET_HD inline RelativisticExchange relativisticExchange(double beta) {
  constexpr double kSmall = 0.02;  // below it the closed form loses digits
  const double square = beta * beta;
  if (beta < kSmall) {
    // A = beta (2/3 - beta^2/5 + 3 beta^4/28 - 5 beta^6/72 + 35 beta^8/704 ...), R = 1 - 3/2 A^2.
    const double a =
        2.0 / 3 + square * (-1.0 / 5 + square * (3.0 / 28 + square * (-5.0 / 72 + square * 35.0 / 704)));
    const double slope =
        2.0 / 3 + square * (-3.0 / 5 + square * (15.0 / 28 + square * (-35.0 / 72 + square * 315.0 / 704)));
    return {1 - 1.5 * square * a * a, -3 * beta * a * slope};
  }
  const double eta = std::sqrt(1 + square);
  const double a = (beta * eta - std::asinh(beta)) / square;
  const double slope = 2 / eta - 2 * a / beta;
  return {1 - 1.5 * a * a, -3 * a * slope};
}

/// Correlation energy of one electron of the uniform gas, hartree, and its derivative with respect to the
/// radius rs (bohr) of its share of the volume.
struct GasCorrelation {
  double energy, slope;
};

/// S. H. Vosko, L. Wilk and M. Nusair, Can. J. Phys. 58, 1200 (1980), equation 4.4 with the parameters of
/// their fit to Ceperley and Alder's energies of the unpolarised gas (formula V).
PROPHET_HD inline GasCorrelation voskoWilkNusair(double rs) {
  constexpr double kA = 0.0310907, kB = 3.72744, kC = 12.9352, kX0 = -0.10498;
  const double q = std::sqrt(4 * kC - kB * kB), x = std::sqrt(rs), atX0 = kX0 * kX0 + kB * kX0 + kC;
  const double polynomial = rs + kB * x + kC, rise = 2 * x + kB;
  const double angle = std::atan(q / rise), share = kB * kX0 / atX0, shift = x - kX0;
  const double energy =
      kA * (std::log(rs / polynomial) + 2 * kB / q * angle -
            share * (std::log(shift * shift / polynomial) + 2 * (kB + 2 * kX0) / q * angle));
  const double turn = 4 / (q * q + rise * rise);  // -2/q times the derivative of the angle
  const double slope = kA * (2 / x - rise / polynomial - kB * turn -
                             share * (2 / shift - rise / polynomial - (kB + 2 * kX0) * turn));
  return {energy, slope / (2 * x)};
}

/// J. P. Perdew and Y. Wang, Phys. Rev. B 45, 13244 (1992), equation 10, unpolarised, with the digits of A
/// that Perdew, Burke and Ernzerhof's own programs have.
PROPHET_HD inline GasCorrelation perdewWang(double rs) {
  constexpr double kA = 0.0310907, kAlpha = 0.21370, kB1 = 7.5957, kB2 = 3.5876, kB3 = 1.6382, kB4 = 0.49294;
  const double x = std::sqrt(rs);
  const double sum = 2 * kA * x * (kB1 + x * (kB2 + x * (kB3 + x * kB4)));
  const double rise = kA * (kB1 / x + 2 * kB2 + x * (3 * kB3 + x * 4 * kB4));
  const double logarithm = std::log1p(1 / sum), front = -2 * kA * (1 + kAlpha * rs);
  return {front * logarithm, -2 * kA * kAlpha * logarithm - front * rise / (sum * (sum + 1))};
}

/// Energy of correlation of the uniform gas: n epsilon(rs).
PROPHET_HD inline PointFunctional gasEnergy(double n, double rs, const GasCorrelation& c) {
  return {n * c.energy, c.energy - rs / 3 * c.slope, 0};
}

/// J. P. Perdew, K. Burke and M. Ernzerhof, Phys. Rev. Lett. 77, 3865 (1996), equations 3 to 14 without spin
/// polarisation; PBEsol (Perdew et al., Phys. Rev. Lett. 100, 136406 (2008)) has other mu and beta.
PROPHET_HD inline PointFunctional perdewBurkeErnzerhof(double n, double sigma, double mu, double beta) {
  using constants::kPi;
  constexpr double kKappa = 0.804;
  const double gamma = (1 - std::log(2.0)) / (kPi * kPi);
  const double fermi = std::cbrt(3 * kPi * kPi * n), rs = std::cbrt(3 / (4 * kPi * n));
  // Exchange: e_x F(s), s = |grad n|/(2 k_F n).
  const double gas = -0.75 * fermi / kPi * n, perSigma = 1 / (4 * fermi * fermi * n * n),
               s2 = sigma * perSigma;
  const double damping = 1 / (1 + mu * s2 / kKappa), factor = 1 + kKappa * (1 - damping),
               factorSlope = mu * damping * damping;
  PointFunctional f{gas * factor, gas / n * (4.0 / 3 * factor - 8.0 / 3 * s2 * factorSlope),
                    gas * factorSlope * perSigma};
  // Correlation: n (epsilon + H(u)), u = t^2 = pi sigma/(16 k_F n^2).
  const GasCorrelation c = perdewWang(rs);
  const double growth = std::expm1(-c.energy / gamma), a = beta / gamma / growth;
  const double perSigmaT = kPi / (16 * fermi * n * n), u = sigma * perSigmaT;
  const double au = a * u, numerator = 1 + au, denominator = 1 + au + au * au, d2 = denominator * denominator;
  const double q = u * numerator / denominator, inside = beta / gamma * q;
  const double h = gamma * std::log1p(inside), front = beta / (1 + inside);
  const double byU = front * (1 + 2 * au) / d2;
  // dq/da da/depsilon with da/depsilon = a^2 exp(-epsilon/gamma)/beta; a u is kept together, u may be huge.
  const double byEnergy = front * (-au * u * u * (2 + au) / d2) * a * a * (growth + 1) / beta;
  const double energySlope = -rs / 3 * c.slope;  // n depsilon/dn
  f.energy += n * (c.energy + h);
  f.slope += c.energy + h + energySlope * (1 + byEnergy) - 7.0 / 3 * u * byU;
  f.slopeOfSigma += n * byU * perSigmaT;
  return f;
}

PROPHET_HD inline bool needsGradient(ClosedForm form) {
  return form == ClosedForm::Pbe || form == ClosedForm::Pbesol;
}

/// \param n density, electrons per cubic bohr; zero is the answer where it is below 1e-15
/// \param sigma squared gradient of the density
/// \param c speed of light, atomic units, for relativistic exchange
PROPHET_HD inline PointFunctional closedForm(ClosedForm form, double n, double sigma, double c) {
  using constants::kPi;
  constexpr double kLeastDensity = 1e-15;
  constexpr double kBeta = 0.06672455060314922;
  if (!(n > kLeastDensity)) return {};
  if (form == ClosedForm::Pbe) return perdewBurkeErnzerhof(n, sigma, kBeta * kPi * kPi / 3, kBeta);
  if (form == ClosedForm::Pbesol) return perdewBurkeErnzerhof(n, sigma, 10.0 / 81, 0.046);
  const double rs = std::cbrt(3 / (4 * kPi * n)), fermi = std::cbrt(3 * kPi * kPi * n);
  PointFunctional f = gasEnergy(n, rs, voskoWilkNusair(rs));
  const double slope = -fermi / kPi, beta = fermi / c;
  const RelativisticExchange x =
      form == ClosedForm::Rlda ? relativisticExchange(beta) : RelativisticExchange{};
  f.energy += 0.75 * n * slope * x.factor;
  f.slope += slope * (x.factor + 0.25 * x.slope * beta);
  return f;
}

}  // namespace prophet
