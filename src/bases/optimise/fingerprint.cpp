#include "bases/optimise/fingerprint.hpp"

#include <fmt/format.h>

namespace prophet {
namespace {

std::string occupationText(const SymmetryOccupation& s) {
  std::string text;
  for (const SpinorOccupation& spinor : s.spinors)
    text += fmt::format("{}{}:{}", text.empty() ? "" : "+", spinor.number, spinor.electrons);
  return text.empty() ? "0" : text;
}

std::string hamiltonianText(const Hamiltonian& h) {
  std::string text = fmt::format("c {}", h.speedOfLight);
  if (!h.isFourComponent()) text += " " + nameOf(h.oneElectron);
  if (h.hasBreit())
    text += fmt::format(" {} {}{}", nameOf(h.repulsion), static_cast<int>(h.breitTreatment),
                        h.breitFrequency ? " frequency" : "");
  if (h.qed.any())
    text += fmt::format(" qed {:d}{:d}{:d}{:d} {} {}", h.qed.vacuumPolarisation, h.qed.kallenSabry,
                        h.qed.wichmannKroll, h.qed.selfEnergy, static_cast<int>(h.qed.fit),
                        static_cast<int>(h.qedTreatment));
  if (h.shell.any()) text += fmt::format(" shell {} {}", h.shell.charge, h.shell.radius);
  return text;
}

}  // namespace

std::string fingerprint(const AtomProblem& problem) {
  const Nucleus& n = problem.nucleus;
  const Configuration& configuration = problem.configuration;
  std::string text =
      fmt::format("{}; nucleus {} {} {} {} {} {} {}; {}; spinors", n.description(), static_cast<int>(n.model),
                  n.charge, n.rms, n.sphereRadius, n.exponent, n.fermiC, n.fermiA, configuration.description);
  for (const SymmetryOccupation& s : configuration.symmetries) text += " " + occupationText(s);
  if (configuration.hasOpenShells()) {
    text += "; pairs";
    const Eigen::MatrixXd& w = configuration.openPairWeights;
    for (Eigen::Index a = 0; a < w.rows(); ++a)
      for (Eigen::Index b = 0; b <= a; ++b)
        if (w(a, b) != 0.0) text += fmt::format(" {},{}:{}", a, b, w(a, b));
  }
  return text + "; " + hamiltonianText(problem.hamiltonian);
}

std::string fingerprint(const ScfOptions& o) {
  return fmt::format("scf {} {} {}; densities {} {} {}; energy {}; dependency {}", o.maxIterations,
                     static_cast<int>(o.extrapolation), o.damping, o.thresholdLL, o.thresholdSL,
                     o.thresholdSS, o.energyThreshold, o.dependencyThreshold);
}

}  // namespace prophet
