#include "core/common/finished_pieces.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "core/common/checksum.hpp"
#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr const char* kLog = "log";

/// "h5=0a1b2c3d".
std::string entryOf(const std::string& ending, const std::string& content) {
  return fmt::format("{}={:08x}", ending, checksumOf(content));
}

}  // namespace

FinishedPieces::FinishedPieces(const std::string& output, const std::string& work, bool resume)
    : folder_(followLinks(output) + ".parts") {
  namespace fs = std::filesystem;
  requireWritable(output);
  // Beside a device there is no place for a folder; beside a pipe there is.
  const fs::file_status status = fs::status(output);
  if (fs::is_character_file(status) || fs::is_block_file(status))
    throw Error(
        fmt::format("{} is a device, beside which what is finished cannot be kept; name a file", output));
  openFolder(output, resume);
  const std::string log = fs::path(folder_) / kLog;
  std::error_code missing;
  const bool begun = fs::file_size(log, missing) > 0 && !missing;
  const std::string left = folder_ +
                           " holds what a run that was interrupted, or of which something failed, has "
                           "finished; continue it with resume, or remove that folder";
  try {
    log_ = std::make_unique<RecordLog>(log, work, true);
  } catch (const OtherRunError&) {
    if (resume) throw;
    throw Error(left);
  } catch (const Error&) {
    std::error_code none;
    if (fs::exists(folder_, none)) throw;
    throw Error(
        fmt::format("another run of {} has just ended; repeat this one if it is still needed", output));
  }
  if (!resume && begun) throw Error(left);
  std::map<std::string, std::vector<std::string>> entries;  // the last line of a piece counts
  for (std::size_t i = 0; i < log_->earlier().size(); ++i) {
    std::vector<std::string> words = splitWords(log_->earlier()[i]);
    if (words.size() < 2)
      throw Error(fmt::format("{}:{}: no line of a finished piece; {} is damaged: remove it to start again",
                              log, i + 2, folder_));
    entries[words.front()].assign(words.begin() + 1, words.end());
  }
  for (const auto& [piece, its] : entries) readPiece(piece, its);
}

void FinishedPieces::openFolder(const std::string& output, bool resume) const {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::file_status status = fs::symlink_status(folder_, failed);
  if (!fs::exists(status)) {
    if (resume && fs::exists(output)) throw Error(output + " is finished; there is nothing to continue");
    if (!fs::create_directory(folder_, failed) && failed)
      throw Error(fmt::format("cannot make the folder {}: {}", folder_, failed.message()));
    return;
  }
  // A run that was killed between its first two steps has left an empty folder.
  const bool ours = fs::is_directory(status) && (fs::is_regular_file(fs::path(folder_) / kLog, failed) ||
                                                 (resume && fs::is_empty(folder_, failed)));
  if (!ours)
    throw Error(fmt::format(
        "{} is there, and is not what a run of this program has left; move it away, or name another output",
        folder_));
}

std::string FinishedPieces::file(const std::string& piece, const std::string& ending) const {
  return (std::filesystem::path(folder_) / (piece + "." + ending)).string();
}

void FinishedPieces::readPiece(const std::string& piece, const std::vector<std::string>& entries) {
  std::vector<std::string> endings;
  for (const std::string& entry : entries) {
    endings.push_back(entry.substr(0, entry.find('=')));
    std::error_code none;
    if (!std::filesystem::exists(file(piece, endings.back()), none)) return;
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string path = file(piece, endings[i]);
    if (entryOf(endings[i], readFile(path)) != entries[i])
      throw Error(path +
                  " is damaged, or not the file that the run has written (its checksum differs); remove it, "
                  "and the piece is computed again");
  }
  pieces_[piece] = endings;
}

void FinishedPieces::keep(const std::string& piece, const Files& files) {
  std::string line = piece;
  std::vector<std::string> endings;
  for (const auto& [ending, content] : files) {
    line += " " + entryOf(ending, content);
    endings.push_back(ending);
  }
  log_->append(line);  // first: a piece is finished when all its files are there too
  for (const auto& [ending, content] : files) writeFileAtomically(file(piece, ending), content);
  pieces_[piece] = endings;
}

bool FinishedPieces::remove() {
  namespace fs = std::filesystem;
  std::error_code failed;
  for (const auto& [piece, endings] : pieces_)
    for (const std::string& ending : endings) fs::remove(file(piece, ending), failed);
  fs::remove(fs::path(folder_) / kLog, failed);
  log_.reset();
  return fs::remove(folder_, failed);
}

}  // namespace prophet
