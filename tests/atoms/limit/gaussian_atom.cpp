#include "gaussian_atom.hpp"

#include <cmath>

namespace prophet::test {

GaussianAtom gaussianAtom(NuclearModel model, double charge, const char* configuration, double first,
                          double last, double ratio) {
  NucleusRequest request;
  request.model = model;
  request.charge = charge;
  GaussianAtom atom{makeNucleus(request), parseConfiguration(configuration), {}};
  for (const Symmetry s : firstSymmetries(static_cast<int>(atom.configuration.symmetries.size()))) {
    std::vector<double> exponents;
    const double top = last / std::pow(20.0, s.l());
    for (double zeta = first * (1.0 + s.l()); zeta < top; zeta *= ratio) exponents.push_back(zeta);
    atom.basis.symmetries.push_back({s, exponents});
  }
  return atom;
}

ScfResult solve(const GaussianAtom& atom, TwoElectronOperator operation, ThreadPool& pool,
                std::vector<OneElectronTerm> extra) {
  const auto builder = makeGridBuilder(atom.basis, fockGrid(atom.basis), operation, pool);
  ScfOptions options;
  options.thresholdLL = options.thresholdSL = 1e-8;
  options.energyThreshold = 1e-13;
  options.maxIterations = 60;
  return runScf({atom.basis, atom.nucleus, atom.configuration, constants::kSpeedOfLight, extra}, *builder,
                options, pool);
}

}  // namespace prophet::test
