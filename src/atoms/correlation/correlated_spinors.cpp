#include "atoms/correlation/correlated_spinors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/common/error.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

bool names(const Shell& shell, Symmetry symmetry, int n) {
  return shell.n == n && shell.l == symmetry.l() && shell.has(symmetry.twoJ());
}

}  // namespace

std::vector<ActiveSpinor> activeSpinors(const OrbitalSpace& space, const OpenGroups& groups,
                                        const std::vector<Shell>& frozen) {
  std::vector<ActiveSpinor> list;
  std::vector<bool> found(frozen.size(), false);
  for (std::size_t a = 0; a < space.symmetries().size(); ++a) {
    const SymmetryOrbitals& s = space.symmetries()[a];
    for (int i = 0; i < s.occupied(); ++i) {
      const int n = s.n[static_cast<std::size_t>(i)];
      bool isFrozen = false;
      for (std::size_t f = 0; f < frozen.size(); ++f) {
        if (!names(frozen[f], s.symmetry, n)) continue;
        found[f] = isFrozen = true;
        if (i >= s.closed)
          throw Error(
              fmt::format("the shell {} is open; only closed shells can be frozen", frozen[f].name()));
      }
      if (isFrozen) continue;
      list.push_back({static_cast<int>(a), i,
                      i < s.closed ? OpenGroups::kNone : groups.groupOf(s.symmetry, n), s.energies(i),
                      s.label(i)});
    }
  }
  for (std::size_t f = 0; f < frozen.size(); ++f)
    if (!found[f]) throw Error(fmt::format("there are no electrons in a shell '{}'", frozen[f].name()));
  return list;
}

SpinorPotentials::SpinorPotentials(const OrbitalSpace& space, int symmetry, Eigen::Index column,
                                   ThreadPool& pool) {
  const Symmetry own = space.symmetries()[static_cast<std::size_t>(symmetry)].symmetry;
  struct Task {
    int symmetry, k;
  };
  std::vector<Task> tasks;
  for (std::size_t r = 0; r < space.symmetries().size(); ++r) {
    const Symmetry other = space.symmetries()[r].symmetry;
    int least = std::abs(own.twoJ() - other.twoJ()) / 2;
    if ((least + own.l() + other.l()) % 2 != 0) ++least;
    least_.push_back(least);
    const int most = (own.twoJ() + other.twoJ()) / 2;
    auto& list = values_.emplace_back();
    for (int k = least; k <= most; k += 2) {
      list.emplace_back();
      tasks.push_back({static_cast<int>(r), k});
    }
  }
  pool.forEach(static_cast<int>(tasks.size()), [&](int i, int) {
    const auto [r, k] = tasks[static_cast<std::size_t>(i)];
    const SymmetryOrbitals& s = space.symmetries()[static_cast<std::size_t>(r)];
    values_[static_cast<std::size_t>(r)]
           [static_cast<std::size_t>((k - least_[static_cast<std::size_t>(r)]) / 2)] =
               space.potentials(k, space.densities(symmetry, column, r, s.closed, s.targets()));
  });
}

const Eigen::MatrixXd& SpinorPotentials::of(int symmetry, int k) const {
  const auto r = static_cast<std::size_t>(symmetry);
  return values_[r][static_cast<std::size_t>((k - least_[r]) / 2)];
}

}  // namespace prophet
