#include "atoms/properties/expectation.hpp"

#include <iterator>

namespace prophet {

std::optional<double> PowerMoments::of(int k) const {
  const auto place = values_.find(k);
  return place == values_.end() ? std::nullopt : std::optional<double>(place->second);
}

std::vector<PowerMoments> momentsOf(const SpinorIntegrals& integrals) {
  std::vector<PowerMoments::Values> values(integrals.count());
  for (int k = kLowestPower; k <= kHighestPower; ++k) {
    const SpinorIntegrals::Weight weight = integrals.powerWeight(k);
    for (int i = 0; i < integrals.count(); ++i) {
      if (integrals.exists(i, k)) values[i][k] = integrals.density(i, weight);
    }
  }
  return {std::make_move_iterator(values.begin()), std::make_move_iterator(values.end())};
}

PowerMoments totalMoments(const std::vector<Spinor>& spinors, const std::vector<PowerMoments>& moments) {
  PowerMoments::Values values;
  for (int k = kLowestPower; k <= kHighestPower; ++k) {
    std::optional<double> sum = 0;
    for (std::size_t i = 0; i < spinors.size() && sum; ++i) {
      if (spinors[i].occupation == 0) continue;
      const std::optional<double> value = moments[i].of(k);
      sum = value ? std::optional<double>(*sum + spinors[i].occupation * *value) : std::nullopt;
    }
    if (sum) values[k] = *sum;
  }
  return PowerMoments(std::move(values));
}

}  // namespace prophet
