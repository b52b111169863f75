#include "atoms/breit/breit.hpp"

#include <algorithm>
#include <map>

#include "atoms/fock/slater_kernel.hpp"
#include "atoms/fock/toeplitz_product.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {

namespace {

/// exp(-(k + 1/2) x), x > 0: all radial kernels are made of these and of their mirror images.
class OneSidedKernels {
 public:
  OneSidedKernels(double h, int points) : h_(h), points_(points) {}
  const Eigen::VectorXd& operator()(int k) {
    const auto [entry, isNew] = kernels_.try_emplace(k);
    if (isNew) entry->second = oneSidedKernel(k + 0.5, h_, points_);
    return entry->second;
  }

 private:
  double h_;
  int points_;
  std::map<int, Eigen::VectorXd> kernels_;
};

/// Kernels of one pair of symmetries.
struct PairKernels {
  Eigen::VectorXd ll, ss, ls, reversed;  ///< halves of the first two; `reversed` acts with -m
  explicit PairKernels(int points)
      : ll(Eigen::VectorXd::Zero(2 * points - 1)), ss(ll), ls(ll), reversed(ll) {}

  void add(const SplitBreitTerm& t, double coefficient, OneSidedKernels& half) {
    if (coefficient == 0.0) return;
    const double cLL = coefficient * t.largeFromSmall, cSS = coefficient * t.smallFromLarge;
    const double cLS = coefficient * t.mixed;
    if (t.rank1 == t.rank2) {
      const Eigen::VectorXd& kernel = half(t.rank1);
      if (cLL != 0.0) ll += cLL * kernel;
      if (cSS != 0.0) ss += cSS * kernel;
      if (cLS == 0.0) return;
      ls += cLS * kernel;
      reversed += cLS * kernel;
      return;
    }
    const Eigen::VectorXd &plus = half(t.rankJ - 1), &minus = half(t.rankJ + 1);
    if (cLL != 0.0) ll += 0.5 * cLL * (plus - minus);
    if (cSS != 0.0) ss += 0.5 * cSS * (plus - minus);
    if (cLS != 0.0) (t.rank1 < t.rank2 ? ls : reversed) += cLS * (plus - minus);
  }
};

std::shared_ptr<CrossKernels> emptyKernels(std::size_t symmetries, int points) {
  auto result = std::make_shared<CrossKernels>();
  result->symmetries = static_cast<int>(symmetries);
  result->points = points;
  for (auto* kernels : {&result->largeFromSmall, &result->smallFromLarge, &result->mixed})
    kernels->resize(symmetries * symmetries);
  return result;
}

void store(const PairKernels& pair, std::size_t i, std::size_t k, CrossKernels& result) {
  const std::size_t n = result.symmetries;
  // Kernels of LL and SS are even in m: the two orders of each gauge term have equal factors.
  result.largeFromSmall[i * n + k] = pair.ll + pair.ll.reverse();
  result.smallFromLarge[i * n + k] = pair.ss + pair.ss.reverse();
  result.mixed[i * n + k] = pair.ls + pair.reversed.reverse();
  if (i == k) return;
  // The interaction is self-adjoint: (b, a) follows from (a, b).
  result.largeFromSmall[k * n + i] = result.smallFromLarge[i * n + k];
  result.smallFromLarge[k * n + i] = result.largeFromSmall[i * n + k];
  result.mixed[k * n + i] = result.mixed[i * n + k].reverse();
}

std::shared_ptr<const CrossKernels> sumOf(const CrossKernels& a, const CrossKernels& b) {
  auto sum = std::make_shared<CrossKernels>(a);
  for (std::size_t i = 0; i < a.mixed.size(); ++i) {
    sum->largeFromSmall[i] += b.largeFromSmall[i];
    sum->smallFromLarge[i] += b.smallFromLarge[i];
    sum->mixed[i] += b.mixed[i];
  }
  return sum;
}

}  // namespace

