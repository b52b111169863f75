#include "matter/structure/disturb.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "core/common/math_constants.hpp"

namespace prophet {
namespace {

constexpr double kLargestStrain = 10;         // as a factor
constexpr double kLargestDisplacement = 1e4;  // angstrom

/// In (0, 1), from the 53 upper bits; the distributions of the standard library differ between libraries.
double uniform(std::mt19937_64& random) { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; }

/// Two independent normal numbers (Box and Muller 1958).
std::pair<double, double> normals(std::mt19937_64& random) {
  const double radius = std::sqrt(-2 * std::log(uniform(random))),
               angle = 2 * constants::kPi * uniform(random);
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

}  // namespace

void removeAtoms(Structure& s, double fraction, const std::string& kind, std::uint64_t seed) {
  if (!(fraction >= 0) || !(fraction < 1))
    throw Error("the fraction of vacancies is a number from 0 to below 1");
  const auto wanted = std::find(s.kinds.begin(), s.kinds.end(), kind.empty() ? kind : kindName(kind));
  if (!kind.empty() && wanted == s.kinds.end())
    throw Error("vacancies of '" + kind + "': the structure has no such atoms");
  std::mt19937_64 random(seed);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const bool chosen = kind.empty() || s.kind[i] == wanted - s.kinds.begin();
    if (chosen && uniform(random) < fraction) continue;
    s.kind[kept] = s.kind[i];
    if (!s.charges.empty()) s.charges[kept] = s.charges[i];
    s.positions[kept++] = s.positions[i];
  }
  if (kept == 0) throw Error("no atom is left behind by the vacancies");
  if (!s.charges.empty()) s.charges.resize(kept);
  s.kind.resize(kept);
  s.positions.resize(kept);
}

void strain(Structure& s, const Eigen::Vector3d& strains) {
  const Eigen::Vector3d factors = strains.array() + 1;
  if (!factors.allFinite() || factors.minCoeff() <= 0 || factors.maxCoeff() > kLargestStrain)
    throw Error(fmt::format("a strain is a number above -1 and up to {:g} (0.01 is one per cent)",
                            kLargestStrain - 1));
  for (auto& p : s.positions) p = p.cwiseProduct(factors);
  if (s.lattice) s.lattice = Eigen::Matrix3d(*s.lattice * factors.asDiagonal());
}

void displace(Structure& s, double sigma, std::uint64_t seed) {
  if (!(sigma >= 0) || !(sigma <= kLargestDisplacement))
    throw Error(fmt::format("a displacement is a length from 0 to {:g} angstrom", kLargestDisplacement));
  std::mt19937_64 random(seed);
  for (auto& p : s.positions) {
    const auto [x, y] = normals(random);
    const double z = normals(random).first;
    p += sigma * Eigen::Vector3d(x, y, z);
  }
}

Structure idealGas(const std::string& kind, std::size_t count, double edge, std::uint64_t seed) {
  Structure s;
  s.lattice = Eigen::Matrix3d(edge * Eigen::Matrix3d::Identity());
  requireLattice(*s.lattice);
  const int number = s.kindNumber(kindName(kind));
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = uniform(random), y = uniform(random), z = uniform(random);
    s.add(number, edge * Eigen::Vector3d(x, y, z));
  }
  return s;
}

}  // namespace prophet
