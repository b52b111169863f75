#pragma once
#include <algorithm>
#include <vector>

#include "atoms/correlation/correlated_spinors.hpp"
#include "atoms/correlation/orbital_space.hpp"
#include "atoms/correlation/pair_angles.hpp"
#include "atoms/correlation/product_points.hpp"
#include "core/common/index.hpp"

namespace prophet {

/// What terms of the self-energy are multiplied by: the sum's factor and the mean over projections, over an
/// energy.
struct SigmaWeights {
  double factor = 0, base = 0, sign = 0;
  Eigen::VectorXd rows, columns;  ///< energies, hartree

  double difference(Eigen::Index i, Eigen::Index j) const { return base + sign * (rows(i) + columns(j)); }
  double gap() const;  ///< smallest difference
};

/// The self-energy of second order of closed shells between functions of one symmetry at one energy, the same
/// for every engine: spinors or any combinations of them, as their energies are not in the sums. r, s and m
/// are symmetries.
struct SelfEnergyTerms {
  const OrbitalSpace& space;
  const std::vector<ActiveSpinor>& holes;
  int symmetry = 0;
  SpinorFunctions functions;
  Eigen::Index place = 0;         ///< of the valence spinor among the functions
  double energy = 0;              ///< hartree
  const ProductPoints& products;  ///< of the functions and holes with all spinors
  ThreadPool& pool;
  RankFactors factors{};  ///< of PairAngles

  const SymmetryOrbitals& of(int s) const { return space.symmetries()[usize(s)]; }
  const SymmetryOrbitals& own() const { return of(symmetry); }
  Eigen::Index count() const { return functions.count(); }
  int symmetries() const { return static_cast<int>(space.symmetries().size()); }

  /// The weights of two particles, r not after s, and a hole.
  SigmaWeights ofParticles(const ActiveSpinor& a, int r, int s) const {
    return {(r == s ? 0.5 : 1.0) / own().symmetry.degeneracy(), energy + a.energy, -1, virtualEnergies(r),
            virtualEnergies(s)};
  }
  /// The weights of two holes, b not before a, and a particle.
  SigmaWeights ofHoles(const ActiveSpinor& a, const ActiveSpinor& b, int m) const {
    return {(a.sameAs(b) ? 0.5 : 1.0) / own().symmetry.degeneracy(), energy - a.energy - b.energy, 1,
            virtualEnergies(m), Eigen::VectorXd::Zero(1)};
  }
  /// The largest l of some symmetries.
  int waveOf(const std::vector<int>& symmetriesOf) const {
    int wave = 0;
    for (const int s : symmetriesOf) wave = std::max(wave, of(s).symmetry.l());
    return wave;
  }
  Eigen::VectorXd virtualEnergies(int s) const { return of(s).energies.tail(of(s).virtuals()); }
  /// At the points of the products.
  SpinorFunctions hole(const ActiveSpinor& a) const {
    return products.valuesOf(functionsOf(space, a.symmetry, a.column, 1));
  }

  /// Symmetries of the first electron's and the second one's spinors before and after.
  PairSymmetries particles(const ActiveSpinor& a, int r, int s) const {
    return {own().symmetry, of(a.symmetry).symmetry, of(r).symmetry, of(s).symmetry};
  }
  PairSymmetries withHoles(const ActiveSpinor& a, const ActiveSpinor& b, int m) const {
    return {own().symmetry, of(m).symmetry, of(a.symmetry).symmetry, of(b.symmetry).symmetry};
  }
};

}  // namespace prophet
