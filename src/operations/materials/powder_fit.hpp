#pragma once
#include <limits>
#include <string>
#include <vector>

#include "matter/powder/cylinder_absorption.hpp"
#include "matter/powder/pattern_fit.hpp"
#include "operations/record/record.hpp"
#include "operations/request/request_table.hpp"

namespace prophet {

/// What is asked of a fit to a measured pattern.
struct PowderFitRequest {
  std::string against;  ///< file; empty: no fit
  std::vector<std::string> mixture;
  PatternAxis axis = PatternAxis::Q;
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
  bool equalWeights = false;
  int background = 3;
  std::vector<PatternParameter> refined{kLattice, kB};
  PatternParameters start = idealPattern();
  Polarisation polarisation = Polarisation::None;
  double monochromator = 0;  ///< degrees
  double absorption = 0;     ///< mu R
};

/// Reads "lattice,b" or ["lattice", "b"]; "none" is none. Throws Error for other names, and one given twice.
std::vector<PatternParameter> refinedOf(const Json& names);
/// Reads {"b": 0.5}. Throws Error for other names, and for a lattice beyond kLargestStrain.
PatternParameters startOf(const Json& values);
/// What must hold between them. Throws SettingError.
void requireFit(const PowderFitRequest& request, double wavelength);

/// Adds the settings.
template <class Request>
void addPowderFitSettings(RequestTable<Request>& t) {
  using R = PowderFitRequest;
  t.add("against", &R::against,
        "fit the pattern to the measured one in this file: columns q or 2 theta, intensity and, if known, "
        "standard deviation")
      .isFile(FileUse::Read)
      .often();
  t.add("axis", &R::axis, Names<PatternAxis>{{"q", PatternAxis::Q}, {"two_theta", PatternAxis::TwoTheta}},
        "first column of the measured pattern: q in 1/angstrom, or 2 theta in degrees")
      .onlyWith({"against"})
      .often();
  t.add("from", &R::from, "smallest q or 2 theta of the measured pattern that is fitted")
      .onlyWith({"against"})
      .often();
  t.add("to", &R::to, "largest q or 2 theta of the measured pattern that is fitted")
      .onlyWith({"against"})
      .often();
  t.add("weights", &R::equalWeights, Names<bool>{{"counts", false}, {"equal", true}},
        "of a measured pattern without standard deviations: those of counts (1/intensity), or equal ones")
      .onlyWith({"against"});
  t.add("refine", ValueType::Texts,
        "parameters that are refined besides scales and background, with commas: lattice (a factor of all "
        "distances), b (angstrom^2), zero (of q or 2 theta), u, v, w (resolution); or none",
        [](Request& r, const Json& v) { r.refined = refinedOf(v); })
      .called("NAMES")
      .byDefault("lattice,b")
      .onlyWith({"against"})
      .often();
  t.add("start", ValueType::ByKind,
        "values of these parameters, lattice=1.002,w=0.001: where the search begins, or fixed",
        [](Request& r, const Json& v) { r.start = startOf(v); })
      .called("NAME=VALUE,...")
      .byDefault("lattice=1, the others 0")
      .onlyWith({"against"});
  t.add("background", &R::background, "degree of the polynomial background; -1: no background")
      .from(-1, 20)
      .byDefault("3")
      .onlyWith({"against"})
      .often();
  t.add("mixture", &R::mixture,
        "further files of atoms, each with a scale of its own: a distribution of sizes, or several phases")
      .called("FILE")
      .onlyWith({"against"})
      .often();
  t.add("polarisation", &R::polarisation,
        Names<Polarisation>{{"none", Polarisation::None}, {"unpolarised", Polarisation::Unpolarised}},
        "multiply the pattern by the polarisation factor of unpolarised X-rays (needs the wavelength)")
      .onlyWith({"against"});
  t.add("monochromator", &R::monochromator, "angle 2 theta of the monochromator; 0: there is none")
      .in("degree")
      .from(0, 180)
      .onlyWith({"polarisation"});
  t.add("absorption", &R::absorption,
        "multiply the pattern by the absorption factor of a cylinder in the beam (a capillary): the linear "
        "coefficient of absorption times the radius (needs the wavelength)")
      .called("MU_R")
      .from(0, kLargestAbsorption)
      .byDefault("0")
      .onlyWith({"against"});
}

/// The fit as the operation's settings have it.
PatternFitOptions fitOptions(const PowderFitRequest& request, double wavelength,
                             const std::map<std::string, double>& bFactors, const Checkpoint& checkpoint);

/// The measured pattern with weights. Throws SettingError.
MeasuredPattern measuredOf(const PowderFitRequest& request);

/// The tables of a fit: the pattern, the parameters, and the components. `wavelength` 0: without angles.
std::vector<Table> patternFitTables(double wavelength, const MeasuredPattern& measured,
                                    const std::vector<PatternComponent>& components, const PatternFit& fit);

/// The table of the pattern, which is the first one; parameters, components, figures of merit, warnings.
void addPatternFit(const PowderFitRequest& request, double wavelength, const MeasuredPattern& measured,
                   const std::vector<PatternComponent>& components, const PatternFit& fit, Record& record);

}  // namespace prophet
