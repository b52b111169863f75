#include "operations/input/parse_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "atoms/atom/species.hpp"
#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"
#include "operations/input/keywords.hpp"
#include "operations/input/sections.hpp"

namespace prophet {
namespace {

/// Larger files are no input files; the largest sensible one has a few hundred kilobytes.
constexpr std::uintmax_t kLargestInput = 4 * 1024 * 1024;

}  // namespace

Job jobOf(const NamelistFile& file, Diagnostics diagnostics, const std::string& fileName) {
  Job job;
  // Without any group what was wrong with the file says more than what is missing.
  if (!file.groups.empty() || diagnostics.empty()) {
    const Settings settings(file, diagnostics);
    JobReading reading{file, settings, job, diagnostics};
    for (const Keyword& keyword : keywords())
      if (const Json* value = settings.single(keyword.group, keyword.name)) keyword.read(job, *value);
    reading.jobTypeKnown = !settings.damaged("contrl", "jobtype");
    for (const auto apply : {applyLevels, applyBasis, applyNucleus, applyElectrons, applyScf,
                             applyHamiltonian, applyEmbedding, applyOptimiser, applyChain, checkUse})
      apply(reading);
    if (!diagnostics.empty()) {
      std::vector<Diagnostic> errors = diagnostics.sorted();
      for (Diagnostic& error : errors) error.message = settings.asWritten(std::move(error.message));
      throw InputErrors(fileName, std::move(errors));
    }
  }
  if (!diagnostics.empty()) throw InputErrors(fileName, diagnostics.sorted());
  job.file = fileName;
  job.folder = std::filesystem::path(fileName).parent_path();
  job.title = file.title;
  return job;
}

Job parseJob(const std::string& text, const std::string& fileName) {
  Diagnostics diagnostics;
  const NamelistFile file = readNamelist(text, diagnostics);
  Job job = jobOf(file, std::move(diagnostics), fileName);
  job.text = text;
  return job;
}

std::string readInputText(const std::string& path) {
  const std::filesystem::path name(path);
  if (name.extension() != ".inp") {
    std::string hint;
    try {
      parseSpecies(path);
      hint = "; atoms are named by elements, on the command line --elements";
    } catch (const Error&) {  // no atom either
    }
    throw Error(fmt::format("{}: error: the name of an input file must end in .inp{}", path, hint));
  }
  std::error_code problem;
  if (std::filesystem::is_directory(name, problem))
    throw Error(fmt::format("{}: error: this is a folder, not a file", path));
  const auto size = std::filesystem::file_size(name, problem);
  if (!problem && size > kLargestInput) {
    throw Error(fmt::format("{}: error: the file has {} bytes; this is not an input file", path, size));
  }
  return readFile(path);
}

Job readJobFile(const std::string& path) { return parseJob(readInputText(path), path); }

}  // namespace prophet
