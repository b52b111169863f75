#pragma once
#include "atoms/atom/nucleus.hpp"
#include "cuda/atoms/integrals/one_electron.hpp"
#include "cuda/atoms/integrals/stored_basis.hpp"
#include "cuda/atoms/scf/scf_setup.hpp"
#include "cuda/atoms/scf/space_kernels.hpp"
#include "cuda/atoms/scf/stored_context.hpp"

namespace prophet::cuda {

/// orthonormal = X^T primitive X + addOld orthonormal, padded matrices of all symmetries at once; `work`: as
/// many numbers.
void toOrthonormal(const StoredContext& context, const ScfShape& shape, const double* space,
                   const double* primitive, double* work, double* orthonormal, double addOld);

/// The orthonormal functions of all symmetries, the one-electron Hamiltonian and the guess in them, in device
/// memory: the counterpart of prophet::makeSymmetrySpace. Only sets with nearly dependent functions, which
/// need canonical orthonormalisation, and Fermi nuclei, which need quadrature, take the host's time.
class DeviceSpaces {
 public:
  /// Queued on the context's stream, but for one wait that tells whether functions are nearly dependent;
  /// `setup` then learns how many functions of each symmetry are left. Throws Error as
  /// requireEnoughFunctions.
  DeviceSpaces(ScfSetup& setup, const BasisSet& basis, const PrimitiveTable& table, const StoredBasis& stored,
               const Nucleus& nucleus, double c, double threshold, double electrons, StoredContext& context);

  const DeviceBuffer<SymmetryData>& data() const { return data_; }
  const double* space() const { return space_.data(); }
  const double* core() const { return core_.data(); }
  const double* nuclear() const { return nuclear_.data(); }
  /// Fock matrices of the first eigenproblem.
  double* guess() { return guess_.data(); }

 private:
  void computeOneElectronMatrices(const BasisSet& basis, const StoredBasis& stored, const Nucleus& nucleus);
  void orthonormaliseAll(ScfSetup& setup, const PrimitiveTable& table, double threshold);
  bool independent(const ScfSetup& setup, double threshold);
  void orthonormaliseOnHost(ScfSetup& setup, const PrimitiveTable& table, double threshold);
  void makeGuess(const ScfSetup& setup, const BasisSet& basis, const StoredBasis& stored, double charge,
                 double electrons, double* primitive, double* work);

  StoredContext& context_;
  OneElectronLayout layout_;
  DeviceBuffer<OneElectronBlock> blocks_;
  DeviceBuffer<double> oneElectron_, space_, dual_, core_, nuclear_, guess_;
  DeviceBuffer<SymmetryData> data_;
};

}  // namespace prophet::cuda
