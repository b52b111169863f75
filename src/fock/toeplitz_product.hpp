#pragma once

/// Element-wise inner loops of the grid builder, compiled for several instruction sets and chosen at run
/// time.
namespace prophet {

/// sum_j += factor * kernel[j] * density[j], j < count.
void addKernelTimesDensity(const double* kernel, double factor, const double* density, int count,
                           double* sum);

/// out_i = sum_j centre[j - i] in[j]: product with a symmetric Toeplitz matrix.
void toeplitzVector(const double* centre, const double* in, int count, double* out);

}  // namespace prophet
