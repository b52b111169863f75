#pragma once
#include <string>
#include <vector>

#include "core/common/names.hpp"

namespace prophet {

/// Which Fock builder; Automatic takes the fastest one that is exact to the thresholds (the grid). Stse and
/// Mtse are two ways in which a GPU shares the contraction of stored integrals among its threads.
enum class FockKind { Automatic, Grid, Stored, Stse, Mtse };

/// "grid", "stored", "stse", "mtse", "automatic": the values of the input language's `fock`.
template <>
const Names<FockKind>& namesOf();

/// How a GPU gets from the number of a stored integral to its functions (L,P,Q,M,R,S): a search for every
/// element, or index arrays filled once; the input's mapping='search', 'arrays'.
enum class MappingKind { OnTheFly, StoredArrays };

/// How P and Q are formed from stored integrals on the GPU: the input's fock='stse', 'mtse', 'stored'.
enum class StoredKernel { Stse, Mtse, Stored };

struct StoredSettings {
  StoredKernel kernel = StoredKernel::Stored;
  MappingKind mapping = MappingKind::OnTheFly;
  double memoryLimit = 0;  ///< bytes of device memory for integrals; 0: nine tenths of what is free
};

/// A stage of a calculation.
struct StoredStage {
  std::string name;
  double seconds = 0;
};

/// What a calculation with stored integrals did, for reports.
struct StoredReport {
  std::string device;             ///< "NVIDIA H200"
  std::string memory;             ///< how much the integrals need and what was chosen
  double integralSeconds = 0;     ///< two-electron integrals, by device events
  double contractionSeconds = 0;  ///< all P and Q formations, by device events
  int contractions = 0;
  std::vector<StoredStage> stages;        ///< by the host's clock, one after the other
  std::vector<StoredStage> deviceStages;  ///< of the iterations, by the device's clock
};

}  // namespace prophet
