#include "matter/shape/triangle_mesh.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <Eigen/Geometry>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/common/error.hpp"
#include "matter/shape/bodies.hpp"

namespace prophet {
namespace {

std::string objText(const TriangleMesh& mesh) {
  fmt::memory_buffer out;
  for (const Eigen::Vector3d& v : mesh.vertices)
    fmt::format_to(std::back_inserter(out), "v {:.17g} {:.17g} {:.17g}\n", v(0), v(1), v(2));
  for (const auto& t : mesh.triangles)
    fmt::format_to(std::back_inserter(out), "f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return fmt::to_string(out);
}

using ::testing::HasSubstr;

constexpr const char* kTetrahedron =
    "# four corners\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1/1 2/2 4/3\nf 1//1 4//1 3//1\nf -3 -2 "
    "-1\n";

std::string refusal(TriangleMesh mesh) {
  try {
    repair(mesh);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

void append(std::string& bytes, const void* value, std::size_t size) {
  bytes.append(static_cast<const char*>(value), size);
}

std::string binaryStl(const TriangleMesh& mesh) {
  std::string bytes = "solid that is binary";
  bytes.resize(80);
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  append(bytes, &count, 4);
  for (const auto& t : mesh.triangles) {
    bytes.append(12, '\0');
    for (const int v : t) {
      const Eigen::Vector3f place = mesh.vertices[static_cast<std::size_t>(v)].cast<float>();
      append(bytes, place.data(), 12);
    }
    bytes.append(2, '\0');
  }
  return bytes;
}

TEST(MeshFiles, ObjIsRead) {
  TriangleMesh mesh = parseObj(kTetrahedron);
  repair(mesh);
  EXPECT_EQ(mesh.triangles.size(), 4u);
  EXPECT_NEAR(mesh.volume(), 1.0 / 6, 1e-15);
  TriangleMesh again = parseObj(objText(mesh));
  EXPECT_EQ(again.vertices, mesh.vertices);
}

TEST(MeshFiles, StlIsRead) {
  const TriangleMesh box6 = box(1, 2, 3).surface(12);
  TriangleMesh binary = parseStl(binaryStl(box6));
  repair(binary);
  EXPECT_NEAR(binary.volume(), 6, 1e-12);
  EXPECT_EQ(binary.vertices.size(), 8u);
  std::string text = "solid box\n";
  for (const auto& t : box6.triangles) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (const int v : t) {
      const Eigen::Vector3d& p = box6.vertices[static_cast<std::size_t>(v)];
      text += "   vertex " + std::to_string(p(0)) + " " + std::to_string(p(1)) + " " + std::to_string(p(2)) +
              "\n";
    }
    text += "  endloop\n endfacet\n";
  }
  TriangleMesh ascii = parseStl(text + "endsolid box\n");
  repair(ascii);
  EXPECT_NEAR(ascii.volume(), 6, 1e-12);
}

/// The order of the vertices counts; what the normals say against it is told.
TEST(MeshFiles, NormalsOfStlThatContradictAreCounted) {
  const TriangleMesh cube = box(1, 1, 1).surface(12);
  for (const int turned : {0, 3}) {
    std::string text = "solid\n";
    for (std::size_t i = 0; i < cube.triangles.size(); ++i) {
      std::array<Eigen::Vector3d, 3> p;
      for (std::size_t k = 0; k < 3; ++k)
        p[k] = cube.vertices[static_cast<std::size_t>(cube.triangles[i][k])];
      Eigen::Vector3d normal = (p[1] - p[0]).cross(p[2] - p[0]).normalized();
      if (static_cast<int>(i) < turned) normal = -normal;
      text += fmt::format("facet normal {} {} {}\n", normal(0), normal(1), normal(2));
      for (const Eigen::Vector3d& v : p) text += fmt::format("vertex {} {} {}\n", v(0), v(1), v(2));
    }
    TriangleMesh mesh = parseStl(text + "endsolid\n");
    EXPECT_EQ(mesh.otherNormals, static_cast<std::size_t>(turned));
    repair(mesh);
    EXPECT_NEAR(mesh.volume(), 1, 1e-12);
  }
}

TEST(MeshFiles, PlyIsRead) {
  const std::string header =
      "element vertex 4\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\n"
      "element face 4\nproperty list uchar int vertex_indices\nend_header\n";
  TriangleMesh ascii = parsePly("ply\nformat ascii 1.0\ncomment made by hand\n" + header +
                                "0 0 0 9\n1 0 0 9\n0 1 0 9\n0 0 1 9\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n");
  repair(ascii);
  EXPECT_NEAR(ascii.volume(), 1.0 / 6, 1e-15);
  for (const bool swapped : {false, true}) {
    std::string bytes =
        std::string("ply\nformat binary_") + (swapped ? "big" : "little") + "_endian 1.0\n" + header;
    const auto add = [&](auto value) {
      char raw[sizeof value];
      std::memcpy(raw, &value, sizeof value);
      if (swapped) std::reverse(raw, raw + sizeof value);
      bytes.append(raw, sizeof value);
    };
    for (const auto& v : {Eigen::Vector3f(0, 0, 0), Eigen::Vector3f(1, 0, 0), Eigen::Vector3f(0, 1, 0),
                          Eigen::Vector3f(0, 0, 1)}) {
      for (int d = 0; d < 3; ++d) add(v(d));
      bytes += '\x09';
    }
    for (const auto& f : {std::array<int, 3>{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}) {
      bytes += '\x03';
      for (const int v : f) add(v);
    }
    TriangleMesh mesh = parsePly(bytes);
    repair(mesh);
    EXPECT_NEAR(mesh.volume(), 1.0 / 6, 1e-15) << swapped;
  }
}

TEST(MeshFiles, SayWhatIsWrong) {
  const auto message = [](auto parse, const std::string& text) {
    try {
      parse(text);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_THAT(message(parseObj, "v 0 0 0\nf 1 2 3\n"), HasSubstr("2: there is no vertex 2"));
  EXPECT_THAT(message(parseObj, "v 0 0\n"), HasSubstr("1: a vertex needs three"));
  EXPECT_THAT(message(parseObj, "v 0 0 x\n"), HasSubstr("'x' is not a number"));
  // What may be a part of the surface is not passed over.
  for (const std::string line :
       {"F 1 2 3", "surf 0 1 0 1 1 2 3 4", "curv 0 1 1 2", "fo 1 2 3", "vertex 0 0 0", "call a.obj"})
    EXPECT_THAT(
        message(parseObj, std::string(kTetrahedron) + "# c\n#c\ng a\nvn 0 0 1\ns off\n" + line + "\n"),
        HasSubstr("that begins with '" + line.substr(0, line.find(' ')) + "' is not read"));
  EXPECT_THAT(message(parseStl, "solid\nfacet normal 0 0 1\nouter loop\nvertx 0 0 0\n"),
              HasSubstr("4: a line of STL that begins with 'vertx' is not read"));
  EXPECT_THAT(
      message(
          parseStl,
          "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 1 1 0\n"
          "endloop\n"),
      HasSubstr("8: a facet has three vertices"));
  const std::string ply = "ply\nformat ascii 1.0\ncomment c\nobj_info o\n";
  EXPECT_THAT(message(parsePly, ply + "elment face 1\n"),
              HasSubstr("5: a line of a PLY header that begins with 'elment'"));
  EXPECT_THAT(message(parsePly, ply + "element tristrips 1\n"),
              HasSubstr("5: the element 'tristrips' is not read"));
  EXPECT_THAT(message(parseStl, "nothing"), HasSubstr("not an STL file"));
  EXPECT_THAT(message(parseStl, "solid\nvertex 0 0 0\n"), HasSubstr("fewer than three"));
  EXPECT_THAT(
      message(parsePly, "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nend_header\n9 9 9\n"),
      HasSubstr("goes on behind"));
  EXPECT_THAT(message(parsePly, "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n"),
              HasSubstr("lack x, y or z"));
  EXPECT_THAT(message(parsePly, "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n"),
              HasSubstr("ends before"));
  EXPECT_THROW(readMesh("/nowhere/part.stl"), Error);
}

TEST(TriangleMesh, MustBeClosed) {
  TriangleMesh mesh = parseObj(kTetrahedron);
  TriangleMesh open = mesh, twisted = mesh;
  open.triangles.pop_back();
  std::swap(twisted.triangles[0][0], twisted.triangles[0][1]);
  EXPECT_EQ(refusal(mesh), "");
  EXPECT_THAT(refusal(open), HasSubstr("not closed"));
  EXPECT_THAT(refusal(twisted), HasSubstr("not closed"));
  EXPECT_THAT(refusal(TriangleMesh{}), HasSubstr("no triangles"));
  for (auto& t : mesh.triangles) std::swap(t[0], t[1]);  // inside out
  repair(mesh);
  EXPECT_GT(mesh.volume(), 0);
}

TEST(MeshFiles, NumbersOfVerticesOfPlyAreWhole) {
  const std::string corners = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n";
  const auto ply = [&](const std::string& x, const std::string& index) {
    return "ply\nformat ascii 1.0\nelement vertex 4\nproperty " + x +
           "float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar float "
           "vertex_indices\n"
           "end_header\n" +
           corners + "3 0 " + index + " 2\n";
  };
  parsePly(ply("", "1"));
  for (const char* index : {"1.5", "nan", "-1", "1e300"})
    EXPECT_THROW(parsePly(ply("", index)), Error) << index;
  EXPECT_THROW(parsePly(ply("list uchar ", "1")), Error);
}

TEST(MeshFiles, AByteOrderMarkIsSkipped) {
  std::string pattern = (std::filesystem::temp_directory_path() / "prophet-XXXXXX.ply").string();
  ::close(::mkstemps(pattern.data(), 4));
  std::ofstream(pattern) << "\xEF\xBB\xBFply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty "
                            "float y\nproperty float z\n"
                            "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
                            "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
  EXPECT_NEAR(readMesh(pattern, 1).volume(), 1.0 / 6, 1e-12);
  std::filesystem::remove(pattern);
}

}  // namespace
}  // namespace prophet
