#include "atoms/levels/slater_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "atoms/levels/open_interaction.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"

namespace prophet {
namespace {

/// A shell nl with its one or two spinors, as numbers of the table.
struct RadialShell {
  int n = 0, l = 0;
  std::vector<int> spinors{};

  std::string name() const { return fmt::format("{}{}", n, letterOfL(l)); }
  bool operator==(const RadialShell& other) const { return n == other.n && l == other.l; }
};

class Parameters {
 public:
  Parameters(const LevelSpace& space, const Result& result, const LevelHamiltonian& hamiltonian)
      : space_(space),
        result_(result),
        spinors_(result, hamiltonian.field, largestRank(space)),
        interaction_(spinors_, hamiltonian.electrons, hamiltonian.breitFrequency),
        speedOfLight_(hamiltonian.field.speedOfLight) {
    std::vector<LevelSpinor> all = space.closed;
    all.insert(all.end(), space.open.begin(), space.open.end());
    std::sort(all.begin(), all.end(), [](const LevelSpinor& a, const LevelSpinor& b) {
      return std::pair(a.n, a.symmetry.index()) < std::pair(b.n, b.symmetry.index());
    });
    for (const LevelSpinor& s : all) {
      if (shells_.empty() || !(shells_.back() == RadialShell{s.n, s.symmetry.l()}))
        shells_.push_back({s.n, s.symmetry.l()});
      shells_.back().spinors.push_back(s.index);
    }
    for (std::size_t i = 0; i < space.open.size(); ++i)
      openPlace_[space.open[i].index] = static_cast<Eigen::Index>(i);
  }

  /// The open shells and those that are named.
  std::vector<RadialShell> chosen(const std::vector<std::string>& names) const {
    std::vector<RadialShell> list;
    for (const RadialShell& s : shells_) {
      const bool isOpen =
          std::any_of(s.spinors.begin(), s.spinors.end(), [&](int a) { return openPlace_.count(a) > 0; });
      if (isOpen || std::find(names.begin(), names.end(), s.name()) != names.end()) list.push_back(s);
    }
    for (const std::string& name : names)
      if (std::none_of(list.begin(), list.end(), [&](const RadialShell& s) { return s.name() == name; }))
        throw Error(fmt::format("there are no electrons in a shell '{}'", name));
    return list;
  }

  /// G^k(A,B), mean over the j of both.
  double exchange(int k, const RadialShell& a, const RadialShell& b) const {
    double sum = 0;
    for (const int i : a.spinors)
      for (const int j : b.spinors) sum += share(i, a) * share(j, b) * spinors_.slater(k, i, j, j, i);
    return sum;
  }

  /// R^k(AB,CD), mean over the j of all; an electron that stays in its shell keeps its j. F^k for C = A, D =
  /// B.
  double radial(int k, const RadialShell& a, const RadialShell& b, const RadialShell& c,
                const RadialShell& d) const {
    double sum = 0;
    for (const auto& [i, m, first] : transitions(a, c))
      for (const auto& [j, n, second] : transitions(b, d))
        sum += first * second * spinors_.slater(k, i, j, m, n);
    return sum;
  }

  /// Mean energy of an electron in a spinor, hartree.
  double energy(int a) const {
    double sum = spinors_.oneElectron(a, a);
    for (int b = 0; b < spinors_.count(); ++b)
      sum += seen(a, b) / spinors_.symmetry(b).degeneracy() *
             (spinors_.symmetry(b).degeneracy() * spinors_.slater(0, a, b, a, b) -
              interaction_.exchange(a, a, b));
    return sum;
  }

  /// Adds those of the Breit interaction, between all spinors of these shells.
  void addBreit(const std::vector<RadialShell>& shells, std::vector<SlaterParameter>& list) const {
    std::vector<int> all;
    for (const RadialShell& s : shells) all.insert(all.end(), s.spinors.begin(), s.spinors.end());
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = i; j < all.size(); ++j) {
        const int a = all[i], b = all[j];
        const std::string names = label(a) + "," + label(b);
        for (int k = 0; k <= std::max(spinors_.symmetry(a).twoJ(), spinors_.symmetry(b).twoJ()); ++k) {
          const double direct = interaction_.breit(k, a, b, a, b);
          const double exchange = a == b ? 0 : interaction_.breit(k, a, b, b, a);
          if (direct != 0) list.push_back({"F_breit", names, k, direct});
          if (exchange != 0) list.push_back({"G_breit", names, k, exchange});
        }
      }
  }

