#pragma once
#include <vector>

#include "core/mesh/mesh_size.hpp"

namespace prophet {

/// Weights g_0, g_1, ..., g_h of the symmetric filter of Assignment::Filter, g_0 + 2 (g_1 + ...) = 1: a
/// Gaussian whose variance makes up for that which narrow splines lack against those of `order`, cut off
/// after h = order / 2 points.
std::vector<double> filterWeights(int order);

/// Filters a periodic mesh along its three axes, one after the other; every axis needs more than 2h points.
void filterMesh(const std::vector<double>& weights, const MeshSize& n, int threads, double* mesh);

/// sum_j g_|j| cos(2 pi m j / n) for m = 0 ... n-1: what the filter does to each mode.
std::vector<double> filterSpectrum(const std::vector<double>& weights, int n);

}  // namespace prophet
