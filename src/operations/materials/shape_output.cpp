#include "operations/materials/shape_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/common/checksum.hpp"
#include "core/common/version.hpp"
#include "core/picture/picture.hpp"
#include "operations/catalogue/kept_files.hpp"

namespace prophet {
namespace {

constexpr double kDecades = 6;

/// One value of F at an arbitrary place: another body, or another unit, has another one.
std::string someValueOf(const ShapeTask& task) {
  const auto f = bornAmplitude(task, {0.0312, -0.0471, 0.0593});
  return fmt::format("{:.10e} {:.10e}", f.real(), f.imag());
}

std::string textOf(const Medium& m) { return fmt::format("n = 1 - {:.10g} + {:.10g} i", m.delta, m.beta); }

std::string textOf(const std::vector<Film>& films) {
  std::string text;
  for (const Film& f : films)
    text += fmt::format("{}{}, thickness {:.10g}, roughness {:.10g}", text.empty() ? "" : "; ",
                        textOf(f.medium), f.thickness, f.roughness);
  return text;
}

/// Weights, layers and heights of particles: another scene has another text. An attribute of a file has at
/// most 64 KiB, so that many sizes are not all named; someValueOf() has them all.
std::string placesOf(const ShapeTask& task) {
  constexpr std::size_t kLongest = 8000;
  std::string text;
  for (const PlacedParticle& p : task.particles) {
    text += fmt::format("{}{:.10g}", text.empty() ? "" : "; ", p.weight);
    for (const PlacedBody& b : p.bodies) text += fmt::format(" {}:{:.10g}", b.layer, b.position(2));
  }
  text.resize(std::min(text.size(), kLongest));
  return text;
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
                        {"F_at_0.0312_-0.0471_0.0593", someValueOf(task)},
                        {"definition", "F(q) = integral exp(i q.r) d^3r"},
                        {"unit_of_F", "angstrom^3"}};
  if (request.precision == Precision::Single) notes.push_back({"precision", "single"});
  if (request.detector) {
    notes.push_back({"wavelength", fmt::format("{:.12g} angstrom", request.detector->wavelength)});
    notes.push_back({"alpha_i", fmt::format("{:.12g} degrees", request.detector->alphaI)});
  }
  if (!task.scene->films.empty())
    notes.push_back({task.scene->films.size() == 1 ? "substrate" : "layers", textOf(task.scene->films)});
  if (!task.layers.isBare()) notes.push_back({"approximation", "distorted-wave Born approximation"});
  if (task.scene->hasMedia())
    notes.push_back({"strength", "F is multiplied by n^2 of the body less that around it"});
  if (request.isScene()) notes.push_back({"particles", placesOf(task)});
  if (request.omega)
    notes.push_back(
        {"omega", fmt::format("{:g} to {:g} degrees, {} angles{}", request.omega->start, request.omega->stop,
                              request.omega->count, request.meanOfOmega ? ", mean" : "")});
  if (request.detector && request.detector->isList())
    notes.push_back(
        {"pixels", fmt::format("{}, sum {:.17g}, sum of squares {:.17g}", request.detector->pixels(),
                               request.detector->list.sum(), request.detector->list.squaredNorm())});
  if (request.points)
    notes.push_back({"points", fmt::format("{}, sum {:.17g}, sum of squares {:.17g}", request.size(),
                                           request.points->sum(), request.points->squaredNorm())});
  if (request.isArranged()) notes.push_back({"arrangement", textOf(request.arrangement)});
  return notes;
}

bool hasIntensity(const ShapeTask& task, const ShapeRequest& request) {
  return !request.grid || request.isArranged() || isMeanIntensity(task, request);
}

bool hasCrossSection(const ShapeTask& task, const ShapeRequest& request) {
  return request.detector && task.scene->hasMedia();
}

/// Angles that differ between images.
bool hasAlphaI(const ShapeRequest& r) { return r.alphaI && r.alphaI->count > 1; }
bool hasOmega(const ShapeRequest& r) { return r.omega && r.omega->count > 1 && !r.meanOfOmega; }

FileAxis pointAxis(std::size_t size) {
  std::vector<double> numbers(size);
  std::iota(numbers.begin(), numbers.end(), 0.0);
  return {"point", "1", numbers};
}

FileLayout layoutOf(const ShapeTask& task, const ShapeRequest& request) {
  FileLayout layout;
  if (const auto& d = request.detector) {
    if (hasAlphaI(request)) layout.axes.push_back({"alpha_i", "degree", request.alphaI->values()});
    if (hasOmega(request)) layout.axes.push_back({"omega", "degree", request.omegas()});
    if (d->isList()) {
      layout.axes.push_back(pointAxis(d->pixels()));
      layout.fields = {{"alpha_f", "degree"}, {"two_theta_f", "degree"}};
    } else {
      layout.axes.push_back({"alpha_f", "degree", d->alphaF.values()});
    }
    layout.rowAxes = layout.axes.size();
    if (!d->isList()) layout.axes.push_back({"two_theta_f", "degree", d->twoThetaF.values()});
  } else if (request.points) {
    layout.axes = {pointAxis(request.size())};
  } else {
    layout = prophet::layoutOf(*request.grid);
  }
  if (!request.grid)
    for (const char* name : {"qx", "qy", "qz"}) layout.fields.push_back({name, "1/angstrom"});
  // |F|^2, times the interference of an arrangement, or a mean, for each particle.
  if (hasIntensity(task, request)) layout.fields.push_back({"intensity", "angstrom^6"});
  if (hasCrossSection(task, request)) layout.fields.push_back({"cross_section", "angstrom^2/sr"});
  return layout;
}

}  // namespace

