#include "matter/scattering/form_factor.hpp"

#include <fmt/format.h>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "matter/scattering/gaussian_density.hpp"
#include "matter/scattering/sampled_density.hpp"

namespace prophet {
namespace {

const Wavefunction& wavefunctionOf(const Result& result) {
  if (result.status == Status::Failed || result.status == Status::NotConverged)
    throw Error(fmt::format("there is no density to transform: {}", result.reason));
  if (!result.wavefunction)
    throw Error("the result does not hold its spinors; ask for them with BasisMethod::keepSpinors");
  return *result.wavefunction;
}

std::unique_ptr<const RadialDensity> densityOf(const Result& result, const std::vector<double>& electrons,
                                               TransformMethod method) {
  const Wavefunction& wavefunction = wavefunctionOf(result);
  const auto* gaussian = dynamic_cast<const GaussianWavefunction*>(&wavefunction);
  if (gaussian && method == TransformMethod::Automatic)
    return std::make_unique<GaussianDensity>(*gaussian, electrons);
  return std::make_unique<SampledDensity>(wavefunction, electrons);
}

Eigen::VectorXd perBohr(const Eigen::VectorXd& q) {
  requireMomenta(q);
  return q * constants::kAngstromsPerBohr;
}

}  // namespace

void requireMomenta(const Eigen::VectorXd& q) {
  if (!q.allFinite() || !(q.array() >= 0).all())
    throw Error("momentum transfers q must be finite numbers that are not negative, in 1/angstrom");
}

std::unique_ptr<const RadialDensity> electronDensity(const Result& result, TransformMethod method) {
  std::vector<double> electrons;
  for (const Spinor& s : result.spinors) electrons.push_back(s.occupation);
  return densityOf(result, electrons, method);
}

std::unique_ptr<const RadialDensity> spinorDensity(const Result& result, int spinor, TransformMethod method) {
  const int count = static_cast<int>(result.spinors.size());
  if (spinor < 0 || spinor >= count)
    throw Error(fmt::format("there is no spinor {}; this atom has {}", spinor, count));
  std::vector<double> electrons(count, 0.0);
  electrons[spinor] = result.spinors[spinor].occupation;
  return densityOf(result, electrons, method);
}

Eigen::VectorXd formFactor(const Result& result, const Eigen::VectorXd& q, TransformMethod method) {
  return electronDensity(result, method)->formFactor(perBohr(q));
}

Eigen::MatrixXd spinorFormFactors(const Result& result, const Eigen::VectorXd& q, TransformMethod method) {
  const Eigen::VectorXd momenta = perBohr(q);
  Eigen::MatrixXd f(q.size(), static_cast<Eigen::Index>(result.spinors.size()));
  for (int i = 0; i < f.cols(); ++i) f.col(i) = spinorDensity(result, i, method)->formFactor(momenta);
  return f;
}

}  // namespace prophet
