#include "atoms/correlation/orbital_space.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "atoms/angular/angular.hpp"
#include "atoms/limit/mean_field.hpp"
#include "atoms/limit/wavefunction.hpp"
#include "atoms/scf/fock_operator.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

constexpr double kNoVirtuals = -INFINITY;
constexpr double kAllEnergies = 1e12;  // hartree: beyond the functions of any set
constexpr double kIsOccupied = 0.5;    // share of occupied spinors in an eigenvector

/// Equal cells from where all functions are powers of r to where they have vanished.
std::vector<double> cellsForGaussians(const BasisSet& basis, double cell) {
  double least = INFINITY, most = 0;
  for (const SymmetryBasis& s : basis.symmetries)
    for (const double zeta : s.exponents) least = std::min(least, zeta), most = std::max(most, zeta);
  if (!(most > 0)) throw Error("second order needs a basis set with functions");
  const double first = std::log(1e-4 / std::sqrt(most)), last = 0.5 * std::log(45.0 / least);
  const int cells = static_cast<int>(std::ceil((last - first) / cell));
  std::vector<double> breaks;
  for (int c = 0; c <= cells; ++c) breaks.push_back(first + (last - first) * c / cells);
  return breaks;
}

/// Large components of Gaussians, then small ones, a column for each.
struct GaussianValues {
  Eigen::MatrixXd large, small;
  GaussianValues(Symmetry symmetry, const std::vector<double>& exponents, bool hasSmall,
                 const RadialMesh& mesh) {
    const auto count = static_cast<Eigen::Index>(exponents.size());
    large = Eigen::MatrixXd::Zero(mesh.points, hasSmall ? 2 * count : count);
    small = Eigen::MatrixXd::Zero(hasSmall ? mesh.points : 0, large.cols());
    const RadialTable g = gaussiansAt(symmetry, exponents, mesh.r, 0.5, hasSmall);
    large.leftCols(count) = g.large;
    if (hasSmall) small.rightCols(count) = g.small;
  }
};

int occupiedL(const Configuration& configuration) {
  return Symmetry::fromIndex(std::max(configuration.occupiedSymmetries() - 1, 0)).l();
}

double ownEnergyOf(const Result& field, Symmetry symmetry, int n) {
  for (const Spinor& s : field.spinors)
    if (s.symmetry == symmetry && s.n == n) return s.energy;
  throw Error("second order: the field has no energy of an occupied spinor");
}

Eigen::MatrixXd weightedProduct(const Eigen::MatrixXd& a, const Eigen::VectorXd& weight,
                                const Eigen::MatrixXd& b) {
  return multiply(a, true, weight.asDiagonal() * b, false);
}

}  // namespace

/// Functions of one symmetry, in which spinors are expanded.
struct OrbitalSpace::Functions {
  Symmetry symmetry;
  Eigen::MatrixXd overlap, core;
  Eigen::MatrixXd breit;         ///< that part of the field; empty: there is none
  Eigen::MatrixXd large, small;  ///< at the points; small without rows where there are none
  /// The first functions' large components over primitives, and the last ones' small components, if there
  /// are any.
  Eigen::MatrixXd primitives, smallPrimitives;
  std::vector<double> exponents;  ///< of those
  double highest = 0;             ///< hartree: virtual spinors have less; minus infinity: there are none
};

std::string SymmetryOrbitals::label(int i) const { return spinorLabel(symmetry, n[usize(i)] - symmetry.l()); }

OrbitalSpace::OrbitalSpace(std::shared_ptr<const RadialMesh> mesh, int largestK)
    : mesh_(std::move(mesh)), kernel_(std::make_unique<SlaterKernel>(*mesh_, largestK)) {}

int OrbitalSpace::largestL() const { return symmetries_.empty() ? -1 : symmetries_.back().symmetry.l(); }

Eigen::MatrixXd OrbitalSpace::densities(int symmetryA, Eigen::Index a, int symmetryB, Eigen::Index first,
                                        Eigen::Index count) const {
  const SymmetryOrbitals& sa = symmetries_[usize(symmetryA)];
  const SymmetryOrbitals& sb = symmetries_[usize(symmetryB)];
  Eigen::MatrixXd values = sa.large.col(a).asDiagonal() * sb.large.middleCols(first, count);
  if (sa.small.rows() > 0) values += sa.small.col(a).asDiagonal() * sb.small.middleCols(first, count);
  return values;
}

