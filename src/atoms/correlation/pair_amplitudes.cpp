#include "atoms/correlation/pair_amplitudes.hpp"

#include "core/common/index.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

using Columns = Eigen::Map<Eigen::MatrixXd>;

/// Times probabilities, and without places that are before and after a transition. A row for each transition,
/// a column for each integral.
void weigh(const OrbitalSpace& space, const OpenGroups& groups, bool virtualOnly, const ActiveSpinor& a,
           const ActiveSpinor& b, int r, int s, const PairSymmetries& pair, PairAngles& angles,
           Columns& values, Columns& weighted) {
  const SymmetryOrbitals& first = space.symmetries()[usize(r)];
  const SymmetryOrbitals& second = space.symmetries()[usize(s)];
  const double toVirtuals = pairProbability(groups, a, b, OpenGroups::kNone, OpenGroups::kNone);
  const Eigen::Index rows = first.targets();
  for (Eigen::Index j = 0; j < second.targets(); ++j)
    for (Eigen::Index i = 0; i < rows; ++i) {
      auto own = weighted.row(i + rows * j);
      if (i >= first.open && j >= second.open) {
        own *= toVirtuals;
        continue;
      }
      const double probability = virtualOnly ? 0
                                             : pairProbability(groups, a, b, groupOfTarget(first, groups, i),
                                                               groupOfTarget(second, groups, j));
      if (probability == 0) {  // perhaps no excitation at all, of no energy
        own.setZero();
        values.row(i + rows * j).setZero();
        continue;
      }
      const unsigned same = samePlaces(space, a, b, {r, i}, {s, j});
      if (same != kNoPlace) own = values.row(i + rows * j) * angles.form(pair, same);
      own *= probability;
    }
}

}  // namespace

PairAmplitudes pairAmplitudes(const OrbitalSpace& space, const OpenGroups& groups, bool virtualOnly,
                              const ActiveSpinor& a, const ActiveSpinor& b, int r, int s,
                              const SpinorPotentials& ofB, PairAngles& angles) {
  const auto of = [&](int symmetry) -> const SymmetryOrbitals& {
    return space.symmetries()[usize(symmetry)];
  };
  const SymmetryOrbitals &first = of(r), &second = of(s);
  const PairSymmetries pair{of(a.symmetry).symmetry, of(b.symmetry).symmetry, first.symmetry,
                            second.symmetry};
  const std::vector<int> direct = pairRanks(pair), exchange = pairRanks({pair.a, pair.b, pair.s, pair.r});
  const Eigen::Index rows = first.targets(), cols = second.targets();
  const auto count = static_cast<Eigen::Index>(direct.size() + exchange.size());
  PairAmplitudes x;
  x.direct = static_cast<Eigen::Index>(direct.size());
  x.ranks = direct;
  x.ranks.insert(x.ranks.end(), exchange.begin(), exchange.end());
  x.values.resize(rows, cols * count);
  x.weighted.resize(rows, cols * count);
  if (count == 0) return x;
  x.gaps = (first.energies.tail(rows) * Eigen::RowVectorXd::Ones(cols)).rowwise() +
           (second.energies.tail(cols).array() - a.energy - b.energy).matrix().transpose();
  const Eigen::MatrixXd atR = space.densities(a.symmetry, a.column, r, first.closed, rows);
  const Eigen::MatrixXd atS =
      r == s ? Eigen::MatrixXd() : space.densities(a.symmetry, a.column, s, second.closed, cols);
  Eigen::Index place = 0;
  for (const int k : direct)
    x.values.middleCols(cols * place++, cols) =
        multiply(atR, true, ofB.of(s, k), false).cwiseQuotient(x.gaps);
  for (std::size_t i = 0; i < exchange.size(); ++i) {
    auto own = x.values.middleCols(cols * place++, cols);
    if (r == s) {
      own = x.values.middleCols(cols * static_cast<Eigen::Index>(i), cols).transpose();
    } else {
      own = multiply(ofB.of(r, exchange[i]), true, atS, false).cwiseQuotient(x.gaps);
    }
  }
  Columns values(x.values.data(), rows * cols, count), weighted(x.weighted.data(), rows * cols, count);
  product(values, angles.form(pair), weighted);
  weigh(space, groups, virtualOnly, a, b, r, s, pair, angles, values, weighted);
  return x;
}

}  // namespace prophet
