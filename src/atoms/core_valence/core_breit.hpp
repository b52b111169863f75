#pragma once
#include <Eigen/Core>
#include <array>
#include <memory>
#include <vector>

#include "atoms/core_valence/breit_points.hpp"
#include "atoms/core_valence/excited_spinors.hpp"
#include "atoms/core_valence/pair_table.hpp"

namespace prophet {

/// What an interaction beside the Coulomb repulsion, that of Breit of frequency zero or the recoil of the
/// nucleus, changes for electrons above a closed core: the interaction of two of them, and Sigma_1 and
/// Sigma_2 of second order, in which it stands beside the repulsion in both places. Its field is not here:
/// the spinors are those of it (OrbitalSpace::repulsion, perturbedSpace).
///
/// It acts between the lowest valence spinors of each symmetry and the core's; core electrons are excited to
/// natural spinors alone, as products with the Coulomb repulsion are wanted. Formulas:
/// docs/theory/core-valence.md.
class CoreBreit {
 public:
  CoreBreit(const ValenceSpace& space, const std::vector<ExcitedSpinors>& excited,
            TwoElectronOperator repulsion, ThreadPool& pool);
  CoreBreit(const ValenceSpace& space, const std::vector<ExcitedSpinors>& excited,
            std::unique_ptr<const AddedInteraction> added, ThreadPool& pool);

  /// Multipoles between valence spinors.
  const PairTable& interaction() const { return interaction_; }
  /// What it adds to S^k (ringTable).
  PairTable rings() const;
  /// What it adds to Sigma_1 between the spinors of ValenceSpace::withCore of a symmetry.
  Eigen::MatrixXd selfEnergy(int symmetry) const;
  /// X^k(vw,ab): a row for each v, a column for each w, of which there are as many as of interaction().
  /// `a` and `b`: of ValenceSpace::holes. Empty: there is none.
  Eigen::MatrixXd withHoles(int k, int v, int w, std::size_t a, std::size_t b) const;

 private:
  enum Interaction { Coulomb, Added };
  /// Spinors at the points of both interactions.
  struct Group {
    std::array<SpinorFunctions, 2> at;
    Eigen::VectorXd energies;

    Symmetry type() const { return at[Coulomb].symmetry; }
    Eigen::Index count() const { return at[Coulomb].count(); }
  };
  /// What belongs to products of two groups' spinors, those of the first fastest: [k], empty where there is
  /// none.
  struct Products {
    std::array<std::vector<Eigen::MatrixXd>, 2> ranks;
  };

  Group groupOf(const SpinorFunctions& functions, Eigen::VectorXd energies = {}) const;
  Eigen::MatrixXd sources(Interaction by, int k, const Group& a, const Group& c) const;
  Products sources(const Group& a, const Group& c) const;
  Products potentials(const Products& sources, bool odd) const;
  /// X^k(ab,cd) of the sources of (a, c), a row for each, and potentials of (b, d); empty: there is none.
  static Eigen::MatrixXd integrals(Interaction by, int k, const Products& sources,
                                   const Products& potentials);
  void makeInteraction();
  void makeWithHoles();
  /// W^k(vn,xa) ([k] (e_n - e_a))^(-1/2) with a row for each excitation and a column for each (v, x), of the
  /// Coulomb repulsion and of both. `withGroups`: of each group and valence symmetry the potentials of (v,
  /// a), or the products of (n, x).
  std::array<Eigen::MatrixXd, 2> ringFactors(int number, const std::vector<Products>& withGroups) const;
  /// Sigma of excitations from q to p, with the other electron to r.
  Eigen::MatrixXd selfEnergyOf(const Group& own, const std::vector<Products>& ofOwn, double energy,
                               std::size_t q, std::size_t p, std::size_t r) const;

  const ValenceSpace& space_;
  ThreadPool& pool_;
  int largestK_ = 0;
  std::unique_ptr<const AddedInteraction> added_;
  std::size_t holes_ = 0;      ///< groups of them, the first of all
  std::vector<Group> groups_;  ///< of holes and particles of each symmetry
  std::vector<Group> valence_;
  std::vector<Products> potentials_;  ///< [group * groups + group], of a hole and a particle in either order
  PairTable interaction_;
  /// X^k(vw,ab) have [number] rows (v, a) and columns (w, b); those of [symmetry * holes + hole] begin where
  /// firstWithHoles_ says.
  std::vector<Eigen::MatrixXd> withHoles_;
  std::vector<std::vector<Eigen::Index>> firstWithHoles_;
};

}  // namespace prophet
