#include "qed/qed.hpp"

#include <functional>

#include "common/error.hpp"
#include "integrals/radial_grid.hpp"

namespace prophet {
namespace {

/// Spacing in ln r. The potentials of a point nucleus are analytic for |arg r| < pi/2 and would allow 0.12;
/// the surface of a finite nucleus (a Fermi nucleus has poles at arg r = pi a/c, 0.25 for uranium; a sphere
/// has an edge) needs the finer step.
constexpr double kSpacing = 0.04;

using RadialFunction = std::function<double(double)>;

Eigen::VectorXd sample(const Eigen::VectorXd& radii, const RadialFunction& f) {
  Eigen::VectorXd values(radii.size());
  for (Eigen::Index i = 0; i < radii.size(); ++i) values(i) = f(radii(i));
  return values;
}

BlockMatrix localBlock(const GridFunctions& f, const Eigen::VectorXd& v) {
  BlockMatrix b;
  b.LL = f.large.transpose() * v.asDiagonal() * f.large;
  b.SS = f.small.transpose() * v.asDiagonal() * f.small;
  return b;
}

}  // namespace

std::vector<OneElectronTerm> qedTerms(const BasisSet& basis, const Nucleus& nucleus, double c,
                                      const QedOptions& options) {
  if (!options.any()) return {};
  const qed::Potentials potentials(nucleus, c);
  const RadialGrid grid = makeGrid(basis, kSpacing);
  const Eigen::VectorXd r = grid.radii();
  std::vector<GridFunctions> functions;
  for (const SymmetryBasis& s : basis.symmetries) functions.push_back(evaluateOnGrid(s, grid));

  std::vector<OneElectronTerm> terms;
  const auto addLocal = [&](const char* name, const RadialFunction& f) {
    const Eigen::VectorXd v = sample(r, f);
    OneElectronTerm& term = terms.emplace_back();
    term.name = name;
    for (const GridFunctions& g : functions) term.blocks.push_back(localBlock(g, v));
  };
  if (options.vacuumPolarisation)
    addLocal("vacuum polarisation", [&](double x) { return potentials.uehling(x); });
  if (options.kallenSabry) addLocal("Kallen-Sabry", [&](double x) { return potentials.kallenSabry(x); });
  if (options.wichmannKroll)
    addLocal("Wichmann-Kroll", [&](double x) { return potentials.wichmannKroll(x); });
  if (!options.selfEnergy) return terms;

  const Eigen::VectorXd high = sample(r, [&](double x) { return potentials.electricHigh(x); });
  const Eigen::VectorXd low = sample(r, [&](double x) { return potentials.electricLow(x); });
  const Eigen::VectorXd magnetic = sample(r, [&](double x) { return potentials.magnetic(x); });
  OneElectronTerm& term = terms.emplace_back();
  term.name = "self-energy";
  for (std::size_t a = 0; a < functions.size(); ++a) {
    const qed::SelfEnergyFactors factors =
        qed::selfEnergyFactors(options.fit, nucleus, c, basis.symmetries[a].symmetry);
    BlockMatrix block = localBlock(functions[a], factors.high * high + factors.low * low);
    block.LS = functions[a].large.transpose() * magnetic.asDiagonal() * functions[a].small;
    term.blocks.push_back(std::move(block));
  }
  return terms;
}

double spinorExpectation(const BlockMatrix& block, const SymmetrySpinors& spinors, int column) {
  const auto large = spinors.large.col(column), small = spinors.small.col(column);
  double value = large.dot(block.LL * large) + small.dot(block.SS * small);
  if (block.LS.size() > 0) value += 2.0 * large.dot(block.LS * small);
  return value;
}

std::vector<double> firstOrderEnergies(const std::vector<OneElectronTerm>& terms, const ScfResult& scf) {
  std::vector<double> energies;
  for (const OneElectronTerm& term : terms) {
    if (term.blocks.size() != scf.symmetries.size())
      throw Error("first-order energies need matrices over the basis of the calculation");
    double sum = 0.0;
    for (std::size_t a = 0; a < scf.symmetries.size(); ++a) {
      const SymmetrySpinors& s = scf.symmetries[a];
      for (int i = 0; i < static_cast<int>(s.occupations.size()); ++i)
        sum += s.occupations(i) * spinorExpectation(term.blocks[a], s, i);
    }
    energies.push_back(sum);
  }
  return energies;
}

}  // namespace prophet
