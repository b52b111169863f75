#include "atoms/core_valence/valence_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "atoms/angular/angular.hpp"
#include "atoms/correlation/partial_waves.hpp"
#include "atoms/levels/spinor_table.hpp"
#include "core/common/error.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// Hartree: spinors of the field above do not mix with valence electrons.
constexpr double kValenceRange = 300;
/// Hartree: energies of excitations are not less, so that near degeneracies do not make all of a density.
constexpr double kSmoothed = 0.2;

/// All eigenvectors of a field, of one symmetry.
struct FieldFunctions : ValenceFunctions {
  Eigen::VectorXd energies;  ///< ascending, hartree
};

/// The products of one function with others, P P + Q Q at the points.
template <class Columns>
Eigen::MatrixXd productsOf(const SpinorFunctions& f, Eigen::Index i, const Columns& large,
                           const Columns& small) {
  Eigen::MatrixXd values = f.large.col(i).asDiagonal() * large;
  if (f.small.rows() > 0) values += f.small.col(i).asDiagonal() * small;
  return values;
}

/// Combinations of the first virtual spinors of a symmetry.
void setFunctions(const SymmetryOrbitals& o, Eigen::MatrixXd rotation, ValenceFunctions& f) {
  f.symmetry = o.symmetry;
  f.rotation = std::move(rotation);
  const Eigen::Index rows = f.rotation.rows();
  f.large = multiply(o.large.middleCols(o.closed, rows), false, f.rotation, false);
  f.small = o.small.rows() > 0 ? multiply(o.small.middleCols(o.closed, rows), false, f.rotation, false)
                               : Eigen::MatrixXd(0, f.rotation.cols());
}

/// The core's virtual spinors below kValenceRange.
std::vector<FieldFunctions> coreFunctions(const OrbitalSpace& orbitals, int symmetries) {
  std::vector<FieldFunctions> all;
  for (int s = 0; s < symmetries; ++s) {
    const SymmetryOrbitals& o = orbitals.symmetries()[usize(s)];
    const Eigen::VectorXd energies = o.energies.tail(o.virtuals());
    const Eigen::Index count = std::ranges::lower_bound(energies, kValenceRange) - energies.begin();
    if (count == 0) throw Error(fmt::format("there are no spinors {} above the core", o.symmetry.label()));
    FieldFunctions f;
    f.symmetry = o.symmetry;
    f.rotation = Eigen::MatrixXd::Identity(count, count);
    f.large = o.large.middleCols(o.closed, count);
    f.small = o.small.rows() > 0 ? o.small.middleCols(o.closed, count) : Eigen::MatrixXd(0, count);
    f.energies = energies.head(count);
    all.push_back(std::move(f));
  }
  return all;
}

/// The core's field with that of valence electrons in the average of a configuration: a shell nl of q
/// electrons makes q/(4l + 2) of a full shell's field, and (q - 1)/(4l + 1) for its own electrons.
class ValenceField {
 public:
  ValenceField(const OrbitalSpace& orbitals, const std::vector<FieldFunctions>& core,
               const std::vector<Shell>& shells, ThreadPool& pool)
      : orbitals_(orbitals), core_(core), pool_(pool) {
    std::map<int, int> next;
    for (const Shell& shell : shells) {
      const int place = next[shell.l]++;
      for (std::size_t s = 0; s < core.size(); ++s)
        if (core[s].symmetry.l() == shell.l && place < core[s].rotation.cols())
          occupied_.push_back({static_cast<int>(s), place, shell.l, shell.electrons, {}});
    }
    outermost_ = shells.back().l;
    outermostPlace_ = next[outermost_] - 1;
    for (Occupied& o : occupied_)
      o.vector = Eigen::VectorXd::Unit(core[usize(o.symmetry)].rotation.rows(), o.place);
    converge();
  }

  /// The spinors that the electrons have, and above them eigenvectors of the field of all electrons but one.
  std::vector<FieldFunctions> functions() const {
    std::vector<FieldFunctions> all(core_.size());
    pool_.forEach(static_cast<int>(core_.size()), [&](int s, int) {
      const Eigen::Index rows = core_[usize(s)].rotation.rows();
      Eigen::MatrixXd own(rows, 0);
      Eigen::VectorXd energies(0);
      for (const Occupied& o : occupied_)
        if (o.symmetry == s) {
          own.conservativeResize(rows, own.cols() + 1);
          own.rightCols(1) = o.vector;
          energies.conservativeResize(own.cols());
          energies.tail(1).setConstant(o.energy);
        }
      const Eigen::MatrixXd others =
          own.cols() > 0 ? orthogonalComplement(own) : Eigen::MatrixXd::Identity(rows, rows);
      const SymmetricEigen solved(others.transpose() * fockOf(s, -1) * others);
      FieldFunctions& f = all[usize(s)];
      Eigen::MatrixXd rotation(rows, rows);
      rotation << own, others * solved.eigenvectors();
      f.energies.resize(rows);
      f.energies << energies, solved.eigenvalues();
      const SymmetryOrbitals& o = orbitals_.symmetries()[usize(s)];
      setFunctions(o, std::move(rotation), f);
    });
    return all;
  }

