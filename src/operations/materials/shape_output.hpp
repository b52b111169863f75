#pragma once
#include <array>
#include <optional>

#include "core/common/finished_pieces.hpp"
#include "core/ranks/for_many.hpp"
#include "matter/shape/form_factor_file.hpp"
#include "operations/execution/execution.hpp"
#include "operations/materials/shape_task.hpp"
#include "operations/record/record.hpp"

namespace prophet {

/// The table of points with every column that some request has, without rows.
Table pointTable();

/// Some rows as a text of bytes.
std::string packed(const Scattered& rows);

/// What a run leaves: F and what belongs to it in a file, an image, or a table. Tiles come in any order.
class ShapeOutput {
 public:
  /// Throws SettingError for a file that cannot be written or gone on with.
  ShapeOutput(const ShapeTask& task, const ShapeRequest& request, int rowsOfTile, const Execution& execution);

  /// Rows of each tile but the last: those of an interrupted run that this one goes on with, where it does.
  int rowsOfTile() const { return rowsOfTile_; }
  /// Numbers of the tiles that are not there yet.
  const std::vector<int>& missing() const { return missing_; }
  /// Takes a packed tile.
  void keep(FinishedWork tile);
  /// Writes the image and the file.
  void finish(const Execution& execution);
  /// The numbers of up to kMostPoints points.
  std::optional<Table> table() const;
  /// The intensities of up to kMostPoints points.
  Eigen::VectorXd intensities() const;
  /// The smallest and the largest |F|; empty without any.
  std::optional<std::array<double, 2>> range() const;

 private:
  std::vector<double> intensityOf(const Scattered& part, const QPoints& q) const;
  std::vector<std::vector<double>> fieldsOf(int first, const QPoints& q, const Scattered& part,
                                            const std::vector<double>& intensity) const;
  Eigen::VectorXd intensities(const QPoints& q) const;
  Scattered unpacked(const std::string& bytes) const;
  void add(int tile, const std::string& bytes);
  FormFactorTile fileTile(int tile) const;

  const ShapeTask& task_;
  const ShapeRequest& request_;
  int rowsOfTile_;
  FinishedPieces pieces_;  ///< of the file; the last tile goes into the file at once
  std::vector<int> missing_;
  std::size_t left_ = 0;
  FinishedWork last_;
  FormFactor values_;                ///< of up to kMostPoints points
  std::vector<double> intensities_;  ///< of an image, and of means
  double largest_ = 0, smallest_ = 1e300;
};

}  // namespace prophet
