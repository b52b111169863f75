#include "atoms/qed/qed.hpp"

#include <fmt/format.h>

#include <memory>

#include "atoms/integrals/radial_grid.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

/// Spacing in ln r. The potentials of a point nucleus are analytic for |arg r| < pi/2 and would allow 0.12;
/// the surface of a finite nucleus (a Fermi nucleus has poles at arg r = pi a/c, 0.25 for uranium; a sphere
/// has an edge) needs the finer step.
constexpr double kSpacing = 0.04;

BlockMatrix localBlock(const GridFunctions& f, const Eigen::VectorXd& v) {
  BlockMatrix b;
  b.LL = f.large.transpose() * v.asDiagonal() * f.large;
  b.SS = f.small.transpose() * v.asDiagonal() * f.small;
  return b;
}

}  // namespace

std::vector<RadialOperator> qedOperators(const Nucleus& nucleus, double c, const QedOptions& options) {
  std::vector<RadialOperator> list;
  if (!options.any()) return list;
  if (options.selfEnergy && nucleus.charge > kLastSelfEnergyCharge) {
    throw Error(fmt::format("the self-energy is known up to a nuclear charge of {}, not {}",
                            kLastSelfEnergyCharge, nucleus.charge));
  }
  const auto potentials = std::make_shared<const qed::Potentials>(nucleus, c);
  using Potential = double (qed::Potentials::*)(double) const;
  const auto functionOf = [&](Potential f) { return [=](double r) { return ((*potentials).*f)(r); }; };
  const auto addLocal = [&](EnergyPartId part, Potential f) {
    list.push_back({part, {{functionOf(f), {}}}, {}});
  };
  if (options.vacuumPolarisation) addLocal(EnergyPartId::VacuumPolarisation, &qed::Potentials::uehling);
  if (options.kallenSabry) addLocal(EnergyPartId::KallenSabry, &qed::Potentials::kallenSabry);
  if (options.wichmannKroll) addLocal(EnergyPartId::WichmannKroll, &qed::Potentials::wichmannKroll);
  if (!options.selfEnergy) return list;
  const auto factors = [fit = options.fit, nucleus, c](Symmetry s) {
    return qed::selfEnergyFactors(fit, nucleus, c, s);
  };
  list.push_back({EnergyPartId::SelfEnergy,
                  {{functionOf(&qed::Potentials::electricHigh), [=](Symmetry s) { return factors(s).high; }},
                   {functionOf(&qed::Potentials::electricLow), [=](Symmetry s) { return factors(s).low; }}},
                  functionOf(&qed::Potentials::magnetic)});
  return list;
}

std::vector<OneElectronTerm> qedTerms(const BasisSet& basis, const Nucleus& nucleus, double c,
                                      const QedOptions& options) {
  if (!options.any()) return {};
  const RadialGrid grid = makeGrid(basis, kSpacing);
  const Eigen::VectorXd r = grid.radii();
  std::vector<GridFunctions> functions;
  for (const SymmetryBasis& s : basis.symmetries) functions.push_back(evaluateOnGrid(s, grid));

  std::vector<OneElectronTerm> terms;
  for (const RadialOperator& radial : qedOperators(nucleus, c, options)) {
    const SampledOperator sampled(radial, r);
    OneElectronTerm& term = terms.emplace_back();
    term.part = radial.part;
    for (std::size_t a = 0; a < functions.size(); ++a) {
      term.blocks.push_back(localBlock(functions[a], sampled.local(basis.symmetries[a].symmetry)));
      if (sampled.coupling().size() > 0)
        term.blocks.back().LS =
            functions[a].large.transpose() * sampled.coupling().asDiagonal() * functions[a].small;
    }
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

std::vector<EnergyPart> firstOrderParts(const std::vector<OneElectronTerm>& terms, const ScfResult& scf) {
  const std::vector<double> values = firstOrderEnergies(terms, scf);
  std::vector<EnergyPart> parts;
  for (std::size_t i = 0; i < terms.size(); ++i)
    parts.push_back({terms[i].part, values[i], Treatment::FirstOrder});
  return parts;
}

}  // namespace prophet
