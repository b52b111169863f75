#include "cuda/scf/scf_setup.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "basis/coverage.hpp"
#include "cuda/integrals/one_electron.hpp"
#include "integrals/pair_index.hpp"
#include "scf/guess.hpp"

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

SymmetryData symmetryData(const SymmetryBasis& block, const SymmetrySpace& space,
                          const SymmetryOccupation& occupation, std::int64_t firstPair) {
  SymmetryData d{};
  d.functions = block.size();
  d.large = space.largeSize();
  d.small = space.smallSize();
  d.occupied = occupation.occupied();
  d.closed = occupation.closed();
  d.open = occupation.open() ? 1 : 0;
  d.firstPair = firstPair;
  d.degeneracy = block.symmetry.degeneracy();
  d.openElectrons = occupation.openElectrons();
  if (d.occupied > d.large) {
    throw Error(fmt::format("{} has {} occupied spinors but only {} independent functions; add functions",
                            block.symmetry.label(), d.occupied, d.large));
  }
  return d;
}

std::vector<Eigen::MatrixXd> makeGuess(const BasisSet& basis, const std::vector<SymmetrySpace>& spaces,
                                       double nuclearCharge, double electrons) {
  const auto screening = guessScreening(basis, nuclearCharge, electrons);
  std::vector<Eigen::MatrixXd> guess(spaces.size());
  Eigen::MatrixXd work;
  for (std::size_t a = 0; a < spaces.size(); ++a) {
    transformToSpace(spaces[a], screening[a], work, guess[a]);
    guess[a] += spaces[a].core;
  }
  return guess;
}

}  // namespace

bool ScfSetup::anyOpen() const { return std::find(open.begin(), open.end(), true) != open.end(); }

ScfSetup makeScfSetup(const BasisSet& basis, const Nucleus& nucleus, const Configuration& configuration,
                      double c, const ScfOptions& options, const Stream& stream) {
  checkOccupation(basis, configuration);
  const std::vector<OneElectronMatrices> matrices = oneElectronMatrices(basis, nucleus, stream);
  const int n = static_cast<int>(basis.symmetries.size());
  ScfSetup setup;
  setup.shape = {n, 1, 1};
  setup.reduction = Eigen::MatrixXd::Zero(n, n);
  const Eigen::MatrixXd reduction = configuration.openReduction();
  std::int64_t pair = 0;
  for (int a = 0; a < n; ++a) {
    const SymmetryOccupation& occupation = configuration.occupationOf(a);
    setup.spaces.push_back(makeSymmetrySpace(matrices[a], c, options.dependencyThreshold));
    const SymmetryData d = symmetryData(basis.symmetries[a], setup.spaces[a], occupation, pair);
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
  setup.guess = makeGuess(basis, setup.spaces, nucleus.charge, configuration.electrons());
  return setup;
}

}  // namespace prophet::cuda
