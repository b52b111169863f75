#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

namespace prophet {

/// A column of a table.
struct TableColumn {
  std::string name, unit;
  Eigen::VectorXd values;
};

/// Writes columns as datasets of an HDF5 file, each with the attribute `unit`, and `provenance` (JSON) as a
/// text dataset of that name, in one step. Throws Error if the file cannot be written, or without HDF5.
void writeTableFile(const std::string& path, const std::vector<TableColumn>& columns,
                    const std::string& provenance);

}  // namespace prophet
