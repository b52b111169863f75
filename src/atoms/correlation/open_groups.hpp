#pragma once
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/shell_list.hpp"
#include "atoms/atom/symmetry.hpp"
#include "core/common/index.hpp"

namespace prophet {

/// The partly filled shells of one configuration, and how probable it is that places of them are occupied or
/// empty in its determinants, all of which weigh the same.
class OpenGroups {
 public:
  static constexpr int kNone = -1;  ///< of a closed or a virtual spinor

  /// Throws Error where the configuration is no average over whole shells.
  explicit OpenGroups(const Configuration& configuration);

  /// The group of an open spinor; kNone where there is none.
  int groupOf(Symmetry symmetry, int n) const;
  int count() const { return static_cast<int>(shells_.size()); }
  const Shell& shell(int group) const { return shells_[usize(group)]; }
  /// The probability that different places of the groups `occupied` hold electrons and others of `empty` do
  /// not; a place of kNone does so with certainty.
  double probability(const std::vector<int>& occupied, const std::vector<int>& empty) const;

 private:
  std::vector<Shell> shells_;
};

}  // namespace prophet
