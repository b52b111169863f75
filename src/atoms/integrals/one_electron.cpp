#include "atoms/integrals/one_electron.hpp"

#include <cmath>

#include "atoms/integrals/nuclear_attraction.hpp"
#include "atoms/integrals/potential_matrix.hpp"
#include "atoms/integrals/primitives.hpp"
#include "atoms/integrals/radial.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

double distributionAttraction(const Nucleus& nucleus, const PairDistribution& d) {
  double sum = 0.0;
  for (int i = 0; i < d.count; ++i)
    sum += d.coefficient[i] * nuclearAttraction(nucleus, d.power + 2 * i, d.zeta);
  return -nucleus.charge * sum;
}

void fillNuclear(const Nucleus& nucleus, const std::vector<Primitive>& f, int l, OneElectronMatrices& m) {
  const int n = static_cast<int>(f.size());
  m.nuclearLarge.resize(n, n);
  m.nuclearSmall.resize(n, n);
  for (int p = 0; p < n; ++p) {
    for (int q = 0; q <= p; ++q) {
      m.nuclearLarge(p, q) = distributionAttraction(nucleus, largePair(f[p], l, f[q], l));
      m.nuclearSmall(p, q) = distributionAttraction(nucleus, smallPair(f[p], l, f[q], l));
      m.nuclearLarge(q, p) = m.nuclearLarge(p, q);
      m.nuclearSmall(q, p) = m.nuclearSmall(p, q);
    }
  }
}

double distributionMoment(const PairDistribution& d, int power) {
  double sum = 0.0;
  for (int i = 0; i < d.count; ++i) sum += d.coefficient[i] * radial::moment(d.power + 2 * i + power, d.zeta);
  return sum;
}

std::vector<Primitive> primitivesOf(const SymmetryBasis& block) {
  std::vector<Primitive> f;
  for (const double zeta : block.exponents) f.push_back(makePrimitive(block.symmetry, zeta));
  return f;
}

}  // namespace

/// <P|P> = t^(l+3/2) and <Q|Q> = t^(l+5/2) with t = 2 sqrt(a b)/(a + b): restricted kinetic balance turns the
/// small-component overlap into the kinetic energy of the large one.
OverlapBlocks overlapBetween(const SymmetryBasis& rows, const SymmetryBasis& columns) {
  if (!(rows.symmetry == columns.symmetry)) throw Error("functions of different symmetries do not overlap");
  const int l = rows.symmetry.l();
  OverlapBlocks s{Eigen::MatrixXd(rows.size(), columns.size()), Eigen::MatrixXd(rows.size(), columns.size())};
  for (int p = 0; p < rows.size(); ++p) {
    for (int q = 0; q < columns.size(); ++q) {
      const double a = rows.exponents[p], b = columns.exponents[q];
      const double t = 2.0 * std::sqrt(a * b) / (a + b);
      s.large(p, q) = radial::halfPower(t, 2 * l + 3);
      s.small(p, q) = radial::halfPower(t, 2 * l + 5);
    }
  }
  return s;
}

Eigen::VectorXd balanceOf(const SymmetryBasis& basis) {
  Eigen::VectorXd balance(basis.size());
  for (int p = 0; p < basis.size(); ++p)
    balance(p) = std::sqrt((2 * basis.symmetry.l() + 3) * basis.exponents[p]);
  return balance;
}

std::vector<OneElectronMatrices> oneElectronMatrices(const BasisSet& basis, const Nucleus& nucleus) {
  std::vector<OneElectronMatrices> result(basis.symmetries.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const SymmetryBasis& block = basis.symmetries[i];
    const std::vector<Primitive> f = primitivesOf(block);
    OverlapBlocks overlap = overlapBetween(block, block);
    result[i].overlapLarge = std::move(overlap.large);
    result[i].overlapSmall = std::move(overlap.small);
    result[i].balance = balanceOf(block);
    if (nucleus.model != NuclearModel::Fermi) fillNuclear(nucleus, f, block.symmetry.l(), result[i]);
  }
  if (nucleus.model == NuclearModel::Fermi) {
    const auto blocks = potentialMatrices(
        basis, [&](double r) { return nucleus.potential(r); }, kFermiSpacing);
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i].nuclearLarge = blocks[i].LL;
      result[i].nuclearSmall = blocks[i].SS;
    }
  }
  return result;
}

std::vector<BlockMatrix> radialMomentMatrices(const BasisSet& basis, int power) {
  std::vector<BlockMatrix> blocks(basis.symmetries.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const int n = basis.symmetries[i].size(), l = basis.symmetries[i].symmetry.l();
    const std::vector<Primitive> f = primitivesOf(basis.symmetries[i]);
    blocks[i].LL.resize(n, n);
    blocks[i].SS.resize(n, n);
    for (int p = 0; p < n; ++p) {
      for (int q = 0; q < n; ++q) {
        blocks[i].LL(p, q) = distributionMoment(largePair(f[p], l, f[q], l), power);
        blocks[i].SS(p, q) = distributionMoment(smallPair(f[p], l, f[q], l), power);
      }
    }
  }
  return blocks;
}

}  // namespace prophet