BreitKernelSet breitKernelSet(const std::vector<Symmetry>& symmetries, double h, int points) {
  OneSidedKernels half(h, points);
  const auto gaunt = emptyKernels(symmetries.size(), points), gauge = emptyKernels(symmetries.size(), points);
  for (std::size_t i = 0; i < symmetries.size(); ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      PairKernels first(points), second(points);
      for (const SplitBreitTerm& t : splitBreitTerms(symmetries[i], symmetries[k])) {
        first.add(t, t.gaunt, half);
        second.add(t, t.gauge, half);
      }
      store(first, i, k, *gaunt);
      store(second, i, k, *gauge);
    }
  }
  return {gaunt, gauge, sumOf(*gaunt, *gauge)};
}

std::shared_ptr<const CrossKernels> breitKernels(const std::vector<Symmetry>& symmetries, double h,
                                                 int points, BreitPart part) {
  const BreitKernelSet set = breitKernelSet(symmetries, h, points);
  if (part == BreitPart::Gaunt) return set.gaunt;
  return part == BreitPart::Gauge ? set.gauge : set.breit;
}

BreitInteraction::BreitInteraction(const BasisSet& basis, const RadialGrid& grid,
                                   TwoElectronOperator repulsion) {
  if (repulsion == TwoElectronOperator::Coulomb) return;
  const BreitKernelSet set = breitKernelSet(symmetriesOf(basis), grid.h, grid.points);
  gaunt_ = set.gaunt;
  const bool gauntAlone = repulsion == TwoElectronOperator::CoulombGaunt;
  if (!gauntAlone) gauge_ = set.gauge;
  whole_ = gauntAlone ? set.gaunt : set.breit;
}

std::unique_ptr<GridFockBuilder> makeGridBuilder(const BasisSet& basis, const RadialGrid& grid,
                                                 TwoElectronOperator repulsion, ThreadPool& pool) {
  return std::make_unique<GridFockBuilder>(basis, grid, pool,
                                           BreitInteraction(basis, grid, repulsion).whole());
}

BreitEnergy breitEnergy(const BasisSet& basis, const RadialGrid& grid, const Configuration& configuration,
                        const ScfResult& scf, TwoElectronOperator repulsion, ThreadPool& pool) {
  return breitEnergy(basis, grid, configuration, scf, BreitInteraction(basis, grid, repulsion), pool);
}

std::vector<EnergyPart> breitParts(TwoElectronOperator repulsion, const BreitEnergy& energy,
                                   Treatment treatment) {
  std::vector<EnergyPart> parts;
  if (repulsion != TwoElectronOperator::Coulomb)
    parts.push_back({EnergyPartId::Gaunt, energy.gaunt, treatment});
  if (repulsion == TwoElectronOperator::CoulombBreit)
    parts.push_back({EnergyPartId::BreitGauge, energy.gauge, treatment});
  return parts;
}

namespace {

/// Orbitals on the grid times the square roots of their occupations; the functions are those of the grid
/// builder.
struct GridOrbitals {
  int symmetry = 0;
  Eigen::MatrixXd large, small;  ///< points x spinors; empty without electrons
};

/// The occupied spinors of each symmetry.
std::vector<GridOrbitals> gridOrbitals(const BasisSet& basis, const RadialGrid& grid,
                                       const std::vector<OccupiedSpinors>& spinors) {
  const Eigen::VectorXd scale = grid.radii().array().pow(-0.25);
  std::vector<GridOrbitals> all(spinors.size());
  for (std::size_t a = 0; a < spinors.size(); ++a) {
    const OccupiedSpinors& s = spinors[a];
    all[a].symmetry = static_cast<int>(a);
    if (s.occupation.size() == 0) continue;
    const GridFunctions f = evaluateOnGrid(basis.symmetries[a], grid);
    const Eigen::VectorXd root = s.occupation.cwiseSqrt();
    all[a].large = scale.asDiagonal() * (f.large * s.large) * root.asDiagonal();
    all[a].small = scale.asDiagonal() * (f.small * s.small) * root.asDiagonal();
  }
  return all;
}

/// Each open spinor by itself.
std::vector<GridOrbitals> openOrbitals(const std::vector<GridOrbitals>& orbitals,
                                       const std::vector<OpenSpinor>& open) {
  std::vector<GridOrbitals> list;
  for (const auto& [symmetry, column] : open)
    list.push_back({symmetry, orbitals[symmetry].large.col(column), orbitals[symmetry].small.col(column)});
  return list;
}

/// Grid points of a tile, so that its density blocks stay in a core's cache.
constexpr int kPointsOfTile = 24;

/// What kernels of j - i need to know of the densities of pairs (a, b), b <= a: the sums over j - i = m of
/// LL_a SS_b and SS_a LL_b (m <= 0; both are even), LS_a SL_b for m <= 0, and for m >= 0. Entry |m|.
class DiagonalSums {
 public:
  DiagonalSums(const std::vector<GridOrbitals>& orbitals, int points)
      : orbitals_(orbitals), points_(points), blocks_(orbitals.size()) {
    const auto n = static_cast<Eigen::Index>(orbitals.size());
    sums_ = Eigen::MatrixXd::Zero(points, 4 * (n * (n + 1) / 2));
  }

