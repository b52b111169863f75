#pragma once
#include <Eigen/Core>

#include "atoms/atom/configuration.hpp"

namespace prophet {

/// Of each open spinor (as Configuration::openSpinors has them) the share of its electrons whose spin is not
/// paired, (n_up - n_down)/(n_up + n_down), by Hund's first rule: N electrons in an open shell nl that has
/// room for M have n_up - n_down = min(N, M - N), spread evenly over its spinors. Both j of a shell are one
/// where both are open.
Eigen::VectorXd openSpinShares(const Configuration& configuration);

}  // namespace prophet
