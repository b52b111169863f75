#pragma once
#include <boost/program_options.hpp>
#include <memory>
#include <string>
#include <vector>

#include "core/common/files.hpp"

namespace prophet {

/// All files that a command reads and writes, as one rule for every command: no output takes the place of an
/// input or of another output, however their names are spelled (links, hard links, other paths), every output
/// is tried before anything is computed, and `-` is standard output, which then has nothing else: what the
/// command prints goes to standard error.
class CommandFiles {
 public:
  enum class Content { Text, Binary };

  /// A file that is read, or kept for another run: no output may replace it but that of the option
  /// `replacedBy`. Empty names and "-" are none. Throws UsageError if an output would.
  void reads(const std::string& path, const std::string& replacedBy = "");
  /// The same for a word that is a file's name if there is such a file.
  void readsIfThere(const std::string& word);
  /// The same for all files whose names begin so.
  void readsAllOf(const std::string& beginning);
  /// Throws UsageError if an output would replace this file; may be called from several threads.
  void refuseToReplace(const std::string& path) const;
  /// A file that `option` ("--json") writes; an empty name is none. Throws UsageError if it is an input or
  /// another output, or is binary and "-".
  void writes(const std::string& option, const std::string& path, Content content = Content::Text);
  /// What such an option names, as writes() takes it; empty where the option is not given. Throws UsageError.
  std::string output(const boost::program_options::variables_map& values, const std::string& option,
                     Content content = Content::Text);

  /// Tries whether all outputs can be written, leaving them as they are, and frees standard output for the
  /// one that goes there. Throws Error with the system's reason.
  void open();
  /// Replaces an output in one step, or prints it.
  void write(const std::string& path, const std::string& content) const;

 private:
  struct Input {
    std::string path, replacedBy;
    bool beginning;
  };
  struct Output {
    std::string option, path;
  };
  static void refuse(const Input& input, const Output& output);

  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::shared_ptr<FileHandle> standardOutput_;  ///< where it was before the report went elsewhere
};

/// Whether an option's file name means a standard stream.
inline bool isStandardStream(const std::string& path) { return path == "-"; }

}  // namespace prophet
