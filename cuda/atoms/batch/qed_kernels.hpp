#pragma once
#include <cuda_runtime_api.h>

#include "cuda/atoms/batch/qed_view.hpp"
#include "cuda/atoms/batch/view.hpp"

namespace prophet::cuda::batch {

/// Adds the potentials to `core` of new slots, after launchSetup. For corrections in the self-consistent
/// field.
void launchQedMatrices(const View& view, const QedView& qed, cudaStream_t stream);
/// Expectation values of the corrections for finished slots, after launchSpinors: into qed.parts, a sum for
/// each symmetry.
void launchQedParts(const View& view, const QedView& qed, cudaStream_t stream);

}  // namespace prophet::cuda::batch
