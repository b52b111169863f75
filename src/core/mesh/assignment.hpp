#pragma once
#include "core/common/names.hpp"

namespace prophet {

/// How charges get onto a mesh.
enum class Assignment {
  Spread,  ///< each particle adds its B-spline weights to order^3 points
  Gather,  ///< each point collects from the particles around it: nothing is added by two at once
  Filter   ///< narrow B-splines first (half the order), then a Gaussian filter along each axis
};

template <>
inline const Names<Assignment>& namesOf() {
  static const Names<Assignment> kNames = {
      {"spread", Assignment::Spread}, {"gather", Assignment::Gather}, {"filter", Assignment::Filter}};
  return kNames;
}

/// Order of the B-splines that particles themselves are spread with.
inline int ownOrder(Assignment a, int order) {
  return a != Assignment::Filter ? order : order < 4 ? 2 : (order + 1) / 2;
}

}  // namespace prophet
