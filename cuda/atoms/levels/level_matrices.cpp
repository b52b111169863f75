#include "cuda/atoms/levels/level_matrices.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "atoms/configurations/determinant_space.hpp"
#include "core/common/index.hpp"
#include "core/linalg/eigen_solver.hpp"
#include "cuda/atoms/levels/level_lane.hpp"
#include "cuda/atoms/levels/matrix_kernels.hpp"

namespace prophet::cuda {
namespace {

constexpr int kLowOnGpu = 448;                  // rows of an eigenproblem: below, the processor is as fast
constexpr double kEigenBytes = 8 * 5;           // of each element, with what cuSOLVER takes
constexpr std::int64_t kDenseValues = 1 << 27;  // between determinants, at once

/// Coupled states that have their determinants side by side, as a dense matrix.
struct StateGroup {
  int firstRow = 0, rows = 0, firstState = 0, states = 0;
  std::size_t start = 0;  ///< of its values
};

/// The states of a block, cut where the determinants of one end before those of the next.
std::vector<StateGroup> groupsOf(const LevelBlock& block, std::vector<double>& values) {
  std::vector<StateGroup> groups;
  const int* const starts = block.states.outerIndexPtr();
  const int* const rows = block.states.innerIndexPtr();
  for (int s = 0; s < static_cast<int>(block.size()); ++s) {
    const int first = rows[starts[s]], last = rows[starts[s + 1] - 1];
    if (groups.empty() || first >= groups.back().firstRow + groups.back().rows)
      groups.push_back({first, 0, s, 0, 0});
    // One that reaches below its group belongs together with those there.
    while (groups.size() > 1 && first < groups.back().firstRow) {
      const StateGroup joined = groups.back();
      groups.pop_back();
      groups.back().rows = joined.firstRow + joined.rows - groups.back().firstRow;
      groups.back().states += joined.states;
    }
    StateGroup& g = groups.back();
    const int end = std::max(g.firstRow + g.rows, last + 1);
    g.firstRow = std::min(g.firstRow, first);
    g.rows = end - g.firstRow;
    ++g.states;
  }
  for (StateGroup& g : groups) {
    g.start = values.size();
    values.resize(values.size() + usize(g.rows) * usize(g.states), 0.0);
    for (int s = 0; s < g.states; ++s)
      for (int e = starts[g.firstState + s]; e < starts[g.firstState + s + 1]; ++e)
        values[g.start + usize(s) * usize(g.rows) + usize(rows[e] - g.firstRow)] = block.states.valuePtr()[e];
  }
  return groups;
}

/// An operator's moves as the kernel takes them.
struct HostMoves {
  std::vector<int> first, to;
  std::vector<double> values;
  explicit HostMoves(const ElectronOperator& o) {
    first.push_back(0);
    for (const auto& list : o.one) {
      for (const auto& [k, value] : list) add(k, value);
      first.push_back(static_cast<int>(to.size()));
    }
    for (const auto& list : o.two) {
      for (const PairMove& m : list) add(m.k + 64 * m.l, m.value);
      first.push_back(static_cast<int>(to.size()));
    }
  }

