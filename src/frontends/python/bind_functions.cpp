#include <nanobind/eigen/dense.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "atoms/properties/density.hpp"
#include "atoms/properties/radial_fields.hpp"
#include "atoms/properties/spinor_integrals.hpp"
#include "core/common/error.hpp"
#include "frontends/python/bindings.hpp"
#include "matter/scattering/form_factor.hpp"

namespace prophet::python {
namespace {

const Wavefunction& wavefunctionOf(const JobResult& r) {
  if (r.result.wavefunction) return *r.result.wavefunction;
  throw Error(
      r.result.ok() || r.result.status == Status::Unbound
          ? "this result has no radial functions: the device that computed it keeps none; compute it with "
            "device='cpu'"
          : "this result has no radial functions, because it is " + std::string(nameOf(r.result.status)) +
                (r.result.reason.empty() ? "" : ": " + r.result.reason));
}

std::pair<Eigen::VectorXd, Eigen::VectorXd> radial(const JobResult& r, int index,
                                                   const Eigen::VectorXd& radii) {
  const nb::gil_scoped_release unlocked;
  RadialFunctions f = wavefunctionOf(r).radial(index, radii);
  return {std::move(f.large), std::move(f.small)};
}

Eigen::VectorXd densityOf(const JobResult& r, const Eigen::VectorXd& radii) {
  wavefunctionOf(r);  // its reason is the better one
  const nb::gil_scoped_release unlocked;
  return Density(r.result).at(radii);
}

/// The density's derivative of first or second order.
Eigen::VectorXd densityDerivativeOf(const JobResult& r, const Eigen::VectorXd& radii, int order) {
  wavefunctionOf(r);
  const nb::gil_scoped_release unlocked;
  RadialFields::DensityAndSlopes d = RadialFields(r.job.calculation.problem, r.result).density(radii);
  return order == 1 ? std::move(d.slope) : std::move(d.curvature);
}

/// 1 of "up", -1 of "down", or the spin share of a spinor, "2p1/2".
double spinNamed(const std::string& name, const RadialFields& fields, const Result& result) {
  if (name == "up") return 1;
  if (name == "down") return -1;
  for (std::size_t i = 0; i < result.spinors.size(); ++i)
    if (result.spinors[i].label() == name) return fields.spinShares()[static_cast<Eigen::Index>(i)];
  throw Error("spin: found '" + name + "'; expected 'up', 'down' or an occupied spinor such as '" +
              result.spinors.front().label() + "'");
}

Eigen::VectorXd potentialOf(const JobResult& r, const Eigen::VectorXd& radii, const std::string& part,
                            const std::optional<std::string>& spin) {
  wavefunctionOf(r);
  const nb::gil_scoped_release unlocked;
  const RadialFields fields(r.job.calculation.problem, r.result);
  std::optional<double> share;
  if (spin) share = spinNamed(*spin, fields, r.result);
  return fields.potential(requireNamed<PotentialPart>(part, "potential"), radii, share);
}

Eigen::VectorXd radialDensityOf(const JobResult& r, const Eigen::VectorXd& radii) {
  wavefunctionOf(r);
  const nb::gil_scoped_release unlocked;
  return Density(r.result).radial(radii);
}

/// <r^k> of each spinor, bohr^k; empty where the integral does not exist.
std::vector<std::optional<double>> expectationsOf(const JobResult& r, int k) {
  wavefunctionOf(r);
  const nb::gil_scoped_release unlocked;
  const SpinorIntegrals integrals(r.job.calculation.problem, r.result);
  const SpinorIntegrals::Weight weight = integrals.powerWeight(k);
  std::vector<std::optional<double>> values(integrals.count());
  for (int i = 0; i < integrals.count(); ++i)
    if (integrals.exists(i, k)) values[i] = integrals.density(i, weight);
  return values;
}

Eigen::VectorXd formFactorOf(const JobResult& r, const Eigen::VectorXd& q) {
  wavefunctionOf(r);
  const nb::gil_scoped_release unlocked;
  return formFactor(r.result, q);
}

Eigen::MatrixXd spinorFormFactorsOf(const JobResult& r, const Eigen::VectorXd& q) {
  wavefunctionOf(r);
  const nb::gil_scoped_release unlocked;
  return spinorFormFactors(r.result, q);
}

Eigen::VectorXd electronFactorOf(const JobResult& r, const Eigen::VectorXd& q) {
  wavefunctionOf(r);
  const nb::gil_scoped_release unlocked;
  return electronScatteringFactor(r.result, r.job.calculation.problem.nucleus.charge, q);
}

}  // namespace

void bindFunctions(nb::class_<JobResult>& result) {
  result.def_prop_ro("largest_radius", [](const JobResult& r) { return wavefunctionOf(r).largestRadius(); })
      .def_prop_ro("smallest_radius", [](const JobResult& r) { return wavefunctionOf(r).smallestRadius(); })
      .def("radial", &radial, nb::arg("index"), nb::arg("r"), "P and Q, bohr^-1/2, at radii in bohr.")
      .def("density", &densityOf, nb::arg("r"), "Electrons per bohr^3, at radii in bohr.")
      .def("density_derivative", &densityDerivativeOf, nb::arg("r"), nb::arg("order"),
           "Electrons per bohr^4 (first) or bohr^5 (second), at radii in bohr.")
      .def("potential", &potentialOf, nb::arg("r"), nb::arg("part"), nb::arg("spin").none() = nb::none(),
           "Hartree, at radii in bohr.")
      .def("radial_density", &radialDensityOf, nb::arg("r"), "Electrons per bohr, at radii in bohr.")
      .def("expectations", &expectationsOf, nb::arg("power"), "<r^k> of each spinor, bohr^k, or None.")
      .def("form_factor", &formFactorOf, nb::arg("q"), "Electrons, at q in 1/angstrom.")
      .def("spinor_form_factors", &spinorFormFactorsOf, nb::arg("q"), "(q, spinor).")
      .def("electron_factor", &electronFactorOf, nb::arg("q"), "Angstrom, at q in 1/angstrom.");
}

}  // namespace prophet::python
