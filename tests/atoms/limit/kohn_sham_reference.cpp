#include "kohn_sham_reference.hpp"

#include <cmath>

#include "atoms/atom/symmetry.hpp"
#include "core/common/csv.hpp"
#include "test_paths.hpp"

namespace prophet::test {
namespace {

struct ShellElectrons {
  std::string label;
  double electrons = 0;
};

/// Shells in the order of the table, both j together.
std::string configurationOf(const std::vector<ShellElectrons>& shells) {
  std::string text;
  for (const ShellElectrons& shell : shells)
    text += (text.empty() ? "" : " ") + shell.label + std::to_string(std::lround(shell.electrons));
  return text;
}

void addEigenvalue(const std::vector<std::string>& fields, std::vector<ShellElectrons>& shells,
                   KohnShamAtom& atom) {
  const std::string shell = fields[2] + fields[3];
  const double energy = std::stod(fields[6]);
  if (shells.empty() || shells.back().label != shell) shells.push_back({shell, 0});
  shells.back().electrons += std::stod(fields[5]);
  if (!fields[4].empty()) {
    atom.energies[shell + fields[4]] = energy;
    return;
  }
  const int l = static_cast<int>(std::string("spdf").find(fields[3]));
  for (const int doubleJ : {2 * l - 1, 2 * l + 1}) {
    if (doubleJ > 0) atom.energies[shell + std::to_string(doubleJ) + "/2"] = energy;
  }
}

}  // namespace

std::vector<KohnShamAtom> readKohnShamAtoms(const std::string& functional) {
  std::vector<KohnShamAtom> atoms;
  std::vector<ShellElectrons> shells;
  for (const CsvRow& row :
       readCsv(std::string(PROPHET_SOURCE_DIR) + "/basis_sets/reference/kohn_sham_" + functional + ".csv")) {
    if (row.fields[0] == "Z") continue;
    if (row.fields[1] == "E_tot") {
      atoms.push_back({std::stoi(row.fields[0]), "", std::stod(row.fields[6]), {}});
      shells.clear();
      continue;
    }
    addEigenvalue(row.fields, shells, atoms.back());
    atoms.back().configuration = configurationOf(shells);
  }
  return atoms;
}

}  // namespace prophet::test
