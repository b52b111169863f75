/// Surfaces of nanostructures in STL files.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/common/error.hpp"
#include "matter/shape/triangle_mesh.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    prophet::TriangleMesh mesh = prophet::parseStl({reinterpret_cast<const char*>(data), size});
    prophet::repair(mesh);  // as readMesh does
    for (const auto& triangle : mesh.triangles)
      for (const int corner : triangle)
        if (corner < 0 || corner >= static_cast<int>(mesh.vertices.size())) std::abort();
  } catch (const prophet::Error&) {
  }
  return 0;
}
