#pragma once
#include <new>

#include "atoms/calculation/result.hpp"
#include "core/common/error.hpp"
#include "cudaprophet/batch.hpp"
#include "cudaprophet/compute.hpp"
#include "cudaprophet/error.hpp"
#include "operations/jobs/resolve.hpp"

/// Between the types of the API and those of the core.
namespace cudaprophet {

/// An energy (in `basis`, or the library's where that is nullptr) or a limit, with every default filled in as
/// for an input file. Throws prophet::Error.
prophet::ResolvedJob resolved(const Atom& atom, const BasisSet* basis, bool limit, const Settings& settings);
prophet::WellTemperedSpec specOf(const Ladder& ladder);
Ladder ladderOf(const prophet::WellTemperedSpec& spec);
Result resultOf(const prophet::Result& result, const std::vector<std::string>& choices);

/// Calls `work`; what it throws as prophet::Error, and std::bad_alloc, becomes cudaprophet::Error.
template <class Work>
auto translated(Work&& work) {
  try {
    return work();
  } catch (const prophet::Error& e) {
    throw Error(e.what());
  } catch (const std::bad_alloc&) {
    throw Error("out of memory");
  }
}

}  // namespace cudaprophet
