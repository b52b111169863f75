#include <gtest/gtest.h>

#include "atoms.hpp"
#include "test_paths.hpp"

namespace prophet {
namespace {

/// Every row of the reference energies in the basis sets of Hennessey (2018), from the default guess: closed
/// shells and open ones (C, N's row 15, Cr, Nd, Eu, Au, ...). Source of the figures:
/// basis_sets/reference/README.md.
TEST(ReferenceEnergies, TableBasisSetsOnTheGrid) {
  const auto rows = test::rowsOfCsv(PROPHET_SOURCE_DIR "/basis_sets/reference/wtbs_scf_energies.csv");
  ASSERT_EQ(rows.size(), 30u);
  double worst = 0.0;
  for (const auto& row : rows) {
    const test::TestAtom atom = test::libraryAtom(std::stoi(row[0]));
    const ScfResult result = test::runGrid(atom);
    EXPECT_TRUE(result.converged) << row[1];
    EXPECT_NEAR(result.energy.total, std::stod(row[3]), 2e-8) << row[1];
    worst = std::max(worst, std::abs(result.energy.total - std::stod(row[3])));
  }
  RecordProperty("worst_difference_hartree", std::to_string(worst * 1e9) + "e-9");
}

struct Limit {
  int z;
  NuclearModel model;
  double first, last, ratio;
};

void PrintTo(const Limit& l, std::ostream* out) { *out << symbolOf(l.z) << ' ' << nameOf(l.model); }

/// Energy of a row of the finite-difference table: point nucleus, or Fermi's with the default parameters (the
/// row whose mass number is given and whose half-density radius is ours).
double referenceEnergy(const Limit& l, const Nucleus& nucleus) {
  for (const auto& row : test::rowsOfCsv(PROPHET_SOURCE_DIR "/basis_sets/reference/numerical_energies.csv")) {
    if (std::stoi(row[0]) != l.z || row[3] != nameOf(l.model)) continue;
    if (l.model == NuclearModel::Point) return std::stod(row[6]);
    const std::size_t at = row[4].find(" c=", row[4].find("fm c=") + 4);
    if (at == std::string::npos) continue;
    if (std::abs(std::stod(row[4].substr(at + 3)) / nucleus.fermiC - 1.0) < 1e-6) return std::stod(row[6]);
  }
  throw std::runtime_error("no row for c = " + std::to_string(nucleus.fermiC * 1e5) + "e-5 bohr");
}

class NumericalLimits : public ::testing::TestWithParam<Limit> {};

/// Large even-tempered bases against finite-difference energies (GRASP): within 1e-8 relative, never below
/// the limit.
TEST_P(NumericalLimits, LargeEvenTemperedBasis) {
  const Limit& l = GetParam();
  test::TestAtom atom;
  atom.configuration = parseConfiguration(groundConfiguration(l.z));
  atom.basis = test::evenTempered(atom.configuration, l.first, l.last, l.ratio);
  atom.nucleus = test::nucleusOf(l.z, l.model);
  const double limit = referenceEnergy(l, atom.nucleus);
  const ScfResult result = test::runGrid(atom);
  ASSERT_TRUE(result.converged);
  const double above = (result.energy.total - limit) / std::abs(limit);
  RecordProperty("relative_error_1e-12", std::to_string(above * 1e12));
  EXPECT_LT(above, 1e-8);
  EXPECT_GT(above, -1e-10);
}

INSTANTIATE_TEST_SUITE_P(Atoms, NumericalLimits,
                         ::testing::Values(Limit{2, NuclearModel::Point, 0.04, 1e10, 1.8},
                                           Limit{6, NuclearModel::Point, 0.03, 1e11, 1.8},
                                           Limit{10, NuclearModel::Point, 0.04, 1e12, 1.8},
                                           Limit{18, NuclearModel::Point, 0.03, 1e13, 1.8},
                                           Limit{24, NuclearModel::Point, 0.01, 1e14, 1.8},
                                           Limit{29, NuclearModel::Point, 0.01, 1e14, 1.8},
                                           Limit{10, NuclearModel::Fermi, 0.04, 1e10, 1.8},
                                           Limit{12, NuclearModel::Fermi, 0.01, 1e10, 1.8},
                                           Limit{20, NuclearModel::Fermi, 0.01, 1e10, 1.8}));

}  // namespace
}  // namespace prophet
