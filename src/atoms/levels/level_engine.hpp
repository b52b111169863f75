#pragma once
#include <Eigen/Core>
#include <limits>
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

/// Vectors of the levels of one J and parity over its coupled states, where an engine has them, and those of
/// the same levels in other Hamiltonians. From several threads at once.
class LevelStates {
 public:
  virtual ~LevelStates() = default;
  virtual Eigen::Index states() const = 0;
  virtual Eigen::Index levels() const = 0;
  /// Coupled states x levels. A GPU's are copied when they are asked for first.
  virtual const Eigen::MatrixXd& vectors() const = 0;
  /// The same in other Hamiltonians.
  virtual const std::vector<Eigen::MatrixXd>& moved() const = 0;
};
std::shared_ptr<const LevelStates> hostStates(Eigen::MatrixXd vectors,
                                              std::vector<Eigen::MatrixXd> moved = {});

/// Levels of one J and parity, in ascending order.
struct BlockLevels {
  std::shared_ptr<const LevelStates> states;
  Eigen::VectorXd energies;  ///< hartree, from one zero for all blocks
};

/// Which lines between two blocks are wanted: those with gf = gfOfStrength S omega^power of the length gauge
/// of `leastGf` or more, and those with `share` of the largest gf among them.
struct LineChoice {
  double gfOfStrength = 1;
  int power = 1;
  double leastGf = 0;
  double share = std::numeric_limits<double>::infinity();
};

/// Lines between the levels of two blocks, in any order: between levels of one block each once, the first
/// level behind the second one, and none between levels of one energy.
struct ChosenLines {
  std::vector<int> bra, ket;             ///< numbers of levels
  std::vector<double> length, velocity;  ///< reduced elements of both gauges; velocity: empty if magnetic
  /// Root mean square of what log10(S) changes by, at long waves, in the other vectors of the levels, each
  /// change at most kMostSpread; empty where there are none.
  std::vector<double> spread;
  Eigen::VectorXd belowBra, belowKet;  ///< sums of omega^2 gf of the other lines, by their upper level
};
constexpr double kMostSpread = 2;  // beyond it nothing is known

/// Vectors of levels where they are multiplied.
class LevelProducts {
 public:
  virtual ~LevelProducts() = default;
  /// Between the levels of two of the blocks, by their numbers. From several threads at once. Throws Error
  /// where a device fails.
  virtual ChosenLines lines(int bra, int ket, const TransitionOperators& operators,
                            const LineChoice& choice) = 0;
};

/// M(x) = M_0 + sum_p x_p M_p + sum_c x_c 1_c between the coupled states of a block: operators, and for each
/// configuration one on its diagonal. x has the entries of the operators but the first, then those of all
/// configurations; an empty one is zero. The vectors of the levels that were found last stay there. Not for
/// several threads at once.
class LevelMatrices {
 public:
  virtual ~LevelMatrices() = default;
  virtual Eigen::Index size() const = 0;
  /// The lowest `count` eigenvalues of M(x), ascending. Throws Error where that fails.
  virtual Eigen::VectorXd solve(const Eigen::VectorXd& x, Eigen::Index count) = 0;
  /// Expectation values of the M_p and 1_c in the levels found last, or some of them: levels x entries of x.
  virtual Eigen::MatrixXd slopes(const std::vector<int>& levels) = 0;
  /// Shares of the configurations (rows) in all levels found last.
  virtual Eigen::MatrixXd shares() = 0;
  /// Products of vectors over some of the coupled states (columns) with the levels found last.
  virtual Eigen::MatrixXd overlaps(const std::vector<int>& states, const Eigen::MatrixXd& vectors) = 0;
  /// The slopes of all levels found last, and from now on states() has their vectors also where x is changed
  /// by each column of `changes`, to first order, with the angle of each pair of levels kept below 45
  /// degrees. Not between few eigenvectors (restrictTo), as states().
  virtual Eigen::MatrixXd move(const Eigen::MatrixXd& changes) = 0;
  /// The levels found last.
  virtual std::shared_ptr<const LevelStates> states() const = 0;
  /// The lowest eigenvalue of M(x) between the states of one configuration alone; empty where there are none.
  virtual std::optional<double> lowestOf(const Eigen::VectorXd& x, int configuration) = 0;
  /// From now on levels are sought between the lowest `count` eigenvectors of M(x); between all states again
  /// with a `count` of size(). None are found then until they are sought.
  virtual void restrictTo(const Eigen::VectorXd& x, Eigen::Index count) = 0;
};

/// The dense linear algebra of levels and lines, as a processor or a GPU does it. From several threads at
/// once.
class LevelEngine {
 public:
  virtual ~LevelEngine() = default;
  virtual std::string name() const = 0;
  /// How many devices there are.
  virtual int devices() const { return 1; }
  /// One of the devices for work that keeps so many bytes there, as long as the result is held. Waits until
  /// there is room; who wants more than there is gets a device alone.
  virtual std::shared_ptr<LevelEngine> part(double bytes) = 0;
  /// The lowest `count` eigenvalues, ascending, and their eigenvectors, of a symmetric matrix, which is
  /// destroyed (its lower triangle is read). Throws Error where that fails.
  virtual void eigenpairs(Eigen::MatrixXd& matrix, Eigen::Index count, Eigen::VectorXd& values,
                          Eigen::MatrixXd& vectors) = 0;
  /// The matrices of a block of a space with so many configurations; operators of one list of places.
  virtual std::unique_ptr<LevelMatrices> matricesOf(const LevelBlock& block,
                                                    const std::vector<const ElectronOperator*>& operators,
                                                    int configurations) = 0;
  virtual std::unique_ptr<LevelProducts> productsOf(std::vector<BlockLevels> blocks) = 0;
};

/// The processor's.
std::unique_ptr<LevelEngine> hostLevelEngine();

/// Lagrange's polynomial number `node` at x.
inline double lagrange(const std::vector<double>& nodes, std::size_t node, double x) {
  double product = 1;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (i != node) product *= (x - nodes[i]) / (nodes[node] - nodes[i]);
  return product;
}

}  // namespace prophet
