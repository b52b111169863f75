#pragma once
#include <complex>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "cudaprophet/compute.hpp"
#include "cudaprophet/version.hpp"

namespace cudaprophet {

/// A value of a setting, as a text like that of the shell, or by its type. Numbers by kind: {"Na", 1}, ...
using Value = std::variant<bool, double, std::string, std::vector<double>, std::vector<std::vector<double>>,
                           std::map<std::string, double>, std::vector<std::string>>;

/// A column of a table; one of the lists is as long as the table, the others are empty.
struct Column {
  std::string key;
  std::string unit;             ///< "1": a pure number
  std::vector<double> numbers;  ///< not a number where a row has none
  std::vector<std::string> texts;
  std::vector<std::complex<double>> complex;
  std::vector<std::vector<double>> vectors;  ///< three numbers each
};

struct Table {
  std::string key;
  std::vector<Column> columns;
};

/// The result of an operation.
struct Record {
  std::string operation;
  std::map<std::string, double> numbers;  ///< the quantities that are numbers, "energy_hartree"
  std::vector<Table> tables;
  std::vector<Warning> warnings;
  std::string device;  ///< "CPU, 2 threads", "NVIDIA H200"
  double seconds = 0;
  bool ok = true;      ///< all of it was computed, converged and passed
  std::string json;    ///< all of it, as the program writes it
  std::string report;  ///< as text for reading
};

/// Where an operation runs.
struct Place {
  std::string backend = "auto";       ///< "auto", "cpu", "cuda"
  std::vector<int> devices{};         ///< numbers of GPUs; empty: all
  int threads = 0;                    ///< 0: as many as the process may use
  std::filesystem::path basisSets{};  ///< folder of the library; empty: where cudaprophet is installed
  std::filesystem::path cache{};      ///< folder for results that are used again; empty: none
};

/// Names of all operations, as `cudaprophet help` lists them.
CUDAPROPHET_API std::vector<std::string> operations();
/// Help for one of them: its settings with meanings, units, ranges and defaults. Throws Error.
CUDAPROPHET_API std::string explainOperation(const std::string& name);

/// Runs an operation with the names, defaults and checks of the shell ('_' for '-'): run("madelung",
/// {{"file", "nacl.cif"}, {"charges", std::map<std::string, double>{{"Na", 1}, {"Cl", -1}}}}).
/// Throws Error with a line "setting: message" for everything that is wrong, or if it cannot be done.
CUDAPROPHET_API Record run(const std::string& operation, const std::map<std::string, Value>& settings,
                           const Place& place = {});

}  // namespace cudaprophet
