#include "input/electrons.hpp"

#include <fmt/format.h>

namespace prophet {
namespace {

/// Most electrons that an atom may have beyond its protons: more are taken for a typing error.
constexpr int kMostExtraElectrons = 4;

}  // namespace

int degeneracyOf(std::size_t symmetry) {
  return Symmetry::fromIndex(static_cast<int>(symmetry)).degeneracy();
}
std::string labelOf(std::size_t symmetry) { return Symmetry::fromIndex(static_cast<int>(symmetry)).label(); }

std::vector<int> occupiedSpinors(const Configuration& configuration) {
  std::vector<int> occupied;
  for (std::size_t i = 0; i < configuration.symmetries.size(); ++i) {
    occupied.push_back(configuration.occupiedSpinors(static_cast<int>(i)));
  }
  return occupied;
}

void checkTotal(JobReading& reading, double electrons, const std::string& keyword) {
  const auto charge = reading.settings.number("nuc", "znuc");
  if (!charge || electrons <= *charge + kMostExtraElectrons) return;
  reading.fail(
      "seconfig", keyword,
      fmt::format("found {:g} electrons for znuc={:g}; expected at most {} more than the nuclear charge",
                  electrons, *charge, kMostExtraElectrons));
}

void checkSpinors(JobReading& reading, const std::vector<int>& occupied, const std::string& group,
                  const std::string& keyword, const std::string& what) {
  const int nsym = reading.job.symmetries, needed = static_cast<int>(occupied.size());
  if (nsym > 0 && needed > nsym) {
    return reading.fail(group, keyword,
                        fmt::format("{} occupies {}, but the basis ends at {}; expected nsym={} or more",
                                    what, labelOf(needed - 1), labelOf(nsym - 1), needed));
  }
  for (std::size_t i = 0; i < reading.functions.size() && i < occupied.size(); ++i) {
    const int spinors = occupied[i], functions = reading.functions[i];
    if (spinors <= functions) continue;
    reading.fail(group, keyword,
                 fmt::format("{} occupies {} spinors of {}, but the basis has {} function{} there", what,
                             spinors, labelOf(i), functions, functions == 1 ? "" : "s"));
  }
}

}  // namespace prophet
