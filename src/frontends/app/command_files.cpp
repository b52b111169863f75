#include "frontends/app/command_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/common/files.hpp"
#include "frontends/app/output_stream.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/usage_error.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;

/// Writing twice to a device or a pipe loses nothing.
bool keepsContent(const std::string& path) {
  std::error_code none;
  const fs::file_type type = fs::status(path, none).type();
  return type == fs::file_type::regular || type == fs::file_type::not_found;
}

bool beginsWith(const std::string& path, const std::string& beginning) {
  const fs::path one(path), other(beginning);
  const std::string name = one.filename().string(), start = other.filename().string();
  const auto folder = [](const fs::path& file) {
    return file.has_parent_path() ? file.parent_path().string() : std::string(".");
  };
  return name.compare(0, start.size(), start) == 0 && isSameFile(folder(one), folder(other));
}

}  // namespace

void CommandFiles::refuse(const Input& input, const Output& output) {
  if (isStandardStream(output.path) || output.option == input.replacedBy) return;
  const bool same = input.beginning ? beginsWith(output.path, input.path)
                                    : isSameFile(output.path, input.path) && keepsContent(output.path);
  if (same)
    throw UsageError(output.option + " would overwrite " + (input.beginning ? output.path : input.path) +
                     (input.beginning ? ", which may be the state of an optimisation" : "") +
                     "; name another file");
}

void CommandFiles::reads(const std::string& path, const std::string& replacedBy) {
  if (path.empty() || isStandardStream(path)) return;
  inputs_.push_back({path, replacedBy, false});
  for (const Output& output : outputs_) refuse(inputs_.back(), output);
}

void CommandFiles::readsIfThere(const std::string& word) {
  std::error_code none;
  if (fs::exists(word, none)) reads(word);
}

void CommandFiles::refuseToReplace(const std::string& path) const {
  for (const Output& output : outputs_) refuse({path, "", false}, output);
}

void CommandFiles::readsAllOf(const std::string& beginning) {
  inputs_.push_back({beginning, "", true});
  for (const Output& output : outputs_) refuse(inputs_.back(), output);
}

void CommandFiles::writes(const std::string& option, const std::string& path, Content content) {
  if (path.empty()) return;
  if (isStandardStream(path) && content == Content::Binary)
    throw UsageError(option + " writes no text: it cannot go to standard output; name a file");
  const Output output{option, path};
  for (const Input& input : inputs_) refuse(input, output);
  for (const Output& other : outputs_) {
    if (isStandardStream(path) && isStandardStream(other.path))
      throw UsageError(other.option + " and " + option +
                       " would both go to standard output; name a file for one of them");
    if (!isStandardStream(path) && !isStandardStream(other.path) && isSameFile(path, other.path) &&
        keepsContent(path))
      throw UsageError(other.option + " and " + option + " name the same file; name different files");
  }
  outputs_.push_back(output);
}

std::string CommandFiles::output(const boost::program_options::variables_map& values,
                                 const std::string& option, Content content) {
  const std::string path = fileOption(values, option);
  writes("--" + option, path, content);
  return path;
}

void CommandFiles::open() {
  for (const Output& output : outputs_) {
    if (!isStandardStream(output.path)) {
      requireWritable(output.path);
      continue;
    }
    std::fflush(stdout);
    standardOutput_ = std::make_shared<FileHandle>(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
    if (!standardOutput_->isOpen() || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
      throw OutputError(std::string("cannot write to standard output: ") + std::strerror(errno));
  }
}

void CommandFiles::write(const std::string& path, const std::string& content) const {
  if (!isStandardStream(path)) return writeFileAtomically(path, content);
  if (!standardOutput_) return print(content);
  if (const auto problem = appendAll(*standardOutput_, content))
    throw OutputError("cannot write to standard output: " + *problem);
}

}  // namespace prophet
