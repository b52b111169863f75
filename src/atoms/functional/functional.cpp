#include "atoms/functional/functional.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/functional/functional_slopes.hpp"
#include "atoms/functional/libxc_sum.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {

const std::vector<FunctionalName>& functionalNames() {
  static const std::vector<FunctionalName> kNames = {
      {"lda", "lda_x+lda_c_vwn"},
      {"rlda", "lda_x_rel+lda_c_vwn"},
      {"pbe", "gga_x_pbe+gga_c_pbe"},
      {"pbe0", "hyb_gga_xc_pbeh"},
      {"pbesol", "gga_x_pbe_sol+gga_c_pbe_sol"},
      {"blyp", "gga_x_b88+gga_c_lyp"},
      {"b3lyp", "hyb_gga_xc_b3lyp"},
      {"tpss", "mgga_x_tpss+mgga_c_tpss"},
      {"scan", "mgga_x_scan+mgga_c_scan"},
      {"r2scan", "mgga_x_r2scan+mgga_c_r2scan"},
  };
  return kNames;
}

std::string namesOfFunctionals() {
  std::string words;
  for (const FunctionalName& known : functionalNames()) words += (words.empty() ? "" : ", ") + known.name;
  return words;
}

std::string canonicalFunctional(const std::string& name) {
  std::string canonical;
  for (const std::string& part : split(lowerCase(name), '+')) canonical += "+" + trimmed(part);
  return canonical.substr(1);
}

namespace {

constexpr const char* kRelativisticExchange = "lda_x_rel";

std::vector<std::string> partsOf(const std::string& name) {
  std::string sum = canonicalFunctional(name);
  for (const FunctionalName& known : functionalNames()) {
    if (known.name == sum) sum = known.parts;
  }
  return split(sum, '+');
}

}  // namespace

Functional::Functional(const std::string& name, double speedOfLight, SpinPolarisation spin)
    : name_(canonicalFunctional(name)), speedOfLight_(speedOfLight), spin_(spin) {
  std::vector<std::string> parts = partsOf(name);
  for (const std::string& part : parts) {
    for (const FunctionalName& own : functionalNames())
      if (part == own.name)
        throw Error(fmt::format(
            "functional='{}': '{}' is a whole functional and no term of a sum; write {} alone, or names of "
            "libxc: {} is {}",
            name_, part, part, part, own.parts));
    if (std::ranges::count(parts, part) > 1 && !part.empty())
      throw Error(fmt::format("functional='{}' counts {} twice; write it once", name_, part));
  }
  const auto place = std::find(parts.begin(), parts.end(), kRelativisticExchange);
  relativisticExchange_ = place != parts.end();
  if (relativisticExchange_ && std::isinf(speedOfLight)) {
    throw Error(
        fmt::format("functional='{}' has relativistic exchange, but hamiltonian='nonrel' knows no speed "
                    "of light; use functional='lda', or another hamiltonian",
                    name_));
  }
  if (relativisticExchange_) parts.erase(place);
  sum_ = libxcSum(parts, name_, spin);
}

void requireScalarFunctional(const std::string& name, SpinPolarisation spin) {
  const std::string who = "hamiltonian='koelling-harmon'";
  if (name.empty())
    throw Error(who + " is that of a density functional; give functional='pbe', 'lda' or another");
  if (spin == SpinPolarisation::Polarised)
    throw Error(who + " has no open shells with spin; give spin='none'");
  const Functional functional(name, constants::kSpeedOfLight);
  if (functional.exactExchange() != 0 || functional.needsKinetic())
    throw Error(
        fmt::format("{} needs one local potential for all electrons, which functional='{}' does not have: "
                    "neither hybrids nor meta-GGAs; use 'lda', 'rlda', 'pbe' or 'pbesol'",
                    who, functional.name()));
}

std::shared_ptr<const Functional> functionalOf(const Hamiltonian& hamiltonian) {
  return std::make_shared<Functional>(hamiltonian.functional, lightSpeedOf(hamiltonian), hamiltonian.spin);
}

double Functional::exactExchange() const { return sum_->exactExchange(); }
bool Functional::needsGradient() const { return sum_->needsGradient(); }
bool Functional::needsKinetic() const { return sum_->needsKinetic(); }