namespace {

/// Angles of every pixel, a row for each: alpha_i, omega, alpha_f and two_theta_f.
Eigen::MatrixXd anglesOf(const ShapeRequest& request) {
  const auto size = static_cast<Eigen::Index>(request.size());
  Eigen::MatrixXd angles(size, 4);
  Eigen::Index at = 0;
  for (const ShapeImage& image : request.images())
    for (int row = 0; row < request.rowsOfImage(); ++row)
      for (int column = 0; column < request.detector->rowSize(); ++column, ++at) {
        const Eigen::Vector2d pixel = request.detector->pixel(row, column);
        angles.row(at) << image.alphaI, image.omega, pixel(0), pixel(1);
      }
  return angles;
}

}  // namespace

Table pointTable() {
  const Eigen::VectorXd numbers;
  return {"points",
          {{"alpha_i", "degree", numbers, "angle of the beam to the surface", "{:.8g}"},
           {"omega", "degree", numbers, "turn of the sample about z", "{:.8g}"},
           {"alpha_f", "degree", numbers, "angle of the scattered wave to the surface", "{:.8g}"},
           {"two_theta_f", "degree", numbers, "its angle along the surface", "{:.8g}"},
           {"q", "1/angstrom", Eigen::MatrixX3d(), "momentum transfers, three components each", "{:.8g}"},
           {"amplitude", "angstrom^3", Eigen::VectorXcd(),
            "form factor or mean amplitude, real and imaginary part", "{:.13e}"},
           {"amplitude_squared", "angstrom^6", numbers, "square of its absolute value", "{:.13e}"},
           {"intensity", "angstrom^6", numbers, "mean square of the amplitude, times the interference",
            "{:.13e}"},
           {"cross_section", "angstrom^2/sr", numbers, "absolute differential cross section of a particle",
            "{:.13e}"},
           {"measured", "1", numbers, "measured intensity", "{:.6e}"},
           {"fitted", "1", numbers, "computed intensity with scale and background", "{:.6e}"}}};
}

std::string packed(const Scattered& s) {
  std::string bytes(reinterpret_cast<const char*>(s.amplitude.data()),
                    s.amplitude.size() * sizeof(s.amplitude[0]));
  bytes.append(reinterpret_cast<const char*>(s.intensity.data()), s.intensity.size() * sizeof(double));
  return bytes;
}

namespace {

/// Everything that the tiles depend on: the notes of the file and its axes.
Json fingerprint(const FormFactorNotes& notes, const FileLayout& layout) {
  Json json = Json::object();
  for (const auto& [name, value] : notes) json["notes"][name] = value;
  for (const FileAxis& axis : layout.axes) {
    const std::string_view bytes(reinterpret_cast<const char*>(axis.values.data()),
                                 axis.values.size() * sizeof(double));
    json["axes"][axis.name] = {axis.values.size(), prophet::checksumOf(bytes)};
  }
  for (const FileField& field : layout.fields) json["fields"].push_back(field.name);
  return json;
}

// Keys of the pieces of the file.
constexpr const char* kRowsOfTile = "rows";
std::string keyOfTile(int tile) { return fmt::format("tile{}", tile); }

}  // namespace

