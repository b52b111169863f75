#include "atoms/levels/isotope_shifts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>

#include "atoms/levels/open_electrons.hpp"
#include "tests/atoms/levels/reference_cases.hpp"

namespace prophet {
namespace {

using Complex = std::complex<double>;

constexpr double kC = 137.03599976;

struct Atom {
  LevelSpace space;
  LevelHamiltonian hamiltonian;
  Result result;

  Atom(const std::string& configurations, const Nucleus& nucleus, double c = kC)
      : space(levelSpace(configurations)) {
    hamiltonian.field = {nucleus, c, {}};
    result = limitOf(space, nucleus, c);
  }
  LevelResult levels() const {
    LevelOptions options;
    options.isotopeShifts = true;
    return computeLevels(space, result, hamiltonian, options);
  }
  IsotopeShiftOperators operators(const SpinorTable& spinors) const {
    AtomProblem problem{hamiltonian.field.nucleus, space.average, {}};
    problem.hamiltonian.speedOfLight = hamiltonian.field.speedOfLight;
    return {space, spinors, SpinorIntegrals(problem, result), placesOf(space), hamiltonian.field.nucleus};
  }
};

Nucleus pointOf(double z) {
  Nucleus nucleus;
  nucleus.charge = z;
  return nucleus;
}

Nucleus gaussianOf(double z, double femtometres) {
  NucleusRequest request;
  request.model = NuclearModel::Gaussian;
  request.charge = z;
  request.rmsFemtometres = femtometres;
  return makeNucleus(request);
}

/// Of one electron at a point nucleus (m^2 c^4 - E^2)/(2 c^2), E the energy with mc^2: V. M. Shabaev (1985).
TEST(IsotopeShifts, OfOneElectronHaveTheClosedFormOfTheRecoil) {
  for (const double z : {1.0, 20.0, 50.0}) {
    const LevelResult r = Atom("1s1 | 2s1 | 2p1 | 3d1", pointOf(z)).levels();
    ASSERT_EQ(r.levels.size(), 6U);
    for (const Level& l : r.levels) {
      const double energy = kC * kC + l.energy;
      const double expected = (std::pow(kC, 4) - energy * energy) / (2 * kC * kC);
      EXPECT_NEAR(l.isotope->normal, expected, 3e-7 * expected) << z << " " << l.label << " " << 0.5 * l.twoJ;
      EXPECT_NEAR(l.isotope->specific, 0, 1e-12);
      EXPECT_FALSE(l.isotope->field);
    }
  }
}

/// The sum over m, angles and components of a-bar p c and a-bar D c, with gradients from differences: nothing
/// of it knows reduced elements.
class Projections {
 public:
  explicit Projections(const SpinorTable& spinors)
      : spinors_(spinors), strength_(spinors.field().nucleus.charge / spinors.field().speedOfLight) {}

  struct Place {
    int spinor, twoM;
  };
  using Vector = std::array<Complex, 3>;  ///< x, y, z