namespace {

/// Exchange of the uniform electron gas, relativistic; adds to f and df/dn. Of each of two spins it is half
/// of that of twice its density.
void addRelativisticExchange(const Eigen::MatrixXd& density, double c, FunctionalSlopes& sums) {
  const double pi = constants::kPi;
  const auto spins = static_cast<double>(density.rows());
  for (Eigen::Index i = 0; i < density.cols(); ++i) {
    for (Eigen::Index s = 0; s < density.rows(); ++s) {
      const double n = spins * density(s, i);
      if (!(n > 0)) continue;
      const double momentum = std::cbrt(3 * pi * pi * n);  // of Fermi
      const RelativisticExchange x = relativisticExchange(momentum / c);
      const double slope = -momentum / pi;  // of the non-relativistic energy per volume, -3/4 n k_F/pi
      sums.energy[i] += 0.75 * n * slope * x.factor / spins;
      sums.density(s, i) += slope * (x.factor + 0.25 * x.slope * momentum / c);
    }
  }
}

}  // namespace

FunctionalSlopes zeroSlopes(const FunctionalPoints& points, bool gradient, bool kinetic) {
  const Eigen::Index count = points.density.cols(), spins = points.density.rows();
  return {Eigen::VectorXd::Zero(count), Eigen::MatrixXd::Zero(spins, count),
          Eigen::MatrixXd::Zero(2 * spins - 1, gradient ? count : 0),
          Eigen::MatrixXd::Zero(spins, kinetic ? count : 0)};
}

bool areNumbers(const FunctionalSlopes& slopes) {
  return slopes.energy.allFinite() && slopes.density.allFinite() && slopes.sigma.allFinite() &&
         slopes.kinetic.allFinite();
}

FunctionalSlopes Functional::slopesAt(const FunctionalPoints& points) const {
  FunctionalSlopes sums = zeroSlopes(points, needsGradient(), needsKinetic());
  if (relativisticExchange_) addRelativisticExchange(points.density, speedOfLight_, sums);
  sum_->addTo(sums, points);
  if (!areNumbers(sums) && points.density.allFinite())
    throw Error(
        fmt::format("functional='{}' of libxc has no finite value at densities of this atom; choose "
                    "another functional, such as pbe or r2scan",
                    name_));
  return sums;
}