ShapeOutput::ShapeOutput(const ShapeTask& task, const ShapeRequest& request, int rowsOfTile,
                         const Execution& execution)
    : task_(task), request_(request), rowsOfTile_(rowsOfTile) {
  if (!request.hdf5.empty())
    pieces_ = finishedPieces({"hdf5", request.hdf5, request.resume}, "shape 1",
                             fingerprint(notesOf(task, request), layoutOf(task, request)), execution);
  if (pieces_.has(kRowsOfTile)) rowsOfTile_ = std::stoi(pieces_.content(kRowsOfTile));
  if (request.size() <= kMostPoints) values_.resize(request.size());
  if (!request.png.empty() || (isMeanIntensity(task, request) && !values_.empty()))
    intensities_.resize(request.size());
  for (int tile = 0; tile * rowsOfTile_ < request.rows(); ++tile) {
    if (pieces_.has(keyOfTile(tile)))
      add(tile, pieces_.content(keyOfTile(tile)));
    else
      missing_.push_back(tile);
  }
  left_ = missing_.size();
}

Scattered ShapeOutput::unpacked(const std::string& bytes) const {
  constexpr std::size_t kAmplitude = sizeof(std::complex<double>);
  const bool hasIntensity = isMeanIntensity(task_, request_);
  const std::size_t points = bytes.size() / (kAmplitude + (hasIntensity ? sizeof(double) : 0));
  Scattered s{FormFactor(points), std::vector<double>(hasIntensity ? points : 0)};
  std::memcpy(s.amplitude.data(), bytes.data(), points * kAmplitude);
  if (hasIntensity)
    std::memcpy(s.intensity.data(), bytes.data() + points * kAmplitude, points * sizeof(double));
  return s;
}

/// Intensities of some rows: those that were computed, or |F|^2 times the interference of the arrangement.
std::vector<double> ShapeOutput::intensityOf(const Scattered& part, const QPoints& q) const {
  if (!part.intensity.empty()) return part.intensity;
  std::vector<double> intensity(part.amplitude.size());
  for (std::size_t i = 0; i < intensity.size(); ++i)
    intensity[i] =
        std::norm(part.amplitude[i]) *
        (request_.isArranged() ? interference(request_.arrangement, q.col(static_cast<Eigen::Index>(i))) : 1);
  return intensity;
}

std::vector<std::vector<double>> ShapeOutput::fieldsOf(int first, const QPoints& q, const Scattered& part,
                                                       const std::vector<double>& intensity) const {
  std::vector<std::vector<double>> fields;
  if (const auto& d = request_.detector; d && d->isList()) {
    fields.resize(2);
    for (std::size_t i = 0; i < part.amplitude.size(); ++i) {
      const Eigen::Vector2d pixel = d->pixel((first + static_cast<int>(i)) % request_.rowsOfImage(), 0);
      fields[0].push_back(pixel(0));
      fields[1].push_back(pixel(1));
    }
  }
  if (!request_.grid)
    for (int d = 0; d < 3; ++d) {
      const Eigen::VectorXd row = q.row(d);
      fields.emplace_back(row.begin(), row.end());
    }
  if (hasIntensity(task_, request_)) fields.push_back(intensity);
  if (hasCrossSection(task_, request_)) {
    const double factor = crossSectionFactor(request_.detector->waveNumber());
    auto& values = fields.emplace_back(intensity);
    for (double& value : values) value *= factor;
  }
  return fields;
}

void ShapeOutput::add(int tile, const std::string& bytes) {
  const Scattered part = unpacked(bytes);
  const FormFactor& f = part.amplitude;
  for (const auto& value : f) {
    largest_ = std::max(largest_, std::abs(value));
    smallest_ = std::min(smallest_, std::abs(value));
  }
  const int first = tile * rowsOfTile_, count = std::min(rowsOfTile_, request_.rows() - first);
  const auto at = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(first) * request_.rowSize());
  if (!values_.empty()) std::ranges::copy(f, values_.begin() + at);
  if (!intensities_.empty())
    std::ranges::copy(intensityOf(part, request_.momenta(first, count)), intensities_.begin() + at);
}

