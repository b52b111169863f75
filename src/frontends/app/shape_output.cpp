#include "frontends/app/shape_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/common/version.hpp"
#include "core/picture/colours.hpp"

namespace prophet {
namespace {

constexpr double kDecades = 6;

/// One value of F at an arbitrary place: another body, or another unit, has another one.
std::string fingerprint(const ShapeTask& task) {
  const Eigen::Vector3d q(0.0312, -0.0471, 0.0593);
  const auto f =
      task.method == ShapeMethod::Exact ? task.body.formFactor(q) : sumAtPoints(task.elements, q).front();
  return fmt::format("{:.10e} {:.10e}", f.real(), f.imag());
}

std::string textOf(const Arrangement& a) {
  std::string text;
  for (const Spacing& s : a.spacings)
    text += fmt::format("{}{:g} angstrom, sigma {:g}, {} particles", text.empty() ? "" : "; ", s.length,
                        s.sigma, s.count);
  return text + fmt::format("; angle {:g}, rotation {:g}", a.angle, a.rotation);
}

FormFactorNotes notesOf(const ShapeTask& task, const ShapeLine& line) {
  FormFactorNotes notes{
      {"program", fmt::format("cudaprophet {}", kVersion)},
      {"shape", task.description},
      {"method", nameOf(task.method)},
      {"tolerance", task.method == ShapeMethod::Transform ? fmt::format("{:g}", line.tolerance) : "rounding"},
      {"F_at_0.0312_-0.0471_0.0593", fingerprint(task)},
      {"definition", "F(q) = integral exp(i q.r) d^3r"},
      {"unit_of_F", "angstrom^3"}};
  if (line.precision == Precision::Single) notes.push_back({"precision", "single"});
  if (line.detector) {
    notes.push_back({"wavelength", fmt::format("{:.12g} angstrom", line.detector->wavelength)});
    notes.push_back({"alpha_i", fmt::format("{:.12g} degrees", line.detector->alphaI)});
  }
  if (line.substrate)
    notes.push_back(
        {"substrate",
         fmt::format("n = 1 - {:.10g} + {:.10g} i; F: four terms of the distorted-wave Born approximation",
                     line.substrate->delta, line.substrate->beta)});
  if (line.isArranged()) notes.push_back({"arrangement", textOf(line.arrangement)});
  return notes;
}

FileLayout layoutOf(const ShapeLine& line) {
  FileLayout layout;
  if (line.detector) {
    layout.axes = {{"alpha_f", "degree", line.detector->alphaF.values()},
                   {"two_theta_f", "degree", line.detector->twoThetaF.values()}};
    layout.fields = {{"qx", "1/angstrom"}, {"qy", "1/angstrom"}, {"qz", "1/angstrom"}};
  } else {
    layout = prophet::layoutOf(line.grid);
  }
  // |F|^2, times the interference of an arrangement, for each particle.
  if (line.detector || line.isArranged()) layout.fields.push_back({"intensity", "angstrom^6"});
  return layout;
}

}  // namespace

QPoints momentaOf(const ShapeLine& line, int first, int count) {
  return line.detector ? momentaOf(line.detector->rows(first, count))
                       : pointsOf(line.grid.planes(first, count));
}

ShapeOutput::ShapeOutput(const ShapeTask& task, const ShapeLine& line, int rowsOfTile)
    : line_(line), rowsOfTile_(rowsOfTile) {
  const std::size_t all = static_cast<std::size_t>(line.rows()) * line.rowSize();
  if (!line.hdf5File.empty()) {
    file_.emplace(line.hdf5File, layoutOf(line), notesOf(task, line), rowsOfTile, line.resume);
  } else if (line.pngFile.empty()) {
    values_.resize(all);
  } else {
    intensities_.resize(all);
  }
}

std::vector<int> ShapeOutput::missing() const {
  std::vector<int> list((static_cast<std::size_t>(line_.rows()) + static_cast<std::size_t>(rowsOfTile_) - 1) /
                        static_cast<std::size_t>(rowsOfTile_));
  std::iota(list.begin(), list.end(), 0);
  if (file_)
    list.erase(std::remove_if(list.begin(), list.end(), [&](int t) { return file_->isDone(t); }), list.end());
  return list;
}

std::vector<std::vector<double>> ShapeOutput::fieldsOf(const QPoints& q, const FormFactor& f) const {
  std::vector<std::vector<double>> fields;
  if (line_.detector) {
    for (int d = 0; d < 3; ++d) {
      const Eigen::VectorXd row = q.row(d);
      fields.emplace_back(row.begin(), row.end());
    }
  } else if (!line_.isArranged()) {
    return fields;
  }
  auto& intensity = fields.emplace_back(f.size());
  for (std::size_t i = 0; i < f.size(); ++i)
    intensity[i] = std::norm(f[i]) * interference(line_.arrangement, q.col(static_cast<Eigen::Index>(i)));
  return fields;
}

void ShapeOutput::keep(int tile, const FormFactor& f) {
  for (const auto& value : f) {
    largest_ = std::max(largest_, std::abs(value));
    smallest_ = std::min(smallest_, std::abs(value));
  }
  const int first = tile * rowsOfTile_, count = std::min(rowsOfTile_, line_.rows() - first);
  const auto at = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(first) * line_.rowSize());
  if (!file_ && line_.pngFile.empty()) {
    std::copy(f.begin(), f.end(), values_.begin() + at);
    return;
  }
  const bool plain = !line_.detector && !line_.isArranged();
  const auto fields = fieldsOf(plain ? QPoints{} : momentaOf(line_, first, count), f);
  if (file_) {
    file_->write(tile, f, fields);
  } else {
    std::copy(fields.back().begin(), fields.back().end(), intensities_.begin() + at);
  }
}

