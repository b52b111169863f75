#pragma once
#include <optional>

namespace prophet {

/// The moments of a nucleus that hyperfine constants are stated for.
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

/// Spin and moments of an isotope in its ground state (src/data/nuclear-moments.csv, N. J. Stone, 2019 and
/// 2021). Nothing in it where the table has none, as of nuclei without spin.
NuclearMoments nuclearMoments(int z, int massNumber);

}  // namespace prophet