void ShapeOutput::keep(FinishedWork tile) {
  add(tile.number, tile.bytes);
  if (request_.hdf5.empty()) return;
  if (--left_ == 0) {
    last_ = std::move(tile);
    return;
  }
  if (!pieces_.has(kRowsOfTile)) pieces_.keep(kRowsOfTile, std::to_string(rowsOfTile_));
  pieces_.keep(keyOfTile(tile.number), tile.bytes);
}

FormFactorTile ShapeOutput::fileTile(int tile) const {
  const int first = tile * rowsOfTile_, count = std::min(rowsOfTile_, request_.rows() - first);
  Scattered part = unpacked(pieces_.has(keyOfTile(tile)) ? pieces_.content(keyOfTile(tile)) : last_.bytes);
  const bool plain = request_.grid && !request_.isArranged();
  const QPoints q = plain ? QPoints{} : request_.momenta(first, count);
  const std::vector<double> intensity =
      hasIntensity(task_, request_) ? intensityOf(part, q) : std::vector<double>{};
  std::vector<std::vector<double>> fields = fieldsOf(first, q, part, intensity);
  return {std::move(part.amplitude), std::move(fields)};
}

void ShapeOutput::finish(const Execution& execution) {
  if (!request_.png.empty()) {
    const auto width = static_cast<std::ptrdiff_t>(request_.rowSize());
    std::vector<double> rows;  // the largest alpha_f on top
    for (std::ptrdiff_t y = request_.rows() - 1; y >= 0; --y)
      rows.insert(rows.end(), intensities_.begin() + y * width, intensities_.begin() + (y + 1) * width);
    execution.write(request_.png,
                    pngImage(logarithmicPicture(rows, static_cast<int>(width), request_.rows(), kDecades)));
  }
  if (request_.hdf5.empty()) return;
  writeFormFactors(request_.hdf5, layoutOf(task_, request_), notesOf(task_, request_), rowsOfTile_,
                   [this](int tile) { return fileTile(tile); });
  pieces_.remove();
}

std::optional<Table> ShapeOutput::table() const {
  if (values_.empty()) return std::nullopt;
  const auto size = static_cast<Eigen::Index>(values_.size());
  const QPoints q = request_.momenta(0, request_.rows());
  const Eigen::VectorXcd f = Eigen::Map<const Eigen::VectorXcd>(values_.data(), size);
  const Table all = pointTable();
  Table table{all.key, {}};
  const auto add = [&](bool wanted, const char* key, auto values) {
    if (!wanted) return;
    table.columns.push_back(*all.find(key));
    table.columns.back().values = std::move(values);
  };
  const bool onDetector = request_.detector.has_value();
  const Eigen::MatrixXd angles = onDetector ? anglesOf(request_) : Eigen::MatrixXd(0, 4);
  const auto angle = [&](Eigen::Index i) { return Eigen::VectorXd(angles.col(i)); };
  add(onDetector && hasAlphaI(request_), "alpha_i", angle(0));
  add(onDetector && hasOmega(request_), "omega", angle(1));
  add(onDetector, "alpha_f", angle(2));
  add(onDetector, "two_theta_f", angle(3));
  add(true, "q", Eigen::MatrixX3d(q.transpose()));
  if (onDetector) table.columns.back().digits = "-";  // the report has the angles
  add(true, "amplitude", f);
  const Eigen::VectorXd intensity = intensities(q);
  add(onDetector || request_.isArranged() || isMeanIntensity(task_, request_), "amplitude_squared",
      Eigen::VectorXd(f.cwiseAbs2()));
  add(true, "intensity", intensity);
  if (hasCrossSection(task_, request_))
    add(true, "cross_section",
        Eigen::VectorXd(crossSectionFactor(request_.detector->waveNumber()) * intensity));
  table.mostRows = request_.hdf5.empty() && request_.png.empty() ? 1000 : 0;
  return table;
}

Eigen::VectorXd ShapeOutput::intensities(const QPoints& q) const {
  const Scattered all{values_, isMeanIntensity(task_, request_) ? intensities_ : std::vector<double>{}};
  const std::vector<double> list = intensityOf(all, q);
  return Eigen::Map<const Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
}

Eigen::VectorXd ShapeOutput::intensities() const { return intensities(request_.momenta(0, request_.rows())); }

std::optional<std::array<double, 2>> ShapeOutput::range() const {
  if (largest_ > 0) return std::array<double, 2>{smallest_, largest_};
  return std::nullopt;
}

}  // namespace prophet