 private:
  struct Occupied {
    int symmetry = 0, place = 0, l = 0, electrons = 0;
    Eigen::VectorXd vector;  ///< over the core's virtual spinors
    double energy = 0;
  };
  static constexpr int kMostRounds = 200;
  static constexpr double kMixed = 0.6, kConverged = 1e-5;  // of new vectors; hartree

  /// The share of a full shell that acts on spinors of a symmetry; `place`: of an occupied one, or -1.
  double shareOf(const Occupied& by, int symmetry, int place) const {
    const int l = core_[usize(symmetry)].symmetry.l(), full = 4 * by.l + 2;
    if (place >= 0 && by.l == l && by.place == place) return (by.electrons - 1.0) / (full - 1);
    const bool isOutermost = by.l == outermost_ && by.place == outermostPlace_;
    return (by.electrons - (place < 0 && isOutermost ? 1.0 : 0.0)) / full;
  }

  Eigen::MatrixXd fockOf(int s, int place) const {
    const FieldFunctions& f = core_[usize(s)];
    Eigen::MatrixXd fock = f.energies.asDiagonal();
    Eigen::VectorXd charge = Eigen::VectorXd::Zero(orbitals_.points());
    for (const Occupied& o : occupied_) {
      const double share = shareOf(o, s, place);
      if (share == 0) continue;
      const FieldFunctions& g = core_[usize(o.symmetry)];
      SpinorFunctions own{g.symmetry, g.large * o.vector,
                          g.small.rows() > 0 ? Eigen::MatrixXd(g.small * o.vector) : Eigen::MatrixXd(0, 1)};
      charge += share * g.symmetry.degeneracy() * productsOf(own, 0, own.large, own.small);
      fock -= share * exchangeBetween(orbitals_, f, own);
    }
    fock += localBetween(f, orbitals_.potentials(0, charge));
    return 0.5 * (fock + fock.transpose());
  }

  void converge() {
    for (int round = 0; round < kMostRounds; ++round) {
      std::vector<Eigen::VectorXd> vectors(occupied_.size());
      std::vector<double> energies(occupied_.size());
      pool_.forEach(static_cast<int>(occupied_.size()), [&](int i, int) {
        const Occupied& o = occupied_[usize(i)];
        const SymmetricEigen solved(fockOf(o.symmetry, o.place));
        vectors[usize(i)] = solved.eigenvectors().col(o.place);
        energies[usize(i)] = solved.eigenvalues()(o.place);
      });
      double change = 0;
      for (std::size_t i = 0; i < occupied_.size(); ++i) {
        Occupied& o = occupied_[i];
        change = std::max(change, std::abs(energies[i] - o.energy));
        o.energy = energies[i];
        const double sign = vectors[i].dot(o.vector) < 0 ? -1 : 1;
        o.vector = (kMixed * sign * vectors[i] + (1 - kMixed) * o.vector).normalized();
      }
      // Those of one symmetry are eigenvectors of different fields.
      for (std::size_t i = 0; i < occupied_.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (occupied_[i].symmetry == occupied_[j].symmetry) {
            Eigen::VectorXd& v = occupied_[i].vector;
            v = (v - occupied_[j].vector.dot(v) * occupied_[j].vector).normalized();
          }
      if (change < kConverged) return;
    }
    throw Error("the field of the valence electrons does not converge");
  }

  const OrbitalSpace& orbitals_;
  const std::vector<FieldFunctions>& core_;
  ThreadPool& pool_;
  std::vector<Occupied> occupied_;
  int outermost_ = 0, outermostPlace_ = 0;
};

/// The density of second order between the virtual spinors of a field.
class PairDensity {
 public:
  PairDensity(const OrbitalSpace& orbitals, const std::vector<FieldFunctions>& field,
              const ValenceSpinorRequest& request, ThreadPool& pool)
      : orbitals_(orbitals), field_(field), pool_(pool) {
    for (std::size_t s = 0; s < field.size(); ++s) {
      counts_.push_back(field[s].energies.size());
      const auto l = usize(field[s].symmetry.l());
      const auto wanted = l < request.references.size() ? request.references[l] : 0;
      for (int i = 0; i < std::min<Eigen::Index>(wanted, counts_.back()); ++i)
        references_.push_back({static_cast<int>(s), i});
      densities_.push_back(Eigen::MatrixXd::Zero(counts_.back(), counts_.back()));
    }
    makeIntegrals();
  }

