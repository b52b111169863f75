#include "atoms/atom/wavefunction.hpp"

#include <string>

#include "core/common/error.hpp"

namespace prophet {

void requireSpinorAndRadii(int index, int count, const Eigen::VectorXd& r) {
  if (index < 0 || index >= count)
    throw Error("there is no spinor " + std::to_string(index) + "; this atom has " + std::to_string(count));
  if (!(r.array() >= 0).all()) throw Error("radii of radial functions must be numbers that are not negative");
}

}  // namespace prophet
