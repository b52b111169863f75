#pragma once
#include <Eigen/Core>
#include <string>

#include "atoms/functional/functional.hpp"

namespace prophet {

/// In small letters, without the blanks around the '+' of a sum.
std::string canonicalFunctional(const std::string& name);

/// Zeros for the spins and the number of these points; without columns where something is not needed.
FunctionalSlopes zeroSlopes(const FunctionalPoints& points, bool gradient, bool kinetic);
/// Neither infinite nor not-a-number.
bool areNumbers(const FunctionalSlopes& slopes);

/// What FunctionalPoints::sigma is, of the derivatives of the density with respect to r, a row for each spin.
Eigen::MatrixXd sigmaOf(const Eigen::MatrixXd& rise);
/// df/d(dn_s/dr) of each spin, that of `rise` being `ofSigma`: sum_s' of 2 (df/dsigma_ss) or df/dsigma_ss'
/// times dn_s'/dr.
Eigen::MatrixXd slopesOfRise(const Eigen::MatrixXd& ofSigma, const Eigen::MatrixXd& rise);

}  // namespace prophet
