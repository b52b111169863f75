#pragma once
#include <array>
#include <optional>

#include "matter/shape/form_factor_file.hpp"
#include "operations/execution/execution.hpp"
#include "operations/materials/shape_task.hpp"
#include "operations/record/record.hpp"

namespace prophet {

/// The table of points with every column that some request has, without rows.
Table pointTable();

/// What a run leaves: F and what belongs to it in a file, an image, or a table. Tiles come in any order.
class ShapeOutput {
 public:
  /// Throws Error for a file that cannot be written or gone on with.
  ShapeOutput(const ShapeTask& task, const ShapeRequest& request, int rowsOfTile);

  /// Numbers of the tiles that are not there yet.
  std::vector<int> missing() const;
  void keep(int tile, const Scattered& part);
  /// Writes the image and gives the file its name.
  void finish(const Execution& execution);
  /// The numbers of up to kMostPoints points.
  std::optional<Table> table() const;
  /// The intensities of up to kMostPoints points.
  Eigen::VectorXd intensities() const;
  /// The smallest and the largest |F| of the tiles of this run; empty without any.
  std::optional<std::array<double, 2>> range() const;

 private:
  std::vector<double> intensityOf(const Scattered& part, const QPoints& q) const;
  std::vector<std::vector<double>> fieldsOf(int first, const QPoints& q, const Scattered& part,
                                            const std::vector<double>& intensity) const;
  Eigen::VectorXd intensities(const QPoints& q) const;

  const ShapeTask& task_;
  const ShapeRequest& request_;
  int rowsOfTile_;
  std::optional<FormFactorFile> file_;
  FormFactor values_;                ///< of up to kMostPoints points
  std::vector<double> intensities_;  ///< of an image without file, and of means
  double largest_ = 0, smallest_ = 1e300;
};

}  // namespace prophet
