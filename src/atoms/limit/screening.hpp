#pragma once
#include <Eigen/Core>

namespace prophet::limit {

/// Repulsion of an electron by the others in a Thomas-Fermi atom, (N - 1)(1 - phi(r))/r at radii r, with
/// Latter's rational fit of phi (R. Latter, Phys. Rev. 99, 510 (1955)): where every calculation starts.
Eigen::VectorXd thomasFermiScreening(const Eigen::VectorXd& r, double charge, double electrons);

}  // namespace prophet::limit
