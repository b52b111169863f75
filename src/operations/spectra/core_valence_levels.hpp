#pragma once
#include "atoms/valence/valence_levels.hpp"
#include "core/common/names.hpp"
#include "operations/catalogue/job_operation.hpp"
#include "operations/record/record.hpp"

namespace prophet {

/// How an electron polarises the core.
enum class CoreRings {
  Second,   ///< in second order
  Iterated  ///< with the interaction of the excitations of the core, to all orders
};
template <>
const Names<CoreRings>& namesOf();

/// Levels with the correlation of a closed core with the electrons above it.
struct CoreValenceRequest {
  bool coreValence = false;
  bool corePolarisation = false;
  int lowest = 4;         ///< levels of each J and parity, where no configurations are named
  int spinors = 12;       ///< of each symmetry that the valence electrons have
  int largestL = 3;       ///< of them
  int largestInnerL = 6;  ///< of the spinors that the core is excited to
  CoreRings rings = CoreRings::Iterated;
  std::vector<std::string> inner;  ///< shells of the core that are not correlated
};

/// The settings of a request that may have them.
template <class Options>
void addCoreValenceSettings(RequestTable<Options>& t) {
  using O = CoreValenceRequest;
  t.add("core_valence", &O::coreValence, "one or two electrons above a closed core, with its correlation")
      .notWith({"fit", "calibrate"});
  t.add("core_polarisation", &O::corePolarisation,
        "of core_valence: g factors and hyperfine constants with the response of the core (RPA)")
      .onlyWith({"core_valence"});
  t.add("lowest", &O::lowest,
        "of core_valence: how many of the lowest levels of each J and parity, where no configurations are "
        "named")
      .from(1, 16)
      .onlyWith({"core_valence"});
  t.add("valence_spinors", &O::spinors, "of core_valence: spinors of each symmetry for the valence electrons")
      .from(2, 40)
      .onlyWith({"core_valence"});
  t.add("valence_lmax", &O::largestL, "of core_valence: largest l of these spinors")
      .from(1, 6)
      .onlyWith({"core_valence"});
  t.add("core_lmax", &O::largestInnerL,
        "of core_valence: largest l of the spinors that the core is excited to")
      .from(1, 12)
      .onlyWith({"core_valence"});
  t.add("core_rings", &O::rings, namesOf<CoreRings>(),
        "of core_valence: polarisation of the core in second order, or with the interaction of its "
        "excitations to all orders")
      .onlyWith({"core_valence"});
  t.add("frozen_core", &O::inner,
        "of core_valence: shells of the core that are not correlated, such as '1s 2s'")
      .called("SHELLS")
      .onlyWith({"core_valence"});
}

/// The levels of an atom or ion with core-valence correlation.
struct CoreValenceResult {
  ResolvedJob job;
  std::string core;   ///< "[Ar] 3d10"
  int electrons = 0;  ///< above it
  ValenceLevels levels;
  LevelSpace space;  ///< its configurations are those of the levels; nothing else is filled in
  std::string device;
};
/// `multipoles`: of lines. Throws SettingError where the electrons above
/// closed shells are none or more than two, for other Hamiltonians than Dirac's, and for atoms without a
/// core.
CoreValenceResult computeCoreValence(const AtomRequest& request, const CoreValenceRequest& wanted,
                                     const std::vector<Multipole>& multipoles, const Execution& execution);
/// Puts what was computed, but the levels, into a record: "Levels of ...", or of what `what` says.
void addCoreValence(const CoreValenceResult& result, const CoreValenceRequest& wanted,
                    const std::string& what, Record& record);
/// A level as JSON has it.
Json coreValenceJson(const CoreValenceResult& result, std::size_t level);

/// The operation of levels. Throws as computeCoreValence.
Record coreValenceLevels(const AtomRequest& request, const CoreValenceRequest& wanted,
                         const Execution& execution);

}  // namespace prophet
