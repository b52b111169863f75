#include "operations/catalogue/shape_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/common/text.hpp"
#include "core/picture/png.hpp"

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

/// "0:2:200", "0.1", 0.1, [0, 2, 200].
std::string axisText(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return fmt::format("{}", value.get<double>());
  std::string text;
  if (value.is_array())
    for (const Json& item : value) text += (text.empty() ? "" : ":") + axisText(item);
  if (text.empty()) throw Error("found " + value.dump() + "; expected START:STOP:COUNT or one number");
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

Substrate substrateOf(std::map<std::string, double> numbers, double wavelength) {
  const auto has = [&](std::initializer_list<const char*> names) {
    return numbers.size() == names.size() &&
           std::all_of(names.begin(), names.end(), [&](const char* name) { return numbers.count(name) > 0; });
  };
  if (has({"f1", "f2", "density", "mass"}))
    return prophet::substrateOf(numbers["f1"], numbers["f2"], numbers["density"], numbers["mass"],
                                wavelength);
  if (!has({"delta", "beta"})) throw Error("give delta and beta, or f1, f2, density and mass");
  const Substrate s{numbers["delta"], numbers["beta"]};
  if (!(std::abs(s.delta) < 0.5 && s.beta >= 0 && s.beta < 0.5))
    throw Error("delta lies between -0.5 and 0.5, beta from 0 to 0.5");
  return s;
}

void requireBody(const ShapeRequest& r) {
  if (r.bodies + (r.file.empty() ? 0 : 1) != 1)
    throw SettingError(
        "file",
        "shape takes one file (.stl, .obj, .ply, .h5) or one of sphere, cylinder, box, pyramid, "
        "cone");
  if (r.unit && r.body) throw SettingError("unit", "belongs to a file; built-in shapes are in angstrom");
}

void requireMethod(const ShapeRequest& r) {
  const bool transform = r.method == ShapeMethod::Transform;
  if (r.tolerance && !transform) throw SettingError("tolerance", "belongs to method fft");
  if (r.triangles && !(r.body && (transform || r.method == ShapeMethod::Sum)))
    throw SettingError("triangles", "belongs to a built-in shape with method sum or fft");
  if (transform && !r.grid)
    throw SettingError("method",
                       "fft needs a regular grid of momenta; points and detectors take exact and sum");
}

void placeDetector(ShapeRequest& r) {
  const auto given = [&](const char* setting, bool isGiven) {
    if (!isGiven)
      throw SettingError(setting, "is missing; a detector has alpha_f, two_theta_f, alpha_i and wavelength");
  };
  given("alpha_f", r.alphaF.has_value());
  given("two_theta_f", r.twoThetaF.has_value());
  given("alpha_i", r.alphaI.has_value());
  given("wavelength", r.wavelength.has_value());
  r.detector = Detector{*r.wavelength, *r.alphaI, *r.alphaF, *r.twoThetaF};
  ofSetting("", [&] { check(*r.detector); });
  if (r.optics.empty()) return;
  r.substrate = ofSetting("substrate", [&] { return substrateOf(r.optics, *r.wavelength); });
  if (r.alphaF->start < 0)
    throw SettingError("substrate", "alpha_f starts at 0 degrees or above, the horizon of the surface");
}

void requireMomenta(ShapeRequest& r) {
  const bool detector = r.alphaF || r.twoThetaF || r.alphaI || r.wavelength || !r.optics.empty();
  if ((r.grid ? 1 : 0) + (r.points ? 1 : 0) + (detector ? 1 : 0) != 1)
    throw SettingError(
        "q_grid",
        "shape needs one of q_grid, such as -1:1:64,-1:1:64,0.1:1:32, q, a list of points, and a "
        "detector (alpha_i, alpha_f, two_theta_f, wavelength)");
  if (detector) placeDetector(r);
}

void requireOutput(const ShapeRequest& r) {
  if (!r.png.empty() && !r.detector)
    throw SettingError("png", "is the image of a detector; other momenta have none");
  if (!r.png.empty() && !hasPng())
    throw SettingError("png", "this program was built without libpng; omit it");
  if (r.hdf5.empty() && r.png.empty() && r.size() > kMostPoints)
    throw SettingError(
        "hdf5", fmt::format("is missing; {} points, more than {}, can only be written to a file", r.size(),
                            kMostPoints));
}

using Lengths = std::vector<double>;

/// A built-in body of two or three lengths.
struct BodyRow {
  const char *name, *lengths, *documentation;
  std::size_t least, most;
  Body (*make)(const Lengths&);
};

const BodyRow kBodies[] = {
    {"cylinder", "RADIUS,HEIGHT", "a cylinder along z: RADIUS,HEIGHT", 2, 2,
     [](const Lengths& l) { return cylinder(l[0], l[1]); }},
    {"box", "X,Y,Z", "a box: X,Y,Z", 3, 3, [](const Lengths& l) { return box(l[0], l[1], l[2]); }},
    {"pyramid", "BASE,HEIGHT", "a pyramid with a square base: BASE,HEIGHT or BASE,HEIGHT,TOP", 2, 3,
     [](const Lengths& l) { return pyramid(l[0], l[1], l.size() > 2 ? l[2] : 0); }},
    {"cone", "RADIUS,HEIGHT", "a cone: RADIUS,HEIGHT", 2, 2,
     [](const Lengths& l) { return cone(l[0], l[1]); }},
};

void putBody(ShapeRequest& r, Body body) {
  ++r.bodies;
  r.body = std::move(body);
}

void addBodies(RequestTable<ShapeRequest>& t) {
  t.add("file", &ShapeRequest::file,
        "a closed surface (.stl, .obj, .ply; .h5: area, normal, centre of each triangle)")
      .called("FILE")
      .asWord();
  t.add("sphere", ValueType::Real, "a sphere: RADIUS",
        [](ShapeRequest& r, const Json& v) { putBody(r, sphere(v.get<double>())); })
      .called("RADIUS")
      .in("angstrom")
      .above(0);
  for (const BodyRow& b : kBodies)
    t.add(b.name, ValueType::Numbers, b.documentation,
          [b](ShapeRequest& r, const Json& v) { putBody(r, b.make(lengthsOf(v, b.least, b.most))); })
        .called(b.lengths)
        .in("angstrom");
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
        "momentum transfers qx, qy, qz, 1/angstrom: START:STOP:COUNT for each axis, or one number",
        [](ShapeRequest& r, const Json& v) { r.grid = gridOf(v); })
      .called("QX,QY,QZ");
  const auto angles = [&](const char* name, std::optional<QAxis> ShapeRequest::*axis,
                          const char* documentation) {
    t.add(name, ValueType::Any, documentation, [axis](ShapeRequest& r, const Json& v) {
       r.*axis = parseAxis(axisText(v), "angle (degrees)");
     }).called("GRID");
  };
  angles("alpha_f", &ShapeRequest::alphaF,
         "a detector instead of momenta: exit angles to the surface z = 0, degrees: START:STOP:COUNT");
  angles("two_theta_f", &ShapeRequest::twoThetaF,
         "detector: exit angles along the surface, degrees: START:STOP:COUNT");
  t.add("alpha_i", &ShapeRequest::alphaI, "detector: angle of the beam, which is along x, to the surface")
      .called("ANGLE")
      .in("degrees");
  t.add("wavelength", &ShapeRequest::wavelength, "wavelength of the beam of a detector")
      .called("LENGTH")
      .in("angstrom");
  t.add("substrate", ValueType::Any,
        "substrate of the particle, in distorted-wave Born approximation: delta=6.1e-6,beta=9e-8 "
        "(refractive index 1 - delta + i beta) or f1=14.2,f2=0.33,density=2.33,mass=28.085 (electrons, "
        "g/cm^3, g/mol)",
        [](ShapeRequest& r, const Json& v) {
          Setting numbers;
          numbers.type = ValueType::ByKind;
          numbers.valueName = "delta=NUMBER,beta=NUMBER or f1=,f2=,density=,mass=";
          r.optics = typedValue(numbers, v).get<std::map<std::string, double>>();
        })
      .called("INDEX");
}

