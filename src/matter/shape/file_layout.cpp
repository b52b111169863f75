#include "matter/shape/form_factor_file.hpp"

namespace prophet {

FileLayout layoutOf(const QGrid& grid) {
  FileLayout layout;
  const char* const names[] = {"qx", "qy", "qz"};
  for (std::size_t d = 0; d < 3; ++d) layout.axes.push_back({names[d], "1/angstrom", grid.axes[d].values()});
  return layout;
}

}  // namespace prophet
