#include "hydrogen.hpp"

#include <cmath>

#include "atoms/limit/mean_field.hpp"
#include "atoms/limit/radial_basis.hpp"
#include "core/common/constants.hpp"

namespace prophet::test {

IonShifts ionShifts(const Nucleus& nucleus, Symmetry symmetry, int number, const QedOptions& options) {
  constexpr double kC = constants::kSpeedOfLight;
  const double charge = nucleus.charge, decay = charge / (number + symmetry.l());
  const limit::RadialBasis basis(limit::makeMesh({nucleus, kC, 45 / decay, decay, 1.6, 10}), 10, 10);
  const Eigen::VectorXd potential = basis.r.unaryExpr([&](double r) { return nucleus.potential(r); });
  const Eigen::MatrixXd overlap = basis.overlapMatrix(symmetry);
  const Eigen::MatrixXd fock = basis.kineticMatrix(symmetry, kC) + basis.localMatrix(symmetry, potential);
  const limit::Solutions s = limit::lowestSolutions(fock, overlap, limit::choleskyFactor(overlap),
                                                    limit::gapShift(charge, kC), number);
  const Eigen::VectorXd vector = s.vectors.col(number - 1);
  IonShifts shifts{s.energies[number - 1], {}};
  for (const RadialOperator& radial : qedOperators(nucleus, kC, options)) {
    const SampledOperator sampled(radial, basis.r);
    Eigen::MatrixXd matrix = basis.localMatrix(symmetry, sampled.local(symmetry));
    if (sampled.coupling().size() > 0) matrix += basis.couplingMatrix(symmetry, sampled.coupling());
    shifts.corrections.push_back(vector.dot(matrix * vector));
  }
  return shifts;
}

double shiftUnit(double charge, int n) {
  constexpr double kPi = 3.14159265358979323846, kC = constants::kSpeedOfLight;
  return std::pow(charge / kC, 4) * kC / (kPi * n * n * n);
}

}  // namespace prophet::test
