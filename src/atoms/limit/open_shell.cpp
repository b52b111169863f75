#include "atoms/limit/open_shell.hpp"

#include <algorithm>
#include <cmath>

namespace prophet::limit {
namespace {

constexpr double kAlike = 0.25;  // occupations closer than this share of the larger count as equal
constexpr double kLeastScale = 0.3, kLargestScale = 20;  // of the Newton step between equal occupations
constexpr double kLargestRotation = 0.2;                 // of such spinors in one step

/// The place of spinor i among the open ones; -1 for a closed one.
std::vector<int> openPlaces(const SymmetryOccupation& occupation) {
  std::vector<int> places;
  int next = 0;
  for (const SpinorOccupation& s : occupation.spinors) places.push_back(s.open ? next++ : -1);
  return places;
}

/// Matrix elements of all operators over the spinors of one symmetry.
struct Elements {
  const SymmetryOccupation& occupation;
  const Eigen::MatrixXd& inside;            ///< <i|F_C|j>
  const Eigen::MatrixXd& responses;         ///< over open spinors
  std::vector<int> place;                   ///< of a spinor among the open ones; -1 for a closed one
  std::vector<Eigen::MatrixXd> reductions;  ///< <j|Q_i|k> for each spinor i, zero for closed ones

  double fock(int i, int j) const { return inside(j, j) - reductions[i](j, j); }  ///< <j|F_i|j>
  double electrons(int i) const { return occupation.spinors[i].electrons; }
  /// <i|n_i F_i - n_j F_j|j> less (n_i - n_j) <i|F_C|j>.
  double gradient(int i, int j) const {
    return electrons(j) * reductions[j](i, j) - electrons(i) * reductions[i](i, j);
  }
};

/// The wanted element (i, j) less that of F_C.
double couplingOf(const Elements& e, int i, int j) {
  if (i == j) return -e.reductions[i](i, i);
  if (e.place[i] < 0 && e.place[j] < 0) return 0;
  const double ni = e.electrons(i), nj = e.electrons(j);
  const bool bothOpen = e.place[i] >= 0 && e.place[j] >= 0;
  const bool alike = bothOpen && std::abs(ni - nj) < kAlike * std::max(ni, nj);
  if (!alike) return e.gradient(i, j) / (ni - nj);
  // Rotation by -gradient/curvature, written as an element between spinors of their energies.
  const double gap = e.fock(j, j) - e.fock(i, i);
  const double curvature = ni * (e.fock(i, j) - e.fock(i, i)) + nj * (e.fock(j, i) - e.fock(j, j)) +
                           e.responses(e.place[i], e.place[j]);
  const double ratio = gap / curvature * std::max(ni, nj);
  const double scale = std::clamp(std::isfinite(ratio) ? std::abs(ratio) : 1.0, kLeastScale, kLargestScale);
  const double gradient = e.gradient(i, j) + (ni - nj) * e.inside(i, j);
  const double element = std::copysign(scale, ratio) * gradient / std::max(ni, nj);
  const double largest = kLargestRotation * std::abs(gap);
  return std::clamp(element, -largest, largest) - e.inside(i, j);
}

}  // namespace

void addOpenShells(const SymmetryOccupation& occupation, const std::vector<Eigen::MatrixXd>& reductions,
                   const Eigen::MatrixXd& responses, const Eigen::MatrixXd& overlap,
                   const Eigen::MatrixXd& spinors, const Eigen::MatrixXd& inside, Eigen::MatrixXd& fock) {
  const int count = static_cast<int>(spinors.cols());
  const std::vector<int> place = openPlaces(occupation);
  Elements elements{occupation, inside, responses, place, {}};
  std::vector<Eigen::VectorXd> changes;  // (F_i - F_C)|i>
  for (int i = 0; i < count; ++i) {
    if (place[i] < 0) {
      elements.reductions.push_back(Eigen::MatrixXd::Zero(count, count));
      changes.push_back(Eigen::VectorXd::Zero(spinors.rows()));
      continue;
    }
    const Eigen::MatrixXd image = reductions[place[i]] * spinors;
    elements.reductions.push_back(spinors.transpose() * image);
    changes.push_back(-image.col(i));
  }
  Eigen::MatrixXd occupied(count, count);  // wanted, less that of the virtuals' operator
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j <= i; ++j) occupied(i, j) = occupied(j, i) = couplingOf(elements, i, j);
  }
  if (occupation.hasEmptyPlaces() && !reductions.empty()) {
    fock -= reductions.back();
    const Eigen::MatrixXd image = reductions.back() * spinors;
    occupied += spinors.transpose() * image;
    for (int i = 0; i < count; ++i) changes[i] += image.col(i);
  }
  const Eigen::MatrixXd dual = overlap * spinors;
  fock += dual * occupied * dual.transpose();
  for (int i = 0; i < count; ++i) {
    const Eigen::VectorXd outside = changes[i] - dual * (spinors.transpose() * changes[i]);
    fock += dual.col(i) * outside.transpose() + outside * dual.col(i).transpose();
  }
}

}  // namespace prophet::limit
