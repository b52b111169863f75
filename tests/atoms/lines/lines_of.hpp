#pragma once
#include <string>

#include "atoms/lines/lines.hpp"
#include "tests/atoms/levels/reference_cases.hpp"

namespace prophet {

/// The lines of some configurations in the spinors of their limit.
struct Computed {
  LevelResult levels;
  std::vector<Line> lines;
  std::vector<double> leftOut;  ///< LineList::leftOut
};

inline Computed linesOf(const LevelSpace& space, const Result& limit, const LevelHamiltonian& hamiltonian,
                        LineOptions options = {}) {
  LevelOptions withVectors;
  withVectors.vectors = true;
  Computed c{computeLevels(space, limit, hamiltonian, withVectors), {}, {}};
  LineList list = computeLines(space, limit, hamiltonian, c.levels, options);
  c.lines = std::move(list.lines);
  c.leftOut = std::move(list.leftOut);
  return c;
}

inline Computed linesOf(const std::string& configurations, const Nucleus& nucleus, double speedOfLight,
                        const LineOptions& options = {}) {
  const LevelSpace space = levelSpace(configurations);
  return linesOf(space, limitOf(space, nucleus, speedOfLight), {{nucleus, speedOfLight, {}}}, options);
}

}  // namespace prophet
