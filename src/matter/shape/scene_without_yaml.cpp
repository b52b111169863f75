// In the place of scene_file.cpp where the program is built without yaml-cpp.
#include "core/common/error.hpp"
#include "matter/shape/scene.hpp"

namespace prophet {

bool hasScenes() { return false; }

Scene readScene(const std::string& path, double) {
  throw Error(path +
              ": this program was built without yaml-cpp, which reads scenes; install it (Debian: "
              "libyaml-cpp-dev), configure and build again");
}

}  // namespace prophet
