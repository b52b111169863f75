#include "atoms/fock/fock_builder.hpp"

namespace prophet {

std::vector<OpenSpinor> openSpinors(const std::vector<OccupiedSpinors>& spinors) {
  std::vector<OpenSpinor> list;
  for (std::size_t a = 0; a < spinors.size(); ++a)
    for (const int column : spinors[a].open) list.push_back({static_cast<int>(a), column});
  return list;
}

}  // namespace prophet
