#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/nucleus.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/service/energy_service.hpp"
#include "core/common/constants.hpp"

namespace prophet {

/// The set that was made for one element of a collection.
struct MadeSet {
  /// Spec or exponents, and the provenance's source, energy, limit, error and prolapse.
  LibraryEntry set;
  std::string shortfall;  ///< why it is not what was asked for; empty where it is
  double seconds = 0;
};

/// What one element's search needs.
struct SetRequest {
  AtomProblem problem;  ///< the neutral atom in its ground configuration
  int z = 0;
  std::string stateFile;  ///< for what an interrupted search needs; a maker may do without
  bool resume = false;
  std::function<void(const std::string& line)> log;
};

/// How the sets of a collection are made. Called from several threads at once.
class SetMaker {
 public:
  virtual ~SetMaker() = default;
  /// Throws Error where there is no set.
  virtual MadeSet make(const SetRequest& request) const = 0;
  /// What a finished set of a file still needs and is quickly had; false where it needs nothing.
  virtual bool complete(LibraryEntry& entry, const AtomProblem& problem) const {
    static_cast<void>(entry), static_cast<void>(problem);
    return false;
  }
  /// Why the set of a file is not one that this maker was asked for; empty where it is.
  virtual std::string whyNotFinished(const LibraryEntry& entry) const = 0;
};

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

/// `cudaprophet basis table`: a Markdown table: for every element of the collection `ours` (empty: the
/// default one; of `elements` only, where any are named), sizes, number of functions and error of its set and
/// of that in `other` (empty: none). All energies are computed now, with the nuclear model, speed of light
/// and configuration of our set, and compared with the numerical limit that its file states; elements whose
/// file states none are left out. `basisSets`: folder of the collections; empty: where they are installed.
/// `progress`: called with the number of finished energies, and of all.
std::string resultsTable(const std::string& ours, const std::string& other, EnergyService& service,
                         const std::vector<int>& elements = {}, const std::filesystem::path& basisSets = {},
                         const std::function<void(std::size_t, std::size_t)>& progress = {});

}  // namespace prophet
