#include "atoms/default_basis/default_basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/atom/configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/fock/grid_builder.hpp"
#include "atoms/fock/kohn_sham_builder.hpp"
#include "atoms/functional/functional.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "atoms/scf/scf.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr double kCoarseRatio = 2.6;  // of the coarse basis
constexpr double kGridSpacing = 0.2;  // in ln r
constexpr double kGoodStart = 0.1;    // orbital gradient of spinors to start from, hartree
constexpr double kWeakest = 0.004;    // binding energy of a negative ion's outermost spinor, hartree

/// Binding energy of the first spinor of a symmetry in the bare nucleus: an upper bound.
double bareBinding(Symmetry symmetry, double charge, double c) {
  const double n = symmetry.l() + 1, k = std::abs(symmetry.kappa), coupling = charge / c;
  if (std::isinf(c)) return charge * charge / (2.0 * n * n);
  const double gamma = std::sqrt(std::max(k * k - coupling * coupling, 0.01));
  const double rest = coupling / (n - k + gamma);
  return c * c * (1.0 - 1.0 / std::sqrt(1.0 + rest * rest));
}

ExponentDemand boundsOf(int a, const Nucleus& nucleus, const Configuration& configuration, double c,
                        double around) {
  const Symmetry symmetry = Symmetry::fromIndex(a);
  const double electrons = symmetry.degeneracy();
  return {symmetry, bareBinding(symmetry, nucleus.charge, c), leastBinding(a, nucleus, configuration, around),
          electrons, electrons};
}

ScfOptions quickOptions() {
  ScfOptions options;
  options.maxIterations = 40;  // most need half a dozen; those of negative ions come late to their binding
  options.thresholdLL = options.thresholdSL = options.thresholdSS = 1e-3;
  options.energyThreshold = 1e-6;
  return options;
}

void takeEnergies(const ScfResult& result, CoarseField& field) {
  for (std::size_t a = 0; a < field.demands.size(); ++a) {
    const SymmetrySpinors& s = result.symmetries[a];
    if (s.energies.size() == 0) continue;
    ExponentDemand& demand = field.demands[a];
    Eigen::Index outer = 0;
    const double highest = s.energies.maxCoeff(&outer);
    // A bound spinor is bound at least as strongly as the bound says; a coarse basis may deny it.
    demand.outermost = std::max(-highest, demand.outermost);
    demand.outerElectrons = s.occupations(outer);
    demand.innermost = std::max(-s.energies(0), demand.outermost);
    demand.innerElectrons = s.occupations(0);
  }
}

}  // namespace

double leastBinding(int a, const Nucleus& nucleus, const Configuration& configuration, double around) {
  const double seen = nucleus.charge - configuration.electrons() + 1.0 + around;
  const double n = Symmetry::fromIndex(a).l() + std::max(1, configuration.occupationOf(a).needed());
  if (seen < 0.5) return kWeakest;
  return seen * seen / (2.0 * n * n);
}

double effectiveQuantumNumber(double binding, const Nucleus& nucleus, const Configuration& configuration,
                              double around) {
  const double seen = nucleus.charge - configuration.electrons() + 1.0 + around;
  return seen < 0.5 ? 0.0 : seen / std::sqrt(2.0 * binding);
}

namespace {

std::unique_ptr<FockBuilder> coarseBuilder(const BasisSet& basis, const AtomProblem& atom, ThreadPool& pool) {
  const Hamiltonian& h = atom.hamiltonian;
  if (h.isKohnSham())
    return std::make_unique<KohnShamBuilder>(basis, functionalOf(h), pool,
                                             openSpinShares(atom.configuration));
  return std::make_unique<GridFockBuilder>(basis, makeGrid(basis, kGridSpacing, 1e-2, 16.0), pool);
}

}  // namespace

CoarseField coarseField(const AtomProblem& atom) {
  const Nucleus& nucleus = atom.nucleus;
  const Configuration& configuration = atom.configuration;
  const Hamiltonian& h = atom.hamiltonian;
  const double c = lightSpeedOf(h);
  CoarseField field;
  const int count = configuration.occupiedSymmetries();
  const double guess = 0.77 * std::pow(nucleus.charge, 7.0 / 3.0);
  ExponentRule rule;
  rule.ratio = kCoarseRatio;
  rule.tolerance = 1e-5 * guess;
  rule.bothJ = h.isSpinFree();
  for (int a = 0; a < count; ++a)
    field.demands.push_back(boundsOf(a, nucleus, configuration, c, h.shell.charge));
  const BasisSet basis = fittedSet(field.demands, nucleus, c, rule);
  ThreadPool alone(1);
  const auto builder = coarseBuilder(basis, atom, alone);
  field.energy = -guess;
  ScfResult result;
  try {
    ScfProblem problem{basis, nucleus, configuration, h.speedOfLight, {}, nullptr, h.oneElectron};
    if (h.shell.any()) problem.extra.push_back({EnergyPartId::External, shellMatrices(basis, h.shell)});
    result = runScf(problem, *builder, quickOptions(), alone);
  } catch (const Error&) {
    return field;  // lost its state: the bounds on the binding energies must do
  }
  if (result.iterations.empty() || !std::isfinite(result.energy.total)) return field;
  field.energy = result.energy.total;
  takeEnergies(result, field);
  for (ExponentDemand& demand : field.demands)
    demand.effective = effectiveQuantumNumber(demand.outermost, nucleus, configuration, h.shell.charge);
  field.converged = result.converged || result.iterations.back().diisError < kGoodStart;
  if (field.converged) field.start = startSpinors(basis, result);
  return field;
}

namespace {

bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance * std::abs(b); }