FunctionalValues Functional::at(const Eigen::VectorXd& density, const Eigen::VectorXd& sigma) const {
  const FunctionalSlopes sums = slopesAt({density.transpose(), sigma.transpose(), {}});
  FunctionalValues values{sums.energy, sums.density.row(0), Eigen::VectorXd::Zero(density.size())};
  if (needsGradient()) values.slopeOfSigma = sums.sigma.row(0);
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

RadialPotential expandedFor(int l, const RadialPotential& potential) {
  RadialPotential expanded = potential;
  if (potential.kinetic.size() == 0) return expanded;
  expanded.local += (2.25 + l * (l + 1)) * potential.kinetic;
  expanded.gradient -= 1.5 * potential.kinetic;
  return expanded;
}

Eigen::MatrixXd slopesOfRise(const Eigen::MatrixXd& ofSigma, const Eigen::MatrixXd& rise) {
  Eigen::MatrixXd slopes(rise.rows(), rise.cols());
  const Eigen::Index last = ofSigma.rows() - 1;
  slopes.row(0) = 2 * ofSigma.row(0).cwiseProduct(rise.row(0));
  if (rise.rows() == 1) return slopes;
  slopes.row(0) += ofSigma.row(1).cwiseProduct(rise.row(1));
  slopes.row(1) = 2 * ofSigma.row(last).cwiseProduct(rise.row(1)) + ofSigma.row(1).cwiseProduct(rise.row(0));
  return slopes;
}

Eigen::MatrixXd sigmaOf(const Eigen::MatrixXd& rise) {
  if (rise.rows() == 1) return rise.cwiseAbs2();
  Eigen::MatrixXd sigma(3, rise.cols());
  sigma.row(0) = rise.row(0).cwiseAbs2();
  sigma.row(1) = rise.row(0).cwiseProduct(rise.row(1));
  sigma.row(2) = rise.row(1).cwiseAbs2();
  return sigma;
}

namespace {

/// Rows as FunctionalPoints has them, of a quantity of all electrons and of those with spin down.
Eigen::MatrixXd bySpin(bool polarised, const Eigen::VectorXd& all, const Eigen::VectorXd& down) {
  if (!polarised) return all.transpose();
  Eigen::MatrixXd rows(2, all.size());
  rows.row(0) = all - down;
  rows.row(1) = down;
  return rows;
}

/// No electron feels the potential of a spin that none has; functionals of the gradient may have no limit
/// there.
void equaliseWhereEmpty(const Eigen::MatrixXd& density, FunctionalSlopes& f) {
  for (Eigen::Index i = 0; i < density.cols(); ++i) {
    if (density(1, i) > 0) continue;
    f.density(1, i) = f.density(0, i);
    if (f.kinetic.cols() > 0) f.kinetic(1, i) = f.kinetic(0, i);
  }
}

/// Half the sum of both rows, or the only one.
Eigen::VectorXd meanOf(const Eigen::MatrixXd& rows) { return rows.colwise().mean(); }

Eigen::VectorXd halfDifference(const Eigen::MatrixXd& rows) { return 0.5 * (rows.row(0) - rows.row(1)); }

/// Factor of dn/dr, from 0 below kInnerRadius to 1 above kOuterRadius, far inside nuclei. Relativistic
/// densities rise as a power of r towards the nucleus, with gradients of n/r. Functionals whose energy is
/// linear in sigma without bound, as the correlation of Lee, Yang and Parr is, then have potentials of 1/r^2,
/// stronger than what the Dirac operator bears (1/r), and no self-consistent solution. The energy in this
/// volume is nothing.
double shareOfGradient(double r) {
  constexpr double kInnerRadius = 1e-6, kOuterRadius = 1e-5;  // bohr
  const double t = std::clamp(std::log(r / kInnerRadius) / std::log(kOuterRadius / kInnerRadius), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace

RadialExchangeCorrelation radialExchangeCorrelation(const Functional& functional,
                                                    const DensityOnGrid& density) {
  const bool polarised = functional.isPolarised();
  const Eigen::ArrayXd r = density.r.array();
  const Eigen::ArrayXd volume = 4 * constants::kPi * r.cube();  // of d(ln r)
  const Eigen::VectorXd perVolume = volume.inverse(), weight = density.weight;
  const Eigen::MatrixXd electrons = bySpin(polarised, density.value, density.down.value);
  FunctionalPoints points;
  points.density = (electrons * perVolume.asDiagonal()).cwiseMax(0.0);
  Eigen::MatrixXd rise;  // dn/dr, times its share
  const Eigen::ArrayXd share = density.r.unaryExpr(&shareOfGradient);
  if (functional.needsGradient()) {
    const Eigen::VectorXd scale = share / (volume * r);
    rise = (bySpin(polarised, density.slope, density.down.slope) - 3 * electrons) * scale.asDiagonal();
    points.sigma = sigmaOf(rise);
  }
  Eigen::MatrixXd kinetic;
  if (functional.needsKinetic()) {
    kinetic = bySpin(polarised, density.kinetic, density.down.kinetic);
    points.kinetic = (kinetic * perVolume.asDiagonal()).cwiseMax(0.0);
  }
  FunctionalSlopes f = functional.slopesAt(points);
  if (polarised) equaliseWhereEmpty(points.density, f);
  RadialExchangeCorrelation xc;
  xc.energy = weight.dot((volume * f.energy.array()).matrix());
  xc.potential = (electrons.cwiseProduct(f.density) * weight).sum();
  xc.virial = 3 * (xc.potential - xc.energy);
  Eigen::MatrixXd local = f.density, gradient, ofKinetic;
  // dE = integral [df/dn dn + df/dn' dn'] 4 pi r^2 dr with n = D/(4 pi r^3).
  if (functional.needsGradient()) {
    const Eigen::MatrixXd ofRise = slopesOfRise(f.sigma, rise);
    gradient = ofRise * (share / r).matrix().asDiagonal();
    local -= 3 * gradient;
    const double part = (ofRise.cwiseProduct(rise) * weight.cwiseProduct(volume.matrix())).sum();
    xc.potential += part;
    xc.virial += 4 * part;
  }
  if (functional.needsKinetic()) {
    ofKinetic = f.kinetic * (0.5 * r.square().inverse()).matrix().asDiagonal();
    const double part = (kinetic.cwiseProduct(f.kinetic) * weight).sum();
    xc.potential += part;
    xc.virial += 5 * part;
  }
  const auto parts = [&](auto&& combine) {
    RadialPotential p{combine(local), {}, {}};
    if (gradient.size() > 0) p.gradient = combine(gradient);
    if (ofKinetic.size() > 0) p.kinetic = combine(ofKinetic);
    return p;
  };
  static_cast<RadialPotential&>(xc) = parts(meanOf);
  if (polarised) xc.spin = parts(halfDifference);
  return xc;
}

}  // namespace prophet
