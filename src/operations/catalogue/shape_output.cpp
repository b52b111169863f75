#include "operations/catalogue/shape_output.hpp"

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

FormFactorNotes notesOf(const ShapeTask& task, const ShapeRequest& request) {
  FormFactorNotes notes{{"program", fmt::format("cudaprophet {}", kVersion)},
                        {"shape", task.description},
                        {"method", nameOf(task.method)},
                        {"tolerance", task.method == ShapeMethod::Transform
                                          ? fmt::format("{:g}", request.tolerance.value_or(1e-6))
                                          : "rounding"},
                        {"F_at_0.0312_-0.0471_0.0593", fingerprint(task)},
                        {"definition", "F(q) = integral exp(i q.r) d^3r"},
                        {"unit_of_F", "angstrom^3"}};
  if (request.precision == Precision::Single) notes.push_back({"precision", "single"});
  if (request.detector) {
    notes.push_back({"wavelength", fmt::format("{:.12g} angstrom", request.detector->wavelength)});
    notes.push_back({"alpha_i", fmt::format("{:.12g} degrees", request.detector->alphaI)});
  }
  if (request.substrate)
    notes.push_back(
        {"substrate",
         fmt::format("n = 1 - {:.10g} + {:.10g} i; F: four terms of the distorted-wave Born approximation",
                     request.substrate->delta, request.substrate->beta)});
  if (request.points)
    notes.push_back({"points", fmt::format("{}, sum {:.17g}, sum of squares {:.17g}", request.size(),
                                           request.points->sum(), request.points->squaredNorm())});
  if (request.isArranged()) notes.push_back({"arrangement", textOf(request.arrangement)});
  return notes;
}

FileLayout layoutOf(const ShapeRequest& request) {
  FileLayout layout;
  if (request.detector) {
    layout.axes = {{"alpha_f", "degree", request.detector->alphaF.values()},
                   {"two_theta_f", "degree", request.detector->twoThetaF.values()}};
    layout.fields = {{"qx", "1/angstrom"}, {"qy", "1/angstrom"}, {"qz", "1/angstrom"}};
  } else if (request.points) {
    std::vector<double> numbers(request.size());
    std::iota(numbers.begin(), numbers.end(), 0.0);
    layout.axes = {{"point", "1", numbers}};
    layout.fields = {{"qx", "1/angstrom"}, {"qy", "1/angstrom"}, {"qz", "1/angstrom"}};
  } else {
    layout = prophet::layoutOf(*request.grid);
  }
  // |F|^2, times the interference of an arrangement, for each particle.
  if (!request.grid || request.isArranged()) layout.fields.push_back({"intensity", "angstrom^6"});
  return layout;
}

}  // namespace

ShapeOutput::ShapeOutput(const ShapeTask& task, const ShapeRequest& request, int rowsOfTile)
    : request_(request), rowsOfTile_(rowsOfTile) {
  const bool isNew = request.hdf5.empty();
  if (!isNew)
    file_.emplace(request.hdf5, layoutOf(request), notesOf(task, request), rowsOfTile, request.resume);
  if (request.size() <= kMostPoints) values_ = isNew ? FormFactor(request.size()) : file_->values();
  if (isNew && !request.png.empty()) intensities_.resize(request.size());
}

std::vector<int> ShapeOutput::missing() const {
  std::vector<int> list(
      (static_cast<std::size_t>(request_.rows()) + static_cast<std::size_t>(rowsOfTile_) - 1) /
      static_cast<std::size_t>(rowsOfTile_));
  std::iota(list.begin(), list.end(), 0);
  if (file_)
    list.erase(std::remove_if(list.begin(), list.end(), [&](int t) { return file_->isDone(t); }), list.end());
  return list;
}