Eigen::VectorXd OrbitalSpace::moments(int power, const Eigen::MatrixXd& densities) const {
  return densities.transpose() * mesh_->weight.cwiseProduct(mesh_->r.array().pow(power).matrix());
}

Eigen::MatrixXd OrbitalSpace::potentials(int k, const Eigen::MatrixXd& densities) const {
  return mesh_->weight.asDiagonal() * kernel_->potentials(k, densities);
}

Eigen::MatrixXd OrbitalSpace::kernelMatrix(int k) const {
  Eigen::MatrixXd ordered;
  kernel_->ordered(k, {0, mesh_->cells}, {0, mesh_->cells}, ordered);
  return ordered + ordered.transpose();
}

void OrbitalSpace::addOccupied(const Configuration& configuration, const Result& field) {
  if (!field.wavefunction) throw Error("second order needs the radial functions of the spinors");
  const RadialTable all = tabulated(*field.wavefunction, *mesh_);
  const bool fourComponent = (all.small.array() != 0).any();
  Eigen::Index next = 0;
  for (std::size_t a = 0; a < configuration.symmetries.size(); ++a) {
    const SymmetryOccupation& occupation = configuration.symmetries[a];
    SymmetryOrbitals s;
    s.symmetry = Symmetry::fromIndex(static_cast<int>(a));
    s.closed = occupation.closed();
    s.open = occupation.occupied() - s.closed;
    s.electrons.resize(occupation.occupied());
    s.ownEnergies.resize(occupation.occupied());
    s.large.resize(mesh_->points, occupation.occupied());
    s.small.resize(fourComponent ? mesh_->points : 0, occupation.occupied());
    int closedPlace = 0, openPlace = s.closed;
    s.n.resize(usize(occupation.occupied()));
    for (const SpinorOccupation& o : occupation.spinors) {
      if (next >= all.large.cols())
        throw Error("second order: the field has fewer spinors than its configuration");
      const int place = o.open ? openPlace++ : closedPlace++;
      s.n[usize(place)] = s.symmetry.l() + 1 + o.number;
      s.electrons(place) = o.electrons;
      s.ownEnergies(place) = ownEnergyOf(field, s.symmetry, s.n[usize(place)]);
      s.large.col(place) = all.large.col(next);
      if (fourComponent) s.small.col(place) = all.small.col(next);
      ++next;
    }
    symmetries_.push_back(std::move(s));
  }
}

OrbitalSpace::Field OrbitalSpace::fieldOn(Symmetry symmetry, const Eigen::MatrixXd& large,
                                          const Eigen::MatrixXd& small, const Eigen::VectorXd& direct) const {
  const Eigen::VectorXd weighted = mesh_->weight.cwiseProduct(direct);
  const bool hasSmall = small.rows() > 0;
  // Splines have one component each, so that blocks of them often have none of the other.
  const bool onlyLarge = !hasSmall || (small.array() == 0).all();
  const bool onlySmall = !onlyLarge && (large.array() == 0).all();
  Field field{weighted.asDiagonal() * large, {}};
  if (hasSmall) field.small = weighted.asDiagonal() * small;
  for (const SymmetryOrbitals& s : symmetries_) {
    for (int c = 0; c < s.occupied(); ++c) {
      Eigen::MatrixXd density =
          onlySmall ? s.small.col(c).asDiagonal() * small : s.large.col(c).asDiagonal() * large;
      if (!onlyLarge && !onlySmall) density += s.small.col(c).asDiagonal() * small;
      for (const ExchangeTerm& term : exchangeTerms(symmetry, s.symmetry)) {
        const Eigen::MatrixXd exchange = s.electrons(c) * term.coefficient * potentials(term.k, density);
        field.large -= s.large.col(c).asDiagonal() * exchange;
        if (hasSmall) field.small -= s.small.col(c).asDiagonal() * exchange;
      }
    }
  }
  return field;
}

