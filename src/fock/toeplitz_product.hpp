#pragma once

/// Element-wise inner loops of the grid builder, compiled for several instruction sets and chosen at run
/// time.
namespace prophet {

/// sum_j += factor * kernel[j] * density[j], j < count.
void addKernelTimesDensity(const double* kernel, double factor, const double* density, int count,
                           double* sum);

/// sum_j += factor * (kernel1[j] * density1[j] + kernel2[j] * density2[j]), j < count.
void addTwoKernelsTimesDensities(const double* kernel1, const double* density1, const double* kernel2,
                                 const double* density2, double factor, int count, double* sum);

/// out_i = sum_j centre[j - i] in[j]: product with a symmetric Toeplitz matrix.
void toeplitzVector(const double* centre, const double* in, int count, double* out);

}  // namespace prophet
