#include <algorithm>
#include <cmath>

#include "core/common/constants.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/threads.hpp"
#include "cuda/core/common/handles.hpp"
#include "cuda/matter/pairs/cuda_pair_engine.hpp"
#include "cuda/matter/pairs/device_atoms.hpp"

namespace prophet::cuda {
namespace {

struct Sums {
  Eigen::MatrixXd sines;         // (q, pair of kinds)
  std::vector<double> touching;  // [pair of kinds]
  double triangleSeconds = 0, rectangleSeconds = 0;
};

std::vector<Point> pointsOf(const ByKind& atoms, const Eigen::Vector3d& centre) {
  std::vector<Point> points;
  points.reserve(atoms.positions.size());
  for (const auto& p : atoms.positions) {
    const Eigen::Vector3d d = p - centre;
    points.push_back({d.x(), d.y(), d.z(), 0});
  }
  return points;
}

/// A number as the sum of two.
template <class Real>
void split(double x, Real& high, Real& low) {
  high = static_cast<Real>(x);
  low = static_cast<Real>(x - static_cast<double>(high));
}

template <class M>
M momentaOf(const Eigen::VectorXd& q) {
  M m{};
  for (Eigen::Index k = 0; k < q.size(); ++k) split(q(k) / (M::kUnit * constants::kPi), m.high[k], m.low[k]);
  return m;
}

/// Whether the momenta are q_0 + k step, to what is far below the last digit of a phase.
bool equallySpaced(const Eigen::VectorXd& q) {
  if (q.size() < 3) return false;
  const Eigen::Index last = q.size() - 1;
  const double step = (q(last) - q(0)) / static_cast<double>(last);
  for (Eigen::Index k = 1; k < last; ++k) {
    if (std::abs(q(k) - (q(0) + static_cast<double>(k) * step)) > 1e-12 * q(last)) return false;
  }
  return true;
}

double stepOf(const Eigen::VectorXd& q) {
  return (q(q.size() - 1) - q(0)) / static_cast<double>(q.size() - 1);
}

MomentumLadder singleLadder(const Eigen::VectorXd& q) {
  const double step = stepOf(q) / constants::kPi;
  MomentumLadder m{};
  for (int c = 0; c < MomentumLadder::kCentres; ++c)
    split(q(0) / constants::kPi + (8 * c + 3.5) * step, m.centreHigh[c], m.centreLow[c]);
  split(0.5 * step, m.halfStep[0], m.halfStep[1]);
  return m;
}

DoubleLadder doubleLadder(const Eigen::VectorXd& q) {
  const double step = stepOf(q);
  DoubleLadder m{};
  m.first = (q(0) + 3.5 * step) / (2 * constants::kPi);
  m.halfStep = 0.5 * step / (2 * constants::kPi);
  return m;
}

/// Momenta of a launch, from a place on.
struct Piece {
  Eigen::Index start, count;
  bool ladder;
};

/// All momenta in pieces; only the last one may hold fewer than its kernel does.
std::vector<Piece> piecesOf(const Eigen::VectorXd& q, bool doublePrecision) {
  // Fewer are not worth a ladder, which takes as long with one as with 64.
  constexpr Eigen::Index kWorthALadder = 24;
  std::vector<Piece> pieces;
  for (Eigen::Index start = 0; start < q.size(); start += pieces.back().count) {
    const Eigen::Index rest = q.size() - start;
    const Eigen::Index many =
        std::min<Eigen::Index>(rest, doublePrecision ? DoubleLadder::kCount : MomentumLadder::kCount);
    const bool ladder = (!doublePrecision || many > kWorthALadder) && equallySpaced(q.segment(start, many));
    const Eigen::Index few =
        std::min<Eigen::Index>(rest, doublePrecision ? DoubleMomenta::kCount : SingleMomenta::kCount);
    pieces.push_back({start, ladder ? many : few, ladder});
  }
  return pieces;
}

constexpr Eigen::Index kMostMomenta = 64;  // that a launch writes

/// The sums of a kind of pairs on a device for some momenta.
struct Launcher {
  const DeviceBuffer<Point>& atoms;
  int part, parts;
  bool doublePrecision;
  cudaStream_t stream;

