#pragma once
#include "atoms/atom/configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/basis/well_tempered.hpp"
#include "atoms/frozen/frozen_field.hpp"
#include "core/common/constants.hpp"

namespace prophet::test {

inline Nucleus nucleusOf(int z, NuclearModel model) {
  NucleusRequest request;
  request.model = model;
  request.charge = z;
  return makeNucleus(request);
}

/// A neutral atom in its ground configuration, and its field in an even-tempered reference basis of ratio
/// `beta`.
struct FrozenAtom {
  Nucleus nucleus;
  Configuration configuration;
  BasisSet reference;
  FrozenField field;
  explicit FrozenAtom(int z, NuclearModel model = NuclearModel::Gaussian, double beta = 1.6)
      : nucleus(nucleusOf(z, model)),
        configuration(parseConfiguration(groundConfiguration(z))),
        reference(makeWellTempered(universalSpec(nucleus, configuration, beta))),
        field(reference, nucleus, configuration, constants::kSpeedOfLight) {}
};

}  // namespace prophet::test
