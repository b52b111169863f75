#pragma once
#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "bases/optimise/bsopt.hpp"
#include "core/common/constants.hpp"
#include "frozen_atom.hpp"
#include "tests/core/common/folder.hpp"

namespace prophet::test {

inline Nucleus gaussianNucleus(int z) { return nucleusOf(z, NuclearModel::Gaussian); }

/// bsopt of a neutral atom from the set printed in Hennessey (2018).
inline BsoptTask fromTheTable(int z) {
  BsoptTask task;
  task.problem.nucleus = gaussianNucleus(z);
  task.problem.configuration = parseConfiguration(groundConfiguration(z));
  task.spec = readLibraryEntry(z, "wtbs-2.1-by-symmetry")->spec;
  return task;
}

}  // namespace prophet::test
