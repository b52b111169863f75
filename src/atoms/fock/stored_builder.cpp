#include "atoms/fock/stored_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "atoms/angular/angular.hpp"
#include "atoms/fock/super_matrix_rows.hpp"
#include "atoms/integrals/primitives.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr std::int64_t kChunk = 4096;  ///< elements that a thread takes at a time

void allocate(SuperMatrices& matrices, const PairIndex& index) {
  try {
    for (auto& x : matrices.x) x.resize(static_cast<std::size_t>(index.elements()));
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format(
        "the stored two-electron integrals need {:.3g} GB, more than this machine has; use fock='grid', "
        "which needs a few MB, or a smaller basis",
        superMatrixBytes(index) * 1e-9));
  }
}

}  // namespace

std::vector<ExchangeList> exchangeLists(const std::vector<Symmetry>& symmetries) {
  std::vector<ExchangeList> lists;
  for (const Symmetry a : symmetries) {
    for (const Symmetry b : symmetries) {
      ExchangeList list{};
      for (const ExchangeTerm& term : exchangeTerms(a, b)) {
        if (list.count == kMaxExchangeTerms) {
          throw Error("stored integrals go up to l = 7; use fock='grid' for higher symmetries");
        }
        list.k[list.count] = term.k;
        list.coefficient[list.count++] = term.coefficient;
      }
      lists.push_back(list);
    }
  }
  return lists;
}

double superMatrixBytes(const PairIndex& index) {
  return 8.0 * static_cast<double>(index.elements()) * sizeof(double);
}

SuperMatrices computeSuperMatrices(const PrimitiveTable& table, const PairIndex& index, ThreadPool& pool) {
  SuperMatrices result;
  allocate(result, index);
  const std::vector<ExchangeList> lists = exchangeLists(table.symmetries);
  const PairNumbering numbering = index.view();
  const std::int64_t elements = index.elements();
  const int symmetries = static_cast<int>(table.symmetries.size());
  pool.forEach(static_cast<int>((elements + kChunk - 1) / kChunk), [&](int chunk, int) {
    const std::int64_t first = chunk * kChunk, last = std::min(first + kChunk, elements);
    for (std::int64_t t = first; t < last; ++t) {
      const std::int64_t row = numbering.row(t);
      const FunctionPair a = numbering.functions(row), b = numbering.functions(t - triangle(row));
      const Primitive* f = table.primitives.data() + table.offset[a.symmetry];
      const Primitive* g = table.primitives.data() + table.offset[b.symmetry];
      const SuperMatrixElement e = superMatrixElement(table.symmetries[a.symmetry].l(), f[a.p], f[a.q],
                                                      table.symmetries[b.symmetry].l(), g[b.p], g[b.q],
                                                      lists[a.symmetry * symmetries + b.symmetry]);
      const double values[8] = {e.x1, e.x2, e.x3, e.x4, e.x5, e.x6, e.x7, e.x8};
      for (int i = 0; i < 8; ++i) result.x[i][t] = values[i];
    }
  });
  return result;
}

namespace {

/// The functions of all pairs, one number after the other; as many again of the last pair at the end, for a
/// group that begins at it.
class PairPrimitives {
 public:
  PairPrimitives(const PrimitiveTable& table, const PairIndex& index) {
    const PairNumbering numbering = index.view();
    for (std::int64_t i = 0; i < index.pairs() + kElementGroup; ++i) {
      const FunctionPair pair = numbering.functions(std::min(i, index.pairs() - 1));
      const Primitive* all = table.primitives.data() + table.offset[pair.symmetry];
      add(first_, all[pair.p]);
      add(second_, all[pair.q]);
    }
  }
  PairColumns view() const { return {viewOf(first_), viewOf(second_)}; }

 private:
  struct Numbers {
    std::vector<double> zeta, norm, small0, small2;
  };
  static void add(Numbers& to, const Primitive& f) {
    to.zeta.push_back(f.zeta);
    to.norm.push_back(f.norm);
    to.small0.push_back(f.small0);
    to.small2.push_back(f.small2);
  }
  static PrimitiveColumns viewOf(const Numbers& n) {
    return {n.zeta.data(), n.norm.data(), n.small0.data(), n.small2.data()};
  }