OrbitalSpace::Field OrbitalSpace::fieldOnGaussians(const Functions& f, const Eigen::VectorXd& direct) const {
  const bool hasSmall = f.small.rows() > 0;
  const auto place = usize(f.symmetry.index());
  const auto count = static_cast<Eigen::Index>(f.exponents.size());
  const std::map<double, Field> none;
  const std::map<double, Field>& known =
      knownFields_ && place < knownFields_->size() ? (*knownFields_)[place] : none;
  std::vector<double> unknown;
  for (const double zeta : f.exponents)
    if (!known.contains(zeta)) unknown.push_back(zeta);
  const GaussianValues values(f.symmetry, unknown, hasSmall, *mesh_);
  const Field computed = fieldOn(f.symmetry, values.large, values.small, direct);
  // All primitives have that of large components, then that of small ones.
  Field all{Eigen::MatrixXd(points(), hasSmall ? 2 * count : count), {}};
  all.small.resize(hasSmall ? points() : 0, all.large.cols());
  Eigen::Index next = 0;
  for (Eigen::Index p = 0; p < count; ++p) {
    const auto found = known.find(f.exponents[usize(p)]);
    const Field& from = found == known.end() ? computed : found->second;
    const Eigen::Index step = found == known.end() ? static_cast<Eigen::Index>(unknown.size()) : 1;
    const Eigen::Index at = found == known.end() ? next++ : 0;
    for (int part = 0; part < (hasSmall ? 2 : 1); ++part) {
      all.large.col(p + part * count) = from.large.col(at + part * step);
      if (hasSmall) all.small.col(p + part * count) = from.small.col(at + part * step);
    }
  }
  const auto over = [&](const Eigen::MatrixXd& m) {
    Eigen::MatrixXd sum(points(), f.large.cols());
    sum.leftCols(f.primitives.cols()) = multiply(m.leftCols(count), false, f.primitives, false);
    if (hasSmall)
      sum.rightCols(f.smallPrimitives.cols()) = multiply(m.rightCols(count), false, f.smallPrimitives, false);
    return sum;
  };
  return {over(all.large), hasSmall ? over(all.small) : Eigen::MatrixXd()};
}

void OrbitalSpace::keepFieldsOf(const BasisSet& basis) {
  const Eigen::VectorXd direct = directField();
  auto table = std::make_shared<FieldTable>(symmetries_.size());
  for (const SymmetryBasis& block : basis.symmetries) {
    const auto place = usize(block.symmetry.index());
    if (place >= symmetries_.size()) break;
    const bool hasSmall = symmetries_[place].small.rows() > 0;
    const GaussianValues values(block.symmetry, block.exponents, hasSmall, *mesh_);
    const Field field = fieldOn(block.symmetry, values.large, values.small, direct);
    for (Eigen::Index p = 0; p < block.size(); ++p) {
      std::vector<Eigen::Index> columns{p};
      if (hasSmall) columns.push_back(block.size() + p);
      (*table)[place][block.exponents[usize(p)]] = {
          field.large(Eigen::all, columns),
          hasSmall ? Eigen::MatrixXd(field.small(Eigen::all, columns)) : Eigen::MatrixXd()};
    }
  }
  knownFields_ = std::move(table);
}

Eigen::MatrixXd OrbitalSpace::projectionOn(const Functions& f, const SymmetryOrbitals& occupied) const {
  Eigen::MatrixXd projection = weightedProduct(f.large, mesh_->weight, occupied.large);
  if (f.small.rows() > 0) projection += weightedProduct(f.small, mesh_->weight, occupied.small);
  return projection;
}

