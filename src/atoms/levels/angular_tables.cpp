#include "atoms/levels/angular_tables.hpp"

#include <algorithm>
#include <cmath>

#include "atoms/angular/angular.hpp"
#include "core/common/index.hpp"

namespace prophet {
namespace {

constexpr double kNoCoefficient = 1e-14;  // those below it vanish by symmetry

/// 3j(Ja k Jb; -Ja q Jb), which does not vanish where the triangle holds.
double stretched(int twoJa, int k, int twoJb) {
  return wigner3j(twoJa, 2 * k, twoJb, -twoJa, twoJa - twoJb, twoJb);
}

}  // namespace

TransitionTable::TransitionTable(const LevelSpace& space, const std::vector<Place>& places,
                                 const LevelBlock& bra, const LevelBlock& ket, int rank) {
  const double norm = 1 / stretched(bra.twoJ, rank, ket.twoJ);
  struct Coefficient {
    int column = 0, row = 0, pair = 0;
    double value = 0;
  };
  std::vector<Coefficient> list;
  for (std::size_t a = 0; a < space.open.size(); ++a) {
    for (std::size_t b = 0; b < space.open.size(); ++b) {
      const int twoA = space.open[a].symmetry.twoJ(), twoB = space.open[b].symmetry.twoJ();
      if (std::abs(twoA - twoB) > 2 * rank || twoA + twoB < 2 * rank) continue;
      const OneBody moves = oneBodyOf(places, [&](const Place& to, const Place& from) {
        if (to.spinor != static_cast<int>(a) || from.spinor != static_cast<int>(b) ||
            to.twoM - from.twoM != bra.twoJ - ket.twoJ)
          return 0.0;
        return coupling(to, rank, from);
      });
      const SparseMatrix between = prophet::matrixOf(moves, ket, bra.places, bra.states.rows());
      if (between.nonZeros() == 0) continue;
      const SparseMatrix right = between * ket.states;
      const SparseMatrix coupled =
          norm * (SparseMatrix(bra.states.transpose()) * right).pruned(1, kNoCoefficient);
      if (coupled.nonZeros() == 0) continue;
      for (int column = 0; column < coupled.outerSize(); ++column)
        for (SparseMatrix::InnerIterator e(coupled, column); e; ++e)
          list.push_back({column, static_cast<int>(e.row()), static_cast<int>(pairs_.size()), e.value()});
      pairs_.emplace_back(static_cast<int>(a), static_cast<int>(b));
    }
  }
  const auto placeOf = [](const Coefficient& c) { return std::tuple(c.column, c.row, c.pair); };
  std::ranges::sort(list, {}, placeOf);
  pattern_.rows = bra.size();
  pattern_.starts.assign(1, 0);
  const Coefficient* last = nullptr;
  for (const Coefficient& c : list) {
    while (static_cast<int>(pattern_.starts.size()) <= c.column)
      pattern_.starts.push_back(static_cast<int>(pattern_.places.size()));
    if (!last || last->column != c.column || last->row != c.row) pattern_.places.push_back(c.row);
    terms_.push_back({static_cast<std::int32_t>(pattern_.places.size()) - 1, c.pair, c.value});
    last = &c;
  }
  pattern_.starts.resize(usize(ket.size()) + 1, static_cast<int>(pattern_.places.size()));
}

Eigen::VectorXd TransitionTable::elements(const Eigen::MatrixXd& reduced) const {
  Eigen::VectorXd values = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(pattern_.places.size()));
  std::vector<double> ofPairs;
  for (const auto& [a, b] : pairs_) ofPairs.push_back(reduced(a, b));
  for (const Term& t : terms_) values(t.element) += ofPairs[usize(t.pair)] * t.value;
  return values;
}

bool AngularTables::fit(const LevelSpace& space) const {
  const auto sameSpinor = [](const LevelSpinor& a, const LevelSpinor& b) { return a.symmetry == b.symmetry; };
  const auto sameRow = [&](const RelativisticConfiguration& a, const RelativisticConfiguration& b) {
    return a.configuration == b.configuration && a.electrons == b.electrons;
  };
  return std::ranges::equal(space.open, space_.open, sameSpinor) &&
         std::ranges::equal(space.distributions, space_.distributions, sameRow) &&
         std::ranges::equal(space.configurations, space_.configurations, {}, &LevelSpace::Part::odd,
                            &LevelSpace::Part::odd);
}

template <class Key, class Value>
std::shared_ptr<const Value> AngularTables::keptOrMade(Kept<Key, Value>& kept, const Key& key,
                                                       const std::function<Value()>& make) {
  std::promise<std::shared_ptr<const Value>> promise;
  std::shared_future<std::shared_ptr<const Value>> future;
  {
    const std::lock_guard<std::mutex> alone(mutex_);
    const auto [place, isNew] = kept.try_emplace(key);
    if (!isNew) {
      future = place->second;
    } else {
      place->second = promise.get_future().share();
    }
  }
  if (future.valid()) return future.get();
  try {
    promise.set_value(std::make_shared<const Value>(make()));
  } catch (...) {
    promise.set_exception(std::current_exception());
  }
  const std::lock_guard<std::mutex> alone(mutex_);
  return kept.at(key).get();
}

std::shared_ptr<const LevelBlock> AngularTables::block(int twoJ, bool odd) {
  return keptOrMade<std::pair<int, bool>, LevelBlock>(blocks_, {twoJ, odd},
                                                      [&] { return blockOf(space_, twoJ, odd); });
}

std::shared_ptr<const TransitionTable> AngularTables::transitions(std::pair<int, bool> bra,
                                                                  std::pair<int, bool> ket, int rank) {
  const std::function<TransitionTable()> make = [&] {
    return TransitionTable(space_, places_, *block(bra.first, bra.second), *block(ket.first, ket.second),
                           rank);
  };
  if (!keepsTransitions_) return std::make_shared<const TransitionTable>(make());
  return keptOrMade<std::tuple<std::pair<int, bool>, std::pair<int, bool>, int>, TransitionTable>(
      transitions_, {bra, ket, rank}, make);
}

std::shared_ptr<const LevelBlock> blockOf(AngularTables* tables, const LevelSpace& space, int twoJ,
                                          bool odd) {
  return tables ? tables->block(twoJ, odd) : std::make_shared<const LevelBlock>(blockOf(space, twoJ, odd));
}

}  // namespace prophet
