#include "cuda/atoms/batch/qed_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "atoms/integrals/primitives.hpp"
#include "atoms/integrals/radial.hpp"
#include "atoms/qed/qed.hpp"
#include "cuda/atoms/batch/view.hpp"
#include "tests/atoms/service/library_calculation.hpp"

namespace prophet::cuda::batch {
namespace {

Calculation corrected(int z, NuclearModel model) {
  Calculation c = test::libraryCalculation(z);
  NucleusRequest nucleus;
  nucleus.model = model;
  nucleus.charge = z;
  c.problem.nucleus = makeNucleus(nucleus);
  QedOptions& qed = c.problem.hamiltonian.qed;
  qed.vacuumPolarisation = qed.kallenSabry = qed.wichmannKroll = qed.selfEnergy = true;
  return c;
}

/// Element (p, q) of one part of the energy from the packed input, as the device sums it up.
double element(const QedShape& shape, const std::vector<double>& input, int part, bool coupling,
               const SymmetryBasis& basis, int a, int p, int q) {
  const int count = static_cast<int>(input[kQedCount]);
  const double* values = input.data() + kQedFactors + shape.vectors * kMaxSymmetries;
  const Primitive f = makePrimitive(basis.symmetry, basis.exponents[p]),
                  g = makePrimitive(basis.symmetry, basis.exponents[q]);
  const auto large = [&](const Primitive& b, double r) {
    return b.norm * std::pow(r, basis.symmetry.l() + 1) * std::exp(-b.zeta * r * r);
  };
  const auto small = [&](const Primitive& b, double r) {
    return (b.small0 + b.small2 * r * r) * std::pow(r, basis.symmetry.l()) * std::exp(-b.zeta * r * r);
  };
  double sum = 0.0;
  for (int vector = 0; vector < shape.vectors; ++vector) {
    if (shape.part[vector] != part || (shape.couples[vector] == 1) != coupling) continue;
    const double factor = input[kQedFactors + vector * kMaxSymmetries + a];
    for (int i = 0; i < count; ++i) {
      const double r = std::exp((input[kQedStart] + i) * kQedSpacing);
      sum += factor * values[vector * count + i] * r * kQedSpacing * large(f, r) *
             (coupling ? small(g, r) : large(g, r));
    }
  }
  return sum;
}

TEST(QedTable, HasTheShapeThatTheOptionsSay) {
  Hamiltonian h;
  EXPECT_EQ(qedShapeOf(h).vectors, 0);
  h.qed.vacuumPolarisation = true;
  EXPECT_EQ(qedShapeOf(h).vectors, 1);
  h.qed.selfEnergy = true;
  h.qedTreatment = Treatment::SelfConsistent;
  const QedShape s = qedShapeOf(h);
  EXPECT_EQ(s.vectors, 4);
  EXPECT_EQ(s.parts, 2);
  EXPECT_EQ(s.inScf, 1);
  EXPECT_EQ(s.couples[3], 1);
  EXPECT_EQ(s.part[3], 1);
}

TEST(QedTable, GivesTheMatricesOfTheHost) {
  for (const NuclearModel model : {NuclearModel::Gaussian, NuclearModel::Fermi}) {
    const Calculation c = corrected(36, model);
    const BasisSet& basis = c.inBasis().basis;
    const AtomProblem& problem = c.problem;
    const QedTable table = makeQedTable(problem);
    ASSERT_EQ(table.values.size(), static_cast<std::size_t>(table.shape.vectors) * kQedPoints);
    ASSERT_EQ(table.factors.size(), static_cast<std::size_t>(table.shape.vectors) * kMaxSymmetries);
    const int symmetries = problem.configuration.occupiedSymmetries();
    const QedRange range = qedRangeOf(basis, symmetries);
    ASSERT_GT(range.count, 100);
    std::vector<double> input(kQedFactors + table.shape.vectors * (kMaxSymmetries + kQedPoints));
    packQed(table, range, input.data());
    const auto terms =
        qedTerms(basis, problem.nucleus, problem.hamiltonian.speedOfLight, problem.hamiltonian.qed);
    const std::vector<EnergyPartId> parts = qedPartsOf(problem.hamiltonian.qed);
    ASSERT_EQ(terms.size(), parts.size());
    for (std::size_t part = 0; part < parts.size(); ++part) {
      EXPECT_EQ(terms[part].part, parts[part]);
      for (const int a : {0, 1, 2}) {
        const SymmetryBasis& block = basis.symmetries[a];
        const int last = block.size() - 1;
        for (const auto& [p, q] : {std::pair{0, 0}, {last, last}, {0, last}, {last / 2, last / 2}}) {
          const double scale =
              std::sqrt(std::abs(terms[part].blocks[a].LL(p, p) * terms[part].blocks[a].LL(q, q)));
          EXPECT_NEAR(element(table.shape, input, static_cast<int>(part), false, block, a, p, q),
                      terms[part].blocks[a].LL(p, q), 1e-9 * scale)
              << part << " " << a << " " << p << " " << q;
          if (terms[part].blocks[a].LS.size() == 0) continue;
          const double coupled = terms[part].blocks[a].LS(p, q);
          EXPECT_NEAR(element(table.shape, input, static_cast<int>(part), true, block, a, p, q), coupled,
                      1e-8 * std::abs(terms[part].blocks[a].LS(p, p)) + 1e-9 * std::abs(coupled))
              << part << " " << a << " " << p << " " << q;
        }
      }
    }
  }
}

TEST(QedTable, IsMadeOnceForANucleus) {
  QedTables tables;
  const Calculation radon = corrected(86, NuclearModel::Point), other = corrected(80, NuclearModel::Point);
  std::vector<QedTables::Table> found(4);
  std::vector<std::thread> threads;
  for (QedTables::Table& table : found) threads.emplace_back([&] { table = tables.of(radon.problem); });
  for (std::thread& thread : threads) thread.join();
  for (const QedTables::Table& table : found) EXPECT_EQ(table, found[0]);
  EXPECT_NE(tables.of(other.problem), found[0]);
  EXPECT_EQ(tables.of(radon.problem), found[0]);
}

TEST(QedTable, LeavesOutFunctionsThatReachBeyondIt) {
  BasisSet basis = test::libraryCalculation(2).inBasis().basis;
  EXPECT_GT(qedRangeOf(basis, 1).count, 0);
  basis.symmetries[0].exponents.back() = 1e-9;
  EXPECT_EQ(qedRangeOf(basis, 1).count, 0);
}

}  // namespace
}  // namespace prophet::cuda::batch
