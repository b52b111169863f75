#pragma once

/// Element-wise inner loops of the grid builder, compiled for several instruction sets and chosen at run
/// time.
namespace prophet {

/// One term of a gathered column: factor * kernel[j] * density[j].
struct ToeplitzTerm {
  const double* kernel;
  const double* density;
  double factor;
};

/// out[j] = sum over `terms` of factor * kernel[j - shift] * density[j + shift * stride], j < count: column
/// number `shift` of a tile whose density columns are `stride` apart. All terms of a stretch of j are summed
/// in registers: two loads for each multiplication and no intermediate store.
void sumToeplitzTerms(const ToeplitzTerm* terms, int termCount, int shift, int stride, int count,
                      double* out);

/// sum[j] += factor * kernel[j] * density[j], j < count.
void addKernelTimesDensity(const double* kernel, double factor, const double* density, int count,
                           double* sum);

/// out_i = sum_j centre[j - i] in[j]: product with a symmetric Toeplitz matrix.
void toeplitzVector(const double* centre, const double* in, int count, double* out);

/// sum[i] += x[i] y[i], i < count.
void addProducts(const double* x, const double* y, int count, double* sum);

}  // namespace prophet
