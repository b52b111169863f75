#pragma once
#include <optional>
#include <string>
#include <vector>

#include "atoms/properties/spinor_integrals.hpp"

namespace prophet {

/// Radial integrals of an open spinor's hyperfine structure, and the constants of one electron in it, in
/// units of the nucleus's moments. Point moments; first order. Lindgren & Rosen, Case Stud. At. Phys. 4, 93
/// (1974); Schwartz, Phys. Rev. 97, 380 (1955); derivation in docs/properties.md.
struct HyperfineIntegrals {
  int spinor = 0;     ///< index in Result::spinors
  std::string label;  ///< "6p3/2"
  /// Integral of P Q r^-2 dr, bohr^-2.
  std::optional<double> magneticDipole;
  /// A h^-1 in MHz for mu_I/I = 1 nuclear magneton: 2 mu_N kappa/(j (j + 1)) times the integral.
  std::optional<double> magneticConstant;
  /// <r^-3>, bohr^-3; only j > 1/2 has a quadrupole.
  std::optional<double> electricQuadrupole;
  /// B h^-1 in MHz for Q = 1 barn: (2j - 1)/(2j + 2) times the integral.
  std::optional<double> quadrupoleConstant;
};

/// Of all spinors that are neither full nor empty.
std::vector<HyperfineIntegrals> hyperfineIntegrals(const SpinorIntegrals& integrals);

}  // namespace prophet
