#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "matter/shape/q_grid.hpp"
#include "matter/shape/triangle_mesh.hpp"

namespace prophet {

/// What a file of form factors says of itself: pairs of a name and a text. A file that was begun with others
/// is not gone on with.
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

/// A file in HDF5 with the datasets of a layout, written by tiles of rows in any order, so
/// that memory need not hold it. Until it is finished it is PATH.part, which an interrupted run can go on
/// with; a link is followed and stays. A file of that name that no such run has left is not touched.
class FormFactorFile {
 public:
  /// `rows`: of each tile but the last. Throws Error without HDF5, for a file that cannot be written, or,
  /// with `resume`, one that was begun with another layout or other notes.
  FormFactorFile(const std::string& path, const FileLayout& layout, const FormFactorNotes& notes, int rows,
                 bool resume);
  ~FormFactorFile();

  int tiles() const;
  bool isDone(int tile) const;
  /// `fields`: in the order of the layout.
  void write(int tile, const FormFactor& values, const std::vector<std::vector<double>>& fields = {});
  /// F as a whole; what is not done is 0.
  FormFactor values() const;
  /// A field as a whole.
  std::vector<double> read(const std::string& field) const;
  /// Gives the file its name. All tiles must be done.
  void finish();

 private:
  struct Contents;
  /// Calls visit(start, count) for each block of the array that some rows are.
  template <class Visit>
  static void eachRun(const Contents& contents, unsigned long long first, unsigned long long end,
                      Visit visit);
  std::unique_ptr<Contents> contents_;
};

/// Rows of the tiles of a file that was begun and can be gone on with; empty if there is none.
std::optional<int> rowsOfBegunFile(const std::string& path);

/// Triangles as HipGISAXS has them: a dataset of N x 7 numbers (`shape_def`, or the only one of that shape),
/// in each row area, normal x, y, z and centre x, y, z; rows without an area are left out. Lengths are `unit`
/// angstrom. Normals that all point inwards are turned. Throws Error for a surface that is not closed or has
/// no area.
std::vector<SurfaceElement> readSurfaceElements(const std::string& path, double unit = 1);

}  // namespace prophet
