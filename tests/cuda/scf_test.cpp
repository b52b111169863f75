#include <cmath>

#include "atom/elements.hpp"
#include "basis/library.hpp"
#include "common/constants.hpp"
#include "cuda/scf/stored_scf.hpp"
#include "fock/stored_builder.hpp"
#include "gpu_test.hpp"

namespace prophet::cuda {
namespace {

struct Atom {
  BasisSet basis;
  Nucleus nucleus;
  Configuration configuration;
};

/// The atom in its library basis, every ladder thinned to at most `largest` functions so that the host's
/// stored integrals take seconds.
Atom libraryAtom(int z, int largest = 14) {
  Atom atom;
  const auto entry = readLibraryEntry(z);
  EXPECT_TRUE(entry.has_value());
  atom.basis = makeBasis(*entry);
  for (SymmetryBasis& block : atom.basis.symmetries) {
    const int n = block.size();
    if (n <= largest) continue;
    std::vector<double> kept;
    for (int i = 0; i < largest; ++i) {
      const double at = static_cast<double>(i) * (n - 1) / (largest - 1);
      const int below = std::min(static_cast<int>(at), n - 2);
      kept.push_back(std::exp(std::log(block.exponents[below]) * (below + 1 - at) +
                              std::log(block.exponents[below + 1]) * (at - below)));
    }
    block.exponents = kept;
  }
  NucleusRequest request;
  request.model = NuclearModel::Gaussian;
  request.charge = z;
  atom.nucleus = makeNucleus(request);
  atom.configuration = parseConfiguration(groundConfiguration(z));
  return atom;
}

ScfResult onHost(const Atom& atom, const ScfOptions& options) {
  ThreadPool pool(1);
  StoredFockBuilder builder(atom.basis, availableThreads());
  return runScf(atom.basis, atom.nucleus, atom.configuration, constants::kSpeedOfLight, builder, options,
                pool);
}

ScfResult onDevice(const Atom& atom, const ScfOptions& options, const StoredSettings& settings,
                   StoredReport* report = nullptr) {
  return runStoredScf(atom.basis, atom.nucleus, atom.configuration, constants::kSpeedOfLight, options,
                      settings, {}, report);
}

void expectEqual(const ScfResult& device, const ScfResult& host) {
  EXPECT_TRUE(device.converged);
  EXPECT_TRUE(host.converged);
  EXPECT_NEAR(device.energy.total / host.energy.total, 1.0, 1e-11);
  EXPECT_NEAR(device.energy.kinetic / host.energy.kinetic, 1.0, 1e-9);
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
  const Atom atom = libraryAtom(GetParam());
  const ScfOptions options;
  expectEqual(onDevice(atom, options, {}), onHost(atom, options));
}

INSTANTIATE_TEST_SUITE_P(Atoms, DeviceScfTest, ::testing::Values(2, 6, 10, 18, 24, 36, 54, 64, 86, 92));

using StoredScf = GpuTest;

TEST_F(StoredScf, AllKernelsAndMappingsAgree) {
  const Atom atom = libraryAtom(24, 10);
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

TEST_F(StoredScf, RecomputesWhatDoesNotFit) {
  const Atom atom = libraryAtom(24, 10);
  const ScfOptions options;
  StoredSettings settings;
  settings.memoryLimit = 2e6;
  StoredReport report;
  expectEqual(onDevice(atom, options, settings, &report), onHost(atom, options));
  EXPECT_NE(report.memory.find("computed again"), std::string::npos) << report.memory;
}

TEST_F(StoredScf, SaysWhatIsMissingWhereNoRowFits) {
  StoredSettings settings;
  settings.memoryLimit = 1e3;
  EXPECT_THROW(onDevice(libraryAtom(10, 10), {}, settings), Error);
}

TEST_F(StoredScf, DampingAndSeriesEqualHost) {
  const Atom atom = libraryAtom(10, 10);
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
  const ScfResult result = onDevice(libraryAtom(10, 10), options, {});
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations.size(), 3u);
}

/// Published-size sets, no host run: the energy of Rn in its full library set (docs/validation of the host).
TEST_F(StoredScf, RadonInItsFullSet) {
  const Atom atom = libraryAtom(86, 1000);
  const ScfResult result = onDevice(atom, {}, {});
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(result.energy.total, -23602.099177869, 2e-8 * 23602.0);
}

}  // namespace
}  // namespace prophet::cuda