std::vector<std::vector<double>> ShapeOutput::fieldsOf(const QPoints& q, const FormFactor& f) const {
  std::vector<std::vector<double>> fields;
  if (!request_.grid) {
    for (int d = 0; d < 3; ++d) {
      const Eigen::VectorXd row = q.row(d);
      fields.emplace_back(row.begin(), row.end());
    }
  } else if (!request_.isArranged()) {
    return fields;
  }
  auto& intensity = fields.emplace_back(f.size());
  for (std::size_t i = 0; i < f.size(); ++i)
    intensity[i] = std::norm(f[i]) * interference(request_.arrangement, q.col(static_cast<Eigen::Index>(i)));
  return fields;
}

void ShapeOutput::keep(int tile, const FormFactor& f) {
  for (const auto& value : f) {
    largest_ = std::max(largest_, std::abs(value));
    smallest_ = std::min(smallest_, std::abs(value));
  }
  const int first = tile * rowsOfTile_, count = std::min(rowsOfTile_, request_.rows() - first);
  const auto at = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(first) * request_.rowSize());
  if (!values_.empty()) std::copy(f.begin(), f.end(), values_.begin() + at);
  if (!file_ && intensities_.empty()) return;
  const bool plain = request_.grid && !request_.isArranged();
  const auto fields = fieldsOf(plain ? QPoints{} : request_.momenta(first, count), f);
  if (file_) {
    file_->write(tile, f, fields);
  } else {
    std::copy(fields.back().begin(), fields.back().end(), intensities_.begin() + at);
  }
}

void ShapeOutput::finish(const Execution& execution) {
  if (!request_.png.empty()) {
    const std::vector<double> upwards = file_ ? file_->read("intensity") : intensities_;
    const auto width = static_cast<std::ptrdiff_t>(request_.rowSize());
    std::vector<double> rows;  // the largest alpha_f on top
    for (std::ptrdiff_t y = request_.rows() - 1; y >= 0; --y)
      rows.insert(rows.end(), upwards.begin() + y * width, upwards.begin() + (y + 1) * width);
    execution.write(request_.png,
                    pngImage(logarithmicPicture(rows, static_cast<int>(width), request_.rows(), kDecades)));
  }
  if (file_) file_->finish();
}

std::optional<Table> ShapeOutput::table() const {
  if (values_.empty()) return std::nullopt;
  const auto size = static_cast<Eigen::Index>(values_.size());
  const QPoints q = request_.momenta(0, request_.rows());
  const Eigen::VectorXcd f = Eigen::Map<const Eigen::VectorXcd>(values_.data(), size);
  const Eigen::VectorXd squares = f.cwiseAbs2();
  Table table{"points", {}};
  const auto add = [&](Column column, const char* digits) {
    table.columns.push_back(std::move(column));
    table.digits.emplace_back(digits);
  };
  if (const auto& d = request_.detector) {
    Eigen::VectorXd alpha(size), theta(size);
    for (Eigen::Index i = 0; i < size; ++i) {
      alpha(i) = d->alphaF[static_cast<int>(i / d->twoThetaF.count)];
      theta(i) = d->twoThetaF[static_cast<int>(i % d->twoThetaF.count)];
    }
    add({"alpha_f", "degree", alpha}, "{:.8g}");
    add({"two_theta_f", "degree", theta}, "{:.8g}");
  }
  add({"q", "1/angstrom", Eigen::MatrixX3d(q.transpose())}, request_.detector ? "-" : "{:.8g}");
  add({"amplitude", "angstrom^3", f}, "{:.13e}");
  if (!request_.detector && !request_.isArranged()) {
    add({"intensity", "angstrom^6", squares}, "{:.13e}");
  } else {
    Eigen::VectorXd intensity = squares;
    for (Eigen::Index i = 0; i < size; ++i) intensity(i) *= interference(request_.arrangement, q.col(i));
    add({"amplitude_squared", "angstrom^6", squares}, "{:.13e}");
    add({"intensity", "angstrom^6", intensity}, "{:.13e}");
  }
  table.mostRows = request_.hdf5.empty() && request_.png.empty() ? 1000 : 0;
  return table;
}

std::optional<std::array<double, 2>> ShapeOutput::range() const {
  if (largest_ > 0) return std::array<double, 2>{smallest_, largest_};
  return std::nullopt;
}

}  // namespace prophet
