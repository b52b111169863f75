#include "matter/pairs/cells.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace prophet {
namespace {

constexpr int kMostCells = 128;  // along an edge
constexpr double kMostSteps = 3e7;

/// The box of the grid: the lattice, or what holds all atoms.
void setBox(Cells& cells, const Structure& s, Eigen::Vector3d& corner) {
  if (s.lattice) {
    cells.periodic = true;
    cells.lattice = *s.lattice;
    corner = Eigen::Vector3d::Zero();
    return;
  }
  const Extent extent = extentOf(s.positions);
  const Eigen::Vector3d size = extent.size.cwiseMax(1e-3) * (1 + 1e-9);
  cells.lattice = Eigen::Matrix3d(size.asDiagonal());
  corner = extent.centre - 0.5 * size;
}

bool orthogonal(const Eigen::Matrix3d& l) {
  const Eigen::Matrix3d g = l * l.transpose();
  return std::abs(g(0, 1)) + std::abs(g(0, 2)) + std::abs(g(1, 2)) < 1e-12 * g.trace();
}

}  // namespace

Cells sortIntoCells(const Structure& s, double edge) {
  Cells cells;
  Eigen::Vector3d corner;
  setBox(cells, s, corner);
  const Eigen::Vector3d widths = cellWidths(cells.lattice);
  for (int i = 0; i < 3; ++i) {
    cells.n[i] = static_cast<int>(std::clamp<double>(std::floor(widths(i) / edge), 1, kMostCells));
    cells.widths(i) = widths(i) / cells.n[i];
  }
  cells.kinds = static_cast<int>(s.kinds.size());
  const Eigen::Matrix3d toFractions = cells.lattice.inverse().transpose();
  const std::size_t number = cells.number(cells.n[0] - 1, cells.n[1] - 1, cells.n[2] - 1) + 1;
  cells.origins.resize(number);
  for (int a = 0; a < cells.n[0]; ++a) {
    for (int b = 0; b < cells.n[1]; ++b) {
      for (int c = 0; c < cells.n[2]; ++c) {
        const Eigen::Vector3d f((a + 0.5) / cells.n[0], (b + 0.5) / cells.n[1], (c + 0.5) / cells.n[2]);
        cells.origins[cells.number(a, b, c)] = cells.lattice.transpose() * f;
      }
    }
  }
  const std::size_t kinds = static_cast<std::size_t>(cells.kinds);
  std::vector<std::size_t> slot(s.size());
  std::vector<Eigen::Vector3d> local(s.size());
  cells.first.assign(number * kinds + 1, 0);
  for (std::size_t i = 0; i < s.size(); ++i) {
    Eigen::Vector3d f = toFractions * (s.positions[i] - corner);
    if (cells.periodic) f = f.array() - f.array().floor();
    int c[3];
    for (int k = 0; k < 3; ++k) {
      const int n = cells.n[k];
      c[k] = std::clamp(static_cast<int>(f(k) * n), 0, n - 1);
    }
    const std::size_t cell = cells.number(c[0], c[1], c[2]);
    slot[i] = cell * kinds + static_cast<std::size_t>(s.kind[i]);
    local[i] = (cells.periodic ? Eigen::Vector3d(cells.lattice.transpose() * f)
                               : Eigen::Vector3d(s.positions[i] - corner)) -
               cells.origins[cell];
    ++cells.first[slot[i] + 1];
  }
  std::partial_sum(cells.first.begin(), cells.first.end(), cells.first.begin());
  std::vector<std::size_t> next(cells.first.begin(), cells.first.end() - 1);
  for (auto* axis : {&cells.x, &cells.y, &cells.z}) axis->resize(s.size());
  for (std::size_t i = 0; i < s.size(); ++i) {
    const std::size_t to = next[slot[i]]++;
    cells.x[to] = local[i].x();
    cells.y[to] = local[i].y();
    cells.z[to] = local[i].z();
  }
  return cells;
}

std::vector<CellStep> cellSteps(const Cells& cells, double range) {
  Eigen::Array3d far = (range / cells.widths.array()).ceil() + 1;
  if (!cells.periodic) far = far.min(Eigen::Array3d(cells.n[0] - 1, cells.n[1] - 1, cells.n[2] - 1));
  const double number = (far(0) + 1) * (2 * far(1) + 1) * (2 * far(2) + 1);
  if (!(number < kMostSteps))
    throw Error(fmt::format(
        "distances up to {:g} angstrom lead to {:.2g} images of the cell, more than {:g}; take a shorter "
        "range, or a larger cell with the same atoms (cudaprophet structure FILE --shape cells:A,B,C)",
        range, number, kMostSteps));
  int reach[3];
  for (int i = 0; i < 3; ++i) reach[i] = static_cast<int>(far(i));
  const bool square = orthogonal(cells.lattice);
  std::vector<CellStep> steps{{{0, 0, 0}}};
  for (int a = 0; a <= reach[0]; ++a) {
    for (int b = -reach[1]; b <= reach[1]; ++b) {
      for (int c = -reach[2]; c <= reach[2]; ++c) {
        if (a == 0 && (b < 0 || (b == 0 && c <= 0))) continue;
        // Between the faces of the two cells there are one cell less than steps.
        Eigen::Vector3d gap;
        const int step[3] = {a, b, c};
        for (int i = 0; i < 3; ++i) gap(i) = std::max(0, std::abs(step[i]) - 1) * cells.widths(i);
        if ((square ? gap.norm() : gap.maxCoeff()) <= range) steps.push_back({{a, b, c}});
      }
    }
  }
  return steps;
}

}  // namespace prophet
