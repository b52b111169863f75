#include "frontends/app/element_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/species.hpp"
#include "atoms/basis/library.hpp"
#include "core/common/text.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/usage_error.hpp"
#include "operations/jobs/resolve.hpp"

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
  for (const std::string& library : libraries) {
    try {
      for (const int z : libraryElements(library, sets)) elements[library].insert(z);
    } catch (const Error& e) {
      throw UsageError(std::string("--basis: ") + e.what());
    }
  }
  return elements;
}

std::string idOf(const ElementJob& job) {
  std::string id = ionName(job.z, job.charge);
  if (!job.configuration.empty()) id += " " + job.configuration;
  if (job.nucleus) id += " " + lowerCase(nameOf(*job.nucleus));
  if (job.hamiltonian != OneElectronOperator::Dirac) id += " " + nameOf(job.hamiltonian);
  if (!job.library.empty()) id += " " + job.library;
  return job.limit ? id + " limit" : id;
}

/// A list, or one entry that leaves the choice open.
template <class T, class Entry>
std::vector<Entry> orOpen(const std::vector<T>& list) {
  if (list.empty()) return {Entry{}};
  return {list.begin(), list.end()};
}

/// Every element with every charge, then the single species.
std::vector<Species> atomsOf(const ElementRequest& request) {
  std::vector<Species> atoms;
  for (const int z : request.elements) {
    for (const int charge : orOpen<int, int>(request.charges)) atoms.push_back({"", z, charge, ""});
  }
  atoms.insert(atoms.end(), request.species.begin(), request.species.end());
  return atoms;
}

}  // namespace

void readElements(const std::string& text, ElementRequest& request) {
  static const std::regex kIon(R"(\s*[A-Za-z]{1,2}\s*([0-9+\[]|-\s*$|-[0-9]).*)");
  std::string elements;
  for (const std::string& word : split(text, ',')) {
    if (!std::regex_match(word, kIon)) {
      elements += (elements.empty() ? "" : ",") + word;
      continue;
    }
    try {
      request.species.push_back(parseSpecies(word));
    } catch (const Error& e) {
      throw UsageError(std::string("--elements: ") + e.what());
    }
  }
  if (!elements.empty() || request.species.empty())
    request.elements = parseElementOption(elements, "--elements");
}

std::vector<int> parseCharges(const std::string& text) {
  static const std::regex kEntry(R"(([+-]?\d{1,3})(?:-([+-]?\d{1,3}))?)");
  std::vector<int> charges;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    const std::string entry = text.substr(start, comma - start);
    std::smatch match;
    if (!std::regex_match(entry, match, kEntry))
      throw UsageError(
          fmt::format("--charge takes whole numbers such as -1,0,2 or 0-3, each up to {}, not '{}'",
                      kLargestCharge, text));
    const int first = std::stoi(match[1]), last = match[2].matched ? std::stoi(match[2]) : first;
    if (last < first) throw UsageError(fmt::format("--charge: the range '{}' is empty", entry));
    for (int charge = first; charge <= last; ++charge) {
      if (std::count(charges.begin(), charges.end(), charge) == 0) charges.push_back(charge);
    }
    start = comma + 1;
  }
  return charges;
}

ElementJobs elementJobs(const ElementRequest& request, const std::filesystem::path& sets) {
  const auto covered = elementsOf(request.libraries, sets);
  ElementJobs all;
  LeftOut leftOut;
  std::set<std::string> ids;
  const auto add = [&](ElementJob job) {
    job.id = idOf(job);
    const int electrons = job.z - job.charge;
    if (electrons < 1) {
      leftOut["there are no electrons"].push_back(job.id);
    } else if (electrons > kLastElement && job.configuration.empty()) {
      leftOut[fmt::format("there are more than {} electrons, and no default configuration is known",
                          kLastElement)]
          .push_back(job.id);
    } else if (!job.library.empty() && covered.at(job.library).count(job.z) == 0) {
      leftOut["the library " + job.library + " has no set for the element"].push_back(job.id);
    } else if (ids.insert(job.id).second) {
      all.jobs.push_back(std::move(job));
    }
  };
  for (const auto& nucleus : orOpen<NuclearModel, std::optional<NuclearModel>>(request.nuclei)) {
    for (const auto hamiltonian : orOpen<OneElectronOperator, OneElectronOperator>(request.hamiltonians)) {
      for (const auto& library : orOpen<std::string, std::string>(request.libraries)) {
        for (const Species& s : atomsOf(request))
          add({"", s.z, s.charge, nucleus, library, request.limit, hamiltonian, s.configuration});
      }
    }
  }
  all.leftOut = sentences(leftOut);
  return all;
}

Calculation calculationOf(const ElementJob& request, const std::filesystem::path& sets) {
  Job job;
  job.file = job.title = request.id;
  job.type = request.limit ? JobType::Limit : JobType::Energy;
  job.hamiltonian.oneElectron = request.hamiltonian;
  job.nucleus.charge = request.z;
  job.nuclearModelGiven = request.nucleus.has_value();
  job.nucleus.model = request.nucleus.value_or(NuclearModel::Gaussian);
  job.configuration.text = request.configuration;
  job.configuration.groundState = request.configuration.empty();
  job.configuration.charge = request.charge;
  job.libraryName = request.library;
  job.basisSets = sets;
  return resolve(job).calculation;
}

}  // namespace prophet
