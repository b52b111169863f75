#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "operations/tables/species_tables.hpp"

namespace prophet {

/// Files of another program that are made of tables. A new one is a row of tableFormats().
struct TableFormat {
  using Files = std::vector<std::pair<std::string, std::string>>;  ///< names and contents
  std::string name;
  std::string description;  ///< one line: what reads it
  bool folder = false;      ///< whether there are several files, in a folder
  /// Gives a request the tables and grids that the files hold.
  std::function<void(TablesRequest&)> prepare;
  /// Makes the files of species that have tables. The name of a single file is left empty.
  std::function<Files(const std::vector<const SpeciesTables*>& species)> files;
};

const std::vector<TableFormat>& tableFormats();
/// Throws Error, which lists all.
const TableFormat& tableFormatNamed(const std::string& name);

}  // namespace prophet
