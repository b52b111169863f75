#include <gtest/gtest.h>

#include <cmath>

#include "hydrogen.hpp"
#include "tests/atoms/qed/hydrogen_reference.hpp"

namespace prophet {
namespace {

constexpr double kElectronvolt = 27.2113834;  ///< in one hartree

struct HydrogenState {
  Symmetry symmetry;
  int number, n;
};
constexpr HydrogenState kStates[] = {{Symmetry{-1}, 1, 1}, {Symmetry{-1}, 2, 2}, {Symmetry{1}, 1, 2}};

QedOptions uehlingAndSelfEnergy() {
  QedOptions options;
  options.vacuumPolarisation = options.selfEnergy = true;
  return options;
}

/// The table of docs/theory/breit-qed.md: Uehling to every digit of the quadrature, the self-energy to what
/// its fitted factors give.
TEST(HydrogenlikeLimit, PointNucleus) {
  for (const test::Reference& r : test::kPoint) {
    Nucleus nucleus;
    nucleus.charge = r.z;
    for (int k = 0; k < 3; ++k) {
      const HydrogenState& s = kStates[k];
      const test::IonShifts shifts = test::ionShifts(nucleus, s.symmetry, s.number, uehlingAndSelfEnergy());
      const double unit = test::shiftUnit(r.z, s.n);
      EXPECT_NEAR(shifts.corrections.at(0) / unit, r.uehling[k], 2e-10 * std::abs(r.uehling[k]))
          << r.z << " " << k;
      EXPECT_NEAR(shifts.corrections.at(1) / unit, r.selfEnergy[k], 2e-7) << r.z << " " << k;
    }
  }
}

/// Fermi nuclei with the radii of the same data, where F is smaller by its size correction.
TEST(HydrogenlikeLimit, FiniteNuclei) {
  struct Row {
    double z, rms, correction[2];  ///< fm; 1s, 2s
  };
  for (const Row& row :
       {Row{20, 3.476, {-0.0001029398, -0.0001020626}}, Row{30, 3.929, {-0.0002389360, -0.0002436753}}}) {
    NucleusRequest request;
    request.model = NuclearModel::Fermi;
    request.charge = row.z;
    request.rmsFemtometres = row.rms;
    const test::Reference& point = test::kPoint[static_cast<int>(row.z) / 10 - 1];
    for (int k = 0; k < 2; ++k) {
      const HydrogenState& s = kStates[k];
      const auto shifts = test::ionShifts(makeNucleus(request), s.symmetry, s.number, uehlingAndSelfEnergy());
      EXPECT_NEAR(shifts.corrections.at(1) / test::shiftUnit(row.z, s.n),
                  point.selfEnergy[k] + row.correction[k], 3e-6)
          << row.z << " " << k;
    }
  }
}

/// Those of tests/atoms/qed/hydrogen_test.cpp, without the error of a Gaussian basis: U91+ with a Fermi
/// nucleus of rms radius 5.860 fm, eV.
TEST(HydrogenlikeLimit, UraniumWithAFiniteNucleus) {
  NucleusRequest request;
  request.model = NuclearModel::Fermi;
  request.charge = 92;
  request.rmsFemtometres = 5.860;
  QedOptions options;
  options.vacuumPolarisation = options.kallenSabry = options.wichmannKroll = options.selfEnergy = true;
  const auto e = test::ionShifts(makeNucleus(request), Symmetry{-1}, 1, options).corrections;
  EXPECT_NEAR(e.at(0) * kElectronvolt, -93.58, 0.03);
  EXPECT_NEAR(e.at(1) * kElectronvolt, -0.72, 0.01);
  EXPECT_NEAR(e.at(2) * kElectronvolt, 4.98, 0.05);
  EXPECT_NEAR(e.at(3) * kElectronvolt, 355.05, 0.6);
}

}  // namespace
}  // namespace prophet
