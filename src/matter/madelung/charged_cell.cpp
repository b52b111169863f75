#include "matter/madelung/charged_cell.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "matter/madelung/neighbours.hpp"

namespace prophet {
namespace {

constexpr double kFlattest = 1e-4;
constexpr double kSmallestVolume = 1.0;  // bohr^3
constexpr double kNeutral = 1e-6;

void checkVectors(const ChargedCell& cell) {
  if (!cell.vectors.allFinite()) throw Error("the cell's vectors are no numbers");
  const double volume = cell.volume(), longest = cell.vectors.colwise().norm().maxCoeff();
  if (!(volume >= kSmallestVolume))
    throw Error(fmt::format(
        "the cell has a volume of {:g} bohr^3; its three vectors (angstrom) must span space", volume));
  if (cellHeights(cell.vectors).minCoeff() < kFlattest * longest)
    throw Error("the cell is flatter than 1 to 10000; give a cell whose lengths are alike");
}

}  // namespace

double ChargedCell::volume() const { return std::abs(vectors.determinant()); }

Eigen::Matrix3Xd ChargedCell::fractional() const {
  Eigen::Matrix3Xd f = vectors.inverse() * positions;
  for (Eigen::Index i = 0; i < f.cols(); ++i) {
    for (int d = 0; d < 3; ++d) {
      f(d, i) -= std::floor(f(d, i));
      if (f(d, i) >= 1) f(d, i) = 0;
    }
  }
  return f;
}

Eigen::Matrix3Xd Electrostatics::forces(const Eigen::VectorXd& charges) const {
  return fields * charges.asDiagonal();
}

double nearestDistance(const ChargedCell& cell) {
  const double spacing = std::cbrt(cell.volume() / static_cast<double>(cell.sites()));
  for (double radius = 1.2 * spacing;; radius *= 1.5) {
    double nearest = radius * radius;
    bool found = false;
    const NeighbourSearch search(cell, radius);
    for (int bin = 0; bin < search.bins(); ++bin) {
      search.forEachPairOfBin(bin, [&](Eigen::Index, Eigen::Index, const Eigen::Vector3d&, double squared) {
        nearest = std::min(nearest, squared);
        found = true;
      });
    }
    if (found) return std::sqrt(nearest);
  }
}

void check(const ChargedCell& cell, NetCharge netCharge) {
  if (cell.sites() == 0) throw Error("the cell has no sites; give at least one");
  if (cell.positions.cols() != cell.sites()) throw Error("each site needs a position and a charge");
  if (!cell.positions.allFinite() || !cell.charges.allFinite())
    throw Error("a position or charge is no number; give finite ones");
  checkVectors(cell);
  if (cell.charges.isZero(0))
    throw Error("every charge is zero; give the charges, such as Na=1,Cl=-1");
  const double net = cell.charges.sum();
  if (netCharge == NetCharge::Refused && std::abs(net) > kNeutral * cell.charges.cwiseAbs().sum())
    throw Error(
        fmt::format("the cell has a net charge of {:g} e, for which a lattice sum is infinite; give charges "
                    "that add up to "
                    "zero, or make up for it by a uniform background",
                    net));
  if (cell.sites() > 1 || netCharge == NetCharge::Background) {
    const double nearest = nearestDistance(cell);
    if (nearest < kOverlap)
      throw Error(fmt::format(
          "two sites are {:.3g} angstrom apart; is one given twice, or the unit of length not angstrom?",
          nearest * constants::kAngstromsPerBohr));
  }
}

}  // namespace prophet
