#pragma once
#include <fmt/format.h>

#include <string>

namespace prophet {

/// Exponents (bohr^-2) outside of these belong to no atom: the functions reach beyond 1e6 bohr or lie within
/// 1e-12 bohr, and powers of the exponents leave the range in which integrals are exact.
inline constexpr double kSmallestExponent = 1e-12, kLargestExponent = 1e25;

/// False for what is not a number, too.
inline bool isUsableExponent(double zeta) { return zeta >= kSmallestExponent && zeta <= kLargestExponent; }

/// "a number from 1e-12 to 1e+25".
inline std::string expectedExponent() {
  return fmt::format("a number from {:.0e} to {:.0e}", kSmallestExponent, kLargestExponent);
}

}  // namespace prophet
