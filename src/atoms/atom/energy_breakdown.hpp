#pragma once
#include <string>
#include <vector>

#include "atoms/atom/hamiltonian.hpp"

namespace prophet {

/// What a part of an energy comes from.
enum class EnergyPartId {
  Kinetic,  ///< c alpha.p + (beta - 1) c^2
  NuclearAttraction,
  ElectronRepulsion,   ///< Coulomb, direct and exchange
  Gaunt,               ///< magnetic part of the Breit interaction
  BreitGauge,          ///< the rest of the Breit interaction
  VacuumPolarisation,  ///< Uehling
  KallenSabry,
  WichmannKroll,
  SelfEnergy,
  External  ///< any other one-electron operator
};

/// A kind of part with its key in JSON and its words for reports.
struct EnergyPartKind {
  EnergyPartId id;
  const char* key;
  const char* label;
};
inline constexpr EnergyPartKind kEnergyParts[] = {
    {EnergyPartId::Kinetic, "kinetic", "kinetic"},
    {EnergyPartId::NuclearAttraction, "nuclear", "nuclear attraction"},
    {EnergyPartId::ElectronRepulsion, "two_electron", "electron repulsion"},
    {EnergyPartId::Gaunt, "gaunt", "Gaunt"},
    {EnergyPartId::BreitGauge, "breit_gauge", "Breit gauge"},
    {EnergyPartId::VacuumPolarisation, "vacuum_polarisation", "vacuum polarisation"},
    {EnergyPartId::KallenSabry, "kallen_sabry", "Kallen-Sabry"},
    {EnergyPartId::WichmannKroll, "wichmann_kroll", "Wichmann-Kroll"},
    {EnergyPartId::SelfEnergy, "self_energy", "self-energy"},
    {EnergyPartId::External, "external", "external potential"},
};

/// Key in JSON: "kinetic", "nuclear", "two_electron", "gaunt", "breit_gauge", "vacuum_polarisation", ...
const char* keyOf(EnergyPartId id);
/// Words for reports: "kinetic", "nuclear attraction", "electron repulsion", "Gaunt", ...
const char* labelOf(EnergyPartId id);
/// Whether it belongs to the Breit interaction, or to QED.
bool isBreit(EnergyPartId id);
bool isQed(EnergyPartId id);

/// One part of an energy, hartree.
struct EnergyPart {
  EnergyPartId id = EnergyPartId::Kinetic;
  double value = 0;
  Treatment treatment = Treatment::SelfConsistent;  ///< first order: not in the self-consistent energy
};

/// An energy and its parts, hartree. The self-consistent parts add up to `total`, all parts to
/// withCorrections(); every part stands there once.
struct EnergyBreakdown {
  double total = 0;  ///< of the self-consistent field
  std::vector<EnergyPart> parts;

  /// A part's value, 0 if there is none of this kind.
  double value(EnergyPartId id) const;
  bool has(EnergyPartId id) const { return find(id) != nullptr; }
  /// nullptr if there is none of this kind.
  const EnergyPart* find(EnergyPartId id) const;
  /// Sum of what is of first order.
  double firstOrder() const;
  /// The self-consistent energy and what is of first order.
  double withCorrections() const { return total + firstOrder(); }
  /// Whether any part is beyond the Dirac-Coulomb Hamiltonian.
  bool hasCorrections() const;

  void add(EnergyPartId id, double value, Treatment treatment = Treatment::SelfConsistent) {
    parts.push_back({id, value, treatment});
  }
  /// Adds the parts of a Breit interaction. Those of a self-consistent field, which the repulsion contained
  /// so far, are subtracted from it.
  void addBreit(const std::vector<EnergyPart>& breit);
};

/// Kinetic, nuclear and two-electron energy, in this order, and their sum.
EnergyBreakdown coulombBreakdown(double kinetic, double nuclear, double repulsion);

}  // namespace prophet
