#include "atoms/correlation/pair_excitations.hpp"

#include <algorithm>

#include "atoms/correlation/pair_angles.hpp"
#include "core/common/index.hpp"

namespace prophet {

bool PairExcitations::reaches(int r, int s) const {
  const auto isTarget = [&](int symmetry) {
    return options_.targets.empty() || options_.targets[usize(symmetry)];
  };
  return (isTarget(r) || isTarget(s)) && of(r).targets() > 0 && of(s).targets() > 0;
}

double PairExcitations::weight(const ActiveSpinor& a, const ActiveSpinor& b, int r, Eigen::Index i, int s,
                               Eigen::Index j) const {
  const int first = groupOfTarget(of(r), groups_, i), second = groupOfTarget(of(s), groups_, j);
  const bool open = first != OpenGroups::kNone || second != OpenGroups::kNone;
  if (!open && a.group == OpenGroups::kNone && b.group == OpenGroups::kNone) return 1;
  if (open && options_.virtualOnly) return 0;
  return pairProbability(groups_, a, b, first, second);
}

double PairExcitations::operations() const {
  double integrals = 0;
  for (std::size_t a = 0; a < active_.size(); ++a)
    for (std::size_t b = a; b < active_.size(); ++b)
      for (int r = 0; r < symmetries() && counts(active_[a], active_[b]); ++r)
        for (int s = r; s < symmetries(); ++s) {
          if (!reaches(r, s)) continue;
          const Symmetry sa = of(active_[a].symmetry).symmetry, sb = of(active_[b].symmetry).symmetry;
          std::size_t ranks = pairRanks({sa, sb, of(r).symmetry, of(s).symmetry}).size();
          if (r != s) ranks += pairRanks({sa, sb, of(s).symmetry, of(r).symmetry}).size();
          integrals += static_cast<double>(ranks) * static_cast<double>(of(r).targets()) *
                       static_cast<double>(of(s).targets());
        }
  return 2.0 * static_cast<double>(space_.points()) * integrals;
}

}  // namespace prophet
