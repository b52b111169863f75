#include "mesh/fft.hpp"

#include <fftw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "common/error.hpp"

namespace prophet {
namespace {

/// FFTW's planner is not made for threads and keeps the number of threads for the plans to come.
std::mutex& planner() {
  static std::mutex mutex;
  static const int ready = fftw_init_threads();
  (void)ready;
  return mutex;
}

template <class T>
struct FftwDeleter {
  void operator()(T* p) const { fftw_free(p); }
};
template <class T>
using FftwArray = std::unique_ptr<T, FftwDeleter<T>>;

template <class T>
FftwArray<T> allocated(std::size_t count) {
  T* memory = static_cast<T*>(fftw_malloc(count * sizeof(T)));
  if (!memory)
    throw Error(fmt::format("no memory for a mesh of {} points ({:.1f} GiB); choose a coarser one", count,
                            static_cast<double>(count * sizeof(T)) / (1 << 30)));
  return FftwArray<T>(memory);
}

/// Owner of a plan.
class Plan {
 public:
  explicit Plan(fftw_plan plan) : plan_(plan) {
    if (!plan_) throw Error("FFTW can make no plan for this mesh; choose another size");
  }
  ~Plan() {
    if (!plan_) return;
    const std::lock_guard<std::mutex> lock(planner());
    fftw_destroy_plan(plan_);
  }
  Plan(Plan&& o) noexcept : plan_(std::exchange(o.plan_, nullptr)) {}
  Plan(const Plan&) = delete;
  void run() const { fftw_execute(plan_); }

 private:
  fftw_plan plan_;
};

/// Threads that are worth starting for so many points.
int threadsFor(const MeshSize& n, int threads) {
  constexpr std::size_t kPoints = 500000;
  return std::min(threads, 1 + static_cast<int>(meshPoints(n) / kPoints));
}

fftw_complex* asFftw(std::complex<double>* p) { return reinterpret_cast<fftw_complex*>(p); }

}  // namespace

bool hasFft() { return true; }

struct RealFft::Plans {
  FftwArray<double> values;
  FftwArray<std::complex<double>> modes;
  std::unique_ptr<Plan> forward, backward;
};

RealFft::RealFft(const MeshSize& n, int threads) : plans_(std::make_unique<Plans>()) {
  plans_->values = allocated<double>(meshPoints(n));
  plans_->modes = allocated<std::complex<double>>(meshPoints({n[0], n[1], n[2] / 2 + 1}));
  const std::lock_guard<std::mutex> lock(planner());
  fftw_plan_with_nthreads(threadsFor(n, threads));
  fftw_complex* modes = asFftw(plans_->modes.get());
  plans_->forward = std::make_unique<Plan>(
      fftw_plan_dft_r2c_3d(n[0], n[1], n[2], plans_->values.get(), modes, FFTW_ESTIMATE));
  plans_->backward = std::make_unique<Plan>(
      fftw_plan_dft_c2r_3d(n[0], n[1], n[2], modes, plans_->values.get(), FFTW_ESTIMATE));
}

RealFft::~RealFft() = default;
double* RealFft::values() { return plans_->values.get(); }
std::complex<double>* RealFft::modes() { return plans_->modes.get(); }
void RealFft::forward() { plans_->forward->run(); }
void RealFft::backward() { plans_->backward->run(); }

struct PrunedFft::Plans {
  FftwArray<std::complex<double>> values;
  std::vector<Plan> steps;
};

namespace {

/// The two ranges of indices on an axis whose modes are kept: [0, (kept+1)/2) and [n - kept/2, n).
std::vector<std::pair<int, int>> keptRanges(int n, int kept) {
  if (kept >= n) return {{0, n}};
  return {{0, (kept + 1) / 2}, {n - kept / 2, kept / 2}};
}

/// Transforms along `axis` of lines that start at `begin` and form a lattice over the two other axes.
Plan lines(std::complex<double>* begin, int length, int stride, const fftw_iodim (&others)[2]) {
  const fftw_iodim dim{length, stride, stride};
  return Plan(
      fftw_plan_guru_dft(1, &dim, 2, others, asFftw(begin), asFftw(begin), FFTW_BACKWARD, FFTW_ESTIMATE));
}

}  // namespace

PrunedFft::PrunedFft(const MeshSize& n, const MeshSize& kept, int threads)
    : plans_(std::make_unique<Plans>()) {
  plans_->values = allocated<std::complex<double>>(meshPoints(n));
  std::complex<double>* f = plans_->values.get();
  const int s1 = n[2], s0 = n[1] * n[2];
  const std::lock_guard<std::mutex> lock(planner());
  fftw_plan_with_nthreads(threadsFor(n, threads));
  auto& steps = plans_->steps;
  steps.push_back(lines(f, n[2], 1, {{n[0], s0, s0}, {n[1], s1, s1}}));
  for (const auto& [z, countZ] : keptRanges(n[2], kept[2])) {
    if (countZ > 0) steps.push_back(lines(f + z, n[1], s1, {{n[0], s0, s0}, {countZ, 1, 1}}));
  }
  for (const auto& [y, countY] : keptRanges(n[1], kept[1])) {
    for (const auto& [z, countZ] : keptRanges(n[2], kept[2])) {
      if (countY * countZ == 0) continue;
      std::complex<double>* corner = f + static_cast<std::size_t>(y) * static_cast<std::size_t>(s1) + z;
      steps.push_back(lines(corner, n[0], s0, {{countY, s1, s1}, {countZ, 1, 1}}));
    }
  }
}

PrunedFft::~PrunedFft() = default;
std::complex<double>* PrunedFft::values() { return plans_->values.get(); }
void PrunedFft::transform() {
  for (const Plan& step : plans_->steps) step.run();
}

}  // namespace prophet