SymmetryOrbitals OrbitalSpace::solved(const Functions& f, const SymmetryOrbitals& occupied,
                                      const Field& field, double shift, SolvedFunctions* details) const {
  const Eigen::Index held = occupied.occupied();
  Eigen::MatrixXd fock = f.core + multiply(f.large, true, field.large, false);
  if (f.small.rows() > 0) fock += multiply(f.small, true, field.small, false);
  if (f.breit.size() > 0) fock += f.breit;
  fock = (0.5 * (fock + fock.transpose())).eval();
  const auto valuesOf = [&](const Eigen::MatrixXd& c, SymmetryOrbitals& s) {
    s.large = multiply(f.large, false, c, false);
    s.small = f.small.rows() > 0 ? multiply(f.small, false, c, false) : Eigen::MatrixXd(0, c.cols());
  };
  // The occupied spinors over the functions, and a matrix that couples them to nothing.
  Eigen::MatrixXd projection(f.overlap.rows(), held), own(f.overlap.rows(), held), decoupled = fock;
  if (held > 0) {
    projection = projectionOn(f, occupied);
    own = limit::solveLinear(f.overlap, projection);
    const Eigen::MatrixXd image = fock * own, between = own.transpose() * image;
    const Eigen::MatrixXd wanted = between.diagonal().asDiagonal();
    decoupled += projection * (between + wanted) * projection.transpose() - image * projection.transpose() -
                 projection * image.transpose();
    decoupled = (0.5 * (decoupled + decoupled.transpose())).eval();
  }
  Eigen::VectorXd energies;
  Eigen::MatrixXd vectors(f.overlap.rows(), 0);
  if (f.highest > shift) {
    limit::Solutions solutions =
        limit::solutionsBetween(decoupled, f.overlap, limit::choleskyFactor(f.overlap), shift, f.highest);
    const Eigen::MatrixXd shares = projection.transpose() * solutions.vectors;
    std::vector<Eigen::Index> kept;
    for (Eigen::Index i = 0; i < solutions.energies.size(); ++i)
      if (held == 0 || shares.col(i).squaredNorm() < kIsOccupied) kept.push_back(i);
    energies = solutions.energies(kept);
    vectors = solutions.vectors(Eigen::all, kept);
  }

  SymmetryOrbitals s = occupied;
  s.symmetry = f.symmetry;
  Eigen::MatrixXd c(f.overlap.rows(), held + vectors.cols());
  c << own, vectors;
  s.energies.resize(c.cols());
  s.energies << (own.transpose() * fock * own).diagonal(), energies;
  valuesOf(c, s);
  s.coefficients = f.primitives * c.topRows(f.primitives.cols());
  s.coreHamiltonian = c.transpose() * f.core * c;
  if (details == nullptr) return s;
  // Spinors of negative energy are what is left of an orthonormal basis.
  Eigen::MatrixXd all(c.rows(), c.rows());
  const Eigen::MatrixXd rest = orthogonalComplement(c);
  const SymmetricEigen solver(rest.transpose() * fock * rest);
  all << c, rest * solver.eigenvectors();
  details->occupied = held;
  details->virtuals = vectors.cols();
  const Eigen::Index ofLarge = f.primitives.cols(), ofSmall = f.smallPrimitives.cols();
  details->large = f.primitives * all.topRows(ofLarge);
  details->small = f.smallPrimitives * all.bottomRows(ofSmall);
  details->largeAt = multiply(f.large, false, all, false);
  details->smallAt = multiply(f.small, false, all, false);
  details->largeField = multiply(field.large, false, all, false);
  details->smallField = multiply(field.small, false, all, false);
  details->fock = all.transpose() * fock * all;
  details->core = all.transpose() * f.core * all;
  return s;
}

Eigen::VectorXd OrbitalSpace::directField() const {
  Eigen::VectorXd density = Eigen::VectorXd::Zero(mesh_->points);
  for (const SymmetryOrbitals& s : symmetries_)
    for (int c = 0; c < s.occupied(); ++c) {
      density += s.electrons(c) * s.large.col(c).cwiseAbs2();
      if (s.small.rows() > 0) density += s.electrons(c) * s.small.col(c).cwiseAbs2();
    }
  return kernel_->potential(0, density);
}

