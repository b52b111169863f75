#pragma once
#include <functional>
#include <string>
#include <vector>

#include "operations/record/record.hpp"

namespace prophet {

/// A format that the shell writes records in: an option of every command, and endings of its -o. Its row
/// stands where it is written.
struct RecordFormat {
  std::string option;                ///< "csv"
  std::vector<std::string> endings;  ///< ".csv"; help lists the first
  std::string help;
  bool ofTables;            ///< only of operations that have tables, and then help lists the columns
  bool binary;              ///< no text that could go to a terminal
  std::string unavailable;  ///< why this program does not write it; empty: it does
  std::function<std::string(const Record&)> content;
};

RecordFormat csvFormat();
RecordFormat hdf5Format();
RecordFormat jsonFormat();

/// A row for each, in the order of help.
inline constexpr RecordFormat (*kRecordFormats[])() = {jsonFormat, csvFormat, hdf5Format};

}  // namespace prophet
