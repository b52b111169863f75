#include <cmath>

#include "atoms/limit/wavefunction.hpp"
#include "atoms/scf/gaussian_wavefunction.hpp"
#include "core/common/math_constants.hpp"
#include "operations/result_file/layout.hpp"

namespace prophet::hdf5 {
namespace {

using Matrix = Eigen::MatrixXd;

std::vector<double> valuesOf(const Matrix& m) { return {m.data(), m.data() + m.size()}; }

/// Radii from where all functions are powers of r to where they have died away, evenly in ln r.
Eigen::VectorXd gridFor(const Wavefunction& w) {
  const double low = std::log(w.smallestRadius()), high = std::log(w.largestRadius());
  const int points = static_cast<int>(std::ceil((high - low) / kGridStep)) + 1;
  return Eigen::VectorXd::LinSpaced(points, low, low + (points - 1) * kGridStep).array().exp();
}

/// P and Q on the grid, a row for each spinor, and the density of all electrons.
void writeFunctions(Group& group, const Result& result) {
  const Wavefunction& w = *result.wavefunction;
  const Eigen::VectorXd r = gridFor(w);
  Matrix large(r.size(), w.count()), small(r.size(), w.count());
  Eigen::VectorXd density = Eigen::VectorXd::Zero(r.size());
  for (int i = 0; i < w.count(); ++i) {
    const RadialFunctions f = w.radial(i, r);
    large.col(i) = f.large;
    small.col(i) = f.small;
    density +=
        result.spinors[static_cast<std::size_t>(i)].occupation * (f.large.cwiseAbs2() + f.small.cwiseAbs2());
  }
  density.array() /= 4 * constants::kPi * r.array().square();
  const auto spinors = static_cast<std::size_t>(w.count());
  group.write("r", valuesOf(r), "bohr");
  group.write("P", valuesOf(large), "bohr^-1/2", spinors);
  group.write("Q", valuesOf(small), "bohr^-1/2", spinors);
  group.write("density", valuesOf(density), "bohr^-3");
}

void writeCoefficients(Group group, const StartSpinors& s) {
  Group large = group.create("large"), small = group.create("small");
  for (std::size_t a = 0; a < s.large.size(); ++a) {
    const std::string name = s.basis.symmetries[a].symmetry.label();
    const auto spinors = static_cast<std::size_t>(s.large[a].cols());
    large.write(name, valuesOf(s.large[a]), "", spinors);
    small.write(name, valuesOf(s.small[a]), "", spinors);
  }
}

Matrix readCoefficients(const Group& group, const SymmetryBasis& basis) {
  const std::vector<double> values = group.numbers(basis.symmetry.label());
  const auto functions = static_cast<std::size_t>(basis.size());
  if (functions == 0) {
    requireSize(values.size(), 0, "coefficients");
    return Matrix(0, 0);
  }
  requireSize(values.size() % functions, 0, "a row of coefficients");
  return Eigen::Map<const Matrix>(values.data(), basis.size(),
                                  static_cast<Eigen::Index>(values.size() / functions));
}

void writeSpace(Group group, const limit::SplineSpace& space) {
  group.set("order", space.order());
  group.write("breaks", space.breaks());
  group.write("multiplicity", space.multiplicity());
}

limit::SplineSpace readSpace(const Group& group) {
  constexpr int kLargestOrder = 32;
  const int order = group.whole("order");
  const std::vector<double> breaks = group.numbers("breaks");
  const std::vector<int> multiplicity = group.wholes("multiplicity");
  requireSize(multiplicity.size(), breaks.size(), "splines/multiplicity");
  bool sound = order >= 2 && order <= kLargestOrder && breaks.size() >= 2;
  for (std::size_t i = 0; i < breaks.size(); ++i) {
    sound = sound && std::isfinite(breaks[i]) && (i == 0 || breaks[i] > breaks[i - 1]) &&
            multiplicity[i] >= 1 && multiplicity[i] <= order;
  }
  if (!sound) throw Error("the result file is damaged: splines");
  return limit::SplineSpace(order, breaks, multiplicity);
}

void writeSplines(Group group, const LimitWavefunction& w) {
  writeSpace(group.create("large"), w.largeSpace());
  writeSpace(group.create("small"), w.smallSpace());
  std::vector<double> large, small, largePower, smallPower;
  for (const LimitWavefunction::Spinor& s : w.spinors()) {
    large.insert(large.end(), s.large.begin(), s.large.end());
    small.insert(small.end(), s.small.begin(), s.small.end());
    largePower.push_back(s.largePower);
    smallPower.push_back(s.smallPower);
  }
  group.write("large_coefficients", large, "", w.spinors().size());
  group.write("small_coefficients", small, "", w.spinors().size());
  group.write("large_power", largePower);
  group.write("small_power", smallPower);
}

std::shared_ptr<const LimitWavefunction> readSplines(const Group& group, std::size_t count) {
  limit::SplineSpace largeSpace = readSpace(group.open("large")), smallSpace = readSpace(group.open("small"));
  const std::vector<double> large = group.numbers("large_coefficients"),
                            small = group.numbers("small_coefficients"),
                            largePower = group.numbers("large_power"),
                            smallPower = group.numbers("small_power");
  requireSize(large.size(), count * static_cast<std::size_t>(largeSpace.size()),
              "splines/large_coefficients");
  requireSize(small.size(), count * static_cast<std::size_t>(smallSpace.size()),
              "splines/small_coefficients");
  requireSize(largePower.size(), count, "splines/large_power");
  requireSize(smallPower.size(), count, "splines/small_power");
  const Eigen::Map<const Matrix> l(large.data(), largeSpace.size(), static_cast<Eigen::Index>(count)),
      s(small.data(), smallSpace.size(), static_cast<Eigen::Index>(count));
  std::vector<LimitWavefunction::Spinor> spinors;
  for (std::size_t i = 0; i < count; ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    spinors.push_back({l.col(column), s.col(column), largePower[i], smallPower[i]});
  }
  return std::make_shared<LimitWavefunction>(std::move(largeSpace), std::move(smallSpace),
                                             std::move(spinors));
}

}  // namespace

void writeWavefunction(Group& group, const Result& result) {
  if (!result.wavefunction) return;
  Group spinors = group.open("spinors");
  writeFunctions(spinors, result);
  if (result.coefficients) writeCoefficients(group.create("coefficients"), *result.coefficients);
  if (const auto* limit = dynamic_cast<const LimitWavefunction*>(result.wavefunction.get()))
    writeSplines(group.create("splines"), *limit);
}

void readWavefunction(const Group& group, const BasisSet* basis, Result& result) {
  if (group.has("splines")) result.wavefunction = readSplines(group.open("splines"), result.spinors.size());
  if (!basis || !group.has("coefficients")) return;
  const Group large = group.open("coefficients/large"), small = group.open("coefficients/small");
  auto spinors = std::make_shared<StartSpinors>();
  spinors->basis = *basis;
  std::size_t count = 0;
  for (const SymmetryBasis& s : basis->symmetries) {
    spinors->large.push_back(readCoefficients(large, s));
    spinors->small.push_back(readCoefficients(small, s));
    requireSize(static_cast<std::size_t>(spinors->small.back().cols()),
                static_cast<std::size_t>(spinors->large.back().cols()), "coefficients/small");
    count += static_cast<std::size_t>(spinors->large.back().cols());
  }
  requireSize(count, result.spinors.size(), "coefficients");
  result.coefficients = spinors;
  result.wavefunction = std::make_shared<GaussianWavefunction>(result.coefficients);
}

}  // namespace prophet::hdf5