// Fields of the functions, most of the work, are shared in blocks of functions: whole symmetries are few, and
// with one more of them than threads the time doubles.
void OrbitalSpace::solve(std::vector<Functions> functions, double shift, ThreadPool& pool) {
  constexpr Eigen::Index kBlock = 32;
  const Eigen::VectorXd direct = directField();
  struct Block {
    std::size_t place;
    Eigen::Index first, count;
  };
  std::vector<Block> blocks;
  std::vector<Field> fields(functions.size());
  for (std::size_t a = 0; a < functions.size(); ++a) {
    const Functions& f = functions[a];
    fields[a] = {Eigen::MatrixXd(f.large.rows(), f.large.cols()),
                 Eigen::MatrixXd(f.small.rows(), f.small.cols())};
    for (Eigen::Index first = 0; first < f.large.cols(); first += kBlock)
      blocks.push_back({a, first, std::min(kBlock, f.large.cols() - first)});
  }
  pool.forEach(static_cast<int>(blocks.size()), [&](int i, int) {
    const Block& block = blocks[usize(i)];
    const Functions& f = functions[block.place];
    const Eigen::MatrixXd small = f.small.rows() > 0
                                      ? Eigen::MatrixXd(f.small.middleCols(block.first, block.count))
                                      : Eigen::MatrixXd();
    const Field field = fieldOn(f.symmetry, f.large.middleCols(block.first, block.count), small, direct);
    fields[block.place].large.middleCols(block.first, block.count) = field.large;
    if (field.small.rows() > 0) fields[block.place].small.middleCols(block.first, block.count) = field.small;
  });
  std::vector<SymmetryOrbitals> all(functions.size());
  pool.forEach(static_cast<int>(functions.size()), [&](int a, int) {
    const auto place = usize(a);
    SymmetryOrbitals none;
    none.large.resize(mesh_->points, 0);
    all[place] = solved(functions[place], place < symmetries_.size() ? symmetries_[place] : none,
                        fields[place], shift);
  });
  symmetries_ = std::move(all);
}

std::vector<OrbitalSpace::Functions> OrbitalSpace::gaussians(const AtomProblem& problem,
                                                             const BasisSet& basis, double dependency,
                                                             int largestL, ThreadPool& pool) const {
  const Hamiltonian& h = problem.hamiltonian;
  const std::vector<SymmetrySpace> spaces =
      hamiltonianSpaces(basis, problem.nucleus, h.oneElectron, h.speedOfLight, dependency, pool);
  std::vector<Functions> functions;
  for (std::size_t a = 0; a < spaces.size(); ++a) {
    const SymmetryBasis& block = basis.symmetries[a];
    const SymmetrySpace& own = spaces[a];
    const GaussianValues values(block.symmetry, block.exponents, own.smallSize() > 0, *mesh_);
    Functions f{block.symmetry,
                Eigen::MatrixXd::Identity(own.size(), own.size()),
                own.core,
                {},
                Eigen::MatrixXd::Zero(points(), own.size()),
                {},
                own.large.x,
                own.small.x,
                block.exponents,
                block.symmetry.l() > largestL ? kNoVirtuals : kAllEnergies};
    f.large.leftCols(own.largeSize()) = values.large.leftCols(block.size()) * own.large.x;
    f.small = Eigen::MatrixXd::Zero(own.smallSize() > 0 ? points() : 0, own.size());
    if (own.smallSize() > 0)
      f.small.rightCols(own.smallSize()) = values.small.rightCols(block.size()) * own.small.x;
    functions.push_back(std::move(f));
  }
  return functions;
}

OrbitalSpace OrbitalSpace::inBasis(const AtomProblem& problem, const BasisSet& basis, double dependency,
                                   const Result& field, int largestL, ThreadPool& pool, double cell) {
  const Hamiltonian& h = problem.hamiltonian;
  const int last = std::min(std::max(largestL, occupiedL(problem.configuration)), basis.largestL());
  OrbitalSpace space(std::make_shared<RadialMesh>(cellsForGaussians(basis, cell), kTablePoints),
                     2 * last + 1);
  space.addOccupied(problem.configuration, field);
  BasisSet used;
  for (const SymmetryBasis& block : basis.symmetries) {
    if (block.symmetry.l() > last || block.size() == 0) break;
    used.symmetries.push_back(block);
  }
  space.solve(space.gaussians(problem, used, dependency, largestL, pool),
              limit::gapShift(problem.nucleus.charge, lightSpeedOf(h)), pool);
  return space;
}

