#include "bases/optimise/core_density_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "atoms/atom/elements.hpp"
#include "atoms/calculation/compute.hpp"
#include "atoms/correlation/added_functions.hpp"
#include "atoms/properties/spinor_integrals.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr double kRatios[] = {4, 5, 6, 7, 8};
constexpr double kNearBest = 1.1;

double errorAgainst(const std::vector<double>& limit, const std::vector<double>& own) {
  double error = 0;
  for (std::size_t i = 0; i < limit.size(); ++i) error = std::max(error, std::abs(own[i] / limit[i] - 1));
  return error;
}

AddedList continued(const BasisSet& basis, int l, double ratio, int count) {
  const auto& exponents = basis.symmetries.at(static_cast<std::size_t>(2 * l)).exponents;
  AddedList list{l, {}};
  double last = *std::ranges::max_element(exponents);
  for (int i = 0; i < count; ++i) list.exponents.push_back(last *= ratio);
  return list;
}

Result settled(Result result, const char* what) {
  if (!result.ok() || !result.wavefunction)
    throw Error(fmt::format("{} has no density at the nucleus: {}", what, result.reason));
  return result;
}

}  // namespace

std::vector<std::vector<double>> integralsAtNucleus(const AtomProblem& problem, const Result& result) {
  if (problem.nucleus.isPoint())
    throw Error("the density at a point nucleus is infinite; expected a nucleus with a size");
  const SpinorIntegrals integrals(problem, result);
  const SpinorIntegrals::Weight nucleus =
      integrals.weight([&](double r) { return problem.nucleus.chargeDensity(r) / problem.nucleus.charge; });
  const SpinorIntegrals::Weight cube = integrals.powerWeight(-3);
  std::vector<std::vector<double>> sums;
  for (int i = 0; i < integrals.count(); ++i) {
    const Spinor& spinor = integrals.spinor(i);
    if (spinor.occupation <= 0) continue;
    const int l = spinor.symmetry.l();
    const bool upper = spinor.symmetry.kappa < 0;
    while (static_cast<int>(sums.size()) <= l) sums.emplace_back(sums.empty() ? 2 : 3, 0.0);
    std::vector<double>& sum = sums[static_cast<std::size_t>(l)];
    if (upper) sum[0] += spinor.occupation * integrals.density(i, l == 0 ? nucleus : cube);
    sum[l == 0 || upper ? 1 : 2] += spinor.occupation * integrals.product(i, -2);
  }
  return sums;
}

CoreDensityResult searchCoreDensity(const AtomProblem& atom, const BasisSet& basis,
                                    const CoreDensityOptions& options) {
  Calculation exact{atom, LimitMethod{}};
  const auto limit = integralsAtNucleus(atom, settled(compute(exact), "the numerical limit"));
  CoreDensityResult found;
  BasisSet set = basis;
  std::shared_ptr<const StartSpinors> last;  // of the field before, where the next one begins
  const auto errorOf = [&](int l, double ratio, int count) {
    ++found.evaluations;
    const BasisSet trial = count > 0 ? withLists(set, {continued(set, l, ratio, count)}) : set;
    const Result field = settled(fieldIn(atom, trial, last), "the set");
    last = field.coefficients;
    const auto own = integralsAtNucleus(atom, field);
    return errorAgainst(limit[static_cast<std::size_t>(l)], own[static_cast<std::size_t>(l)]);
  };
  for (int l = 0; l < static_cast<int>(limit.size()); ++l) {
    struct Try {
      int count = 0;
      double ratio = kRatios[0], error = 0;
    };
    std::vector<Try> tries;  // the best of each number
    const double without = errorOf(l, kRatios[0], 0);
    std::optional<Try> chosen;
    for (int count = 0; count <= options.most && !chosen; ++count) {
      Try best{count, kRatios[0], without};
      for (std::size_t i = 0; count > 0 && i < std::size(kRatios); ++i) {
        const double error = errorOf(l, kRatios[i], count);
        if (i == 0 || error < best.error) best = {count, kRatios[i], error};
      }
      tries.push_back(best);
      if (best.error <= options.error && errorOf(l, best.ratio, count + 1) <= options.error) chosen = best;
    }
    if (!chosen) {
      const double least = std::ranges::min(tries, {}, &Try::error).error;
      chosen = *std::ranges::find_if(tries, [&](const Try& t) { return t.error <= kNearBest * least; });
    }
    found.errors.push_back({l, without, chosen->error});
    if (chosen->count == 0) continue;
    const AddedList list = continued(set, l, chosen->ratio, chosen->count);
    found.groups.push_back({kCoreDensityGroup, l, list.exponents});
    set = withLists(std::move(set), {list});
  }
  return found;
}

}  // namespace prophet
