#include "operations/tables/table_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "atoms/basis/library.hpp"

namespace prophet {

/// Relative errors, but where it says of what else.
struct TableErrors::Bounds {
  double binding, kinetic;
  double moments[3];  ///< of <r^k>, k up to 1, 2 and 4; of larger k all is uncertain in a basis
  double beyond;      ///< k > 4
  double profile, wholeProfile;
  double profileTail;            ///< momentum over the root of <p^2> from which the error of J grows
  double factor, wholeFactor;    ///< over the electrons
  double deficit, wholeDeficit;  ///< over the electrons less f
  double scattering;
};

const TableErrors::Bounds& TableErrors::bounds() const {
  constexpr double kUnmeasured = std::numeric_limits<double>::quiet_NaN(), kNever = 1e300;
  static const Bounds kLimit{1e-9, 1e-9, {1e-9, 1e-9, 2e-9}, 5e-9, 1e-7, 1e-7, kNever, 1e-9, 1e-9, 1e-9,
                             1e-9, 1e-9};
  static const Bounds kBasis{4.5e-4, 1.5e-3, {2e-3, 6e-3, 3e-2}, 1, 1e-2, 2.5e-3, 4, 1e-3, 1e-5, 4e-3,
                             6e-4,   6e-4};
  static const Bounds kNegative{6e-2, 8e-3, {3e-2, 1e-1, 6e-1}, 2, 7e-2, 7e-2, 8, 7e-3, 7e-3, 7e-2,
                                7e-2, 6e-2};
  static const Bounds kUnknown{kUnmeasured, kUnmeasured, {kUnmeasured, kUnmeasured, kUnmeasured},
                               kUnmeasured, kUnmeasured, kUnmeasured,
                               kNever,      kUnmeasured, kUnmeasured,
                               kUnmeasured, kUnmeasured, kUnmeasured};
  switch (kind_) {
    case Spinors::Limit:
      return kLimit;
    case Spinors::Basis:
      return kBasis;
    case Spinors::NegativeIon:
      return kNegative;
    case Spinors::Unknown:
      break;
  }
  return kUnknown;
}

TableErrors::TableErrors(const TablesRequest& request, int charge, const std::filesystem::path& basisSets)
    : kind_(Spinors::Unknown) {
  if (request.atLimit()) {
    kind_ = Spinors::Limit;
    return;
  }
  if (!request.library.empty()) {
    const auto usual = readLibraryEntry(1, "", basisSets);
    if (!usual || usual->library != request.library) return;
  }
  kind_ = charge < 0 ? Spinors::NegativeIon : Spinors::Basis;
}

double TableErrors::binding(double value) const { return bounds().binding * std::abs(value); }
double TableErrors::kinetic(double value) const { return bounds().kinetic * std::abs(value); }

double TableErrors::shift(double value) const {
  return 2 * kinetic(value);  // of QED in 2p1/2, where large and small component nearly cancel, 2e-3 in neon
                              // and xenon
}

double TableErrors::answer(double value) const {
  return 20 * kinetic(value);  // of open d shells in a basis, 6e-3 in titanium
}

double TableErrors::moment(int k, double value) const {
  const Bounds& b = bounds();
  return (k <= 1 ? b.moments[0] : k <= 2 ? b.moments[1] : k <= 4 ? b.moments[2] : b.beyond) * std::abs(value);
}

Eigen::VectorXd TableErrors::profile(const Eigen::VectorXd& p, const Eigen::VectorXd& J, double size,
                                     bool whole) const {
  if (kind_ == Spinors::Unknown) return Eigen::VectorXd::Constant(J.size(), bounds().profile);
  const Bounds& b = bounds();
  // Rounding of the transform, which is that of the largest p^(3/2) g, in the integral of g^2 p.
  constexpr double kTableRounding = 2e-13;
  Eigen::VectorXd errors(p.size());
  for (Eigen::Index i = 0; i < p.size(); ++i) {
    // Sums of Gaussians fall off too early, and are nothing where the limit has its last digits.
    constexpr double kVanishingError = 1e-10;
    const double from = b.profileTail * size, beyond = !whole && p[i] > from ? p[i] / from : 1;
    const double relative = std::min(1.0, (whole ? b.wholeProfile : b.profile) * beyond * beyond * beyond);
    errors[i] = relative * std::abs(J[i]) + kTableRounding * std::sqrt(std::abs(J[i]) / std::max(p[i], 1.0)) +
                (beyond > 1 ? kVanishingError / size : 0);
  }
  return errors;
}

Eigen::VectorXd TableErrors::formFactor(const Eigen::VectorXd& f, double electrons, bool whole) const {
  if (kind_ == Spinors::Unknown) return Eigen::VectorXd::Constant(f.size(), bounds().factor);
  const Bounds& b = bounds();
  constexpr double kTableRounding = 1e-10;  // digits of compact files
  const double most = (whole ? b.wholeFactor : b.factor) * electrons;
  const Eigen::ArrayXd deficit = (whole ? b.wholeDeficit : b.deficit) * (electrons - f.array()).abs();
  return deficit.min(most) + kTableRounding * electrons;
}

Eigen::VectorXd TableErrors::bessel(const Eigen::VectorXd& j0) const { return formFactor(j0, 1, false); }

Eigen::VectorXd TableErrors::scattering(const Eigen::VectorXd& S) const {
  return bounds().scattering * S.cwiseAbs();
}

}  // namespace prophet
