#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "common/constants.hpp"
#include "fock/grid_builder.hpp"
#include "qed/qed.hpp"

namespace prophet {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kC = constants::kSpeedOfLight;
constexpr double kElectronvolt = 27.2113834;  ///< in one hartree, of the same age as kC

Nucleus makeIon(NuclearModel model, double z, double rmsFemtometres = 0.0) {
  NucleusRequest request;
  request.model = model;
  request.charge = z;
  if (rmsFemtometres > 0.0) request.rmsFemtometres = rmsFemtometres;
  return makeNucleus(request);
}

/// Large even-tempered basis of s and p functions for a hydrogen-like ion.
BasisSet ionBasis(double z) {
  BasisSet basis;
  for (const Symmetry s : firstSymmetries(3)) {
    std::vector<double> exponents;
    for (double zeta = 0.01 * z * z;
         zeta < 3e8 * std::pow(z, 2.0 + 0.4 * (s.l() == 0)) / 100.0 && exponents.size() < 60; zeta *= 1.75)
      exponents.push_back(zeta);
    basis.symmetries.push_back({s, exponents});
  }
  return basis;
}

struct Shifts {
  double uehling, wichmannKroll, selfEnergy;
};

/// First-order shifts of one electron in the lowest `number`-th spinor (from 0) of a symmetry, hartree: that
/// spinor is reached by closing the ones below it without electron-electron interaction.
struct NoInteraction : FockBuilder {
  void build(const std::vector<OccupiedSpinors>& spinors, const Eigen::MatrixXd&, std::vector<BlockMatrix>& p,
             std::vector<BlockMatrix>& q) override {
    p.resize(spinors.size());
    q.resize(spinors.size());
    for (std::size_t a = 0; a < spinors.size(); ++a) {
      const int n = static_cast<int>(spinors[a].large.rows());
      p[a].resize(n, n);
      p[a].setZero();
      q[a] = p[a];
    }
  }
  std::string name() const override { return "none"; }
};

class Ion {
 public:
  Ion(NuclearModel model, double z, double rms = 0.0)
      : basis_(ionBasis(z)), nucleus_(makeIon(model, z, rms)) {
    NoInteraction none;
    ThreadPool pool(1);
    ScfOptions options;
    options.dependencyThreshold = 1e-10;
    scf_ = runScf(basis_, nucleus_, parseConfiguration("1s2 2s2 2p6"), kC, none, options, pool);
    QedOptions qed;
    qed.vacuumPolarisation = qed.wichmannKroll = qed.selfEnergy = true;
    terms_ = qedTerms(basis_, nucleus_, kC, qed);
  }
  Shifts shifts(int symmetry, int number) const {
    const auto value = [&](int term) {
      return spinorExpectation(terms_[term].blocks[symmetry], scf_.symmetries[symmetry], number);
    };
    return {value(0), value(1), value(2)};
  }
  double energy(int symmetry, int number) const { return scf_.symmetries[symmetry].energies(number); }

 private:
  BasisSet basis_;
  Nucleus nucleus_;
  ScfResult scf_;
  std::vector<OneElectronTerm> terms_;
};

/// (alpha/pi) (Z alpha)^4 c^2/n^3, the unit of F(Z alpha).
double unit(double z, int n) { return std::pow(z / kC, 4) * kC / (kPi * n * n * n); }

TEST(Hydrogenlike, Survey) {
  for (const double z : {10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0}) {
    const Ion ion(NuclearModel::Point, z);
    const double a = z / kC, exact = kC * kC * (std::sqrt(1.0 - a * a) - 1.0);
    std::printf("Z %.0f  dE(1s) %.1e ", z, ion.energy(0, 0) / exact - 1.0);
    const int states[3][3] = {{0, 0, 1}, {0, 1, 2}, {1, 0, 2}};
    for (const auto& s : states) {
      const Shifts shift = ion.shifts(s[0], s[1]);
      std::printf("  SE %.5f U %.7f WK %.5f", shift.selfEnergy / unit(z, s[2]), shift.uehling / unit(z, s[2]),
                  shift.wichmannKroll / unit(z, s[2]));
    }
    std::printf("\n");
  }
  for (const NuclearModel model : {NuclearModel::Sphere, NuclearModel::Gaussian, NuclearModel::Fermi}) {
    const Ion uranium(model, 92.0, 5.860);
    for (int k = 0; k < 3; ++k) {
      const Shifts s = uranium.shifts(k == 2 ? 1 : 0, k == 1 ? 1 : 0);
      std::printf("U91+ %d: Uehling %.4f WK %.4f SE %.3f eV\n", k, s.uehling * kElectronvolt,
                  s.wichmannKroll * kElectronvolt, s.selfEnergy * kElectronvolt);
    }
  }
}

}  // namespace
}  // namespace prophet
