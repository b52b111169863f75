#include "atoms/lines/relaxed_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>

#include "atoms/angular/angular.hpp"
#include "atoms/configurations/determinant_space.hpp"
#include "atoms/lines/multipole_elements.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/common/threads.hpp"

namespace prophet {
namespace {

constexpr double kSingular = 1e-3;      // pivots of overlaps below it are taken for a failure
constexpr double kNegligible = 1e-300;  // coefficients below it are none

/// The spinors of two results, one after the other.
class BothWavefunctions : public Wavefunction {
 public:
  BothWavefunctions(std::shared_ptr<const Wavefunction> first, std::shared_ptr<const Wavefunction> second)
      : first_(std::move(first)), second_(std::move(second)) {}

  int count() const override { return first_->count() + second_->count(); }
  RadialFunctions radial(int index, const Eigen::VectorXd& r) const override {
    requireSpinorAndRadii(index, count(), r);
    const int own = first_->count();
    return index < own ? first_->radial(index, r) : second_->radial(index - own, r);
  }
  std::vector<RadialFunctions> allRadial(const Eigen::VectorXd& r) const override {
    std::vector<RadialFunctions> all = first_->allRadial(r);
    for (RadialFunctions& f : second_->allRadial(r)) all.push_back(std::move(f));
    return all;
  }
  double largestRadius() const override {
    return std::max(first_->largestRadius(), second_->largestRadius());
  }
  double smallestRadius() const override {
    return std::min(first_->smallestRadius(), second_->smallestRadius());
  }

 private:
  std::shared_ptr<const Wavefunction> first_, second_;
};

Result both(const Result& first, const Result& second) {
  if (!first.wavefunction || !second.wavefunction)
    throw Error("lines need the radial functions of the spinors");
  Result result = first;
  result.spinors.insert(result.spinors.end(), second.spinors.begin(), second.spinors.end());
  result.wavefunction = std::make_shared<BothWavefunctions>(first.wavefunction, second.wavefunction);
  return result;
}

/// The places of the spinors of one symmetry in a space: closed ones first, then open ones in their order.
struct SymmetrySpinors {
  std::vector<const LevelSpinor*> list;
  int closed = 0;
};

std::map<int, SymmetrySpinors> bySymmetry(const LevelSpace& space) {
  std::map<int, SymmetrySpinors> found;
  for (const LevelSpinor& s : space.closed) {
    SymmetrySpinors& own = found[s.symmetry.index()];
    own.list.push_back(&s);
    ++own.closed;
  }
  for (const LevelSpinor& s : space.open) found[s.symmetry.index()].list.push_back(&s);
  return found;
}

/// Functions of one symmetry in place of the spinors of a list, over those of both results. Spinors that a
/// result does not have, and no electron of it takes, are those of the other one outside its own.
Eigen::MatrixXd completed(const std::vector<const LevelSpinor*>& wanted, const Eigen::MatrixXd& overlap,
                          const std::vector<int>& own, const std::vector<int>& other) {
  const auto size = static_cast<Eigen::Index>(wanted.size());
  Eigen::MatrixXd functions = Eigen::MatrixXd::Zero(overlap.rows(), size);
  for (Eigen::Index i = 0; i < size; ++i)
    if (const int place = own[usize(i)]; place >= 0) functions(place, i) = 1;
  for (Eigen::Index i = 0; i < size; ++i) {
    if (own[usize(i)] >= 0) continue;
    const int place = other[usize(i)];
    if (place < 0) continue;  // of a third group: empty in both
    Eigen::VectorXd f = Eigen::VectorXd::Unit(overlap.rows(), place);
    f -= functions * (functions.transpose() * (overlap * f));
    const double norm = std::sqrt(f.dot(overlap * f));
    if (!(norm > kSingular))
      throw Error(fmt::format(
          "lines: a spinor {} of one group lies among those of another; choose relaxed='none', common "
          "spinors",
          wanted[usize(i)]->label()));
    functions.col(i) = f / norm;
  }
  return functions;
}

/// One of two groups in the places of the whole space: transformed determinants of a J and parity.
struct TransformedBlock {
  int twoJ = 0;
  bool odd = false;
  LevelBlock block;         ///< with determinants and their places alone
  Eigen::MatrixXd vectors;  ///< determinants x levels
  std::vector<int> places;  ///< of the levels in the list of all
  std::vector<double> energies;
};

/// How the spinors of one group are made of biorthonormal ones.
struct Side {
  const RelaxedLevels& group;
  Eigen::MatrixXd electrons;  ///< open places of the space: creation of one by those of new spinors
  Eigen::MatrixXd functions;  ///< new open spinors over the functions of both results
  double closedFactor = 1;    ///< by which the closed shells change
};

/// A group and another one: what follows for the first from both.
class PairOfGroups {
 public:
  PairOfGroups(const LevelSpace& all, const RelaxedLevels& bra, const RelaxedLevels& ket,
               const LevelField& field)
      : all_(all),
        result_(both(bra.result, ket.result)),
        spinors_(result_, field, 0),
        bra_{bra, {}, {}, 1},
        ket_{ket, {}, {}, 1} {
    const auto open = static_cast<Eigen::Index>(all.open.size());
    const auto count = static_cast<Eigen::Index>(result_.spinors.size());
    for (Side* side : {&bra_, &ket_}) {
      side->electrons = Eigen::MatrixXd::Zero(open, open);
      side->functions = Eigen::MatrixXd::Zero(count, open);
    }
    turn(bra, 0, field);
    turn(ket, static_cast<int>(bra.result.spinors.size()), field);
    for (const auto& [index, spinors] : bySymmetry(all)) add(spinors);
    for (std::size_t i = 0; i < result_.spinors.size(); ++i)
      functions_.push_back({result_.spinors[i].n, result_.spinors[i].symmetry, static_cast<int>(i)});
  }