  /// <a|p|c> and <a|D|c>.
  std::pair<Vector, Vector> elements(Place a, Place c) const {
    const RadialValues fa = spinors_.values(a.spinor), fc = spinors_.values(c.spinor);
    const Eigen::ArrayXd lengths = spinors_.lengths();
    Vector momentum{}, photon{};
    constexpr int kPolar = 12, kAzimuth = 16;
    const Eigen::VectorXd nodes =
                              (Eigen::VectorXd(6) << 0.1252334085114689, 0.3678314989981802,
                               0.5873179542866175, 0.7699026741943047, 0.9041172563704749, 0.9815606342467192)
                                  .finished(),
                          weights =
                              (Eigen::VectorXd(6) << 0.2491470458134028, 0.2334925365383548,
                               0.2031674267230659, 0.1600783285433462, 0.1069393259953184, 0.0471753363865118)
                                  .finished();
    for (Eigen::Index i = 0; i < lengths.size(); ++i) {
      const double r = spinors_.radii()(i);
      for (int t = 0; t < kPolar; ++t) {
        const double u = t < 6 ? nodes(t) : -nodes(t - 6), root = std::sqrt(1 - u * u);
        for (int f = 0; f < kAzimuth; ++f) {
          const double phi = 2 * constants::kPi * (f + 0.5) / kAzimuth;
          const double weight = lengths(i) * weights(t % 6) * 2 * constants::kPi / kAzimuth * r * r;
          const Eigen::Vector3d x(r * root * std::cos(phi), r * root * std::sin(phi), r * u);
          const Eigen::Vector4cd bra = at(fa, i, a, x), ket = at(fc, i, c, x);
          const Eigen::Vector3d unit = x / r;
          Eigen::Vector4cd alongRadius = Eigen::Vector4cd::Zero();
          for (int q = 0; q < 3; ++q) alongRadius += unit(q) * alpha(q, ket);
          for (int q = 0; q < 3; ++q) {
            const double h = 2e-4 * r;
            Eigen::Vector3d ahead = x, behind = x;
            ahead(q) += h;
            behind(q) -= h;
            const Eigen::Vector4cd change = (at(fc, i, c, ahead) - at(fc, i, c, behind)) / (2 * h);
            const auto place = static_cast<std::size_t>(q);
            momentum[place] += weight * Complex(0, -1) * bra.dot(change);
            photon[place] += weight * strength_ / r * bra.dot(alpha(q, ket) + unit(q) * alongRadius);
          }
        }
      }
    }
    return {momentum, photon};
  }

 private:
  /// The four components near a radius of the table.
  Eigen::Vector4cd at(const RadialValues& f, Eigen::Index i, Place place, const Eigen::Vector3d& x) const {
    const double r = x.norm(), step = r - spinors_.radii()(i);
    const Symmetry s = spinors_.symmetry(place.spinor);
    const Complex large = (f.large(i) + step * f.largeSlope(i)) / r,
                  small = Complex(0, 1) * (f.small(i) + step * f.smallSlope(i)) / r;
    // The spherical spinor of -kappa is -(sigma.r) times that of kappa.
    const Eigen::Vector2cd omega = spherical(s, place.twoM, x / r);
    Eigen::Vector4cd psi;
    psi << large * omega, -small * sigmaAlong(x / r, omega);
    return psi;
  }
  static Eigen::Vector2cd sigmaAlong(const Eigen::Vector3d& n, const Eigen::Vector2cd& v) {
    return {n(2) * v(0) + Complex(n(0), -n(1)) * v(1), Complex(n(0), n(1)) * v(0) - n(2) * v(1)};
  }
  static Eigen::Vector4cd alpha(int q, const Eigen::Vector4cd& v) {
    const Eigen::Vector3d axis = Eigen::Vector3d::Unit(q);
    Eigen::Vector4cd result;
    result << sigmaAlong(axis, v.tail<2>()), sigmaAlong(axis, v.head<2>());
    return result;
  }
  /// l and s coupled to j, by Clebsch-Gordan coefficients written out; l up to 1.
  static Eigen::Vector2cd spherical(Symmetry s, int twoM, const Eigen::Vector3d& n) {
    const auto harmonic = [&](int l, int m) -> Complex {
      if (std::abs(m) > l) return 0;
      if (l == 0) return std::sqrt(1 / (4 * constants::kPi));
      const double norm = std::sqrt(3 / (4 * constants::kPi));
      if (m == 0) return norm * n(2);
      return -m * norm / std::sqrt(2.0) * Complex(n(0), m * n(1));
    };
    const double m = 0.5 * twoM, l = s.l();
    const double up = std::sqrt((l + m + 0.5) / (2 * l + 1)), down = std::sqrt((l - m + 0.5) / (2 * l + 1));
    const Complex below = harmonic(s.l(), (twoM - 1) / 2), above = harmonic(s.l(), (twoM + 1) / 2);
    return s.kappa < 0 ? Eigen::Vector2cd(up * below, down * above)
                       : Eigen::Vector2cd(-down * below, up * above);
  }

