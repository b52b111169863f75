#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "atoms/atom/hamiltonian.hpp"
#include "operations/materials/species_settings.hpp"
#include "operations/request/request_table.hpp"

namespace prophet {

/// What tables are made of; the names are the values of `what`.
enum class TableTopic { Binding, Kinetic, Moments, Compton, Magnetic, Incoherent, XrayFactor, Beb };
/// How subshells are taken together.
enum class ShellLevel { J, Nl, Atom };
enum class BindingMethod { Koopmans, DeltaScf };
/// "koopmans", "delta-scf".
template <>
const Names<BindingMethod>& namesOf();

/// The name of the tables that are installed with the program, where a file is expected.
inline constexpr const char* kShippedTables = "shipped";

struct TableFormat;  // operations/tables/table_formats.hpp

struct TablesRequest : SpeciesSettings {
  std::string batch, batchCharges;  ///< in the place of species; empty: none
  std::vector<TableTopic> what{TableTopic::Binding, TableTopic::Kinetic};
  std::vector<ShellLevel> by{};  ///< empty: as each table has it
  std::vector<int> powers{};     ///< k of <r^k>
  Eigen::VectorXd p;             ///< of Compton profiles, 1/bohr; empty: those of Biggs
  Eigen::VectorXd q;             ///< of S and form factors, 1/angstrom
  Eigen::VectorXd s;             ///< sin(theta)/lambda of magnetic form factors, 1/angstrom
  int fit = 0;                   ///< Gaussians of fits to <j_k>; 0: none
  double largestS = 1.5;         ///< of the fits, 1/angstrom
  std::string shells;            ///< of magnetic form factors, "3d 4s"; empty: the open ones
  Eigen::VectorXd energies;      ///< of electrons that ionise, eV; empty: none
  bool experiment = false;       ///< B of the outermost shell from experiment
  BindingMethod binding = BindingMethod::Koopmans;
  TwoElectronOperator repulsion = TwoElectronOperator::Coulomb;
  bool qed = false, selfConsistent = false;
  OneElectronOperator hamiltonian = OneElectronOperator::Dirac;
  const TableFormat* format = nullptr;
  std::string to;    ///< file or folder of the format
  std::string data;  ///< file of an earlier run; kShippedTables: that of the program; empty: none
  std::string hdf5;  ///< file of all tables; empty: none
  bool resume = false;
  bool compact = false;  ///< hdf5 with fewer digits, compressed

  bool wants(TableTopic topic) const;
  /// The levels of a table.
  std::vector<ShellLevel> levelsOf(TableTopic topic) const;
  /// Whether spinors are those of the numerical limit: <r^k> of k from 4 on needs them.
  bool atLimit() const;
};

RequestTable<TablesRequest> tablesRequestTable();

}  // namespace prophet
