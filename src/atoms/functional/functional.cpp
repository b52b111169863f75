#include "atoms/functional/functional.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "atoms/functional/libxc_sum.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {

const std::vector<FunctionalName>& functionalNames() {
  static const std::vector<FunctionalName> kNames = {
      {"lda", "lda_x+lda_c_vwn"},  {"rlda", "lda_x_rel+lda_c_vwn"},           {"pbe", "gga_x_pbe+gga_c_pbe"},
      {"pbe0", "hyb_gga_xc_pbeh"}, {"pbesol", "gga_x_pbe_sol+gga_c_pbe_sol"},
  };
  return kNames;
}

namespace {

constexpr const char* kRelativisticExchange = "lda_x_rel";

std::vector<std::string> partsOf(const std::string& name) {
  std::string sum = lowerCase(name);
  for (const FunctionalName& known : functionalNames()) {
    if (known.name == sum) sum = known.parts;
  }
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= sum.size();) {
    const std::size_t end = std::min(sum.find('+', begin), sum.size());
    parts.push_back(sum.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace

Functional::Functional(const std::string& name, double speedOfLight)
    : name_(lowerCase(name)), speedOfLight_(speedOfLight) {
  std::vector<std::string> parts = partsOf(name);
  const auto place = std::find(parts.begin(), parts.end(), kRelativisticExchange);
  relativisticExchange_ = place != parts.end();
  if (relativisticExchange_ && std::isinf(speedOfLight)) {
    throw Error(
        fmt::format("functional='{}' has relativistic exchange, but hamiltonian='nonrel' knows no speed "
                    "of light; use functional='lda', or another hamiltonian",
                    name_));
  }
  if (relativisticExchange_) parts.erase(place);
  sum_ = libxcSum(parts, name_);
}

double Functional::exactExchange() const { return sum_->exactExchange(); }
bool Functional::needsGradient() const { return sum_->needsGradient(); }

namespace {

/// Exchange of the uniform electron gas, relativistic; adds to f and df/dn.
void addRelativisticExchange(const Eigen::VectorXd& density, double c, FunctionalValues& values) {
  const double pi = constants::kPi;
  for (Eigen::Index i = 0; i < density.size(); ++i) {
    const double n = density[i];
    if (!(n > 0)) continue;
    const double momentum = std::cbrt(3 * pi * pi * n);  // of Fermi
    const RelativisticExchange x = relativisticExchange(momentum / c);
    const double slope = -momentum / pi;  // of the non-relativistic energy per volume, -3/4 n k_F/pi
    values.energy[i] += 0.75 * n * slope * x.factor;
    values.slope[i] += slope * (x.factor + 0.25 * x.slope * momentum / c);
  }
}

}  // namespace

FunctionalValues Functional::at(const Eigen::VectorXd& density, const Eigen::VectorXd& sigma) const {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(density.size());
  FunctionalValues values{zero, zero, zero};
  if (relativisticExchange_) addRelativisticExchange(density, speedOfLight_, values);
  sum_->addTo(values, density, sigma);
  return values;
}

ClosedForm closedFormOf(const std::string& name) {
  constexpr std::pair<const char*, ClosedForm> kForms[] = {{"lda", ClosedForm::Lda},
                                                           {"rlda", ClosedForm::Rlda},
                                                           {"pbe", ClosedForm::Pbe},
                                                           {"pbesol", ClosedForm::Pbesol}};
  const auto sorted = [](const std::string& sum) {
    std::vector<std::string> parts = partsOf(sum);
    std::sort(parts.begin(), parts.end());
    return parts;
  };
  const std::vector<std::string> wanted = sorted(name);
  for (const auto& [known, form] : kForms) {
    if (sorted(known) == wanted) return form;
  }
  return ClosedForm::None;
}

RadialExchangeCorrelation radialExchangeCorrelation(const Functional& functional,
                                                    const DensityOnGrid& density) {
  const Eigen::ArrayXd r = density.r.array();
  const Eigen::ArrayXd volume = 4 * constants::kPi * r.cube();  // of d(ln r)
  const Eigen::VectorXd n = (density.value.array() / volume).max(0.0);
  Eigen::ArrayXd rise;  // dn/dr
  Eigen::VectorXd sigma;
  if (functional.needsGradient()) {
    rise = (density.slope.array() - 3 * density.value.array()) / (volume * r);
    sigma = rise.square();
  }
  const FunctionalValues f = functional.at(n, sigma);
  const Eigen::ArrayXd weight = density.weight.array();
  RadialExchangeCorrelation xc;
  xc.energy = (weight * volume * f.energy.array()).sum();
  xc.local = f.slope;
  xc.potential = (weight * density.value.array() * f.slope.array()).sum();
  xc.virial = 3 * (xc.potential - xc.energy);
  if (!functional.needsGradient()) return xc;
  // dE = integral [df/dn dn + 2 df/dsigma n' dn'] 4 pi r^2 dr with n = D/(4 pi r^3).
  xc.gradient = 2 * f.slopeOfSigma.array() * rise / r;
  xc.local -= 3 * xc.gradient;
  const double ofGradient = (weight * volume * 2 * f.slopeOfSigma.array() * rise.square()).sum();
  xc.potential += ofGradient;
  xc.virial += 4 * ofGradient;
  return xc;
}

}  // namespace prophet