  /// Adds all pairs of points (i, j), i >= j, with j in the tile.
  void addTile(int first) {
    const int size = std::min(kPointsOfTile, points_ - first);
    for (std::size_t a = 0; a < blocks_.size(); ++a) blocksOf(a, first, size);
    for (std::size_t a = 0, pair = 0; a < blocks_.size(); ++a) {
      for (std::size_t b = 0; b <= a; ++b, ++pair) {
        if (occupied(a) && occupied(b)) addPair(blocks_[a], blocks_[b], first, size, 4 * pair);
      }
    }
  }
  void operator+=(const DiagonalSums& other) { sums_ += other.sums_; }

  /// -1/2 tr(D_a K[D_b]).
  double energy(int a, int b, const CrossKernels& kernels) const {
    const Eigen::Index pair = 4 * (static_cast<Eigen::Index>(a) * (a + 1) / 2 + b);
    const auto index = usize(orbitals_[a].symmetry) * kernels.symmetries + orbitals_[b].symmetry;
    return -0.5 * (even(pair, kernels.largeFromSmall[index]) + even(pair + 1, kernels.smallFromLarge[index]) +
                   2.0 * (below(pair + 2, kernels.mixed[index]) + above(pair + 3, kernels.mixed[index])));
  }

 private:
  /// Columns: points j of the tile; rows: points i from its first on.
  struct Blocks {
    Eigen::MatrixXd LL, SS, LS, SL;
  };
  bool occupied(std::size_t a) const { return orbitals_[a].large.size() > 0; }

  void blocksOf(std::size_t a, int first, int size) {
    if (!occupied(a)) return;
    const GridOrbitals& o = orbitals_[a];
    const int rows = points_ - first;
    const auto large = o.large.bottomRows(rows), small = o.small.bottomRows(rows);
    const auto tileLarge = o.large.middleRows(first, size);
    const auto tileSmall = o.small.middleRows(first, size);
    Blocks& d = blocks_[a];
    for (Eigen::MatrixXd* block : {&d.LL, &d.SS, &d.LS, &d.SL}) block->resize(rows, size);
    productNT(large, tileLarge, d.LL);
    productNT(small, tileSmall, d.SS);
    productNT(large, tileSmall, d.LS);
    productNT(small, tileLarge, d.SL);
  }

  void addPair(const Blocks& a, const Blocks& b, int first, int size, std::size_t pair) {
    double* target = &sums_(0, static_cast<Eigen::Index>(pair));
    for (int column = 0; column < size; ++column) {
      const int count = points_ - first - column;
      const auto add = [&](const Eigen::MatrixXd& x, const Eigen::MatrixXd& y, int sum) {
        addProducts(&x(column, column), &y(column, column), count, target + sum * points_);
      };
      add(a.LL, b.SS, 0);
      add(a.SS, b.LL, 1);
      add(a.LS, b.SL, 2);
      add(a.SL, b.LS, 3);  // LS_a SL_b of (j, i)
    }
  }

  double below(Eigen::Index column, const Eigen::VectorXd& kernel) const {
    return sums_.col(column).dot(kernel.head(points_).reverse());
  }
  /// Without m = 0.
  double above(Eigen::Index column, const Eigen::VectorXd& kernel) const {
    return sums_.col(column).tail(points_ - 1).dot(kernel.tail(points_ - 1));
  }
  double even(Eigen::Index column, const Eigen::VectorXd& kernel) const {
    return below(column, kernel) + above(column, kernel);
  }

