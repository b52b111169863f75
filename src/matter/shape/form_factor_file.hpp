#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "matter/shape/q_grid.hpp"
#include "matter/shape/triangle_mesh.hpp"

namespace prophet {

/// What a file of form factors says of itself: pairs of a name and a text.
using FormFactorNotes = std::vector<std::pair<std::string, std::string>>;

/// An axis of the arrays of such a file.
struct FileAxis {
  std::string name, unit;
  std::vector<double> values;
};

/// Real numbers beside F, an array of its shape.
struct FileField {
  std::string name, unit;
};

/// What a file has beside F (complex, angstrom^3).
struct FileLayout {
  std::vector<FileAxis> axes;  ///< of F and all fields, the last one fastest
  std::vector<FileField> fields;
  /// So many axes from the first one on are counted as one axis of rows, of which tiles are made.
  std::size_t rowAxes = 1;
};

/// qx, qy, qz.
inline FileLayout layoutOf(const QGrid& grid) {
  FileLayout layout;
  const char* const names[] = {"qx", "qy", "qz"};
  for (std::size_t d = 0; d < 3; ++d) layout.axes.push_back({names[d], "1/angstrom", grid.axes[d].values()});
  return layout;
}

/// Some rows of such a file.
struct FormFactorTile {
  FormFactor values;
  std::vector<std::vector<double>> fields;  ///< in the order of the layout
};

/// Writes a file in HDF5 with the datasets of a layout, in one step, and nothing of it depends on the time.
/// Tiles of `rows` rows (the last one of what is left) are asked for one after the other, so that memory need
/// not hold all of it. Throws Error, and what `tile` throws; there is no file then.
void writeFormFactors(const std::string& path, const FileLayout& layout, const FormFactorNotes& notes,
                      int rows, const std::function<FormFactorTile(int tile)>& tile);

/// Triangles as HipGISAXS has them: a dataset of N x 7 numbers (`shape_def`, or the only one of that shape),
/// in each row area, normal x, y, z and centre x, y, z; rows without an area are left out. Lengths are `unit`
/// angstrom. Normals that all point inwards are turned. Throws Error for a surface that is not closed or has
/// no area.
std::vector<SurfaceElement> readSurfaceElements(const std::string& path, double unit = 1);

}  // namespace prophet
