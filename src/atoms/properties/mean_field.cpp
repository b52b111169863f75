#include "atoms/properties/mean_field.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "atoms/breit/breit.hpp"
#include "atoms/fock/grid_builder.hpp"
#include "atoms/scf/fock_operator.hpp"
#include "core/common/error.hpp"
#include "core/linalg/dense.hpp"
#include "core/linalg/eigen_solver.hpp"

namespace prophet {
namespace {

/// P of every symmetry, and Q of every open spinor.
struct Fields {
  std::vector<BlockMatrix> p, q;
};

/// The occupied spinors for every symmetry of the basis.
std::vector<OccupiedSpinors> spinorsOf(const BasisSet& basis, const Configuration& configuration,
                                       const StartSpinors& found) {
  std::vector<OccupiedSpinors> spinors(basis.symmetries.size());
  for (std::size_t a = 0; a < spinors.size(); ++a) {
    OccupiedSpinors& s = spinors[a];
    const Eigen::Index n = basis.symmetries[a].size();
    s.large = s.small = Eigen::MatrixXd(n, 0);
    if (a >= found.large.size() || found.large[a].cols() == 0) continue;
    s.large = found.large[a];
    s.small = found.small[a];
    s.occupation.resize(s.large.cols());
    const SymmetryOccupation& occupation = configuration.occupationOf(static_cast<int>(a));
    for (Eigen::Index i = 0; i < s.large.cols(); ++i)
      s.occupation(i) = occupation.spinors[static_cast<std::size_t>(i)].electrons;
    s.open = occupation.openPositions();
  }
  return spinors;
}

std::vector<FieldSpinor> occupiedOf(const std::vector<OccupiedSpinors>& spinors) {
  std::vector<FieldSpinor> list;
  for (std::size_t a = 0; a < spinors.size(); ++a)
    for (Eigen::Index i = 0; i < spinors[a].large.cols(); ++i)
      list.push_back({a, static_cast<int>(i), spinors[a].occupation(i), spinors[a].large.col(i),
                      spinors[a].small.col(i),
                      std::ranges::find(spinors[a].open, static_cast<int>(i)) != spinors[a].open.end()});
  return list;
}

Fields fieldOf(GridFockBuilder& builder, const std::vector<OccupiedSpinors>& spinors,
               const Eigen::MatrixXd& openReduction) {
  Fields fields;
  builder.build(spinors, openReduction, fields.p, fields.q);
  return fields;
}

BlockMatrix zeroBlocks(Eigen::Index n) {
  BlockMatrix m;
  m.resize(static_cast<int>(n), static_cast<int>(n));
  m.setZero();
  return m;
}

/// The symmetric blocks come from tiles on and below the diagonal.
void completed(BlockMatrix& m) {
  m.LL = Eigen::MatrixXd(m.LL.selfadjointView<Eigen::Lower>());
  m.SS = Eigen::MatrixXd(m.SS.selfadjointView<Eigen::Lower>());
}

/// One symmetry in its orthonormal basis: the field of four components, X and R.
struct Decoupling {
  SymmetrySpace space;
  Eigen::MatrixXd field;  ///< large functions first
  Eigen::MatrixXd x, r;
};

/// C_S C_L^-1 of the positive-energy solutions of h, or of h + field, and (1 + X^T X)^(-1/2).
void decouple(Decoupling& d, DecoupledField which) {
  const int n = d.space.largeSize(), m = d.space.smallSize();
  Eigen::MatrixXd fock = d.space.core, vectors;
  if (which == DecoupledField::Whole) fock += d.field;
  Eigen::VectorXd values;
  EigenSolver().solve(fock, m, n, values, vectors);
  const LuFactors large(vectors.topRows(n).transpose());
  if (large.singular()) throw Error("the positive-energy solutions have no large components to decouple");
  d.x = large.solve(vectors.bottomRows(m).transpose()).transpose();
  Eigen::MatrixXd metric = Eigen::MatrixXd::Identity(n, n) + d.x.transpose() * d.x;
  EigenSolver().solve(metric, 0, n, values, vectors);
  d.r = vectors * values.cwiseSqrt().cwiseInverse().asDiagonal() * vectors.transpose();
}

/// What is added up over electrons, in orthonormal bases.
double expectation(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& columns,
                   const Eigen::VectorXd& occupation) {
  return (columns.cwiseProduct(matrix * columns)).colwise().sum() * occupation;
}

/// The columns of both components over the orthonormal functions.
Eigen::MatrixXd inSpace(const SymmetrySpace& space, const OccupiedSpinors& s) {
  Eigen::MatrixXd both(space.size(), s.large.cols());
  both << space.large.dual * s.large, space.small.dual * s.small;
  return both;
}

}  // namespace

void requireMeanField(const Calculation& calculation) {
  const Hamiltonian& h = calculation.problem.hamiltonian;
  if (calculation.isLimit())
    throw Error("the mean field is that of a basis set; the numerical limit has none");
  if (!h.isFourComponent() || h.isKohnSham())
    throw Error(
        "the mean field is that of Dirac-Hartree-Fock; expected hamiltonian='dirac' without functional");
  if (h.breitFrequency)
    throw Error("the mean field has the Breit interaction without frequency; leave the frequency out");
  if (h.qed.any() || h.shell.any())
    throw Error("the mean field is that of a free atom without QED potentials and charged shells");
  if (calculation.inBasis().basis.contracted())
    throw Error("the mean field is over primitives; expected a set without contracted functions");
}

MeanField meanField(const Calculation& calculation, const Result& result, DecoupledField decoupled,
                    ThreadPool& pool) {
  requireMeanField(calculation);
  if (!result.ok() || !result.coefficients)
    throw Error("the field has no spinors to make matrices of: " + result.reason);
  const AtomProblem& problem = calculation.problem;
  const BasisMethod& method = calculation.inBasis();
  const BasisSet& basis = method.basis;
  const double c = problem.hamiltonian.speedOfLight;
  const std::vector<OccupiedSpinors> spinors = spinorsOf(basis, problem.configuration, *result.coefficients);

  const RadialGrid grid = fockGrid(basis);
  const BreitInteraction breit(basis, grid, problem.hamiltonian.repulsion);
  GridFockBuilder coulomb(basis, grid, pool);
  const Eigen::MatrixXd openReduction = problem.configuration.openReduction();
  Fields whole = fieldOf(coulomb, spinors, openReduction), gaunt, gauge;
  const auto partOf = [&](const std::shared_ptr<const CrossKernels>& kernels) {
    if (!kernels) return Fields();
    GridFockBuilder builder(basis, grid, pool, kernels, false);
    return fieldOf(builder, spinors, openReduction);
  };
  gaunt = partOf(breit.gaunt());
  gauge = partOf(breit.gauge());

  MeanField field;
  field.energy = result.energy.withCorrections();
  std::vector<OneElectronMatrices> matrices = oneElectronMatrices(basis, problem.nucleus);
  std::vector<Decoupling> decouplings(basis.symmetries.size());
  std::vector<OccupiedSpinors> twoComponent(basis.symmetries.size());
  double oneElectron = 0, twoElectron = 0, transformedBack = 0, untransformed = 0;
  for (std::size_t a = 0; a < basis.symmetries.size(); ++a) {
    const SymmetryBasis& functions = basis.symmetries[a];
    const Eigen::Index n = functions.size();
    const OccupiedSpinors& s = spinors[a];
    SymmetryField& f = field.symmetries.emplace_back();
    f.symmetry = functions.symmetry;
    f.exponents = functions.exponents;
    f.coulomb = std::move(whole.p[a]);
    f.gaunt = gaunt.p.empty() ? zeroBlocks(n) : std::move(gaunt.p[a]);
    f.gauge = gauge.p.empty() ? zeroBlocks(n) : std::move(gauge.p[a]);
    for (BlockMatrix* part : {&f.coulomb, &f.gaunt, &f.gauge}) completed(*part);
    const Eigen::VectorXd share = s.occupation / functions.symmetry.degeneracy();
    f.density.LL = s.large * share.asDiagonal() * s.large.transpose();
    f.density.LS = s.large * share.asDiagonal() * s.small.transpose();
    f.density.SS = s.small * share.asDiagonal() * s.small.transpose();
    f.oneElectron = std::move(matrices[a]);

    Decoupling& d = decouplings[a];
    d.space = makeSymmetrySpace(f.oneElectron, c, method.scf.dependencyThreshold);
    field.dropped += d.space.large.dropped;
    const BlockMatrix sum{f.coulomb.LL + f.gaunt.LL + f.gauge.LL, f.coulomb.LS + f.gaunt.LS + f.gauge.LS,
                          f.coulomb.SS + f.gaunt.SS + f.gauge.SS};
    Eigen::MatrixXd work;
    transformToSpace(d.space, sum, work, d.field);
    OccupiedSpinors& two = twoComponent[a];
    two = s;
    two.small.setZero();
    two.open.clear();
    if (d.space.size() == 0) {
      f.coupling = f.normalisation = Eigen::MatrixXd::Zero(n, n);
    } else {
      decouple(d, decoupled);
      f.coupling = d.space.small.x * d.x * d.space.large.dual;
      f.normalisation = d.space.large.x * d.r * d.space.large.dual;
      const Eigen::MatrixXd both = inSpace(d.space, s);
      oneElectron += expectation(d.space.core, both, s.occupation);
      twoElectron += expectation(d.field, both, s.occupation);
      Eigen::MatrixXd back = both;  // R c and X R c of the two-component spinors
      back.bottomRows(d.space.smallSize()) = d.x * both.topRows(d.space.largeSize());
      transformedBack += expectation(d.field, decoupled == DecoupledField::Whole ? both : back, s.occupation);
      if (s.large.cols() > 0)
        two.large = d.space.large.x * LuFactors(d.r).solve(both.topRows(d.space.largeSize()));
    }
    f.density2c = two.large * share.asDiagonal() * two.large.transpose();
  }
  Fields transformed = fieldOf(coulomb, twoComponent, Eigen::MatrixXd(0, 0));
  for (std::size_t a = 0; a < basis.symmetries.size(); ++a) {
    SymmetryField& f = field.symmetries[a];
    completed(transformed.p[a]);
    f.field2c = std::move(transformed.p[a].LL);
    const OrthonormalBasis& large = decouplings[a].space.large;
    untransformed += expectation(large.x.transpose() * f.field2c * large.x,
                                 large.dual * twoComponent[a].large, twoComponent[a].occupation);
  }
  field.spinors = occupiedOf(spinors);
  std::size_t open = 0;
  for (FieldSpinor& s : field.spinors) {
    if (!s.open) continue;
    const Eigen::Index n = s.large.size();
    s.coulomb = std::move(whole.q[open]);
    s.gaunt = gaunt.q.empty() ? zeroBlocks(n) : std::move(gaunt.q[open]);
    s.gauge = gauge.q.empty() ? zeroBlocks(n) : std::move(gauge.q[open]);
    for (BlockMatrix* part : {&s.coulomb, &s.gaunt, &s.gauge}) completed(*part);
    ++open;
  }
  field.fractionalEnergy = oneElectron + 0.5 * twoElectron;
  field.constant = -0.5 * (transformedBack - untransformed);
  return field;
}

}  // namespace prophet
