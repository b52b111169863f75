#include "matter/shape/triangle_mesh.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <sstream>
#include <unordered_map>

#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr double kSamePlace = 1e-9;

Eigen::AlignedBox3d boxOf(const TriangleMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& v : mesh.vertices) {
    if (!v.allFinite()) throw Error("a vertex of the mesh is not a number");
    box.extend(v);
  }
  return box;
}

/// Vertices in order of x, joined where they are at the same place; the number of each old one in the new
/// list.
std::vector<int> joinVertices(TriangleMesh& mesh) {
  const double size = boxOf(mesh).sizes().norm();
  if (!(size > 0)) throw Error("all vertices of the mesh are at one place");
  const double near = kSamePlace * size;
  std::vector<int> order(mesh.vertices.size()), number(mesh.vertices.size(), -1);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  const auto at = [&](int i) -> const Eigen::Vector3d& { return mesh.vertices[i]; };
  std::ranges::sort(order, [&](int a, int b) { return at(a)(0) < at(b)(0); });
  std::vector<Eigen::Vector3d> joined;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (number[order[i]] >= 0) continue;
    const int own = static_cast<int>(joined.size());
    joined.push_back(at(order[i]));
    for (std::size_t j = i; j < order.size() && at(order[j])(0) - at(order[i])(0) <= near; ++j) {
      int& other = number[order[j]];
      if (other < 0 && (at(order[j]) - at(order[i])).norm() <= near) other = own;
    }
  }
  mesh.vertices = std::move(joined);
  return number;
}

void requireClosed(const TriangleMesh& mesh) {
  std::map<std::pair<int, int>, int> edges;  // each direction against the other
  for (const auto& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      edges[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  }
  const auto open = std::ranges::count_if(edges, [](const auto& e) { return e.second != 0; });
  if (open > 0)
    throw Error(fmt::format(
        "the surface is not closed: {} of its {} edges lack a triangle on one side, or triangles there are "
        "ordered differently; repair the mesh in the program that made it",
        open, edges.size()));
}

}  // namespace

double TriangleMesh::volume() const {
  double sum = 0;
  if (vertices.empty()) return 0;
  const Eigen::Vector3d& origin = vertices.front();
  for (const auto& t : triangles) {
    const Eigen::Vector3d a = vertices[t[0]] - origin, b = vertices[t[1]] - origin,
                          c = vertices[t[2]] - origin;
    sum += a.dot(b.cross(c)) / 6;
  }
  return sum;
}

double TriangleMesh::area() const {
  double sum = 0;
  for (const auto& t : triangles) {
    const Eigen::Vector3d& a = vertices[t[0]];
    sum += 0.5 * (vertices[t[1]] - a).cross(vertices[t[2]] - a).norm();
  }
  return sum;
}

void repair(TriangleMesh& mesh) {
  if (mesh.triangles.empty() || mesh.vertices.empty()) throw Error("the mesh has no triangles");
  for (const auto& t : mesh.triangles) {
    for (const int v : t) {
      if (v < 0 || static_cast<std::size_t>(v) >= mesh.vertices.size())
        throw Error("a triangle refers to a vertex that the mesh does not have");
    }
  }
  const std::vector<int> number = joinVertices(mesh);
  std::vector<std::array<int, 3>> kept;
  for (auto t : mesh.triangles) {
    for (int& v : t) v = number[v];
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) kept.push_back(t);
  }
  mesh.triangles = std::move(kept);
  if (mesh.triangles.empty()) throw Error("no triangle of the mesh has an area");
  requireClosed(mesh);
  const double volume = mesh.volume();
  if (volume == 0) throw Error("the surface has no volume inside");
  if (volume < 0) {
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  }
}

TriangleMesh subdivided(const TriangleMesh& mesh, int n) {
  TriangleMesh fine;
  fine.description = mesh.description;
  const auto vertex = [&](int i) -> const Eigen::Vector3d& { return mesh.vertices[i]; };
  for (const auto& t : mesh.triangles) {
    const int first = static_cast<int>(fine.vertices.size());
    const auto number = [&](int i, int j) { return first + i * (i + 1) / 2 + j; };  // row i has i + 1 points
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; j <= i; ++j)
        fine.vertices.push_back(((n - i) * vertex(t[0]) + (i - j) * vertex(t[1]) + j * vertex(t[2])) / n);
    }
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) {
        fine.triangles.push_back({number(i, j), number(i + 1, j), number(i + 1, j + 1)});
        if (j < i) fine.triangles.push_back({number(i, j), number(i + 1, j + 1), number(i, j + 1)});
      }
    }
  }
  return fine;
}

