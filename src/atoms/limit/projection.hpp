#pragma once
#include "atoms/limit/mean_field.hpp"
#include "atoms/limit/radial_basis.hpp"

namespace prophet::limit {

/// Least-squares image of spinors of one basis in another, orthonormal again (each symmetry by itself, in the
/// order of its columns). Spinors count as zero outside the mesh that they come from.
SpinorSet carryOver(const SpinorSet& spinors, const RadialBasis& from, const RadialBasis& to);

}  // namespace prophet::limit
