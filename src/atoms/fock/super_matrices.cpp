#include "atoms/fock/super_matrices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "atoms/angular/angular.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr std::int64_t kChunk = 4096;  ///< elements that a thread takes at a time

void allocate(SuperMatrices& matrices, const PairIndex& index) {
  try {
    for (auto& x : matrices.x) x.resize(static_cast<std::size_t>(index.elements()));
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format(
        "the stored two-electron integrals need {:.3g} GB, more than this machine gives; use fock='grid', "
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

}  // namespace prophet
