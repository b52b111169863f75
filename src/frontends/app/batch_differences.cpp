#include "frontends/app/batch_differences.hpp"

#include <algorithm>
#include <unordered_set>

#include "operations/report/coupling_notes.hpp"
#include "operations/report/energy_difference.hpp"

namespace prophet {

std::string batchDifferences(const std::string& linesPath, const std::vector<std::string>& ids) {
  const std::unordered_set<std::string> asked(ids.begin(), ids.end());
  std::vector<std::string> leftOut;
  std::vector<ComparedResult> results = readResults(linesPath, leftOut);
  results.erase(std::remove_if(results.begin(), results.end(),
                               [&](const ComparedResult& r) { return asked.count(r.name) == 0; }),
                results.end());
  const std::vector<EnergyDifference> differences = differencesAmong(results);
  if (differences.empty()) return std::string(kNoDifferences) + "\n";
  return differenceTable(differences) + couplingNotes(differences);
}

}  // namespace prophet
