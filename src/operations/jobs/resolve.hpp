#pragma once
#include <string>
#include <vector>

#include "atoms/calculation/calculation.hpp"
#include "atoms/calculation/result.hpp"
#include "atoms/scf/scf.hpp"
#include "operations/backend/backend_request.hpp"
#include "operations/input/job.hpp"

namespace prophet {

/// A job of an input file with nothing left to choose: every default has become data.
struct ResolvedJob {
  Job job;
  Calculation calculation;  ///< of an optimisation or chain: where it starts
  /// What the program chose because the input left it open, one sentence each.
  std::vector<std::string> choices;
};

/// What a job gave, and of an energy how its iterations went. Of a search the job has the set that was found
/// in the place of the one where it started, and there is no result.
struct JobResult {
  ResolvedJob job;
  Result result;
  std::vector<ScfIteration> history{};
};

/// The files that an input file names: of basis functions, of a crystal. They need not exist.
std::vector<std::string> filesOf(const Job& job);

/// Fills in what a job leaves open: nucleus parameters, library basis, default configuration, Fock builder.
/// Throws Error if a choice is impossible (no library set for this element, electrons that do not fit the
/// basis). `backend` Cuda: if the input names no Fock builder, one that the GPU has for single calculations.
ResolvedJob resolve(const Job& job, BackendRequest backend = BackendRequest::Automatic);

}  // namespace prophet
