#include "matter/powder/powder_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/common/constants.hpp"
#include "core/common/degree.hpp"
#include "core/common/stopwatch.hpp"

namespace prophet {

Eigen::VectorXd intensityOf(const Eigen::MatrixXd& sums, const std::vector<std::size_t>& counts,
                            const Eigen::VectorXd& q, const Eigen::MatrixXcd& f,
                            const std::vector<double>& bFactors) {
  const int kinds = static_cast<int>(counts.size());
  const Eigen::ArrayXd s2 = (q.array() / (4 * constants::kPi)).square();
  Eigen::ArrayXd intensity = Eigen::ArrayXd::Zero(q.size());
  const auto bOf = [&](int k) { return bFactors.empty() ? 0.0 : bFactors[k]; };
  for (int a = 0; a < kinds; ++a) {
    intensity += static_cast<double>(counts[a]) * f.col(a).array().abs2();
    for (int b = a; b < kinds; ++b) {
      const Eigen::ArrayXd both = (f.col(a).array() * f.col(b).array().conjugate()).real();
      intensity += 2 * both * (-(bOf(a) + bOf(b)) * s2).exp() * sums.col(pairKind(a, b, kinds)).array();
    }
  }
  return intensity;
}

Eigen::VectorXd intensityBound(const Eigen::MatrixXd& bounds, const Eigen::MatrixXcd& f) {
  const int kinds = static_cast<int>(f.cols());
  Eigen::ArrayXd bound = Eigen::ArrayXd::Zero(f.rows());
  for (int a = 0; a < kinds; ++a) {
    for (int b = a; b < kinds; ++b)
      bound +=
          2 * f.col(a).array().abs() * f.col(b).array().abs() * bounds.col(pairKind(a, b, kinds)).array();
  }
  return bound;
}

Eigen::VectorXd twoTheta(const Eigen::VectorXd& q, double wavelength) {
  return q.unaryExpr([&](double value) {
    const double sine = value * wavelength / (4 * constants::kPi);
    return sine > 1 ? std::numeric_limits<double>::quiet_NaN() : 2 * std::asin(sine) / kRadiansPerDegree;
  });
}

std::vector<double> bFactorsOf(const std::vector<std::string>& kinds,
                               const std::map<std::string, double>& table) {
  std::vector<double> list;
  for (const auto& kind : kinds) {
    const auto found = table.find(kind);
    list.push_back(found == table.end() ? 0.0 : found->second);
  }
  return list;
}

namespace {

/// Amplitudes of the kinds of a frame, each looked up once.
class AmplitudeTable {
 public:
  explicit AmplitudeTable(const PowderOptions& options) : options_(options) {}

  Eigen::MatrixXcd of(const std::vector<std::string>& kinds) {
    std::vector<std::string> missing;
    for (const auto& kind : kinds) {
      if (known_.count(kind) == 0) missing.push_back(kind);
    }
    if (!missing.empty()) add(missing);
    Eigen::MatrixXcd f(options_.q.size(), static_cast<Eigen::Index>(kinds.size()));
    for (std::size_t k = 0; k < kinds.size(); ++k) f.col(static_cast<Eigen::Index>(k)) = known_[kinds[k]];
    return f;
  }
  std::vector<std::string> provenance, warnings;

