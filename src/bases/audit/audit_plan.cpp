#include <fmt/format.h>

#include <algorithm>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/basis/library.hpp"
#include "bases/audit/audit.hpp"
#include "bases/audit/exponent_remarks.hpp"
#include "core/common/error.hpp"
#include "operations/jobs/basis_source.hpp"

namespace prophet {
namespace {

bool isFile(const std::string& word) {
  std::error_code failure;
  return std::filesystem::is_regular_file(word, failure) || word.find_first_of("./\\") != std::string::npos;
}

bool wanted(const AuditTask& task, int z) {
  return task.elements.empty() || std::count(task.elements.begin(), task.elements.end(), z) > 0;
}

AuditRow rowOf(const AuditTask& task, int z, BasisSet basis) {
  AuditRow row;
  row.z = z;
  NucleusRequest nucleus;
  nucleus.model = task.nucleus;
  nucleus.charge = z;
  row.problem = {makeNucleus(nucleus), parseConfiguration(groundConfiguration(z)), {}};
  row.basis = std::move(basis);
  row.lists = exponentLists(row.basis, row.problem.configuration);
  for (const ExponentList& list : row.lists)
    if (list.occupied) row.functions += static_cast<int>(list.exponents.size());
  row.overlap = smallestOverlapOf(row.lists);
  row.remarks = gapRemarks(row.lists);
  try {
    requireCovered(row.basis, row.problem.configuration);
  } catch (const Error& error) {
    row.failure = error.what();
  }
  return row;
}

AuditedSet planCollection(const AuditTask& task, const std::string& name) {
  AuditedSet set{name, name, {}};
  for (const int z : libraryElements(name, task.basisSets))
    if (wanted(task, z))
      set.rows.push_back(rowOf(task, z, makeBasis(*readLibraryEntry(z, name, task.basisSets))));
  return set;
}

AuditedSet planFile(const AuditTask& task, const std::string& file) {
  const BasisFileSets read =
      readBasisSets(file, task.elements.size() == 1 ? task.elements.front() : 0, task.format);
  AuditedSet set{std::filesystem::path(file).stem().string(), file, {}};
  for (const auto& [z, basis] : read.sets) {
    if (!wanted(task, z)) continue;
    AuditRow row = rowOf(task, z, basis);
    const ElementBasis& lists = read.lists.at(z);
    if (!lists.name.empty()) set.name = lists.name;
    for (AuditRemark& remark : shellRemarks(lists)) row.remarks.push_back(std::move(remark));
    set.rows.push_back(std::move(row));
  }
  return set;
}

}  // namespace

std::vector<AuditedSet> planAudit(const AuditTask& task) {
  std::vector<AuditedSet> sets;
  for (const std::string& word : task.sets) {
    sets.push_back(isFile(word) ? planFile(task, word) : planCollection(task, word));
    if (sets.back().rows.empty())
      throw Error(fmt::format("{} has a set for none of the elements asked for", word));
  }
  return sets;
}

}  // namespace prophet
