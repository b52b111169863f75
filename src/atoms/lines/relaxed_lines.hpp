#pragma once
#include <vector>

#include "atoms/lines/lines.hpp"

namespace prophet {

/// Levels of some configurations in spinors of their own.
struct RelaxedLevels {
  const LevelSpace& space;
  const Result& result;
  const LevelResult& levels;  ///< with their vectors
  std::vector<int> places;    ///< of each of them in the list of the levels of all groups
};

/// All lines within and between groups of levels that have spinors of their own, ordered by upper and lower
/// level, which are places in the list of all. Between two groups the spinors of both are made biorthonormal
/// and the determinants transformed accordingly, without any approximation: J. Olsen, M. R. Godefroid, P.
/// Jonsson, P. A. Malmqvist, C. Froese Fischer, Phys. Rev. E 52 (1995) 4499; docs/theory/lines.md.
/// `all`: levelSpace() of the configurations of all groups. Throws Error as computeLines, and for spinors
/// that are too different.
LineList computeRelaxedLines(const LevelSpace& all, const std::vector<RelaxedLevels>& groups,
                             const LevelHamiltonian& hamiltonian, const LineOptions& options = {});

/// Two sets of as many functions with this overlap (bra x ket), as upper triangular matrices over functions
/// that are biorthonormal: set = new set times matrix.
struct Biorthonormal {
  Eigen::MatrixXd bra, ket;
};
/// Throws Error where a leading part of the overlap is singular.
Biorthonormal biorthonormal(const Eigen::MatrixXd& overlap);

}  // namespace prophet
