#pragma once
#include "matter/scattering/form_factor.hpp"

namespace prophet {

/// Electron scattering factors in the first Born approximation, angstrom, by the formula of Mott and Bethe:
/// f_e(q) = (2/a0) (Z - f(q))/q^2, at q = 4 pi sin(theta)/lambda in 1/angstrom. `charge` is that of the
/// nucleus, taken as a point; no relativistic factor of the fast electron is included. At q = 0 a neutral
/// atom has <r^2>/(3 a0), an ion has +-infinity: its Coulomb field reaches everywhere. Throws as formFactor.
Eigen::VectorXd electronScatteringFactor(const Result& result, double charge, const Eigen::VectorXd& q,
                                         TransformMethod method = TransformMethod::Automatic);

}  // namespace prophet