bool sameOccupations(const Configuration& a, const Configuration& b) {
  const int count = a.occupiedSymmetries();
  if (count != b.occupiedSymmetries()) return false;
  for (int s = 0; s < count; ++s) {
    const std::vector<SpinorOccupation>&first = a.occupationOf(s).spinors,
          &second = b.occupationOf(s).spinors;
    if (first.size() != second.size()) return false;
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (first[i].number != second[i].number || std::abs(first[i].electrons - second[i].electrons) > 1e-9)
        return false;
    }
  }
  return a.openPairWeights.size() == b.openPairWeights.size() &&
         (a.openPairWeights - b.openPairWeights).cwiseAbs().sum() < 1e-9;
}

}  // namespace

std::optional<std::string> purposeMismatch(const LibraryEntry& entry, const Nucleus& nucleus,
                                           const Configuration& configuration, double c) {
  const Configuration made = parseConfiguration(entry.configuration);
  if (!near(made.electrons(), configuration.electrons(), 1e-9))
    return fmt::format("the set of {} is for the neutral atom", entry.library);
  if (!sameOccupations(made, configuration))
    return fmt::format("the set of {} is for {}", entry.library, entry.configuration);
  if (nucleus.model != entry.nuclearModel)
    return fmt::format("the set of {} is for a {} nucleus", entry.library, nameOf(entry.nuclearModel));
  NucleusRequest request;
  request.model = entry.nuclearModel;
  request.charge = entry.z;
  if (!nucleus.isPoint() && !near(nucleus.rms, makeNucleus(request).rms, 1e-9))
    return fmt::format("the set of {} is for a nucleus of the default size", entry.library);
  if (entry.provenance.speedOfLight && !near(c, *entry.provenance.speedOfLight, 1e-12))
    return fmt::format("the set of {} is for another speed of light", entry.library);
  return std::nullopt;
}

namespace {

/// What the sets that are made here aim at, of the energy and in hartree; half of what is promised.
constexpr double kRelativeAim = 2e-9, kAbsoluteAim = 4e-8;

std::string fittedReason(const Configuration& configuration, const BasisSet& basis, const std::string& why) {
  return fmt::format("a set of {} functions made for {} ({})", basis.functions(), configuration.description,
                     why);
}

/// The potential of a shell has an edge, at which spinors are less smooth than Gaussians: closer ratios make
/// up for it (this power of the ratio; O2- in MgO: docs/how-to/madelung.md).
constexpr double kCloserInShell = 0.7;

/// The same for functionals of the density's gradient, whose potentials have humps between the shells, a
/// fifth of a unit of ln r wide. Light atoms, whose outer shells hold much of the energy, need a bound beside
/// it (PBE for C: 7e-7 hartree without it).
constexpr double kCloserForGradients = 0.6, kWidestForGradients = 1.4;

bool needsGradient(const Hamiltonian& h) { return h.isKohnSham() && functionalOf(h)->needsGradient(); }

BasisSet fittedBasis(const CoarseField& field, const Nucleus& nucleus, const Hamiltonian& h) {
  const double aim = std::max(kRelativeAim * std::abs(field.energy), kAbsoluteAim);
  ExponentRule rule;
  rule.ratio = evenTemperedRatio(std::min(aim / std::abs(field.energy), 1e-8), nucleus.charge);
  if (h.shell.any()) rule.ratio = std::pow(rule.ratio, kCloserInShell);
  if (needsGradient(h)) {
    rule.ratio = std::pow(rule.ratio, kCloserForGradients);
    rule.widestAtShells = kWidestForGradients;
  }
  rule.tolerance = 0.1 * aim;
  rule.bothJ = h.isSpinFree();
  return fittedSet(field.demands, nucleus, lightSpeedOf(h), rule);
}

/// Why a library's set was not made for this problem; empty if it was.
std::optional<std::string> mismatchOf(const LibraryEntry& entry, const AtomProblem& problem) {
  const Hamiltonian& h = problem.hamiltonian;
  if (h.isSpinFree())
    return fmt::format("the set of {} is for spinors of two j, which hamiltonian='{}' does not distinguish",
                       entry.library, nameOf(h.oneElectron));
  if (const auto mismatch = purposeMismatch(entry, problem.nucleus, problem.configuration, h.speedOfLight))
    return mismatch;
  if (h.shell.any()) return "the library's sets are for free atoms";
  if (h.isKohnSham()) return "the library's sets are for exact exchange";
  return std::nullopt;
}

}  // namespace

DefaultBasis chooseBasis(const AtomProblem& problem, const LibraryReader& library) {
  const Nucleus& nucleus = problem.nucleus;
  const Configuration& configuration = problem.configuration;
  if (!(configuration.electrons() > 0.0)) throw Error("there are no electrons to choose a basis for");
  DefaultBasis choice;
  std::string why = "the library has no set for this charge";
  if (const auto z = elementOfCharge(nucleus.charge)) {
    if (const auto entry = library(*z)) {
      const std::optional<std::string> mismatch = mismatchOf(*entry, problem);
      if (!mismatch) {
        choice.basis = makeBasis(*entry);
        choice.library = entry->library;
        choice.reason =
            fmt::format("{} from the library {}, made for this case", symbolOf(*z), entry->library);
        const BasisProvenance& p = entry->provenance;
        if (p.energy && p.limit) {
          choice.knownError = *p.energy - *p.limit;
          choice.knownLimit = p.limit;
        }
        return choice;
      }
      why = *mismatch;
    }
  }
  CoarseField field = coarseField(problem);
  choice.basis = fittedBasis(field, nucleus, problem.hamiltonian);
  choice.reason = fittedReason(configuration, choice.basis, why);
  choice.basis.description = choice.reason;
  if (field.converged) choice.start = std::move(field.start);
  return choice;
}

}  // namespace prophet
