#include "cuda/atoms/scf/scf_setup.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "atoms/basis/basis_set.hpp"
#include "atoms/integrals/pair_index.hpp"

namespace prophet::cuda {
namespace {

void checkOccupation(const BasisSet& basis, const Configuration& configuration) {
  if (!configuration.isAufbau()) {
    throw Error(
        "the GPU computes from stored integrals only configurations that are filled from the bottom, with "
        "one "
        "open spinor of each symmetry at the top; use --backend cpu for holes and excited states");
  }
  requireCovered(basis, configuration);
}

SymmetryData symmetryData(const SymmetryBasis& block, const SymmetryOccupation& occupation,
                          std::int64_t firstPair) {
  SymmetryData d{};
  d.functions = d.large = d.small = block.size();
  d.occupied = occupation.occupied();
  d.closed = occupation.closed();
  d.open = occupation.open() ? 1 : 0;
  d.firstPair = firstPair;
  d.degeneracy = block.symmetry.degeneracy();
  d.openElectrons = occupation.openElectrons();
  return d;
}

}  // namespace

bool ScfSetup::anyOpen() const { return std::find(open.begin(), open.end(), true) != open.end(); }

ScfSetup makeScfSetup(const BasisSet& basis, const Configuration& configuration) {
  checkOccupation(basis, configuration);
  const int n = static_cast<int>(basis.symmetries.size());
  ScfSetup setup;
  setup.shape = {n, 1, 1};
  setup.reduction = Eigen::MatrixXd::Zero(n, n);
  const Eigen::MatrixXd reduction = configuration.openReduction();
  std::int64_t pair = 0;
  for (int a = 0; a < n; ++a) {
    const SymmetryOccupation& occupation = configuration.occupationOf(a);
    const SymmetryData d = symmetryData(basis.symmetries[a], occupation, pair);
    pair += triangle(d.functions);
    setup.symmetries.push_back(d);
    setup.open.push_back(occupation.open());
    setup.places.push_back(occupation.spinors);
    setup.occupations.emplace_back(d.occupied);
    for (int i = 0; i < d.occupied; ++i) setup.occupations[a](i) = configuration.occupation(a, i);
    setup.shape.half = std::max(setup.shape.half, d.functions);
    setup.shape.columns = std::max(setup.shape.columns, d.occupied);
    for (int b = 0; b < n; ++b) {
      if (occupation.open() && configuration.occupationOf(b).open()) {
        setup.reduction(a, b) = reduction(configuration.firstOpen(a), configuration.firstOpen(b));
      }
    }
  }
  return setup;
}

void requireEnoughFunctions(const ScfSetup& setup, const BasisSet& basis) {
  for (std::size_t a = 0; a < setup.symmetries.size(); ++a) {
    const SymmetryData& d = setup.symmetries[a];
    if (d.occupied <= d.large) continue;
    throw Error(fmt::format("{} has {} occupied spinors but only {} independent functions; add functions",
                            basis.symmetries[a].symmetry.label(), d.occupied, d.large));
  }
}

}  // namespace prophet::cuda
