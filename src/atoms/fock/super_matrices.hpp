#pragma once
#include <array>
#include <vector>

#include "atoms/integrals/pair_index.hpp"
#include "atoms/integrals/super_matrix.hpp"
#include "core/common/thread_pool.hpp"

namespace prophet {

/// The eight two-electron super-matrices of Hennessey (2018) over the triangle of pair indices, x[0] = X1 ...
/// x[7] = X8 (see SuperMatrixElement), each with PairIndex::elements() numbers in hartree.
struct SuperMatrices {
  std::array<std::vector<double>, 8> x;
};

/// Exchange multipoles of every pair of symmetries, entry [a * n + b].
std::vector<ExchangeList> exchangeLists(const std::vector<Symmetry>& symmetries);

/// Bytes that SuperMatrices of this numbering take.
double superMatrixBytes(const PairIndex& index);

/// Computes all elements, one index after the other, multi-threaded. The reference for every other
/// implementation. Throws Error if memory does not suffice.
SuperMatrices computeSuperMatrices(const PrimitiveTable& table, const PairIndex& index, ThreadPool& pool);

}  // namespace prophet
