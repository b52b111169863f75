#pragma once
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "bases/optimise/bsopt.hpp"
#include "core/common/constants.hpp"
#include "frozen_atom.hpp"

namespace prophet::test {

/// An empty folder of its own, removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "prophet-optimise-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline Nucleus gaussianNucleus(int z) { return nucleusOf(z, NuclearModel::Gaussian); }

/// bsopt of a neutral atom from the set printed in Hennessey (2018).
inline BsoptTask fromTheTable(int z) {
  BsoptTask task;
  task.problem.nucleus = gaussianNucleus(z);
  task.problem.configuration = parseConfiguration(groundConfiguration(z));
  task.spec = readLibraryEntry(z, "wtbs-2.1-by-symmetry")->spec;
  return task;
}

}  // namespace prophet::test