std::vector<SurfaceElement> surfaceElements(const TriangleMesh& mesh) {
  std::vector<SurfaceElement> elements;
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  double area = 0;
  for (const auto& t : mesh.triangles) {
    const Eigen::Vector3d &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const Eigen::Vector3d cross = 0.5 * (b - a).cross(c - a);
    const double size = cross.norm();
    if (size == 0) continue;
    elements.push_back({size, cross / size, (a + b + c) / 3});
    sum += cross;
    area += size;
  }
  if (!(sum.norm() <= 1e-6 * area))
    throw Error("the surface is not closed: its areas times normals do not add up to zero");
  return elements;
}

namespace {

/// Words of a text, line by line.
class Lines {
 public:
  explicit Lines(const std::string& text) : text_(text) {}
  /// The words of the next line that has any; false at the end.
  bool next(std::vector<std::string>& words) {
    words.clear();
    while (words.empty() && at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      std::istringstream line(text_.substr(at_, end - at_));
      for (std::string word; line >> word;) words.push_back(word);
      at_ = end + 1;
      ++number_;
    }
    return !words.empty();
  }
  std::size_t at() const { return at_; }
  [[noreturn]] void fail(const std::string& what) const { throw Error(fmt::format("{}: {}", number_, what)); }
  double number(const std::string& word) const {
    const auto value = parseDouble(word.rfind('+', 0) == 0 ? word.substr(1) : word);
    if (!value) fail("'" + word + "' is not a number");
    return *value;
  }
  int whole(const std::string& word) const {
    const double value = number(word);
    if (value != std::floor(value) || std::abs(value) > 2e9) fail("'" + word + "' is not a whole number");
    return static_cast<int>(value);
  }
  Eigen::Vector3d vertex(const std::vector<std::string>& words, std::size_t first) const {
    if (words.size() < first + 3) fail("a vertex needs three coordinates");
    return {number(words[first]), number(words[first + 1]), number(words[first + 2])};
  }

