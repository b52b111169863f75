#include "kohn_sham_reference.hpp"

#include <cmath>

#include "atoms/atom/symmetry.hpp"
#include "core/common/csv.hpp"
#include "core/common/error.hpp"
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

/// Spinors of a shell: that of one j, or those of both (of s shells there is one).
std::vector<std::string> labelsOf(const std::string& shell, int l, const std::string& j) {
  if (j == "l-1/2") return {shell + std::to_string(2 * l - 1) + "/2"};
  if (j == "l+1/2") return {shell + std::to_string(2 * l + 1) + "/2"};
  std::vector<std::string> labels;
  for (const int doubleJ : {2 * l - 1, 2 * l + 1}) {
    if (doubleJ > 0) labels.push_back(shell + std::to_string(doubleJ) + "/2");
  }
  return labels;
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
  for (const std::string& label : labelsOf(shell, l, "")) atom.energies[label] = energy;
}

std::string functionalOfOncvpsp(int iexc) {
  if (iexc == 3 || iexc == -1009) return "lda_x+lda_c_pz";
  if (iexc == -101130) return "pbe";
  throw Error("no functional for iexc " + std::to_string(iexc));
}

}  // namespace

std::vector<OncvpspAtom> readOncvpspAtoms() {
  std::vector<OncvpspAtom> atoms;
  std::vector<ShellElectrons> shells;
  for (const CsvRow& row :
       readCsv(std::string(PROPHET_SOURCE_DIR) + "/basis_sets/reference/kohn_sham_oncvpsp.csv")) {
    const std::vector<std::string>& f = row.fields;
    if (f[0] == "file") continue;
    if (f[5] == "E_tot") {
      OncvpspAtom& atom = atoms.emplace_back();
      atom.z = std::stoi(f[2]);
      atom.energy = std::stod(f[10]);
      atom.file = f[0];
      atom.functional = functionalOfOncvpsp(std::stoi(f[4]));
      atom.scalar = f[3] == "scalar-relativistic";
      shells.clear();
      continue;
    }
    OncvpspAtom& atom = atoms.back();
    const int l = std::stoi(f[7]);
    const std::string shell = f[6] + "spdf"[l];
    if (shells.empty() || shells.back().label != shell) shells.push_back({shell, std::stod(f[9])});
    for (const std::string& label : labelsOf(shell, l, f[8])) atom.energies[label] = std::stod(f[10]);
    atom.configuration = configurationOf(shells);
  }
  return atoms;
}

LimitResult limitOf(const OncvpspAtom& atom, double speedOfLight, int threads) {
  Nucleus nucleus;
  nucleus.charge = atom.z;
  LimitOptions options;
  options.functional = atom.functional;
  options.speedOfLight = speedOfLight;
  options.threads = threads;
  if (atom.scalar) options.oneElectron = OneElectronOperator::KoellingHarmon;
  return numericalLimit(nucleus, parseConfiguration(atom.configuration), options);
}

OncvpspDifference differenceFrom(const OncvpspAtom& atom, const LimitResult& result) {
  OncvpspDifference d;
  d.total = result.energy / atom.energy - 1;
  d.numbers = 1;
  for (const LimitSpinor& s : result.spinors) {
    const double off = s.energy / atom.energies.at(s.label) - 1;
    if (!atom.scalar || s.kappa < 0) ++d.numbers;  // both j of a shell are one number
    if (std::abs(off) <= std::abs(d.level)) continue;
    d.level = off;
    d.worst = s.label;
  }
  return d;
}

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
