#include "atoms/atom/spin_shares.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace prophet {

Eigen::VectorXd openSpinShares(const Configuration& configuration) {
  struct OpenShell {
    double electrons = 0, room = 0;
  };
  const std::vector<OpenSpinor> open = configuration.openSpinors();
  const auto shellOf = [&](const OpenSpinor& o) {
    const int number = configuration.symmetries[static_cast<std::size_t>(o.symmetry)]
                           .spinors[static_cast<std::size_t>(o.position)]
                           .number;
    return std::pair(Symmetry::fromIndex(o.symmetry).l(), number);
  };
  std::map<std::pair<int, int>, OpenShell> shells;
  for (const OpenSpinor& o : open) {
    OpenShell& shell = shells[shellOf(o)];
    shell.electrons += configuration.occupation(o.symmetry, o.position);
    shell.room += degeneracyOf(o.symmetry);
  }
  Eigen::VectorXd shares(static_cast<Eigen::Index>(open.size()));
  for (std::size_t i = 0; i < open.size(); ++i) {
    const OpenShell& shell = shells.at(shellOf(open[i]));
    shares[static_cast<Eigen::Index>(i)] =
        std::min(shell.electrons, shell.room - shell.electrons) / shell.electrons;
  }
  return shares;
}

}  // namespace prophet
