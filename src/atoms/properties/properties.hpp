#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "atoms/properties/nuclear_region.hpp"
#include "atoms/properties/spinor_integrals.hpp"

namespace prophet {

constexpr int kLowestPower = -3, kHighestPower = 6;

/// <r^k> in bohr^k for k = kLowestPower .. kHighestPower; absent where the integral does not exist.
class PowerMoments {
 public:
  using Values = std::map<int, double>;
  PowerMoments() = default;
  explicit PowerMoments(Values values) : values_(std::move(values)) {}
  /// Empty where it does not exist or was not computed.
  std::optional<double> of(int k) const;
  /// Those that exist, by k.
  const Values& values() const { return values_; }

 private:
  Values values_;
};

/// <r^k> = integral of r^k (P^2 + Q^2) dr of each spinor; <r^0> = 1.
std::vector<PowerMoments> momentsOf(const SpinorIntegrals& integrals);

/// Sum over all electrons: of <r^0> their number.
PowerMoments totalMoments(const std::vector<Spinor>& spinors, const std::vector<PowerMoments>& moments);

/// Radial integrals of an open spinor's hyperfine structure, and the constants of one electron in it, in
/// units of the nucleus's moments. Point moments; first order. Lindgren & Rosen, Case Stud. At. Phys. 4, 93
/// (1974); Schwartz, Phys. Rev. 97, 380 (1955); derivation in docs/reference/properties.md.
struct HyperfineIntegrals {
  int spinor = 0;     ///< index in Result::spinors
  std::string label;  ///< "6p3/2"
  /// Integral of P Q r^-2 dr, bohr^-2.
  std::optional<double> magneticDipole;
  /// A h^-1 in MHz for mu_I/I = 1 nuclear magneton: 2 mu_N kappa/(j (j + 1)) times the integral.
  std::optional<double> magneticConstant;
  /// <r^-3>, bohr^-3; only j > 1/2 has a quadrupole.
  std::optional<double> electricQuadrupole;
  /// B h^-1 in MHz for Q = 1 barn: (2j - 1)/(2j + 2) times the integral.
  std::optional<double> quadrupoleConstant;
};

/// Integrals of all spinors that are neither full nor empty.
std::vector<HyperfineIntegrals> hyperfineIntegrals(const SpinorIntegrals& integrals);

/// Energies of the two spinors of a shell nl, hartree: epsilon(j = l + 1/2) - epsilon(j = l - 1/2).
struct SpinOrbitSplitting {
  std::string shell;  ///< "2p"
  double value = 0;
};

/// How a table of properties stands in JSON (docs/reference/json.md) and in HDF5 files
/// (docs/reference/hdf5.md).
enum class PropertyForm {
  Numbers,  ///< one row, whose numbers stand among the tables themselves
  Object,   ///< one row, as an object; in HDF5 a group with attributes
  ByLabel,  ///< an object with a number for each label; in HDF5 two datasets, `labels` and `key`
  Powers,   ///< an object of objects, by label and power of r, of which the first row is the atom's
  Rows,     ///< an array of objects with a label; in HDF5 a group with a dataset for each column
};

/// Named numbers with units, by quantum numbers: all outputs of a property are made from its table.
struct PropertyTable {
  struct Column {
    std::string key;   ///< empty: not in JSON
    std::string unit;  ///< as in HDF5 files
  };
  struct Row {
    std::string label;  ///< "2p3/2", "2p"; empty of the atom
    std::vector<std::optional<double>> values;
  };
  std::string key;
  PropertyForm form = PropertyForm::Object;
  std::vector<Column> columns{};
  std::vector<Row> rows{};
  std::string labels = "label";  ///< name of the labels in HDF5 files
  /// Lines of the text report, key and value; empty where there is nothing to print.
  std::vector<std::pair<std::string, std::string>> lines{};
};

/// What follows from a calculation beside its energy (docs/reference/properties.md). Hartree, bohr.
struct Properties {
  /// The self-consistent energy: operators of one electron (kinetic, nuclear, QED potentials) and of two
  /// (Coulomb, Breit).
  double oneElectron = 0, twoElectron = 0;
  std::vector<PowerMoments> moments;           ///< <r^k> of each spinor, as Result::spinors
  PowerMoments total;                          ///< of all electrons
  NuclearRegion nucleus;                       ///< empty of exact two-component Hamiltonians
  std::vector<SpinOrbitSplitting> splittings;  ///< of all shells with both spinors, in the order of n, then l
  std::vector<HyperfineIntegrals> hyperfine;   ///< of the open spinors; empty without small components
  std::vector<Warning> warnings;               ///< about these, beside those of the result
  std::vector<PropertyTable> tables;           ///< all of these, for output
};

/// What the producer of a table has at hand; `known`: the members of Properties before `tables`.
struct PropertySource {
  const Calculation& calculation;
  const Result& result;
  const SpinorIntegrals& integrals;
  const Properties& known;
};

/// The tables of every producer (property_tables.cpp), in the order of the outputs. A new property is a
/// producer and its row there.
std::vector<PropertyTable> propertyTables(const PropertySource& source);

/// A number of a table, by itself.
struct PropertyValue {
  std::string table, label, key, unit;
  double value;
};

/// All numbers that exist.
std::vector<PropertyValue> propertyValues(const std::vector<PropertyTable>& tables);

/// The object `properties` of docs/reference/json.md; absent numbers have no key.
nlohmann::ordered_json propertiesJson(const std::vector<PropertyTable>& tables);
/// One of its tables: an object or an array.
nlohmann::ordered_json propertyJson(const PropertyTable& table);

/// All of them, from the result of this calculation (a basis or the limit alike); densities at the nucleus
/// take as long as a second calculation in a larger basis. Throws Error if it has no wavefunction: a
/// calculation in a basis keeps it with BasisMethod::keepSpinors where it converges.
Properties propertiesOf(const Calculation& calculation, const Result& result);

/// The warnings of a result, then those of its properties.
std::vector<Warning> allWarnings(const Result& result, const Properties& properties);

std::vector<SpinOrbitSplitting> spinOrbitSplittings(const std::vector<Spinor>& spinors);

}  // namespace prophet
