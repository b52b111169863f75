#pragma once
#include <optional>
#include <string>

namespace prophet {

/// How charges get onto a mesh.
enum class Assignment {
  Spread,  ///< each particle adds its B-spline weights to order^3 points
  Gather,  ///< each point collects from the particles around it: nothing is added by two at once
  Filter   ///< narrow B-splines first (half the order), then a Gaussian filter along each axis
};

inline const char* nameOf(Assignment a) {
  return a == Assignment::Spread ? "spread" : a == Assignment::Gather ? "gather" : "filter";
}

inline std::optional<Assignment> assignmentNamed(const std::string& name) {
  for (const Assignment a : {Assignment::Spread, Assignment::Gather, Assignment::Filter}) {
    if (name == nameOf(a)) return a;
  }
  return std::nullopt;
}

/// Order of the B-splines that particles themselves are spread with.
inline int ownOrder(Assignment a, int order) {
  return a != Assignment::Filter ? order : order < 4 ? 2 : (order + 1) / 2;
}

}  // namespace prophet
