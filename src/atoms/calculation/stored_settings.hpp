#pragma once
#include <string>
#include <vector>

#include "atoms/calculation/fock_kind.hpp"

namespace prophet {

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