  /// What one electron between shells of one l feels, in the field of nucleus and closed shells.
  void addBetweenShells(const std::vector<RadialShell>& shells, std::vector<SlaterParameter>& list) const {
    const OpenInteraction open(space_, spinors_, interaction_);
    const auto isOpen = [&](const RadialShell& s) {
      return std::ranges::all_of(s.spinors, [&](int a) { return openPlace_.count(a) > 0; });
    };
    for (std::size_t i = 0; i < shells.size(); ++i)
      for (std::size_t j = i + 1; j < shells.size(); ++j) {
        const RadialShell &a = shells[i], &b = shells[j];
        if (a.l != b.l || a.spinors.size() != b.spinors.size() || !isOpen(a) || !isOpen(b)) continue;
        std::vector<double> ofSpinors;
        double mean = 0;
        for (std::size_t s = 0; s < a.spinors.size(); ++s) {
          ofSpinors.push_back(open.oneBody(static_cast<int>(openPlace_.at(a.spinors[s])),
                                           static_cast<int>(openPlace_.at(b.spinors[s]))));
          mean += share(a.spinors[s], a) * ofSpinors.back();
        }
        const std::string names = a.name() + "," + b.name();
        list.push_back({"h", names, 0, mean});
        if (ofSpinors.size() == 2)
          list.push_back({"zeta", names, 0, (ofSpinors[1] - ofSpinors[0]) / (a.l + 0.5)});
      }
  }

  void addZetas(const RadialShell& shell, std::vector<SlaterParameter>& list) const {
    if (shell.l == 0 || shell.spinors.size() != 2) return;
    const double l = shell.l;
    list.push_back(
        {"zeta", shell.name(), 0, (energy(shell.spinors[1]) - energy(shell.spinors[0])) / (l + 0.5)});
    double radial = 0;
    for (const int a : shell.spinors) {
      std::vector<std::pair<int, double>> others;
      for (int b = 0; b < spinors_.count(); ++b) {
        // Two electrons of one spinor: w_aa counts the pairs of different m g/(g-1) times.
        const double g = spinors_.symmetry(b).degeneracy();
        others.emplace_back(b, seen(a, b) * (a == b ? (g - 1) / g : 1));
      }
      const Eigen::VectorXd potential = spinors_.nuclearPotential() + spinors_.directPotential(others);
      const double energy = result_.spinors[usize(a)].energy;
      const Eigen::ArrayXd mass = 1 + (energy - potential.array()) / (2 * speedOfLight_ * speedOfLight_);
      const Eigen::VectorXd force =
          (spinors_.slope(potential).array() / (spinors_.radii().array() * mass.square())).matrix();
      radial += share(a, shell) * spinors_.largeDensity(a, a, force);
    }
    list.push_back({"zeta_radial", shell.name(), 0, radial / (2 * speedOfLight_ * speedOfLight_)});
  }

 private:
  std::string label(int a) const { return result_.spinors[usize(a)].label(); }
  struct Transition {
    int to = 0, from = 0;
    double weight = 0;
  };
  std::vector<Transition> transitions(const RadialShell& to, const RadialShell& from) const {
    std::vector<Transition> list;
    for (const int i : to.spinors)
      for (const int j : from.spinors)
        if (!(to == from) || i == j) list.push_back({i, j, share(i, to) * (to == from ? 1 : share(j, from))});
    return list;
  }
  double share(int a, const RadialShell& shell) const {
    double all = 0;
    for (const int b : shell.spinors) all += spinors_.symmetry(b).degeneracy();
    return spinors_.symmetry(a).degeneracy() / all;
  }
  /// w_ab/<n_a>: electrons in b as one in a sees them (Configuration::openPairWeights).
  double seen(int a, int b) const {
    const auto first = openPlace_.find(a), second = openPlace_.find(b);
    const double mine = result_.spinors[usize(a)].occupation;
    if (first == openPlace_.end() || second == openPlace_.end()) return result_.spinors[usize(b)].occupation;
    return space_.average.openPairWeights(first->second, second->second) / mine;
  }

