#include <algorithm>
#include <cmath>

#include "atoms/basis/library.hpp"
#include "atoms/fock/stored_builder.hpp"
#include "core/common/constants.hpp"
#include "cuda/atoms/scf/stored_scf.hpp"
#include "gpu_test.hpp"

namespace prophet::cuda {
namespace {

struct Atom {
  BasisSet basis;
  Nucleus nucleus;
  Configuration configuration;
};

/// A ladder of `largest` functions for s and fewer for higher l, from 0.04 to 40 Z^2.5: dense enough for four
/// or five digits, sparse enough that no direction is dropped.
BasisSet ladder(int z, const Configuration& configuration, int largest) {
  BasisSet basis;
  for (std::size_t a = 0; a < configuration.symmetries.size(); ++a) {
    SymmetryBasis block{Symmetry::fromIndex(static_cast<int>(a)), {}};
    const int l = block.symmetry.l(), n = std::max(largest - 2 * l, 4);
    const double smallest = 0.04 + 0.03 * l, top = 40.0 * std::pow(z, 2.5 - 0.5 * l);
    for (int i = 0; i < n; ++i) block.exponents.push_back(smallest * std::pow(top / smallest, i / (n - 1.0)));
    basis.symmetries.push_back(block);
  }
  return basis;
}

Atom makeAtom(int z) {
  Atom atom;
  NucleusRequest request;
  request.model = NuclearModel::Gaussian;
  request.charge = z;
  atom.nucleus = makeNucleus(request);
  atom.configuration = parseConfiguration(groundConfiguration(z));
  return atom;
}

Atom ladderAtom(int z, int largest = 16) {
  Atom atom = makeAtom(z);
  atom.basis = ladder(z, atom.configuration, largest);
  return atom;
}

ScfResult onHost(const Atom& atom, const ScfOptions& options) {
  ThreadPool pool(1);
  StoredFockBuilder builder(atom.basis, availableThreads());
  return runScf({atom.basis, atom.nucleus, atom.configuration, constants::kSpeedOfLight}, builder, options,
                pool);
}

ScfResult onDevice(const Atom& atom, const ScfOptions& options, const StoredSettings& settings,
                   StoredReport* report = nullptr) {
  StoredContext context;
  return runStoredScf(atom.basis, atom.nucleus, atom.configuration, constants::kSpeedOfLight, options,
                      settings, {}, report, context);
}

void expectEqual(const ScfResult& device, const ScfResult& host) {
  EXPECT_TRUE(device.converged);
  EXPECT_TRUE(host.converged);
  EXPECT_NEAR(device.energy.total / host.energy.total, 1.0, 1e-11);
  EXPECT_NEAR(device.energy.value(EnergyPartId::Kinetic) / host.energy.value(EnergyPartId::Kinetic), 1.0,
              1e-9);
  EXPECT_NEAR(device.virialRatio, host.virialRatio, 1e-9);
  EXPECT_EQ(device.iterations.size(), host.iterations.size());
  ASSERT_EQ(device.symmetries.size(), host.symmetries.size());
  for (std::size_t a = 0; a < host.symmetries.size(); ++a) {
    ASSERT_EQ(device.symmetries[a].energies.size(), host.symmetries[a].energies.size());
    for (Eigen::Index i = 0; i < host.symmetries[a].energies.size(); ++i) {
      EXPECT_NEAR(device.symmetries[a].energies(i), host.symmetries[a].energies(i),
                  1e-8 * std::abs(host.symmetries[a].energies(i)) + 1e-9);
      EXPECT_NEAR(device.symmetries[a].meanRadii(i), host.symmetries[a].meanRadii(i), 1e-6);
    }
  }
}

class DeviceScfTest : public GpuTest, public ::testing::WithParamInterface<int> {};

/// Closed shells, one open shell, several, in every ground state of the list.
TEST_P(DeviceScfTest, EqualsHost) {
  const Atom atom = ladderAtom(GetParam());
  const ScfOptions options;
  expectEqual(onDevice(atom, options, {}), onHost(atom, options));
}

INSTANTIATE_TEST_SUITE_P(Atoms, DeviceScfTest, ::testing::Values(2, 6, 10, 18, 24, 36, 54, 64, 86, 92));

using StoredScf = GpuTest;

Atom libraryRadon() {
  Atom atom = makeAtom(86);
  const auto entry = readLibraryEntry(86, "wtbs-2.1-by-symmetry");
  EXPECT_TRUE(entry.has_value());
  if (entry) atom.basis = makeBasis(*entry);
  return atom;
}

TEST_F(StoredScf, AllKernelsAndMappingsAgree) {
  const Atom atom = ladderAtom(24, 10);
  const ScfOptions options;
  const ScfResult host = onHost(atom, options);
  for (const StoredKernel kernel : {StoredKernel::Stse, StoredKernel::Mtse, StoredKernel::Stored}) {
    for (const MappingKind mapping : {MappingKind::OnTheFly, MappingKind::StoredArrays}) {
      StoredSettings settings;
      settings.kernel = kernel;
      settings.mapping = mapping;
      expectEqual(onDevice(atom, options, settings), host);
    }
  }
}

/// Every bit, in a context that other calculations have used meanwhile.
TEST_F(StoredScf, GivesTheSameBitsEveryTime) {
  StoredContext context;
  for (const StoredKernel kernel : {StoredKernel::Stored, StoredKernel::Stse}) {
    StoredSettings settings;
    settings.kernel = kernel;
    const auto run = [&](const Atom& atom) {
      return runStoredScf(atom.basis, atom.nucleus, atom.configuration, constants::kSpeedOfLight, {},
                          settings, {}, nullptr, context);
    };
    const Atom gadolinium = ladderAtom(64), argon = ladderAtom(18, 12);
    const ScfResult first = run(gadolinium);
    run(argon);
    const ScfResult second = run(gadolinium);
    EXPECT_EQ(first.energy.total, second.energy.total);
    ASSERT_EQ(first.iterations.size(), second.iterations.size());
    for (std::size_t a = 0; a < first.symmetries.size(); ++a) {
      EXPECT_EQ(first.symmetries[a].energies, second.symmetries[a].energies);
      EXPECT_EQ(first.symmetries[a].large, second.symmetries[a].large);
    }
  }
}

/// Functions so close that canonical orthonormalisation drops some of them, on the host.
TEST_F(StoredScf, NearlyDependentFunctionsEqualHost) {
  Atom atom = makeAtom(10);
  for (int a = 0; a < 3; ++a) {
    SymmetryBasis block{Symmetry::fromIndex(a), {}};
    for (int i = 0; i < 22; ++i) block.exponents.push_back(0.05 * std::pow(1.35, i) * std::pow(1.03, i * i));
    block.exponents.push_back(1.00002 * block.exponents[5]);
    atom.basis.symmetries.push_back(block);
  }
  const ScfResult host = onHost(atom, {}), device = onDevice(atom, {}, {});
  EXPECT_GT(host.symmetries[0].droppedLarge, 0);
  for (int a = 0; a < 3; ++a) {
    EXPECT_EQ(device.symmetries[a].droppedLarge, host.symmetries[a].droppedLarge);
    EXPECT_EQ(device.symmetries[a].droppedSmall, host.symmetries[a].droppedSmall);
  }
  EXPECT_NEAR(device.energy.total / host.energy.total, 1.0, 1e-9);
}

TEST_F(StoredScf, NucleiWithExtentEqualHost) {
  for (const NuclearModel model : {NuclearModel::Sphere, NuclearModel::Fermi}) {
    Atom atom = ladderAtom(36, 10);
    NucleusRequest request;
    request.model = model;
    request.charge = 36;
    atom.nucleus = makeNucleus(request);
    expectEqual(onDevice(atom, {}, {}), onHost(atom, {}));
  }
}

TEST_F(StoredScf, RecomputesWhatDoesNotFit) {
  const Atom atom = ladderAtom(24, 10);
  const ScfOptions options;
  StoredSettings settings;
  settings.memoryLimit = 3e5;
  StoredReport report;
  expectEqual(onDevice(atom, options, settings, &report), onHost(atom, options));
  EXPECT_NE(report.memory.find("computed again"), std::string::npos) << report.memory;
}

TEST_F(StoredScf, SaysWhatIsMissingWhereNoRowFits) {
  StoredSettings settings;
  settings.memoryLimit = 1e3;
  // A failure of the device: the host may have the memory.
  EXPECT_THROW(onDevice(ladderAtom(10, 10), {}, settings), DeviceError);
}

TEST_F(StoredScf, DampingAndSeriesEqualHost) {
  const Atom atom = ladderAtom(10, 10);
  for (const Extrapolation kind : {Extrapolation::None, Extrapolation::Fock}) {
    ScfOptions options;
    options.extrapolation = kind;
    options.maxIterations = 200;
    expectEqual(onDevice(atom, options, {}), onHost(atom, options));
  }
}

TEST_F(StoredScf, ReportsNoConvergence) {
  ScfOptions options;
  options.maxIterations = 3;
  const ScfResult result = onDevice(ladderAtom(10, 10), options, {});
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations.size(), 3u);
  ASSERT_EQ(result.remarks.size(), 1u);
  EXPECT_EQ(result.remarks[0].id, "scf_no_fallback");
}

/// As on the host: no number for a spinor below -2c^2, and a remark on rounding where functions are nearly
/// dependent.
TEST_F(StoredScf, JudgesItsSpinorsAsTheHostDoes) {
  Atom atom;
  NucleusRequest request;
  request.charge = 178;
  request.model = NuclearModel::Gaussian;
  request.massNumber = 340;
  atom.nucleus = makeNucleus(request);
  atom.configuration = parseConfiguration("1s1");
  atom.basis.symmetries.push_back({Symmetry::fromIndex(0), {}});
  for (double zeta = 10.0; zeta < 1e12; zeta *= 1.8) atom.basis.symmetries[0].exponents.push_back(zeta);
  try {
    onDevice(atom, {}, {});
    FAIL() << "a dived spinor was taken for a bound one";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("-2c^2"), std::string::npos) << error.what();
  }
  Atom neon = makeAtom(10);
  for (std::size_t a = 0; a < neon.configuration.symmetries.size(); ++a) {
    neon.basis.symmetries.push_back({Symmetry::fromIndex(static_cast<int>(a)), {}});
    for (double zeta = 0.1; zeta < 2000.0; zeta *= 1.25) neon.basis.symmetries[a].exponents.push_back(zeta);
  }
  const ScfResult host = onHost(neon, {}), device = onDevice(neon, {}, {});
  const auto said = [](const ScfResult& result) {
    return std::any_of(result.remarks.begin(), result.remarks.end(),
                       [](const ScfRemark& remark) { return remark.id == "stored_integrals_rounding"; });
  };
  EXPECT_TRUE(said(host));
  EXPECT_TRUE(said(device));
}

/// A set of full size, without a host run: the host's stored integrals give -23602.099177869 in 8
/// iterations.
TEST_F(StoredScf, RadonInItsFullSet) {
  const Atom atom = libraryRadon();
  const ScfResult result = onDevice(atom, {}, {});
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(result.energy.total, -23602.099177869, 1e-10 * 23602.0);
  EXPECT_EQ(result.iterations.size(), 8u);
}

}  // namespace
}  // namespace prophet::cuda
