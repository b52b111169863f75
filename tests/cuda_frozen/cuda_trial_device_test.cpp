#include "cuda/atoms/frozen/cuda_trial_device.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <random>
#include <thread>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/basis/well_tempered.hpp"
#include "atoms/frozen/frozen_field.hpp"
#include "atoms/frozen/trial_gatherer.hpp"
#include "cuda/core/common/check.hpp"
#include "tests/bases/optimise/frozen_atom.hpp"
#include "tests/cuda/gpu_test.hpp"

namespace prophet::cuda {
namespace {

class CudaTrials : public GpuTest {};

struct Atom : test::FrozenAtom {
  std::vector<FieldTable> tables;
  explicit Atom(int z, NuclearModel model = NuclearModel::Gaussian) : FrozenAtom(z, model) {
    for (int a = 0; a < field.symmetries(); ++a) tables.push_back(field.table(a));
  }
};

/// Ladders about those of the library's set, of sizes about theirs.
std::vector<std::vector<double>> ladders(const Atom& atom, int z, int symmetry, int count,
                                         std::mt19937& random) {
  const auto spec = readLibraryEntry(z, "prophet-1")->spec;
  const auto a = static_cast<std::size_t>(symmetry);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> list;
  while (static_cast<int>(list.size()) < count) {
    const double width = list.size() % 3 == 0 ? 0.01 : list.size() % 3 == 1 ? 0.1 : 0.3;
    WellTemperedParameters p = spec.groups[a];
    p.alpha *= std::exp(width * normal(random));
    p.beta = 1 + (p.beta - 1) * std::exp(width * normal(random));
    p.delta *= std::exp(width * normal(random));
    p.gamma *= std::exp(width * normal(random));
    const int n =
        std::max(atom.field.occupied(symmetry), spec.functions[a] + static_cast<int>(random() % 7) - 3);
    const auto exponents = wellTemperedExponents(p, 1, n, n);
    if (atom.tables[a].contains(exponents)) list.push_back(exponents);
  }
  return list;
}

TEST_F(CudaTrials, MeasuresWhatTheHostMeasures) {
  CudaTrialDevice device;
  std::mt19937 random(7);
  // Closed and open shells, all angular momenta.
  for (const int z : {2, 10, 24, 58, 86, 118}) {
    const Atom atom(z);
    const double scale = std::abs(atom.field.referenceEnergy());
    int left = 0, all = 0;
    for (int a = 0; a < atom.field.symmetries(); ++a) {
      const FieldTable& table = atom.tables[static_cast<std::size_t>(a)];
      const int kept = device.keep(table);
      ASSERT_GE(kept, 0);
      for (const auto& exponents : ladders(atom, z, a, 24, random)) {
        const auto outcome = device.measure(0, {{kept, exponents}}).front();
        const BasisShortfall host = table.shortfall(exponents);
        ++all;
        left += !outcome.measured;
        if (!outcome.measured) continue;
        EXPECT_NEAR(outcome.shortfall.rise, host.rise, 2e-13 * scale + 1e-9 * std::abs(host.rise))
            << z << " " << a;
        EXPECT_NEAR(outcome.shortfall.prolapse, host.prolapse, 1e-15 * scale + 1e-7 * host.prolapse)
            << z << " " << a;
      }
      device.drop(kept);
    }
    EXPECT_LT(left, all / 5) << z;
    RecordProperty("left_to_host_" + std::to_string(z), left);
  }
}

TEST_F(CudaTrials, NearlyCompleteSetsTooAreMeasured) {
  CudaTrialDevice device;
  for (const int z : {25, 82, 118}) {
    const Atom atom(z);
    const double scale = std::abs(atom.field.referenceEnergy());
    int left = 0, all = 0;
    for (int a = 0; a < 3; ++a) {
      const int kept = device.keep(atom.tables[static_cast<std::size_t>(a)]);
      const std::vector<double>& reference = atom.reference.symmetries[static_cast<std::size_t>(a)].exponents;
      for (const double ratio : {1.6, 1.65, 1.7, 1.75, 1.8, 1.85, 1.9}) {
        const int n = static_cast<int>(std::log(reference.back() / reference.front()) / std::log(ratio));
        const auto exponents = wellTemperedExponents({1.3 * reference.front(), ratio, 0.0, 0.0}, 1, n, n);
        const auto outcome = device.measure(0, {{kept, exponents}}).front();
        const BasisShortfall host = atom.tables[static_cast<std::size_t>(a)].shortfall(exponents);
        ++all;
        left += !outcome.measured;
        if (!outcome.measured) continue;
        EXPECT_NEAR(outcome.shortfall.rise, host.rise, 5e-13 * scale + 1e-9 * std::abs(host.rise))
            << z << " " << a << " " << n;
      }
    }
    EXPECT_LT(left, all / 5) << z;
  }
}

TEST_F(CudaTrials, SlopesAreThoseOfTheHost) {
  CudaTrialDevice device;
  std::mt19937 random(17);
  for (const int z : {2, 24, 58, 86, 118}) {
    const Atom atom(z);
    for (int a = 0; a < atom.field.symmetries(); ++a) {
      const FieldTable& table = atom.tables[static_cast<std::size_t>(a)];
      const int kept = device.keep(table);
      for (const auto& exponents : ladders(atom, z, a, 9, random)) {
        const auto outcome = device.measure(0, {{kept, exponents, true}}).front();
        const auto without = device.measure(0, {{kept, exponents}}).front();
        ASSERT_EQ(outcome.measured, without.measured);
        if (!outcome.measured) continue;
        EXPECT_EQ(outcome.shortfall.rise, without.shortfall.rise);
        EXPECT_EQ(outcome.shortfall.prolapse, without.shortfall.prolapse);
        const ShortfallSlopes host = table.shortfallWithSlopes(exponents);
        ASSERT_EQ(outcome.ofRise.size(), host.ofRise.size());
        EXPECT_LT((outcome.ofRise - host.ofRise).norm(), 1e-5 * host.ofRise.norm() + 1e-9) << z << " " << a;
        EXPECT_LT((outcome.ofProlapse - host.ofProlapse).norm(), 1e-4 * host.ofProlapse.norm() + 1e-9)
            << z << " " << a;
      }
    }
  }
}

TEST_F(CudaTrials, PointAndSphereNuclei) {
  CudaTrialDevice device;
  std::mt19937 random(8);
  for (const NuclearModel model : {NuclearModel::Point, NuclearModel::Sphere}) {
    const Atom atom(18, model);
    int left = 0, all = 0;
    for (int a = 0; a < atom.field.symmetries(); ++a) {
      const FieldTable& table = atom.tables[static_cast<std::size_t>(a)];
      const int kept = device.keep(table);
      for (const auto& exponents : ladders(atom, 18, a, 6, random)) {
        const auto outcome = device.measure(0, {{kept, exponents}}).front();
        ++all;
        left += !outcome.measured;
        if (!outcome.measured) continue;
        const double rise = table.shortfall(exponents).rise;
        EXPECT_NEAR(outcome.shortfall.rise, rise, 1e-10 + 1e-9 * std::abs(rise));
        const ShortfallSlopes host = table.shortfallWithSlopes(exponents);
        const auto slopes = device.measure(0, {{kept, exponents, true}}).front();
        EXPECT_LT((slopes.ofRise - host.ofRise).norm(), 1e-5 * host.ofRise.norm() + 1e-9);
      }
    }
    EXPECT_LT(left, all / 5);
  }
}

TEST_F(CudaTrials, BatchesOfMixedTablesAndSizes) {
  CudaTrialDevice device;
  const Atom ne(10), cr(24);
  std::mt19937 random(9);
  std::vector<Trial> trials;
  std::vector<BasisShortfall> alone;
  for (const auto& [atom, z] : {std::pair<const Atom&, int>{ne, 10}, {cr, 24}}) {
    for (int a = 0; a < 3; ++a) {
      const int kept = device.keep(atom.tables[static_cast<std::size_t>(a)]);
      for (const auto& exponents : ladders(atom, z, a, 30, random)) {
        if (device.kindOf(static_cast<int>(exponents.size()), false) != 1) continue;
        trials.push_back({kept, exponents});
        alone.push_back(device.measure(1, {trials.back()}).front().shortfall);
      }
    }
  }
  ASSERT_GT(trials.size(), 60u);
  const auto outcomes = device.measure(0, trials);
  std::size_t measured = 0;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (!outcomes[i].measured) continue;
    ++measured;
    // To the last bit: a search takes the same path whatever else is measured beside it.
    EXPECT_EQ(outcomes[i].shortfall.rise, alone[i].rise);
    EXPECT_EQ(outcomes[i].shortfall.prolapse, alone[i].prolapse);
  }
  EXPECT_GT(measured, trials.size() * 4 / 5);
}

/// With the shared memory of smaller cards fewer functions have room, and more are refused before a kernel
/// is: A100 (163 KB), cards for desks (99 KB), T4 (64 KB).
TEST_F(CudaTrials, LessSharedMemoryTakesFewerFunctions) {
  const Atom atom(10);
  std::mt19937 random(11);
  const auto list = ladders(atom, 10, 0, 12, random);
  int before = 65;
  for (const int bytes : {0, 166912, 101376, 65536}) {
    TrialDeviceOptions options;
    options.sharedBytes = bytes;
    CudaTrialDevice device(options);
    const int kept = device.keep(atom.tables[0]);
    ASSERT_GE(kept, 0);
    int most = 0;
    while (device.kindOf(most + 1, true) >= 0) ++most;
    EXPECT_LT(most, before);
    EXPECT_GE(most, 24);
    before = most;
    for (const auto& exponents : list) {
      const int n = static_cast<int>(exponents.size());
      if (n > most) {
        EXPECT_THROW(device.measure(0, {{kept, exponents, true}}), Error);
      } else {
        EXPECT_TRUE(device.measure(0, {{kept, exponents, true}}).front().measured);
      }
    }
  }
  TrialDeviceOptions little;
  little.sharedBytes = 20000;
  EXPECT_EQ(CudaTrialDevice(little).keep(atom.tables[0]), -1);
}

TEST_F(CudaTrials, ABatchBeyondItsBoundsCostsThatBatchOnly) {
  TrialDeviceOptions options;
  options.mostTrials = 2;
  CudaTrialDevice device(options);
  const Atom atom(2);
  const int kept = device.keep(atom.tables[0]);
  const std::vector<double> few{1.0, 3.0, 9.0, 27.0};
  EXPECT_THROW(device.measure(0, {{kept, few}, {kept, few}, {kept, few}}), Error);
  EXPECT_THROW(device.measure(0, {{kept, std::vector<double>(65, 1.0)}}), Error);
  EXPECT_THROW(device.measure(0, {{kept, {}}}), Error);
  EXPECT_TRUE(device.measure(0, {}).empty());
  EXPECT_EQ(device.measure(0, {{kept, few}}).size(), 1u);
}

TEST_F(CudaTrials, WhatIsNotForItGoesToTheHost) {
  CudaTrialDevice device;
  const Atom atom(10);
  EXPECT_EQ(device.kindOf(65, false), -1);
  EXPECT_EQ(device.kindOf(0, true), -1);
  const int kept = device.keep(atom.tables[0]);
  // Two functions that are all but the same.
  std::vector<double> exponents = atom.reference.symmetries[0].exponents;
  exponents[10] = exponents[9] * (1 + 1e-9);
  EXPECT_FALSE(device.measure(0, {{kept, exponents}}).front().measured);
  FieldTable fermi = atom.tables[0];
  fermi.nucleus.model = NuclearModel::Fermi;
  EXPECT_EQ(device.keep(fermi), -1);
}

TEST_F(CudaTrials, ManySearchesAtOnceAndADeviceThatFails) {
  std::atomic<int> batches{0};
  TrialDeviceOptions options;
  options.workers = 2;
  options.beforeBatch = [&] {
    if (++batches > 40) throw CudaError("injected");
  };
  TrialGatherer gatherer(std::make_unique<CudaTrialDevice>(options));
  const Atom atom(10);
  std::mt19937 random(10);
  const auto list = ladders(atom, 10, 0, 16, random);
  const int kept = gatherer.keep(atom.tables[0]);
  std::vector<std::thread> searches;
  std::atomic<int> wrong{0}, left{0};
  for (const auto& exponents : list) {
    searches.emplace_back([&] {
      const BasisShortfall host = atom.tables[0].shortfall(exponents);
      for (int i = 0; i < 20; ++i) {
        const auto outcome = gatherer.measure(kept, exponents);
        left += !outcome;
        wrong += outcome && !(std::abs(outcome->rise - host.rise) < 1e-11 + 1e-9 * std::abs(host.rise));
      }
    });
  }
  for (std::thread& search : searches) search.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(left, 0);
  ASSERT_EQ(gatherer.notes().size(), 1u);
  EXPECT_NE(gatherer.notes().front().find("injected"), std::string::npos);
  EXPECT_EQ(gatherer.keep(atom.tables[0]), -1);
}

TEST_F(CudaTrials, NoRoomForATable) {
  TrialDeviceOptions options;
  options.beforeKeep = [] { throw OutOfDeviceMemory("injected"); };
  TrialGatherer gatherer(std::make_unique<CudaTrialDevice>(options));
  const Atom atom(2);
  EXPECT_EQ(gatherer.keep(atom.tables[0]), -1);
  EXPECT_FALSE(gatherer.measure(-1, {1.0, 2.0}));
  EXPECT_EQ(gatherer.notes().size(), 1u);
}

}  // namespace
}  // namespace prophet::cuda
