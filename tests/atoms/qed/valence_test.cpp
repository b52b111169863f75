#include <gtest/gtest.h>

#include <cmath>

#include "atoms/breit/breit.hpp"
#include "atoms/qed/qed.hpp"
#include "core/common/constants.hpp"

namespace prophet {
namespace {

/// The field of a frozen core, whatever the spinors: makes the spinors of one electron outside it.
struct FrozenCore : FockBuilder {
  explicit FrozenCore(std::vector<BlockMatrix> field) : p(std::move(field)) {}
  void build(const std::vector<OccupiedSpinors>&, const Eigen::MatrixXd&, std::vector<BlockMatrix>& pOut,
             std::vector<BlockMatrix>&) override {
    pOut = p;
  }
  std::string name() const override { return "frozen core"; }
  std::vector<BlockMatrix> p;
};

struct Published {
  const char *core, *all;
  double z, rms;
  int symmetries, number;      ///< of the valence s spinor, from 0
  double uehling, selfEnergy;  ///< first order, hartree
};

/// First-order shifts of the valence s electron in the Hartree-Fock field of the frozen core.
void compare(const Published& atom) {
  BasisSet basis;
  for (const Symmetry s : firstSymmetries(atom.symmetries)) {
    std::vector<double> exponents;
    for (double zeta = 0.004 * (1 + s.l()); zeta < 3e9 / std::pow(20.0, s.l()); zeta *= 1.9)
      exponents.push_back(zeta);
    basis.symmetries.push_back({s, exponents});
  }
  NucleusRequest request;
  request.model = NuclearModel::Fermi;
  request.charge = atom.z;
  request.rmsFemtometres = atom.rms;
  const Nucleus nucleus = makeNucleus(request);
  const double c = constants::kSpeedOfLight;
  ThreadPool pool(2);
  const auto builder = makeGridBuilder(basis, fockGrid(basis), TwoElectronOperator::Coulomb, pool);
  const ScfResult core = runScf({basis, nucleus, parseConfiguration(atom.core), c}, *builder, {}, pool);
  ASSERT_TRUE(core.converged);
  std::vector<BlockMatrix> p, q;
  builder->build(occupiedSpinors(core), {}, p, q);
  FrozenCore frozen(p);
  const ScfResult valence = runScf({basis, nucleus, parseConfiguration(atom.all), c}, frozen, {}, pool);
  QedOptions options;
  options.vacuumPolarisation = options.selfEnergy = true;
  options.fit = SelfEnergyFit::Valence;
  const auto terms = qedTerms(basis, nucleus, c, options);
  const auto shift = [&](int term) {
    return spinorExpectation(terms[term].blocks[0], valence.symmetries[0], atom.number);
  };
  EXPECT_NEAR(shift(0), atom.uehling, 3e-4 * std::abs(atom.uehling)) << atom.all;
  EXPECT_NEAR(shift(1), atom.selfEnergy, 3e-4 * atom.selfEnergy) << atom.all;
}

/// J. S. M. Ginges and J. C. Berengut, J. Phys. B 49, 095001 (2016), table IV (Uehling), and Phys. Rev. A 93,
/// 052509 (2016), table VI (self-energy): the same potentials, Fermi nuclei with t = 2.3 fm.
TEST(Valence, AlkaliAtoms) {
  compare({"1s2 2s2 2p6", "[Ne] 3s2", 11, 2.9936, 3, 2, -5.559e-7, 1.068e-5});
  compare({"[Kr]", "[Kr] 5s2", 37, 4.2036, 5, 4, -4.648e-6, 4.836e-5});
  compare({"[Xe]", "[Xe] 6s2", 55, 4.8041, 5, 5, -1.054e-5, 8.128e-5});
}

}  // namespace
}  // namespace prophet
