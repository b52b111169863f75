#include "operations/energies/batch_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <new>
#include <set>
#include <sstream>

#include "atoms/atom/default_configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/atom/species.hpp"
#include "atoms/basis/library.hpp"
#include "core/common/checksum.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"
#include "operations/catalogue/kept_files.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/jobs/job_warnings.hpp"

namespace prophet {
namespace {

constexpr std::size_t kNamed = 12;
constexpr int kLargestCharge = 999;

/// Jobs that there are none of, by reason.
using LeftOut = std::map<std::string, std::vector<std::string>>;

std::vector<std::string> sentences(const LeftOut& leftOut) {
  std::vector<std::string> list;
  for (const auto& [reason, names] : leftOut) {
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < kNamed; ++i) text += (i > 0 ? ", " : "") + names[i];
    if (names.size() > kNamed) text += fmt::format(" and {} more", names.size() - kNamed);
    list.push_back(text + ": " + reason);
  }
  return list;
}

/// Elements of each library.
std::map<std::string, std::set<int>> elementsOf(const std::vector<std::string>& libraries,
                                                const std::filesystem::path& sets) {
  std::map<std::string, std::set<int>> elements;
  for (const std::string& library : libraries)
    for (const int z : ofSetting("basis", [&] { return libraryElements(library, sets); }))
      elements[library].insert(z);
  return elements;
}

std::string idOf(const ElementJob& job) {
  std::string id = ionName(job.z, job.charge);
  if (!job.configuration.empty()) id += " " + job.configuration;
  if (!job.holes.empty()) id += " hole " + job.holes;
  if (!job.promotions.empty()) id += " " + job.promotions;
  if (job.nucleus) id += " " + lowerCase(nameOf(*job.nucleus));
  if (job.hamiltonian != OneElectronOperator::Dirac) id += " " + nameOf(job.hamiltonian);
  if (!job.functional.empty()) id += " " + job.functional;
  if (!job.library.empty()) id += " " + job.library;
  return job.limit ? id + " limit" : id;
}

/// A list, or one entry that leaves the choice open.
template <class T, class Entry>
std::vector<Entry> orOpen(const std::vector<T>& list) {
  if (list.empty()) return {Entry{}};
  return {list.begin(), list.end()};
}

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
    return "a batch computes energies and limits only; run this type of job separately, without 'batch'";
  if (job.hamiltonian.breitFrequency)
    return "a batch does not compute the frequency-dependent Breit interaction; run this job separately";
  if (job.fock != FockKind::Automatic && job.fock != FockKind::Grid)
    return "a batch computes on the grid only; use fock='grid', omit fock, or run this job separately";
  return "";
}

std::string inputChecksum(const std::string& text) {
  return text.empty() ? "" : fmt::format("{:08x}", checksumOf(text));
}

/// The calculation of an input file, or why a batch does not have it.
std::optional<Calculation> calculationOf(const std::string& file, const Execution& execution,
                                         BatchItem& item) {
  Job job = readJobFile(file);
  item.input = inputChecksum(job.text);
  for (const std::string& named : filesOf(job)) requireKept(named, execution);
  job.basisSets = execution.basisSets;
  item.error = unfitForBatch(job);
  if (!item.error.empty()) return std::nullopt;
  ResolvedJob resolved = resolve(job);
  item.warnings = jobWarnings(resolved);
  return std::move(resolved.calculation);
}

/// Whether a word begins as an ion does and a range of elements ("He-Ne") does not: a symbol and a charge,
/// an isotope or a configuration.
bool isIon(const std::string& word) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  const std::string text = trimmed(word, kSpace);
  const auto letters = std::ranges::find_if_not(text, isLetter) - text.begin();
  const std::string rest = trimmed(text.substr(static_cast<std::size_t>(letters)), kSpace);
  if (letters < 1 || letters > 2 || rest.empty()) return false;
  if (rest[0] == '-') {
    const std::string behind = trimmed(rest.substr(1), kSpace);
    return behind.empty() || isDigit(behind[0]) || behind[0] == '[';
  }
  return isDigit(rest[0]) || rest[0] == '+' || rest[0] == '[';
}

/// Takes a charge of up to three digits, with or without a sign, from the beginning of a text.
std::optional<int> takeCharge(std::string_view& text) {
  const bool isSigned = text.starts_with('+') || text.starts_with('-');
  std::size_t end = isSigned ? 1 : 0;
  int charge = 0;
  for (; end < text.size() && end < (isSigned ? 4U : 3U) && isDigit(text[end]); ++end)
    charge = 10 * charge + (text[end] - '0');
  if (end == (isSigned ? 1U : 0U)) return std::nullopt;
  if (text[0] == '-') charge = -charge;
  text.remove_prefix(end);
  return charge;
}

}  // namespace

std::vector<Species> atomsOf(const ElementRequest& request) {
  std::vector<Species> atoms;
  for (const int z : request.elements) {
    for (const int charge : orOpen<int, int>(request.charges)) atoms.push_back({"", z, charge, ""});
  }
  atoms.insert(atoms.end(), request.species.begin(), request.species.end());
  return atoms;
}

void readElements(const std::string& text, ElementRequest& request) {
  std::string elements;
  for (const std::string& word : split(text, ',')) {
    if (isIon(word)) {
      request.species.push_back(parseSpecies(word, true));
    } else {
      elements += (elements.empty() ? "" : ",") + word;
    }
  }
  if (!elements.empty() || request.species.empty()) request.elements = parseElements(elements);
}

