#pragma once
#include <set>
#include <string>

#include "calculation/result.hpp"

namespace prophet {

/// Version of the keys of a line (docs/batches.md); it grows when one changes its meaning or goes.
inline constexpr int kJsonLinesSchema = 1;

/// The result of the job with this id as one line of JSON, newline included: id, status, and either energies
/// (hartree) and iterations or a reason.
std::string jsonLine(const std::string& id, const Result& result);

/// What stands first in a line of the output.
struct LineHead {
  std::string id, status, reason;  ///< empty where it is missing
};

/// Reads the head of a line and no more of it than that; empty texts where the line is damaged before its
/// end.
LineHead headOf(const std::string& line);

/// A file of JSON lines that only grows by whole lines and that one process at a time may write.
class JsonLinesFile {
 public:
  /// Opens or makes the file. A file with content is only accepted with `resume`; a partial last line is then
  /// cut off. Throws Error as runBatch says.
  JsonLinesFile(const std::string& path, bool resume);
  ~JsonLinesFile();
  JsonLinesFile(const JsonLinesFile&) = delete;
  JsonLinesFile& operator=(const JsonLinesFile&) = delete;

  /// ids of the lines that were there.
  const std::set<std::string>& ids() const { return ids_; }
  /// Appends lines (with their newlines) by one write.
  void append(const std::string& lines);

 private:
  void requireRegularFile() const;
  void readExisting(bool resume);

  std::string path_;
  int file_ = -1;
  std::set<std::string> ids_;
};

}  // namespace prophet
