#pragma once
#include "cuda/atoms/fock/pair_symmetry.cuh"

namespace prophet::cuda {

/// Which two super-matrices and which two density components make one output component, for the stored
/// element (I >= J) and for the exchanged one (I < J), where x2, x3 and x4, x6 change places.
struct ComponentRecipe {
  int first, second;                    ///< matrices (X1 is 0) of I >= J
  int exchangedFirst, exchangedSecond;  ///< of I < J
  int density;                          ///< first density component; the second follows it
};

__device__ inline ComponentRecipe recipeOf(int component) {
  switch (component) {
    case 0:
      return {0, 1, 0, 2, 0};  // LL: x1 LL + x2 SS
    case 1:
      return {2, 7, 1, 7, 0};  // SS: x3 LL + x8 SS
    case 2:
      return {4, 3, 4, 5, 2};  // RS: x5 RS + x4 SR
    default:
      return {5, 6, 3, 6, 2};  // SR: x6 RS + x7 SR
  }
}

/// The two products of one output element (component, I) with pair J; d: the two density components of J.
__device__ inline void elementPair(const ComponentRecipe& recipe, const SuperMatrixSlab& slab, std::int64_t i,
                                   std::int64_t j, double& first, double& second) {
  const bool own = i >= j;
  const std::int64_t t = own ? slab.place(i, j) : slab.place(j, i);
  first = slab.matrix(own ? recipe.first : recipe.exchangedFirst)[t];
  second = slab.matrix(own ? recipe.second : recipe.exchangedSecond)[t];
}

}  // namespace prophet::cuda