  const SpinorTable& spinors_;
  double strength_;
};

/// 1s 2p of an ion of mercury: J = 2 with M = 2 and J = 0, pure 1s1/2 2p3/2 and 1s1/2 2p1/2.
TEST(IsotopeShifts, OfTwoElectronsAreSumsOverProjections) {
  const Atom atom("1s1 2p1", pointOf(80));
  const SpinorTable spinors(atom.result, atom.hamiltonian.field, 3);
  const Projections brute(spinors);
  const auto of = [&](int kappa) {
    for (int a = 0; a < spinors.count(); ++a)
      if (spinors.symmetry(a).kappa == kappa) return a;
    return -1;
  };
  using Place = Projections::Place;
  // <ab|T|cd> of p_1.p_2 - (D_1.p_2 + p_1.D_2)/2.
  const auto both = [&](Place a, Place b, Place c, Place d) {
    const auto [p1, d1] = brute.elements(a, c);
    const auto [p2, d2] = brute.elements(b, d);
    Complex sum = 0;
    for (std::size_t q = 0; q < 3; ++q) sum += p1[q] * p2[q] - 0.5 * (d1[q] * p2[q] + p1[q] * d2[q]);
    return sum;
  };
  const LevelResult r = atom.levels();
  const auto specificOf = [&](int twoJ) {
    const auto found = std::ranges::find(r.levels, twoJ, &Level::twoJ);
    return found->isotope->specific;
  };
  const Place s{of(-1), 1}, p{of(-2), 3};
  const Complex stretched = both(s, p, s, p) - both(s, p, p, s);
  EXPECT_NEAR(specificOf(4), stretched.real(), 1e-6 * std::abs(stretched));
  EXPECT_NEAR(stretched.imag(), 0, 1e-9 * std::abs(stretched));
  // (|+-> - |-+>)/sqrt 2 of 1s1/2 2p1/2.
  const Place s1{of(-1), 1}, s2{of(-1), -1}, p1{of(1), 1}, p2{of(1), -1};
  Complex zero = 0;
  const auto element = [&](Place a, Place b, Place c, Place d) {
    return both(a, b, c, d) - both(a, b, d, c);
  };
  zero += 0.5 * (element(s1, p2, s1, p2) + element(s2, p1, s2, p1) - element(s1, p2, s2, p1) -
                 element(s2, p1, s1, p2));
  EXPECT_NEAR(specificOf(0), zero.real(), 1e-6 * std::abs(zero));
  // The photon's part is no trifle there.
  const RecoilOperator recoil(spinors);
  EXPECT_GT(std::abs(recoil.photon(s.spinor, p.spinor)), 0.2 * std::abs(recoil.momentum(s.spinor, p.spinor)));
  // Both operators are hermitian, and p is the commutator of the forces.
  for (int a = 0; a < spinors.count(); ++a)
    for (int c = 0; c < spinors.count(); ++c) {
      const double sign = (spinors.symmetry(a).twoJ() - spinors.symmetry(c).twoJ()) / 2 % 2 == 0 ? -1 : 1;
      EXPECT_NEAR(recoil.momentum(a, c), sign * recoil.momentum(c, a), 1e-8 * 80);
      EXPECT_NEAR(recoil.photon(a, c), sign * recoil.photon(c, a), 1e-12 * 80);
    }
}

/// Of one electron [h, p] = i grad V.
TEST(IsotopeShifts, MomentumIsTheCommutatorOfTheForce) {
  const double z = 30;
  const Atom atom("1s1 | 2s1 | 2p1 | 3d1", pointOf(z));
  const SpinorTable spinors(atom.result, atom.hamiltonian.field, 5);
  const RecoilOperator recoil(spinors);
  const LevelResult r = atom.levels();
  int compared = 0;
  for (int a = 0; a < spinors.count(); ++a)
    for (int c = 0; c < spinors.count(); ++c) {
      const double angular = reducedC(spinors.symmetry(a), 1, spinors.symmetry(c));
      if (angular == 0) continue;
      const double omega = spinors.oneElectron(a, a) - spinors.oneElectron(c, c);
      const double force = z * angular * spinors.density(a, c, spinors.radii().cwiseInverse().cwiseAbs2());
      EXPECT_NEAR(-omega * recoil.momentum(a, c), force, 1e-6 * std::abs(force) + 1e-6) << a << " " << c;
      ++compared;
    }
  EXPECT_EQ(compared, 14);
}

/// First order against the difference of energies with lambda times the operator in the Hamiltonian.
TEST(IsotopeShifts, AreDerivativesOfEnergies) {
  const Atom atom("1s2 2s2 | 1s2 2p2", pointOf(20));
  const SpinorTable spinors(atom.result, atom.hamiltonian.field, 3);
  const IsotopeShiftOperators operators = atom.operators(spinors);
  const LevelResult r = atom.levels();
  constexpr double kLambda = 3e-5;
  const auto with = [&](double lambda) {
    LevelOptions options;
    options.correction = [&, lambda](const LevelBlock& block, Eigen::MatrixXd& h) {
      h += lambda * betweenStates(block, operators.specificOf(block));
    };
    return computeLevels(atom.space, atom.result, atom.hamiltonian, options);
  };
  const LevelResult above = with(kLambda), below = with(-kLambda);
  for (std::size_t i = 0; i < r.levels.size(); ++i) {
    EXPECT_NEAR(r.levels[i].isotope->specific,
                (above.levels[i].energy - below.levels[i].energy) / (2 * kLambda), 2e-6)
        << r.levels[i].label;
    EXPECT_LT(r.levels[i].isotope->specific, -1);
  }
}

/// Without relativity the normal part is the kinetic energy, which the virial theorem has of the average, and
/// s electrons alone have no specific part.
TEST(IsotopeShifts, WithoutRelativityAreKineticEnergies) {
  const Atom beryllium("1s2 2s2", pointOf(4), 1e4);
  const LevelResult closed = beryllium.levels();
  EXPECT_NEAR(closed.levels.front().isotope->normal, -closed.levels.front().energy, 1e-5);
  EXPECT_NEAR(closed.levels.front().isotope->specific, 0, 1e-8);
  const LevelResult open = Atom("1s2 2s1 2p1", pointOf(4), 1e4).levels();
  double mean = 0, states = 0;
  for (const Level& l : open.levels) {
    mean += (l.twoJ + 1) * l.isotope->normal;
    states += l.twoJ + 1;
  }
  EXPECT_NEAR(mean / states, -open.average, 1e-5);
}

/// F against energies at other radii, of one electron level by level.
TEST(IsotopeShifts, OfOneElectronGrowWithTheRadius) {
  constexpr double kRms = 4.6, kStep = 0.02;
  const auto of = [](double rms) { return Atom("1s1 | 2s1 | 2p1", gaussianOf(50, rms)).levels(); };
  const LevelResult r = of(kRms), above = of(kRms + kStep), below = of(kRms - kStep);
  const double change =
      (std::pow(kRms + kStep, 2) - std::pow(kRms - kStep, 2)) / std::pow(constants::kFemtometresPerBohr, 2);
  for (std::size_t i = 0; i < r.levels.size(); ++i)
    EXPECT_NEAR((above.levels[i].energy - below.levels[i].energy) / change, *r.levels[i].isotope->field,
                2e-4 * *r.levels[0].isotope->field)
        << r.levels[i].label;
  const double s = (above.levels[0].energy - below.levels[0].energy) / change;
  EXPECT_NEAR(s, *r.levels[0].isotope->field, 2e-5 * s);
}

/// The mean over all levels is the derivative of the average, which is stationary; closed shells count.
TEST(IsotopeShifts, HaveTheMeanOfTheAverage) {
  constexpr double kRms = 3.48, kStep = 0.1;
  const auto of = [](double rms) { return Atom("1s2 2s1 2p1", gaussianOf(20, rms)); };
  const LevelResult r = of(kRms).levels();
  double mean = 0, states = 0;
  for (const Level& l : r.levels) {
    mean += (l.twoJ + 1) * *l.isotope->field;
    states += l.twoJ + 1;
  }
  const double change =
      (std::pow(kRms + kStep, 2) - std::pow(kRms - kStep, 2)) / std::pow(constants::kFemtometresPerBohr, 2);
  const double slope = (of(kRms + kStep).result.energy.total - of(kRms - kStep).result.energy.total) / change;
  EXPECT_NEAR(mean / states, slope, 2e-4 * slope);
  // Closed shells alone.
  const auto closed = [](double rms) { return Atom("1s2 2s2", gaussianOf(20, rms)); };
  const double ofClosed =
      (closed(kRms + kStep).result.energy.total - closed(kRms - kStep).result.energy.total) / change;
  EXPECT_NEAR(*closed(kRms).levels().levels.front().isotope->field, ofClosed, 2e-4 * ofClosed);
}

/// Of 2p outside 1s2 without relativity: -(1/3) [integral of P_1s (P_2p' + P_2p/r) dr]^2.
TEST(IsotopeShifts, OfOneElectronOutsideAShellAreItsExchange) {
  const Atom atom("1s2 2p1", pointOf(3), 1e4);
  const SpinorTable spinors(atom.result, atom.hamiltonian.field, 3);
  ASSERT_EQ(spinors.symmetry(0).kappa, -1);
  ASSERT_EQ(spinors.symmetry(1).kappa, 1);
  const RadialValues s = spinors.values(0), p = spinors.values(1);
  const double integral =
      (spinors.lengths() * s.large * (p.largeSlope + p.large / spinors.radii().array())).sum();
  const LevelResult r = atom.levels();
  ASSERT_EQ(r.levels.size(), 2U);
  for (const Level& l : r.levels) EXPECT_NEAR(l.isotope->specific, -integral * integral / 3, 1e-6) << l.twoJ;
  EXPECT_GT(integral * integral, 0.1);
}

/// Of RIS4, level by level in the same spinors (grasp_isotope_shifts.csv). Its F has the density fitted by
/// four powers of r, and its normal part is that of a grid from 1e-9 bohr/Z.
TEST(IsotopeShifts, AreThoseOfGrasp) {
  constexpr double kFemtometres = 52917.721067;  // its bohr
  std::map<std::string, LevelResult> computed;
  int compared = 0;
  for (const CsvRow& row :
       readCsv(std::string(PROPHET_SOURCE_DIR) + "/tests/atoms/levels/grasp_isotope_shifts.csv")) {
    const std::vector<std::string>& f = row.fields;
    if (f[0] == "case") continue;
    ReferenceCase c{f[0], f[2], "DC", std::stod(f[1]), {}};
    c.fermiA = std::stod(f[3]);
    c.fermiC = std::stod(f[4]);
    if (!computed.contains(c.name)) computed[c.name] = Atom(c.configurations, c.nucleus()).levels();
    ReferenceLevel wanted;
    wanted.twoJ = twiceOf(f[5]).value();
    wanted.odd = f[6] == "-";
    wanted.index = std::stoi(f[7]);
    const Level* level = levelNamed(computed[c.name], wanted);
    const std::string name = c.name + " J = " + f[5] + f[6] + " number " + f[7];
    ASSERT_NE(level, nullptr) << name;
    const double energy = std::stod(f[8]), normal = std::stod(f[9]), specific = std::stod(f[10]),
                 field = std::stod(f[11]);
    EXPECT_NEAR(level->energy, energy, 1e-12 * std::abs(energy)) << name;
    EXPECT_NEAR(level->isotope->normal, normal, 2e-7 * normal) << name;
    EXPECT_NEAR(level->isotope->specific, specific, 1e-12 * std::max(1.0, std::abs(specific))) << name;
    EXPECT_NEAR(1e-3 * constants::kMegahertzPerHartree * *level->isotope->field,
                kFemtometres * kFemtometres * field, 1e-5 * kFemtometres * kFemtometres * field)
        << name;
    ++compared;
  }
  EXPECT_EQ(compared, 18);
}

}  // namespace
}  // namespace prophet
