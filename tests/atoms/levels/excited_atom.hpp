#pragma once
#include <string>

#include "atoms/configurations/excitations.hpp"
#include "atoms/levels/virtual_spinors.hpp"
#include "tests/atoms/levels/reference_cases.hpp"

namespace prophet {

inline constexpr double kLightSpeed = 137.03599976;

/// The field of reference configurations and what excitations make of them.
struct Excited {
  ExcitedConfigurations configurations;
  LevelSpace references, space;
  Result limit, result;
  LevelHamiltonian hamiltonian;

  Excited(double z, const std::string& text, const ExcitationRequest& request, double c = kLightSpeed)
      : configurations(excitedConfigurations(text, request)),
        references(levelSpace(text)),
        space(levelSpace(configurations.text)) {
    Nucleus nucleus;
    nucleus.charge = z;
    hamiltonian.field = {nucleus, c, {}};
    limit = limitOf(references, nucleus, c);
    result = natural(request, 2);
  }
  Result natural(const ExcitationRequest& request, int rounds) const {
    LevelOptions options;
    options.wanted = {configurations.references, 0};
    return withNaturalVirtuals(limit,
                               {references, request, configurations, space, hamiltonian, options, rounds});
  }
  LevelResult without() const { return computeLevels(references, limit, hamiltonian); }
  LevelResult with() const { return with(result); }
  LevelResult with(const Result& spinors) const {
    LevelOptions options;
    options.wanted = {configurations.references, 0};
    return computeLevels(space, spinors, hamiltonian, options);
  }
};

}  // namespace prophet
