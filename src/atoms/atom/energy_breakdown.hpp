#pragma once
#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/symmetry.hpp"

namespace prophet {

/// What a part of an energy comes from.
enum class EnergyPartId {
  Kinetic,  ///< c alpha.p + (beta - 1) c^2
  NuclearAttraction,
  ElectronRepulsion,    ///< Coulomb, direct and exchange
  ExchangeCorrelation,  ///< of a density functional
  Gaunt,                ///< magnetic part of the Breit interaction
  BreitGauge,           ///< the rest of the Breit interaction
  VacuumPolarisation,   ///< Uehling
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
    {EnergyPartId::ExchangeCorrelation, "exchange_correlation", "exchange-correlation"},
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

/// A spherical one-electron operator, local in r, that may depend on kappa and may couple the components:
///   <a|V|a> = integral [local (P^2 + Q^2) + 2 coupling P Q] dr,  local = sum_i factor_i(kappa)
///   function_i(r).
/// Hartree, bohr.
struct RadialOperator {
  struct Part {
    std::function<double(double)> function;
    std::function<double(Symmetry)> factor;  ///< empty: 1 for all
  };
  EnergyPartId part = EnergyPartId::External;  ///< which part of the energy its expectation value is
  std::vector<Part> parts;
  std::function<double(double)> coupling;  ///< may be empty
};

/// Values of an operator at given radii.
class SampledOperator {
 public:
  SampledOperator(const RadialOperator& radial, const Eigen::VectorXd& radii);
  Eigen::VectorXd local(Symmetry symmetry) const;
  /// Empty if the operator does not couple the components.
  const Eigen::VectorXd& coupling() const { return coupling_; }

 private:
  std::vector<std::function<double(Symmetry)>> factors_;
  Eigen::MatrixXd parts_;  ///< radii x parts
  Eigen::VectorXd coupling_;
};

/// Potential energy of an electron in a charged shell, hartree.
inline double potential(const ChargedShell& shell, double r) {
  return -shell.charge / (r < shell.radius ? shell.radius : r);
}

/// The same as an operator of the part EnergyPartId::External.
inline RadialOperator shellOperator(const ChargedShell& shell) {
  return {EnergyPartId::External, {{[shell](double r) { return potential(shell, r); }, {}}}, {}};
}

}  // namespace prophet
