// The program behind src/atoms/scf/screening_table.inc (studies/screening-table): for each element the local
// potentials, one for each symmetry, whose spinors are nearest to the self-consistent ones of the neutral
// atom.
//   screening_fit [Z...]       rows of the table on standard output, one line a symmetry; all elements by
//   default
//
// A spinor i of the potential V differs from the self-consistent one by <a|F - h - V|i>/(e_a - e_i) of each
// virtual spinor a, to first order: linear in the charges of V, so least squares give them. How much
// smoothness is asked for is decided by the numbers of iterations of the atom and its usual ions.
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "atoms/atom/default_configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/fock/grid_builder.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "atoms/scf/fock_operator.hpp"
#include "atoms/scf/scf.hpp"
#include "atoms/scf/screening.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/linalg/eigen_solver.hpp"
#include "matter/scattering/form_factor.hpp"

namespace {

using namespace prophet;
using Charges = Eigen::Matrix<double, kScreeningTerms, 1>;
using Normal = Eigen::Matrix<double, kScreeningTerms, kScreeningTerms>;

constexpr double kC = constants::kSpeedOfLight;

/// An ion's change is smooth: the slowest terms have it.
constexpr int kIonTerms = 8;

/// Weight of a virtual spinor: its energy difference to this power; and the ridge of the least squares.
struct Candidate {
  double power, ridge;
};
constexpr Candidate kCandidates[] = {{1.0, 1e-13}, {1.0, 1e-11}, {0.75, 1e-11}, {1.25, 1e-12}, {0.75, 1e-9}};

struct Atom {
  Nucleus nucleus;
  Configuration configuration;
  BasisSet basis;
};

Atom makeAtom(int z, int charge) {
  Atom atom;
  NucleusRequest request;
  request.model = NuclearModel::Gaussian;
  request.charge = z;
  atom.nucleus = makeNucleus(request);
  atom.configuration = parseConfiguration(defaultConfiguration(z, charge).text);
  auto entry = readLibraryEntry(z, "wtbs-2.1-by-symmetry");
  if (!entry) entry = readLibraryEntry(z);
  if (!entry) throw Error(fmt::format("no set for {}", symbolOf(z)));
  atom.basis = makeBasis(*entry);
  const auto occupied = static_cast<std::size_t>(atom.configuration.occupiedSymmetries());
  if (occupied > atom.basis.symmetries.size())
    throw Error(fmt::format("the set of {} is too small", symbolOf(z)));
  atom.basis.symmetries.resize(occupied);
  return atom;
}

/// One atom in its basis with everything that a fit needs, and a field to try its results in.
class Case {
 public:
  Case(int z, int charge, ThreadPool& pool)
      : z_(z),
        charge_(charge),
        atom_(makeAtom(z, charge)),
        builder_(atom_.basis, fockGrid(atom_.basis), pool),
        pool_(pool),
        spaces_(hamiltonianSpaces(atom_.basis, atom_.nucleus, OneElectronOperator::Dirac, kC, 1e-11, pool)) {
    const RadialGrid grid = makeGrid(atom_.basis, 0.1, 0.002);
    const auto rates = screeningRates(z);
    for (const double rate : rates) addTerm(rate, grid);
  }

  int symmetries() const { return static_cast<int>(spaces_.size()); }

  /// Least squares of every symmetry.
  std::vector<Charges> fit(const Candidate& candidate);
  /// What an added electron changes in the neutral atom's potentials, one for all symmetries.
  Charges fitIon(const std::vector<Charges>& atom, double ridge);
  /// Iterations from the spinors of these potentials, and how far the second iteration moved: less is better.
  double cost(const std::vector<Charges>& charges, const Charges& ofElectron);

 private:
  struct Equations {
    Normal normal;
    Charges wanted;
  };
  Equations equations(int a, const Candidate& candidate, const std::vector<Charges>& known);
  static Charges solved(Equations e, int count, double total, double ridge);
  void addTerm(double rate, const RadialGrid& grid) {
    const auto potential = [rate](double r) { return -std::expm1(-rate * r) / r; };
    const auto matrices = potentialMatrices(atom_.basis, potential, grid);
    std::vector<Eigen::MatrixXd>& terms = terms_.emplace_back(spaces_.size());
    Eigen::MatrixXd work;
    for (std::size_t a = 0; a < spaces_.size(); ++a)
      transformToSpace(spaces_[a], matrices[a], work, terms[a]);
  }
  ScfResult run(const StartSpinors* start = nullptr) {
    return runScf({atom_.basis, atom_.nucleus, atom_.configuration, kC, {}, start}, builder_, {}, pool_);
  }
  void converge();

