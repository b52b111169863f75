#include "matter/pairs/pair_distribution.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>

#include "core/common/constants.hpp"
#include "core/common/sinc.hpp"
#include "core/common/threads.hpp"
#include "matter/pairs/debye_sums.hpp"

namespace prophet {
namespace {

constexpr double kThinnest = 1e-3;       // angstrom, of the box around atoms
constexpr double kShortestRange = 1e-3;  // angstrom
constexpr double kMostVisits = 1e15;     // a day of the fastest machine

double shell(double width, int bin) {
  return 4 * constants::kPi / 3 * width * width * width * (3.0 * bin * (bin + 1.0) + 1.0);
}

/// |<w>|^2, by which totals are divided.
double squareOfMean(std::complex<double> mean) {
  if (!(std::norm(mean) > 0))
    throw Error("the mean amplitude of the atoms is 0, so that a total weighted by amplitudes has no scale");
  return std::norm(mean);
}

}  // namespace

void PairAverage::add(const PairHistogram& histogram, const std::vector<std::size_t>& counts, double volume) {
  if (!(volume > 0)) throw Error("pair distributions need a volume above 0");
  if (frames_ == 0) {
    sum_ = histogram;
    counts_ = counts;
  } else {
    if (counts != counts_)
      throw Error("the frames of a trajectory differ in their atoms; average over files with the same ones");
    sum_.add(histogram);
  }
  inverseVolume_ += 1 / volume;
  ++frames_;
}

std::size_t PairAverage::atoms() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::size_t{0});
}

double PairAverage::orderedPairs(int a, int b, int bin) const {
  const double once = static_cast<double>(sum_.counts[sum_.at(pairKind(a, b, sum_.kinds), bin)]);
  return (a == b ? 2 : 1) * once / frames_;
}

DistanceDistribution pairDistribution(const PairAverage& average,
                                      const std::vector<std::complex<double>>& weights) {
  const PairHistogram& h = average.histogram();
  const int kinds = h.kinds;
  DistanceDistribution g;
  g.r.resize(h.bins);
  g.partial.setZero(h.bins, pairKinds(kinds));
  g.total.setZero(h.bins);
  g.neighbours.setZero(h.bins, kinds * kinds);
  std::complex<double> meanWeight = 0;
  const double atoms = static_cast<double>(average.atoms());
  const auto weightOf = [&](int a) { return weights.empty() ? std::complex<double>(1) : weights[a]; };
  const auto countOf = [&](int a) { return static_cast<double>(average.counts()[a]); };
  for (int a = 0; a < kinds; ++a) meanWeight += weightOf(a) * (countOf(a) / atoms);
  const double scale = atoms * atoms * squareOfMean(meanWeight);
  for (int k = 0; k < h.bins; ++k) {
    g.r(k) = (k + 0.5) * h.width;
    const double ideal = shell(h.width, k) * average.inverseVolume();
    for (int a = 0; a < kinds; ++a) {
      for (int b = a; b < kinds; ++b) {
        const double pairs = average.orderedPairs(a, b, k);
        const double expected = ideal * countOf(a) * countOf(b);
        if (expected > 0) g.partial(k, pairKind(a, b, kinds)) = pairs / expected;
        const double both = a == b ? 1 : 2;
        g.total(k) += both * std::real(weightOf(a) * std::conj(weightOf(b))) * pairs / (ideal * scale);
        if (countOf(a) > 0) g.neighbours(k, a * kinds + b) = pairs / countOf(a);
        if (countOf(b) > 0) g.neighbours(k, b * kinds + a) = pairs / countOf(b);
      }
    }
    if (k > 0) g.neighbours.row(k) += g.neighbours.row(k - 1);
  }
  return g;
}

Eigen::VectorXd reducedDistribution(const DistanceDistribution& g, double density) {
  return 4 * constants::kPi * density * (g.r.array() * (g.total.array() - 1)).matrix();
}

double usualRange(const Structure& s) {
  return s.lattice ? 0.5 * cellWidths(*s.lattice).minCoeff() : particleRange(s);
}

double volumeOf(const Structure& s, double density) {
  if (s.lattice) return cellVolume(*s.lattice);
  if (density > 0) return static_cast<double>(s.size()) / density;
  return extentOf(s.positions).size.cwiseMax(kThinnest).prod();
}

