#pragma once
#include <map>
#include <optional>
#include <vector>

#include "atoms/properties/spinor_integrals.hpp"

namespace prophet {

constexpr int kLowestPower = -3, kHighestPower = 6;

/// <r^k> in bohr^k for k = kLowestPower .. kHighestPower; absent where the integral does not exist.
class PowerMoments {
 public:
  using Values = std::map<int, double>;
  PowerMoments() = default;
  explicit PowerMoments(Values values) : values_(std::move(values)) {}
  /// Empty where it does not exist or was not computed.
  std::optional<double> of(int k) const;
  /// Those that exist, by k.
  const Values& values() const { return values_; }

 private:
  Values values_;
};

/// <r^k> = integral of r^k (P^2 + Q^2) dr of each spinor; <r^0> = 1.
std::vector<PowerMoments> momentsOf(const SpinorIntegrals& integrals);

/// Sum over all electrons: of <r^0> their number.
PowerMoments totalMoments(const std::vector<Spinor>& spinors, const std::vector<PowerMoments>& moments);

}  // namespace prophet