  /// Over all pairs of references of which one is the first of its symmetry.
  std::vector<Eigen::MatrixXd> densities() {
    for (std::size_t a = 0; a < references_.size(); ++a)
      for (std::size_t b = a; b < references_.size(); ++b)
        if (isFirst(a) || isFirst(b)) addPair(a, b);
    return std::move(densities_);
  }

 private:
  struct Reference {
    int symmetry = 0;
    Eigen::Index column = 0;
  };
  const FieldFunctions& of(int s) const { return field_[usize(s)]; }
  Symmetry type(int s) const { return of(s).symmetry; }
  bool isFirst(std::size_t a) const { return references_[a].column == 0; }
  double energyOf(std::size_t a) const { return of(references_[a].symmetry).energies(references_[a].column); }

  void makeIntegrals() {
    int most = 0;
    for (std::size_t s = 0; s < counts_.size(); ++s) most = std::max(most, type(static_cast<int>(s)).twoJ());
    integrals_.resize(usize(most) + 1);
    pool_.forEach(most + 1, [&](int k, int) {
      Integrals& own = integrals_[usize(k)];
      Eigen::Index columns = 0;
      for (const Reference& r : references_)
        for (std::size_t s = 0; s < counts_.size(); ++s) {
          const bool counts = reducedC(type(static_cast<int>(s)), k, type(r.symmetry)) != 0;
          own.firsts.push_back(counts ? columns : -1);
          if (counts) columns += counts_[s];
        }
      Eigen::MatrixXd densities(orbitals_.points(), columns);
      for (std::size_t r = 0; r < references_.size(); ++r)
        for (std::size_t s = 0; s < counts_.size(); ++s)
          if (const Eigen::Index first = own.firsts[r * counts_.size() + s]; first >= 0)
            densities.middleCols(first, counts_[s]) = productsOf(
                of(references_[r].symmetry), references_[r].column, field_[s].large, field_[s].small);
      own.values = multiply(densities, true, orbitals_.potentials(k, densities), false);
    });
  }

  /// <(mn)J|1/r|(ab)J> for all m and n of two symmetries.
  Eigen::MatrixXd coupled(int twoJ, int s, int t, std::size_t a, std::size_t b) const {
    const Symmetry sm = type(s), sn = type(t), sa = type(references_[a].symmetry),
                   sb = type(references_[b].symmetry);
    Eigen::MatrixXd elements = Eigen::MatrixXd::Zero(counts_[usize(s)], counts_[usize(t)]);
    for (int k = 0; usize(k) < integrals_.size(); ++k) {
      const double factor = pairCoupling(k, twoJ, sm, sn, sa, sb) * reducedC(sm, k, sa) * reducedC(sn, k, sb);
      if (factor == 0) continue;
      const Integrals& own = integrals_[usize(k)];
      elements += factor * own.values.block(own.firsts[a * counts_.size() + usize(s)],
                                            own.firsts[b * counts_.size() + usize(t)], elements.rows(),
                                            elements.cols());
    }
    return elements;
  }

  void addPair(std::size_t a, std::size_t b) {
    const Symmetry sa = type(references_[a].symmetry), sb = type(references_[b].symmetry);
    const double energy = energyOf(a) + energyOf(b);
    const int symmetries = static_cast<int>(counts_.size());
    pool_.forEach(symmetries, [&](int s, int) {
      for (int t = 0; t < symmetries; ++t)
        for (int twoJ = std::abs(sa.twoJ() - sb.twoJ()); twoJ <= sa.twoJ() + sb.twoJ(); twoJ += 2) {
          if ((type(s).l() + type(t).l() + sa.l() + sb.l()) % 2 != 0) continue;
          Eigen::MatrixXd c = coupled(twoJ, s, t, a, b) -
                              minusOneTo((sa.twoJ() + sb.twoJ() - twoJ) / 2) * coupled(twoJ, s, t, b, a);
          for (Eigen::Index n = 0; n < c.cols(); ++n)
            for (Eigen::Index m = 0; m < c.rows(); ++m)
              c(m, n) /= std::hypot(energy - of(s).energies(m) - of(t).energies(n), kSmoothed);
          densities_[usize(s)] += (a == b ? 0.5 : 1.0) * (twoJ + 1) * multiply(c, false, c, true);
        }
    });
  }

