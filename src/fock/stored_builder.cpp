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

/// The row (pair I) of the contraction acting on a column (pair J): out_I += factor X(I,J) d_J.
void addElement(const SuperMatrixElement& x, double factor, const PairVectors& d, std::int64_t j,
                PairVectors& out, std::int64_t i) {
  out.ll(i) += factor * (x.x1 * d.ll(j) + x.x2 * d.ss(j));
  out.ss(i) += factor * (x.x3 * d.ll(j) + x.x8 * d.ss(j));
  out.rs(i) += factor * (x.x5 * d.rs(j) + x.x4 * d.sr(j));
  out.sr(i) += factor * (x.x6 * d.rs(j) + x.x7 * d.sr(j));
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
                           const PairVectors& open, const std::vector<bool>& openOfSymmetry,
                           const Eigen::MatrixXd& defect, ThreadPool& pool, PairVectors& p, PairVectors& q) {
  const std::int64_t pairs = index.pairs();
  const std::vector<int> symmetry = symmetryOfPair(index.view());
  const int shares = sharesOf(pairs);
  const bool anyOpen = std::find(openOfSymmetry.begin(), openOfSymmetry.end(), true) != openOfSymmetry.end();
  const std::int64_t openPairs = anyOpen ? pairs : 0;
  std::vector<PairVectors> partP(shares, PairVectors(0)), partQ = partP;
  pool.forEach(shares, [&](int share, int) {
    PairVectors myP(pairs), myQ(openPairs);
    for (std::int64_t i = share; i < pairs; i += shares) {
      const int a = symmetry[i];
      for (std::int64_t j = 0; j <= i; ++j) {
        const int b = symmetry[j];
        const SuperMatrixElement x = load(matrices, triangle(i) + j);
        addElement(x, 1.0, total, j, myP, i);
        if (i != j) addElement(exchanged(x), 1.0, total, i, myP, j);
        if (!openOfSymmetry[a] || !openOfSymmetry[b]) continue;
        addElement(x, defect(a, b), open, j, myQ, i);
        if (i != j) addElement(exchanged(x), defect(b, a), open, i, myQ, j);
      }
    }
    partP[share] = std::move(myP);
    partQ[share] = std::move(myQ);
  });
  p.setZero();
  q.setZero();
  for (int share = 0; share < shares; ++share) {
    p += partP[share];
    if (anyOpen) q += partQ[share];
  }
}

StoredFockBuilder::StoredFockBuilder(const BasisSet& basis, int threads)
    : index_(makeIndex(basis)),
      pool_(threads),
      matrices_(computeSuperMatrices(makePrimitiveTable(basis), index_, pool_)) {}

void StoredFockBuilder::build(const std::vector<OccupiedSpinors>& spinors,
                              const Eigen::MatrixXd& exchangeDefect, std::vector<BlockMatrix>& p,
                              std::vector<BlockMatrix>& q) {
  std::vector<bool> openOfSymmetry;
  for (const OccupiedSpinors& s : spinors) openOfSymmetry.push_back(s.open);
  PairVectors packedP(index_.pairs()), packedQ(index_.pairs());
  contractSuperMatrices(matrices_, index_, packDensity(spinors, index_, false),
                        packDensity(spinors, index_, true), openOfSymmetry, exchangeDefect, pool_, packedP,
                        packedQ);
  unpackFock(packedP, spinors, p);
  unpackFock(packedQ, spinors, q);
}

}  // namespace prophet
