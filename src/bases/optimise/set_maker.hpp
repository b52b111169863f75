#pragma once
#include <functional>
#include <string>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/basis/library.hpp"

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

}  // namespace prophet
