#include <fmt/format.h>
#include <xc.h>

#include <algorithm>

#include "atoms/functional/libxc_sum.hpp"
#include "core/common/error.hpp"

namespace prophet {

bool hasFunctionals() { return true; }

namespace {

// libxc sets functionals to zero below densities of 1e-11 to 1e-15 and raises gradients and kinetic energies
// to 1e-20 or so. In the tail of an atom, where its density still counts, exchange potentials that fall
// slowly (Becke's as 1/r^2) would end in a step of 1e-3 hartree there; below these thresholds of ours nothing
// is left. All are far above what double precision holds, also of their powers in the functionals.
constexpr double kLeastDensity = 1e-24, kLeastGradient = 1e-32, kLeastKinetic = 1e-40;

/// One functional of libxc.
class LibxcPart {
 public:
  LibxcPart(int number, SpinPolarisation spin) {
    if (xc_func_init(&function_, number,
                     spin == SpinPolarisation::Polarised ? XC_POLARIZED : XC_UNPOLARIZED) != 0)
      throw Error(fmt::format("libxc cannot set up its functional {}; choose another functional", number));
    xc_func_set_dens_threshold(&function_, kLeastDensity);
    xc_func_set_sigma_threshold(&function_, kLeastGradient);
    xc_func_set_tau_threshold(&function_, kLeastKinetic);
  }
  LibxcPart(const LibxcPart&) = delete;
  LibxcPart& operator=(const LibxcPart&) = delete;
  ~LibxcPart() { xc_func_end(&function_); }

  const xc_func_type& function() const { return function_; }
  int family() const { return function_.info->family; }
  int kind() const { return function_.info->kind; }
  bool has(int flag) const { return (function_.info->flags & flag) != 0; }
  bool isHybrid() const {
    return family() == XC_FAMILY_HYB_LDA || family() == XC_FAMILY_HYB_GGA || family() == XC_FAMILY_HYB_MGGA;
  }
  bool isMeta() const { return family() == XC_FAMILY_MGGA || family() == XC_FAMILY_HYB_MGGA; }
  bool isLocal() const { return family() == XC_FAMILY_LDA || family() == XC_FAMILY_HYB_LDA; }
  double exactExchange() const { return isHybrid() ? xc_hyb_exx_coef(&function_) : 0.0; }

 private:
  xc_func_type function_{};
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
        throw Error(fmt::format(
            "functional='{}': '{}' is not a functional of libxc; expected {}, or names of libxc such as "
            "gga_x_pbe+gga_c_pbe",
            whole, name, namesOfFunctionals()));
      }
      parts_.push_back(std::make_unique<LibxcPart>(number, spin));
      const std::string reason = objection(*parts_.back());
      if (!reason.empty())
        throw Error(fmt::format("functional='{}': {} {}; choose another functional", whole, name, reason));
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
    const auto count = static_cast<std::size_t>(points.density.cols());
    const double *n = points.density.data(), *sigma = points.sigma.data();
    Eigen::VectorXd energy(sums.energy.size());
    Eigen::MatrixXd slope = sums.density, ofSigma = sums.sigma, ofKinetic = sums.kinetic;
    // Of the Laplacian, which is not used but has its place among libxc's arguments.
    Eigen::MatrixXd laplacian = Eigen::MatrixXd::Zero(sums.kinetic.rows(), sums.kinetic.cols()),
                    ofLaplacian = laplacian;
    for (const auto& part : parts_) {
      const xc_func_type* f = &part->function();
      if (part->isLocal()) {
        xc_lda_exc_vxc(f, count, n, energy.data(), slope.data());
      } else if (part->isMeta()) {
        xc_mgga_exc_vxc(f, count, n, sigma, laplacian.data(), points.kinetic.data(), energy.data(),
                        slope.data(), ofSigma.data(), ofLaplacian.data(), ofKinetic.data());
        sums.kinetic += ofKinetic;
      } else {
        xc_gga_exc_vxc(f, count, n, sigma, energy.data(), slope.data(), ofSigma.data());
      }
      if (!part->isLocal()) sums.sigma += ofSigma;
      sums.energy += energy.cwiseProduct(points.density.colwise().sum().transpose());
      sums.density += slope;
    }
  }

 private:
  std::vector<std::unique_ptr<const LibxcPart>> parts_;
};

}  // namespace

std::shared_ptr<const LibxcSum> libxcSum(const std::vector<std::string>& names, const std::string& whole,
                                         SpinPolarisation spin) {
  return std::make_shared<LibxcParts>(names, whole, spin);
}

}  // namespace prophet
