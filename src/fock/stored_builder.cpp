#include "fock/stored_builder.hpp"

#include <algorithm>
#include <utility>

#include "integrals/primitives.hpp"

namespace prophet {
namespace {

PairIndex makeIndex(const BasisSet& basis) {
  std::vector<int> sizes;
  for (const SymmetryBasis& s : basis.symmetries) sizes.push_back(s.size());
  return PairIndex(sizes);
}

/// The row (pair I) of the contraction acting on a column (pair J): out_I += X(I,J) d_J.
void addElement(const SuperMatrixElement& x, const PairVectors& d, std::int64_t j, PairVectors& out,
                std::int64_t i) {
  out.ll(i) += x.x1 * d.ll(j) + x.x2 * d.ss(j);
  out.ss(i) += x.x3 * d.ll(j) + x.x8 * d.ss(j);
  out.rs(i) += x.x5 * d.rs(j) + x.x4 * d.sr(j);
  out.sr(i) += x.x6 * d.rs(j) + x.x7 * d.sr(j);
}

/// X(J,I) from X(I,J).
SuperMatrixElement exchanged(const SuperMatrixElement& x) {
  return {x.x1, x.x3, x.x2, x.x6, x.x5, x.x4, x.x7, x.x8};
}

SuperMatrixElement load(const SuperMatrices& m, std::int64_t t) {
  return {m.x[0][t], m.x[1][t], m.x[2][t], m.x[3][t], m.x[4][t], m.x[5][t], m.x[6][t], m.x[7][t]};
}

std::vector<int> symmetryOfPair(const PairNumbering& numbering) {
  std::vector<int> symmetry;
  for (int a = 0; a < numbering.symmetries; ++a) {
    symmetry.resize(static_cast<std::size_t>(numbering.pairOffset[a + 1]), a);
  }
  return symmetry;
}

/// Parts that the rows are summed up in: by the number of pairs alone, so that a sum has the same digits
/// whatever the threads; few enough that adding the parts up costs a percent.
int sharesOf(std::int64_t pairs) { return static_cast<int>(std::clamp<std::int64_t>(pairs / 256, 1, 64)); }

}  // namespace

void contractSuperMatrices(const SuperMatrices& matrices, const PairIndex& index, const PairVectors& total,
                           const std::vector<OpenField>& open, ThreadPool& pool, PairVectors& p,
                           std::vector<PairVectors>& q) {
  const std::int64_t pairs = index.pairs();
  const std::vector<int> symmetry = symmetryOfPair(index.view());
  std::vector<std::vector<std::size_t>> openOf(index.view().symmetries);
  for (std::size_t o = 0; o < open.size(); ++o) openOf[open[o].symmetry].push_back(o);
  const int shares = sharesOf(pairs);
  std::vector<PairVectors> partP(shares, PairVectors(0));
  std::vector<std::vector<PairVectors>> partQ(shares);
  pool.forEach(shares, [&](int share, int) {
    PairVectors myP(pairs);
    std::vector<PairVectors> myQ(open.size(), PairVectors(pairs));
    for (std::int64_t i = share; i < pairs; i += shares) {
      const auto& openI = openOf[symmetry[i]];
      for (std::int64_t j = 0; j <= i; ++j) {
        const SuperMatrixElement x = load(matrices, triangle(i) + j);
        addElement(x, total, j, myP, i);
        for (const auto o : openI) addElement(x, open[o].density, j, myQ[o], i);
        if (i == j) continue;
        addElement(exchanged(x), total, i, myP, j);
        for (const auto o : openOf[symmetry[j]]) addElement(exchanged(x), open[o].density, i, myQ[o], j);
      }
    }
    partP[share] = std::move(myP);
    partQ[share] = std::move(myQ);
  });
  p = PairVectors(pairs);
  q.assign(open.size(), PairVectors(pairs));
  for (int share = 0; share < shares; ++share) {
    p += partP[share];
    for (std::size_t o = 0; o < open.size(); ++o) q[o] += partQ[share][o];
  }
}

StoredFockBuilder::StoredFockBuilder(const BasisSet& basis, int threads)
    : index_(makeIndex(basis)),
      pool_(threads),
      matrices_(computeSuperMatrices(makePrimitiveTable(basis), index_, pool_)) {}

void StoredFockBuilder::build(const std::vector<OccupiedSpinors>& spinors,
                              const Eigen::MatrixXd& openReduction, std::vector<BlockMatrix>& p,
                              std::vector<BlockMatrix>& q) {
  const std::vector<OpenSpinor> open = openSpinors(spinors);
  std::vector<Eigen::VectorXd> weights;
  for (const OccupiedSpinors& s : spinors) weights.push_back(s.occupation);
  const PairVectors total = packDensity(spinors, weights, index_);
  std::vector<OpenField> fields;
  for (std::size_t i = 0; i < open.size(); ++i) {
    for (auto& w : weights) w.setZero();
    for (std::size_t j = 0; j < open.size(); ++j) {
      const auto [symmetry, column] = open[j];
      weights[symmetry](column) = openReduction(i, j) * spinors[symmetry].occupation(column);
    }
    fields.push_back({open[i].symmetry, packDensity(spinors, weights, index_)});
  }
  PairVectors packedP(0);
  std::vector<PairVectors> packedQ;
  contractSuperMatrices(matrices_, index_, total, fields, pool_, packedP, packedQ);
  p.resize(spinors.size());
  for (std::size_t a = 0; a < p.size(); ++a) unpackFock(packedP, index_, static_cast<int>(a), p[a]);
  q.resize(open.size());
  for (std::size_t i = 0; i < q.size(); ++i) unpackFock(packedQ[i], index_, open[i].symmetry, q[i]);
}

}  // namespace prophet
