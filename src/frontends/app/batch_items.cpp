#include "frontends/app/batch_items.hpp"

#include <fmt/format.h>

#include <new>

#include "core/common/read_file.hpp"
#include "frontends/app/environment.hpp"
#include "frontends/app/usage_error.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/jobs/job_warnings.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {
namespace {

constexpr const char* kBlanks = " \t\r";

std::string withoutComment(const std::string& line) {
  for (std::size_t i = line.find('#'); i != std::string::npos; i = line.find('#', i + 1)) {
    if (i == 0 || std::string(kBlanks).find(line[i - 1]) != std::string::npos) return line.substr(0, i);
  }
  return line;
}

/// Why a batch cannot compute what a job asks for; empty if it can.
std::string unfitForBatch(const Job& job) {
  if (job.type == JobType::Limit) return "";
  if (job.type != JobType::Energy)
    return "a batch computes energies and limits only; run this job type by itself, without 'batch'";
  if (job.hamiltonian.breitFrequency)
    return "a batch does not compute the frequency-dependent Breit interaction; run this job by itself";
  if (job.fock != FockKind::Automatic && job.fock != FockKind::Grid)
    return "a batch computes on the grid only; use fock='grid', leave fock out, or run this job by itself";
  return "";
}

/// The calculation of an input file, or why a batch does not have it.
std::optional<Calculation> calculationOf(const std::string& file, const CommandFiles& outputs,
                                         BatchItem& item) {
  Job job = readJobFile(file);
  for (const std::string& named : filesOf(job)) outputs.refuseToReplace(named);
  job.basisSets = environment::basisSets();
  item.error = unfitForBatch(job);
  if (!item.error.empty()) return std::nullopt;
  ResolvedJob resolved = resolve(job);
  item.warnings = jobWarnings(resolved);
  return std::move(resolved.calculation);
}

}  // namespace

std::vector<std::string> readJobsList(std::istream& in) {
  std::vector<std::string> files;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    if (++number == 1 && line.compare(0, 3, "\xEF\xBB\xBF") == 0) line.erase(0, 3);  // a byte order mark
    if (line.find('\0') != std::string::npos)
      throw UsageError(
          fmt::format("the jobs list, line {}: a byte 0 is part of no file's name; is it a list?", number));
    const std::string text = withoutComment(line);
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string::npos) continue;
    files.push_back(text.substr(first, text.find_last_not_of(kBlanks) - first + 1));
  }
  return files;
}

BatchItem batchItem(const BatchTask& task, bool estimateError, const CommandFiles& files) {
  BatchItem item{task.id, {}, ""};
  try {
    if (task.element) {
      item.calculation = calculationOf(*task.element, environment::basisSets());
    } else {
      item.calculation = calculationOf(task.file, files, item);
    }
    if (item.calculation && !item.calculation->isLimit())
      item.calculation->inBasis().estimateError = estimateError;
  } catch (const ResourceError&) {
    throw;  // no fault of this job
  } catch (const UsageError&) {
    throw;  // an output of the batch
  } catch (const std::bad_alloc&) {
    throw ResourceError(task.id + ": not enough memory to make the job ready");
  } catch (const std::exception& e) {
    item.error = e.what();
  }
  return item;
}

}  // namespace prophet