  Numbers first_, second_;
};

template <int kDegree>
SuperMatrices byPolynomials(const PrimitiveTable& table, const PairIndex& index, ThreadPool& pool) {
  SuperMatrices result;
  allocate(result, index);
  const std::vector<PairPolynomials<kDegree>> polynomials = makePairPolynomials<kDegree>(table.symmetries);
  const PairPrimitives primitives(table, index);
  const PairColumns columns = primitives.view();
  const PairNumbering numbering = index.view();
  const auto fill = superMatrixRows<kDegree>();
  const std::int64_t elements = index.elements(), chunks = (elements + kChunk - 1) / kChunk;
  // The rows that begin in a chunk.
  const auto firstRow = [&](std::int64_t chunk) {
    if (chunk >= chunks) return index.pairs();
    const std::int64_t row = numbering.row(chunk * kChunk);
    return triangle(row) < chunk * kChunk ? row + 1 : row;
  };
  pool.forEach(static_cast<int>(chunks), [&](int chunk, int) {
    for (std::int64_t i = firstRow(chunk), last = firstRow(chunk + 1); i < last; ++i) {
      const FunctionPair a = numbering.functions(i);
      const Primitive* all = table.primitives.data() + table.offset[a.symmetry];
      double* rows[8];
      for (int k = 0; k < 8; ++k) rows[k] = result.x[k].data() + triangle(i);
      for (int b = 0; b < numbering.symmetries; ++b) {
        const std::int64_t first = numbering.pairOffset[b],
                           end = std::min(numbering.pairOffset[b + 1], i + 1);
        if (first < end)
          fill(polynomials[a.symmetry * numbering.symmetries + b], all[a.p], all[a.q], columns, first, end,
               rows);
      }
    }
  });
  return result;
}

}  // namespace

SuperMatrices polynomialSuperMatrices(const PrimitiveTable& table, const PairIndex& index, ThreadPool& pool) {
  const bool isLow = std::all_of(table.symmetries.begin(), table.symmetries.end(),
                                 [](Symmetry s) { return slaterDegree(s.l()) <= 5; });
  return isLow ? byPolynomials<5>(table, index, pool) : byPolynomials<9>(table, index, pool);
}

PairVectors::PairVectors(std::int64_t pairs)
    : ll(Eigen::VectorXd::Zero(pairs)),
      ss(Eigen::VectorXd::Zero(pairs)),
      rs(Eigen::VectorXd::Zero(pairs)),
      sr(Eigen::VectorXd::Zero(pairs)) {}

void PairVectors::setZero() {
  ll.setZero();
  ss.setZero();
  rs.setZero();
  sr.setZero();
}

PairVectors& PairVectors::operator+=(const PairVectors& other) {
  ll += other.ll;
  ss += other.ss;
  rs += other.rs;
  sr += other.sr;
  return *this;
}

PairVectors packDensity(const std::vector<OccupiedSpinors>& spinors,
                        const std::vector<Eigen::VectorXd>& weights, const PairIndex& index) {
  PairVectors d(index.pairs());
  std::int64_t i = 0;
  for (std::size_t a = 0; a < spinors.size(); ++a) {
    const OccupiedSpinors& s = spinors[a];
    const Eigen::MatrixXd ll = s.large * weights[a].asDiagonal() * s.large.transpose();
    const Eigen::MatrixXd ls = s.large * weights[a].asDiagonal() * s.small.transpose();
    const Eigen::MatrixXd ss = s.small * weights[a].asDiagonal() * s.small.transpose();
    for (Eigen::Index p = 0; p < ll.rows(); ++p) {
      for (Eigen::Index q = 0; q <= p; ++q, ++i) {
        const double both = p == q ? 1.0 : 2.0;
        d.ll(i) = both * ll(p, q);
        d.ss(i) = both * ss(p, q);
        d.rs(i) = ls(p, q);
        d.sr(i) = p == q ? 0.0 : ls(q, p);
      }
    }
  }
  return d;
}

void unpackFock(const PairVectors& packed, const PairIndex& index, int a, BlockMatrix& b) {
  const PairNumbering numbering = index.view();
  const int n = numbering.size[a];
  b.resize(n, n);
  std::int64_t i = numbering.pairOffset[a];
  for (int p = 0; p < n; ++p) {
    for (int q = 0; q <= p; ++q, ++i) {
      b.LL(p, q) = b.LL(q, p) = packed.ll(i);
      b.SS(p, q) = b.SS(q, p) = packed.ss(i);
      if (p != q) b.LS(q, p) = packed.sr(i);
      b.LS(p, q) = packed.rs(i);
    }
  }
}

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
      matrices_(polynomialSuperMatrices(makePrimitiveTable(basis), index_, pool_)) {}

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
