#include "cuda/atoms/batch/qed_table.hpp"

#include <algorithm>
#include <cmath>

#include "atoms/integrals/radial_grid.hpp"
#include "atoms/qed/qed.hpp"
#include "cuda/atoms/batch/view.hpp"

namespace prophet::cuda::batch {
namespace {

/// A batch may have so many nuclei at once: the periodic table, and some more.
constexpr std::size_t kMostTables = 160;

void addVector(QedShape& s, int part, bool couples) {
  s.part[s.vectors] = part;
  s.couples[s.vectors] = couples ? 1 : 0;
  ++s.vectors;
}

bool sameTable(const AtomProblem& a, const AtomProblem& b) {
  const Hamiltonian &x = a.hamiltonian, &y = b.hamiltonian;
  return a.nucleus.hasChargeOf(b.nucleus) && x.speedOfLight == y.speedOfLight &&
         x.qedTreatment == y.qedTreatment && x.qed.vacuumPolarisation == y.qed.vacuumPolarisation &&
         x.qed.kallenSabry == y.qed.kallenSabry && x.qed.wichmannKroll == y.qed.wichmannKroll &&
         x.qed.selfEnergy == y.qed.selfEnergy && x.qed.fit == y.qed.fit;
}

/// Values of one function at all points.
void append(const std::function<double(double)>& f, std::vector<double>& values) {
  for (int i = 0; i < kQedPoints; ++i) values.push_back(f(std::exp((kQedFirst + i) * kQedSpacing)));
}

}  // namespace

std::vector<EnergyPartId> qedPartsOf(const QedOptions& options) {
  std::vector<EnergyPartId> parts;
  if (options.vacuumPolarisation) parts.push_back(EnergyPartId::VacuumPolarisation);
  if (options.kallenSabry) parts.push_back(EnergyPartId::KallenSabry);
  if (options.wichmannKroll) parts.push_back(EnergyPartId::WichmannKroll);
  if (options.selfEnergy) parts.push_back(EnergyPartId::SelfEnergy);
  return parts;
}

QedShape qedShapeOf(const Hamiltonian& hamiltonian) {
  QedShape s{};
  for (const EnergyPartId id : qedPartsOf(hamiltonian.qed)) {
    addVector(s, s.parts, false);
    if (id == EnergyPartId::SelfEnergy) {  // high and low frequencies, and the magnetic form factor
      addVector(s, s.parts, false);
      addVector(s, s.parts, true);
    }
    ++s.parts;
  }
  s.inScf = hamiltonian.qedInScf() ? 1 : 0;
  return s;
}

QedTable makeQedTable(const AtomProblem& problem) {
  const Hamiltonian& h = problem.hamiltonian;
  QedTable table{qedShapeOf(h), {}, {}};
  for (const RadialOperator& radial : qedOperators(problem.nucleus, h.speedOfLight, h.qed)) {
    for (const RadialOperator::Part& part : radial.parts) {
      append(part.function, table.values);
      for (int a = 0; a < kMaxSymmetries; ++a)
        table.factors.push_back(part.factor ? part.factor(Symmetry::fromIndex(a)) : 1.0);
    }
    if (!radial.coupling) continue;
    append(radial.coupling, table.values);
    table.factors.insert(table.factors.end(), kMaxSymmetries, 1.0);
  }
  return table;
}

QedRange qedRangeOf(const BasisSet& basis, int symmetries) {
  BasisSet occupied = basis;
  occupied.symmetries.resize(symmetries);
  const RadialGrid grid = makeGrid(occupied, kQedSpacing);
  const int first = static_cast<int>(std::floor(std::log(grid.first) / kQedSpacing)), count = grid.points + 1;
  if (first < kQedFirst || first + count > kQedFirst + kQedPoints) return {};
  return {first, count};
}

int packQed(const QedTable& table, const QedRange& range, double* input) {
  input[kQedStart] = range.first;
  input[kQedCount] = range.count;
  double* next = std::copy(table.factors.begin(), table.factors.end(), input + kQedFactors);
  for (int i = 0; i < table.shape.vectors; ++i)
    next = std::copy_n(table.values.begin() + i * kQedPoints + range.first - kQedFirst, range.count, next);
  return static_cast<int>(next - input);
}

QedTables::Table QedTables::of(const AtomProblem& problem) {
  std::promise<Table> promise;
  std::shared_future<Table> table;
  bool mine = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto known = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& e) { return sameTable(e.problem, problem); });
    if (known != entries_.end()) {
      entries_.splice(entries_.begin(), entries_, known);
    } else {
      mine = true;
      entries_.push_front({problem, promise.get_future().share()});
      if (entries_.size() > kMostTables) entries_.pop_back();
    }
    table = entries_.front().table;
  }
  if (mine) {
    try {
      promise.set_value(std::make_shared<const QedTable>(makeQedTable(problem)));
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  }
  return table.get();
}

}  // namespace prophet::cuda::batch
