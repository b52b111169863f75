#pragma once
#include <new>

#include "core/common/error.hpp"
#include "cudaprophet/batch.hpp"
#include "cudaprophet/compute.hpp"
#include "cudaprophet/error.hpp"
#include "operations/catalogue/operation.hpp"
#include "operations/jobs/resolve.hpp"

/// Between the types of the API and those of the core.
namespace cudaprophet {

/// The keywords that ask for an atom: all but those of its basis set. Throws prophet::Error.
prophet::Json valuesOf(const Atom& atom, const Settings& settings);
/// The job that keywords ask for. Throws prophet::Error.
prophet::Job jobOf(prophet::JobType type, const prophet::Json& values, const Settings& settings);
/// An energy (in `basis`, or the library's where that is nullptr) or a limit with every default filled in.
std::shared_ptr<prophet::ResolvedJob> resolved(const Atom& atom, const BasisSet* basis, bool limit,
                                               const Settings& settings);
/// Where `device` and the settings say. Throws prophet::Error.
prophet::Execution executionOf(Device device, const Settings& settings);
/// What the operation of that name, beside whose jobs stand `options`, says of them.
prophet::Record recordOf(const std::string& operation, std::shared_ptr<const prophet::ResolvedJob> job,
                         const prophet::Json& options, prophet::Execution execution);
/// An energy or a limit: its record has one result.
std::shared_ptr<const prophet::JobResult> computed(const Atom& atom, const BasisSet* basis, bool limit,
                                                   const Settings& settings);
/// What operations on energies take of the settings.
prophet::Json optionsOf(const Settings& settings, bool limit);
prophet::WellTemperedSpec specOf(const Ladder& ladder);
Ladder ladderOf(const prophet::WellTemperedSpec& spec);
Result resultOf(const prophet::Result& result, const std::vector<std::string>& choices);
inline Result resultOf(const prophet::JobResult& r) { return resultOf(r.result, r.job.choices); }

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
