#pragma once
#include <array>
#include <vector>

#include "matter/structure/structure.hpp"

namespace prophet {

/// Atoms sorted into the cells of a grid, and inside a cell by kind, so that near atoms are near in memory
/// and pairs of cells that are too far apart need not be looked at. Coordinates are relative to a point of
/// each cell: differences of two of them lose nothing in single precision.
struct Cells {
  std::array<int, 3> n{1, 1, 1};
  bool periodic = false;
  Eigen::Matrix3d lattice;  ///< rows: edges of the whole grid
  Eigen::Vector3d widths;   ///< distances between opposite faces of one cell
  int kinds = 0;
  std::vector<std::size_t> first;  ///< [cell * kinds + kind]: where its atoms begin; one more at the end
  std::vector<Eigen::Vector3d> origins;  ///< of each cell
  std::vector<double> x, y, z;           ///< relative to the origin of the cell

  std::size_t count() const { return origins.size(); }
  std::size_t number(int a, int b, int c) const {
    return (static_cast<std::size_t>(a) * static_cast<std::size_t>(n[1]) + static_cast<std::size_t>(b)) *
               static_cast<std::size_t>(n[2]) +
           static_cast<std::size_t>(c);
  }
  std::size_t begin(std::size_t cell, int kind) const {
    return first[cell * static_cast<std::size_t>(kinds) + static_cast<std::size_t>(kind)];
  }
  std::size_t end(std::size_t cell, int kind) const {
    return first[cell * static_cast<std::size_t>(kinds) + static_cast<std::size_t>(kind) + 1];
  }
  bool empty(std::size_t cell) const { return begin(cell, 0) == end(cell, kinds - 1); }
};

/// `edge`: about how long the edge of a cell shall be, angstrom.
Cells sortIntoCells(const Structure& structure, double edge);

/// A neighbouring cell: this many cells farther along each edge. Of two opposite ones only one is listed.
struct CellStep {
  std::array<int, 3> step;
};

/// The steps to all cells that may hold atoms within the range, the cell itself first. Throws Error for a
/// range of more images than memory is for.
std::vector<CellStep> cellSteps(const Cells& cells, double range);

}  // namespace prophet
