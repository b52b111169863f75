#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/core_valence/valence_space.hpp"
#include "core/common/threads.hpp"

namespace prophet {

/// Spinors with the energies of a field, hartree.
struct ExcitedSpinors : SpinorFunctions {
  Eigen::VectorXd energies;
};

/// Binding energy of the core's spinors that are easily excited, hartree.
inline constexpr double kDeepest = 16;

/// An electron that falls to a lower valence spinor gives at most this part of an excitation's or a mode's
/// energy to it. Without this bound 5f5/2 of Tl2+, which falls to 6p1/2, would be next to a denominator that
/// vanishes.
inline constexpr double kMostReleased = 0.5;

inline constexpr int kReferenceL = 2;  ///< of the lowest valence spinors whose correlation makes natural ones

/// The spinors that electrons of the core are excited to, of each symmetry: natural spinors of the density of
/// second order of one electron of the core, not deeper than kDeepest if there are such, and one in a lowest
/// valence spinor, without exchange.
std::vector<ExcitedSpinors> excitedSpinors(const ValenceSpace& space, ThreadPool& pool);

/// What electrons of the core are excited to, and the points at which all products with these are known.
struct CoreExcitations {
  std::vector<ExcitedSpinors> particles;  ///< of each symmetry
  ProductPoints products;                 ///< of these and `factors` with all
};

/// `factors`: functions of the core and of electrons outside of it.
CoreExcitations coreExcitations(const OrbitalSpace& orbitals, std::vector<SpinorFunctions> factors,
                                std::vector<ExcitedSpinors> particles, ThreadPool& pool);

}  // namespace prophet
