#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/nucleus.hpp"
#include "bases/optimise/set_maker.hpp"
#include "core/common/constants.hpp"

namespace prophet {

/// Sets of many elements, one library file for each.
struct CollectionTask {
  std::vector<int> elements;  ///< nuclear charges; neutral atoms in their ground configuration
  std::string folder;         ///< gets ZZZ-Symbol.basis, and state/ with what unfinished elements need
  std::string collection;     ///< name in the files; empty: the folder's own name
  std::string program;        ///< "cudaprophet 0.1.0", for the provenance
  std::string date;           ///< year-month-day; empty: today
  NuclearModel model = NuclearModel::Gaussian;
  double c = constants::kSpeedOfLight;                           ///< of the Dirac Hamiltonian
  OneElectronOperator oneElectron = OneElectronOperator::Dirac;  ///< or Nonrelativistic
};

struct CollectionOptions {
  int threads = 1;  ///< elements side by side
  /// Keeps elements whose file exists and is what the maker makes, continues unfinished ones.
  bool resume = false;
};

/// What became of one element.
struct CollectionRow {
  int z = 0;
  bool skipped = false;  ///< its file existed already
  std::string failure;   ///< why there is no file; empty if there is one
  int functions = 0;
  std::vector<int> sizes;  ///< of each symmetry
  double energy = 0, limit = 0, error = 0, prolapse = 0, seconds = 0;
  bool met = false;
};

/// Called from any thread, one at a time: an element's log line, or its row when it is finished.
struct CollectionObserver {
  std::function<void(int z, const std::string& line)> log;
  std::function<void(const CollectionRow& row)> finished;
};

/// Runs all elements, heaviest first (they take longest), and returns their rows by ascending charge. One
/// element's failure leaves the others alone. A file is written in one step when its element is finished, so
/// a killed run leaves whole files and state files; resumed, it gives the same files as an uninterrupted
/// run. Throws Error if the folder cannot be used or another run uses it, and what an observer throws.
std::vector<CollectionRow> runCollection(const CollectionTask& task, const CollectionOptions& options,
                                         const SetMaker& maker, const CollectionObserver& observer = {});

/// Numerical energies that the files of a library collection state for this nuclear model and speed of light.
/// `basisSets`: folder of the collections; empty: where they are installed.
std::map<int, double> limitsOf(const std::string& collection, NuclearModel model, double c,
                               const std::filesystem::path& basisSets = {});

}  // namespace prophet
