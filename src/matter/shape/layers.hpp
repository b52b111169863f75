#pragma once
#include <complex>
#include <limits>
#include <vector>

namespace prophet {

/// What a wave meets: the refractive index is n = 1 - delta + i beta.
struct Medium {
  double delta = 0, beta = 0;

  bool isVacuum() const { return delta == 0 && beta == 0; }
};

/// From scattering factors f1 and f2 (electrons) of a formula unit with `molarMass` (g/mol): r_e lambda^2 n
/// (f1, f2)/(2 pi), n formula units in a volume; wavelength in angstrom, density in g/cm^3. Throws Error for
/// numbers that are not above 0 (f2: below 0).
Medium mediumOf(double f1, double f2, double density, double molarMass, double wavelength);

/// n^2 of one medium less n^2 of another, without loss of digits.
std::complex<double> contrast(const Medium& body, const Medium& around);

/// A layer; lengths in angstrom.
struct Film {
  Medium medium;
  double thickness = std::numeric_limits<double>::infinity();  ///< the last one, the substrate, has no end
  double roughness = 0;  ///< standard deviation of the height of its upper interface
};

/// The wave in one layer: psi(z) = down exp(-i kz (z - top)) + up exp(i kz (z - bottom)), where the incoming
/// wave has the amplitude 1 at z = 0; both exponentials decay from where they begin.
struct LayerWave {
  std::complex<double> kz, down, up;
  double top = 0, bottom = 0;

  std::complex<double> downAt(double z) const {
    return down * std::exp(std::complex<double>(0, -(z - top)) * kz);
  }
  std::complex<double> upAt(double z) const {
    return up * std::exp(std::complex<double>(0, z - bottom) * kz);
  }
};

/// Layers below vacuum, which fills z > 0, from the top. Layer 0 is the vacuum.
class LayerStack {
 public:
  LayerStack() = default;
  /// Throws Error for a thickness that is not above 0 (or of the last layer not without end), roughness below
  /// 0, or delta and beta out of range.
  explicit LayerStack(std::vector<Film> films);

  int size() const { return static_cast<int>(films_.size()) + 1; }
  /// Whether it is nothing but vacuum.
  bool isBare() const;
  Medium medium(int layer) const { return layer == 0 ? Medium{} : films_[index(layer)].medium; }
  double top(int layer) const;
  double bottom(int layer) const;
  /// The layers in which a body from `low` to `high` lies, from the top: several where interfaces cut it.
  std::vector<int> layersOf(double low, double high) const;

  /// Waves in all layers for the wave number k (1/angstrom) and the angle alpha (radians, 0 or more; any if
  /// bare) in vacuum. L. G. Parratt's recursion, Phys. Rev. 95, 359 (1954), from the substrate upwards, then
  /// the amplitudes downwards; an interface of roughness sigma has the coefficients of L. Nevot and P. Croce,
  /// Rev. Phys. Appl. 15, 761 (1980): r exp(-2 k k' sigma^2), t exp((k - k')^2 sigma^2/2).
  std::vector<LayerWave> waves(double k, double alpha) const;

 private:
  static std::size_t index(int layer) { return static_cast<std::size_t>(layer) - 1; }

  std::vector<Film> films_;
  std::vector<double> tops_;  ///< z of the films' upper interfaces
};

/// Fresnel's coefficient of reflection of a substrate at an angle alpha >= 0 (radians) to the surface: (k_z -
/// k_z')/(k_z + k_z') with k_z = k sin alpha and k_z' = k sqrt(n^2 - cos^2 alpha) below.
std::complex<double> reflection(const Medium& substrate, double alpha);

}  // namespace prophet