std::vector<int> parseCharges(const std::string& text) {
  std::vector<int> charges;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    const std::string entry = text.substr(start, comma - start);
    std::string_view rest = entry;
    std::optional<int> first = takeCharge(rest), last = first;
    if (first && rest.starts_with('-')) {
      rest.remove_prefix(1);
      last = takeCharge(rest);
    }
    if (!last || !rest.empty())
      throw Error(fmt::format("found '{}'; expected whole numbers such as -1,0,2 or 0-3, each up to {}", text,
                              kLargestCharge));
    if (*last < *first) throw Error(fmt::format("the range '{}' is empty", entry));
    for (int charge = *first; charge <= *last; ++charge) {
      if (std::ranges::count(charges, charge) > 0)
        throw Error(fmt::format("names the charge {} twice", charge));
      charges.push_back(charge);
    }
    start = comma + 1;
  }
  return charges;
}

std::vector<Species> atomsOfBatch(const std::string& atoms, const std::string& charges) {
  ElementRequest request;
  ofSetting("batch", [&] { readElements(atoms, request); });
  if (!charges.empty()) request.charges = ofSetting("batch_charges", [&] { return parseCharges(charges); });
  return atomsOf(request);
}

ElementJobs elementJobs(const ElementRequest& request, const std::filesystem::path& sets) {
  const auto covered = elementsOf(request.libraries, sets);
  ElementJobs all;
  LeftOut leftOut;
  std::set<std::string> ids;
  const auto add = [&](ElementJob job) {
    job.id = idOf(job);
    // An ion that nothing can be computed of, as it has no electrons, is a job that fails with its reason.
    if (!job.library.empty() && covered.at(job.library).count(job.z) == 0) {
      leftOut["the library " + job.library + " has no set for the element"].push_back(job.id);
    } else if (!ids.insert(job.id).second) {
      throw SettingError("elements", fmt::format("{} is there twice", job.id));
    } else {
      all.jobs.push_back(std::move(job));
    }
  };
  for (const auto& nucleus : orOpen<NuclearModel, std::optional<NuclearModel>>(request.nuclei)) {
    for (const auto hamiltonian : orOpen<OneElectronOperator, OneElectronOperator>(request.hamiltonians)) {
      for (const auto& functional : orOpen<std::string, std::string>(request.functionals)) {
        for (const auto& library : orOpen<std::string, std::string>(request.libraries)) {
          for (const Species& s : atomsOf(request))
            add({"", s.z, s.charge, nucleus, library, request.limit, hamiltonian, s.configuration, functional,
                 request.holes, request.promotions, s.remark()});
        }
      }
    }
  }
  all.leftOut = sentences(leftOut);
  return all;
}

Job jobOf(const ElementJob& job) {
  Json values{{"atom", job.z}};
  const auto add = [&](const char* keyword, const std::string& text) {
    if (!text.empty()) values[keyword] = text;
  };
  if (job.hamiltonian != OneElectronOperator::Dirac) add("hamiltonian", nameOf(job.hamiltonian));
  add("functional", job.functional);
  if (job.nucleus) values["nucmdl"] = static_cast<int>(*job.nucleus);
  add("config", job.configuration);
  if (job.charge != 0 && job.remark.empty()) values["charge"] = job.charge;
  add("hole", job.holes);
  add("promote", job.promotions);
  add("library", job.library);
  try {
    return jobOfValues(job.limit ? JobType::Limit : JobType::Energy, values, job.id);
  } catch (const RequestErrors& errors) {
    throw Error(errors.problems().front().message);
  }
}

ResolvedJob resolvedJob(const ElementJob& request, const std::filesystem::path& sets) {
  Job job = jobOf(request);
  job.basisSets = sets;
  return resolve(job);
}

std::vector<std::string> listedFiles(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> files;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    if (++number == 1 && line.compare(0, 3, "\xEF\xBB\xBF") == 0) line.erase(0, 3);  // a byte order mark
    if (line.find('\0') != std::string::npos)
      throw Error(fmt::format("line {}: a byte 0 is part of no file's name; is it a list?", number));
    const std::string path = trimmed(withoutComment(line), kBlanks);
    if (!path.empty()) files.push_back(path);
  }
  return files;
}

BatchItem batchItem(const BatchTask& task, bool estimateError, const Execution& execution) {
  BatchItem item{task.id, {}, ""};
  try {
    if (task.job) {
      item.input = inputChecksum(task.job->job.text);
      item.warnings = jobWarnings(*task.job);
      item.calculation = task.job->calculation;
    } else if (task.element) {
      ResolvedJob resolved = resolvedJob(*task.element, execution.basisSets);
      item.warnings = jobWarnings(resolved);
      item.calculation = std::move(resolved.calculation);
    } else {
      item.calculation = calculationOf(task.file, execution, item);
    }
    if (item.calculation && !item.calculation->isLimit())
      item.calculation->inBasis().estimateError = estimateError;
  } catch (const ResourceError&) {
    throw;  // no fault of this job
  } catch (const OutputInTheWay&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw ResourceError(task.id + ": not enough memory to prepare the job");
  } catch (const std::exception& e) {
    item.error = e.what();
  }
  return item;
}

std::string inputChecksumOf(const BatchTask& task) {
  try {
    return task.job            ? inputChecksum(task.job->job.text)
           : task.file.empty() ? ""
                               : inputChecksum(readInputText(task.file));
  } catch (const Error&) {  // of a job that is finished no file is asked for
    return "";
  }
}

}  // namespace prophet
