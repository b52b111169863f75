#include "matter/powder/waasmaier_kirfel.hpp"

#include <fmt/format.h>

#include <cmath>

#include "atoms/atom/species.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"

namespace prophet {

const std::vector<WaasmaierKirfelRow>& waasmaierKirfelTable() {
  static const std::vector<WaasmaierKirfelRow> table = {
#include "matter/powder/waasmaier_kirfel.inc"
  };
  return table;
}

Eigen::VectorXd waasmaierKirfel(int z, int charge, const Eigen::VectorXd& q) {
  constexpr double kLargest = 24 * constants::kPi;
  if (q.size() > 0 && q.maxCoeff() > kLargest)
    throw Error(fmt::format(
        "the fits of Waasmaier and Kirfel end at q = {:.2f} per angstrom; use computed form factors",
        kLargest));
  std::string others;
  for (const auto& row : waasmaierKirfelTable()) {
    if (row.z == z && row.charge != charge) others += " " + ionName(z, row.charge);
    if (row.z != z || row.charge != charge) continue;
    const Eigen::ArrayXd s2 = (q.array() / (4 * constants::kPi)).square();
    Eigen::ArrayXd f = Eigen::ArrayXd::Constant(q.size(), row.c);
    for (int i = 0; i < 5; ++i) f += row.a[i] * (-row.b[i] * s2).exp();
    return f;
  }
  throw Error(fmt::format("Waasmaier and Kirfel (1995) have no fit for {}{}; use computed form factors",
                          ionName(z, charge), others.empty() ? "" : " (but for" + others + ")"));
}

}  // namespace prophet
