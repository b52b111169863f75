#include "cuda/atoms/scf/stored_scf.hpp"

#include "atoms/scf/scf.hpp"
#include "core/common/stopwatch.hpp"
#include "cuda/atoms/scf/device_scf.hpp"

namespace prophet::cuda {
namespace {

void addMeanRadii(const std::vector<BlockMatrix>& radius, ScfResult& result) {
  for (std::size_t a = 0; a < result.symmetries.size(); ++a) {
    SymmetrySpinors& s = result.symmetries[a];
    s.meanRadii =
        (s.large.cwiseProduct(radius[a].LL * s.large) + s.small.cwiseProduct(radius[a].SS * s.small))
            .colwise()
            .sum();
  }
}

/// Memory goes back to the pool in the order of one stream, and room for uploads at once: nothing may still
/// be using them.
class QuietEnd {
 public:
  explicit QuietEnd(StoredContext& context) : context_(context) {}
  ~QuietEnd() {
    context_.quiesce();
    context_.workspace.recycle();
  }

 private:
  StoredContext& context_;
};

/// Seconds since the last call.
class Laps {
 public:
  explicit Laps(StoredReport& report) : report_(report) {}
  void end(const char* stage) {
    report_.stages.push_back({stage, watch_.seconds()});
    watch_ = Stopwatch();
  }

 private:
  StoredReport& report_;
  Stopwatch watch_;
};

}  // namespace

ScfResult runStoredScf(const BasisSet& basis, const Nucleus& nucleus, const Configuration& configuration,
                       double c, const ScfOptions& options, const StoredSettings& settings,
                       const ScfObserver& observer, StoredReport* report, StoredContext& context) {
  const Stopwatch setupWatch;
  StoredReport done;
  Laps laps(done);
  const QuietEnd end(context);
  ScfSetup setup = makeScfSetup(basis, configuration);
  const PrimitiveTable table = makePrimitiveTable(basis);
  laps.end("checks");
  const StoredBasis stored(table, context.workspace);
  laps.end("polynomials");
  // Queued first: the device has the most to do with these.
  StoredIntegrals integrals(stored, settings, context.integralStream, context.workspace);
  const QuietEnd beforeMemoryGoes(context);
  laps.end("queueing of integrals");
  DeviceSpaces spaces(setup, basis, table, stored, nucleus, c, options.dependencyThreshold,
                      configuration.electrons(), context);
  laps.end("orthonormal functions");
  DeviceScf scf(setup, spaces, stored, integrals, settings, options, c, context);
  laps.end("memory of the SCF");
  scf.begin();
  laps.end("queueing of the first iteration");
  const double setupSeconds = setupWatch.seconds();
  // The device is busy with integrals and guess.
  const std::vector<BlockMatrix> radius = radialMomentMatrices(basis, 1);
  laps.end("radius matrices");

  ScfResult result = scf.run(observer);
  laps.end("iterations");
  if (result.converged) requirePositiveEnergy(result, c);
  if (!result.converged && options.extrapolation == Extrapolation::Diis) {
    result.remarks.push_back({"scf_no_fallback",
                              "DIIS alone did not converge on the GPU; on the CPU (--backend cpu) the "
                              "iterations go on with damping and level shifts"});
  }
  remarkOnRounding(result);
  result.timings.setup = setupSeconds;
  addMeanRadii(radius, result);
  result.virialRatio = -(result.energy.value(EnergyPartId::NuclearAttraction) +
                         result.energy.value(EnergyPartId::ElectronRepulsion)) /
                       scf.momentum();
  laps.end("mean radii");
  if (report) {
    done.device = context.device;
    done.memory = integrals.plan().description;
    done.integralSeconds = integrals.integralSeconds();
    done.contractionSeconds = scf.contractionSeconds();
    done.contractions = scf.contractions();
    done.deviceStages = scf.stages();
    *report = done;
  }
  return result;
}

}  // namespace prophet::cuda
