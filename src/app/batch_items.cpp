#include "app/batch_items.hpp"

#include "app/environment.hpp"
#include "input/parse_job.hpp"
#include "jobs/resolve.hpp"

namespace prophet {
namespace {

constexpr const char* kBlanks = " \t\r";

std::string withoutComment(const std::string& line) {
  for (std::size_t i = line.find('#'); i != std::string::npos; i = line.find('#', i + 1)) {
    if (i == 0 || std::string(kBlanks).find(line[i - 1]) != std::string::npos) return line.substr(0, i);
  }
  return line;
}

/// Why a batch cannot compute what a job asks for; empty where it can. Only what is known to fit passes: a
/// request says nothing of the rest, which would be left out without a word.
std::string unfitForBatch(const Job& job) {
  if (job.type != JobType::Energy)
    return "a batch computes energies only; run this job type by itself, without 'batch'";
  if (job.hamiltonian.breitFrequency)
    return "a batch does not compute the frequency-dependent Breit interaction; run this job by itself";
  if (job.fock != FockKind::Automatic && job.fock != FockKind::Grid)
    return "a batch computes on the grid only; use fock='grid', leave fock out, or run this job by itself";
  return "";
}

}  // namespace

std::vector<std::string> readJobsList(std::istream& in) {
  std::vector<std::string> files;
  for (std::string line; std::getline(in, line);) {
    const std::string text = withoutComment(line);
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string::npos) continue;
    files.push_back(text.substr(first, text.find_last_not_of(kBlanks) - first + 1));
  }
  return files;
}

BatchItem batchItem(const std::string& file) {
  BatchItem item{file, {}, ""};
  try {
    Job job = readJobFile(file);
    job.basisSets = environment::basisSets();
    item.error = unfitForBatch(job);
    if (!item.error.empty()) return item;
    item.calculation = resolve(job).calculation;
  } catch (const std::exception& e) {
    item.error = e.what();
  }
  return item;
}

}  // namespace prophet
