#pragma once
#include <cuda_runtime_api.h>

#include "cuda/atoms/batch/view.hpp"
#include "cuda/core/common/handles.hpp"

/// Launchers; each works on the slots view.list[0 .. view.count) and returns at once.
namespace prophet::cuda::batch {

/// Orthonormal basis, one-electron matrices and functions on the grid of new slots; resets their state. Uses
/// w as scratch. `tables`: whether the nucleus of any of them has a table.
void launchSetup(const View& view, bool tables, cudaStream_t stream);
/// Guess Hamiltonian of new slots into `mixed`; uses w as scratch.
void launchGuess(const View& view, cudaStream_t stream);
/// Estimated eigenvalues of what launchGuess made into `energies`.
void launchLevels(const View& view, cudaStream_t stream);
/// coefficients[current] of new slots from the spinors in their input; StartUnfit where they do not fit.
void launchStart(const View& view, cudaStream_t stream);
/// coefficients[1 - current] of finished slots: their spinors over the primitives.
void launchSpinors(const View& view, cudaStream_t stream);
/// Occupied eigenvectors of `mixed`: into coefficients[current] from the estimates of launchLevels (`guess`),
/// or into coefficients[1 - current] from those in coefficients[current]. The symmetries run beside each
/// other; `side` has kMaxSymmetries - 1 streams or more.
void launchEigenvectors(const View& view, bool guess, cudaStream_t stream, const SideStreams& side);
/// Orbitals, potential and open-shell vectors from coefficients[current].
void launchOrbitals(const View& view, cudaStream_t stream);
/// The potential of a functional and of all electrons, in place of what launchOrbitals gives to exchange;
/// part of it.
void launchFunctional(const View& view, cudaStream_t stream);
/// w: kernels times densities, plus the potential on the diagonal. Nothing where there is a functional.
void launchExchange(const View& view, cudaStream_t stream);
/// closedFock = core + Phi^T w Phi, or the matrices of the functional's potential.
void launchProjection(const View& view, cudaStream_t stream);
/// Effective Fock matrix and gradient into the histories, energy, and the decision whether to go on (state).
void launchDecision(const View& view, cudaStream_t stream);
/// Gaunt and gauge energies of finished slots into their states; uses w as scratch.
void launchBreitParts(const View& view, cudaStream_t stream);
/// mixed = DIIS combination of the histories.
void launchMixing(const View& view, cudaStream_t stream);

}  // namespace prophet::cuda::batch
