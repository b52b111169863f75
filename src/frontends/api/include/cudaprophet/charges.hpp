#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "cudaprophet/error.hpp"

namespace cudaprophet {

/// How sums over point charges are formed. What is 0 follows from the tolerance.
struct ChargeOptions {
  /// "ewald": exact; "spread", "gather", "filter": a particle mesh with one of three assignments of the
  /// charges; "auto": exact for up to 512 charges, otherwise "spread".
  std::string method = "auto";
  double tolerance = 1e-8;      ///< of a mesh: error of the potentials relative to their root mean square
  int order = 0;                ///< of the B-splines, 4 to 12
  std::array<int, 3> mesh{};    ///< points along a, b and c
  double beta = 0, cutoff = 0;  ///< splitting, 1/bohr, and cutoff of the sum over pairs, bohr
  bool mixedPrecision = false;  ///< of a mesh: faster, and good to 1e-6 of the potentials
  bool background = false;      ///< a net charge is compensated by a uniform background; else it is an error
  int threads = 1;
  std::string backend = "auto";  ///< of a mesh: "auto": a GPU where that is worth its start, "cpu", "cuda"
  std::vector<int> devices{};    ///< numbers of GPUs, of which the first one is taken; empty: GPU 0
};

/// Sums over a periodic arrangement of point charges, for one cell, in hartree, bohr and e. The boundary at
/// infinity conducts.
struct ChargeSums {
  double energy = 0;
  std::vector<double> potentials;                 ///< at each charge, of all others, hartree/e
  std::vector<std::array<double, 3>> fields;      ///< hartree/(e bohr)
  std::vector<std::array<double, 3>> forces;      ///< hartree/bohr
  std::array<std::array<double, 3>, 3> virial{};  ///< - dE/d(strain), hartree; its trace is the energy
  double pressure = 0;                            ///< - dE/dV, hartree/bohr^3
};

/// Point charges whose positions change, as in molecular dynamics: what does not depend on the positions is
/// computed once. An object serves one thread at a time; it computes on a GPU or with the threads
/// of its options.
class CUDAPROPHET_API PointCharges {
 public:
  /// Charges in units of e. Throws Error.
  explicit PointCharges(const std::vector<double>& charges, const ChargeOptions& options = {});
  ~PointCharges();
  PointCharges(PointCharges&&) noexcept;
  PointCharges& operator=(PointCharges&&) noexcept;

  /// `cell`: the vectors a, b and c; `positions`: of each charge, anywhere; both in bohr. Throws Error for
  /// another number of positions, a cell without volume, a net charge, and charges closer than 0.2 bohr.
  ChargeSums compute(const std::array<std::array<double, 3>, 3>& cell,
                     const std::vector<std::array<double, 3>>& positions);

 private:
  struct Core;
  std::unique_ptr<Core> core_;
};

}  // namespace cudaprophet
