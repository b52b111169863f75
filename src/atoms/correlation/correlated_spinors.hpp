#pragma once
#include <memory>
#include <string>
#include <vector>

#include "atoms/correlation/natural_spinors.hpp"
#include "atoms/correlation/open_groups.hpp"
#include "atoms/correlation/orbital_space.hpp"
#include "atoms/correlation/pair_angles.hpp"
#include "atoms/correlation/second_order.hpp"
#include "atoms/correlation/second_order_slopes.hpp"

namespace prophet {

/// A spinor whose electrons are correlated.
struct ActiveSpinor {
  int symmetry = 0, column = 0;  ///< of OrbitalSpace::symmetries()
  int group = OpenGroups::kNone;
  double energy = 0;
  std::string label;
  bool inner = false;  ///< see CorrelationOptions
  bool sameAs(const ActiveSpinor& other) const {
    return symmetry == other.symmetry && column == other.column;
  }
};

/// All occupied spinors but the frozen ones, by symmetry. Throws Error for frozen and inner shells that are
/// open, or that hold no electrons.
std::vector<ActiveSpinor> activeSpinors(const OrbitalSpace& space, const OpenGroups& groups,
                                        const std::vector<Shell>& frozen,
                                        const std::vector<Shell>& inner = {});
/// Takes the frozen and inner shells and the energies from the options.
std::vector<ActiveSpinor> activeSpinors(const OrbitalSpace& space, const OpenGroups& groups,
                                        const CorrelationOptions& options);

/// Groups the spinors, of which those of one symmetry stand together; the pointers are into `active`.
std::vector<std::vector<const ActiveSpinor*>> bySymmetry(const std::vector<ActiveSpinor>& active);

/// An electron may be excited into this: a symmetry and a target of it (SymmetryOrbitals::targets).
struct Target {
  int symmetry = 0;
  Eigen::Index target = 0;
};

/// The group of a target; kNone of a virtual one.
int groupOfTarget(const SymmetryOrbitals& orbitals, const OpenGroups& groups, Eigen::Index target);
/// The probability, over the determinants of the configuration, that a and b hold electrons and that two
/// targets in the groups `first` and `second` are empty. It is 0 if the excitation leads back into the
/// configuration.
double pairProbability(const OpenGroups& groups, const ActiveSpinor& a, const ActiveSpinor& b, int first,
                       int second);
/// Tells which targets are the spinors themselves (these are open shells then), as a sum of SamePlace.
unsigned samePlaces(const OrbitalSpace& space, const ActiveSpinor& a, const ActiveSpinor& b, const Target& r,
                    const Target& s);

/// Potentials of rank k of one spinor's products with the targets of all symmetries.
class SpinorPotentials {
 public:
  /// `known`: of the same spinor, whose potentials are taken over except for the targets of symmetries that
  /// are `changed`.
  SpinorPotentials(const OrbitalSpace& space, int symmetry, Eigen::Index column, ThreadPool& pool,
                   const SpinorPotentials* known = nullptr, const std::vector<bool>& changed = {});
  /// OrbitalSpace::potentials, a column for each target; of ranks that parity and triangle allow.
  const Eigen::MatrixXd& of(int symmetry, int k) const;

 private:
  using Ranks = std::vector<Eigen::MatrixXd>;
  std::vector<std::shared_ptr<const Ranks>> values_;  ///< [symmetry][(k - least)/2]
  std::vector<int> least_;
};

/// See CorrelationOptions.
struct SecondOrderCache {
  std::vector<SpinorPotentials> potentials;  ///< of each active spinor
  std::vector<PairAngles> angles;            ///< of each thread
};

/// Adds single excitations from and within the mean field of open shells: of the mean square of their matrix
/// elements over all determinants of the configuration. Of the options `targets` and `virtualOnly` count.
void addSingles(const OrbitalSpace& space, const OpenGroups& groups, const std::vector<ActiveSpinor>& active,
                const CorrelationOptions& options, SecondOrder& result);
/// Adds the same excitations' density of second order.
void addSinglesDensity(const OrbitalSpace& space, const OpenGroups& groups,
                       const std::vector<ActiveSpinor>& active, const CorrelationOptions& options,
                       std::vector<SymmetryDensity>& densities);
/// Adds their energy and its slopes, of the options' `targets`.
void addSinglesSlopes(const OrbitalSpace& space, const OpenGroups& groups,
                      const std::vector<ActiveSpinor>& active, const CorrelationOptions& options,
                      SecondOrderSlopes& slopes);

}  // namespace prophet
