#pragma once
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "atoms/atom/energy_breakdown.hpp"
#include "atoms/calculation/calculation.hpp"
#include "cuda/atoms/batch/qed_view.hpp"

namespace prophet::cuda::batch {

/// What the device needs of a Hamiltonian's QED corrections; all zero where there are none.
QedShape qedShapeOf(const Hamiltonian& hamiltonian);
/// The parts of the energy that they are, in the order of QedShape::part.
std::vector<EnergyPartId> qedPartsOf(const QedOptions& options);

/// The radiative potentials of one nucleus at the points r_j = exp(j kQedSpacing), j from kQedFirst on: the
/// trapezoidal rule that qedTerms has on the host, but with points that all basis sets share, so that the
/// potentials, which take tens of milliseconds, are made once for each nucleus.
struct QedTable {
  QedShape shape;
  std::vector<double> factors;  ///< vectors x kMaxSymmetries
  std::vector<double> values;   ///< vectors x kQedPoints, hartree
};

/// Throws Error for a self-energy beyond the charge up to which it is known.
QedTable makeQedTable(const AtomProblem& problem);

/// Points of the table that a basis needs: first j and number. Empty range (number 0) where functions reach
/// beyond the table.
struct QedRange {
  int first = 0, count = 0;
};
QedRange qedRangeOf(const BasisSet& basis, int symmetries);

/// A slot's QED input (qedInputSize doubles, of which the first `return value` are used).
int packQed(const QedTable& table, const QedRange& range, double* input);

/// Tables of the nuclei that were asked for last; each is made once, by whoever comes first. Any number of
/// threads.
class QedTables {
 public:
  using Table = std::shared_ptr<const QedTable>;
  /// Waits for another thread that is making the same table. Throws what makeQedTable throws.
  Table of(const AtomProblem& problem);

 private:
  struct Entry {
    AtomProblem problem;
    std::shared_future<Table> table;
  };
  std::mutex mutex_;
  std::list<Entry> entries_;  ///< the one asked for last in front
};

}  // namespace prophet::cuda::batch