  const std::vector<GridOrbitals>& orbitals_;
  int points_;
  std::vector<Blocks> blocks_;
  Eigen::MatrixXd sums_;
};

DiagonalSums diagonalSums(const std::vector<GridOrbitals>& orbitals, int points, ThreadPool& pool) {
  const int threads = pool.threads(), tiles = (points + kPointsOfTile - 1) / kPointsOfTile;
  std::vector<DiagonalSums> workers(threads, DiagonalSums(orbitals, points));
  pool.forEach(threads, [&](int worker, int) {
    for (int t = worker; t < tiles; t += threads) workers[worker].addTile(t * kPointsOfTile);
  });
  for (int w = 1; w < threads; ++w) workers[0] += workers[w];
  return workers[0];
}

/// Energy of all pairs, each by its weight.
BreitEnergy energyOf(const DiagonalSums& sums, const BreitInteraction& interaction,
                     const Eigen::MatrixXd& weights) {
  BreitEnergy energy;
  for (int a = 0; a < static_cast<int>(weights.rows()); ++a) {
    for (int b = 0; b <= a; ++b) {
      const double weight = (a == b ? 1.0 : 2.0) * weights(a, b);  // (a, b) and (b, a) have the same energy
      if (weight == 0.0) continue;
      energy.gaunt += weight * sums.energy(a, b, *interaction.gaunt());
      if (interaction.gauge()) energy.gauge += weight * sums.energy(a, b, *interaction.gauge());
    }
  }
  return energy;
}

}  // namespace

BreitEnergy breitEnergy(const BasisSet& basis, const RadialGrid& grid, const Configuration& configuration,
                        const ScfResult& scf, const BreitInteraction& interaction, ThreadPool& pool) {
  if (scf.symmetries.size() != basis.symmetries.size())
    throw Error("the Breit energy needs the spinors of the same basis set");
  if (!interaction.whole()) return {};
  const std::vector<OccupiedSpinors> spinors = occupiedSpinors(scf);
  const auto energyOfOrbitals = [&](const std::vector<GridOrbitals>& orbitals,
                                    const Eigen::MatrixXd& weights) {
    return energyOf(diagonalSums(orbitals, grid.points, pool), interaction, weights);
  };
  const std::vector<GridOrbitals> all = gridOrbitals(basis, grid, spinors);
  const auto count = static_cast<Eigen::Index>(all.size());
  BreitEnergy energy = energyOfOrbitals(all, Eigen::MatrixXd::Ones(count, count));
  if (!configuration.hasOpenShells()) return energy;
  const BreitEnergy reduction =
      energyOfOrbitals(openOrbitals(all, configuration.openSpinors()), configuration.openReduction());
  energy.gaunt -= reduction.gaunt;
  energy.gauge -= reduction.gauge;
  return energy;
}

std::vector<double> breitShifts(const BasisSet& basis, const RadialGrid& grid,
                                const Configuration& configuration,
                                const std::vector<OccupiedSpinors>& spinors,
                                const BreitInteraction& interaction, ThreadPool& pool) {
  std::vector<OpenSpinor> all;       // open or not
  std::vector<Eigen::Index> places;  // of the open ones
  Eigen::VectorXd electrons(0);
  for (int a = 0; a < static_cast<int>(spinors.size()); ++a)
    for (int i = 0; i < spinors[a].occupation.size(); ++i) {
      if (configuration.symmetries[a].spinors[i].open) places.push_back(electrons.size());
      all.push_back({a, i});
      electrons.conservativeResize(electrons.size() + 1);
      electrons(electrons.size() - 1) = spinors[a].occupation(i);
    }
  std::vector<double> shifts(all.size(), 0.0);
  if (!interaction.whole()) return shifts;
  const auto count = static_cast<Eigen::Index>(all.size());
  Eigen::MatrixXd weights = Eigen::MatrixXd::Ones(count, count);
  if (!places.empty()) weights(places, places) -= configuration.openReduction();
  const std::vector<GridOrbitals> orbitals = openOrbitals(gridOrbitals(basis, grid, spinors), all);
  const DiagonalSums sums = diagonalSums(orbitals, grid.points, pool);
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < count; ++b)
      shifts[usize(a)] += 2 * weights(a, b) / electrons(a) *
                          sums.energy(std::max(a, b), std::min(a, b), *interaction.whole());
  return shifts;
}

}  // namespace prophet