 private:
  void add(int place, double value) {
    to.push_back(place);
    values.push_back(value);
  }
};

}  // namespace

CudaLevelMatrices::CudaLevelMatrices(CudaLevelEngine& engine, const LevelBlock& block,
                                     const std::vector<const ElectronOperator*>& operators,
                                     int configurations)
    : engine_(engine), n_(static_cast<int>(block.size())), own_(usize(configurations)) {
  for (int s = 0; s < n_; ++s) own_[usize(block.configurations[usize(s)])].push_back(s);
  const int count = static_cast<int>(block.determinants.size());
  std::vector<double> stateValues;
  const std::vector<StateGroup> groups = groupsOf(block, stateValues);
  const LaneHold lane(
      engine_,
      largeBytes(8.0 * (static_cast<double>(count) * n_ +
                        std::min(static_cast<double>(kDenseValues), static_cast<double>(count) * count))));
  const cudaStream_t stream = lane->stream();
  const unsigned slots = std::bit_ceil(2u * static_cast<unsigned>(count));
  const auto* const determinants = reinterpret_cast<const unsigned long long*>(
      lane->upload(LevelLane::kDeterminants, block.determinants.data(), usize(count)));
  const DeterminantTable table{reinterpret_cast<unsigned long long*>(lane->zeros(LevelLane::kKeys, slots)),
                               reinterpret_cast<int*>(lane->room(LevelLane::kNumbers, slots)), slots - 1};
  insertDeterminants(count, determinants, table, stream);
  const double* const states = lane->upload(LevelLane::kStates, stateValues.data(), stateValues.size());
  const auto size = usize(n_) * usize(n_);
  const int most = std::max(1, static_cast<int>(kDenseValues / count));
  for (const ElectronOperator* o : operators) {
    const HostMoves host(*o);
    const MoveTable moves{static_cast<int>(o->places),
                          lane->upload(LevelLane::kPlaces, host.first.data(), host.first.size()),
                          lane->upload(LevelLane::kMoves, host.to.data(), host.to.size()),
                          lane->upload(LevelLane::kElements, host.values.data(), host.values.size())};
    // Applied to the states: determinants x states.
    double* const applied = lane->room(LevelLane::kApplied, usize(count) * usize(n_));
    for (std::size_t g = 0; g < groups.size();) {
      std::size_t end = g + 1;
      while (end < groups.size() && groups[end].firstRow + groups[end].rows - groups[g].firstRow <= most)
        ++end;
      const int first = groups[g].firstRow, columns = groups[end - 1].firstRow + groups[end - 1].rows - first;
      double* const dense = lane->zeros(LevelLane::kDense, usize(count) * usize(columns));
      applyMoves(moves, count, determinants, table, first, columns, dense, stream);
      for (; g < end; ++g) {
        const StateGroup& s = groups[g];
        lane->multiply(false, count, s.states, s.rows,
                       {dense + usize(s.firstRow - first) * usize(count), count}, {states + s.start, s.rows},
                       applied + usize(s.firstState) * usize(count), count);
      }
    }
    DeviceBuffer<double>& matrix = matrices_.emplace_back(engine_.memory()->take(size));
    for (const StateGroup& s : groups)
      lane->multiply(true, s.states, n_, s.rows, {states + s.start, s.rows}, {applied + s.firstRow, count},
                     matrix.data() + s.firstState, n_);
    if (!o->means.empty()) {
      std::vector<double> less;
      for (const int c : block.configurations) less.push_back(-o->means[usize(c)]);
      addDiagonal(n_, lane->upload(LevelLane::kSums, less.data(), less.size()), matrix.data(), stream);
    }
  }
  PROPHET_CUDA_CHECK(cudaStreamSynchronize(stream));
}

double* CudaLevelMatrices::sumOf(LevelLane& lane, const std::vector<DeviceBuffer<double>>& matrices,
                                 const Eigen::VectorXd& x) {
  const std::size_t size = matrices.front().size(), count = x.size() == 0 ? 1 : matrices.size();
  double* const out = lane.room(LevelLane::kMatrix, size);
  for (std::size_t first = 0; first < count; first += MatrixSum::kMost) {
    MatrixSum sum;
    for (std::size_t o = first; o < std::min(count, first + MatrixSum::kMost); ++o) {
      sum.matrices[sum.count] = matrices[o].data();
      sum.factors[sum.count++] = o == 0 ? 1.0 : x(static_cast<Eigen::Index>(o) - 1);
    }
    sumMatrices(static_cast<std::int64_t>(size), sum, first > 0, out, lane.stream());
  }
  return out;
}

double* CudaLevelMatrices::at(LevelLane& lane, const Eigen::VectorXd& x) const {
  double* const out = sumOf(lane, matrices_, x);
  if (x.size() == 0) return out;
  std::vector<double> diagonal(usize(n_));
  for (std::size_t c = 0; c < own_.size(); ++c)
    for (const int s : own_[c]) diagonal[usize(s)] = x(static_cast<Eigen::Index>(matrices_.size() - 1 + c));
  addDiagonal(n_, lane.upload(LevelLane::kSums, diagonal.data(), diagonal.size()), out, lane.stream());
  return out;
}

Eigen::VectorXd CudaLevelMatrices::solve(const Eigen::VectorXd& x, Eigen::Index count) {
  const int m = restricted_ > 0 ? restricted_ : n_, wanted = static_cast<int>(count);
  const auto size = usize(m) * usize(wanted);
  if (!found_ || found_.use_count() > 1 || found_->rows != m || found_->count != wanted)
    found_ = std::make_shared<DeviceStates>(engine_.memory(), m, wanted);
  found_->turns.clear();
  std::optional<LaneHold> lane(std::in_place, engine_, largeBytes(kEigenBytes * m * m));
  double* const matrix = restricted_ > 0 ? sumOf(**lane, low_, x) : at(**lane, x);
  if (m >= kLowOnGpu) {
    values_ = (*lane)->lowest(m, wanted, matrix);
    PROPHET_CUDA_CHECK(cudaMemcpyAsync(found_->own.data(), matrix, size * sizeof(double),
                                       cudaMemcpyDeviceToDevice, (*lane)->stream()));
  } else {
    Eigen::MatrixXd host(m, m), vectors;
    (*lane)->download(matrix, host.data(), usize(m) * usize(m));
    lane.reset();  // others compute there meanwhile
    EigenSolver().solve(host, 0, wanted, values_, vectors);
    lane.emplace(engine_);
    found_->own.upload(vectors.data(), size, (*lane)->stream());
    PROPHET_CUDA_CHECK(cudaStreamSynchronize((*lane)->stream()));  // before the vectors go
    return values_;
  }
  PROPHET_CUDA_CHECK(cudaStreamSynchronize((*lane)->stream()));
  return values_;
}

std::optional<double> CudaLevelMatrices::lowestOf(const Eigen::VectorXd& x, int configuration) {
  const std::vector<int>& states = own_[usize(configuration)];
  if (states.empty()) return {};
  const int k = static_cast<int>(states.size());
  Eigen::MatrixXd host(k, k);
  {
    const LaneHold lane(engine_, largeBytes(kEigenBytes * n_ * n_));
    double* const part = lane->room(LevelLane::kProduct, usize(k) * usize(k));
    gatherBoth(k, lane->upload(LevelLane::kPlaces, states.data(), states.size()), at(*lane, x), n_, part,
               lane->stream());
    if (k >= kLowOnGpu) return lane->lowest(k, 1, part)(0);
    lane->download(part, host.data(), usize(host.size()));
  }
  return EigenSolver().values(host, 0, 1)(0);
}

void CudaLevelMatrices::restrictTo(const Eigen::VectorXd& x, Eigen::Index count) {
  low_.clear();
  restricted_ = 0;
  if (count >= n_) return;
  const LaneHold lane(engine_, largeBytes(kEigenBytes * n_ * n_));
  const int m = static_cast<int>(count);
  const cudaStream_t stream = lane->stream();
  double* const vectors = at(*lane, x);
  lane->lowest(n_, m, vectors);
  const auto size = usize(n_) * usize(m);
  if (basis_.size() != size) basis_ = engine_.memory()->take(size);
  PROPHET_CUDA_CHECK(
      cudaMemcpyAsync(basis_.data(), vectors, size * sizeof(double), cudaMemcpyDeviceToDevice, stream));
  double* const product = lane->room(LevelLane::kProduct, size);
  for (const DeviceBuffer<double>& o : matrices_) {
    DeviceBuffer<double>& low = low_.emplace_back(engine_.memory()->take(usize(m) * usize(m)));
    lane->multiply(false, n_, m, n_, o.data(), basis_.data(), product);
    lane->multiply(true, m, m, n_, basis_.data(), product, low.data());
  }
  for (const std::vector<int>& states : own_) {
    DeviceBuffer<double>& low = low_.emplace_back(engine_.memory()->take(usize(m) * usize(m)));
    const int k = static_cast<int>(states.size());
    if (k == 0) {
      low.fill(0, stream);
      continue;
    }
    gatherRows(k, lane->upload(LevelLane::kPlaces, states.data(), states.size()), m, basis_.data(), n_,
               product, stream);
    lane->multiply(true, m, m, k, product, product, low.data());
  }
  PROPHET_CUDA_CHECK(cudaStreamSynchronize(stream));
  restricted_ = m;
}

template <class Take>
void CudaLevelMatrices::each(LevelLane& lane, bool all, int count, const double* vectors, Take take) const {
  const int m = restricted_ > 0 ? restricted_ : n_;
  double* const product = lane.room(LevelLane::kProduct, usize(m) * usize(count));
  const std::size_t operators = matrices_.size() - 1, entries = operators + own_.size();
  for (std::size_t p = all ? 0 : operators; p < entries; ++p) {
    if (restricted_ > 0 || p < operators) {
      lane.multiply(false, m, count, m, (restricted_ > 0 ? low_ : matrices_)[p + 1].data(), vectors, product);
      take(p, m, vectors, product);
      continue;
    }
    const std::vector<int>& states = own_[p - operators];
    const int k = static_cast<int>(states.size());
    if (k == 0) continue;
    gatherRows(k, lane.upload(LevelLane::kPlaces, states.data(), states.size()), count, vectors, n_, product,
               lane.stream());
    take(p, k, product, product);
  }
}

template <class Take>
Eigen::MatrixXd CudaLevelMatrices::slopesOf(LevelLane& lane, bool all, int count, const double* vectors,
                                            Take take) const {
  const std::size_t entries = matrices_.size() - 1 + own_.size();
  Eigen::MatrixXd made(count, static_cast<Eigen::Index>(entries));
  double* const sums = lane.zeros(LevelLane::kSums, usize(count) * entries);
  each(lane, all, count, vectors, [&](std::size_t p, int rows, const double* left, const double* right) {
    columnProducts(rows, count, left, right, sums + p * usize(count), lane.stream());
    take(static_cast<Eigen::Index>(p), rows, left, right);
  });
  lane.download(sums, made.data(), usize(made.size()));
  return made;
}

Eigen::MatrixXd CudaLevelMatrices::slopes(const std::vector<int>& levels) {
  const LaneHold lane(engine_);
  const int count = static_cast<int>(levels.size());
  double* const vectors = lane->room(LevelLane::kVectors, usize(found_->rows) * levels.size());
  gatherColumns(found_->rows, count, lane->upload(LevelLane::kColumns, levels.data(), levels.size()),
                found_->own.data(), vectors, lane->stream());
  return slopesOf(*lane, true, count, vectors, [](auto...) {});
}

Eigen::MatrixXd CudaLevelMatrices::shares() {
  const LaneHold lane(engine_, largeBytes(8.0 * n_ * found_->count));
  return slopesOf(*lane, false, found_->count, found_->own.data(), [](auto...) {})
      .rightCols(static_cast<Eigen::Index>(own_.size()))
      .transpose();
}

Eigen::MatrixXd CudaLevelMatrices::overlaps(const std::vector<int>& states, const Eigen::MatrixXd& vectors) {
  const LaneHold lane(engine_, largeBytes(8.0 * n_ * found_->count));
  const int k = static_cast<int>(states.size()), parts = static_cast<int>(vectors.cols());
  const int columns = restricted_ > 0 ? restricted_ : found_->count;
  const double* const given = lane->upload(LevelLane::kVectors, vectors.data(), usize(vectors.size()));
  double* const rows = lane->room(LevelLane::kProduct, usize(k) * usize(columns));
  gatherRows(k, lane->upload(LevelLane::kPlaces, states.data(), states.size()), columns,
             restricted_ > 0 ? basis_.data() : found_->own.data(), n_, rows, lane->stream());
  double* between = lane->room(LevelLane::kBetween, usize(parts) * usize(columns));
  lane->multiply(true, parts, columns, k, given, rows, between);
  if (restricted_ > 0) {
    double* const low =
        std::exchange(between, lane->room(LevelLane::kOthers, usize(parts) * usize(found_->count)));
    lane->multiply(false, parts, found_->count, restricted_, low, found_->own.data(), between);
  }
  Eigen::MatrixXd made(parts, found_->count);
  lane->download(between, made.data(), usize(made.size()));
  return made;
}

Eigen::MatrixXd CudaLevelMatrices::move(const Eigen::MatrixXd& changes) {
  const int count = found_->count;
  const auto levels = usize(count), square = levels * levels, draws = usize(changes.cols());
  const LaneHold lane(engine_, largeBytes(8.0 * (n_ + static_cast<double>(count)) * count));
  const cudaStream_t stream = lane->stream();
  double* const between = draws > 0 ? lane->room(LevelLane::kBetween, square) : nullptr;
  found_->turns.clear();
  for (std::size_t k = 0; k < draws; ++k)
    found_->turns.emplace_back(engine_.memory()->take(square)).fill(0, stream);
  const Eigen::MatrixXd slopes =
      slopesOf(*lane, true, count, found_->own.data(),
               [&](Eigen::Index p, int rows, const double* left, const double* right) {
                 if (draws == 0) return;
                 lane->multiply(true, count, count, rows, left, right, between);
                 for (std::size_t k = 0; k < draws; ++k) {
                   const MatrixSum sum{1, {between}, {changes(p, static_cast<Eigen::Index>(k))}};
                   sumMatrices(static_cast<std::int64_t>(square), sum, true, found_->turns[k].data(), stream);
                 }
               });
  if (draws == 0) return slopes;
  const double* const energies = lane->upload(LevelLane::kValues, values_.data(), levels);
  double* const squares = lane->room(LevelLane::kSums, levels);
  for (DeviceBuffer<double>& turn : found_->turns) {
    turnLevels(count, energies, turn.data(), stream);
    columnProducts(count, count, turn.data(), turn.data(), squares, stream);
    normaliseColumns(count, count, squares, turn.data(), stream);
  }
  PROPHET_CUDA_CHECK(cudaStreamSynchronize(stream));
  return slopes;
}

}  // namespace prophet::cuda
