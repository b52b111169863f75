#include <algorithm>

#include "common/math_constants.hpp"
#include "common/stopwatch.hpp"
#include "common/thread_pool.hpp"
#include "cuda/common/handles.hpp"
#include "cuda/pairs/cuda_pair_engine.hpp"
#include "cuda/pairs/device_atoms.hpp"

namespace prophet::cuda {
namespace {

struct Sums {
  Eigen::MatrixXd sines;                // (q, pair)
  std::vector<double> touching, pairs;  // [pair]
  double triangleSeconds = 0, rectangleSeconds = 0;
};

template <class Real>
std::vector<Point<Real>> pointsOf(const ByKind& atoms, const Eigen::Vector3d& centre) {
  std::vector<Point<Real>> points;
  points.reserve(atoms.positions.size());
  for (const auto& p : atoms.positions) {
    const Eigen::Vector3d d = p - centre;
    points.push_back({static_cast<Real>(d.x()), static_cast<Real>(d.y()), static_cast<Real>(d.z()), 0});
  }
  return points;
}

template <class Real>
Momenta<Real> momentaOf(const Eigen::VectorXd& q, Eigen::Index start) {
  Momenta<Real> m{};
  for (Eigen::Index k = 0; k < Momenta<Real>::kCount && start + k < q.size(); ++k) {
    const double turns = q(start + k) / ((sizeof(Real) == 4 ? 1 : 2) * constants::kPi);
    m.high[k] = static_cast<Real>(turns);
    m.low[k] = static_cast<Real>(turns - static_cast<double>(m.high[k]));
  }
  return m;
}

template <class Real>
Sums sumOn(int device, const std::vector<Point<Real>>& points, const std::vector<KindPair>& pairs,
           const Eigen::VectorXd& q, int part, int parts, bool special) {
  PROPHET_CUDA_CHECK(cudaSetDevice(device));
  const Stream stream;
  const DeviceBuffer<Point<Real>> atoms(points);
  constexpr Eigen::Index kCount = Momenta<Real>::kCount;
  const std::size_t launches = static_cast<std::size_t>((q.size() + kCount - 1) / kCount);
  DeviceBuffer<double> sums(launches * static_cast<std::size_t>(kCount) * pairs.size());
  DeviceBuffer<unsigned long long> touching(launches * pairs.size());
  sums.fill(0, stream.get());
  touching.fill(0, stream.get());
  Sums out;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const Event begin, end;
    begin.record(stream.get());
    for (std::size_t l = 0; l < launches; ++l) {
      const std::size_t at = p * launches + l;
      launchDirect(atoms.data(), pairs[p], momentaOf<Real>(q, static_cast<Eigen::Index>(l) * kCount), part,
                   parts, special, sums.data() + at * static_cast<std::size_t>(kCount), touching.data() + at,
                   stream.get());
    }
    end.record(stream.get());
    (pairs[p].triangle ? out.triangleSeconds : out.rectangleSeconds) += end.secondsSince(begin);
  }
  const auto values = sums.download(stream.get());
  const auto touched = touching.download(stream.get());
  out.sines.setZero(q.size(), static_cast<Eigen::Index>(pairs.size()));
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    for (Eigen::Index k = 0; k < q.size(); ++k)
      out.sines(k, static_cast<Eigen::Index>(p)) =
          values[p * launches * static_cast<std::size_t>(kCount) + static_cast<std::size_t>(k)];
    out.touching.push_back(launches > 0 ? static_cast<double>(touched[p * launches]) : 0);
  }
  return out;
}

double pairsIn(const KindPair& p) {
  const double a = p.endA - p.firstA, b = p.endB - p.firstB;
  return p.triangle ? a * (a - 1) / 2 : a * b;
}

}  // namespace

DebyeSums CudaPairEngine::direct(const Structure& s, const DebyeRequest& request) {
  requireScattering(request.q);
  const Stopwatch watch;
  const ByKind atoms = sortByKind(s);
  const Eigen::Vector3d centre = extentOf(s.positions).centre;
  std::vector<std::uint32_t> first;
  for (const std::size_t f : atoms.first) first.push_back(static_cast<std::uint32_t>(f));
  std::uint64_t groups = 0;
  const auto pairs = kindPairs(first, groups);
  const int share = static_cast<int>(devices_.size());
  std::vector<Sums> all(devices_.size());
  forEachShare(share, share, [&](int i, int) {
    const int device = devices_[static_cast<std::size_t>(i)], part = request.part * share + i,
              parts = request.parts * share;
    all[static_cast<std::size_t>(i)] =
        request.doublePrecision
            ? sumOn<double>(device, pointsOf<double>(atoms, centre), pairs, request.q, part, parts, special_)
            : sumOn<float>(device, pointsOf<float>(atoms, centre), pairs, request.q, part, parts, special_);
  });
  DebyeSums sums;
  sums.values.setZero(request.q.size(), static_cast<Eigen::Index>(pairs.size()));
  const double momenta = static_cast<double>(request.q.size());
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    (pairs[p].triangle ? sums.triangleTerms : sums.rectangleTerms) +=
        pairsIn(pairs[p]) * momenta / request.parts;
    const Eigen::Index column = static_cast<Eigen::Index>(p);
    for (Eigen::Index k = 0; k < request.q.size(); ++k) {
      // At q = 0 every pair counts, once for all parts.
      if (request.q(k) == 0) {
        sums.values(k, column) = request.part == 0 ? pairsIn(pairs[p]) : 0;
        continue;
      }
      for (const Sums& one : all)
        sums.values(k, column) += one.sines(k, column) / request.q(k) + one.touching[p];
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