OrbitalSpace OrbitalSpace::withFunctions(const AtomProblem& problem, const std::vector<SymmetryBasis>& blocks,
                                         double dependency, ThreadPool& pool,
                                         std::vector<SolvedFunctions>* details) const {
  OrbitalSpace space = *this;
  if (details != nullptr) details->resize(blocks.size());
  const Eigen::VectorXd direct = directField();
  const double shift = limit::gapShift(problem.nucleus.charge, lightSpeedOf(problem.hamiltonian));
  const std::vector<Functions> functions = gaussians(problem, {blocks, ""}, dependency, largestL(), pool);
  pool.forEach(static_cast<int>(functions.size()), [&](int i, int) {
    const Functions& f = functions[usize(i)];
    const auto place = usize(f.symmetry.index());
    SymmetryOrbitals occupied = symmetries_.at(place);
    const Eigen::Index held = occupied.occupied();
    occupied.large = occupied.large.leftCols(held).eval();
    occupied.small = occupied.small.leftCols(held).eval();
    SolvedFunctions* own = details == nullptr ? nullptr : &(*details)[usize(i)];
    if (own != nullptr) own->block = blocks[usize(i)];
    space.symmetries_[place] = solved(f, occupied, fieldOnGaussians(f, direct), shift, own);
  });
  return space;
}

OrbitalSpace OrbitalSpace::ofSplines(const AtomProblem& problem, const Result& field, int largestL,
                                     double highestEnergy, ThreadPool& pool) {
  const auto* splines = dynamic_cast<const LimitWavefunction*>(field.wavefunction.get());
  if (splines == nullptr) throw Error("second order: the field has no splines to make virtual spinors of");
  const Hamiltonian& h = problem.hamiltonian;
  const limit::SplineSpace& own = splines->largeSpace();
  const auto splineBasis = std::make_shared<limit::RadialBasis>(
      limit::Mesh{own.breaks(), own.multiplicity()}, own.order(), own.order(),
      h.isFourComponent() ? limit::Components::LargeAndSmall : limit::Components::LargeOnly);
  const int last = std::max(largestL, occupiedL(problem.configuration));
  OrbitalSpace space(splineBasis, 2 * last + 1);
  space.addOccupied(problem.configuration, field);
  const limit::RadialBasis& basis = *splineBasis;
  const Eigen::VectorXd nuclear = basis.r.unaryExpr([&](double r) { return problem.nucleus.potential(r); });
  const double c = lightSpeedOf(h);
  std::vector<Functions> functions;
  for (const Symmetry s : firstSymmetries(2 * last + 1)) {
    const int large = basis.largeCount(s), count = basis.size(s);
    Functions f{s,
                basis.overlapMatrix(s),
                basis.kineticMatrix(s, c) + basis.localMatrix(s, nuclear),
                {},
                Eigen::MatrixXd::Zero(basis.points, count),
                {},
                {},
                {},
                {},
                s.l() > largestL ? kNoVirtuals : highestEnergy};
    f.large.leftCols(large) = basis.large.middleCols(basis.firstLarge(s), large);
    f.small = Eigen::MatrixXd::Zero(basis.hasSmall() ? basis.points : 0, count);
    if (basis.hasSmall()) f.small.rightCols(basis.smallCount()) = basis.small;
    functions.push_back(std::move(f));
  }
  space.repulsion_ = h.scfRepulsion();
  if (space.repulsion_ != TwoElectronOperator::Coulomb) {
    // The interaction is that of the limit's own channels of exchange, between all symmetries here.
    Configuration all = problem.configuration;
    all.symmetries.resize(functions.size());
    limit::SpinorSet spinors;
    for (std::size_t a = 0; a < functions.size(); ++a) {
      const bool isOccupied = a < space.symmetries_.size();
      const Functions& f = functions[a];
      spinors.coefficients.push_back(
          isOccupied ? limit::solveLinear(f.overlap, space.projectionOn(f, space.symmetries_[a]))
                     : Eigen::MatrixXd(f.overlap.rows(), 0));
      spinors.occupations.push_back(isOccupied ? space.symmetries_[a].electrons : Eigen::VectorXd(0));
    }
    const BreitPart part =
        space.repulsion_ == TwoElectronOperator::CoulombGaunt ? BreitPart::Gaunt : BreitPart::Breit;
    const limit::MeanField exchange(
        basis, all, limit::breitChannels(static_cast<int>(functions.size()), part), pool.threads(), false);
    limit::Fields fields = exchange.build(spinors);
    for (std::size_t a = 0; a < functions.size(); ++a) functions[a].breit = std::move(fields.closed[a]);
  }
  space.solve(std::move(functions), limit::gapShift(problem.nucleus.charge, c), pool);
  return space;
}

}  // namespace prophet