  const OrbitalSpace& orbitals_;
  const std::vector<FieldFunctions>& field_;
  ThreadPool& pool_;
  /// R^k(am,bn), rows (a, m) and columns (b, n), for the symmetries of m to which k leads from a.
  struct Integrals {
    std::vector<Eigen::Index> firsts;  ///< of each reference and symmetry; -1: k does not lead there
    Eigen::MatrixXd values;
  };
  std::vector<Eigen::Index> counts_;
  std::vector<Reference> references_;
  std::vector<Integrals> integrals_;  ///< [k]
  std::vector<Eigen::MatrixXd> densities_;
};

/// Columns over the first virtual spinors of a symmetry: eigenvectors, then natural spinors.
Eigen::MatrixXd rotationOf(const Eigen::VectorXd& energies, const Eigen::MatrixXd& density, int l,
                           const ValenceSpinorRequest& request) {
  const bool isBound = l <= request.boundL;
  const Eigen::Index rows = energies.size(),
                     count = std::min<Eigen::Index>(
                         rows, isBound ? request.perSymmetry : (request.perSymmetry + 1) / 2),
                     kept = isBound ? std::min<Eigen::Index>(count, request.eigenvectors) : 0,
                     rest = rows - kept;
  Eigen::MatrixXd rotation = Eigen::MatrixXd::Identity(rows, count);
  if (kept == count) return rotation;
  const Eigen::MatrixXd natural =
      SymmetricEigen(density.bottomRightCorner(rest, rest)).eigenvectors().rightCols(count - kept);
  const Eigen::MatrixXd field = natural.transpose() * energies.tail(rest).asDiagonal() * natural;
  rotation.rightCols(count - kept).setZero();
  rotation.bottomRightCorner(rest, count - kept) = natural * SymmetricEigen(field).eigenvectors();
  return rotation;
}

/// Signs are those of P next to the nucleus, so that spinors of both j add up to those of one l.
ValenceFunctions valenceFunctionsOf(const SymmetryOrbitals& o, Eigen::MatrixXd rotation) {
  ValenceFunctions f;
  setFunctions(o, std::move(rotation), f);
  for (Eigen::Index i = 0; i < f.large.cols(); ++i) {
    if (signNearNucleus(f.large.col(i)) > 0) continue;
    f.rotation.col(i) *= -1;
    f.large.col(i) *= -1;
    if (f.small.rows() > 0) f.small.col(i) *= -1;
  }
  return f;
}

}  // namespace

double pairCoupling(int k, int twoJ, Symmetry a, Symmetry b, Symmetry c, Symmetry d) {
  return minusOneTo((b.twoJ() + c.twoJ() + twoJ) / 2) *
         wigner6j(a.twoJ(), b.twoJ(), twoJ, d.twoJ(), c.twoJ(), 2 * k);
}

Eigen::MatrixXd localBetween(const SpinorFunctions& f, const Eigen::VectorXd& weighted) {
  Eigen::MatrixXd matrix = multiply(f.large, true, weighted.asDiagonal() * f.large, false);
  if (f.small.rows() > 0) matrix += multiply(f.small, true, weighted.asDiagonal() * f.small, false);
  return matrix;
}

Eigen::MatrixXd exchangeBetween(const OrbitalSpace& orbitals, const SpinorFunctions& f,
                                const SpinorFunctions& full) {
  const Eigen::MatrixXd products = productsOf(full, 0, f.large, f.small);
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(f.count(), f.count());
  for (const auto& [k, coefficient] : exchangeTerms(f.symmetry, full.symmetry))
    sum += full.symmetry.degeneracy() * coefficient *
           multiply(products, true, orbitals.potentials(k, products), false);
  return sum;
}

Eigen::MatrixXd ValenceSpace::densities(int s, int i, int t, Eigen::Index count) const {
  const ValenceFunctions& g = functions[usize(t)];
  return productsOf(functions[usize(s)], i, g.large.leftCols(count), g.small.leftCols(count));
}

Eigen::MatrixXd ValenceSpace::densitiesWith(int s, int i, int orbital, Eigen::Index from,
                                            Eigen::Index count) const {
  const SymmetryOrbitals& o = orbitals.symmetries()[usize(orbital)];
  return productsOf(functions[usize(s)], i, o.large.middleCols(from, count), o.small.middleCols(from, count));
}

