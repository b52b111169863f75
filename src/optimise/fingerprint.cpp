#include "optimise/fingerprint.hpp"

#include <fmt/format.h>

namespace prophet {
namespace {

std::string occupationText(const SymmetryOccupation& s) {
  return s.open ? fmt::format("{}+{}", s.closed, s.openElectrons) : fmt::format("{}", s.closed);
}

}  // namespace

std::string fingerprint(const Nucleus& n, const Configuration& configuration, double c) {
  std::string text = fmt::format("{}; nucleus {} {} {} {} {} {} {}; {}; spinors", n.description(),
                                 static_cast<int>(n.model), n.charge, n.rms, n.sphereRadius, n.exponent, n.fermiC,
                                 n.fermiA, configuration.description);
  for (const SymmetryOccupation& s : configuration.symmetries) text += " " + occupationText(s);
  if (configuration.hasOpenShells()) {
    text += "; pairs";
    const Eigen::MatrixXd& w = configuration.openPairWeights;
    for (Eigen::Index a = 0; a < w.rows(); ++a)
      for (Eigen::Index b = 0; b <= a; ++b)
        if (w(a, b) != 0.0) text += fmt::format(" {},{}:{}", a, b, w(a, b));
  }
  return text + fmt::format("; c {}", c);
}

std::string fingerprint(const ScfOptions& o) {
  return fmt::format("scf {} {} {}; densities {} {} {}; energy {}; dependency {}", o.maxIterations,
                     static_cast<int>(o.extrapolation), o.damping, o.thresholdLL, o.thresholdSL, o.thresholdSS,
                     o.energyThreshold, o.dependencyThreshold);
}

}  // namespace prophet
