#pragma once
#include <Eigen/Core>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/symmetry.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/calculation/result.hpp"
#include "atoms/radial/slater_kernel.hpp"
#include "core/common/threads.hpp"

namespace prophet {

/// The spinors of one symmetry: closed ones, then open ones, each ascending in n, then virtual ones,
/// ascending in energy.
struct SymmetryOrbitals {
  Symmetry symmetry;
  int closed = 0, open = 0;
  std::vector<int> n;         ///< of the occupied ones
  Eigen::VectorXd electrons;  ///< of the occupied ones
  /// What an electron that leaves an occupied spinor takes along: with the field of its own shell's other
  /// electrons, which for open shells is not that of F; hartree.
  Eigen::VectorXd ownEnergies;
  Eigen::VectorXd energies;      ///< <i|F|i>, hartree
  Eigen::MatrixXd large, small;  ///< P sqrt(r) and Q sqrt(r) at the points of the mesh
  /// The large components have these coefficients over the normalised primitives of a Gaussian set, a column
  /// for each spinor; there are no rows without such a set.
  Eigen::MatrixXd coefficients;
  Eigen::MatrixXd coreHamiltonian;  ///< of one electron without others, between the spinors, hartree

  Eigen::Index count() const { return energies.size(); }
  int occupied() const { return closed + open; }
  Eigen::Index virtuals() const { return count() - occupied(); }
  /// Where electrons may go: open and virtual ones.
  Eigen::Index targets() const { return count() - closed; }
  /// "2p1/2" of an occupied one.
  std::string label(int i) const;
};

/// One symmetry's functions that withFunctions solved in, and all spinors over them: occupied ones, virtual
/// ones, and those of negative energy, in the columns of every matrix.
struct SolvedFunctions {
  SymmetryBasis block;
  Eigen::Index occupied = 0, virtuals = 0;
  Eigen::MatrixXd large, small;            ///< components over the normalised primitives
  Eigen::MatrixXd largeAt, smallAt;        ///< P sqrt(r) and Q sqrt(r) at the points of the mesh
  Eigen::MatrixXd largeField, smallField;  ///< of (J - K) times them; with the mesh's weights
  Eigen::MatrixXd fock, core;              ///< between them: F, and the Hamiltonian of one electron, hartree
};

/// Occupied and virtual spinors of an atom at the points of a mesh in x = ln r, for integrals between them.
///
/// F = h + sum_c n_c (J_c - K_c), n_c the mean number of electrons in a place of c: the field that closed
/// shells of an average of configuration feel, in which virtual spinors are eigenvectors outside of the
/// occupied ones. Of closed shells it is the Hartree-Fock operator.
class OrbitalSpace {
 public:
  /// All functions of a Gaussian set, with contractions, as virtual spinors of a field in that set, which
  /// must hold radial functions. `largestL`: of virtual spinors; occupied ones are all there. `dependency`:
  /// see orthonormalise. Throws Error where the field has none.
  /// `cell`: width of the mesh's cells in ln r; twice the default's leaves 1e-9 or so of an energy.
  static OrbitalSpace inBasis(const AtomProblem& problem, const BasisSet& basis, double dependency,
                              const Result& field, int largestL, ThreadPool& pool,
                              double cell = kGaussianCell);
  static constexpr double kGaussianCell = 0.25;
  /// All splines of a numerical limit up to an l, without spinors above `highestEnergy` (hartree). Where the
  /// limit has the Breit interaction in its field, F has it too.
  static OrbitalSpace ofSplines(const AtomProblem& problem, const Result& limit, int largestL,
                                double highestEnergy, ThreadPool& pool);

  /// The same field and mesh with other functions of some symmetries, each of which the space has; the field
  /// stays that of the occupied spinors as they are. The mesh must be fit for the functions: no exponent
  /// beyond those that the space was made of. `solved`: gets what derivatives need, for each block.
  OrbitalSpace withFunctions(const AtomProblem& problem, const std::vector<SymmetryBasis>& blocks,
                             double dependency, ThreadPool& pool,
                             std::vector<SolvedFunctions>* solved = nullptr) const;

  /// Computes the field of these functions once, for all that withFunctions is asked for later.
  void keepFieldsOf(const BasisSet& basis);

  /// The same mesh with other spinors.
  OrbitalSpace withSpinors(std::vector<SymmetryOrbitals> spinors) const {
    OrbitalSpace space = *this;
    space.symmetries_ = std::move(spinors);
    return space;
  }

  const std::vector<SymmetryOrbitals>& symmetries() const { return symmetries_; }
  int largestL() const;
  /// What electrons interact by in F.
  TwoElectronOperator repulsion() const { return repulsion_; }
  Eigen::Index points() const { return mesh_->points; }
  const Eigen::VectorXd& radii() const { return mesh_->r; }
  /// The weights belong to integrals over ln r: those over r of two functions that are scaled by sqrt(r).
  const Eigen::VectorXd& weights() const { return mesh_->weight; }
  const RadialMesh& mesh() const { return *mesh_; }
  const SlaterKernel& kernel() const { return *kernel_; }

  /// P_a P_b + Q_a Q_b of one spinor with columns [first, first + count) of a symmetry, at the points.
  Eigen::MatrixXd densities(int symmetryA, Eigen::Index a, int symmetryB, Eigen::Index first,
                            Eigen::Index count) const;
  /// Integrals of such densities with r^power, bohr^power.
  Eigen::VectorXd moments(int power, const Eigen::MatrixXd& densities) const;
  /// Weights times potentials of rank k of such densities: R^k are their products with densities.
  Eigen::MatrixXd potentials(int k, const Eigen::MatrixXd& densities) const;
  /// The matrix over the points whose products with densities they are.
  Eigen::MatrixXd kernelMatrix(int k) const;

 private:
  struct Functions;
  OrbitalSpace(std::shared_ptr<const RadialMesh> mesh, int largestK);
  void addOccupied(const Configuration& configuration, const Result& field);
  void solve(std::vector<Functions> functions, double shift, ThreadPool& pool);
  /// (J - K) times functions at the points, with the weights.
  struct Field {
    Eigen::MatrixXd large, small;
  };
  Field fieldOn(Symmetry symmetry, const Eigen::MatrixXd& large, const Eigen::MatrixXd& small,
                const Eigen::VectorXd& direct) const;
  Field fieldOnGaussians(const Functions& functions, const Eigen::VectorXd& direct) const;
  /// Overlaps of functions with occupied spinors.
  Eigen::MatrixXd projectionOn(const Functions& functions, const SymmetryOrbitals& occupied) const;
  /// `details`: filled in but for the block, unless null.
  SymmetryOrbitals solved(const Functions& functions, const SymmetryOrbitals& occupied, const Field& field,
                          double shift, SolvedFunctions* details = nullptr) const;
  std::vector<Functions> gaussians(const AtomProblem& problem, const BasisSet& basis, double dependency,
                                   int largestL, ThreadPool& pool) const;
  Eigen::VectorXd directField() const;

  // Shared by the spaces that withFunctions makes.
  std::shared_ptr<const RadialMesh> mesh_;
  std::shared_ptr<const SlaterKernel> kernel_;
  std::vector<SymmetryOrbitals> symmetries_;
  TwoElectronOperator repulsion_ = TwoElectronOperator::Coulomb;
  /// By symmetry and exponent: of a primitive's large component and of its small one, a column for each.
  using FieldTable = std::vector<std::map<double, Field>>;
  std::shared_ptr<const FieldTable> knownFields_;
};

}  // namespace prophet
