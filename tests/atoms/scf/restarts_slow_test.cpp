#include "restarts.hpp"

#include "atoms/atom/elements.hpp"

namespace prophet {
namespace {

TEST(Restarts, NoOpenShellAtomHasALowerState) {
  for (int z = 1; z <= kLastElement; ++z) {
    if (parseConfiguration(groundConfiguration(z)).hasOpenShells()) test::expectSameAfterPerturbation(z, 3);
  }
}

}  // namespace
}  // namespace prophet
