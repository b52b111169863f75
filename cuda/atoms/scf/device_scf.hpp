#pragma once
#include <optional>

#include "atoms/calculation/stored_settings.hpp"
#include "atoms/scf/scf.hpp"
#include "cuda/atoms/fock/stored_integrals.hpp"
#include "cuda/atoms/scf/device_mixer.hpp"
#include "cuda/atoms/scf/device_spaces.hpp"
#include "cuda/atoms/scf/eigen_batch.hpp"

namespace prophet::cuda {

/// The SCF of one atom with every matrix in device memory: DIIS or damping as prophet::runScf has them, same
/// thresholds, but no fallbacks where DIIS does not converge: then the result says that it did not. The host
/// sees some twenty numbers of each iteration, for which it waits once, and the spinors at the end.
class DeviceScf {
 public:
  DeviceScf(const ScfSetup& setup, DeviceSpaces& spaces, const StoredBasis& basis, StoredIntegrals& integrals,
            const StoredSettings& settings, const ScfOptions& options, double c, StoredContext& context);

  /// Queues the guess and the first Fock matrix: the host has time for something else.
  void begin();
  /// Iterates; fills everything of the result that does not need the basis set again.
  ScfResult run(const ScfObserver& observer);
  double contractionSeconds() const;
  /// Seconds by the device's clock, all iterations together, guess included.
  const std::vector<StoredStage>& stages() const { return stages_; }
  int contractions() const { return contractions_; }
  /// <c alpha.p> of the last iteration.
  double momentum() const { return momentum_; }

 private:
  void diagonalise(double* matrices);
  void buildFock();
  void finishFock(ScfTimings& timings);
  ScfIteration measureStep(ScfResult& result, double previous);
  void collect(ScfResult& result);
  void requireOccupied() const;
  std::size_t matrixSize() const;

  const ScfSetup& setup_;
  const ScfShape shape_;
  DeviceSpaces& spaces_;
  StoredIntegrals& integrals_;
  const ScfOptions& options_;
  const double padding_;
  StoredContext& context_;
  const cudaStream_t stream_;
  const bool open_;
  /// Only where eigenvectors cannot be found one by one.
  std::optional<EigenBatch> eigen_;
  DeviceMixer mixer_;
  Contraction contraction_;
  DeviceBuffer<double> occupations_, mixed_, eigenvalues_, coefficients_, primitiveCoefficients_;
  DeviceBuffer<double> totalDensity_, openDensity_, p_, q_, primitive_, work_, fock_, openFock_,
      effectiveWork_;
  DeviceBuffer<double> density_, oldDensity_, energies_;
  DeviceBuffer<StoredContext::Report> report_;
  bool known_ = false;
  /// Ends of the stages of an iteration; the first one is its beginning.
  enum Mark { kBegin, kMixed, kFound, kPacked, kContracted, kDone, kMarks };
  void mark(Mark m) const { marks_[m].record(stream_); }
  Event marks_[kMarks];
  std::vector<StoredStage> stages_{
      {"DIIS"}, {"occupied vectors"}, {"densities"}, {"P and Q"}, {"Fock matrices from P and Q"}};
  double momentum_ = 0;
  int contractions_ = 0;
};

}  // namespace prophet::cuda