 private:
  const std::string& text_;
  std::size_t at_ = 0;
  int number_ = 0;
};

void addFace(TriangleMesh& mesh, const std::vector<int>& corners) {
  for (std::size_t k = 2; k < corners.size(); ++k)
    mesh.triangles.push_back({corners[0], corners[k - 1], corners[k]});
}

/// A number of a binary file, of either byte order.
template <class T>
T numberAt(const std::string& text, std::size_t at, bool swapped = false) {
  if (at + sizeof(T) > text.size()) throw Error("1: the file ends too early");
  char bytes[sizeof(T)];
  std::memcpy(bytes, text.data() + at, sizeof(T));
  if (swapped) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

/// Adds the facet of the last three vertices. The order of the vertices counts; what the normal beside it
/// says against it is counted. A normal of zero says nothing.
void addFacet(TriangleMesh& mesh, const Eigen::Vector3d& normal) {
  const int count = static_cast<int>(mesh.vertices.size());
  mesh.triangles.push_back({count - 3, count - 2, count - 1});
  const Eigen::Vector3d *v = mesh.vertices.data() + count - 3, area = (v[1] - v[0]).cross(v[2] - v[0]);
  if (normal.dot(area) < -1e-3 * normal.norm() * area.norm()) ++mesh.otherNormals;
}

TriangleMesh parseBinaryStl(const std::string& text) {
  TriangleMesh mesh;
  const std::size_t count = numberAt<std::uint32_t>(text, 80);
  for (std::size_t t = 0; t < count; ++t) {
    const auto place = [&](std::size_t at) {
      return Eigen::Vector3d(numberAt<float>(text, at), numberAt<float>(text, at + 4),
                             numberAt<float>(text, at + 8));
    };
    const std::size_t at = 84 + 50 * t;
    for (std::size_t v = 1; v <= 3; ++v) mesh.vertices.push_back(place(at + 12 * v));
    addFacet(mesh, place(at));
  }
  return mesh;
}

/// What the header of a PLY file says of its elements.
struct PlyProperty {
  std::string name, type, countType;  ///< countType: of a list
};
struct PlyElement {
  std::string name;
  std::size_t count = 0;
  std::vector<PlyProperty> properties;
};

std::size_t plySize(const std::string& type) {
  static const std::vector<std::pair<std::vector<std::string>, std::size_t>> kSizes = {
      {{"char", "uchar", "int8", "uint8"}, 1},
      {{"short", "ushort", "int16", "uint16"}, 2},
      {{"int", "uint", "float", "int32", "uint32", "float32"}, 4},
      {{"double", "float64"}, 8}};
  for (const auto& [names, size] : kSizes) {
    if (std::ranges::find(names, type) != names.end()) return size;
  }
  throw Error("1: unknown type '" + type + "' in the header of the PLY file");
}

double plyNumber(const std::string& text, std::size_t at, const std::string& type, bool swapped) {
  switch (plySize(type)) {
    case 1:
      return type == "char" || type == "int8" ? double(numberAt<std::int8_t>(text, at))
                                              : double(numberAt<std::uint8_t>(text, at));
    case 2:
      return type == "short" || type == "int16" ? double(numberAt<std::int16_t>(text, at, swapped))
                                                : double(numberAt<std::uint16_t>(text, at, swapped));
    case 8:
      return numberAt<double>(text, at, swapped);
    default:
      if (type.starts_with("float")) return numberAt<float>(text, at, swapped);
      return type.starts_with("int") ? double(numberAt<std::int32_t>(text, at, swapped))
                                     : double(numberAt<std::uint32_t>(text, at, swapped));
  }
}

/// The values of one element, from text or bytes: for lists the count first.
class PlyValues {
 public:
  PlyValues(const std::string& text, Lines& lines, const std::string& format)
      : text_(text),
        lines_(lines),
        ascii_(format == "ascii"),
        swapped_(format == "binary_big_endian"),
        at_(lines.at()) {}

  std::vector<std::vector<double>> next(const PlyElement& element) {
    std::vector<std::string> words;
    std::size_t word = 0;
    if (ascii_ && !lines_.next(words)) lines_.fail("the file ends before its last " + element.name);
    const auto value = [&](const std::string& type) {
      if (ascii_) {
        if (word >= words.size()) lines_.fail("the line has too few numbers");
        return lines_.number(words[word++]);
      }
      const double number = plyNumber(text_, at_, type, swapped_);
      at_ += plySize(type);
      return number;
    };
    std::vector<std::vector<double>> values;
    for (const PlyProperty& p : element.properties) {
      const double count = p.countType.empty() ? 1 : value(p.countType);
      if (!(count >= 0 && count < 1e6)) lines_.fail("a face has an impossible number of corners");
      values.emplace_back();
      for (int i = 0; i < static_cast<int>(count); ++i) values.back().push_back(value(p.type));
    }
    return values;
  }
  /// Throws Error where something follows what the header has announced.
  void requireEnd() {
    std::vector<std::string> words;
    const bool more = ascii_ ? lines_.next(words) : text_.find_first_not_of("\r\n", at_) != std::string::npos;
    if (more) lines_.fail("the file goes on behind the last element of its header");
  }

 private:
  const std::string& text_;
  Lines& lines_;
  bool ascii_, swapped_;
  std::size_t at_;
};

void takePlyElement(const PlyElement& element, PlyValues& values, TriangleMesh& mesh, Lines& lines) {
  if (element.properties.empty()) return;  // takes no place in the file, however many there are
  for (std::size_t i = 0; i < element.count; ++i) {
    const auto numbers = values.next(element);
    Eigen::Vector3d place;
    int found = 0;
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
      const std::string& name = element.properties[p].name;
      if (element.name == "vertex" && (name == "x" || name == "y" || name == "z")) {
        if (!element.properties[p].countType.empty())
          lines.fail("the property " + name + " of a vertex is a list");
        place(name[0] - 'x') = numbers[p][0];
        ++found;
      }
      if (element.name == "face" && (name == "vertex_indices" || name == "vertex_index")) {
        std::vector<int> corners;
        for (const double c : numbers[p]) {
          if (!(c >= 0 && c <= 2e9) || c != std::floor(c))
            lines.fail(fmt::format("{:g} is not the number of a vertex", c));
          corners.push_back(static_cast<int>(c));
        }
        addFace(mesh, corners);
      }
    }
    if (element.name != "vertex") continue;
    if (found != 3) lines.fail("the vertices of the PLY file lack x, y or z");
    mesh.vertices.push_back(place);
  }
}

}  // namespace

namespace {

/// Refuses lines that begin with other words, as what they have may be a part of the surface.
void requireOneOf(const std::string& word, std::initializer_list<const char*> known, const char* format,
                  const Lines& lines) {
  if (std::find(known.begin(), known.end(), word) == known.end())
    lines.fail(fmt::format("a line of {} that begins with '{}' is not read", format, word));
}

}  // namespace

TriangleMesh parseStl(const std::string& text) {
  // Some binary files begin with "solid" too; their size tells.
  if (text.size() >= 84 &&
      text.size() == 84 + 50 * static_cast<std::size_t>(numberAt<std::uint32_t>(text, 80)))
    return parseBinaryStl(text);
  Lines lines(text);
  std::vector<std::string> words;
  TriangleMesh mesh;
  if (!lines.next(words) || lowerCase(words[0]) != "solid")
    lines.fail(
        "this is not an STL file: text begins with 'solid', binary has 84 bytes and 50 for each triangle");
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  while (lines.next(words)) {
    if (lowerCase(words[0]) == "facet")
      for (std::size_t i = 0; i < 3; ++i)
        normal(static_cast<Eigen::Index>(i)) =
            words.size() > i + 2 ? parseDouble(words[i + 2]).value_or(0) : 0;
    const std::string word = lowerCase(words[0]);
    requireOneOf(word,
                 {"solid", "facet", "outer", "vertex", "endloop", "endfacet", "endsolid", "end", "color"},
                 "STL", lines);
    if (word == "endloop" && mesh.vertices.size() % 3 != 0) lines.fail("a facet has three vertices");
    if (word != "vertex") continue;
    mesh.vertices.push_back(lines.vertex(words, 1));
    if (mesh.vertices.size() % 3 == 0) addFacet(mesh, normal);
  }
  if (mesh.vertices.size() % 3 != 0) lines.fail("the last facet has fewer than three vertices");
  return mesh;
}