void addArrangement(RequestTable<ShapeRequest>& t) {
  t.add("lattice", ValueType::Any,
        "particles side by side: DISTANCE:COUNT for one or two directions, 200:10,300:20 (angstrom)",
        [](ShapeRequest& r, const Json& v) { readSpacings(r, v, false); })
      .called("SPACINGS")
      .notWith({"paracrystal"});
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
      .byDefault("exact; for triangles from HDF5: sum");
  t.add("tolerance", &ShapeRequest::tolerance, "error of the transforms (fft)")
      .from(1e-14, 0.1)
      .byDefault("1e-6");
  t.add("triangles", &ShapeRequest::triangles,
        "approximate number of triangles of the surface of a built-in shape (sum, fft)")
      .from(12, 1e8)
      .byDefault("20000");
  t.add("precision", &ShapeRequest::precision,
        Names<Precision>{{"double", Precision::Double}, {"single", Precision::Single}},
        "precision of the terms of sums and transforms on a GPU");
  t.add("memory", &ShapeRequest::memory, "memory that a tile of the grid may use")
      .called("GIB")
      .in("GiB")
      .from(0.001)
      .byDefault("a quarter of the available memory");
}

}  // namespace

int ShapeRequest::rows() const {
  if (points) return static_cast<int>(points->cols());
  return detector ? detector->alphaF.count : grid->axes[0].count;
}

std::size_t ShapeRequest::rowSize() const {
  if (points) return 1;
  if (detector) return static_cast<std::size_t>(detector->twoThetaF.count);
  return static_cast<std::size_t>(grid->axes[1].count) * static_cast<std::size_t>(grid->axes[2].count);
}

QPoints ShapeRequest::momenta(int first, int count) const {
  if (points) return points->middleCols(first, count);
  return detector ? momentaOf(detector->rows(first, count)) : pointsOf(grid->planes(first, count));
}

RequestTable<ShapeRequest> shapeTable() {
  RequestTable<ShapeRequest> t;
  addBodies(t);
  addMomenta(t);
  addArrangement(t);
  addMethod(t);
  t.add("hdf5", &ShapeRequest::hdf5,
        "write q and F to this file in tiles, so that grids of any size are possible")
      .isFile(FileUse::Grow);
  t.add("png", &ShapeRequest::png,
        "write the image of the detector to this file, with colours by the logarithm over six decades")
      .isFile(FileUse::WriteBinary);
  t.add("resume", &ShapeRequest::resume, "continue an interrupted run that wrote to the same HDF5 file")
      .onlyWith({"hdf5"});
  t.afterwards([](ShapeRequest& r) {
    requireBody(r);
    requireMomenta(r);
    requireMethod(r);
    if (r.isArranged())
      ofSetting(r.arrangement.spacings.front().sigma > 0 ? "paracrystal" : "lattice",
                [&] { check(r.arrangement); });
    requireOutput(r);
  });
  return t;
}

}  // namespace prophet
