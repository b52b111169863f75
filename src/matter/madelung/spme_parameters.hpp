#pragma once
#include <optional>

#include "matter/madelung/spme.hpp"

namespace prophet {

/// What the user has fixed; lengths in bohr.
struct SpmeRequest {
  Assignment assignment = Assignment::Spread;
  double tolerance = 1e-8;  ///< root-mean-square error of the potentials relative to their root mean square
  std::optional<int> order;
  std::optional<MeshSize> mesh;
  std::optional<double> beta, cutoff;
};

/// Estimated root-mean-square errors of the potentials, relative to their own (that of rock salt with the
/// cell's density): of the pairs that are cut off, and of the splines on the mesh, for sites without
/// correlation. Crystals on a mesh that fits them can do better or, with all errors alike, somewhat worse.
struct SpmeErrors {
  double pairs = 0, mesh = 0;
  double all() const;
};
SpmeErrors estimatedErrors(const ChargedCell& cell, const SpmeParameters& parameters);

/// Fills in what the request leaves open so that both estimated errors are below the tolerance, at the least
/// cost. Where the user has fixed so much that they cannot be, they are as small as can be. Throws Error for
/// a tolerance outside 1e-13 ... 0.1.
SpmeParameters chosenParameters(const ChargedCell& cell, const SpmeRequest& request);

/// Throws Error, saying what to do, for parameters that no sum can have.
void check(const SpmeParameters& parameters);

/// What a sum takes on one processor, roughly.
double secondsOnProcessor(const ChargedCell& cell, const SpmeParameters& parameters);

}  // namespace prophet
