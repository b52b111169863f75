#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "operations/tables/species_tables.hpp"

namespace prophet {

/// Tables that an earlier run wrote as HDF5, from which species are taken instead of being computed.
class TablesData {
 public:
  /// Throws Error for a file that is none of `tables`.
  explicit TablesData(const std::string& path);

  /// The values of a request with those of the file's settings that it does not name: grids, fits, the
  /// method, but not `by`. Throws Error where it names others than the file has; `by` and `powers` may be
  /// fewer.
  Json completed(const Json& values) const;

  /// Empty where the file does not have all tables that are asked for, on their grids and for their groups of
  /// subshells. A species without a configuration is found by its charge, whatever it is called.
  std::optional<SpeciesTables> of(const Species& species, const TablesRequest& request) const;

 private:
  std::string path_;
  Json head_;
  std::vector<Table> tables_;
};

/// The file that `data` names; `basisSets`: folder of the collections, where the shipped one lies.
std::string tablesDataFile(const std::string& data, const std::filesystem::path& basisSets);

/// A record as recordHdf5 writes it, but compressed, with ten digits of numbers and two of errors, which are
/// rounded up; without device and seconds.
std::string compactTablesHdf5(const Record& record);

}  // namespace prophet
