#pragma once
#include "calculation/stored_settings.hpp"
#include "cuda/fock/stored_integrals.hpp"
#include "cuda/scf/device_mixer.hpp"
#include "cuda/scf/eigen_batch.hpp"
#include "cuda/scf/scf_setup.hpp"

namespace prophet::cuda {

/// The SCF of one atom with every matrix in device memory: prophet::runScf step by step, same thresholds. The
/// host sees some twenty numbers of each iteration, and the spinors at the end.
class DeviceScf {
 public:
  DeviceScf(const ScfSetup& setup, const StoredBasis& basis, StoredIntegrals& integrals,
            const StoredSettings& settings, const ScfOptions& options, double c, const Stream& stream);

  /// Iterates; fills everything of the result that does not need the basis set again.
  ScfResult run(const ScfObserver& observer);
  double contractionSeconds() const { return contractionSeconds_; }
  int contractions() const { return contractions_; }

 private:
  void diagonalise();
  void buildFock();
  void transform(const double* primitive, double* orthonormal, double addOld);
  ScfIteration measureStep(ScfResult& result, double previous);
  void collect(ScfResult& result);
  std::size_t matrixSize() const;

  const ScfSetup& setup_;
  const ScfShape shape_;
  StoredIntegrals& integrals_;
  const ScfOptions& options_;
  const double padding_;
  const Stream& stream_;
  const bool open_;
  BlasHandle blas_;
  EigenBatch eigen_;
  DeviceMixer mixer_;
  Contraction contraction_;
  DeviceBuffer<SymmetryData> data_;
  DeviceBuffer<double> occupations_, space_, core_, nuclear_;
  DeviceBuffer<double> eigenMatrices_, eigenvalues_, coefficients_, primitiveCoefficients_;
  DeviceBuffer<double> totalDensity_, openDensity_, p_, q_, primitive_, work_, fock_, openFock_,
      effectiveWork_;
  DeviceBuffer<double> density_, oldDensity_;
  DeviceBuffer<SymmetryMeasures> measures_;
  PinnedBuffer<SymmetryMeasures> hostMeasures_;
  Event contractionBegin_, contractionEnd_;
  double contractionSeconds_ = 0;
  int contractions_ = 0;
};

}  // namespace prophet::cuda
