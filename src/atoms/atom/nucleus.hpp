#pragma once
#include <optional>
#include <string>

#include "core/common/names.hpp"

namespace prophet {

/// Nuclear charge distributions; the values are the input language's `nucmdl`.
enum class NuclearModel { Point = 1, Sphere = 2, Gaussian = 3, Fermi = 4 };

/// "point", "sphere", "Gaussian", "Fermi"; what else a model is: nuclear_charge.hpp.
template <>
const Names<NuclearModel>& namesOf();
inline std::optional<NuclearModel> nuclearModelNamed(const std::string& name) {
  return valueNamed<NuclearModel>(name);
}

/// Where a nucleus's size comes from.
enum class RadiusSource {
  Given,       ///< the user's radius, exponent or rms radius; also of a point
  Formula,     ///< defaultRms of the mass number
  Experiment,  ///< measuredRms of the isotope (nuclear_radii.hpp)
};

/// "given", "formula", "experiment".
template <>
const Names<RadiusSource>& namesOf();

/// How a nucleus attracts Gaussian functions, where there is a closed form (integrals/attraction.hpp).
/// `size`: exponent of a Gaussian charge in bohr^-2, radius of a sphere in bohr; 0 of a point.
enum class AttractionForm { Point, Gaussian, Sphere };
struct NuclearAttraction {
  AttractionForm form;
  double size;
};

/// Where a density falls from its inner value to nothing, and over which length (bohr): 0 where it jumps.
struct NuclearSurface {
  double radius, width;
};

/// A nucleus: charge, model and the model's parameters. Lengths in bohr, exponents in bohr^-2.
struct Nucleus {
  NuclearModel model = NuclearModel::Point;
  double charge = 0.0;        ///< Z
  int massNumber = 0;         ///< A; 0 if it was not needed
  double rms = 0.0;           ///< root-mean-square charge radius; 0 for a point
  double sphereRadius = 0.0;  ///< Sphere: R = sqrt(5/3) rms
  double exponent = 0.0;      ///< Gaussian: xi = 3/(2 rms^2)
  double fermiC = 0.0;        ///< Fermi: half-density radius c
  double fermiA = 0.0;        ///< Fermi: a = t/(4 ln 3)
  RadiusSource rmsSource = RadiusSource::Given;

  bool isPoint() const { return model == NuclearModel::Point; }
  /// Whether both are of one model with the same parameters; charges and rms radii may differ.
  bool hasShapeOf(const Nucleus& other) const;
  /// Whether both have the same potential.
  bool hasChargeOf(const Nucleus& other) const {
    return hasShapeOf(other) && charge == other.charge && rms == other.rms;
  }
  /// Potential energy V(r) of an electron (hartree) at r > 0 (bohr). Accurate to rounding for every model.
  double potential(double r) const;
  /// Charge density at r >= 0, elementary charges per bohr^3; its integral over space is `charge`. A point
  /// has none (0).
  double chargeDensity(double r) const;
  /// Change of `potential(r)` with the mean square radius <r^2> of the nucleus, hartree/bohr^2, the model
  /// being kept and the skin `fermiA` of a Fermi distribution too. A point has none (0).
  double potentialSlope(double r) const;
  /// Empty: there is no closed form, and the attraction is integrated.
  std::optional<NuclearAttraction> attraction() const;
  /// Empty: there is none, as of a point and of what is smooth on the scale of its size.
  std::optional<NuclearSurface> surface() const;
  /// One line: model and parameters, as the output prints it.
  std::string description() const;
};

/// What a user may say about a nucleus; what is absent is filled from the mass number (Visscher & Dyall
/// 1997).
struct NucleusRequest {
  NuclearModel model = NuclearModel::Point;
  double charge = 0.0;
  std::optional<double> radius;           ///< sphere radius in bohr
  std::optional<double> exponent;         ///< Gaussian exponent in bohr^-2
  std::optional<double> massNumber;       ///< A
  std::optional<double> rmsFemtometres;   ///< rms charge radius in fm
  std::optional<double> skinFemtometres;  ///< Fermi skin thickness t in fm (2.30)
  bool measuredRadius = false;            ///< the rms radius that was measured for this isotope
};

/// Completes a request. Throws Error if a parameter is out of range or cannot be derived (a non-integral
/// charge without rms or mass, say).
Nucleus makeNucleus(const NucleusRequest& request);

/// rms charge radius 0.836 A^(1/3) + 0.570 fm, in bohr. Source: Visscher & Dyall (1997).
double defaultRms(double massNumber);

}  // namespace prophet
