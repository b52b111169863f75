#pragma once
#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "atoms/configurations/determinant_space.hpp"

namespace prophet {

/// The LS-coupled states of one configuration in a block, as vectors over its coupled states.
struct TermStates {
  std::vector<int> states;  ///< columns of the block
  Eigen::MatrixXd vectors;
  std::vector<std::string> names;   ///< "5Do": 2S+1, L, and o for odd parity
  std::vector<std::string> labels;  ///< with the open shells and what they are coupled to: "3d6(5D) 4s1 6D"
};

/// Terms of LS coupling: eigenstates of L^2 and S^2 of all open electrons, and, where several open shells are
/// coupled, of each shell and of the first ones together. Both j of a shell have the same radial function in
/// these operators. Source: docs/theory/levels.md.
class TermAnalysis {
 public:
  TermAnalysis(const LevelSpace& space, const std::vector<Place>& places);

  /// Whether the space has terms: not where a configuration names electrons by their j.
  bool possible() const { return possible_; }
  /// One entry for each configuration of the space.
  std::vector<TermStates> of(const LevelBlock& block) const;

 private:
  struct Momenta {
    OneBody lRaising, sRaising, lz, sz;
  };
  /// A shell nl of the open ones.
  using ShellName = std::pair<int, int>;
  struct Coupled {
    std::vector<ShellName> shells;
    int electrons = 0;
  };
  struct Squares {
    Eigen::MatrixXd l, s;  ///< L^2 and S^2
  };

  Momenta momentaOf(const std::vector<ShellName>& shells) const;
  Squares squaresOf(const Momenta& momenta, const LevelBlock& block) const;
  void nameParents(const LevelBlock& block, int configuration, TermStates& terms) const;

  const LevelSpace& space_;
  std::vector<Place> places_;
  bool possible_ = true;
  Momenta all_;
  std::vector<std::vector<ShellName>> openShells_;  ///< of each configuration, neither empty nor full
};

/// The shells of a configuration that are not closed in all of the space's: "2s2 2p2".
std::string openText(const LevelSpace& space, int configuration);

}  // namespace prophet
