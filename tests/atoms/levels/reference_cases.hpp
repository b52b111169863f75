#pragma once
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "atoms/configurations/coupled_states.hpp"
#include "atoms/levels/levels.hpp"
#include "atoms/limit/limit.hpp"
#include "atoms/limit/wavefunction.hpp"
#include "atoms/qed/qed.hpp"
#include "core/common/constants.hpp"
#include "core/common/csv.hpp"
#include "core/common/text.hpp"
#include "test_paths.hpp"

namespace prophet {

/// A level of GRASP (grasp_levels.csv says how it was computed).
struct ReferenceLevel {
  int twoJ = 0, index = 0;
  bool odd = false;
  double energy = 0;
  std::string term;
  double percent = 0;
  std::optional<double> g, hyperfineA, hyperfineB;
};

struct ReferenceCase {
  std::string name, configurations, hamiltonian;
  double z = 0;
  std::vector<ReferenceLevel> levels;
  std::optional<double> fermiA{}, fermiC{};  ///< bohr; absent: a point

  Nucleus nucleus() const {
    Nucleus n;
    n.charge = z;
    if (!fermiA) return n;
    n.model = NuclearModel::Fermi;
    n.fermiA = *fermiA;
    n.fermiC = *fermiC;
    // To terms of exp(-c/a).
    n.rms =
        std::sqrt(0.6 * n.fermiC * n.fermiC + 1.4 * constants::kPi * constants::kPi * n.fermiA * n.fermiA);
    return n;
  }