  const SpinorTable& spinors() const { return spinors_; }
  /// The spinors of both results, as their multipole elements want them.
  const std::vector<LevelSpinor>& functions() const { return functions_; }
  const Side& bra() const { return bra_; }
  const Side& ket() const { return ket_; }

 private:
  /// Signs of this table against those of the group's own one, in which its vectors are.
  void turn(const RelaxedLevels& group, int first, const LevelField& field) {
    const SpinorTable own(group.result, field, 0);
    for (int i = 0; i < own.count(); ++i) signs_.push_back(own.sign(i) * spinors_.sign(first + i));
  }

  /// The places of spinors among the functions of both results; -1: none.
  std::vector<int> placesIn(const LevelSpace& space, int first,
                            const std::vector<const LevelSpinor*>& wanted) const {
    std::vector<int> places;
    for (const LevelSpinor* w : wanted) {
      places.push_back(-1);
      for (const auto* list : {&space.closed, &space.open})
        for (const LevelSpinor& s : *list)
          if (s.n == w->n && s.symmetry == w->symmetry) places.back() = first + s.index;
    }
    return places;
  }

  void add(const SymmetrySpinors& spinors) {
    const std::vector<int> inBra = placesIn(bra_.group.space, 0, spinors.list),
                           inKet = placesIn(ket_.group.space,
                                            static_cast<int>(bra_.group.result.spinors.size()), spinors.list);
    const auto count = static_cast<Eigen::Index>(result_.spinors.size());
    Eigen::MatrixXd overlap = Eigen::MatrixXd::Zero(count, count);
    std::vector<int> all = inBra;
    all.insert(all.end(), inKet.begin(), inKet.end());
    for (const int a : all)
      for (const int b : all)
        if (a >= 0 && b >= 0)
          overlap(a, b) = signs_[usize(a)] * signs_[usize(b)] *
                          (spinors_.largeOverlap(a, b) + spinors_.smallOverlap(a, b));
    // Only places that one of both has count; those of third groups are empty in both.
    std::vector<Eigen::Index> kept;
    for (std::size_t i = 0; i < spinors.list.size(); ++i)
      if (inBra[i] >= 0 || inKet[i] >= 0) kept.push_back(static_cast<Eigen::Index>(i));
    const Eigen::MatrixXd bra = completed(spinors.list, overlap, inBra, inKet)(Eigen::all, kept),
                          ket = completed(spinors.list, overlap, inKet, inBra)(Eigen::all, kept);
    const Biorthonormal old = biorthonormal(bra.transpose() * overlap * ket);
    place(bra_, spinors, kept, bra, old.bra);
    place(ket_, spinors, kept, ket, old.ket);
  }

