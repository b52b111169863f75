#include "atoms/functional/libxc_sum.hpp"
#include "core/common/error.hpp"

namespace prophet {

bool hasFunctionals() { return false; }

std::vector<std::string> libxcNames() { return {}; }

std::shared_ptr<const LibxcSum> libxcSum(const std::vector<std::string>&, const std::string& whole,
                                         SpinPolarisation) {
  throw Error(
      "functional='" + whole +
      "' needs libxc, without which this program was built; install it (Debian: libxc-dev), configure "
      "and build again, or leave out functional");
}

}  // namespace prophet
