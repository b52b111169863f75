#pragma once
#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace prophet {

struct ElectronOperator;
struct LevelBlock;

/// Operators of one multipole between the coupled states of two blocks, at points of omega^2 between which
/// they are polynomials: compressed columns (bra x ket), whose places are the same for all.
struct TransitionOperators {
  Eigen::Index rows = 0;
  std::vector<int> starts;    ///< of each column in `places`, and the end
  std::vector<int> places;    ///< row of each element
  std::vector<double> nodes;  ///< values of omega^2, hartree^2, each once
  /// Elements x nodes. The length gauge is `charge` + omega `current`, the velocity gauge `velocity`/omega;
  /// magnetic multipoles have `charge` alone, and the others no columns.
  Eigen::MatrixXd charge, current, velocity;
};

/// Reduced elements between the levels of two blocks (bra x ket), each at the energy of its own line.
struct TransitionElements {
  Eigen::MatrixXd length;    ///< of magnetic multipoles the only one
  Eigen::MatrixXd velocity;  ///< no elements for magnetic multipoles; 0 between levels of one energy
};

/// Levels of one J and parity, in ascending order.
struct BlockLevels {
  const Eigen::MatrixXd* vectors = nullptr;  ///< coupled states x levels
  Eigen::VectorXd energies;                  ///< hartree, from one zero for all blocks
};

/// Vectors of levels where they are multiplied.
class LevelProducts {
 public:
  virtual ~LevelProducts() = default;
  /// Between the levels of two of the blocks, by their numbers. From several threads at once. Throws Error
  /// where a device fails.
  virtual TransitionElements elements(int bra, int ket, const TransitionOperators& operators) = 0;
};

/// What becomes of levels where parameters of the Hamiltonian are otherwise.
struct LevelResponses {
  Eigen::MatrixXd slopes;              ///< derivatives of energies: levels x parameters
  std::vector<Eigen::MatrixXd> moved;  ///< vectors of the levels in other Hamiltonians
};

/// M(x) = M_0 + sum_p x_p M_p + sum_c x_c 1_c between the coupled states of a block: operators, and for each
/// configuration one on its diagonal. x has the entries of the operators but the first, then those of all
/// configurations; an empty one is zero. Not for several threads at once.
class LevelMatrices {
 public:
  virtual ~LevelMatrices() = default;
  virtual Eigen::Index size() const = 0;
  /// The lowest `count` eigenvalues of M(x), ascending, and their eigenvectors over the coupled states.
  /// Throws Error where that fails.
  virtual void eigenpairs(const Eigen::VectorXd& x, Eigen::Index count, Eigen::VectorXd& values,
                          Eigen::MatrixXd& vectors) = 0;
  /// The lowest eigenvalue of M(x) between the states of one configuration alone; empty where there are none.
  virtual std::optional<double> lowestOf(const Eigen::VectorXd& x, int configuration) = 0;
  /// From now on eigenpairs are sought between the lowest `count` eigenvectors of M(x); between all states
  /// again with a `count` of size().
  virtual void restrictTo(const Eigen::VectorXd& x, Eigen::Index count) = 0;
  /// Expectation values of the M_p and 1_c: vectors x entries of x.
  virtual Eigen::MatrixXd slopes(const Eigen::MatrixXd& vectors) = 0;
  /// Of all eigenpairs: the slopes, and for each column of `changes` the vectors where x is changed by that,
  /// to first order, with the angle of each pair of levels kept below 45 degrees.
  virtual LevelResponses responses(const Eigen::VectorXd& values, const Eigen::MatrixXd& vectors,
                                   const Eigen::MatrixXd& changes) = 0;
};

/// The dense linear algebra of levels and lines, as a processor or a GPU does it. From several threads at
/// once.
class LevelEngine {
 public:
  virtual ~LevelEngine() = default;
  virtual std::string name() const = 0;
  /// The lowest `count` eigenvalues, ascending, and their eigenvectors, of a symmetric matrix, which is
  /// destroyed (its lower triangle is read). Throws Error where that fails.
  virtual void eigenpairs(Eigen::MatrixXd& matrix, Eigen::Index count, Eigen::VectorXd& values,
                          Eigen::MatrixXd& vectors) = 0;
  /// Of a block of a space with so many configurations; operators of one list of places.
  virtual std::unique_ptr<LevelMatrices> matricesOf(const LevelBlock& block,
                                                    const std::vector<const ElectronOperator*>& operators,
                                                    int configurations) = 0;
  /// The vectors must stay as long.
  virtual std::unique_ptr<LevelProducts> productsOf(std::vector<BlockLevels> blocks) = 0;
};

/// Angles by which each level (columns) turns to each other one where the Hamiltonian changes by `between`
/// them.
Eigen::MatrixXd turned(Eigen::MatrixXd between, const Eigen::VectorXd& values);

/// The processor's.
std::unique_ptr<LevelEngine> hostLevelEngine();

/// Of Lagrange's polynomial number `node`, at x.
inline double lagrange(const std::vector<double>& nodes, std::size_t node, double x) {
  double product = 1;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (i != node) product *= (x - nodes[i]) / (nodes[node] - nodes[i]);
  return product;
}

}  // namespace prophet
