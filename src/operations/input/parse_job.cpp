#include "operations/input/parse_job.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/common/read_file.hpp"
#include "operations/input/sections.hpp"

namespace prophet {
namespace {

/// Larger files are no input files; the largest sensible one has a few hundred kilobytes.
constexpr std::uintmax_t kLargestFile = 4 * 1024 * 1024;

/// Reads the groups, unless nothing but errors was found so far.
Job readGroups(const NamelistFile& file, const std::string& fileName, Diagnostics& diagnostics) {
  Job job;
  if (!file.groups.empty() || diagnostics.empty()) {
    const Settings settings(file, diagnostics);
    JobReading reading{file, settings, job, diagnostics};
    readControl(reading);
    readBasis(reading);
    readNucleus(reading);
    readElectrons(reading);
    readScf(reading);
    readHamiltonian(reading);
    readEmbedding(reading);
    readOptimiser(reading);
    readChain(reading);
    checkUse(reading);
    if (!diagnostics.empty()) {
      std::vector<Diagnostic> errors = diagnostics.sorted();
      for (Diagnostic& error : errors) error.message = settings.asWritten(std::move(error.message));
      throw InputErrors(fileName, std::move(errors));
    }
  }
  if (!diagnostics.empty()) throw InputErrors(fileName, diagnostics.sorted());
  job.file = fileName;
  job.title = file.title;
  return job;
}

}  // namespace

Job parseJob(const std::string& text, const std::string& fileName) {
  Diagnostics diagnostics;
  const NamelistFile file = readNamelist(text, diagnostics);
  Job job = readGroups(file, fileName, diagnostics);
  job.text = text;
  return job;
}

Job jobOf(const NamelistFile& file, const std::string& fileName) {
  Diagnostics diagnostics;
  return readGroups(file, fileName, diagnostics);
}

std::string readInputText(const std::string& path) {
  const std::filesystem::path name(path);
  if (name.extension() != ".inp") {
    throw Error(fmt::format("{}: error: the name of an input file must end in .inp", path));
  }
  std::error_code problem;
  if (std::filesystem::is_directory(name, problem))
    throw Error(fmt::format("{}: error: this is a folder, not a file", path));
  const auto size = std::filesystem::file_size(name, problem);
  if (!problem && size > kLargestFile) {
    throw Error(fmt::format("{}: error: the file has {} bytes; this is no input file", path, size));
  }
  return readFile(path);
}

Job readJobFile(const std::string& path) { return parseJob(readInputText(path), path); }

}  // namespace prophet
