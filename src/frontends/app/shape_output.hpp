#pragma once
#include <optional>

#include "frontends/app/shape_task.hpp"
#include "matter/shape/form_factor_file.hpp"

namespace prophet {

/// What a run leaves: F and what belongs to it in a file, an image, or printed. Tiles come in any order.
class ShapeOutput {
 public:
  /// Throws Error for a file that cannot be written or gone on with.
  ShapeOutput(const ShapeTask& task, const ShapeLine& line, int rowsOfTile);

  /// Numbers of the tiles that are not there yet.
  std::vector<int> missing() const;
  void keep(int tile, const FormFactor& f);
  /// Writes the image and gives the file its name.
  void finish();
  /// The numbers of a small run that writes no file.
  std::string table() const;
  /// "|F| 1e2 to 3e4 angstrom^3": of the tiles of this run.
  std::string range() const;

 private:
  std::vector<std::vector<double>> fieldsOf(const QPoints& q, const FormFactor& f) const;

  const ShapeLine& line_;
  int rowsOfTile_;
  std::optional<FormFactorFile> file_;
  FormFactor values_;                ///< where there is no file
  std::vector<double> intensities_;  ///< of an image without file
  double largest_ = 0, smallest_ = 1e300;
};

/// The momenta of rows of a grid or a detector.
QPoints momentaOf(const ShapeLine& line, int first, int count);

}  // namespace prophet