TriangleMesh parseObj(const std::string& text) {
  Lines lines(text);
  std::vector<std::string> words;
  TriangleMesh mesh;
  while (lines.next(words)) {
    if (words[0][0] == '#') continue;
    // Points, lines, names, materials and how it is shown; not the curved surfaces (surf, curv, ...).
    requireOneOf(words[0], {"v",      "vt",    "vn",       "vp",       "f",      "p",          "l",
                            "g",      "o",     "s",        "mg",       "mtllib", "usemtl",     "maplib",
                            "usemap", "bevel", "c_interp", "d_interp", "lod",    "shadow_obj", "trace_obj"},
                 "OBJ", lines);
    if (words[0] == "v") mesh.vertices.push_back(lines.vertex(words, 1));
    if (words[0] != "f") continue;
    if (words.size() < 4) lines.fail("a face needs three corners");
    std::vector<int> corners;
    for (std::size_t k = 1; k < words.size(); ++k) {
      const int index = lines.whole(words[k].substr(0, words[k].find('/')));
      const int count = static_cast<int>(mesh.vertices.size());
      if (index == 0 || index > count || -index > count)
        lines.fail(fmt::format("there is no vertex {} so far", index));
      corners.push_back(index > 0 ? index - 1 : count + index);
    }
    addFace(mesh, corners);
  }
  return mesh;
}

TriangleMesh parsePly(const std::string& text) {
  Lines lines(text);
  std::vector<std::string> words;
  if (!lines.next(words) || words[0] != "ply") lines.fail("this is not a PLY file, which begins with 'ply'");
  std::string format;
  std::vector<PlyElement> elements;
  while (lines.next(words) && words[0] != "end_header") {
    requireOneOf(words[0], {"format", "comment", "obj_info", "element", "property"}, "a PLY header", lines);
    if (words[0] == "element" && words.size() > 1 && lowerCase(words[1]).find("strip") != std::string::npos)
      lines.fail(fmt::format("the element '{}' is not read; write faces", words[1]));
    if (words[0] == "format" && words.size() > 1) format = words[1];
    if (words[0] == "element" && words.size() > 2)
      elements.push_back({words[1], static_cast<std::size_t>(std::max(0, lines.whole(words[2]))), {}});
    if (words[0] != "property") continue;
    const bool list = words.size() == 5 && words[1] == "list";
    if (elements.empty() || (!list && words.size() != 3))
      lines.fail("a property of the PLY header cannot be read");
    elements.back().properties.push_back({words.back(), words[list ? 3 : 1], list ? words[2] : ""});
  }
  if (format != "ascii" && format != "binary_little_endian" && format != "binary_big_endian")
    lines.fail("the PLY header names no format ascii, binary_little_endian or binary_big_endian");
  TriangleMesh mesh;
  PlyValues values(text, lines, format);
  for (const PlyElement& element : elements) takePlyElement(element, values, mesh, lines);
  values.requireEnd();
  return mesh;
}

TriangleMesh readMesh(const std::string& path, double unit) {
  const std::string ending = lowerCase(std::filesystem::path(path).extension().string());
  const std::string text(withoutByteOrderMark(readFile(path)));
  TriangleMesh mesh;
  try {
    if (ending == ".stl") {
      mesh = parseStl(text);
    } else if (ending == ".obj") {
      mesh = parseObj(text);
    } else if (ending == ".ply") {
      mesh = parsePly(text);
    } else {
      throw Error("1: a surface is a file .stl, .obj or .ply");
    }
  } catch (const Error& e) {
    throw Error(path + ":" + e.what());
  }
  for (Eigen::Vector3d& v : mesh.vertices) v *= unit;
  try {
    repair(mesh);
  } catch (const Error& e) {
    throw Error(path + ": " + e.what());
  }
  const std::string normals =
      mesh.otherNormals == 0
          ? ""
          : fmt::format("; the normals of {} contradict the order of their vertices, which counts",
                        mesh.otherNormals);
  mesh.description = fmt::format("{} ({} triangles{})", std::filesystem::path(path).filename().string(),
                                 mesh.triangles.size(), normals);
  return mesh;
}

}  // namespace prophet
