#include "atoms/correlation/correlated_spinors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

bool names(const Shell& shell, Symmetry symmetry, int n) {
  return shell.n == n && shell.l == symmetry.l() && shell.has(symmetry.twoJ());
}

}  // namespace

std::vector<ActiveSpinor> activeSpinors(const OrbitalSpace& space, const OpenGroups& groups,
                                        const std::vector<Shell>& frozen, const std::vector<Shell>& inner) {
  std::vector<ActiveSpinor> list;
  std::vector<bool> isFound(frozen.size() + inner.size(), false);
  const auto isAmong = [&](const std::vector<Shell>& shells, const SymmetryOrbitals& s, int i,
                           std::size_t first) {
    bool is = false;
    for (std::size_t f = 0; f < shells.size(); ++f) {
      if (!names(shells[f], s.symmetry, s.n[usize(i)])) continue;
      isFound[first + f] = is = true;
      if (i >= s.closed)
        throw Error(fmt::format("the shell {} is open; only closed shells can be {}", shells[f].name(),
                                first == 0 ? "frozen" : "inner ones"));
    }
    return is;
  };
  for (std::size_t a = 0; a < space.symmetries().size(); ++a) {
    const SymmetryOrbitals& s = space.symmetries()[a];
    for (int i = 0; i < s.occupied(); ++i)
      if (!isAmong(frozen, s, i, 0))
        list.push_back({static_cast<int>(a), i,
                        i < s.closed ? OpenGroups::kNone : groups.groupOf(s.symmetry, s.n[usize(i)]),
                        s.energies(i), s.label(i), isAmong(inner, s, i, frozen.size())});
  }
  for (std::size_t f = 0; f < isFound.size(); ++f)
    if (!isFound[f])
      throw Error(fmt::format("there are no electrons in a shell '{}'",
                              (f < frozen.size() ? frozen[f] : inner[f - frozen.size()]).name()));
  return list;
}

std::vector<ActiveSpinor> activeSpinors(const OrbitalSpace& space, const OpenGroups& groups,
                                        const CorrelationOptions& options) {
  std::vector<ActiveSpinor> list = activeSpinors(space, groups, options.frozen, options.inner);
  if (options.virtualOnly)
    for (ActiveSpinor& a : list) a.energy = space.symmetries()[usize(a.symmetry)].ownEnergies(a.column);
  return list;
}

std::vector<std::vector<const ActiveSpinor*>> bySymmetry(const std::vector<ActiveSpinor>& active) {
  std::vector<std::vector<const ActiveSpinor*>> lists;
  for (const ActiveSpinor& a : active) {
    if (lists.empty() || lists.back().front()->symmetry != a.symmetry) lists.emplace_back();
    lists.back().push_back(&a);
  }
  return lists;
}

int groupOfTarget(const SymmetryOrbitals& orbitals, const OpenGroups& groups, Eigen::Index target) {
  if (target >= orbitals.open) return OpenGroups::kNone;
  return groups.groupOf(orbitals.symmetry, orbitals.n[usize(orbitals.closed + target)]);
}

double pairProbability(const OpenGroups& groups, const ActiveSpinor& a, const ActiveSpinor& b, int first,
                       int second) {
  const bool within = first != OpenGroups::kNone && second != OpenGroups::kNone &&
                      ((a.group == first && b.group == second) || (a.group == second && b.group == first));
  return within ? 0 : groups.probability({a.group, b.group}, {first, second});
}

unsigned samePlaces(const OrbitalSpace& space, const ActiveSpinor& a, const ActiveSpinor& b, const Target& r,
                    const Target& s) {
  const auto is = [&](const Target& t, const ActiveSpinor& spinor) {
    return t.symmetry == spinor.symmetry &&
           t.target + space.symmetries()[usize(t.symmetry)].closed == spinor.column;
  };
  return (is(r, a) ? kRisA : kNoPlace) | (is(r, b) ? kRisB : kNoPlace) | (is(s, a) ? kSisA : kNoPlace) |
         (is(s, b) ? kSisB : kNoPlace);
}

SpinorPotentials::SpinorPotentials(const OrbitalSpace& space, int symmetry, Eigen::Index column,
                                   ThreadPool& pool, const SpinorPotentials* known,
                                   const std::vector<bool>& changed) {
  const Symmetry own = space.symmetries()[usize(symmetry)].symmetry;
  struct Task {
    std::size_t symmetry;
    int k;
  };
  std::vector<Task> tasks;
  std::vector<std::shared_ptr<Ranks>> lists;
  for (std::size_t r = 0; r < space.symmetries().size(); ++r) {
    const Symmetry other = space.symmetries()[r].symmetry;
    int least = std::abs(own.twoJ() - other.twoJ()) / 2;
    if ((least + own.l() + other.l()) % 2 != 0) ++least;
    least_.push_back(least);
    const int most = (own.twoJ() + other.twoJ()) / 2;
    const bool taken = known != nullptr && !changed[r];
    lists.push_back(taken ? nullptr : std::make_shared<Ranks>());
    values_.push_back(taken ? known->values_[r] : lists.back());
    for (int k = least; k <= most && !taken; k += 2) {
      lists.back()->emplace_back();
      tasks.push_back({r, k});
    }
  }
  pool.forEach(static_cast<int>(tasks.size()), [&](int i, int) {
    const auto [r, k] = tasks[usize(i)];
    const SymmetryOrbitals& s = space.symmetries()[r];
    (*lists[r])[usize((k - least_[r]) / 2)] =
        space.potentials(k, space.densities(symmetry, column, static_cast<int>(r), s.closed, s.targets()));
  });
}

const Eigen::MatrixXd& SpinorPotentials::of(int symmetry, int k) const {
  const auto r = usize(symmetry);
  return (*values_[r])[usize((k - least_[r]) / 2)];
}

}  // namespace prophet
