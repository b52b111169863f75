#pragma once
#include <memory>
#include <optional>
#include <string>

#include "core/mesh/bspline.hpp"
#include "core/mesh/mesh_slabs.hpp"
#include "matter/madelung/charged_cell.hpp"
#include "matter/madelung/real_space.hpp"

namespace prophet {

/// Parameters of a particle-mesh Ewald sum; lengths in bohr.
struct SpmeParameters {
  Assignment assignment = Assignment::Spread;
  int order = 6;                                        ///< of the B-splines, 2 to 12
  MeshSize mesh{};                                      ///< points along a, b and c, more than the order
  double beta = 0;                                      ///< splitting, 1/bohr
  double cutoff = 0;                                    ///< of the sum over pairs
  ChargePrecision precision = ChargePrecision::Double;  ///< on the processor; GPUs compute in double

  bool operator==(const SpmeParameters&) const = default;
};

/// Seconds that the parts of a sum took.
struct SpmeTimes {
  double assign = 0, transform = 0, interpolate = 0, pairs = 0;
};

/// Smooth particle-mesh Ewald sum: U. Essmann et al., J. Chem. Phys. 103, 8577 (1995). Keeps mesh,
/// transforms and the factors of the modes for many configurations of one cell.
class Spme {
 public:
  /// Throws Error for parameters that cannot be, or if memory does not suffice.
  Spme(const Eigen::Matrix3d& vectors, const SpmeParameters& parameters, int threads);
  ~Spme();

  /// The part of the smooth charges alone, by the mesh.
  Electrostatics reciprocal(const ChargedCell& cell, SpmeTimes* times = nullptr);
  /// All of it. `cell` has the vectors of the constructor.
  Electrostatics compute(const ChargedCell& cell, SpmeTimes* times = nullptr);

 private:
  struct Mesh;

  SpmeParameters parameters_;
  int threads_;
  std::unique_ptr<Mesh> mesh_;
};

/// Checks the cell and computes once.
Electrostatics spme(const ChargedCell& cell, const SpmeParameters& parameters,
                    NetCharge netCharge = NetCharge::Refused, int threads = 1);

/// What the user has fixed; lengths in bohr.
struct SpmeRequest {
  Assignment assignment = Assignment::Spread;
  double tolerance = 1e-8;  ///< root-mean-square error of the potentials relative to their root mean square
  std::optional<int> order;
  std::optional<MeshSize> mesh;
  std::optional<double> beta, cutoff;
  ChargePrecision precision = ChargePrecision::Double;
};

/// Estimated root-mean-square errors of the potentials, relative to their own (that of rock salt with the
/// cell's density): of the pairs that are cut off, and of the splines on the mesh, for sites without
/// correlation. Crystals on a mesh that fits them can do better or, with all errors alike, somewhat worse.
struct SpmeErrors {
  double pairs = 0, mesh = 0;
  double all() const;
};
SpmeErrors estimatedErrors(const ChargedCell& cell, const SpmeParameters& parameters);

/// Factor by which estimates miss: errors above this times the tolerance are told.
inline constexpr double kErrorsMiss = 3;

/// Throws Error, saying what to do, for errors that leave no digit right.
void requireUseful(const SpmeErrors& errors, double tolerance);

/// Fills in what the request leaves open so that both estimated errors are below the tolerance, at the least
/// cost. Where the user has fixed so much that they cannot be, they are as small as can be. What the mixed
/// precision loses is not part of the estimates. Throws Error for a tolerance outside 1e-13 ... 0.1.
SpmeParameters chosenParameters(const ChargedCell& cell, const SpmeRequest& request);

/// Throws Error, saying what to do, for parameters that no sum can have.
void check(const SpmeParameters& parameters);

/// What a sum takes on one processor, roughly.
double secondsOnProcessor(const ChargedCell& cell, const SpmeParameters& parameters);

/// Where particle-mesh sums are formed: the processor, or a GPU.
class SpmeEngine {
 public:
  virtual ~SpmeEngine() = default;
  /// "CPU, 2 threads", "NVIDIA H200".
  virtual std::string name() const = 0;
  /// Computes once, quickest with the vectors and parameters of the call before; the cell is one that check()
  /// has passed. `times` may be null. Throws Error.
  virtual Electrostatics compute(const ChargedCell& cell, const SpmeParameters& parameters,
                                 SpmeTimes* times) = 0;
};

/// The processor.
std::unique_ptr<SpmeEngine> hostSpmeEngine(int threads);

}  // namespace prophet
