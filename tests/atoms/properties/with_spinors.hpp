#pragma once
#include <string>

#include "atoms/properties/properties.hpp"
#include "tests/atoms/calculation/from_text.hpp"

namespace prophet::test {

/// A calculation that keeps its radial functions, and its properties.
struct Computed {
  AtomProblem problem;
  Result result;
  Properties properties;
};

inline Computed computed(const std::string& groups) {
  Calculation calculation = calculationFrom(groups);
  if (!calculation.isLimit()) calculation.inBasis().keepSpinors = true;
  Computed c{calculation.problem, compute(calculation, {2}), {}};
  c.properties = propertiesOf(calculation, c.result);
  return c;
}

inline Computed computedLimit(const std::string& groups) {
  return computed(groups + " $contrl jobtype='limit' $end");
}

/// Index of a spinor by its label; -1 if there is none.
inline int indexOf(const Result& result, const std::string& label) {
  for (std::size_t i = 0; i < result.spinors.size(); ++i) {
    if (result.spinors[i].label() == label) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace prophet::test
