#include "operations/materials/shape_request.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/common/csv.hpp"
#include "core/common/degree.hpp"
#include "core/common/index.hpp"
#include "core/common/text.hpp"
#include "core/picture/picture.hpp"

namespace prophet {
namespace {

std::vector<double> lengthsOf(const Json& value, std::size_t least, std::size_t most) {
  const auto lengths = value.get<std::vector<double>>();
  if (lengths.size() < least || lengths.size() > most)
    throw Error(fmt::format("takes {} lengths in angstrom, not {}",
                            least == most ? fmt::format("{}", least) : fmt::format("{} or {}", least, most),
                            lengths.size()));
  return lengths;
}

/// "0:2:200", "0.1", "0 0.1 0.5", "@FILE", 0.1, [0, 2, 200], {"values": [0, 0.1, 0.5]}.
std::string axisText(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return fmt::format("{}", value.get<double>());
  const bool listed =
      value.is_object() && value.size() == 1 && value.contains("values") && value["values"].is_array();
  std::string text;
  if (value.is_array() || listed)
    for (const Json& item : listed ? value["values"] : value)
      text += (text.empty() ? "" : listed ? " " : ":") + axisText(item);
  if (text.empty())
    throw Error(
        "found " + value.dump() +
        "; expected START:STOP:COUNT, one number, or numbers, in JSON and Python {\"values\": [...]}");
  return text;
}

QGrid gridOf(const Json& value) {
  if (!value.is_array()) return parseQGrid(axisText(value));
  std::string text;
  for (const Json& axis : value) text += (text.empty() ? "" : ",") + axisText(axis);
  return parseQGrid(text);
}

/// "200:10" or, with sigmas, "200:20" and "200:20:50".
Spacing parseSpacing(const std::string& text, bool sigmas) {
  const auto words = split(text, ':');
  const std::size_t most = sigmas ? 3 : 2;
  std::vector<double> numbers;
  for (const std::string& word : words) {
    const auto value = parseDouble(trimmed(word));
    if (!value || !std::isfinite(*value)) throw Error("'" + word + "' is not a number");
    numbers.push_back(*value);
  }
  if (numbers.size() < 2 || numbers.size() > most)
    throw Error(std::string("found '") + text + "'; expected " +
                (sigmas ? "DISTANCE:SIGMA or DISTANCE:SIGMA:COUNT" : "DISTANCE:COUNT"));
  Spacing s{numbers[0], sigmas ? numbers[1] : 0, 1000};
  if (numbers.size() == most) {
    const double count = numbers.back();
    if (!(count >= 1 && count <= 1e6) || count != std::floor(count))
      throw Error("the particles along a direction are a whole number from 1 to 1000000");
    s.count = static_cast<int>(count);
  }
  return s;
}

/// "200:10,300:20", or [[200, 10], [300, 20]].
void readSpacings(ShapeRequest& r, const Json& value, bool sigmas) {
  const bool several = value.is_array() && !value.empty() && !value.front().is_number();
  for (const Json& direction : several ? value : Json::array({value}))
    for (const std::string& part : split(axisText(direction), ','))
      r.arrangement.spacings.push_back(parseSpacing(part, sigmas));
  r.arrangement.radial = sigmas && r.arrangement.spacings.size() == 1;
}

Medium mediumFrom(std::map<std::string, double> numbers, double wavelength) {
  const auto has = [&](std::initializer_list<const char*> names) {
    return numbers.size() == names.size() &&
           std::all_of(names.begin(), names.end(), [&](const char* name) { return numbers.count(name) > 0; });
  };
  if (has({"f1", "f2", "density", "mass"}))
    return mediumOf(numbers["f1"], numbers["f2"], numbers["density"], numbers["mass"], wavelength);
  if (!has({"delta", "beta"})) throw Error("give delta and beta, or f1, f2, density and mass");
  const Medium s{numbers["delta"], numbers["beta"]};
  if (!(std::abs(s.delta) < 0.5 && s.beta >= 0 && s.beta < 0.5))
    throw Error("delta lies between -0.5 and 0.5, beta from 0 to 0.5");
  return s;
}

void requireBody(const ShapeRequest& r) {
  if (r.bodies + (r.file.empty() ? 0 : 1) != 1)
    throw SettingError(
        "file",
        "shape takes one file (.stl, .obj, .ply, .h5; .yaml: a scene) or one of sphere, cylinder, box, "
        "pyramid, cone");
  if (r.unit && r.body) throw SettingError("unit", "belongs to a file; built-in shapes are in angstrom");
  if (!r.isScene()) return;
  if (r.unit) throw SettingError("unit", "belongs to a surface; a scene has a unit for each of its files");
  if (!r.optics.empty()) throw SettingError("substrate", "stands among the layers of the scene");
  if (!r.bodyOptics.empty()) throw SettingError("material", "stands in the scene");
}

void requireMethod(const ShapeRequest& r) {
  const bool transform = r.method == ShapeMethod::Transform;
  if (r.tolerance && !transform) throw SettingError("tolerance", "belongs to method fft");
  if (r.triangles && !((r.body || r.isScene()) && (transform || r.method == ShapeMethod::Sum)))
    throw SettingError("triangles", "belongs to a built-in shape with method sum or fft");
  if (transform && !r.grid)
    throw SettingError("method",
                       "fft needs a regular grid of momenta; points and detectors take exact and sum");
  if (transform && !r.grid->isRegular())
    throw SettingError("method", "fft needs equidistant axes; others take exact and sum");
}

/// Columns of a file: coordinates, then, of a measurement, the intensity and perhaps its standard deviation.
Eigen::MatrixXd coordinatesIn(ShapeRequest& r, const std::string& setting, const std::string& path,
                              const std::string& names, std::size_t count) {
  using Names = std::vector<std::vector<std::string>>;
  const bool measured = setting == "against";
  return ofSetting(setting, [&] {
    const NumberRows table =
        readNumberRows(path, count + (measured ? 1 : 0), count + (measured ? 2 : 0),
                       names + (measured ? ", the intensity and, if known, its standard deviation" : ""));
    Names known = count == 2 ? Names{{"alpha_f", "alphaf"}, {"two_theta_f", "twothetaf"}}
                             : Names{{"qx", "q_x"}, {"qy", "q_y"}, {"qz", "q_z"}};
    known.push_back({"intensity", "i", "counts"});
    known.push_back({"sigma", "error", "err", "e", "esd", "std"});
    table.requireOrder(known, names);
    const auto size = static_cast<Eigen::Index>(table.rows.size());
    Eigen::MatrixXd columns(static_cast<Eigen::Index>(table.columns), size);
    for (Eigen::Index i = 0; i < size; ++i)
      columns.col(i) = Eigen::Map<const Eigen::VectorXd>(table.rows[usize(i)].data(), columns.rows());
    const auto places = static_cast<Eigen::Index>(count);
    if (measured) r.measured = columns.row(places).transpose();
    if (columns.rows() == places + 2) r.sigma = columns.row(places + 1).transpose();
    const bool counts = measured && r.sigma.size() == 0 && !r.equalWeights;
    for (Eigen::Index i = 0; i < (counts ? size : 0); ++i)
      if (r.measured(i) < 0)
        table.refuse(usize(i), fmt::format("found the intensity {:g}", r.measured(i)),
                     "counts of 0 or more; others need a column of standard deviations, or weights equal");
    for (Eigen::Index i = 0; i < r.sigma.size(); ++i)
      if (!(r.sigma(i) > 0))
        table.refuse(usize(i), fmt::format("found the standard deviation {:g}", r.sigma(i)),
                     "a number above 0");
    return Eigen::MatrixXd(columns.topRows(places));
  });
}

void placePixels(ShapeRequest& r) {
  const char* const setting = r.pixels.empty() ? "against" : "pixels";
  const std::string& path = r.pixels.empty() ? r.against : r.pixels;
  for (const auto& [name, given] : {std::pair{"alpha_f", r.alphaF.has_value()},
                                    {"two_theta_f", r.twoThetaF.has_value()},
                                    {"pixels", !r.pixels.empty() && !r.against.empty()}})
    if (given)
      throw SettingError(name, std::string("is left out where ") +
                                   (r.against.empty() ? "pixels" : "against") + " says where the pixels are");
  r.detector->list = coordinatesIn(r, setting, path, "alpha_f and two_theta_f in degrees", 2);
}

void placeDetector(ShapeRequest& r) {
  const auto given = [&](const char* setting, bool isGiven) {
    if (!isGiven)
      throw SettingError(setting,
                         "is missing; a detector has alpha_f and two_theta_f (or pixels, or against),"
                         " alpha_i and wavelength");
  };
  given("alpha_i", r.alphaI.has_value());
  given("wavelength", r.wavelength.has_value());
  r.detector = Detector{*r.wavelength, r.alphaI->start, {}, {}};
  if (!r.pixels.empty() || !r.against.empty()) {
    placePixels(r);
  } else {
    given("alpha_f", r.alphaF.has_value());
    given("two_theta_f", r.twoThetaF.has_value());
    r.detector->alphaF = *r.alphaF;
    r.detector->twoThetaF = *r.twoThetaF;
  }
  ofSetting("", [&] {
    check(*r.detector);
    Detector last = *r.detector;
    last.alphaI = r.alphaI->stop;
    check(last);
  });
  if (!r.bodyOptics.empty())
    r.bodyMedium = ofSetting("material", [&] { return mediumFrom(r.bodyOptics, *r.wavelength); });
  if (r.optics.empty()) return;
  r.substrate = ofSetting("substrate", [&] { return mediumFrom(r.optics, *r.wavelength); });
  const double lowest = r.detector->isList() ? r.detector->list.row(0).minCoeff() : r.alphaF->start;
  if (lowest < 0)
    throw SettingError("substrate", "alpha_f starts at 0 degrees or above, the horizon of the surface");
}

void requireMomenta(ShapeRequest& r) {
  const bool detector = r.alphaF || r.twoThetaF || r.alphaI || r.wavelength || !r.pixels.empty();
  const bool listed = !r.qFile.empty() || (!r.against.empty() && !detector);
  if ((r.grid ? 1 : 0) + (r.points ? 1 : 0) + (detector ? 1 : 0) + (listed ? 1 : 0) != 1)
    throw SettingError(
        "q_grid",
        "shape needs one of q_grid, such as -1:1:64,-1:1:64,0.1:1:32, q, a list of points, q_file, and a "
        "detector (alpha_i, alpha_f, two_theta_f, wavelength)");
  if (listed) {
    if (!r.qFile.empty() && !r.against.empty())
      throw SettingError("q_file", "is left out where against says where the points are");
    r.points = coordinatesIn(r, r.qFile.empty() ? "against" : "q_file", r.qFile + r.against,
                             "qx, qy and qz in 1/angstrom", 3);
  }
  if (!r.against.empty() && (r.grid || (r.points && !listed)))
    throw SettingError("against", "says itself where the points are; omit q and q_grid");
  if (detector) {
    placeDetector(r);
    return;
  }
  for (const auto& [name, given] : {std::pair{"substrate", !r.optics.empty()},
                                    {"material", !r.bodyOptics.empty()},
                                    {"omega", r.omega.has_value()}})
    if (given) throw SettingError(name, "belongs to a detector (alpha_i, alpha_f, two_theta_f, wavelength)");
}

void requireOneImage(const ShapeRequest& r) {
  const std::size_t images = r.images().size();
  if (images > 1 && !r.png.empty())
    throw SettingError("png", fmt::format("is one image; here are {}, so give hdf5 instead", images));
  if (images > 1 && !r.against.empty())
    throw SettingError("against", "is compared with one image: one alpha_i, and one omega or their mean");
}

void requireOutput(const ShapeRequest& r) {
  if (!r.png.empty() && (!r.detector || !r.detector->isRegular()))
    throw SettingError("png", "is the image of a regular detector; other momenta have none");
  if (!r.against.empty() && r.size() > kMostPoints)
    throw SettingError("against",
                       fmt::format("has {} points; at most {} are compared", r.size(), kMostPoints));
  if (!r.png.empty() && !hasPng())
    throw SettingError("png", "this program was built without libpng; omit it");
  if (r.hdf5.empty() && r.png.empty() && r.size() > kMostPoints)
    throw SettingError(
        "hdf5", fmt::format("is missing; {} points, more than {}, can only be written to a file", r.size(),
                            kMostPoints));
}

void putBody(ShapeRequest& r, Body body) {
  ++r.bodies;
  r.body = std::move(body);
}

void addBodies(RequestTable<ShapeRequest>& t) {
  t.add("file", &ShapeRequest::file,
        "a closed surface (.stl, .obj, .ply; .h5: area, normal, centre of each triangle), or a scene of "
        "particles and layers (.yaml)")
      .called("FILE")
      .asWord();
  t.add("sphere", ValueType::Real, "a sphere: RADIUS",
        [](ShapeRequest& r, const Json& v) { putBody(r, sphere(v.get<double>())); })
      .called("RADIUS")
      .in("angstrom")
      .above(0)
      .often();
  for (const BodyKind& b : bodyKinds())
    if (b.most > 1)
      t.add(b.name, ValueType::Numbers, b.documentation,
            [b](ShapeRequest& r, const Json& v) { putBody(r, b.make(lengthsOf(v, b.least, b.most))); })
          .called(b.lengths)
          .in("angstrom")
          .often();
  t.add("unit", &ShapeRequest::unit, "length of one unit of the file in angstrom")
      .called("LENGTH")
      .above(0, 1e12)
      .byDefault("1");
}

void addMomenta(RequestTable<ShapeRequest>& t) {
  t.add("q", &ShapeRequest::points, "momentum transfers: points X,Y,Z separated by ';'")
      .in("1/angstrom")
      .from(-1e4, 1e4);
  t.add("q_grid", ValueType::Any,
        "momentum transfers qx, qy, qz, 1/angstrom; each axis is START:STOP:COUNT, one number, numbers that "
        "increase with blanks between them, or @FILE with a column of them",
        [](ShapeRequest& r, const Json& v) { r.grid = gridOf(v); })
      .called("QX,QY,QZ")
      .often();
  const auto angles = [&](const char* name, std::optional<QAxis> ShapeRequest::*axis,
                          const char* documentation) {
    t.add(name, ValueType::Any, documentation,
          [axis](ShapeRequest& r, const Json& v) { r.*axis = parseAxis(axisText(v), "angle (degrees)"); })
        .called("GRID")
        .often();
  };
  angles("alpha_f", &ShapeRequest::alphaF,
         "a detector instead of momenta: exit angles to the surface z = 0, degrees: an axis as in q_grid");
  angles("two_theta_f", &ShapeRequest::twoThetaF,
         "detector: exit angles along the surface, degrees: an axis as in q_grid");
  angles("alpha_i", &ShapeRequest::alphaI,
         "detector: angle of the beam, which is along x, to the surface, degrees; an axis as in q_grid makes "
         "several images");
  angles("omega", &ShapeRequest::omega,
         "detector: angle by which the sample is turned about z, degrees; an axis as in q_grid makes "
         "several images");
  t.add("in_plane_average", &ShapeRequest::meanOfOmega,
        "one image, the mean over all omega, in the place of one for each")
      .onlyWith({"omega"});
  t.add("pixels", &ShapeRequest::pixels,
        "any pixels of a detector instead of a regular one, from a file: columns alpha_f and two_theta_f, "
        "degrees")
      .isFile(FileUse::Read);
  t.add("q_file", &ShapeRequest::qFile,
        "any momentum transfers from a file: columns qx, qy and qz, 1/angstrom")
      .isFile(FileUse::Read);
  t.add("against", &ShapeRequest::against,
        "compare with measured intensities: the columns of pixels (with a detector) or of q_file, the "
        "intensity and, if known, its standard deviation")
      .isFile(FileUse::Read)
      .often();
  t.add("weights", &ShapeRequest::equalWeights, Names<bool>{{"counts", false}, {"equal", true}},
        "of measured intensities without standard deviations: those of counts (1/intensity), or equal ones")
      .onlyWith({"against"});
  t.add("constant_background", &ShapeRequest::constantBackground,
        "add a constant to the computed intensities, fitted with their scale")
      .onlyWith({"against"});
  t.add("wavelength", &ShapeRequest::wavelength, "wavelength of the beam of a detector")
      .called("LENGTH")
      .in("angstrom")
      .often();
  const auto medium = [&](const char* name, std::map<std::string, double> ShapeRequest::*numbers,
                          const char* documentation) {
    t.add(name, ValueType::Any, documentation, [numbers](ShapeRequest& r, const Json& v) {
       Setting setting;
       setting.type = ValueType::ByKind;
       setting.valueName = "delta=NUMBER,beta=NUMBER or f1=,f2=,density=,mass=";
       r.*numbers = typedValue(setting, v).get<std::map<std::string, double>>();
     }).called("INDEX");
  };
  medium("substrate", &ShapeRequest::optics,
         "substrate of the particle, in distorted-wave Born approximation: delta=6.1e-6,beta=9e-8 "
         "(refractive index 1 - delta + i beta) or f1=14.2,f2=0.33,density=2.33,mass=28.085 (electrons, "
         "g/cm^3, g/mol)");
  medium("material", &ShapeRequest::bodyOptics,
         "material of the body, as substrate, for absolute cross sections (detector)");
}

void addArrangement(RequestTable<ShapeRequest>& t) {
  t.add("lattice", ValueType::Any,
        "particles side by side: DISTANCE:COUNT for one or two directions, 200:10,300:20 (angstrom)",
        [](ShapeRequest& r, const Json& v) { readSpacings(r, v, false); })
      .called("SPACINGS")
      .notWith({"paracrystal"})
      .often();
  t.add("paracrystal", ValueType::Any,
        "particles side by side with distances that vary: DISTANCE:SIGMA or DISTANCE:SIGMA:COUNT; with one "
        "direction, chains in all directions along the surface",
        [](ShapeRequest& r, const Json& v) { readSpacings(r, v, true); })
      .called("SPACINGS");
  t.add("lattice_angle", ValueType::Real, "angle between the two directions",
        [](ShapeRequest& r, const Json& v) { r.arrangement.angle = v.get<double>(); })
      .called("ANGLE")
      .in("degrees")
      .onlyWith({"lattice", "paracrystal"})
      .byDefault("90");
  t.add("lattice_rotation", ValueType::Real, "angle of the first direction to x",
        [](ShapeRequest& r, const Json& v) { r.arrangement.rotation = v.get<double>(); })
      .called("ANGLE")
      .in("degrees")
      .onlyWith({"lattice", "paracrystal"})
      .byDefault("0");
}

void addMethod(RequestTable<ShapeRequest>& t) {
  t.add("method", &ShapeRequest::method,
        Names<ShapeMethod>{
            {"exact", ShapeMethod::Exact}, {"sum", ShapeMethod::Sum}, {"fft", ShapeMethod::Transform}},
        "the closed form, the sum over triangles at their centres, or that sum by non-uniform Fourier "
        "transforms")
      .byDefault("exact; for triangles from HDF5: sum")
      .often();
  t.add("tolerance", &ShapeRequest::tolerance, "error of the transforms (fft)")
      .from(1e-14, 0.1)
      .byDefault("1e-6");
  t.add("triangles", &ShapeRequest::triangles,
        "approximate number of triangles of the surface of a built-in shape (sum, fft)")
      .from(12, 1e8)
      .byDefault("20000");
  t.add("precision", &ShapeRequest::precision,
        Names<Precision>{{"double", Precision::Double}, {"single", Precision::Single}},
        "precision of the terms of transforms and of sums at points on a GPU; sums on grids are in double "
        "precision");
  t.add("memory", &ShapeRequest::memory, "memory that a tile of the grid may use")
      .called("GIB")
      .in("GiB")
      .from(0.001)
      .byDefault("a quarter of the available memory");
}

}  // namespace

Eigen::Vector3d turned(const Eigen::Vector3d& q, double angle) {
  return Eigen::AngleAxisd(angle * kRadiansPerDegree, Eigen::Vector3d::UnitZ()) * q;
}

bool ShapeRequest::isScene() const {
  const std::string ending = lowerCase(std::filesystem::path(file).extension().string());
  return ending == ".yaml" || ending == ".yml";
}

std::vector<std::string> ShapeRequest::axisFiles() const {
  std::vector<std::string> files;
  const auto add = [&](const QAxis& axis) {
    if (!axis.file.empty()) files.push_back(axis.file);
  };
  if (grid) std::ranges::for_each(grid->axes, add);
  for (const std::optional<QAxis>& axis : {alphaF, twoThetaF, alphaI, omega})
    if (axis) add(*axis);
  return files;
}

std::vector<double> ShapeRequest::omegas() const {
  return omega ? omega->values() : std::vector<double>{0.0};
}

std::vector<ShapeImage> ShapeRequest::images() const {
  std::vector<ShapeImage> list;
  for (const double angle : alphaI ? alphaI->values() : std::vector<double>{0.0})
    for (const double turn : meanOfOmega ? std::vector<double>{0.0} : omegas()) list.push_back({angle, turn});
  return list;
}

int ShapeRequest::rowsOfImage() const {
  if (points) return static_cast<int>(points->cols());
  return detector ? detector->rowCount() : grid->axes[0].count;
}

std::size_t ShapeRequest::rowSize() const {
  if (points) return 1;
  if (detector) return usize(detector->rowSize());
  return usize(grid->axes[1].count) * usize(grid->axes[2].count);
}

Detector ShapeRequest::detectorOf(int image, int first, int count) const {
  Detector d = detector->rows(first, count);
  d.alphaI = images()[usize(image)].alphaI;
  return d;
}

void ShapeRequest::eachImage(int first, int count, const std::function<void(int, int, int)>& visit) const {
  const int length = rowsOfImage();
  while (count > 0) {
    const int here = std::min(count, length - first % length);
    visit(first / length, first % length, here);
    first += here;
    count -= here;
  }
}

QPoints ShapeRequest::momenta(int first, int count) const {
  if (points) return points->middleCols(first, count);
  if (!detector) return pointsOf(grid->planes(first, count));
  QPoints q(3, static_cast<Eigen::Index>(count) * static_cast<Eigen::Index>(rowSize()));
  Eigen::Index at = 0;
  eachImage(first, count, [&](int image, int row, int rows) {
    const QPoints part = momentaOf(detectorOf(image, row, rows));
    q.middleCols(at, part.cols()) = part;
    at += part.cols();
  });
  return q;
}

RequestTable<ShapeRequest> shapeTable() {
  RequestTable<ShapeRequest> t;
  addBodies(t);
  addMomenta(t);
  addArrangement(t);
  addMethod(t);
  t.add("hdf5", &ShapeRequest::hdf5,
        "write q and F to this file in tiles, so that grids of any size are possible")
      .isFile(FileUse::WriteBinary)
      .often();
  t.add("png", &ShapeRequest::png,
        "write the image of the detector to this file, with colours by the logarithm over six decades")
      .isFile(FileUse::WriteBinary)
      .often();
  t.add("resume", &ShapeRequest::resume, "continue an interrupted run that wrote to the same HDF5 file")
      .onlyWith({"hdf5"});
  t.afterwards([](ShapeRequest& r) {
    requireBody(r);
    requireMomenta(r);
    requireOneImage(r);
    requireMethod(r);
    if (r.isArranged())
      ofSetting(r.arrangement.spacings.front().sigma > 0 ? "paracrystal" : "lattice",
                [&] { check(r.arrangement); });
    requireOutput(r);
  });
  return t;
}

}  // namespace prophet
