#include <nanobind/eigen/dense.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "core/common/constants.hpp"
#include "core/common/threads.hpp"
#include "frontends/python/bindings.hpp"
#include "frontends/python/foreground.hpp"
#include "matter/madelung/charge_sums.hpp"
#include "operations/execution/execution.hpp"

namespace prophet::python {
namespace {

using constants::kAngstromsPerBohr;
using Places = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;

ChargeSumOptions optionsOf(const std::string& method, double tolerance, std::optional<int> order,
                           const std::optional<MeshSize>& mesh, std::optional<double> beta,
                           std::optional<double> cutoff, const std::string& precision, bool background,
                           const std::string& backend, const std::vector<int>& devices, int threads) {
  ChargeSumOptions o;
  if (method == "ewald") {
    o.ewald = true;
  } else if (method != "auto") {
    o.ewald = false;
    o.mesh.assignment = requireNamed<Assignment>(method, "method");
  }
  o.mesh.tolerance = tolerance;
  o.mesh.order = order;
  o.mesh.mesh = mesh;
  if (beta) o.mesh.beta = *beta * kAngstromsPerBohr;
  if (cutoff) o.mesh.cutoff = *cutoff / kAngstromsPerBohr;
  o.mesh.precision = requireNamed<ChargePrecision>(precision, "precision");
  o.netCharge = background ? NetCharge::Background : NetCharge::Refused;
  o.threads = threads > 0 ? threads : availableThreads();
  Execution execution;
  execution.backend = requireNamed<BackendRequest>(backend, "device");
  execution.devices = devices;
  execution.threads = o.threads;
  placeChargeSums(execution, o);
  return o;
}

nb::dict sumsOf(ChargeSums& charges, const Places& positions, const Eigen::Matrix3d& lattice) {
  Electrostatics e;
  // Angstrom, rows; the core has bohr, columns.
  const Eigen::Matrix3d vectors = lattice.transpose() / kAngstromsPerBohr;
  runHere(
      [&](const Checkpoint&) { e = charges.compute(vectors, positions.transpose() / kAngstromsPerBohr); });
  nb::dict d;
  d["energy"] = e.energy;
  d["potentials"] = e.potentials;
  d["fields"] = Places(e.fields.transpose());
  d["forces"] = Places(e.forces(charges.charges()).transpose());
  d["virial"] = Eigen::Matrix3d(e.virial.transpose());
  return d;
}

nb::dict parametersOf(const ChargeSums& charges) {
  nb::dict d;
  const auto& p = charges.parameters();
  d["method"] = p ? nameOf(p->assignment) : std::string("ewald");
  d["device"] = charges.device();
  if (!p) return d;
  d["order"] = p->order;
  d["mesh"] = p->mesh;
  d["beta"] = p->beta / kAngstromsPerBohr;
  d["cutoff"] = p->cutoff * kAngstromsPerBohr;
  d["precision"] = nameOf(p->precision);
  return d;
}

}  // namespace

void bindCharges(nb::module_& m) {
  nb::class_<ChargeSums>(m, "ChargeSums")
      .def(
          "__init__",
          [](ChargeSums* self, const Eigen::VectorXd& charges, const std::string& method, double tolerance,
             std::optional<int> order, const std::optional<MeshSize>& mesh, std::optional<double> beta,
             std::optional<double> cutoff, const std::string& precision, bool background,
             const std::string& backend, const std::vector<int>& devices, int threads) {
            new (self) ChargeSums(charges, optionsOf(method, tolerance, order, mesh, beta, cutoff, precision,
                                                     background, backend, devices, threads));
          },
          nb::arg("charges"), nb::arg("method"), nb::arg("tolerance"), nb::arg("order").none(),
          nb::arg("mesh").none(), nb::arg("beta").none(), nb::arg("cutoff").none(), nb::arg("precision"),
          nb::arg("background"), nb::arg("backend"), nb::arg("devices"), nb::arg("threads"))
      .def("compute", &sumsOf, nb::arg("positions"), nb::arg("lattice"))
      .def("parameters", &parametersOf);
}

}  // namespace prophet::python