  int z_, charge_;
  Atom atom_;
  GridFockBuilder builder_;
  ThreadPool& pool_;
  std::vector<SymmetrySpace> spaces_;
  std::vector<std::vector<Eigen::MatrixXd>> terms_;  ///< [term][symmetry]
  std::vector<Eigen::VectorXd> energies_;            ///< of the converged Fock matrices, all
  std::vector<Eigen::MatrixXd> vectors_, fock_;
};

void Case::converge() {
  if (!fock_.empty()) return;
  const ScfResult result = run();
  if (!result.converged) throw Error(fmt::format("{} does not converge", symbolOf(z_)));
  std::vector<BlockMatrix> p, q;
  builder_.build(occupiedSpinors(result), atom_.configuration.openReduction(), p, q);
  energies_.resize(spaces_.size());
  vectors_.resize(spaces_.size());
  for (int a = 0; a < symmetries(); ++a) {
    const SymmetrySpace& space = spaces_[a];
    const SymmetrySpinors& s = result.symmetries[a];
    Eigen::MatrixXd c(space.size(), s.large.cols());
    c << space.large.dual * s.large, space.small.dual * s.small;
    SymmetryFock fock;
    const int open = atom_.configuration.firstOpen(a);
    effectiveFock(space, atom_.configuration.occupationOf(a), p[a], open < 0 ? nullptr : &q[open], c, fock);
    fock_.push_back(fock.effective);
    EigenSolver().solve(fock.effective, 0, space.size(), energies_[a], vectors_[a]);
  }
}

Case::Equations Case::equations(int a, const Candidate& candidate, const std::vector<Charges>& known) {
  converge();
  const SymmetryOccupation& occupation = atom_.configuration.occupationOf(a);
  const int first = spaces_[a].smallSize(), own = occupation.needed(), others = spaces_[a].largeSize() - own;
  const auto occupied = vectors_[a].middleCols(first, own), virtuals = vectors_[a].rightCols(others);
  Eigen::ArrayXXd weight(others, own);
  for (int i = 0; i < own; ++i) {
    const double electrons = occupation.hasEmptyPlaces() ? 1.0 : occupation.spinors[i].electrons;
    weight.col(i) = std::sqrt(electrons) /
                    (energies_[a].tail(others).array() - energies_[a](first + i)).pow(candidate.power);
  }
  const auto elements = [&](const Eigen::MatrixXd& m) -> Eigen::VectorXd {
    const Eigen::MatrixXd weighted = (virtuals.transpose() * m * occupied).array() * weight;
    return weighted.reshaped();
  };
  Eigen::MatrixXd wanted = fock_[a] - spaces_[a].core, terms(weight.size(), kScreeningTerms);
  for (int k = 0; k < kScreeningTerms; ++k) {
    terms.col(k) = elements(terms_[k][a]);
    if (!known.empty()) wanted -= known[a](k) * terms_[k][a];
  }
  return {terms.transpose() * terms, terms.transpose() * elements(wanted)};
}

/// Charges of the first `count` terms, whose sum is about `total`: so the potential goes far out.
Charges Case::solved(Equations e, int count, double total, double ridge) {
  Eigen::MatrixXd normal = e.normal.topLeftCorner(count, count);
  Eigen::VectorXd wanted = e.wanted.head(count);
  const double scale = normal.trace() / count;
  normal.array() += 1e-6 * scale;
  wanted.array() += 1e-6 * scale * total;
  normal.diagonal().array() += ridge * count * scale;
  Charges charges = Charges::Zero();
  charges.head(count) = normal.ldlt().solve(wanted);
  return (charges * 1e4).array().round() * 1e-4;
}

std::vector<Charges> Case::fit(const Candidate& candidate) {
  std::vector<Charges> charges;
  for (int a = 0; a < symmetries(); ++a)
    charges.push_back(solved(equations(a, candidate, {}), kScreeningTerms,
                             atom_.configuration.electrons() - 1.0, candidate.ridge));
  return charges;
}

Charges Case::fitIon(const std::vector<Charges>& atom, double ridge) {
  Equations sum{Normal::Zero(), Charges::Zero()};
  for (int a = 0; a < symmetries(); ++a) {
    const Equations e = equations(a, kCandidates[0], atom);
    sum.normal += e.normal;
    sum.wanted += e.wanted;
  }
  const Charges all = solved(sum, kIonTerms, -charge_, ridge);
  return (all / -charge_ * 1e4).array().round() * 1e-4;
}

double Case::cost(const std::vector<Charges>& charges, const Charges& ofElectron) {
  StartSpinors start{atom_.basis, {}, {}};
  for (int a = 0; a < symmetries(); ++a) {
    const SymmetrySpace& space = spaces_[a];
    const SymmetryOccupation& occupation = atom_.configuration.occupationOf(a);
    if (a >= static_cast<int>(charges.size()))
      return 0.0;  // a symmetry that the atom lacks: not for the table
    Eigen::MatrixXd h = space.core, vectors;
    for (int k = 0; k < kScreeningTerms; ++k) h += (charges[a](k) - charge_ * ofElectron(k)) * terms_[k][a];
    Eigen::VectorXd energies;
    EigenSolver().solve(h, space.smallSize(), occupation.needed(), energies, vectors);
    Eigen::MatrixXd c(space.size(), occupation.occupied());
    for (int i = 0; i < c.cols(); ++i) c.col(i) = vectors.col(occupation.spinors[i].number);
    start.large.push_back(space.large.x * c.topRows(space.largeSize()));
    start.small.push_back(space.small.x * c.bottomRows(space.smallSize()));
  }
  const ScfResult result = run(&start);
  if (!result.converged) return 50.0;
  const double moved = result.iterations.size() > 1 ? result.iterations[1].densityChangeLL : 0.0;
  return static_cast<double>(result.iterations.size()) + 0.2 * std::log10(1e-6 + moved);
}

/// One row of the table: `symmetry` -1 for what an added electron changes.
void print(int z, int symmetry, const Charges& charges) {
  fmt::print("{{{}, {}, {{", z, symmetry);
  for (int k = 0; k < kScreeningTerms; ++k) fmt::print("{}{:.10g}", k ? ", " : "", charges(k) + 0.0);
  fmt::print("}}}},  // {}\n", symbolOf(z));
}

void fitElement(int z, const std::vector<Species>& ions, ThreadPool& pool) {
  Case atom(z, 0, pool);
  std::vector<std::unique_ptr<Case>> charged;
  for (const Species& ion : ions)
    if (ion.z == z && ion.charge < z - 1) charged.push_back(std::make_unique<Case>(z, ion.charge, pool));
  const auto costOfIons = [&](const std::vector<Charges>& charges, const Charges& ofElectron) {
    double sum = 0.0;
    for (const auto& one : charged) sum += one->cost(charges, ofElectron);
    return sum;
  };
  // An electron about as far out as valence electrons are.
  Charges ofElectron = Charges::Zero();
  ofElectron(1) = 1.0;
  std::vector<Charges> best;
  double least = 1e9;
  for (const Candidate& candidate : kCandidates) {
    const std::vector<Charges> charges = atom.fit(candidate);
    const double sum = 2.0 * atom.cost(charges, ofElectron) + costOfIons(charges, ofElectron);
    if (sum >= least) continue;
    least = sum;
    best = charges;
  }
  least = costOfIons(best, ofElectron);
  for (const auto& ion : charged) {
    if (ion->symmetries() > static_cast<int>(best.size())) continue;
    for (const double ridge : {1e-10, 1e-6}) {
      const Charges fitted = ion->fitIon(best, ridge);
      const double sum = costOfIons(best, fitted);
      if (sum >= least) continue;
      least = sum;
      ofElectron = fitted;
    }
  }
  print(z, -1, ofElectron);
  for (std::size_t a = 0; a < best.size(); ++a) print(z, static_cast<int>(a), best[a]);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  ThreadPool pool(1);
  const std::vector<Species> ions = usualIons();
  for (int z = 2; z <= kLastElement; ++z) {
    bool wanted = argc == 1;
    for (int i = 1; i < argc; ++i) wanted = wanted || std::atoi(argv[i]) == z;
    if (wanted) fitElement(z, ions, pool);
  }
} catch (const std::exception& e) {
  fmt::print(stderr, "screening_fit: {}\n", e.what());
  return 1;
}
