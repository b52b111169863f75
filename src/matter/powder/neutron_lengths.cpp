#include "matter/powder/neutron_lengths.hpp"

#include <algorithm>

namespace prophet {

const std::vector<NeutronLength>& neutronLengths() {
  static const std::vector<NeutronLength> table = {
#include "matter/powder/neutron_lengths.inc"
  };
  return table;
}

const NeutronLength* neutronLength(int z, int massNumber) {
  const auto& table = neutronLengths();
  const auto found = std::find_if(table.begin(), table.end(), [=](const NeutronLength& row) {
    return row.z == z && row.massNumber == massNumber;
  });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace prophet
