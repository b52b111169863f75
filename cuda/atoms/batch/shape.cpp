#include "cuda/atoms/batch/shape.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <type_traits>

#include "atoms/breit/breit.hpp"
#include "atoms/fock/grid_builder.hpp"
#include "atoms/fock/kohn_sham_builder.hpp"
#include "atoms/fock/slater_kernel.hpp"
#include "atoms/functional/functional.hpp"
#include "atoms/scf/screening.hpp"
#include "cuda/atoms/batch/block_memory.hpp"
#include "cuda/atoms/batch/qed_table.hpp"

namespace prophet::cuda::batch {
namespace {

/// Shared memory that kernels declare themselves.
constexpr int kDeclaredBytes = 1024;
/// Rows of the largest eigenproblem: seven for each lane of a warp.
constexpr int kLargestProblem = 224;

double tightest(const BasisSet& basis, int symmetries) {
  double largest = 0.0;
  for (int a = 0; a < symmetries; ++a) {
    for (const double zeta : basis.symmetries[a].exponents) largest = std::max(largest, zeta);
  }
  return largest;
}

int roundUp(int value, int multiple) { return (value + multiple - 1) / multiple * multiple; }

void setOffsets(Shape& s) {
  for (int a = 0; a < s.symmetries; ++a) {
    s.phi[a] = s.phiSize;
    s.matrix[a] = s.matrixSize;
    s.blocks[a] = s.blockSize;
    s.coefficients[a] = s.coefficientSize;
    s.vectors[a] = s.vectorSize;
    s.exponents[a] = s.exponentCount;
    s.phiSize += s.components * s.points * s.n[a];
    s.matrixSize += 4 * s.n[a] * s.n[a];
    s.blockSize += 2 * s.n[a] * s.n[a];
    s.coefficientSize += 2 * s.m[a] * s.n[a];
    s.vectorSize += 2 * s.n[a];
    s.exponentCount += s.n[a];
    s.firstOrbital[a + 1] = s.firstOrbital[a] + s.m[a];
  }
  const int widest = *std::max_element(s.n, s.n + s.symmetries);
  // The set-up keeps four n x n matrices where the iterations have their brackets, the guess two vectors.
  s.bracketSize = s.functional == 0 ? 3 * s.points * s.points : std::max(4 * widest * widest, 2 * s.points);
  s.potentialSize = s.functional == 0 ? s.points : 2 * s.points;
  s.inSymmetry = kInputScalars;
  s.inReduction = s.inSymmetry + kInputPerSymmetry * s.symmetries;
  s.inOccupation = s.inReduction + s.symmetries * s.symmetries;
  s.inExponents = s.inOccupation + s.firstOrbital[s.symmetries];
  s.inScreening = s.inExponents + s.exponentCount;
  s.inTable = s.inScreening + (s.symmetries + 1) * kScreeningTerms;
  s.inStartExponents = s.inTable + kTablePoints;
  s.inStartSpinors = s.inStartExponents + s.exponentCount;
  s.inputSize = s.inStartSpinors + s.coefficientSize;
}

bool fits(const Shape& s, int sharedBytes) {
  if (bytesOf(mostSharedDoubles(s)) > sharedBytes - kDeclaredBytes) return false;
  const int n = *std::max_element(s.n, s.n + s.symmetries);
  return 4 * n * n <= s.bracketSize && 2 * n <= kLargestProblem;
}

}  // namespace

std::optional<Placement> placementOf(const Calculation& calculation, int sharedBytes, std::string& why) {
  const auto refuse = [&](const char* reason) {
    why = reason;
    return std::nullopt;
  };
  if (calculation.isLimit()) return refuse("the numerical limit runs on the host");
  try {
    requireSound(calculation);
  } catch (const Error&) {
    return refuse("the calculation is not valid");
  }
  const BasisSet& basis = calculation.inBasis().basis;
  const Configuration& configuration = calculation.problem.configuration;
  const Hamiltonian& h = calculation.problem.hamiltonian;
  if (!h.isFourComponent()) return refuse("two-component and non-relativistic Hamiltonians run on the host");
  const ClosedForm functional = h.isKohnSham() ? closedFormOf(h.functional) : ClosedForm::None;
  if (h.isKohnSham()) {
    if (functional == ClosedForm::None)
      return refuse("functionals other than lda, rlda, pbe and pbesol run on the host");
    if (h.spin != SpinPolarisation::None) return refuse("spin-polarised densities run on the host");
    if (h.repulsion != TwoElectronOperator::Coulomb)
      return refuse("the Breit interaction with a functional runs on the host");
    if (calculation.inBasis().estimateError && !calculation.inBasis().knownError)
      return refuse("errors of basis sets with a functional are estimated on the host");
  }
  if (basis.contracted()) return refuse("contracted functions run on the host");
  if (h.qed.selfEnergy && calculation.problem.nucleus.charge > kLastSelfEnergyCharge)
    return refuse("the self-energy of this nucleus is not known");
  if (h.shell.any()) return refuse("ions in a charged shell run on the host");
  if (h.breitFrequency) return refuse("the frequency-dependent Breit interaction runs on the host");
  const FockKind fock = calculation.inBasis().fock;
  if (fock != FockKind::Grid && fock != FockKind::Automatic)
    return refuse("stored integrals run on the host");
  if (calculation.inBasis().scf.extrapolation != Extrapolation::Diis)
    return refuse("damping runs on the host");
  if (!configuration.isAufbau()) return refuse("holes and excited states run on the host");
  Shape s{};
  s.breitParts = static_cast<int>(h.repulsion);  // Coulomb, with Gaunt, with Gaunt and gauge
  s.breitInScf = h.scfRepulsion() != TwoElectronOperator::Coulomb ? 1 : 0;
  s.symmetries = configuration.occupiedSymmetries();
  if (s.symmetries == 0 || s.symmetries > static_cast<int>(basis.symmetries.size()))
    return refuse("the basis does not cover the configuration");
  if (s.symmetries > kMaxSymmetries) return refuse("more than nine symmetries are occupied");
  if (tightest(basis, s.symmetries) > kTightest)
    return refuse("functions as tight as those of a heavy point nucleus need the host's eigensolver");
  const Nucleus& nucleus = calculation.problem.nucleus;
  if (!nucleus.attraction() && lastTablePoint(nucleus) - firstTablePoint(kTightest) >= kTablePoints)
    return refuse("a nucleus as wide as this one needs the host");
  s.functional = static_cast<int>(functional);
  s.components = needsGradient(functional) ? 4 : 2;
  const RadialGrid grid =
      h.isKohnSham() ? kohnShamGrid(basis, needsGradient(functional), false) : fockGrid(basis);
  s.h = grid.h;
  s.points = roundUp(grid.points, 16);
  for (int a = 0; a < s.symmetries; ++a) {
    const int n = basis.symmetries[a].size();
    s.m[a] = configuration.occupiedSpinors(a);
    if (n == 0 || s.m[a] > n) return refuse("the basis does not cover the configuration");
    s.n[a] = roundUp(n, 8);
  }
  if (h.qed.any() && qedRangeOf(basis, s.symmetries).count == 0)
    return refuse("functions as wide as these need the host for QED corrections");
  setOffsets(s);
  if (!fits(s, sharedBytes)) return refuse("the basis is too large for the GPU's shared memory");
  return Placement{{s, qedShapeOf(h)}, grid.first};
}

std::string keyOf(const BatchShape& shape) {
  // What lies behind the last member is no part of a shape.
  constexpr std::size_t kArrays = offsetof(Shape, inputSize) + sizeof shape.arrays.inputSize;
  static_assert(std::has_unique_object_representations_v<QedShape>);
  std::string key(kArrays + sizeof shape.qed, '\0');
  std::memcpy(key.data(), &shape.arrays, kArrays);
  std::memcpy(key.data() + kArrays, &shape.qed, sizeof shape.qed);
  return key;
}

namespace {

void packNucleus(const Calculation& calculation, const Shape& s, NuclearTable& table, double* input) {
  const Nucleus& nucleus = calculation.problem.nucleus;
  input[kCharge] = nucleus.charge;
  input[kTableFirst] = input[kTableCount] = 0.0;
  const auto closed = nucleus.attraction();
  const NuclearAttraction attraction = closed ? *closed : gaussianOf(nucleus).attraction().value();
  input[kAttraction] = static_cast<double>(attraction.form);
  input[kNuclearSize] = attraction.size;
  if (closed) return;
  const int first = firstTablePoint(tightest(calculation.inBasis().basis, s.symmetries));
  int count = 0;
  const double* values = table.from(nucleus, first, count);
  input[kTableFirst] = first;
  input[kTableCount] = count;
  std::copy_n(values, count, input + s.inTable);
}

void packSymmetries(const Calculation& calculation, const Shape& s, double* input) {
  const Configuration& configuration = calculation.problem.configuration;
  const BasisSet& basis = calculation.inBasis().basis;
  const Eigen::MatrixXd reduction = configuration.openReduction();
  for (int a = 0; a < s.symmetries; ++a) {
    const SymmetryOccupation& occupation = configuration.symmetries[a];
    double* mine = input + s.inSymmetry + a * kInputPerSymmetry;
    mine[kFunctions] = basis.symmetries[a].size();
    mine[kClosed] = occupation.closed();
    mine[kOpen] = occupation.open();
    mine[kOpenElectrons] = occupation.openElectrons();
    for (int i = 0; i < s.m[a]; ++i)
      input[s.inOccupation + s.firstOrbital[a] + i] = configuration.occupation(a, i);
    for (int b = 0; b < s.symmetries; ++b) {
      const bool open = occupation.open() && configuration.symmetries[b].open();
      input[s.inReduction + a * s.symmetries + b] =
          open ? reduction(configuration.firstOpen(a), configuration.firstOpen(b)) : 0.0;
    }
    const auto& exponents = basis.symmetries[a].exponents;
    for (int p = 0; p < s.n[a]; ++p)
      input[s.inExponents + s.exponents[a] + p] = p < static_cast<int>(exponents.size()) ? exponents[p] : 0.0;
  }
}

/// Screening of the guess: a table's rates and, for each symmetry that the table has, charges.
void packScreening(const AtomProblem& problem, const Shape& s, double* input) {
  const double electrons = problem.configuration.electrons();
  input[kElectrons] = electrons;
  double* rates = input + s.inScreening;
  std::fill(rates, rates + (s.symmetries + 1) * kScreeningTerms, 0.0);
  for (int a = 0; a < s.symmetries; ++a) {
    const auto screening = tabulatedScreening(problem.nucleus.charge, electrons, Symmetry::fromIndex(a));
    input[s.inSymmetry + a * kInputPerSymmetry + kTabulated] = screening ? 1.0 : 0.0;
    if (!screening) continue;
    std::copy(screening->rates.begin(), screening->rates.end(), rates);
    std::copy(screening->charges.begin(), screening->charges.end(), rates + (a + 1) * kScreeningTerms);
  }
}

bool startFits(const StartSpinors& start, const Shape& s) {
  const auto count = static_cast<std::size_t>(s.symmetries);
  if (std::min({start.basis.symmetries.size(), start.large.size(), start.small.size()}) < count) return false;
  for (int a = 0; a < s.symmetries; ++a) {
    const SymmetryBasis& block = start.basis.symmetries[a];
    const auto rows = static_cast<Eigen::Index>(block.size());
    if (!(block.symmetry == Symmetry::fromIndex(a)) || block.contracted() || block.size() > s.n[a] ||
        start.large[a].cols() != s.m[a] || start.small[a].cols() != s.m[a] || start.large[a].rows() != rows ||
        start.small[a].rows() != rows)
      return false;
  }
  return true;
}

}  // namespace

bool packStart(const Calculation& calculation, const Shape& s, double* input) {
  const StartSpinors* start = calculation.inBasis().start.get();
  if (!start || !startFits(*start, s)) return false;
  for (int a = 0; a < s.symmetries; ++a) {
    const auto& exponents = start->basis.symmetries[a].exponents;
    const int count = static_cast<int>(exponents.size()), n = s.n[a];
    input[s.inSymmetry + a * kInputPerSymmetry + kStartFunctions] = count;
    std::copy(exponents.begin(), exponents.end(), input + s.inStartExponents + s.exponents[a]);
    for (int o = 0; o < s.m[a]; ++o) {
      double* spinor = input + s.inStartSpinors + s.coefficients[a] + o * 2 * n;
      std::copy_n(start->large[a].col(o).data(), count, spinor);
      std::copy_n(start->small[a].col(o).data(), count, spinor + n);
    }
  }
  return true;
}

void packInput(const Calculation& calculation, const Shape& s, double first, NuclearTable& table,
               double* input) {
  const ScfOptions& options = calculation.inBasis().scf;
  input[kC] = calculation.problem.hamiltonian.speedOfLight;
  input[kMaxIterations] = options.maxIterations;
  input[kThresholdLL] = options.thresholdLL;
  input[kThresholdSL] = options.thresholdSL;
  input[kThresholdSS] = options.thresholdSS;
  input[kEnergyThreshold] = options.energyThreshold;
  input[kDependency] = options.dependencyThreshold;
  input[kFirstRadius] = first;
  packNucleus(calculation, s, table, input);
  packSymmetries(calculation, s, input);
  packScreening(calculation.problem, s, input);
}

namespace {

/// One part of the Breit interaction: (CrossKernel) x (pairs). The host's kernels have entry [j - i].
void appendCross(const Shape& shape, BreitPart part, std::vector<double>& table) {
  const auto kernels = breitKernels(firstSymmetries(shape.symmetries), shape.h, shape.points, part);
  const auto append = [&](const std::vector<Eigen::VectorXd>& list, bool reversed) {
    for (int a = 0; a < shape.symmetries; ++a) {
      for (int b = 0; b <= a; ++b) {
        const Eigen::VectorXd& k = list[static_cast<std::size_t>(a) * shape.symmetries + b];
        if (reversed) {
          table.insert(table.end(), std::make_reverse_iterator(k.data() + k.size()),
                       std::make_reverse_iterator(k.data()));
        } else {
          table.insert(table.end(), k.data(), k.data() + k.size());
        }
      }
    }
  };
  append(kernels->largeFromSmall, false);
  append(kernels->smallFromLarge, false);
  append(kernels->mixed, true);
  append(kernels->mixed, false);
}

}  // namespace

std::vector<double> kernelTable(const Shape& shape) {
  if (shape.functional != 0) {
    const Eigen::VectorXd coulomb = slaterKernel(0, shape.h, shape.points);
    return {coulomb.begin(), coulomb.end()};
  }
  const ExchangeKernels kernels(firstSymmetries(shape.symmetries), shape.h, shape.points);
  std::vector<double> table;
  const int reach = shape.points - 1;
  for (int a = 0; a < shape.symmetries; ++a) {
    for (int b = 0; b <= a; ++b)
      table.insert(table.end(), kernels.centre(a, b) - reach, kernels.centre(a, b) + reach + 1);
  }
  table.insert(table.end(), kernels.coulomb() - reach, kernels.coulomb() + reach + 1);
  if (shape.breitParts == 0) return table;
  appendCross(shape, BreitPart::Gaunt, table);
  appendCross(shape, BreitPart::Gauge, table);
  appendCross(shape, shape.breitParts == 1 ? BreitPart::Gaunt : BreitPart::Breit, table);
  return table;
}

}  // namespace prophet::cuda::batch
