#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "shape/q_grid.hpp"
#include "shape/triangle_mesh.hpp"

namespace prophet {

/// What a file of form factors says of itself: pairs of a name and a text. A file that was begun with others
/// is not gone on with.
using FormFactorNotes = std::vector<std::pair<std::string, std::string>>;

/// A file in HDF5 with the datasets qx, qy, qz (1/angstrom) and F (complex, nx x ny x nz, angstrom^3),
/// written by blocks of planes of qx, so that memory need not hold it. Until it is finished it is PATH.part,
/// which an interrupted run can go on with.
class FormFactorFile {
 public:
  /// `planes`: of each block but the last. Throws Error without HDF5, for a file that cannot be written, or,
  /// with `resume`, one that was begun with another grid or other notes.
  FormFactorFile(const std::string& path, const QGrid& grid, const FormFactorNotes& notes, int planes,
                 bool resume);
  ~FormFactorFile();

  int blocks() const;
  /// The part of the grid that a block has.
  QGrid gridOf(int block) const;
  bool isDone(int block) const;
  void write(int block, const FormFactor& values);
  /// Gives the file its name. All blocks must be done.
  void finish();

 private:
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

/// Triangles as HipGISAXS has them: a dataset of N x 7 numbers (`shape_def`, or the only one of that shape),
/// in each row area, normal x, y, z and centre x, y, z. Lengths are `unit` angstrom. Throws Error.
std::vector<SurfaceElement> readSurfaceElements(const std::string& path, double unit = 1);

}  // namespace prophet
