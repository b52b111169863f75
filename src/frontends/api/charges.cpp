#include "cudaprophet/charges.hpp"

#include <Eigen/LU>
#include <optional>

#include "frontends/api/convert.hpp"
#include "matter/madelung/charge_sums.hpp"
#include "operations/execution/execution.hpp"

namespace cudaprophet {
namespace {

prophet::ChargeSumOptions optionsOf(const ChargeOptions& o) {
  prophet::ChargeSumOptions options;
  if (o.method == "ewald") {
    options.ewald = true;
  } else if (o.method != "auto") {
    options.ewald = false;
    options.mesh.assignment = prophet::requireNamed<prophet::Assignment>(o.method, "method");
  }
  options.mesh.tolerance = o.tolerance;
  if (o.order != 0) options.mesh.order = o.order;
  if (o.mesh != std::array<int, 3>{}) options.mesh.mesh = o.mesh;
  if (o.beta != 0) options.mesh.beta = o.beta;
  if (o.cutoff != 0) options.mesh.cutoff = o.cutoff;
  if (o.mixedPrecision) options.mesh.precision = prophet::ChargePrecision::Mixed;
  if (o.background) options.netCharge = prophet::NetCharge::Background;
  options.threads = o.threads;
  prophet::Execution execution;
  execution.backend = prophet::requireNamed<prophet::BackendRequest>(o.backend, "backend");
  execution.devices = o.devices;
  execution.threads = o.threads;
  prophet::placeChargeSums(execution, options);
  return options;
}

std::vector<std::array<double, 3>> columnsOf(const Eigen::Matrix3Xd& matrix) {
  std::vector<std::array<double, 3>> list;
  for (Eigen::Index i = 0; i < matrix.cols(); ++i) list.push_back({matrix(0, i), matrix(1, i), matrix(2, i)});
  return list;
}

}  // namespace

struct PointCharges::Core {
  prophet::ChargeSums sums;
};

PointCharges::PointCharges(const std::vector<double>& charges, const ChargeOptions& options)
    : core_(translated([&] {
        return std::make_unique<Core>(Core{prophet::ChargeSums(
            Eigen::Map<const Eigen::VectorXd>(charges.data(), static_cast<Eigen::Index>(charges.size())),
            optionsOf(options))});
      })) {}
PointCharges::~PointCharges() = default;
PointCharges::PointCharges(PointCharges&&) noexcept = default;
PointCharges& PointCharges::operator=(PointCharges&&) noexcept = default;

ChargeSums PointCharges::compute(const std::array<std::array<double, 3>, 3>& cell,
                                 const std::vector<std::array<double, 3>>& positions) {
  return translated([&] {
    Eigen::Matrix3d vectors;
    for (int d = 0; d < 3; ++d) vectors.col(d) = Eigen::Map<const Eigen::Vector3d>(cell[d].data());
    Eigen::Matrix3Xd places(3, static_cast<Eigen::Index>(positions.size()));
    for (std::size_t i = 0; i < positions.size(); ++i)
      places.col(static_cast<Eigen::Index>(i)) = Eigen::Map<const Eigen::Vector3d>(positions[i].data());
    const prophet::Electrostatics e = core_->sums.compute(vectors, std::move(places));
    ChargeSums out;
    out.energy = e.energy;
    out.potentials.assign(e.potentials.begin(), e.potentials.end());
    out.fields = columnsOf(e.fields);
    out.forces = columnsOf(e.forces(core_->sums.charges()));
    const auto rows = columnsOf(e.virial.transpose());
    std::copy(rows.begin(), rows.end(), out.virial.begin());
    out.pressure = e.pressure(std::abs(vectors.determinant()));
    return out;
  });
}

}  // namespace cudaprophet
