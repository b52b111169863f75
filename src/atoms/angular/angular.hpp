#pragma once
#include <vector>

#include "atoms/atom/symmetry.hpp"

namespace prophet {

/// Wigner 3j symbol (j1 j2 j3; m1 m2 m3), every argument given as twice its value. Zero if a selection
/// rule fails. Racah's formula in extended precision: relative error below 1e-14 for j up to 20. Source:
/// Varshalovich et al., Quantum Theory of Angular Momentum (1988), section 8.2.
double wigner3j(int twoJ1, int twoJ2, int twoJ3, int twoM1, int twoM2, int twoM3);

/// One multipole of the Coulomb exchange between two symmetries.
struct ExchangeTerm {
  int k = 0;
  double coefficient = 0;  ///< Lambda_k = 3j(j k j'; 1/2 0 -1/2)^2
};

/// All multipoles k with l + l' + k even and a non-zero Lambda_k, ascending in k. Symmetric in a and b.
/// Source: I. P. Grant, Relativistic Quantum Theory of Atoms and Molecules (2007), average of configuration.
std::vector<ExchangeTerm> exchangeTerms(Symmetry a, Symmetry b);

}  // namespace prophet
