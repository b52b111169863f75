// Prints how limits depend on the speed of light and on the nucleus: the table of docs/theory/validation.md.
#include <cmath>
#include <cstdio>

#include "atoms/atom/elements.hpp"
#include "atoms/limit/limit.hpp"

namespace {

using namespace prophet;

double energyOf(const Nucleus& nucleus, const Configuration& configuration, double c) {
  LimitOptions options;
  options.speedOfLight = c;
  return numericalLimit(nucleus, configuration, options).energy;
}

Nucleus nucleusOf(int z, NuclearModel model, double rmsFemtometres) {
  NucleusRequest request;
  request.model = model;
  request.charge = z;
  if (model != NuclearModel::Point) {
    request.massNumber = massNumberOf(z);
    if (rmsFemtometres > 0) request.rmsFemtometres = rmsFemtometres;
  }
  return makeNucleus(request);
}

void print(int z) {
  const Configuration configuration = parseConfiguration(groundConfiguration(z));
  const double c = constants::kSpeedOfLight, step = 1e-3;
  const double rms = defaultRms(massNumberOf(z)) * constants::kFemtometresPerBohr, width = 0.01 * rms;
  std::printf("%s rms %.6f fm\n", symbolOf(z).c_str(), rms);
  double fermi = 0;
  for (const auto model :
       {NuclearModel::Fermi, NuclearModel::Gaussian, NuclearModel::Sphere, NuclearModel::Point}) {
    const double energy = energyOf(nucleusOf(z, model, 0), configuration, c);
    if (model == NuclearModel::Fermi) fermi = energy;
    std::printf("  %-8s %20.9f  minus Fermi %14.9f", nameOf(model).c_str(), energy, energy - fermi);
    if (model != NuclearModel::Point) {
      const double slope = (energyOf(nucleusOf(z, model, rms + width), configuration, c) -
                            energyOf(nucleusOf(z, model, rms - width), configuration, c)) /
                           (2 * width);
      std::printf("  dE/drms %.8g hartree/fm", slope);
    }
    const Nucleus nucleus = nucleusOf(z, model, 0);
    const double slope =
        (energyOf(nucleus, configuration, c + step) - energyOf(nucleus, configuration, c - step)) /
        (2 * step);
    std::printf("  dE/dc %.8g\n", slope);
    std::fflush(stdout);
  }
}

}  // namespace

int main() {
  for (const char* symbol : {"Ne", "Xe", "Rn", "Og"}) print(elementOf(symbol).value());
}
