#pragma once
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/common/record_log.hpp"

namespace prophet {

/// The finished pieces of a work, in a folder OUTPUT.parts beside the output that they will become, so that a
/// run that ends early can go on. A log (RecordLog) says what the work is and, with checksums, which files
/// make a finished piece when all are there; nothing else there is read, replaced or removed. One run at a
/// time has it.
class FinishedPieces {
 public:
  using Files = std::vector<std::pair<std::string, std::string>>;  ///< ending and content: {"h5", "..."}

  /// `work`: one line, the kind of the work with a number of its layout, a colon, and all that the pieces
  /// depend on. `resume`: whether to go on with what an earlier run has left. Throws Error where `output`
  /// cannot be written, where another run has the folder, where an earlier one has left pieces and `resume`
  /// is not given, or of another work; where there is something of that name that no run has left; and for
  /// pieces that are not as they were written.
  FinishedPieces(const std::string& output, const std::string& work, bool resume);

  bool has(const std::string& piece) const { return pieces_.count(piece) > 0; }
  /// The file of a piece with this ending.
  std::string file(const std::string& piece, const std::string& ending) const;
  /// Keeps a piece, whose name is one word that may be a file's. Throws Error.
  void keep(const std::string& piece, const Files& files);
  /// Removes what this and earlier runs have kept, and the folder. False if something of others is in it, so
  /// that it stays.
  bool remove();
  const std::string& folder() const { return folder_; }

 private:
  void openFolder(const std::string& output, bool resume) const;
  void readPiece(const std::string& piece, const std::vector<std::string>& entries);

  std::string folder_;
  std::unique_ptr<RecordLog> log_;
  std::map<std::string, std::vector<std::string>> pieces_;  ///< the endings of each
};

}  // namespace prophet
