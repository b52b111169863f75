#pragma once
#include <memory>
#include <optional>
#include <string>

#include "atoms/limit/limit.hpp"
#include "atoms/limit/mesh_extent.hpp"
#include "atoms/limit/radial_basis.hpp"
#include "atoms/limit/self_consistency.hpp"

namespace prophet::limit {

/// The field solved at one resolution.
struct ResolvedField {
  std::unique_ptr<RadialBasis> basis;
  FieldSolution solution;
  MeshExtent extent;
};

/// The first bound spinor whose nodes are not those that its name promises, in words; empty if all have
/// theirs, or if the field did not converge.
std::optional<std::string> wrongNodes(const ResolvedField& field, const FieldProblem& problem);

/// Solves at one resolution after the other, each from the spinors of the one before.
class Resolutions {
 public:
  Resolutions(const FieldProblem& problem, const LimitOptions& options);
  Resolutions(const Resolutions&) = delete;

  /// The first resolution, on a mesh that is extended until all spinors have died away at its end, or until
  /// electrons that are not bound there have had every chance. `remark`: a sentence, where the state was not
  /// found from the usual start.
  ResolvedField solveFirst(std::string& remark) const;
  /// The finer one, on a mesh that reaches a little further than the first, so that an influence of the
  /// mesh's end shows in the difference of the two.
  ResolvedField solveSecond(const ResolvedField& first);

 private:
  ResolvedField empty(MeshExtent extent, double density) const;
  ResolvedField solveAt(MeshExtent extent, const FieldStart& start) const;
  ResolvedField solveLowest(MeshExtent extent, std::string& remark) const;
  ResolvedField carryOn(MeshExtent extent, double density, const ResolvedField& before) const;
  bool right(const ResolvedField& field) const;
  bool doubtful(const ResolvedField& field) const;
  bool lower(const ResolvedField& candidate, const ResolvedField& best) const;
  bool allBound(const ResolvedField& field) const;
  MeshExtent secondExtent(const ResolvedField& first) const;
  double hopelessRadius() const;

  const FieldProblem& problem_;
  const LimitOptions& options_;
  IterationControl control_;
  int resolution_ = 1;
};

}  // namespace prophet::limit