  const LevelSpace& space_;
  const Result& result_;
  SpinorTable spinors_;
  SpinorInteraction interaction_;
  double speedOfLight_;
  std::vector<RadialShell> shells_;
  std::map<int, Eigen::Index> openPlace_;  ///< of the table, in openPairWeights
};

/// Ranks of an integral between pairs of shells that l allows.
std::vector<int> ranks(int la, int lb, int lc, int ld) {
  std::vector<int> list;
  for (int k = std::max(std::abs(la - lc), std::abs(lb - ld)); k <= std::min(la + lc, lb + ld); ++k)
    if ((la + lc + k) % 2 == 0 && (lb + ld + k) % 2 == 0) list.push_back(k);
  return list;
}

}  // namespace

bool isRepulsion(const SlaterParameter& p) {
  return p.integral == "F" || p.integral == "G" || p.integral == "R";
}

std::string nameOf(const SlaterParameter& p) {
  const bool hasRank = p.integral != "h" && !p.integral.starts_with("zeta");
  return !hasRank ? fmt::format("{}({})", p.integral, p.shells)
                  : fmt::format("{}{}({})", p.integral, p.k, p.shells);
}

std::vector<SlaterIntegral> slaterIntegrals(const std::vector<Shell>& shells, bool several) {
  std::vector<SlaterIntegral> list;
  const auto add = [&](const char* integral, std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    for (const int k : ranks(shells[a].l, shells[b].l, shells[c].l, shells[d].l))
      list.push_back({integral, a, b, c, d, k});
  };
  for (std::size_t i = 0; i < shells.size(); ++i)
    for (std::size_t j = i; j < shells.size(); ++j) {
      add("F", i, j, i, j);
      if (i != j) add("G", i, j, j, i);
    }
  if (!several) return list;
  // Pairs of shells, each pair of pairs once; what F and G have is left out.
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < shells.size(); ++i)
    for (std::size_t j = i; j < shells.size(); ++j) pairs.emplace_back(i, j);
  for (std::size_t p = 0; p < pairs.size(); ++p)
    for (std::size_t q = p + 1; q < pairs.size(); ++q) {
      const auto [a, b] = pairs[p];
      const auto [c, d] = pairs[q];
      add("R", a, b, c, d);
      if (a != b && c != d) add("R", a, b, d, c);
    }
  return list;
}

SlaterParameter parameterOf(const SlaterIntegral& i, const std::vector<Shell>& shells, double value) {
  std::string names = shells[i.a].name() + "," + shells[i.b].name();
  if (std::string_view(i.integral) == "R") names += "," + shells[i.c].name() + "," + shells[i.d].name();
  return {i.integral, names, i.k, value};
}

std::vector<SlaterParameter> slaterParameters(const LevelSpace& space, const Result& result,
                                              const LevelHamiltonian& hamiltonian,
                                              const std::vector<std::string>& shells) {
  const Parameters parameters(space, result, hamiltonian);
  const std::vector<RadialShell> list = parameters.chosen(shells);
  std::vector<Shell> named;
  for (const RadialShell& s : list) named.push_back({s.n, s.l});
  const bool several = space.configurations.size() > 1;
  std::vector<SlaterParameter> values;
  for (const SlaterIntegral& i : slaterIntegrals(named, several)) {
    const bool isExchange = std::string_view(i.integral) == "G";
    values.push_back(parameterOf(i, named,
                                 isExchange
                                     ? parameters.exchange(i.k, list[i.a], list[i.b])
                                     : parameters.radial(i.k, list[i.a], list[i.b], list[i.c], list[i.d])));
  }
  if (several) parameters.addBetweenShells(list, values);
  for (const RadialShell& shell : list) parameters.addZetas(shell, values);
  parameters.addBreit(list, values);
  return values;
}

}  // namespace prophet
