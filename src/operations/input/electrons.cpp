#include "operations/input/electrons.hpp"

#include <fmt/format.h>

#include "atoms/basis/basis_set.hpp"

namespace prophet {
namespace {

/// Most electrons that an atom may have beyond its protons: more are taken for a typing error.
constexpr int kMostExtraElectrons = 4;

}  // namespace

void checkTotal(JobReading& reading, double electrons, const std::string& keyword) {
  const auto charge = reading.settings.number("nuc", "znuc");
  if (!charge || electrons <= *charge + kMostExtraElectrons) return;
  reading.fail(
      "seconfig", keyword,
      fmt::format("found {:g} electrons for znuc={:g}; expected at most {} more than the nuclear charge",
                  electrons, *charge, kMostExtraElectrons));
}

void checkSpinors(JobReading& reading, const std::vector<int>& needed, const std::string& group,
                  const std::string& keyword, const std::string& what) {
  const int nsym = reading.job.symmetries;
  if (nsym > 0) {
    if (const auto missing = missingSymmetry(what, needed, nsym))
      return reading.fail(group, keyword,
                          fmt::format("{}; expected nsym={} or more", *missing, needed.size()));
  }
  for (const auto& missing : missingFunctions(what, needed, reading.functions))
    reading.fail(group, keyword, missing);
}

}  // namespace prophet
