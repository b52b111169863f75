#pragma once
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/configuration.hpp"

namespace prophet::test {

/// Classes of the survey: "neutral", "cation", "dication", "anion", "neon-like", "helium-like",
/// "hydrogen-like", "excited" (the outermost electron in the p shell of the next n), "core-hole" (the ion
/// without a 1s electron).
const std::vector<std::string>& surveyClasses();

/// Configuration string of the element's ion of a class, as simple as can be: cations lose electrons of the
/// largest n, then l; anions gain one in a partly filled shell, or in the next one. Empty where the class
/// does not have the element (fewer electrons than the class needs, no bound anion, the neutral atom itself).
std::optional<std::string> surveyConfiguration(int z, const std::string& ionClass);

}  // namespace prophet::test
