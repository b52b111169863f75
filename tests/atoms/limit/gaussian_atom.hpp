#pragma once
#include "atoms/breit/breit.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "atoms/scf/scf.hpp"
#include "core/common/constants.hpp"

namespace prophet::test {

/// An atom and an even-tempered basis: exponents from `first` by the factor `ratio` up to `last`/20^l.
struct GaussianAtom {
  Nucleus nucleus;
  Configuration configuration;
  BasisSet basis;
};
GaussianAtom gaussianAtom(NuclearModel model, double charge, const char* configuration, double first,
                          double last, double ratio);

/// Self-consistent field of the Gaussian part of the program, c = constants::kSpeedOfLight.
ScfResult solve(const GaussianAtom& atom, TwoElectronOperator operation, ThreadPool& pool,
                std::vector<OneElectronTerm> extra = {});

}  // namespace prophet::test
