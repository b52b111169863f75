#include "powder/powder_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "common/stopwatch.hpp"
#include "powder/pattern.hpp"

namespace prophet {
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

/// Bins that hold all pairs closer than `distance`.
int closeBins(double distance, const PairHistogram& h) {
  return static_cast<int>(std::min<double>(h.bins, std::ceil(distance / h.width)));
}

DebyeRequest momentaOf(const PowderOptions& options) {
  DebyeRequest r;
  r.q = options.q;
  return r;
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
  double forward = 0;
  for (std::size_t k = 0; k < counts.size(); ++k)
    forward += static_cast<double>(counts[k]) * f.col(static_cast<Eigen::Index>(k)).cwiseAbs().maxCoeff();
  return intensityBound(debyeErrorBound(h, q), amplitudes).maxCoeff() / (forward * forward);
}

}  // namespace

PowderPattern powderPattern(Frames& frames, const PowderOptions& options, PairEngine& engine) {
  const Stopwatch watch;
  PowderPattern p;
  p.q = options.q;
  p.intensity.setZero(options.q.size());
  AmplitudeTable table(options);
  std::set<std::string> seen;
  while (auto frame = frames.next()) {
    const Structure& s = *frame;
    const auto counts = s.counts();
    const Eigen::MatrixXcd f = table.of(s.kinds);
    const double n = static_cast<double>(s.size()), pairs = n * (n - 1) / 2;
    const auto progress = [&](double done) { options.progress(done, pairs); };
    DebyeSums sums;
    if (options.method == PowderMethod::Direct) {
      DebyeRequest r = momentaOf(options);
      r.doublePrecision = options.doublePrecision;
      if (options.progress) r.progress = progress;
      sums = engine.direct(s, r);
    } else {
      HistogramRequest r = requestFor(s, options, engine.freeBins());
      if (options.progress) r.progress = progress;
      PairHistogram h = engine.histogram(s, r);
      const int exactBins = options.exactBelow > 0 ? closeBins(options.exactBelow, h) : 0;
      // Of the last bin that is taken out a few pairs may belong to the next one: it counts for the bound.
      Eigen::VectorXd taken = takeOut(h, exactBins - 1);
      p.binWidth = h.width;
      p.exactBelow = exactBins * h.width;
      p.errorBound = std::max(p.errorBound, boundOf(h, options, f, counts));
      taken += takeOut(h, exactBins);
      sums = engine.transform(h, options.q);
      if (exactBins > 0)
        addClosePairs(engine.closePairs(s, p.exactBelow, momentaOf(options)), taken, options.q, sums.values);
    }
    p.intensity += intensityOf(sums.values, counts, options.q, f, bFactorsOf(s.kinds, options.bFactors));
    p.pairs += pairs;
    seen.insert(s.kinds.begin(), s.kinds.end());
    if (p.frames++ == 0) {
      p.atoms = s.size();
      p.kinds = s.kinds;
      p.counts = counts;
      p.title = s.title;
    }
  }
  if (p.frames == 0) throw Error("the file has no atoms");
  for (const auto& [kind, value] : options.bFactors) {
    if (seen.count(kind) == 0) throw Error("--b-iso names " + kind + ", but the file has no such atoms");
  }
  p.intensity /= p.frames;
  p.device = engine.name();
  p.provenance = table.provenance;
  p.warnings = table.warnings;
  p.seconds = watch.seconds();
  return p;
}

}  // namespace prophet
