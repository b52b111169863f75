#pragma once
#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

namespace prophet {

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
  /// The vectors must stay as long.
  virtual std::unique_ptr<LevelProducts> productsOf(std::vector<BlockLevels> blocks) = 0;
};

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
