#pragma once
#include <optional>
#include <string>
#include <vector>

#include "operations/tables/species_tables.hpp"

namespace prophet {

/// Tables that an earlier run wrote as HDF5, from which species are taken instead of being computed.
class TablesData {
 public:
  /// Throws Error for a file that is none of `tables`, or whose settings are others than those of the request
  /// (`values`, as it was understood): grids, levels, fits, the method.
  TablesData(const std::string& path, const Json& values);

  /// Empty where the file does not have all tables that are asked for.
  std::optional<SpeciesTables> of(const std::string& species, const TablesRequest& request) const;

 private:
  Json head_;
  std::vector<Table> tables_;
};

}  // namespace prophet
