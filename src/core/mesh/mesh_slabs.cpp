#include "core/mesh/mesh_slabs.hpp"

#include <algorithm>

namespace prophet {

int fastMeshSize(int least) {
  for (int n = std::max(2, least + least % 2);; n += 2) {
    int rest = n;
    for (const int factor : {2, 3, 5}) {
      while (rest % factor == 0) rest /= factor;
    }
    if (rest == 1) return n;
  }
}

}  // namespace prophet
