#include "atoms/core_valence/valence_properties.hpp"

#include <memory>
#include <utility>

#include "atoms/core_valence/structural_radiation.hpp"
#include "atoms/correlation/core_polarisation.hpp"
#include "atoms/correlation/spinor_operators.hpp"
#include "core/common/index.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// A state's spinor in the field of the closed shells, its Brueckner orbital, and what this has of the
/// spinors above the closed ones.
struct StateFunctions {
  SpinorFunctions field, brueckner, outside;
};

StateFunctions functionsOf(const OrbitalSpace& space, const ValenceState& state) {
  const SymmetryOrbitals& own = space.symmetries()[usize(state.symmetry)];
  const auto combined = [&](Eigen::Index first) {
    const SpinorFunctions all = functionsOf(space, state.symmetry, first, own.count() - first);
    const Eigen::VectorXd coefficients = state.bruecknerSpinor.tail(all.count());
    return SpinorFunctions{all.symmetry, all.large * coefficients, all.small * coefficients};
  };
  return {functionsOf(space, state.symmetry, state.column, 1), combined(0), combined(own.closed)};
}

class PropertyMaker {
 public:
  PropertyMaker(const OrbitalSpace& space, const std::vector<ValenceState>& states, double c,
                ThreadPool& pool, Checkpoint checkpoint)
      : space_(space), states_(states), c_(c), pool_(pool), checkpoint_(std::move(checkpoint)) {
    for (const ValenceState& s : states) functions_.push_back(functionsOf(space, s));
  }

  ValenceProperties all(const Configuration& core, const std::vector<Shell>& frozen) {
    addHyperfine();
    for (std::size_t i = 0; i < states_.size(); ++i)
      for (std::size_t j = i + 1; j < states_.size(); ++j) addTransitions(i, j);
    addRadiation(core, frozen);
    return std::move(result_);
  }

 private:
  using Response = std::shared_ptr<const CorePolarisation>;
  enum class Kind { A, B, Line };
  /// A value of the result: what its element of radiated_[operation] is multiplied by.
  struct Wanted {
    Kind kind = Kind::A;
    std::size_t row = 0, operation = 0, bra = 0, ket = 0;
    double factor = 1;
  };
  PolarisedValue& valueOf(const Wanted& w) {
    if (w.kind == Kind::Line) return result_.transitions[w.row].element;
    ValenceHyperfine& h = result_.hyperfine[w.row];
    return w.kind == Kind::A ? h.a : h.b.emplace(h.b.value_or(PolarisedValue{}));
  }
  Symmetry symmetryOf(std::size_t i) const { return functions_[i].field.symmetry; }

