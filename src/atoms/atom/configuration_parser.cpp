#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/shell_list.hpp"

namespace prophet {
namespace {

/// An open spinor and the shell, of both j or its own, that it belongs to.
struct OpenPart {
  const Shell* shell;
  double degeneracy;
  double electrons() const { return degeneracy * shell->electrons / shell->capacity(); }
};

/// w_ab: within one shell of q electrons in m places the average over all its determinants; different shells
/// are filled independently, <n_a n_b> = <n_a><n_b>.
double pairWeight(const OpenPart& a, const OpenPart& b) {
  if (a.shell != b.shell) return a.electrons() * b.electrons();
  const double q = a.shell->electrons, m = a.shell->capacity();
  return a.degeneracy * b.degeneracy * q * (q - 1.0) / (m * (m - 1.0));
}

}  // namespace

Configuration parseConfiguration(const std::string& text, int symmetries) {
  auto shells = parseShells(text);
  std::sort(shells.begin(), shells.end(), [](const Shell& a, const Shell& b) {
    return std::tie(a.l, a.n, a.twoJ) < std::tie(b.l, b.n, b.twoJ);
  });
  int count = symmetries;
  for (const auto& shell : shells) count = std::max(count, 2 * shell.l + 1);
  Configuration configuration;
  configuration.description = text;
  configuration.symmetries.resize(count);
  std::vector<OpenPart> open;
  for (int a = 0; a < count; ++a) {
    const auto symmetry = Symmetry::fromIndex(a);
    for (const auto& shell : shells) {
      if (shell.l != symmetry.l() || !shell.has(symmetry.twoJ())) continue;
      const OpenPart part{&shell, static_cast<double>(symmetry.degeneracy())};
      if (!shell.full()) open.push_back(part);
      configuration.symmetries[a].spinors.push_back(
          {shell.n - shell.l - 1, shell.full() ? part.degeneracy : part.electrons(), !shell.full()});
    }
  }
  const auto parts = static_cast<Eigen::Index>(open.size());
  configuration.openPairWeights.resize(parts, parts);
  for (Eigen::Index a = 0; a < parts; ++a)
    for (Eigen::Index b = 0; b < parts; ++b)
      configuration.openPairWeights(a, b) = pairWeight(open[a], open[b]);
  return configuration;
}

}  // namespace prophet
