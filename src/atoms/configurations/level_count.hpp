#pragma once
#include <vector>

#include "atoms/configurations/level_space.hpp"

namespace prophet {

/// Which levels of a space are wanted.
struct WantedLevels {
  /// The first configurations of the space, to which excitations belong; 0: all levels of the space. Levels
  /// have the J and parities of these.
  int references = 0;
  int roots = 0;  ///< the lowest ones of each J and parity; 0: as many as the references have

  bool all() const { return references == 0; }
};

/// The share of the memory that this process may have in which levels are computed.
inline constexpr double kMemoryShare = 0.8;

/// How many levels there are, before any is computed.
struct LevelCount {
  struct Block {
    int twoJ = 0;
    bool odd = false;
    double levels = 0;
    double determinants = 0;  ///< of M = J, at most
    double references = 0;    ///< levels of the reference configurations alone
    double wanted = 0;        ///< levels to be computed

    /// Whether these are few enough of a large block for Davidson's method.
    bool isSparse() const {
      constexpr double kDense = 600, kShare = 12;
      return levels > kDense && wanted * kShare < levels;
    }
  };
  std::vector<Block> blocks;  ///< that are not empty
  double levels = 0;          ///< of the whole space with these J and parities
  Block largest;
  double bytes = 0;    ///< of memory for the largest block
  double seconds = 0;  ///< on one processor, roughly
};
LevelCount countLevels(const LevelSpace& space, const WantedLevels& wanted = {});

/// The same. Throws Error, with these numbers, where the memory that this process may have does not do.
LevelCount requireMemory(const LevelSpace& space, const WantedLevels& wanted = {});

}  // namespace prophet