  void place(Side& side, const SymmetrySpinors& spinors, const std::vector<Eigen::Index>& kept,
             const Eigen::MatrixXd& functions, const Eigen::MatrixXd& old) const {
    Eigen::VectorXd signs(static_cast<Eigen::Index>(signs_.size()));
    for (Eigen::Index i = 0; i < signs.size(); ++i) signs(i) = signs_[usize(i)];
    const Eigen::MatrixXd transposed =
        old.transpose().triangularView<Eigen::Lower>().solve(functions.transpose());
    const Eigen::MatrixXd fresh = signs.asDiagonal() * transposed.transpose();
    const auto openPlace = [&](Eigen::Index i) {
      return spinors.list[usize(kept[usize(i)])] - all_.open.data();
    };
    for (Eigen::Index i = 0; i < old.cols(); ++i) {
      if (i < spinors.closed) {
        side.closedFactor *= std::pow(old(i, i), spinors.list.front()->symmetry.degeneracy());
        continue;
      }
      side.functions.col(openPlace(i)) = fresh.col(i);
      for (Eigen::Index k = spinors.closed; k <= i; ++k)
        side.electrons(openPlace(k), openPlace(i)) = old(k, i);
    }
  }

  const LevelSpace& all_;
  Result result_;
  SpinorTable spinors_;
  std::vector<double> signs_;
  std::vector<LevelSpinor> functions_;
  Side bra_, ket_;
};

/// Determinants with coefficients, made electron by electron.
using DeterminantExpansion = std::unordered_map<Determinant, double>;

/// Expands determinants of one group, in the places of the whole space, over those of new spinors.
class DeterminantTransformation {
 public:
  DeterminantTransformation(const LevelSpace& all, const Side& side)
      : places_(placesOf(all)), side_(side), own_(placesOf(side.group.space)) {
    const LevelSpace& space = side.group.space;
    for (const Place& p : own_) {
      const LevelSpinor& s = space.open[usize(p.spinor)];
      for (std::size_t i = 0; i < places_.size(); ++i)
        if (all.open[usize(places_[i].spinor)].n == s.n && places_[i].symmetry == s.symmetry &&
            places_[i].twoM == p.twoM)
          bits_.push_back(static_cast<int>(i));
    }
    for (const LevelSpinor& s : space.closed)
      for (std::size_t i = 0; i < places_.size(); ++i)
        if (all.open[usize(places_[i].spinor)].n == s.n && places_[i].symmetry == s.symmetry)
          filled_ |= Determinant(1) << i;
  }

  /// Full shells that only this group has closed do not change signs: they hold even numbers of electrons.
  DeterminantExpansion operator()(Determinant own) const {
    Determinant whole = filled_;
    for (std::size_t i = 0; i < bits_.size(); ++i)
      if (own >> i & 1) whole |= Determinant(1) << bits_[i];
    DeterminantExpansion made{{0, side_.closedFactor}};
    for (int bit = static_cast<int>(places_.size()) - 1; bit >= 0; --bit)
      if (whole >> bit & 1) made = created(made, places_[usize(bit)]);
    return made;
  }

 private:
  DeterminantExpansion created(const DeterminantExpansion& before, const Place& old) const {
    DeterminantExpansion after;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const Place& p = places_[i];
      if (!(p.symmetry == old.symmetry) || p.twoM != old.twoM) continue;
      const double share = side_.electrons(p.spinor, old.spinor);
      if (share == 0) continue;
      const Determinant bit = Determinant(1) << i;
      for (const auto& [d, value] : before)
        if (!(d & bit)) after[d | bit] += (std::popcount(d & (bit - 1)) % 2 == 0 ? share : -share) * value;
    }
    return after;
  }