  /// Mean over all states, hartree.
  double average() const {
    double sum = 0, states = 0;
    for (const ReferenceLevel& l : levels) {
      sum += (l.twoJ + 1) * l.energy;
      states += l.twoJ + 1;
    }
    return sum / states;
  }
};

inline std::vector<ReferenceCase> referenceCases() {
  std::vector<ReferenceCase> cases;
  const auto rows = readCsv(std::string(PROPHET_SOURCE_DIR) + "/tests/atoms/levels/grasp_levels.csv");
  for (const CsvRow& row : rows) {
    const std::vector<std::string>& f = row.fields;
    if (f[0] == "case") continue;
    if (cases.empty() || cases.back().name != f[0] || cases.back().hamiltonian != f[3])
      cases.push_back({f[0], f[2], f[3], std::stod(f[1]), {}});
    ReferenceLevel level{
        twiceOf(f[4]).value(), std::stoi(f[6]), f[5] == "-", std::stod(f[7]), f[8], 0, {}, {}, {}};
    if (!f[9].empty()) level.percent = std::stod(f[9]);
    if (!f[10].empty()) level.g = std::stod(f[10]);
    if (!f[11].empty()) level.hyperfineA = std::stod(f[11]);
    if (!f[12].empty()) level.hyperfineB = std::stod(f[12]);
    cases.back().levels.push_back(level);
  }
  return cases;
}

/// With Fermi nuclei, and with the Uehling potential (grasp_nuclei_uehling.csv).
inline std::vector<ReferenceCase> casesOfNuclei() {
  std::vector<ReferenceCase> cases;
  const auto rows = readCsv(std::string(PROPHET_SOURCE_DIR) + "/tests/atoms/levels/grasp_nuclei_uehling.csv");
  for (const CsvRow& row : rows) {
    const std::vector<std::string>& f = row.fields;
    if (f[0] == "case") continue;
    if (cases.empty() || cases.back().name != f[0] || cases.back().hamiltonian != f[5] ||
        cases.back().fermiA.has_value() == f[3].empty()) {
      cases.push_back({f[0], f[2], f[5], std::stod(f[1]), {}});
      if (!f[3].empty()) cases.back().fermiA = std::stod(f[3]);
      if (!f[4].empty()) cases.back().fermiC = std::stod(f[4]);
    }
    int index = 0;
    for (const std::string& energy : split(f[8], ';'))
      cases.back().levels.push_back(
          {twiceOf(f[6]).value(), ++index, f[7] == "-", std::stod(energy), "", 0, {}, {}, {}});
  }
  return cases;
}

/// The limit of an average as levels need it.
inline Result limitOf(const LevelSpace& space, const Nucleus& nucleus, double speedOfLight = 137.03599976) {
  LimitOptions options;
  options.residualThreshold = 1e-12;
  options.speedOfLight = speedOfLight;
  const LimitResult limit = numericalLimit(nucleus, space.average, options);
  Result result;
  result.energy.total = limit.energy;
  result.wavefunction = limit.wavefunction;
  result.limit = LimitDetails{};
  for (const LimitSpinor& s : limit.spinors) {
    Spinor spinor;
    spinor.symmetry = Symmetry{s.kappa};
    spinor.n = s.n;
    spinor.occupation = s.occupation;
    spinor.energy = s.energy;
    result.spinors.push_back(spinor);
  }
  return result;
}

/// The levels of a case, with the limit of its average computed or taken from `kept`.
inline LevelResult levelsOf(const ReferenceCase& c, std::map<std::string, Result>& kept) {
  const LevelSpace space = levelSpace(c.configurations);
  const Nucleus nucleus = c.nucleus();
  Result& limit = kept[c.name + (c.fermiA ? " Fermi" : "")];
  if (!limit.wavefunction) limit = limitOf(space, nucleus);
  LevelHamiltonian hamiltonian;
  hamiltonian.field = {nucleus, 137.03599976, {}};
  if (c.hamiltonian != "DC") hamiltonian.electrons = TwoElectronOperator::CoulombBreit;
  QedOptions qed;
  qed.vacuumPolarisation = c.hamiltonian == "DCB+UEH";
  if (qed.any()) hamiltonian.field.extra = qedOperators(nucleus, 137.03599976, qed);
  return computeLevels(space, limit, hamiltonian);
}

inline const Level* levelNamed(const LevelResult& result, const ReferenceLevel& wanted) {
  for (const Level& l : result.levels)
    if (l.twoJ == wanted.twoJ && l.odd == wanted.odd && l.index == wanted.index) return &l;
  return nullptr;
}

/// Where a case is further from the reference than 1e-10 hartree relative to the average, 1e-12 of the energy
/// in total, or 1e-8 in g; empty where it agrees.
inline std::string differenceFrom(const ReferenceCase& c, const LevelResult& found,
                                  double hyperfineTolerance = 1e-7) {
  std::string text;
  const auto say = [&](const ReferenceLevel& l, const std::string& what, double difference) {
    text += c.name + " " + c.hamiltonian + " J = " + std::to_string(0.5 * l.twoJ) + " number " +
            std::to_string(l.index) + ": " + what + " differs by " + std::to_string(difference * 1e12) +
            "e-12\n";
  };
  if (found.levels.size() != c.levels.size()) return c.name + ": another number of levels";
  const double average = c.average();
  // GRASP fits the Uehling potential (Fullerton and Rinker), which inner shells see; levels do not.
  const double ofTotal = c.hamiltonian == "DCB+UEH" ? 3e-9 : 1e-12;
  for (const ReferenceLevel& l : c.levels) {
    const Level* level = levelNamed(found, l);
    if (!level) return c.name + ": a level is missing";
    const double relative = level->relative - (l.energy - average), total = level->energy - l.energy;
    // Of flerovium, and where open shells are inner ones of uranium, levels see that the fit is one.
    if (!(std::abs(relative) < (c.z > 90 && ofTotal > 1e-12 ? 1e-5 : 1e-10))) say(l, "the level", relative);
    if (!(std::abs(total) < ofTotal * std::abs(l.energy))) say(l, "the total energy", total);
    if (l.g && !(std::abs(level->g - *l.g) < 1e-8)) say(l, "g", level->g - *l.g);
    const auto relativelyOff = [](double ours, double theirs) {
      return (ours - theirs) / std::max(1.0, std::abs(theirs));
    };
    if (l.hyperfineA) {
      const double a = relativelyOff(level->hyperfineA, *l.hyperfineA);
      if (!(std::abs(a) < hyperfineTolerance)) say(l, "A", a);
    }
    if (l.hyperfineB) {
      const double b = relativelyOff(level->hyperfineB, *l.hyperfineB);
      if (!(std::abs(b) < hyperfineTolerance)) say(l, "B", b);
    }
  }
  return text;
}

}  // namespace prophet
