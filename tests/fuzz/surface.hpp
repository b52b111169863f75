#pragma once
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/common/error.hpp"
#include "matter/shape/triangle_mesh.hpp"

/// Reads the data as a surface; ends the program where a triangle has a corner that is no vertex.
inline int readSurface(const std::uint8_t* data, std::size_t size,
                       prophet::TriangleMesh (*parse)(const std::string& text)) {
  try {
    prophet::TriangleMesh mesh = parse({reinterpret_cast<const char*>(data), size});
    prophet::repair(mesh);  // as readMesh does
    for (const auto& triangle : mesh.triangles)
      for (const int corner : triangle)
        if (corner < 0 || corner >= static_cast<int>(mesh.vertices.size())) std::abort();
  } catch (const prophet::Error&) {
  }
  return 0;
}