void ShapeOutput::finish() {
  if (!line_.pngFile.empty()) {
    const std::vector<double> upwards = file_ ? file_->read("intensity") : intensities_;
    const auto width = static_cast<std::ptrdiff_t>(line_.rowSize());
    std::vector<double> rows;  // the largest alpha_f on top
    for (std::ptrdiff_t y = line_.rows() - 1; y >= 0; --y)
      rows.insert(rows.end(), upwards.begin() + y * width, upwards.begin() + (y + 1) * width);
    line_.files.write(line_.pngFile,
                      pngImage(logarithmicPicture(rows, static_cast<int>(width), line_.rows(), kDecades)));
  }
  if (file_) file_->finish();
}

std::string ShapeOutput::table() const {
  const bool arranged = line_.isArranged(), extra = arranged || line_.detector.has_value();
  std::string text =
      line_.detector ? "       alpha_f   two_theta_f" : "            qx            qy            qz";
  text += "                  Re F                  Im F                 |F|^2";
  text += extra ? "             intensity\n" : "\n";
  const QPoints q = momentaOf(line_, 0, line_.rows());
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    if (line_.detector) {
      const std::size_t width = line_.rowSize();
      text += fmt::format("{:>14.8g}{:>14.8g}", line_.detector->alphaF[static_cast<int>(i / width)],
                          line_.detector->twoThetaF[static_cast<int>(i % width)]);
    } else {
      text += fmt::format("{:>14.8g}{:>14.8g}{:>14.8g}", q(0, k), q(1, k), q(2, k));
    }
    text += fmt::format("{:>22.13e}{:>22.13e}{:>22.13e}", values_[i].real(), values_[i].imag(),
                        std::norm(values_[i]));
    if (extra)
      text += fmt::format("{:>22.13e}", std::norm(values_[i]) * interference(line_.arrangement, q.col(k)));
    text += "\n";
  }
  return text;
}

std::string ShapeOutput::range() const {
  return largest_ > 0 ? fmt::format("{:.6e} to {:.6e} angstrom^3", smallest_, largest_) : "";
}

}  // namespace prophet
