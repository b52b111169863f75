#include "matter/shape/layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

using LayerComplex = std::complex<double>;

constexpr double kElectronRadius = 2.8179403205e-5;  // angstrom, CODATA 2022
constexpr double kAvogadro = 0.602214076;            // formula units in angstrom^3 for g/cm^3 over g/mol

/// k_z/k in a medium below vacuum: n^2 - cos^2 = sin^2 - (1 - n^2), which loses no digits at grazing angles.
LayerComplex steepness(const Medium& medium, double sine) {
  if (medium.isVacuum()) return sine;
  LayerComplex below = std::sqrt(sine * sine + contrast(medium, {}));
  return below.imag() < 0 ? -below : below;
}

/// Reflection and transmission of an interface.
struct Interface {
  LayerComplex r, t;
};

constexpr double kThickest = 1e9;  // angstrom

Interface interfaceOf(LayerComplex above, LayerComplex below, double roughness) {
  const LayerComplex sum = above + below;
  if (sum == 0.0) return {0, 1};
  const double variance = roughness * roughness;
  const Interface both{(above - below) / sum * std::exp(-2 * variance * above * below),
                       2.0 * above / sum * std::exp(0.5 * variance * (above - below) * (above - below))};
  if (!std::isfinite(std::abs(both.r)) || !std::isfinite(std::abs(both.t)))
    throw Error(
        fmt::format("a roughness of {:g} angstrom is too large for reflection and transmission by Nevot "
                    "and Croce, which hold where it is small against the waves across the interface",
                    roughness));
  return both;
}

}  // namespace

Medium mediumOf(double f1, double f2, double density, double molarMass, double wavelength) {
  if (!(f1 > 0 && f2 >= 0 && density > 0 && molarMass > 0 && wavelength > 0))
    throw Error("a material needs f1, density (g/cm^3) and mass (g/mol) above 0, and f2 from 0 on");
  const double scale =
      kElectronRadius * wavelength * wavelength / (2 * constants::kPi) * kAvogadro * density / molarMass;
  const Medium medium{scale * f1, scale * f2};
  if (!(medium.delta < 0.5 && medium.beta < 0.5))
    throw Error(fmt::format("delta and beta are below 0.5; f1, f2, density and mass make them {:g} and {:g}",
                            medium.delta, medium.beta));
  return medium;
}

LayerComplex contrast(const Medium& body, const Medium& around) {
  const LayerComplex b(body.delta, -body.beta), a(around.delta, -around.beta);  // 1 - n
  return (a - b) * (2.0 - a - b);
}

LayerStack::LayerStack(std::vector<Film> films) : films_(std::move(films)) {
  double z = 0;
  for (std::size_t i = 0; i < films_.size(); ++i) {
    const Film& f = films_[i];
    const bool last = i + 1 == films_.size();
    if (!(f.thickness > 0) || (std::isfinite(f.thickness) && f.thickness >= kThickest))
      throw Error(fmt::format("the thickness of layer {} is not above 0 and below 1e9 angstrom", i + 1));
    if (last == std::isfinite(f.thickness))
      throw Error(last ? "the last layer is the substrate and has no thickness"
                       : fmt::format("layer {} needs a thickness; only the last one, the substrate, has none",
                                     i + 1));
    if (!(f.roughness >= 0 && f.roughness < kThickest))
      throw Error(fmt::format("the roughness of layer {} is not 0 or more and below 1e9 angstrom", i + 1));
    if (!(std::abs(f.medium.delta) < 0.5 && f.medium.beta >= 0 && f.medium.beta < 0.5))
      throw Error("delta lies between -0.5 and 0.5, beta from 0 to 0.5");
    tops_.push_back(z);
    z -= f.thickness;
  }
}

bool LayerStack::isBare() const {
  for (const Film& f : films_)
    if (!f.medium.isVacuum()) return false;
  return true;
}

double LayerStack::top(int layer) const {
  return layer == 0 ? std::numeric_limits<double>::infinity() : tops_[index(layer)];
}

double LayerStack::bottom(int layer) const {
  return layer + 1 == size() ? -std::numeric_limits<double>::infinity() : tops_[index(layer + 1)];
}

std::vector<int> LayerStack::layersOf(double low, double high) const {
  if (isBare()) return {0};
  // Bodies that stand on an interface touch it to rounding.
  const double slack = 1e-9 * (high - low + std::abs(low) + std::abs(high));
  std::vector<int> layers;
  for (int layer = 0; layer < size(); ++layer)
    if (std::min(high, top(layer)) - std::max(low, bottom(layer)) > slack) layers.push_back(layer);
  if (layers.empty()) throw Error("a body lies in no layer");
  return layers;
}

std::vector<LayerWave> LayerStack::waves(double k, double alpha) const {
  const double sine = std::sin(alpha);
  const auto count = static_cast<std::size_t>(size());
  std::vector<LayerWave> waves(count);
  waves[0].kz = k * sine;
  waves[0].down = 1;
  if (isBare()) {
    for (LayerWave& w : waves) w = waves[0];
    return waves;
  }
  std::vector<Interface> interfaces(count - 1);
  std::vector<LayerComplex> crossing(count, 1.0);  // exp(i kz d)
  for (std::size_t j = 1; j < count; ++j) {
    LayerWave& w = waves[j];
    w.kz = k * steepness(films_[j - 1].medium, sine);
    w.top = tops_[j - 1];
    w.bottom = j + 1 < count ? tops_[j] : w.top;
    if (j + 1 < count) crossing[j] = std::exp(LayerComplex(0, films_[j - 1].thickness) * w.kz);
    interfaces[j - 1] = interfaceOf(waves[j - 1].kz, w.kz, films_[j - 1].roughness);
  }
  // Ratios of the waves that go up and down, at the bottom and at the top of each layer.
  std::vector<LayerComplex> atBottom(count, 0.0), atTop(count, 0.0);
  for (std::size_t j = count - 1; j-- > 0;) {
    const LayerComplex r = interfaces[j].r, below = atTop[j + 1];
    atBottom[j] = (r + below) / (1.0 + r * below);
    atTop[j] = atBottom[j] * crossing[j] * crossing[j];
  }
  waves[0].up = atBottom[0];
  for (std::size_t j = 1; j < count; ++j) {
    const Interface& above = interfaces[j - 1];
    waves[j].down = waves[j - 1].down * crossing[j - 1] * above.t / (1.0 + above.r * atTop[j]);
    waves[j].up = waves[j].down * crossing[j] * atBottom[j];
  }
  return waves;
}

LayerComplex reflection(const Medium& substrate, double alpha) {
  Film film;
  film.medium = substrate;
  return LayerStack({film}).waves(1, alpha)[0].up;
}

}  // namespace prophet
