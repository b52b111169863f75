#include "atoms/limit/known_limits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr const char* kColumns =
    "Z,symbol,configuration,nucleus,nuclear_exponent,c_au,energy_hartree,estimated_error_hartree";

Nucleus nucleusOf(int z, const std::string& model, const std::string& exponent) {
  NucleusRequest request;
  request.charge = z;
  if (model == nameOf(NuclearModel::Gaussian)) {
    request.model = NuclearModel::Gaussian;
    request.exponent = numberOf(exponent);
  } else if (model != nameOf(NuclearModel::Point)) {
    throw Error(fmt::format("the nucleus '{}' is neither point nor Gaussian", model));
  }
  return makeNucleus(request);
}

KnownLimit limitOf(const std::vector<std::string>& f) {
  if (f.size() != 8) throw Error(fmt::format("expected 8 fields, found {}", f.size()));
  const auto z = elementOf(f[1]);
  if (!z || numberOf(f[0]) != *z) throw Error(fmt::format("'{}' is not the element {}", f[1], f[0]));
  KnownLimit limit;
  limit.problem.nucleus = nucleusOf(*z, f[3], f[4]);
  limit.problem.configuration = parseConfiguration(f[2]);
  limit.problem.hamiltonian.speedOfLight = numberOf(f[5]);
  limit.energy = numberOf(f[6]);
  limit.estimatedError = numberOf(f[7]);
  return limit;
}

bool close(double a, double b) { return std::abs(a - b) <= 1e-10 * std::abs(b); }

bool sameNucleus(const Nucleus& a, const Nucleus& b) {
  return a.model == b.model && a.charge == b.charge && close(a.exponent, b.exponent);
}

bool sameOccupation(const SymmetryOccupation& a, const SymmetryOccupation& b) {
  return std::equal(a.spinors.begin(), a.spinors.end(), b.spinors.begin(), b.spinors.end(),
                    [](const SpinorOccupation& i, const SpinorOccupation& j) {
                      return i.number == j.number && i.open == j.open && close(i.electrons, j.electrons);
                    });
}

bool sameConfiguration(const Configuration& a, const Configuration& b) {
  const int count = a.occupiedSymmetries();
  if (count != b.occupiedSymmetries()) return false;
  for (int s = 0; s < count; ++s)
    if (!sameOccupation(a.occupationOf(s), b.occupationOf(s))) return false;
  return a.openPairWeights.rows() == b.openPairWeights.rows() &&
         (a.openPairWeights.size() == 0 || a.openPairWeights.isApprox(b.openPairWeights, 1e-10));
}

}  // namespace

KnownLimits::KnownLimits(const std::filesystem::path& basisSets) {
  const std::filesystem::path file = basisSetFolder(basisSets) / "limits.csv";
  std::error_code failure;
  if (!std::filesystem::exists(file, failure)) return;
  const std::vector<CsvRow> table = readCsv(file.string());
  if (table.empty() || fmt::format("{}", fmt::join(table.front().fields, ",")) != kColumns)
    throw Error(fmt::format("{}:1: error: expected the columns {}", file.string(), kColumns));
  for (std::size_t i = 1; i < table.size(); ++i) {
    try {
      limits_.push_back(limitOf(table[i].fields));
    } catch (const Error& e) {
      throw Error(fmt::format("{}:{}: error: {}", file.string(), table[i].line, e.what()));
    }
  }
}

std::optional<KnownLimit> KnownLimits::of(const AtomProblem& problem) const {
  if (problem.hamiltonian.hasCorrections() || problem.hamiltonian.isKohnSham() ||
      !problem.hamiltonian.isFourComponent())
    return std::nullopt;
  for (const KnownLimit& known : limits_) {
    if (sameNucleus(known.problem.nucleus, problem.nucleus) &&
        close(known.problem.hamiltonian.speedOfLight, problem.hamiltonian.speedOfLight) &&
        sameConfiguration(known.problem.configuration, problem.configuration))
      return known;
  }
  return std::nullopt;
}

}  // namespace prophet
