#include <limits>

#include "atoms/properties/properties.hpp"
#include "operations/result_file/layout.hpp"

namespace prophet::hdf5 {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Adds <r^k> of all powers in order; nan where one does not exist.
void append(const PowerMoments& moments, std::vector<double>& row) {
  for (int k = kLowestPower; k <= kHighestPower; ++k) row.push_back(moments.of(k).value_or(kNone));
}

void setIfThere(Group& group, const char* name, const std::optional<double>& value) {
  if (value) group.set(name, *value);
}

void writeMoments(Group& group, const Properties& p) {
  std::vector<int> powers;
  for (int k = kLowestPower; k <= kHighestPower; ++k) powers.push_back(k);
  std::vector<double> rows, total;
  for (const PowerMoments& m : p.moments) append(m, rows);
  append(p.total, total);
  group.write("powers", powers);
  group.write("moments", rows, "bohr^k", p.moments.size());
  group.write("total_moments", total, "bohr^k");
}

void writeSplittings(Group& group, const std::vector<SpinOrbitSplitting>& splittings) {
  std::vector<std::string> shells;
  std::vector<double> values;
  for (const SpinOrbitSplitting& s : splittings) {
    shells.push_back(s.shell);
    values.push_back(s.value);
  }
  group.write("spin_orbit_shells", shells);
  group.write("spin_orbit_splittings", values, "hartree");
}

void writeHyperfine(Group group, const std::vector<HyperfineIntegrals>& list) {
  std::vector<std::string> labels;
  std::vector<double> dipole, dipoleConstant, quadrupole, quadrupoleConstant;
  for (const HyperfineIntegrals& h : list) {
    labels.push_back(h.label);
    dipole.push_back(h.magneticDipole.value_or(kNone));
    dipoleConstant.push_back(h.magneticConstant.value_or(kNone));
    quadrupole.push_back(h.electricQuadrupole.value_or(kNone));
    quadrupoleConstant.push_back(h.quadrupoleConstant.value_or(kNone));
  }
  group.write("label", labels);
  group.write("magnetic_dipole", dipole, "bohr^-2");
  group.write("a_mhz", dipoleConstant, "MHz");
  group.write("electric_quadrupole", quadrupole, "bohr^-3");
  group.write("b_mhz", quadrupoleConstant, "MHz");
}

}  // namespace

void writeProperties(Group& group, const Properties& p) {
  group.set("one_electron_energy", p.oneElectron);
  group.set("two_electron_energy", p.twoElectron);
  Group nucleus = group.create("nucleus");
  setIfThere(nucleus, "density", p.nucleus.density);
  setIfThere(nucleus, "mean_density", p.nucleus.meanDensity);
  setIfThere(nucleus, "potential", p.nucleus.potential);
  setIfThere(nucleus, "mean_potential", p.nucleus.meanPotential);
  setIfThere(nucleus, "energy_slope", p.nucleus.energySlope);
  setIfThere(nucleus, "density_error", p.nucleus.densityError);
  setIfThere(nucleus, "mean_density_error", p.nucleus.meanDensityError);
  setIfThere(nucleus, "energy_slope_error", p.nucleus.energySlopeError);
  writeMoments(group, p);
  writeSplittings(group, p.splittings);
  if (!p.hyperfine.empty()) writeHyperfine(group.create("hyperfine"), p.hyperfine);
}

}  // namespace prophet::hdf5
