#include "frontends/app/result_output.hpp"

#include <ctime>
#include <filesystem>

#include "core/common/version.hpp"
#include "operations/jobs/result_record.hpp"

namespace prophet {
namespace {

/// A killed batch loses the results of so many seconds; --resume computes them again.
constexpr double kSecondsBetweenWrites = 60;

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

/// The input file that asks for the same.
std::string inputOf(const ElementJob& job) {
  std::string text = job.id + "\n";
  if (job.limit) text += "$contrl jobtype='limit' $end\n";
  text += "$nuc znuc=" + std::to_string(job.z);
  if (job.nucleus) text += " nucmdl=" + std::to_string(static_cast<int>(*job.nucleus));
  text += " $end\n";
  if (!job.configuration.empty()) {
    text += "$electrons config='" + job.configuration + "' $end\n";
  } else if (job.charge != 0)
    text += "$electrons charge=" + std::to_string(job.charge) + " $end\n";
  if (!job.library.empty()) text += "$basis library='" + job.library + "' $end\n";
  return text;
}

ResultCollection openCollection(const std::string& path, bool resume) {
  std::error_code failed;
  return resume && std::filesystem::exists(path, failed) ? ResultCollection(path) : ResultCollection();
}

}  // namespace

BatchResults::BatchResults(std::string path, bool resume)
    : path_(std::move(path)), collection_(openCollection(path_, resume)) {}

void BatchResults::add(const BatchTask& task, const Calculation& calculation, const Result& result) {
  if (task.element) {
    collection_.add({task.id, task.id, inputOf(*task.element), kVersion, now(), calculation, result});
  } else {
    collection_.add(recordOf(task.file, "", calculation, result));
  }
  withoutSpinors_ += result.ok() && !result.wavefunction;
  if (sinceWritten_.seconds() > kSecondsBetweenWrites) write();
}

void BatchResults::write() {
  collection_.write(path_);
  sinceWritten_ = Stopwatch();
}

}  // namespace prophet