  void launch(const KindPair& pair, const Eigen::VectorXd& q, bool ladder, double* sums,
              unsigned long long* touching) const {
    const auto with = [&](const auto& m) {
      launchDirect(atoms.data(), pair, m, part, parts, sums, touching, stream);
    };
    if (doublePrecision) {
      ladder ? with(doubleLadder(q)) : with(momentaOf<DoubleMomenta>(q));
    } else {
      ladder ? with(singleLadder(q)) : with(momentaOf<SingleMomenta>(q));
    }
  }
};

Sums sumOn(int device, const std::vector<Point>& points, const std::vector<KindPair>& pairs, int results,
           const DebyeRequest& request, int part, int parts) {
  PROPHET_CUDA_CHECK(cudaSetDevice(device));
  const Stream stream;
  const DeviceBuffer<Point> atoms(points);
  const Launcher launcher{atoms, part, parts, request.doublePrecision, stream.get()};
  const auto pieces = piecesOf(request.q, request.doublePrecision);
  const std::size_t momenta = static_cast<std::size_t>(request.q.size()), stride = momenta + kMostMomenta;
  DeviceBuffer<double> sums(stride * static_cast<std::size_t>(results));
  DeviceBuffer<unsigned long long> touching(pieces.size() * static_cast<std::size_t>(results));
  sums.fill(0, stream.get());
  touching.fill(0, stream.get());
  Sums out;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const Event begin, end;
    begin.record(stream.get());
    const auto result = static_cast<std::size_t>(pairs[p].result);
    for (std::size_t l = 0; l < pieces.size(); ++l)
      launcher.launch(pairs[p], request.q.segment(pieces[l].start, pieces[l].count), pieces[l].ladder,
                      sums.data() + result * stride + pieces[l].start,
                      touching.data() + result * pieces.size() + l);
    end.record(stream.get());
    (pairs[p].triangle ? out.triangleSeconds : out.rectangleSeconds) += end.secondsSince(begin);
  }
  const auto values = sums.download(stream.get());
  const auto touched = touching.download(stream.get());
  out.sines.setZero(request.q.size(), results);
  for (std::size_t p = 0; p < static_cast<std::size_t>(results); ++p) {
    for (std::size_t k = 0; k < momenta; ++k)
      out.sines(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(p)) = values[p * stride + k];
    // Every piece counts the same ones.
    out.touching.push_back(pieces.empty() ? 0 : static_cast<double>(touched[p * pieces.size()]));
  }
  return out;
}

}  // namespace

DebyeSums CudaPairEngine::direct(const Structure& s, const DebyeRequest& request) {
  requireScattering(request.q);
  const Stopwatch watch;
  const PairShare parts(s.size(), request.part, request.parts);
  const ByKind atoms = sortByKind(request.parts == 1 ? s : parts.split(s));
  const int kinds = static_cast<int>(s.kinds.size()), results = pairKinds(kinds);
  const Eigen::Vector3d centre = extentOf(s.positions).centre;
  std::vector<std::uint32_t> first;
  for (const std::size_t f : atoms.first) first.push_back(static_cast<std::uint32_t>(f));
  std::uint64_t groups = 0;
  const auto pairs = kindPairs(parts.pairsOf(kinds), first, {}, groups);
  const int share = static_cast<int>(devices_.size());
  std::vector<Sums> all(devices_.size());
  const auto points = pointsOf(atoms, centre);
  forEachShare(share, share, [&](int i, int) {
    all[static_cast<std::size_t>(i)] =
        sumOn(devices_[static_cast<std::size_t>(i)], points, pairs, results, request, i, share);
  });
  DebyeSums sums;
  sums.values.setZero(request.q.size(), results);
  const double momenta = static_cast<double>(request.q.size());
  std::vector<double> counts(static_cast<std::size_t>(results), 0.0);
  for (const KindPair& pair : pairs) counts[static_cast<std::size_t>(pair.result)] += pairsIn(pair);
  for (int a = 0, p = 0; a < kinds; ++a) {
    for (int b = a; b < kinds; ++b, ++p) {
      const double count = counts[static_cast<std::size_t>(p)];
      (a == b ? sums.triangleTerms : sums.rectangleTerms) += count * momenta;
      for (Eigen::Index k = 0; k < request.q.size(); ++k) {
        // At q = 0 every pair counts.
        if (request.q(k) == 0) sums.values(k, p) = count;
        for (const Sums& one : all) {
          if (request.q(k) > 0)
            sums.values(k, p) += one.sines(k, p) / request.q(k) + one.touching[static_cast<std::size_t>(p)];
        }
      }
    }
  }
  for (const Sums& one : all) {
    sums.triangleSeconds = std::max(sums.triangleSeconds, one.triangleSeconds);
    sums.rectangleSeconds = std::max(sums.rectangleSeconds, one.rectangleSeconds);
  }
  kernelSeconds_ = sums.triangleSeconds + sums.rectangleSeconds;
  sums.terms = sums.triangleTerms + sums.rectangleTerms;
  sums.seconds = watch.seconds();
  return sums;
}

}  // namespace prophet::cuda
