#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/limit/exchange.hpp"
#include "atoms/limit/radial_basis.hpp"

namespace prophet::limit {

/// Occupied spinors of all symmetries: coefficients (functions of the symmetry x spinors, in the order of
/// SymmetryOccupation::spinors) and occupations.
struct SpinorSet {
  std::vector<Eigen::MatrixXd> coefficients;
  std::vector<Eigen::VectorXd> occupations;
};

/// Two-electron parts of the Fock matrices, for each symmetry: `closed` is J - K of all electrons, and
/// `reductions` hold for each open spinor the part of that field that does not act on it: F_C = h + closed,
/// F_i = h + closed - reduction_i.
struct Fields {
  std::vector<Eigen::MatrixXd> closed;
  std::vector<std::vector<Eigen::MatrixXd>> reductions;
  /// For each symmetry, over its open spinors: what half the energy's second derivative for the rotation of
  /// two of them gains because their fields rotate too, hartree. Empty with fewer than two; Coulomb only.
  std::vector<Eigen::MatrixXd> responses;
};

/// Builds fields of an average of configurations from spinors.
class MeanField {
 public:
  /// \param direct whether the fields hold the Coulomb repulsion J; without it they are exchange alone
  MeanField(const RadialBasis& basis, const Configuration& configuration,
            std::vector<ExchangeChannel> channels, int threads, bool direct = true);

  Fields build(const SpinorSet& spinors) const;

 private:
  void addReductions(const std::vector<PointSpinors>& all, Fields& fields) const;
  Eigen::MatrixXd responsesOf(int symmetry, const PointSpinors& spinors) const;

  const RadialBasis& basis_;
  Configuration configuration_;
  int symmetries_;
  SlaterKernel kernel_;
  ExchangeBuilder exchange_;
  bool direct_;
};

/// Energy of the two-electron operator that made `fields` from these spinors, hartree.
double twoElectronEnergy(const Fields& fields, const SpinorSet& spinors, const Configuration& configuration);

/// Spinors at the quadrature points.
std::vector<PointSpinors> atPoints(const RadialBasis& basis, const SpinorSet& spinors);
/// sum_i n_i (p_i^2 + q_i^2) at the points.
Eigen::VectorXd densityAtPoints(const PointSpinors& spinors);

}  // namespace prophet::limit