ValenceSpace valenceSpace(const OrbitalSpace& orbitals, const Configuration& core,
                          const ValenceSpinorRequest& request, ThreadPool& pool) {
  if (core.hasOpenShells())
    throw Error(
        fmt::format("the core of valence electrons must be of closed shells; found '{}'", core.description));
  ValenceSpace space{
      orbitals,         {}, {0}, {}, {}, activeSpinors(orbitals, OpenGroups(core), request.frozen),
      request.screening};
  const int symmetries = std::min(2 * request.largestL + 1, static_cast<int>(orbitals.symmetries().size()));
  std::vector<FieldFunctions> field = coreFunctions(orbitals, symmetries);
  if (!request.inField.empty()) {
    const std::vector<FieldFunctions> alone = std::move(field);
    field = ValenceField(orbitals, alone, request.inField, pool).functions();
  }
  const std::vector<Eigen::MatrixXd> densities = PairDensity(orbitals, field, request, pool).densities();
  for (int s = 0; s < symmetries; ++s) {
    const SymmetryOrbitals& o = orbitals.symmetries()[usize(s)];
    const FieldFunctions& own = field[usize(s)];
    const Eigen::MatrixXd chosen = rotationOf(own.energies, densities[usize(s)], o.symmetry.l(), request);
    ValenceFunctions f = valenceFunctionsOf(
        o, request.inField.empty() ? chosen : multiply(own.rotation, false, chosen, false));
    const Eigen::VectorXd energies = o.energies.segment(o.closed, f.rotation.rows());
    for (Eigen::Index i = 0; i < f.rotation.cols(); ++i)
      space.spinors.push_back({s, o.symmetry.l() + 1 + o.closed + static_cast<int>(i), o.symmetry,
                               f.rotation.col(i).cwiseAbs2().dot(energies)});
    space.first.push_back(static_cast<int>(space.spinors.size()));
    space.screenedCount.push_back(std::min<Eigen::Index>(f.rotation.cols(), request.screened));
    space.functions.push_back(std::move(f));
  }
  space.products = productPoints(orbitals, space.factors(), pool);
  return space;
}

std::vector<SpinorFunctions> ValenceSpace::factors() const {
  std::vector<SpinorFunctions> list(functions.begin(), functions.end());
  for (const SymmetryOrbitals& o : orbitals.symmetries())
    if (o.closed > 0) list.push_back(functionsOf(orbitals, o.symmetry.index(), 0, o.closed));
  return list;
}

SpinorFunctions ValenceSpace::withCore(int symmetry) const {
  const int closed = orbitals.symmetries()[usize(symmetry)].closed;
  const SpinorFunctions core = functionsOf(orbitals, symmetry, 0, closed);
  const SpinorFunctions& valence = functions[usize(symmetry)];
  SpinorFunctions all{core.symmetry, Eigen::MatrixXd(core.large.rows(), closed + valence.count()),
                      Eigen::MatrixXd(core.small.rows(), closed + valence.count())};
  all.large << core.large, valence.large;
  if (all.small.rows() > 0) all.small << core.small, valence.small;
  return all;
}

Eigen::MatrixXd ValenceSpace::coreField(int symmetry) const {
  const SymmetryOrbitals& o = orbitals.symmetries()[usize(symmetry)];
  const Eigen::MatrixXd& rotation = functions[usize(symmetry)].rotation;
  return rotation.transpose() * o.energies.segment(o.closed, rotation.rows()).asDiagonal() * rotation;
}

Eigen::MatrixXd selfEnergy(const ValenceSpace& space, int symmetry, CorrelationEngine& engine,
                           ThreadPool& pool, const Checkpoint& checkpoint, bool allWaves) {
  SpinorFunctions functions = space.withCore(symmetry);
  const Eigen::Index lowest = functions.count() - space.count(symmetry);
  const SelfEnergyTerms terms{space.orbitals,         space.holes,    symmetry, std::move(functions), lowest,
                              space.lowest(symmetry), space.products, pool,     space.screening};
  SigmaPart sum{Eigen::MatrixXd::Zero(terms.count(), terms.count()),
                std::vector<double>(usize(space.orbitals.largestL()) + 1, 0.0)};
  addHoles(*engine.sums(terms), space.holes.size(), checkpoint, sum);
  if (allWaves) sum.matrix *= extrapolatedWaves(sum.waves).value / sum.matrix(lowest, lowest);
  return 0.5 * (sum.matrix + sum.matrix.transpose());
}

}  // namespace prophet
