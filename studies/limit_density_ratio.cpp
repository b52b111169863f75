// Prints the QED energies of lithium-like uranium and rubidium by the model that another program seems to use
// (docs/theory/breit-qed.md): tabulated self-energies of hydrogen-like ions with a point nucleus times the
// ratio of the electron densities near the nucleus, and vacuum polarisation with the two-loop part taken
// twice.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "atoms/limit/mean_field.hpp"
#include "atoms/limit/self_consistency.hpp"
#include "core/common/constants.hpp"
#include "tests/atoms/limit/hydrogen.hpp"

namespace {

using namespace prophet;
using limit::RadialBasis;

constexpr double kC = constants::kSpeedOfLight;
constexpr double kNear = 0.0219;  ///< bohr, inside which densities are compared

/// F(Z alpha) at Z = 1, 10, 20, ..., 110: P. J. Mohr, At. Data Nucl. Data Tables 29, 453 (1983).
constexpr double kCharges[] = {1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110};
constexpr double k1s[] = {10.3168, 4.6540, 3.2460, 2.5519, 2.1351, 1.8644,
                          1.6838,  1.5675, 1.5032, 1.4880, 1.5317, 1.6614};
constexpr double k2s[] = {10.5468, 4.8930, 3.5063, 2.8391, 2.4550, 2.2244,
                          2.0948,  2.0435, 2.0650, 2.1690, 2.3870, 2.7980};
constexpr double k2p1[] = {-0.1264, -0.1145, -0.0922, -0.0641, -0.0308, 0.0082,
                           0.0549,  0.1129,  0.1884,  0.2934,  0.4530,  0.7250};
constexpr double k2p3[] = {0.1235, 0.1303, 0.1436, 0.1604, 0.1794, 0.1999,
                           0.2215, 0.2440, 0.2671, 0.2906, 0.3141, 0.3367};

/// Polynomial through the seven nearest charges.
double interpolate(const double (&values)[12], double charge) {
  int order[12];
  for (int i = 0; i < 12; ++i) order[i] = i;
  std::stable_sort(order, order + 12, [&](int a, int b) {
    return std::abs(kCharges[a] - charge) < std::abs(kCharges[b] - charge);
  });
  double sum = 0;
  for (int a = 0; a < 7; ++a) {
    double weight = values[order[a]];
    for (int b = 0; b < 7; ++b) {
      if (a != b) weight *= (charge - kCharges[order[b]]) / (kCharges[order[a]] - kCharges[order[b]]);
    }
    sum += weight;
  }
  return sum;
}

/// n > 2: the values of n = 2, and for 3d the expansion of S. Klarsfeld and A. Maquet, Phys. Lett. B 43, 201
/// (1973).
double functionF(Symmetry s, int n, double charge) {
  if (s.kappa == -1) return n == 1 ? interpolate(k1s, charge) : interpolate(k2s, charge);
  if (s.kappa == 1) return interpolate(k2p1, charge);
  if (s.kappa == -2) return interpolate(k2p3, charge);
  constexpr double kBethe3d = -0.0052321;
  const double spin =
      s.kappa > 0 ? -0.375 / (s.l() * (2 * s.l() + 1)) : 0.375 / ((s.l() + 1) * (2 * s.l() + 1));
  return 4.0 / 3.0 * (spin - kBethe3d);
}

RadialBasis basisOf(const Nucleus& nucleus, double reach, double decay) {
  limit::Mesh mesh = limit::makeMesh({nucleus, kC, reach, decay, 1.3, 10});
  const auto place = std::upper_bound(mesh.breaks.begin(), mesh.breaks.end(), std::log(kNear));
  mesh.multiplicity.insert(mesh.multiplicity.begin() + (place - mesh.breaks.begin()), 1);
  mesh.breaks.insert(place, std::log(kNear));
  return RadialBasis(mesh, 10, 10);
}

double chargeInside(const RadialBasis& basis, const Eigen::VectorXd& large, const Eigen::VectorXd& small) {
  const Eigen::ArrayXd density = (large.cwiseAbs2() + small.cwiseAbs2()).array() * basis.weight.array();
  return (basis.r.array() < kNear).select(density, 0.0).sum();
}

/// Charge near the nucleus of the hydrogen-like state `number` (from 1).
double hydrogenicCharge(double charge, Symmetry s, int number) {
  Nucleus point;
  point.charge = charge;
  const double decay = charge / (number + s.l());
  const RadialBasis basis = basisOf(point, 45 / decay, decay);
  const Eigen::MatrixXd overlap = basis.overlapMatrix(s);
  const Eigen::MatrixXd fock =
      basis.kineticMatrix(s, kC) + basis.localMatrix(s, -charge * basis.r.cwiseInverse());
  const auto states = limit::lowestSolutions(fock, overlap, limit::choleskyFactor(overlap),
                                             limit::gapShift(charge, kC), number);
  const Eigen::VectorXd vector = states.vectors.col(number - 1);
  return chargeInside(basis, basis.largeValues(s, vector), basis.smallValues(vector));
}

void print(const char* name, double charge, const char* configuration, double decay) {
  NucleusRequest request;
  request.model = NuclearModel::Fermi;
  request.charge = charge;
  limit::FieldProblem problem;
  problem.nucleus = makeNucleus(request);
  problem.configuration = parseConfiguration(configuration);
  problem.speedOfLight = kC;
  QedOptions options;
  options.vacuumPolarisation = options.kallenSabry = true;
  problem.extra = qedOperators(problem.nucleus, kC, options);
  problem.extraSelfConsistent = false;
  const RadialBasis basis = basisOf(problem.nucleus, 24 / decay, decay);
  const limit::FieldSolution solution = limit::SelfConsistency(basis, problem, {100, 2}).solve();
  const auto points = limit::atPoints(basis, solution.spinors);
  double selfEnergy = 0;
  for (std::size_t a = 0; a < points.size(); ++a) {
    const Symmetry s = Symmetry::fromIndex(static_cast<int>(a));
    for (int i = 0; i < points[a].occupation.size(); ++i) {
      const int n = s.l() + i + 1;
      const double ratio = chargeInside(basis, points[a].large.col(i), points[a].small.col(i)) /
                           hydrogenicCharge(charge, s, i + 1);
      selfEnergy += points[a].occupation[i] * ratio * functionF(s, n, charge) * test::shiftUnit(charge, n);
    }
  }
  const double uehling = solution.energy.value(EnergyPartId::VacuumPolarisation),
               kallenSabry = solution.energy.value(EnergyPartId::KallenSabry);
  std::printf("%s: self-energy %.4f, Uehling %.5f, Kallen-Sabry %.5f, Uehling + 2 Kallen-Sabry %.5f%s\n",
              name, selfEnergy, uehling, kallenSabry, uehling + 2 * kallenSabry,
              solution.converged ? "" : " (not converged)");
}

}  // namespace

int main() {
  print("Li-like U", 92, "1s2 2s1", 30);
  print("Rb", 37, "[Kr] 5s1", 0.5);
}