 private:
  void add(const std::vector<std::string>& kinds) {
    const Amplitudes found = amplitudesOf(kinds, options_.q, options_.amplitudes);
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      known_[kinds[k]] = found.values.col(static_cast<Eigen::Index>(k));
      provenance.push_back(kinds[k] + ": " + found.provenance[k]);
    }
    warnings.insert(warnings.end(), found.warnings.begin(), found.warnings.end());
  }
  const PowderOptions& options_;
  std::map<std::string, Eigen::VectorXcd> known_;
};

HistogramRequest requestFor(const Structure& s, const PowderOptions& options, int freeBins) {
  HistogramRequest r =
      requestForTolerance(s, options.tolerance, options.q.maxCoeff(), freeBins, options.mostBins);
  r.doublePrecision = options.doublePrecision;
  if (options.binWidth == 0) return r;
  r.width = options.binWidth;
  const double largest = particleRange(s), bins = largest / r.width + 2;
  if (!(bins < 5e5))
    throw Error(fmt::format("bins of {:g} angstrom are too narrow for distances up to {:.1f} angstrom",
                            r.width, largest));
  r.bins = static_cast<int>(bins);
  return r;
}

constexpr double kMostTurns = 1 << 20;  // whose sines single precision has
constexpr double kMostPairTerms =
    2e10;  // (pair, q) that are summed one by one without being asked for: seconds
constexpr double kLargestWidth = 100.0;  // angstrom

void requireOptions(const PowderOptions& o) {
  if (!(o.binWidth >= 0 && o.binWidth <= kLargestWidth))
    throw Error(fmt::format("bins of {:g} angstrom: expected a width above 0 and up to {:g}", o.binWidth,
                            kLargestWidth));
  for (const auto& [kind, b] : o.bFactors) {
    if (!(b >= 0 && b <= kLargestBFactor))
      throw Error(fmt::format("the Debye-Waller factor of {} is {:g} angstrom^2; expected 0 to {:g}", kind, b,
                              kLargestBFactor));
  }
}

/// Bins that hold all pairs closer than `distance`.
int closeBins(double distance, const PairHistogram& h) {
  return static_cast<int>(std::min<double>(h.bins, std::ceil(distance / h.width)));
}

DebyeRequest momentaOf(const PowderOptions& options) {
  DebyeRequest r;
  r.q = options.q;
  return r;
}

/// What all atoms scatter in phase: I(0), or more where amplitudes differ in sign.
double forwardOf(const Eigen::MatrixXcd& f, const std::vector<std::size_t>& counts) {
  double forward = 0;
  for (std::size_t k = 0; k < counts.size(); ++k)
    forward += static_cast<double>(counts[k]) * f.col(static_cast<Eigen::Index>(k)).cwiseAbs().maxCoeff();
  return forward * forward;
}

/// The bound of the error at the largest of a few q, relative to I(0).
double boundOf(const PairHistogram& h, const PowderOptions& options, const Eigen::MatrixXcd& f,
               const std::vector<std::size_t>& counts) {
  const Eigen::Index all = options.q.size(), some = std::min<Eigen::Index>(all, 16);
  Eigen::VectorXd q(some);
  Eigen::MatrixXcd amplitudes(some, f.cols());
  for (Eigen::Index i = 0; i < some; ++i) {
    const Eigen::Index from = some == 1 ? 0 : i * (all - 1) / (some - 1);
    q(i) = options.q(from);
    amplitudes.row(i) = f.row(from);
  }
  const double bound = intensityBound(debyeErrorBound(h, q), amplitudes).maxCoeff();
  return bound > 0 ? bound / forwardOf(f, counts) : 0;  // atoms without electrons scatter nothing
}

/// How many of the first bins must be summed one by one, that the bound of the others keeps the tolerance; 0
/// where it does with all, or where those would be too many pairs.
int binsBeyondTolerance(const PairHistogram& h, const PowderOptions& options, const Eigen::MatrixXcd& f,
                        const std::vector<std::size_t>& counts) {
  double pairs = 0;
  const auto boundWithout = [&](int bins) {
    PairHistogram rest = h;
    const double taken = takeOut(rest, bins).sum();
    const double bound = boundOf(rest, options, f, counts);
    pairs = taken + takeOut(rest, bins + 1).sum();
    return bound;
  };
  if (boundOf(h, options, f, counts) <= options.tolerance) return 0;
  int few = 0, enough = h.bins;
  while (enough - few > 1) {
    const int middle = few + (enough - few) / 2;
    (boundWithout(middle) <= options.tolerance ? enough : few) = middle;
  }
  boundWithout(enough);
  // One more: a few pairs of the last bin may belong to the next one.
  return pairs * static_cast<double>(options.q.size()) < kMostPairTerms ? enough + 1 : 0;
}

/// Sums of a frame by the histogram, and what they are worth.
DebyeSums histogramSums(const Structure& s, const HistogramRequest& request, const PowderOptions& options,
                        const Eigen::MatrixXcd& f, PairEngine& engine, PowderPattern& p) {
  const auto counts = s.counts();
  PairHistogram h = engine.histogram(s, request);
  const double pairs = static_cast<double>(s.size()) * (static_cast<double>(s.size()) - 1) / 2;
  if (options.wholeSums && h.total() != pairs)
    throw Error(
        fmt::format("{} counted {:.0f} of the {:.0f} pairs of the particle, a defect of the program, please "
                    "report it; method direct does not need the histogram",
                    engine.name(), h.total(), pairs));
  int exactBins = options.exactBelow > 0 ? closeBins(options.exactBelow, h) : 0;
  if (options.exactBelow == 0 && options.binWidth == 0) {
    exactBins = options.wholeSums ? binsBeyondTolerance(h, options, f, counts) : 0;
    if (options.firsts) exactBins = static_cast<int>(options.firsts(exactBins));
  }
  // A few pairs of the last bin that is taken out may belong to the next one: it counts for the bound.
  Eigen::VectorXd taken = takeOut(h, exactBins - 1);
  p.binWidth = h.width;
  p.exactBelow = exactBins * h.width;
  const double bound = boundOf(h, options, f, counts);
  p.errorBound = std::max(p.errorBound, bound);
  if (bound > options.tolerance && options.binWidth == 0)
    addWarnings(
        p.warnings,
        {fmt::format("the error is below {:.2g} of I(0), not {:g}: {} bins are too few for distances up to "
                     "{:.4g} angstrom; method direct with precision double has no such error",
                     bound, options.tolerance, h.bins, request.range())});
  taken += takeOut(h, exactBins);
  DebyeSums sums = engine.transform(h, options.q);
  if (exactBins > 0)
    addClosePairs(engine.closePairs(s, p.exactBelow, momentaOf(options)), taken, options.q, sums.values);
  return sums;
}

/// Takes the lattice off a frame that has one, and says so.
void makeParticle(Structure& s, PowderPattern& p) {
  addWarnings(p.warnings, s.warnings);
  if (!s.lattice) return;
  s.lattice.reset();
  addWarnings(p.warnings,
              {fmt::format("the file has a lattice, which this sum over pairs does not use: its {} atoms are "
                           "taken as one particle in empty space. For the pattern of a crystal, cut a "
                           "particle from it: cudaprophet structure FILE --shape sphere:100 -o particle.xyz",
                           s.size())});
}

/// What errors have put below 0.
void raiseToZero(PowderPattern& p, double forward) {
  const double lowest = p.intensity.size() > 0 ? p.intensity.minCoeff() : 0;
  if (!(lowest < 0)) return;
  addWarnings(
      p.warnings,
      {fmt::format("{} intensities are below 0, by up to {:.1e} of I(0), and are written as 0: the pattern "
                   "is smaller than its error there; method direct with precision double is exact",
                   (p.intensity.array() < 0).count(), -lowest / forward)});
  p.intensity = p.intensity.cwiseMax(0);
}

/// The sums of a frame as the options ask for them.
DebyeSums sumsOf(const Structure& s, const PowderOptions& options, const Eigen::MatrixXcd& f,
                 PairEngine& engine, PowderPattern& p) {
  const double n = static_cast<double>(s.size()), pairs = n * (n - 1) / 2;
  const auto progress = [&](double done) { options.progress(done, pairs); };
  p.pairs += pairs;
  if (options.method == PowderMethod::Direct) {
    DebyeRequest r = momentaOf(options);
    const double range = particleRange(s);
    r.doublePrecision =
        options.doublePrecision || options.q.maxCoeff() * range > 2 * constants::kPi * kMostTurns;
    if (r.doublePrecision && !options.doublePrecision)
      addWarnings(p.warnings, {fmt::format("summed in double precision: single precision cannot represent "
                                           "the phases of distances up to {:.3g} angstrom",
                                           range)});
    if (options.progress) r.progress = progress;
    p.doublePrecision = p.doublePrecision || r.doublePrecision;
    return engine.direct(s, r);
  }
  HistogramRequest r = requestFor(s, options, engine.freeBins());
  if (options.progress) r.progress = progress;
  p.doublePrecision = r.doublePrecision;
  return histogramSums(s, r, options, f, engine, p);
}

}  // namespace

