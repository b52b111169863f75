#pragma once
#include <optional>
#include <string>
#include <vector>

#include "atom/configuration.hpp"
#include "atom/nucleus.hpp"
#include "backend/stored_settings.hpp"
#include "basis/basis_set.hpp"
#include "calculation/beyond_coulomb.hpp"
#include "fock/grid_builder.hpp"
#include "input/job.hpp"
#include "scf/scf.hpp"

namespace prophet {

class CudaBackend;

/// Where to compute: --backend auto, cpu, cuda.
enum class BackendRequest { Automatic, Cpu, Cuda };

/// A job with nothing left to choose: every default has become data.
struct Calculation {
  Job job;
  Nucleus nucleus;
  BasisSet basis;
  Configuration configuration;
  FockKind fock = FockKind::Grid;
  std::vector<std::string>
      choices;  ///< what the program chose because the input left it open, one sentence each
};

/// Fills in what a job leaves open: nucleus parameters, library basis, ground configuration, Fock builder.
/// Throws Error where a choice is impossible (no library set for this element, electrons that do not fit the
/// basis). `backend` Cuda: a Fock builder that the GPU has for one calculation where the input names none.
Calculation resolve(const Job& job, BackendRequest backend = BackendRequest::Automatic);

struct RunOptions {
  int threads = 1;
  CudaBackend* gpu = nullptr;  ///< for stored integrals; nullptr: everything on the CPU (see chooseBackend)
};

/// Seconds of the stages outside the SCF itself.
struct StageTimings {
  double builder = 0;      ///< integrals, or set-up of the grid
  double corrections = 0;  ///< Breit kernels, QED potentials, Breit and QED energies
  double total = 0;
};

struct EnergyResult {
  ScfResult scf;
  std::vector<EnergyCorrection> corrections;  ///< what the job asks for beyond Coulomb, part by part
  std::string builder;                        ///< name of the Fock builder
  std::optional<RadialGrid> grid;             ///< grid builder only
  double storedBytes = 0;                     ///< stored builder on the CPU only
  std::optional<StoredReport> gpu;            ///< runs on the GPU only
  int threads = 1;
  StageTimings timings;
};

/// The energy of a resolved calculation.
EnergyResult calculateEnergy(const Calculation& calculation, const RunOptions& options,
                             const ScfObserver& observer = {});

/// What --verify-grid finds: the same energy (with its corrections) on a finer grid and with analytic
/// integrals, hartree.
struct GridCheck {
  RadialGrid grid, finerGrid;
  double energy = 0, finerEnergy = 0;
  std::optional<double> analyticEnergy;  ///< empty where there are none
  std::string whyNotAnalytic;            ///< then the reason
};

/// Repeats a calculation with the grid builder, the grid builder at 2/3 of its spacing, and stored integrals.
GridCheck verifyGrid(const Calculation& calculation, const RunOptions& options);

}  // namespace prophet
