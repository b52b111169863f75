#pragma once
#include <optional>

#include "operations/request/request_table.hpp"

namespace prophet {

/// The moments of a nucleus that hyperfine constants are stated for, as people give them.
struct NuclearMoments {
  std::optional<double> moment;      ///< magnetic dipole, nuclear magnetons
  std::optional<double> spin;        ///< I
  std::optional<double> quadrupole;  ///< electric quadrupole, barn

  bool any() const { return moment || quadrupole; }
  /// A of the nucleus from that for mu_I/I = 1 nuclear magneton; empty without a moment.
  std::optional<double> magnetic(std::optional<double> perUnit) const {
    return moment && perUnit ? std::optional<double>(*perUnit * *moment / *spin) : std::nullopt;
  }
  /// B of the nucleus from that for 1 barn; empty without a moment.
  std::optional<double> electric(std::optional<double> perBarn) const {
    return quadrupole && perBarn ? std::optional<double>(*perBarn * *quadrupole) : std::nullopt;
  }
};

/// Settings of a request whose struct has the moments as a base.
template <class Request>
void addNuclearMoments(RequestTable<Request>& t) {
  constexpr double kMostMoment = 100, kMostSpin = 30;
  t.add("moment", &NuclearMoments::moment, "magnetic moment of the nucleus, for hyperfine constants A")
      .called("MU")
      .in("nuclear magnetons")
      .from(-kMostMoment, kMostMoment)
      .onlyWith({"nuclear_spin"});
  t.add("nuclear_spin", &NuclearMoments::spin, "spin I of the nucleus, 3.5")
      .called("I")
      .above(0, kMostSpin)
      .onlyWith({"moment"});
  t.add("quadrupole", &NuclearMoments::quadrupole,
        "quadrupole moment of the nucleus, for hyperfine constants B")
      .called("Q")
      .in("barn")
      .from(-kMostMoment, kMostMoment);
  t.afterwards([](const Request& r) {
    const double twice = 2 * r.spin.value_or(0.5);
    if (twice != static_cast<double>(static_cast<int>(twice)))
      throw SettingError("nuclear_spin", "found " + std::to_string(*r.spin) + "; expected 0.5, 1, 1.5, ...");
  });
}

}  // namespace prophet
