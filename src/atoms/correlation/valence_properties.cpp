#include "atoms/correlation/valence_properties.hpp"

#include <utility>

#include "atoms/correlation/core_polarisation.hpp"
#include "atoms/correlation/spinor_operators.hpp"
#include "core/common/index.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// A state's spinor in the field of the closed shells, and its Brueckner orbital.
struct StateFunctions {
  SpinorFunctions field, brueckner;
};

StateFunctions functionsOf(const OrbitalSpace& space, const ValenceState& state) {
  const SpinorFunctions all =
      functionsOf(space, state.symmetry, 0, space.symmetries()[usize(state.symmetry)].count());
  return {functionsOf(space, state.symmetry, state.column, 1),
          {all.symmetry, all.large * state.bruecknerSpinor, all.small * state.bruecknerSpinor}};
}

class PropertyMaker {
 public:
  PropertyMaker(const OrbitalSpace& space, const std::vector<ValenceState>& states, double c,
                ThreadPool& pool, Checkpoint checkpoint)
      : space_(space), states_(states), c_(c), pool_(pool), checkpoint_(std::move(checkpoint)) {
    for (const ValenceState& s : states) functions_.push_back(functionsOf(space, s));
  }

  ValenceProperties all() {
    addHyperfine();
    for (std::size_t i = 0; i < states_.size(); ++i)
      for (std::size_t j = i + 1; j < states_.size(); ++j) addTransitions(i, j);
    return std::move(result_);
  }

 private:
  Symmetry symmetryOf(std::size_t i) const { return functions_[i].field.symmetry; }

  void addHyperfine() {
    const SpinorOperator dipole = hyperfineDipole(space_), quadrupole = hyperfineQuadrupole(space_);
    const CorePolarisation ofDipole = response(dipole, 0);
    std::optional<CorePolarisation> ofQuadrupole;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const Symmetry s = symmetryOf(i);
      ValenceHyperfine h{states_[i].label, {}, {}};
      h.a = scaled(hyperfineA(s, 1), elements(dipole, ofDipole, ofDipole, i, i));
      if (s.twoJ() > 1) {
        if (!ofQuadrupole) ofQuadrupole.emplace(response(quadrupole, 0));
        h.b = scaled(hyperfineB(s, 1), elements(quadrupole, *ofQuadrupole, *ofQuadrupole, i, i));
      }
      result_.hyperfine.push_back(std::move(h));
    }
  }

  void addTransitions(std::size_t i, std::size_t j) {
    const bool isUpper = states_[i].energy > states_[j].energy;
    const std::size_t upper = isUpper ? i : j, lower = isUpper ? j : i;
    add("E1", electricMultipole(space_, 1), upper, lower);
    const Symmetry a = symmetryOf(i), b = symmetryOf(j);
    const bool isDoublet = a.l() == b.l() && states_[i].column + a.l() == states_[j].column + b.l();
    if (isDoublet) add("M1", magneticDipole(space_, c_), upper, lower);
    add("E2", electricMultipole(space_, 2), upper, lower);
  }

  void add(const char* name, const SpinorOperator& operation, std::size_t upper, std::size_t lower) {
    if (!operation.couples(symmetryOf(upper), symmetryOf(lower))) return;
    const ValenceState &u = states_[upper], &l = states_[lower];
    ValenceTransition t{name, l.label, u.label, u.energy - l.energy, u.brueckner - l.brueckner, {}};
    const PolarisedValue element = elements(operation, response(operation, t.energy),
                                            response(operation, t.bruecknerEnergy), upper, lower);
    t.element = scaled(element.bare < 0 ? -1 : 1, element);
    result_.transitions.push_back(std::move(t));
  }

  CorePolarisation response(const SpinorOperator& operation, double omega) {
    CorePolarisation r(space_, operation, omega, pool_, checkpoint_);
    result_.truncated = result_.truncated || r.isTruncated();
    return r;
  }

  PolarisedValue elements(const SpinorOperator& operation, const CorePolarisation& field,
                          const CorePolarisation& brueckner, std::size_t bra, std::size_t ket) const {
    const StateFunctions &b = functions_[bra], &k = functions_[ket];
    return {operation.elements(b.field, k.field)(0, 0), field.dressed(b.field, k.field)(0, 0),
            brueckner.dressed(b.brueckner, k.brueckner)(0, 0)};
  }

  static PolarisedValue scaled(double factor, const PolarisedValue& v) {
    return {factor * v.bare, factor * v.polarised, factor * v.brueckner};
  }

  const OrbitalSpace& space_;
  const std::vector<ValenceState>& states_;
  double c_;
  ThreadPool& pool_;
  Checkpoint checkpoint_;
  std::vector<StateFunctions> functions_;
  ValenceProperties result_;
};

}  // namespace

ValenceProperties valenceProperties(const OrbitalSpace& space, const std::vector<ValenceState>& states,
                                    double speedOfLight, ThreadPool& pool, const Checkpoint& checkpoint) {
  return PropertyMaker(space, states, speedOfLight, pool, checkpoint).all();
}

}  // namespace prophet