  void addHyperfine() {
    const SpinorOperator dipole = hyperfineDipole(space_), quadrupole = hyperfineQuadrupole(space_);
    const Response ofDipole = response(dipole, 0);
    const std::size_t dipoles = toRadiate(ofDipole, dipole, 0);
    Response ofQuadrupole;
    std::size_t quadrupoles = 0;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const Symmetry s = symmetryOf(i);
      result_.hyperfine.push_back({states_[i].label, {}, {}});
      add(dipole, *ofDipole, *ofDipole, {Kind::A, i, dipoles, i, i, hyperfineA(s, 1)});
      if (s.twoJ() == 1) continue;
      if (!ofQuadrupole) {
        ofQuadrupole = response(quadrupole, 0);
        quadrupoles = toRadiate(ofQuadrupole, quadrupole, 0);
      }
      add(quadrupole, *ofQuadrupole, *ofQuadrupole, {Kind::B, i, quadrupoles, i, i, hyperfineB(s, 1)});
    }
  }

  void addTransitions(std::size_t i, std::size_t j) {
    const bool isUpper = states_[i].energy > states_[j].energy;
    const std::size_t upper = isUpper ? i : j, lower = isUpper ? j : i;
    addTransition("E1", electricMultipole(space_, 1), upper, lower);
    const Symmetry a = symmetryOf(i), b = symmetryOf(j);
    const bool isDoublet = a.l() == b.l() && states_[i].column + a.l() == states_[j].column + b.l();
    if (isDoublet) addTransition("M1", magneticDipole(space_, c_), upper, lower);
    addTransition("E2", electricMultipole(space_, 2), upper, lower);
  }

  void addTransition(const char* name, const SpinorOperator& operation, std::size_t upper,
                     std::size_t lower) {
    if (!operation.couples(symmetryOf(upper), symmetryOf(lower))) return;
    const ValenceState &u = states_[upper], &l = states_[lower];
    const double energy = u.energy - l.energy, ofBrueckner = u.brueckner - l.brueckner;
    const Response field = response(operation, energy), brueckner = response(operation, ofBrueckner);
    const bool isNegative = operation.elements(functions_[upper].field, functions_[lower].field)(0, 0) < 0;
    result_.transitions.push_back({name, l.label, u.label, energy, ofBrueckner, {}});
    add(operation, *field, *brueckner,
        {Kind::Line, result_.transitions.size() - 1, toRadiate(brueckner, operation, ofBrueckner), upper,
         lower, isNegative ? -1.0 : 1.0});
  }

  Response response(const SpinorOperator& operation, double omega) {
    auto r = std::make_shared<const CorePolarisation>(space_, operation, omega, pool_, checkpoint_);
    result_.truncated = result_.truncated || r->isTruncated();
    return r;
  }

  std::size_t toRadiate(const Response& response, SpinorOperator operation, double omega) {
    operation.elements = [response](const SpinorFunctions& bra, const SpinorFunctions& ket) {
      return response->dressed(bra, ket);
    };
    radiated_.push_back({std::move(operation), omega, {}});
    return radiated_.size() - 1;
  }

  void add(const SpinorOperator& operation, const CorePolarisation& field, const CorePolarisation& brueckner,
           const Wanted& w) {
    const StateFunctions &b = functions_[w.bra], &k = functions_[w.ket];
    const double whole = w.factor * brueckner.dressed(b.brueckner, k.brueckner)(0, 0);
    valueOf(w) = {w.factor * operation.elements(b.field, k.field)(0, 0),
                  w.factor * field.dressed(b.field, k.field)(0, 0), whole, whole};
    radiated_[w.operation].between.emplace_back(w.bra, w.ket);
    wanted_.push_back(w);
  }

  /// The core is excited to natural spinors that the lowest valence spinors of the field have.
  void addRadiation(const Configuration& core, const std::vector<Shell>& frozen) {
    ValenceSpinorRequest lowestOnes;
    lowestOnes.largestL = kReferenceL;
    lowestOnes.perSymmetry = lowestOnes.eigenvectors = 1;
    lowestOnes.references.clear();
    lowestOnes.frozen = frozen;
    const ValenceSpace lowest = valenceSpace(space_, core, lowestOnes, pool_);
    if (lowest.holes.empty()) return;
    std::vector<StructuralRadiation::Outside> outside;
    std::vector<SpinorFunctions> factors = lowest.factors();
    for (std::size_t i = 0; i < states_.size(); ++i) {
      outside.push_back({functions_[i].outside, states_[i].energy});
      factors.push_back(functions_[i].outside);
    }
    const CoreExcitations excitations =
        coreExcitations(space_, std::move(factors), excitedSpinors(lowest, pool_), pool_);
    const StructuralRadiation radiation(lowest, outside, excitations, pool_);
    const StructuralRadiation::Elements made = radiation.of(radiated_, checkpoint_);
    for (const Wanted& w : wanted_) {
      PolarisedValue& v = valueOf(w);
      v.radiated += w.factor * made[w.operation][w.bra][w.ket](0, 0) -
                    0.5 * (radiation.lost(w.bra)(0, 0) + radiation.lost(w.ket)(0, 0)) * v.brueckner;
    }
  }

  const OrbitalSpace& space_;
  const std::vector<ValenceState>& states_;
  double c_;
  ThreadPool& pool_;
  Checkpoint checkpoint_;
  std::vector<StateFunctions> functions_;
  std::vector<StructuralRadiation::Dressed> radiated_;
  std::vector<Wanted> wanted_;
  ValenceProperties result_;
};

}  // namespace

ValenceProperties valenceProperties(const OrbitalSpace& space, const Configuration& core,
                                    const std::vector<Shell>& frozen, const std::vector<ValenceState>& states,
                                    double speedOfLight, ThreadPool& pool, const Checkpoint& checkpoint) {
  return PropertyMaker(space, states, speedOfLight, pool, checkpoint).all(core, frozen);
}

}  // namespace prophet
