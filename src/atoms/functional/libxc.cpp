#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "atoms/functional/functional_slopes.hpp"
#include "atoms/functional/libxc_sum.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"
#ifdef PROPHET_WITH_LIBXC
#include <xc.h>
#endif

namespace prophet {
#ifdef PROPHET_WITH_LIBXC

bool hasFunctionals() { return true; }

std::vector<std::string> libxcNames() {
  std::vector<int> numbers(static_cast<std::size_t>(xc_number_of_functionals()));
  xc_available_functional_numbers(numbers.data());
  std::vector<std::string> names;
  for (const int number : numbers) {
    const std::unique_ptr<char, decltype(&std::free)> name(xc_functional_get_name(number), &std::free);
    if (name) names.emplace_back(name.get());
  }
  return names;
}

namespace {

// libxc sets functionals to zero below densities of 1e-11 to 1e-15 and raises gradients and kinetic energies
// to 1e-20 or so. In the tail of an atom, where its density still counts, exchange potentials that fall
// slowly (Becke's as 1/r^2) would end in a step of 1e-3 hartree there; below these thresholds of ours nothing
// is left. Where powers in a functional leave double precision above them (B97 and its kind below 1e-21,
// Lacks and Gordon's below 1e-18), its threshold is the lowest power of ten that holds, see
// LibxcPart::findReach.
constexpr double kLeastDensity = 1e-24, kLeastKinetic = 1e-40;
/// Reduced gradients |grad n|/n^(4/3) are raised to this: some forms, such as Chachiyo's, are 0/0 at zero
/// gradient. Enhancements begin with its square.
constexpr double kLeastReducedGradient = 1e-7;
/// A spin has at least this share of all electrons, for functionals of two spins that are no number where
/// one has none.
constexpr double kLeastShareOfSpin = 1e-14;
constexpr double kLargestDensity = 1e8;  // inside nuclei of the heaviest atoms

/// One functional of libxc.
class LibxcPart {
 public:
  LibxcPart(int number, SpinPolarisation spin) {
    if (xc_func_init(&function_, number,
                     spin == SpinPolarisation::Polarised ? XC_POLARIZED : XC_UNPOLARIZED) != 0)
      throw Error(fmt::format("libxc cannot set up its functional {}; choose another functional", number));
  }
  LibxcPart(const LibxcPart&) = delete;
  LibxcPart& operator=(const LibxcPart&) = delete;
  ~LibxcPart() { xc_func_end(&function_); }

  int family() const { return function_.info->family; }
  int kind() const { return function_.info->kind; }
  bool has(int flag) const { return (function_.info->flags & flag) != 0; }
  bool isHybrid() const {
    return family() == XC_FAMILY_HYB_LDA || family() == XC_FAMILY_HYB_GGA || family() == XC_FAMILY_HYB_MGGA;
  }
  bool isMeta() const { return family() == XC_FAMILY_MGGA || family() == XC_FAMILY_HYB_MGGA; }
  bool isLocal() const { return family() == XC_FAMILY_LDA || family() == XC_FAMILY_HYB_LDA; }
  double exactExchange() const { return isHybrid() ? xc_hyb_exx_coef(&function_) : 0.0; }

  /// Sets the thresholds as low as the functional is a number at densities and gradients of atoms. Above
  /// libxc's own they are never; where that does not suffice, values that are no numbers stay.
  void findReach(bool polarised) {
    const double highest = std::max(function_.info->dens_threshold, kLeastDensity);
    for (const double share : {0.0, kLeastShareOfSpin}) {
      leastShare_ = share;
      for (double least = kLeastDensity; least < 2 * highest; least *= 10) {
        setThresholds(least);
        if (!isNumberAbove(least, polarised)) continue;
        // Values next to those that overflow have lost their digits.
        if (least > kLeastDensity) setThresholds(std::min(10 * least, highest));
        return;
      }
      if (!polarised) return;
    }
  }

