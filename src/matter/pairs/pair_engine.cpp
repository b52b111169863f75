#include "matter/pairs/pair_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/ranks/ranks.hpp"

namespace prophet {
namespace {

class HostPairEngine : public PairEngine {
 public:
  explicit HostPairEngine(int threads) : threads_(threads) {}
  std::string name() const override {
    return fmt::format("CPU, {} {}", threads_, threads_ == 1 ? "thread" : "threads");
  }
  PairHistogram histogram(const Structure& structure, const HistogramRequest& request) override {
    HistogramRequest mine = request;
    mine.threads = threads_;
    return pairHistogram(structure, mine);
  }
  DebyeSums direct(const Structure& structure, const DebyeRequest& request) override {
    DebyeRequest mine = request;
    mine.threads = threads_;
    return debyeSums(structure, mine);
  }
  DebyeSums transform(const PairHistogram& histogram, const Eigen::VectorXd& q) override {
    return debyeTransform(histogram, q, threads_);
  }
  Eigen::VectorXd sincSum(const std::vector<double>& distances, const Eigen::VectorXd& q) override {
    return prophet::sincSum(distances, q, threads_);
  }

 private:
  int threads_;
};

}  // namespace

ClosePairs PairEngine::closePairs(const Structure& s, double range, const DebyeRequest& request) {
  const int pairs = pairKinds(static_cast<int>(s.kinds.size()));
  ClosePairs close{range, Eigen::MatrixXd::Zero(request.q.size(), pairs), Eigen::VectorXd::Zero(pairs)};
  forClosePairs(s, range, request.part, request.parts, [&](int pair, const std::vector<double>& distances) {
    close.values.col(pair) += sincSum(distances, request.q);
    close.counts(pair) += static_cast<double>(distances.size());
  });
  return close;
}

std::unique_ptr<PairEngine> hostPairEngine(int threads) { return std::make_unique<HostPairEngine>(threads); }

namespace {

/// Numbers as they lie in memory: all ranks run the same program.
class Packer {
 public:
  template <class T>
  void add(const T* values, std::size_t count) {
    text_.append(reinterpret_cast<const char*>(values), count * sizeof(T));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class Unpacker {
 public:
  explicit Unpacker(const std::string& text) : text_(text) {}
  template <class T>
  void take(T* values, std::size_t count) {
    if (at_ + count * sizeof(T) > text_.size())
      throw Error("a rank sent less than its part; start all with the same program");
    std::memcpy(values, text_.data() + at_, count * sizeof(T));
    at_ += count * sizeof(T);
  }

 private:
  const std::string& text_;
  std::size_t at_ = 0;
};

std::string packed(const PairHistogram& h) {
  const double facts[] = {h.distanceError, h.relativeError, h.visited, h.seconds};
  Packer out;
  out.add(facts, 4);
  out.add(h.counts.data(), h.counts.size());
  out.add(h.offsets.data(), h.offsets.size());
  return out.text();
}

/// One of the same shape as `like`.
PairHistogram unpacked(const std::string& text, PairHistogram like) {
  double facts[4];
  Unpacker in(text);
  in.take(facts, 4);
  in.take(like.counts.data(), like.counts.size());
  in.take(like.offsets.data(), like.offsets.size());
  like.distanceError = facts[0];
  like.relativeError = facts[1];
  like.visited = facts[2];
  like.seconds = facts[3];
  return like;
}

/// Adds the others' numbers to the first rank's.
void addAtFirst(Ranks& ranks, Eigen::Ref<Eigen::MatrixXd> mine) {
  Packer out;
  out.add(mine.data(), static_cast<std::size_t>(mine.size()));
  const auto all = gatherAtFirst(ranks, out.text());
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    Eigen::MatrixXd other(mine.rows(), mine.cols());
    Unpacker(all[rank]).take(other.data(), static_cast<std::size_t>(other.size()));
    mine += other;
  }
}

}  // namespace

RankedPairEngine::RankedPairEngine(std::unique_ptr<PairEngine> mine, Ranks& ranks)
    : mine_(std::move(mine)), ranks_(ranks), freeBins_(mine_->freeBins()) {
  name_ = describeRanks(ranks.allGather(mine_->name()));
  for (const std::string& bins : ranks.allGather(std::to_string(freeBins_)))
    freeBins_ = std::min(freeBins_, std::stoi(bins));
}

template <class Request>
Request RankedPairEngine::share(const Request& request) const {
  Request mine = request;
  mine.part = request.part * ranks_.size() + ranks_.rank();
  mine.parts = request.parts * ranks_.size();
  mine.progress = nullptr;
  if (request.progress && ranks_.rank() == 0)
    mine.progress = [progress = request.progress, size = ranks_.size()](double done) {
      progress(done * size);
    };
  return mine;
}

PairHistogram RankedPairEngine::histogram(const Structure& s, const HistogramRequest& request) {
  PairHistogram h;
  together(ranks_, [&] { h = mine_->histogram(s, share(request)); });
  const auto all = gatherAtFirst(ranks_, packed(h));
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    const PairHistogram other = unpacked(all[rank], h);
    const double seconds = std::max(h.seconds, other.seconds);
    h.add(other);
    h.seconds = seconds;
  }
  return h;
}

DebyeSums RankedPairEngine::direct(const Structure& s, const DebyeRequest& request) {
  DebyeSums sums;
  together(ranks_, [&] { sums = mine_->direct(s, share(request)); });
  // Two rows more for the numbers of terms, so that all goes in one piece.
  const Eigen::Index momenta = sums.values.rows();
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(momenta + 2, sums.values.cols());
  all.topRows(momenta) = sums.values;
  all(momenta, 0) = sums.triangleTerms;
  all(momenta + 1, 0) = sums.rectangleTerms;
  addAtFirst(ranks_, all);
  sums.values = all.topRows(momenta);
  sums.triangleTerms = all(momenta, 0);
  sums.rectangleTerms = all(momenta + 1, 0);
  sums.terms = sums.triangleTerms + sums.rectangleTerms;
  return sums;
}

ClosePairs RankedPairEngine::closePairs(const Structure& s, double range, const DebyeRequest& request) {
  ClosePairs close;
  together(ranks_, [&] { close = mine_->closePairs(s, range, share(request)); });
  // In one piece: a row more for the counts.
  Eigen::MatrixXd all(close.values.rows() + 1, close.values.cols());
  all << close.values, close.counts.transpose();
  addAtFirst(ranks_, all);
  close.values = all.topRows(close.values.rows());
  close.counts = all.bottomRows(1).transpose();
  return close;
}

DebyeSums RankedPairEngine::transform(const PairHistogram& h, const Eigen::VectorXd& q) {
  if (ranks_.rank() == 0) return mine_->transform(h, q);
  DebyeSums nothing;
  nothing.values.setZero(q.size(), pairKinds(h.kinds));
  return nothing;
}

Eigen::VectorXd RankedPairEngine::sincSum(const std::vector<double>& distances, const Eigen::VectorXd& q) {
  return mine_->sincSum(distances, q);
}

}  // namespace prophet