PowderPattern powderSums(Frames& frames, const PowderOptions& options, PairEngine& engine,
                         const std::function<void(const FrameSums&)>& take) {
  const Stopwatch watch;
  PowderPattern p;
  p.q = options.q;
  requireOptions(options);
  AmplitudeTable table(options);
  while (auto frame = frames.next()) {
    makeParticle(*frame, p);
    const Structure& s = *frame;
    FrameSums of{s.kinds, s.counts(), {}, table.of(s.kinds)};
    of.sums = sumsOf(s, options, of.amplitudes, engine, p).values;
    if (p.frames++ == 0) {
      p.atoms = s.size();
      p.kinds = s.kinds;
      p.counts = of.counts;
      p.title = s.title;
    }
    take(of);
  }
  if (p.frames == 0) throw Error("the file has no atoms");
  p.device = engine.name();
  p.provenance = table.provenance;
  addWarnings(p.warnings, table.warnings);
  p.seconds = watch.seconds();
  return p;
}

PowderPattern powderPattern(Frames& frames, const PowderOptions& options, PairEngine& engine) {
  double forward = 0;
  std::set<std::string> seen;
  Eigen::VectorXd intensity = Eigen::VectorXd::Zero(options.q.size());
  PowderPattern p = powderSums(frames, options, engine, [&](const FrameSums& f) {
    forward = std::max(forward, forwardOf(f.amplitudes, f.counts));
    seen.insert(f.kinds.begin(), f.kinds.end());
    intensity +=
        intensityOf(f.sums, f.counts, options.q, f.amplitudes, bFactorsOf(f.kinds, options.bFactors));
  });
  for (const auto& [kind, value] : options.bFactors) {
    if (seen.count(kind) == 0) throw Error("b_iso= names " + kind + ", but there are no such atoms");
  }
  p.intensity = intensity / p.frames;
  if (options.wholeSums) raiseToZero(p, forward);
  return p;
}

}  // namespace prophet