  /// Values at points; `values` has the sizes of the result.
  void evaluate(const FunctionalPoints& points, FunctionalSlopes& values) const {
    const auto count = static_cast<std::size_t>(points.density.cols());
    Eigen::MatrixXd density = points.density;
    if (leastShare_ > 0 && density.rows() == 2) {
      const Eigen::RowVectorXd least = leastShare_ * density.colwise().sum();
      for (Eigen::Index s = 0; s < 2; ++s) density.row(s) = density.row(s).cwiseMax(least);
    }
    if (isLocal()) {
      xc_lda_exc_vxc(&function_, count, density.data(), values.energy.data(), values.density.data());
      return;
    }
    Eigen::MatrixXd sigma = points.sigma;
    for (Eigen::Index s = 0; s < density.rows(); ++s) {
      const Eigen::ArrayXd least = kLeastReducedGradient * density.row(s).array().pow(4.0 / 3);
      sigma.row(2 * s) = sigma.row(2 * s).cwiseMax(least.square().matrix().transpose());
    }
    if (!isMeta()) {
      xc_gga_exc_vxc(&function_, count, density.data(), sigma.data(), values.energy.data(),
                     values.density.data(), values.sigma.data());
      return;
    }
    // The Laplacian is not used but has its place among libxc's arguments.
    Eigen::MatrixXd laplacian = Eigen::MatrixXd::Zero(density.rows(), density.cols()),
                    ofLaplacian = laplacian;
    xc_mgga_exc_vxc(&function_, count, density.data(), sigma.data(), laplacian.data(), points.kinetic.data(),
                    values.energy.data(), values.density.data(), values.sigma.data(), ofLaplacian.data(),
                    values.kinetic.data());
  }

 private:
  void setThresholds(double density) {
    xc_func_set_dens_threshold(&function_, density);
    xc_func_set_sigma_threshold(&function_, std::pow(density, 4.0 / 3));  // as libxc's own
    xc_func_set_tau_threshold(&function_, kLeastKinetic);
  }

  /// At densities from `least` on, with the gradients of a uniform density, of cusps and of tails, and with
  /// both spins alike or one alone.
  bool isNumberAbove(double least, bool polarised) const {
    const double pi = constants::kPi;
    const Eigen::Index spins = polarised ? 2 : 1;
    FunctionalPoints points;
    std::vector<std::array<double, 3>> list;  // density, its slope, share of spin up
    // Not by powers of two, which round less than others.
    for (double n = least; n < kLargestDensity; n *= 1.7) {
      for (const double slope : {0.0, 3 * std::pow(n, 4.0 / 3), 2 * n})
        for (const double up : {0.5, 1.0})
          if (polarised || up == 1.0) list.push_back({n, slope, up});
    }
    const auto count = static_cast<Eigen::Index>(list.size());
    points.density.resize(spins, count);
    points.sigma.resize(2 * spins - 1, count);
    points.kinetic.resize(spins, count);
    for (Eigen::Index i = 0; i < count; ++i) {
      const auto [n, slope, up] = list[static_cast<std::size_t>(i)];
      // This is tau of one orbital and that of the uniform gas.
      const double tau =
          slope * slope / (8 * n) + 0.3 * std::pow(3 * pi * pi, 2.0 / 3) * std::pow(n, 5.0 / 3);
      const std::array<double, 2> share = {up, 1 - up};
      for (Eigen::Index s = 0; s < spins; ++s) {
        points.density(s, i) = share[static_cast<std::size_t>(s)] * n;
        points.kinetic(s, i) = share[static_cast<std::size_t>(s)] * tau;
      }
      for (Eigen::Index s = 0; s < 2 * spins - 1; ++s)
        points.sigma(s, i) = slope * slope * (s < 2 ? up : 1 - up) * (s < 1 ? up : 1 - up);
    }
    FunctionalSlopes values = zeroSlopes(points, !isLocal(), isMeta());
    evaluate(points, values);
    return areNumbers(values);
  }

