#pragma once
#include <string>

#include "matter/shape/triangle_mesh.hpp"

namespace prophet {

/// Reads a surface from .stl (binary or text), .obj or .ply (text, or binary of either byte order); faces
/// with more corners are cut into triangles around their first one. Lengths are `unit` angstrom. The mesh is
/// repaired. Throws Error with file and, for text, line.
TriangleMesh readMesh(const std::string& path, double unit = 1);

/// The text of a mesh as OBJ.
std::string objText(const TriangleMesh& mesh);

// The formats by themselves; `text` is the file's content.
TriangleMesh parseStl(const std::string& text);
TriangleMesh parseObj(const std::string& text);
TriangleMesh parsePly(const std::string& text);

}  // namespace prophet