void requireRange(const Structure& s, double range) {
  if (!(range >= kShortestRange) || !(range <= 2 * kFarthest))
    throw Error(fmt::format("the range of distances is {:g} angstrom; expected {:g} to {:g}", range,
                            kShortestRange, 2 * kFarthest));
  if (!s.lattice) return;
  const double n = static_cast<double>(s.size()),
               pairs = n * n / cellVolume(*s.lattice) * 2 * constants::kPi / 3 * std::pow(range, 3);
  if (!(pairs < kMostVisits))
    throw Error(
        fmt::format("about {:.1e} pairs are closer than {:g} angstrom, more than {:g}; take a shorter range",
                    pairs, range, kMostVisits));
}

std::string densityWarning(const Structure& s, double density) {
  if (s.lattice || density > 0 || extentOf(s.positions).size.minCoeff() > kThinnest) return {};
  return fmt::format(
      "the atoms lie in a plane, on a line or at one place: their density, which g and S refer to, is that "
      "of a "
      "box {:g} angstrom thick; give the density",
      kThinnest);
}

std::string pairName(const std::vector<std::string>& kinds, int a, int b) {
  return kinds[a] + "-" + kinds[b];
}

namespace {

using constants::kPi;

/// int_0^R W(r) sin(qr)/(qr) 4 pi r^2 dr, in closed form; W the window of Lorch or 1.
double background(double q, double range, bool lorch) {
  const double x = q * range;
  if (!lorch)
    return 4 * kPi * (x < 1e-4 ? range * range * range / 3 : (std::sin(x) - x * std::cos(x)) / (q * q * q));
  // W r^2 sin(qr)/(qr) = R/(pi q) sin(pi r/R) sin(qr), whose integral is one of two cosines.
  const double a = kPi / range;
  const double minus = range * sinc((a - q) * range), plus = range * sinc((a + q) * range);
  return 4 * kPi / (a * q) * 0.5 * (minus - plus);
}

}  // namespace

double firstMomentum(const Structure& s, double range) {
  const double width = s.lattice ? cellWidths(*s.lattice).maxCoeff() : range;
  return 2 * kPi / std::min(range, width);
}

Eigen::VectorXd leastFactor(const PairAverage& average, const Eigen::VectorXd& q,
                            const Eigen::MatrixXcd& weights) {
  Eigen::VectorXd least = Eigen::VectorXd::Zero(q.size());
  for (Eigen::Index i = 0; i < (weights.size() ? q.size() : 0); ++i) {
    std::complex<double> mean = 0;
    double squares = 0;
    for (Eigen::Index a = 0; a < weights.cols(); ++a) {
      const double c = static_cast<double>(average.counts()[static_cast<std::size_t>(a)]) /
                       static_cast<double>(average.atoms());
      mean += c * weights(i, a);
      squares += c * std::norm(weights(i, a));
    }
    least(i) = 1 - squares / std::norm(mean);
  }
  return least;
}

StructureFactor structureFactor(const PairAverage& average, const Eigen::VectorXd& q, bool lorch,
                                const Eigen::MatrixXcd& weights) {
  requireScattering(q);
  if (q.size() > 0 && !(q.minCoeff() > 0))
    throw Error("structure factors need q above 0: at 0 the whole volume scatters");
  const PairHistogram& h = average.histogram();
  const int kinds = h.kinds;
  const double range = h.width * h.bins;
  StructureFactor s;
  s.q = q;
  s.partial.setOnes(q.size(), pairKinds(kinds));
  s.total.setZero(q.size());
  const auto countOf = [&](int a) { return static_cast<double>(average.counts()[a]); };
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const double uniform = average.density() * background(q(i), range, lorch);
    const auto weightOf = [&](int a) { return weights.size() ? weights(i, a) : std::complex<double>(1); };
    std::complex<double> mean = 0;
    double total = 0;
    for (int a = 0; a < kinds; ++a) mean += weightOf(a) * (countOf(a) / static_cast<double>(average.atoms()));
    for (int a = 0; a < kinds; ++a) {
      for (int b = a; b < kinds; ++b) {
        const int pair = pairKind(a, b, kinds);
        double sum = 0;
        for (int k = 0; k < h.bins; ++k) {
          if (h.counts[h.at(pair, k)] == 0) continue;
          const double r = h.meanDistance(pair, k);
          sum += average.orderedPairs(a, b, k) * sinc(q(i) * r) * (lorch ? sinc(kPi * r / range) : 1.0);
        }
        const double atoms = static_cast<double>(average.atoms());
        s.partial(i, pair) += sum * atoms / (countOf(a) * countOf(b)) - uniform;
        const double w = std::real(weightOf(a) * std::conj(weightOf(b)));
        total += (a == b ? 1 : 2) * countOf(a) * countOf(b) / (atoms * atoms) * w * s.partial(i, pair);
      }
    }
    s.total(i) = total / squareOfMean(mean);
  }
  return s;
}

}  // namespace prophet
