#include "atoms/limit/breit_energy.hpp"

#include "atoms/limit/breit_channels.hpp"

namespace prophet::limit {

double breitEnergy(const RadialBasis& basis, const Configuration& configuration, const SpinorSet& spinors,
                   BreitPart part, int threads) {
  const int symmetries = static_cast<int>(configuration.symmetries.size());
  const bool direct = false;
  const MeanField field(basis, configuration, breitChannels(symmetries, part), threads, direct);
  return twoElectronEnergy(field.build(spinors), spinors, configuration);
}

}  // namespace prophet::limit
