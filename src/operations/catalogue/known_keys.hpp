#pragma once
// What the files of results may hold: keys of JSON and columns of CSV.
#include <memory>
#include <string>
#include <vector>

#include "operations/record/record.hpp"

namespace prophet {

/// The keys that JSON of an operation may have: the columns of its tables and the rows of
/// src/data/json-meanings.csv. Below a key of which these name no others everything may stand.
class KnownKeys {
 public:
  /// `operation`: its name, "batch" for a line of a batch; of others only what all outputs have is known.
  explicit KnownKeys(const std::string& operation);
  ~KnownKeys();
  KnownKeys(KnownKeys&&) noexcept;
  /// Refuses keys of any depth that are none of these, because one that is misspelt would be read as if it
  /// were not there. Throws Error, "a.json: orbitals: unknown key 'energgy'; did you mean 'energy'?".
  void require(const Json& json, const std::string& place) const;

 private:
  struct Tree;
  std::unique_ptr<const Tree> tree_;
};

/// The same of the names of columns in a CSV of an operation.
void requireKnownColumns(const std::vector<std::string>& names, const std::string& operation,
                         const std::string& place);

}  // namespace prophet