  xc_func_type function_{};
  double leastShare_ = 0;
};

/// Why a functional cannot be used here, as the end of a sentence; empty where it can.
std::string objection(const LibxcPart& part) {
  const int family = part.family();
  if (part.has(XC_FLAGS_NEEDS_LAPLACIAN))
    return "needs the Laplacian of the density, which is not available here";
  if (!part.has(XC_FLAGS_3D)) return "is not one of three dimensions";
  if (part.kind() == XC_KINETIC) return "is a functional of the kinetic energy";
  if (part.has(XC_FLAGS_HYB_CAM | XC_FLAGS_HYB_CAMY | XC_FLAGS_HYB_LC | XC_FLAGS_HYB_LCY))
    return "has range-separated exchange, which is not available here";
  if (part.has(XC_FLAGS_VV10)) return "has non-local correlation, which is not available here";
  if (!part.has(XC_FLAGS_HAVE_EXC) || !part.has(XC_FLAGS_HAVE_VXC)) return "has no energy or no potential";
  if (!part.isLocal() && !part.isMeta() && family != XC_FAMILY_GGA && family != XC_FAMILY_HYB_GGA)
    return "is of a family that is not available here";
  return "";
}

class LibxcParts : public LibxcSum {
 public:
  LibxcParts(const std::vector<std::string>& names, const std::string& whole, SpinPolarisation spin) {
    for (const std::string& name : names) {
      const int number = xc_functional_get_number(name.c_str());
      if (number <= 0) {
        std::vector<std::string> known = libxcNames();
        for (const FunctionalName& own : functionalNames()) known.push_back(own.name);
        const std::string nearest = nearestName(name, known);
        throw Error(fmt::format(
            "functional='{}': '{}' is not a functional of libxc{}; expected {}, or names of "
            "libxc such as gga_x_pbe+gga_c_pbe",
            whole, name, nearest.empty() ? "" : ", did you mean " + nearest + "?", namesOfFunctionals()));
      }
      parts_.push_back(std::make_unique<LibxcPart>(number, spin));
      const std::string reason = objection(*parts_.back());
      if (!reason.empty())
        throw Error(fmt::format("functional='{}': {} {}; choose another functional", whole, name, reason));
      parts_.back()->findReach(spin == SpinPolarisation::Polarised);
    }
  }

  double exactExchange() const override {
    double share = 0;
    for (const auto& part : parts_) share += part->exactExchange();
    return share;
  }

  bool needsGradient() const override {
    return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return !part->isLocal(); });
  }
  bool needsKinetic() const override {
    return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->isMeta(); });
  }

  void addTo(FunctionalSlopes& sums, const FunctionalPoints& points) const override {
    FunctionalSlopes values = sums;
    for (const auto& part : parts_) {
      part->evaluate(points, values);
      sums.energy += values.energy.cwiseProduct(points.density.colwise().sum().transpose());
      sums.density += values.density;
      if (!part->isLocal()) sums.sigma += values.sigma;
      if (part->isMeta()) sums.kinetic += values.kinetic;
    }
  }

 private:
  std::vector<std::unique_ptr<LibxcPart>> parts_;
};

}  // namespace

std::shared_ptr<const LibxcSum> libxcSum(const std::vector<std::string>& names, const std::string& whole,
                                         SpinPolarisation spin) {
  return std::make_shared<LibxcParts>(names, whole, spin);
}

#else

bool hasFunctionals() { return false; }

std::vector<std::string> libxcNames() { return {}; }

std::shared_ptr<const LibxcSum> libxcSum(const std::vector<std::string>&, const std::string& whole,
                                         SpinPolarisation) {
  throw Error(
      "functional='" + whole +
      "' needs libxc, without which this program was built; install it (Debian: libxc-dev), configure "
      "and build again, or leave out functional");
}

#endif
}  // namespace prophet
