#include "atoms/fock/stored_builder.hpp"

#include <algorithm>
#include <utility>

#include "atoms/integrals/primitives.hpp"

namespace prophet {
namespace {

PairIndex makeIndex(const BasisSet& basis) {
  std::vector<int> sizes;
  for (const SymmetryBasis& s : basis.symmetries) sizes.push_back(s.size());
  return PairIndex(sizes);
}

/// Elements X(I,J) of the columns J from `first` up to and without `last` of row I.
struct RowPiece {
  const SuperMatrices& matrices;
  std::int64_t i, first, last;
  const double* x(int k) const { return matrices.x[k - 1].data() + triangle(i); }
};

/// out_I += X(I,J) d_J where `row`, and out_J += X(J,I) d_I where `column`, summed over the piece. X(J,I) is
/// X(I,J) with X2 and X3, X4 and X6 exchanged. Everything that a loop touches is a pointer of its own: so it
/// stays in registers.
template <bool row, bool column>
void contract(const RowPiece& piece, const PairVectors& d, PairVectors& out) {
  const double *x1 = piece.x(1), *x2 = piece.x(2), *x3 = piece.x(3), *x4 = piece.x(4), *x5 = piece.x(5),
               *x6 = piece.x(6), *x7 = piece.x(7), *x8 = piece.x(8);
  const double *ll = d.ll.data(), *ss = d.ss.data(), *rs = d.rs.data(), *sr = d.sr.data();
  double *outLL = out.ll.data(), *outSS = out.ss.data(), *outRS = out.rs.data(), *outSR = out.sr.data();
  const std::int64_t i = piece.i, last = piece.last;
  const double llI = ll[i], ssI = ss[i], rsI = rs[i], srI = sr[i];
  double sumLL = 0, sumSS = 0, sumRS = 0, sumSR = 0;
  for (std::int64_t j = piece.first; j < last; ++j) {
    if (row) {
      sumLL += x1[j] * ll[j] + x2[j] * ss[j];
      sumSS += x3[j] * ll[j] + x8[j] * ss[j];
      sumRS += x5[j] * rs[j] + x4[j] * sr[j];
      sumSR += x6[j] * rs[j] + x7[j] * sr[j];
    }
    if (column) {
      outLL[j] += x1[j] * llI + x3[j] * ssI;
      outSS[j] += x2[j] * llI + x8[j] * ssI;
      outRS[j] += x5[j] * rsI + x6[j] * srI;
      outSR[j] += x4[j] * rsI + x7[j] * srI;
    }
  }
  outLL[i] += sumLL;
  outSS[i] += sumSS;
  outRS[i] += sumRS;
  outSR[i] += sumSR;
}

/// Parts that the rows are summed up in: by the number of pairs alone, so that a sum has the same digits
/// whatever the threads; few enough that adding the parts up costs a percent.
int sharesOf(std::int64_t pairs) { return static_cast<int>(std::clamp<std::int64_t>(pairs / 64, 1, 64)); }

}  // namespace

void contractSuperMatrices(const SuperMatrices& matrices, const PairIndex& index, const PairVectors& total,
                           const std::vector<OpenField>& open, ThreadPool& pool, PairVectors& p,
                           std::vector<PairVectors>& q) {
  const std::int64_t pairs = index.pairs();
  const auto* offset = index.view().pairOffset;
  const int shares = sharesOf(pairs);
  std::vector<PairVectors> partP(shares, PairVectors(0));
  std::vector<std::vector<PairVectors>> partQ(shares);
  pool.forEach(shares, [&](int share, int) {
    PairVectors myP(pairs);
    std::vector<PairVectors> myQ(open.size(), PairVectors(pairs));
    for (std::int64_t i = share; i < pairs; i += shares) {
      contract<true, true>({matrices, i, 0, i}, total, myP);
      contract<true, false>({matrices, i, i, i + 1}, total, myP);
      for (std::size_t o = 0; o < open.size(); ++o) {
        const std::int64_t first = offset[open[o].symmetry], last = offset[open[o].symmetry + 1];
        contract<false, true>({matrices, i, first, std::min(i, last)}, open[o].density, myQ[o]);
        if (i >= first && i < last) contract<true, false>({matrices, i, 0, i + 1}, open[o].density, myQ[o]);
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
