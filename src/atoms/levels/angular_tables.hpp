#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "atoms/configurations/determinant_space.hpp"
#include "atoms/levels/level_engine.hpp"

namespace prophet {

/// Angular coefficients of a one-body operator of one rank between the coupled states of two blocks: for each
/// pair of open spinors the reduced elements of the operator whose reduced element between these spinors is
/// one and else zero.
class TransitionTable {
 public:
  TransitionTable(const LevelSpace& space, const std::vector<Place>& places, const LevelBlock& bra,
                  const LevelBlock& ket, int rank);

  /// The places of all elements, without elements.
  const TransitionOperators& pattern() const { return pattern_; }
  /// The elements of the operator with these reduced elements between open spinors, in the pattern's order.
  Eigen::VectorXd elements(const Eigen::MatrixXd& reduced) const;

 private:
  struct Term {
    std::int32_t element = 0, pair = 0;
    double value = 0;
  };
  TransitionOperators pattern_;
  std::vector<std::pair<int, int>> pairs_;  ///< of open spinors
  std::vector<Term> terms_;                 ///< by element
};

/// What the angular momenta of the open spinors alone determine, of spaces that are alike in these: blocks
/// and transition tables, each built by the first one that asks for it. From several threads at once.
class AngularTables {
 public:
  /// `transitionsToo`: whether transition tables are kept, or only the blocks that they are made of.
  explicit AngularTables(const LevelSpace& space, bool transitionsToo = true)
      : space_(space), places_(placesOf(space)), keepsTransitions_(transitionsToo) {}

  /// Whether a space has the same open spinors, but for their n, and the same distributions.
  bool fit(const LevelSpace& space) const;

  std::shared_ptr<const LevelBlock> block(int twoJ, bool odd);
  /// Between blocks of these 2J and parities.
  std::shared_ptr<const TransitionTable> transitions(std::pair<int, bool> bra, std::pair<int, bool> ket,
                                                     int rank);

 private:
  template <class Key, class Value>
  using Kept = std::map<Key, std::shared_future<std::shared_ptr<const Value>>>;
  template <class Key, class Value>
  std::shared_ptr<const Value> keptOrMade(Kept<Key, Value>& kept, const Key& key,
                                          const std::function<Value()>& make);

  LevelSpace space_;
  std::vector<Place> places_;
  bool keepsTransitions_;
  std::mutex mutex_;
  Kept<std::pair<int, bool>, LevelBlock> blocks_;
  Kept<std::tuple<std::pair<int, bool>, std::pair<int, bool>, int>, TransitionTable> transitions_;
};

/// A block of the space, kept in the tables where there are some.
std::shared_ptr<const LevelBlock> blockOf(AngularTables* tables, const LevelSpace& space, int twoJ, bool odd);

}  // namespace prophet
