#pragma once
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "atoms/calculation/result.hpp"
#include "core/common/finished_pieces.hpp"

namespace prophet {

/// Version of the keys of a line (docs/how-to/batches.md); it grows when one changes its meaning or goes.
inline constexpr int kJsonLinesSchema = 1;

/// Key of a checksum of the text that a job was read from.
inline constexpr const char* kInputChecksum = "input_checksum";

/// The result of the job with this id as one line of JSON, newline included: id, status, and either energies
/// (hartree), iterations and spinors or a reason, and a checksum of all of it. `job`: what was computed
/// (jobJson), if anything was.
std::string jsonLine(const std::string& id, const Result& result,
                     const nlohmann::ordered_json& job = nlohmann::ordered_json::object());

/// What stands first in a line of the output.
struct LineHead {
  std::string id, status, reason;  ///< empty where it is missing
};

/// Reads the head of a line and no more of it than that; empty texts where the line is damaged before its
/// end.
LineHead headOf(const std::string& line);

/// What a file of JSON lines holds.
struct JsonLinesText {
  std::set<std::string> finished;             ///< ids of whole lines with an energy that converged
  std::set<std::string> otherwise;            ///< ids of the other whole lines: not converged, failed
  std::map<std::string, std::string> inputs;  ///< what a line says of its job's input (kInputChecksum), by id
  std::size_t wholeBytes = 0;                 ///< up to the end of the last whole line
};

/// Takes the text apart. `path` names the file in messages. Throws Error, with the line, for anything that no
/// batch can have written, or has written otherwise (a last line that a kill cut off is no such thing): the
/// file must not be touched then.
JsonLinesText parseJsonLines(const std::string& text, const std::string& path);

/// What a batch does with jobs that are in its output already.
enum class Retry {
  None,   ///< they are left as they are
  Failed  ///< those that failed or did not converge are computed again; their new line is the one that counts
};

/// A file of JSON lines: the store of a batch, whose pieces are its output.
class JsonLinesFile : public GrowingFile {
 public:
  /// Opens or makes the file. A file with content is only accepted with `resume`; a partial last line is then
  /// cut off. Throws Error as runBatch says.
  JsonLinesFile(const std::string& path, bool resume, Retry retry = Retry::None);

  /// ids of the jobs that need not be computed.
  const std::set<std::string>& ids() const { return ids_; }
  /// Throws Error where the line of a job was computed from another input than this one, by their checksums;
  /// not where either is empty.
  void requireInput(const std::string& id, const std::string& input) const;

 private:
  std::string path_;
  std::map<std::string, std::string> inputs_;
  std::set<std::string> ids_;
};

}  // namespace prophet
