#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/nucleus.hpp"

namespace prophet {

/// A number of a made nucleus; `key`: in JSON and in HDF5 files.
struct NuclearParameter {
  const char* key;
  double Nucleus::*value;
};

/// A number by which a user may say how a charge is distributed.
struct NuclearKeyword {
  const char* keyword;                           ///< of the group $nuc
  const char* name;                              ///< "skin thickness"
  std::optional<double> NucleusRequest::*given;  ///< where a request has it
  std::function<double(const Nucleus&)> of;      ///< what it is of a made nucleus
  std::optional<double> usual = std::nullopt;    ///< what it is where nothing is given
  bool size = !usual.has_value();                ///< whether the rms radius follows from it
};

/// A density with integral 1 over space, bohr^-3, and radii (ascending, first 0) between which it is smooth
/// on the scale of the interval; it is negligible or zero beyond the last.
struct UnitDensity {
  std::function<double(double)> value;
  std::vector<double> panels;
};

/// A model of the charge distribution of nuclei: one row of nuclearCharges(), which is all that the program
/// knows of it. Whoever needs more than a Nucleus's members asks here.
class NuclearCharge {
 public:
  const NuclearModel model;
  const std::string name;
  const std::vector<NuclearParameter> parameters;
  const std::vector<NuclearKeyword> keywords;

  virtual ~NuclearCharge() = default;

  // See the members of Nucleus of the same names.
  virtual double potential(const Nucleus& nucleus, double r) const;
  virtual double chargeDensity(const Nucleus&, double) const { return 0; }
  virtual double potentialSlope(const Nucleus&, double) const { return 0; }
  virtual std::optional<NuclearAttraction> attraction(const Nucleus&) const { return std::nullopt; }
  virtual std::optional<NuclearSurface> surface(const Nucleus&) const { return std::nullopt; }

  /// Throws Error for a point, which has none.
  virtual UnitDensity unitDensity(const Nucleus& nucleus) const;
  /// The rms radius that the keywords of the request give, bohr; empty where they give none.
  virtual std::optional<double> rmsOf(const NucleusRequest&) const { return std::nullopt; }
  /// Sets the parameters of a nucleus whose charge and rms radius are known. Throws Error where they cannot
  /// be.
  virtual void complete(const NucleusRequest&, Nucleus&) const {}
  /// The parameters as Nucleus::description() ends.
  virtual std::string describe(const Nucleus&) const { return ""; }

 protected:
  NuclearCharge(NuclearModel id, std::string called, std::vector<NuclearParameter> numbers = {},
                std::vector<NuclearKeyword> words = {})
      : model(id), name(std::move(called)), parameters(std::move(numbers)), keywords(std::move(words)) {}
};

/// The models, by their numbers in the input language.
const std::vector<const NuclearCharge*>& nuclearCharges();

/// Throws Error where there is no such model.
const NuclearCharge& chargeOf(NuclearModel model);

/// The parameters of every model, in the order of the models.
std::vector<NuclearParameter> allNuclearParameters();

/// Numbers of the models that have a size: "2, 3 and 4".
std::string numbersOfExtended(const char* last = "and");

/// The Fermi distribution f(s) = 1/(1 + exp(s - y)) on s >= 0, in units of its skin parameter a: s = r/a,
/// y = c/a >= 0. Closed forms as in Parpia & Mohanty, Phys. Rev. A 46, 3735 (1992); derivation in
/// nuclear_charge.cpp.
namespace fermi {

/// Alternating sum eta_k(u) = sum_n (-1)^(n+1) exp(-n u)/n^k = -Li_k(-exp(-u)), k = 1 .. 5, u >= 0, to
/// rounding.
double eta(int k, double u);

/// Moment integral of s^k f(s) over all s, k = 2 (the norm) or 4.
double moment(int k, double y);

/// [Q(x) + x T(x)] / (x moment(2, y)) with Q = integral of s^2 f from 0 to x, T = integral of s f from x to
/// infinity: -V(r) a/Z at r = a x. To rounding for every x > 0, the limit x -> 0 included.
double reducedPotential(double x, double y);

/// Derivative of reducedPotential with respect to y; rounding only, but for x below 1e-3, where its absolute
/// error grows as 1e-16/x.
double reducedPotentialSlope(double x, double y);

/// Derivative of the mean square radius moment(4, y)/moment(2, y) with respect to y.
double meanSquareSlope(double y);

/// Smallest rms radius in units of a that a distribution with c >= 0 can have (the one with c = 0).
double smallestRms();

/// y = c/a of the distribution with this rms radius in units of a; needs rms >= smallestRms().
double halfDensityRadius(double rms);

}  // namespace fermi
}  // namespace prophet
