#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <string>
#include <vector>

#include "atoms/correlation/correlated_spinors.hpp"
#include "atoms/correlation/correlation_engine.hpp"
#include "atoms/correlation/orbital_space.hpp"
#include "atoms/correlation/pair_angles.hpp"
#include "atoms/correlation/product_points.hpp"
#include "atoms/correlation/spinor_operators.hpp"

namespace prophet {

/// Most electrons above the core.
inline constexpr int kMostValenceElectrons = 4;

/// One spinor that valence electrons may have.
struct ValenceSpinor {
  int symmetry = 0;  ///< of OrbitalSpace::symmetries()
  int n = 0;         ///< counted on from the core's spinors
  Symmetry type;
  double energy = 0;  ///< mean energy in the core's field, hartree

  std::string label() const { return spinorLabel(type, n - type.l()); }
};

/// The spinors of one symmetry that valence electrons may have; `rotation` makes them of the core's field's.
struct ValenceFunctions : SpinorFunctions {
  Eigen::MatrixXd rotation;  ///< over the first virtual spinors of the symmetry, a column for each
};

/// The spinors above a closed core, by symmetry and ascending in energy, and the core's that are correlated
/// with them.
///
/// The lowest ones are eigenvectors of a field, as Rydberg states need them: of the core's, or, where there
/// are more than two electrons, of the core's and the other valence electrons' (ValenceSpinorRequest). The
/// others are natural
/// spinors: eigenvectors, with the largest occupations, of the density of second order that the correlation
/// of two electrons in the references has outside of the former (P.-O. Loewdin, Phys. Rev. 97 (1955) 1474).
/// Those of a box would have to be many before they say anything about the distance between two electrons.
struct ValenceSpace {
  const OrbitalSpace& orbitals;
  std::vector<ValenceSpinor> spinors;
  std::vector<int> first;                   ///< of each symmetry among the spinors, and the end
  std::vector<Eigen::Index> screenedCount;  ///< of each symmetry: the lowest, between which Sigma_2 acts
  std::vector<ValenceFunctions> functions;  ///< of each symmetry
  std::vector<ActiveSpinor> holes;
  RankFactors screening{};   ///< ValenceSpinorRequest::screening
  ProductPoints products{};  ///< of factors() with all of the orbitals

  /// Products of a spinor of symmetry s with the first `count` of symmetry t, as OrbitalSpace::densities.
  Eigen::MatrixXd densities(int s, int i, int t, Eigen::Index count) const;
  /// The same with columns [first, first + count) of a symmetry of the orbitals.
  Eigen::MatrixXd densitiesWith(int s, int i, int orbital, Eigen::Index first, Eigen::Index count) const;
  int symmetries() const { return static_cast<int>(first.size()) - 1; }
  int count(int symmetry) const { return first[usize(symmetry) + 1] - first[usize(symmetry)]; }
  int screened(int symmetry) const { return static_cast<int>(screenedCount[usize(symmetry)]); }
  Symmetry type(int symmetry) const { return orbitals.symmetries()[usize(symmetry)].symmetry; }
  /// Energy of the lowest spinor of a symmetry in the core's field, hartree: what an electron of it has in
  /// the denominators. Functions of a basis set that serve correlation alone lie high; of them it is that of
  /// a free electron at rest, beyond which there are no bound states and denominators vanish.
  double lowest(int symmetry) const {
    const SymmetryOrbitals& o = orbitals.symmetries()[usize(symmetry)];
    return std::min(o.energies(o.closed), 0.0);
  }
  /// Functions of the core and of the valence electrons.
  std::vector<SpinorFunctions> factors() const;
  /// The core's spinors of a symmetry, then its valence spinors.
  SpinorFunctions withCore(int symmetry) const;
  /// The core's field between the spinors of a symmetry, hartree.
  Eigen::MatrixXd coreField(int symmetry) const;
};

/// What X^k(ab,cd) is multiplied by in <(ab)J|g|(cd)J> = sum_k (-1)^(jb+jc+J) {ja jb J; jd jc k} X^k(ab,cd).
double pairCoupling(int k, int twoJ, Symmetry a, Symmetry b, Symmetry c, Symmetry d);

/// <i|v|j> of a local operator, which comes with the mesh's weights.
Eigen::MatrixXd localBetween(const SpinorFunctions& functions, const Eigen::VectorXd& weighted);
/// <i|K|j> of a spinor that is full.
Eigen::MatrixXd exchangeBetween(const OrbitalSpace& orbitals, const SpinorFunctions& functions,
                                const SpinorFunctions& full);

/// Which spinors there are.
struct ValenceSpinorRequest {
  int largestL = 3;      ///< of the valence electrons' spinors
  int boundL = 100;      ///< of larger l there are natural spinors alone, half as many
  int perSymmetry = 16;  ///< at most
  int eigenvectors = 5;  ///< of them, the lowest ones; as many as there are spinors: all
  /// Lowest eigenvectors of each l that the references have; the first of each is in all pairs of them.
  std::vector<int> references{2, 2, 1};
  int screened = 8;           ///< of each symmetry, between which Sigma_2 acts
  std::vector<Shell> frozen;  ///< shells of the core that are not correlated
  /// Factors of Coulomb lines of rank k in second order: each product of two of them is multiplied by the
  /// mean of both lines' factors (docs/theory/core-valence.md).
  RankFactors screening{};
  /// Valence electrons whose mean field, in the average of their configuration, is added to the core's in
  /// making the spinors: all of them for those that they have, without one for the others. In each l they
  /// are in the lowest spinors. Empty: the core's field alone.
  std::vector<Shell> inField;
};

/// Throws Error where there are no spinors of some symmetry, a shell of the core is open, a frozen one is
/// none of the core's, or the field of the valence electrons does not converge.
ValenceSpace valenceSpace(const OrbitalSpace& orbitals, const Configuration& core,
                          const ValenceSpinorRequest& request, ThreadPool& pool);

/// Sigma_1 between the spinors of ValenceSpace::withCore of a symmetry at the energy of the lowest valence
/// one, hartree: the self-energy of second order (self_energy.hpp). With `allWaves` it is multiplied by what
/// the lowest valence spinor's diagonal element with spinors of all l is to that with those of the space
/// (extrapolatedWaves).
Eigen::MatrixXd selfEnergy(const ValenceSpace& space, int symmetry, CorrelationEngine& engine,
                           ThreadPool& pool, const Checkpoint& checkpoint = {}, bool allWaves = false);

}  // namespace prophet
