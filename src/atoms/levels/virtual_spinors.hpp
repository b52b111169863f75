#pragma once
#include "atoms/calculation/result.hpp"
#include "atoms/configurations/excitations.hpp"
#include "atoms/configurations/level_space.hpp"
#include "atoms/levels/levels.hpp"

namespace prophet {

/// What virtual spinors are made for.
struct VirtualRequirements {
  const LevelSpace& references;
  const ExcitationRequest& excitations;         ///< of the references
  const ExcitedConfigurations& configurations;  ///< that these make
  const LevelSpace& space;                      ///< of all of them
  const LevelHamiltonian& hamiltonian;
  LevelOptions options{};  ///< `wanted`, `threads` and `checkpoint` of the levels
  int rounds = 2;          ///< of iterations over all l
};

/// The field of reference configurations with natural virtual spinors.
///
/// In each symmetry of the virtual shells the eigenvectors of the Fock operator of the average in a ladder of
/// Gaussians (large and small components apart, projected on the complement of the occupied spinors) are
/// virtual spinors. The first-order correlation of all pairs of excited electrons, averaged over the states
/// of the reference configurations, has a density matrix between them, denominators D being smoothed to
/// -sqrt(D^2 + 0.04) hartree; its eigenvectors with the largest occupations are the first spinors of the
/// virtual shells. Iterations follow: for one l after the other a configuration interaction with up to four
/// more virtual shells, which are the next of these eigenvectors, and the natural spinors of its wanted
/// levels; left out where determinants have no places for them or a block more than 5000 determinants.
/// Source: docs/theory/levels.md.
///
/// `reference`: the field of the average of `references`, with radial functions. Returns it with the spinors
/// that `space` asks for. Throws Error where the result has other spinors, or where a symmetry has less
/// functions than virtual shells.
Result withNaturalVirtuals(const Result& reference, const VirtualRequirements& requirements);

}  // namespace prophet