  std::vector<Place> places_;
  const Side& side_;
  std::vector<Place> own_;
  std::vector<int> bits_;   ///< of the group's places in the whole space
  Determinant filled_ = 0;  ///< places that are full in the group
};

std::vector<TransformedBlock> transformedBlocks(const LevelSpace& all, const Side& side) {
  const DeterminantTransformation transform(all, side);
  std::vector<TransformedBlock> blocks;
  for (const LevelVectors& v : side.group.levels.vectors) {
    const LevelBlock own = blockOf(side.group.space, v.twoJ, v.odd);
    if (own.size() != v.vectors().rows()) throw Error("lines: the levels are not of these configurations");
    const Eigen::MatrixXd old = own.states * v.vectors();
    TransformedBlock t{v.twoJ, v.odd, {v.twoJ, v.odd, {}, {}, {}, {}, {}}, {}, {}, {}};
    std::vector<Eigen::RowVectorXd> rows;
    for (std::size_t i = 0; i < own.determinants.size(); ++i) {
      for (const auto& [d, value] : transform(own.determinants[i])) {
        if (std::abs(value) < kNegligible) continue;
        const auto [place, isNew] = t.block.places.try_emplace(d, static_cast<int>(rows.size()));
        if (isNew) {
          t.block.determinants.push_back(d);
          rows.emplace_back(Eigen::RowVectorXd::Zero(old.cols()));
        }
        rows[usize(place->second)] += value * old.row(static_cast<Eigen::Index>(i));
      }
    }
    t.vectors.resize(static_cast<Eigen::Index>(rows.size()), old.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) t.vectors.row(static_cast<Eigen::Index>(i)) = rows[i];
    t.places.resize(usize(old.cols()));
    t.energies.resize(t.places.size());
    for (std::size_t i = 0; i < side.group.levels.levels.size(); ++i) {
      const Level& l = side.group.levels.levels[i];
      if (l.twoJ != v.twoJ || l.odd != v.odd) continue;
      t.places[usize(l.index - 1)] = side.group.places[i];
      t.energies[usize(l.index - 1)] = l.energy;
    }
    blocks.push_back(std::move(t));
  }
  return blocks;
}

/// Between the levels of two blocks the reduced elements of operators whose elements between new spinors are
/// given: one for each matrix.
std::vector<Eigen::MatrixXd> betweenLevels(const std::vector<Place>& places,
                                           const std::vector<Eigen::MatrixXd>& elements, int k,
                                           const TransformedBlock& bra, const TransformedBlock& ket) {
  std::vector<Eigen::MatrixXd> sums(elements.size(),
                                    Eigen::MatrixXd::Zero(bra.vectors.cols(), ket.vectors.cols()));
  const double norm = 1 / wigner3j(bra.twoJ, 2 * k, ket.twoJ, -bra.twoJ, bra.twoJ - ket.twoJ, ket.twoJ);
  const Eigen::Index open = elements.front().rows();
  for (Eigen::Index a = 0; a < open; ++a) {
    for (Eigen::Index b = 0; b < open; ++b) {
      if (std::ranges::all_of(elements, [&](const Eigen::MatrixXd& e) { return e(a, b) == 0; })) continue;
      const OneBody moves = oneBodyOf(places, [&](const Place& to, const Place& from) {
        if (to.spinor != a || from.spinor != b || to.twoM - from.twoM != bra.twoJ - ket.twoJ) return 0.0;
        return coupling(to, k, from);
      });
      const SparseMatrix between = matrixOf(moves, ket.block, bra.block.places, bra.vectors.rows());
      if (between.nonZeros() == 0) continue;
      const Eigen::MatrixXd density = norm * (bra.vectors.transpose() * (between * ket.vectors));
      for (std::size_t i = 0; i < elements.size(); ++i) sums[i] += elements[i](a, b) * density;
    }
  }
  return sums;
}

/// Lines of one multipole between two blocks.
void addLines(const LevelSpace& all, const PairOfGroups& pair, const SampledMultipole& s,
              const TransformedBlock& bra, const TransformedBlock& ket, const LineOptions& options, double c,
              LineList& lines) {
  const std::size_t kinds = s.multipole.magnetic ? 1 : 3, nodes = s.elements.size();
  std::vector<Eigen::MatrixXd> elements;
  for (const RadialElements& e : s.elements)
    for (std::size_t q = 0; q < kinds; ++q)
      elements.push_back(pair.bra().functions.transpose() *
                         (q == 0   ? e.charge
                          : q == 1 ? e.current
                                   : e.velocity) *
                         pair.ket().functions);
  const std::vector<Eigen::MatrixXd> at = betweenLevels(placesOf(all), elements, s.multipole.rank, bra, ket);
  for (std::size_t j = 0; j < ket.places.size(); ++j) {
    for (std::size_t i = 0; i < bra.places.size(); ++i) {
      const double omega = ket.energies[j] - bra.energies[i];
      if (omega == 0) continue;
      const Eigen::VectorXd parts = s.nodes.at(omega * omega);
      std::array<double, 3> sums{};
      for (std::size_t p = 0; p < nodes; ++p)
        for (std::size_t q = 0; q < kinds; ++q)
          sums[q] += parts(static_cast<Eigen::Index>(p)) *
                     at[p * kinds + q](static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      const double length = sums[0] + omega * sums[1];
      const double velocity = s.multipole.magnetic ? length : sums[2] / omega;
      Line line{bra.places[i],   ket.places[j],   s.multipole,
                std::abs(omega), length * length, velocity * velocity};
      if (omega > 0) std::swap(line.upper, line.lower);
      lines.add(line, omega > 0 ? ket.twoJ : bra.twoJ, options.leastGf, c);
    }
  }
}

/// `list`: takes them.
void addLinesBetween(const LevelSpace& all, const RelaxedLevels& bra, const RelaxedLevels& ket,
                     const LevelHamiltonian& hamiltonian, const LineOptions& options, double largest,
                     LineList& list) {
  const double c = hamiltonian.field.speedOfLight;
  const PairOfGroups pair(all, bra, ket, hamiltonian.field);
  std::vector<SampledMultipole> multipoles;
  for (const Multipole& m : options.multipoles)
    multipoles.push_back(
        sampledMultipole(pair.functions(), pair.spinors(), m, c, largest, options.interpolation));
  const std::vector<TransformedBlock> upper = transformedBlocks(all, pair.bra()),
                                      lower = transformedBlocks(all, pair.ket());
  const LineList none{{}, std::vector<double>(list.leftOut.size(), 0.0)};
  std::vector<LineList> found(upper.size() * lower.size(), none);
  ThreadPool pool(std::max(1, options.threads));
  pool.forEach(static_cast<int>(found.size()), [&](int p, int) {
    pass(options.checkpoint);
    const TransformedBlock &b = upper[usize(p) / lower.size()], &k = lower[usize(p) % lower.size()];
    for (const SampledMultipole& s : multipoles)
      if (s.multipole.connects(b.twoJ, b.odd, k.twoJ, k.odd))
        addLines(all, pair, s, b, k, options, c, found[usize(p)]);
  });
  for (const LineList& part : found) list.add(part);
}

}  // namespace

Biorthonormal biorthonormal(const Eigen::MatrixXd& overlap) {
  const Eigen::Index n = overlap.rows();
  Biorthonormal b{Eigen::MatrixXd::Identity(n, n), overlap};
  for (Eigen::Index k = 0; k < n; ++k) {
    if (!(std::abs(b.ket(k, k)) > kSingular))
      throw Error(
          "lines: the spinors of two groups of configurations are too different; choose relaxed='none', "
          "common spinors");
    for (Eigen::Index i = k + 1; i < n; ++i) {
      const double factor = b.ket(i, k) / b.ket(k, k);
      b.bra(k, i) = factor;
      b.ket.row(i) -= factor * b.ket.row(k);
      b.ket(i, k) = 0;
    }
  }
  return b;
}

LineList computeRelaxedLines(const LevelSpace& all, const std::vector<RelaxedLevels>& groups,
                             const LevelHamiltonian& hamiltonian, const LineOptions& options) {
  std::vector<double> energies;
  for (const RelaxedLevels& g : groups)
    for (const Level& l : g.levels.levels) energies.push_back(l.energy);
  const auto [low, high] = std::ranges::minmax(energies);
  LineList list{{}, std::vector<double>(energies.size(), 0.0)};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const RelaxedLevels& g = groups[i];
    const auto placeOf = [&](int own) { return g.places[usize(own)]; };
    const LineList own = computeLines(g.space, g.result, hamiltonian, g.levels, options);
    for (std::size_t l = 0; l < own.leftOut.size(); ++l) list.leftOut[usize(g.places[l])] += own.leftOut[l];
    list.addGauges(own);
    for (Line l : own.lines) {
      l.upper = placeOf(l.upper);
      l.lower = placeOf(l.lower);
      list.lines.push_back(l);
    }
    for (std::size_t j = 0; j < i; ++j)
      addLinesBetween(all, g, groups[j], hamiltonian, options, high - low, list);
  }
  list.sort();
  return list;
}

}  // namespace prophet
