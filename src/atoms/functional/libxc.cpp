#include <fmt/format.h>
#include <xc.h>

#include "atoms/functional/libxc_sum.hpp"
#include "core/common/error.hpp"

namespace prophet {

bool hasFunctionals() { return true; }

namespace {

// libxc raises squared gradients to 1e-16 or so, which those in the tail of an atom are below where its
// density still counts. Its thresholds of the density, 1e-12 or lower, are left alone: beyond them there are
// 1e-8 electrons at most, of 1e-4 hartree each.
constexpr double kLeastSigma = 1e-32;

/// One functional of libxc, without spin polarisation.
class LibxcPart {
 public:
  explicit LibxcPart(int number) {
    if (xc_func_init(&function_, number, XC_UNPOLARIZED) != 0)
      throw Error(fmt::format("libxc cannot set up its functional {}; choose another functional", number));
    xc_func_set_sigma_threshold(&function_, kLeastSigma);
  }
  LibxcPart(const LibxcPart&) = delete;
  LibxcPart& operator=(const LibxcPart&) = delete;
  ~LibxcPart() { xc_func_end(&function_); }

  const xc_func_type& function() const { return function_; }
  int family() const { return function_.info->family; }
  int kind() const { return function_.info->kind; }
  bool has(int flag) const { return (function_.info->flags & flag) != 0; }
  bool isHybrid() const { return family() == XC_FAMILY_HYB_LDA || family() == XC_FAMILY_HYB_GGA; }
  bool isLocal() const { return family() == XC_FAMILY_LDA || family() == XC_FAMILY_HYB_LDA; }
  double exactExchange() const { return isHybrid() ? xc_hyb_exx_coef(&function_) : 0.0; }

 private:
  xc_func_type function_{};
};

/// Why a functional cannot be used here, as the end of a sentence; empty where it can.
std::string objection(const LibxcPart& part) {
  const int family = part.family();
  if (family == XC_FAMILY_MGGA || family == XC_FAMILY_HYB_MGGA)
    return "is a meta-GGA, whose kinetic-energy density is not available here";
  if (!part.has(XC_FLAGS_3D)) return "is not one of three dimensions";
  if (part.kind() == XC_KINETIC) return "is a functional of the kinetic energy";
  if (part.has(XC_FLAGS_HYB_CAM | XC_FLAGS_HYB_CAMY | XC_FLAGS_HYB_LC | XC_FLAGS_HYB_LCY))
    return "has range-separated exchange, which is not available here";
  if (part.has(XC_FLAGS_VV10)) return "has non-local correlation, which is not available here";
  if (!part.has(XC_FLAGS_HAVE_EXC) || !part.has(XC_FLAGS_HAVE_VXC)) return "has no energy or no potential";
  if (!part.isLocal() && family != XC_FAMILY_GGA && family != XC_FAMILY_HYB_GGA)
    return "is of a family that is not available here";
  return "";
}

class LibxcParts : public LibxcSum {
 public:
  LibxcParts(const std::vector<std::string>& names, const std::string& whole) {
    for (const std::string& name : names) {
      const int number = xc_functional_get_number(name.c_str());
      if (number <= 0) {
        throw Error(fmt::format(
            "functional='{}': '{}' is not a functional of libxc; expected lda, rlda, pbe, pbe0, or names of "
            "libxc such as gga_x_pbe+gga_c_pbe",
            whole, name));
      }
      parts_.push_back(std::make_unique<LibxcPart>(number));
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
    for (const auto& part : parts_) {
      if (!part->isLocal()) return true;
    }
    return false;
  }

  void addTo(FunctionalValues& values, const Eigen::VectorXd& density,
             const Eigen::VectorXd& sigma) const override {
    const auto points = static_cast<std::size_t>(density.size());
    Eigen::VectorXd energy(density.size()), slope(density.size()), slopeOfSigma(density.size());
    for (const auto& part : parts_) {
      if (part->isLocal()) {
        xc_lda_exc_vxc(&part->function(), points, density.data(), energy.data(), slope.data());
      } else {
        xc_gga_exc_vxc(&part->function(), points, density.data(), sigma.data(), energy.data(), slope.data(),
                       slopeOfSigma.data());
        values.slopeOfSigma += slopeOfSigma;
      }
      values.energy += energy.cwiseProduct(density);
      values.slope += slope;
    }
  }

 private:
  std::vector<std::unique_ptr<const LibxcPart>> parts_;
};

}  // namespace

std::shared_ptr<const LibxcSum> libxcSum(const std::vector<std::string>& names, const std::string& whole) {
  return std::make_shared<LibxcParts>(names, whole);
}

}  // namespace prophet
