#pragma once
#include <Eigen/Core>
#include <vector>

namespace prophet {

/// A published fit of an X-ray form factor.
struct WaasmaierKirfelRow {
  int z, charge;
  double a[5], b[5], c;
};

/// All its atoms and ions.
const std::vector<WaasmaierKirfelRow>& waasmaierKirfelTable();

/// f(q), electrons, at q in 1/angstrom up to 24 pi; of the atom or ion with this charge. Throws Error where
/// the table has none (the message lists the charges it has), and for a larger q.
Eigen::VectorXd waasmaierKirfel(int z, int charge, const Eigen::VectorXd& q);

}  // namespace prophet
