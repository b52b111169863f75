// Times of Debye sums for the sizes of figures 4.7 and 5.3 of A. L. Reiten (NTNU 2010), as CSV
// (docs/data/debye-times.csv, drawn by debye_times_plot.py):
// prophet_direct_benchmark cpu THREADS | gpu DEVICES [4.7 | 5.3]
//
// Processors: time of all threads by the clock of the process over their number, so that other work of the
// machine counts little. GPUs: the whole call from the host, copies included, the best of three after one
// that warms up.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <numeric>
#include <string>

#include "core/common/error.hpp"
#include "core/common/stopwatch.hpp"
#include "matter/pairs/pair_engine.hpp"
#include "matter/structure/lattices.hpp"
#include "operations/backend/cuda_plugin.hpp"

namespace {

using namespace prophet;

constexpr int kPatternMomenta = 1456;  // of figure 4.7
constexpr int kSomeMomenta = 104;      // so many that their sines set the pace, not the distances

class Bench {
 public:
  Bench(PairEngine& engine, bool isGpu, int count) : engine_(engine), isGpu_(isGpu), count_(count) {}

  /// One kind: a triangle of the matrix of pairs; two of them: two triangles and a rectangle.
  void gases(int atoms, bool rectangle) const {
    Structure s;
    const int first = s.kindNumber("Co"), second = rectangle ? s.kindNumber("O") : first;
    const int all = rectangle ? 2 * atoms : atoms;
    const Structure gas = idealGas("Co", all, 100, 1);
    for (int i = 0; i < all; ++i)
      s.add(i < atoms ? first : second, gas.positions[static_cast<std::size_t>(i)]);
    for (const bool isDouble : precisions(static_cast<double>(all))) {
      const DebyeRequest request = requestOf(isGpu_ ? 256 : kSomeMomenta, isDouble);
      DebyeSums sums;
      double seconds = secondsOf([&] { sums = engine_.direct(s, request); });
      if (rectangle) seconds *= sums.rectangleSeconds / (sums.rectangleSeconds + sums.triangleSeconds);
      print(rectangle ? "rectangle" : "triangle", isDouble, static_cast<std::size_t>(atoms), request.q.size(),
            seconds, rectangle ? sums.rectangleTerms : sums.triangleTerms);
    }
  }

  /// A ball of CoO, pair by pair, on processors with some of the momenta, and by a histogram with all.
  void ball(const char* shape) const {
    const Structure s = cutShape(namedLattice("CoO"), parseShape(shape));
    for (const bool isDouble : precisions(static_cast<double>(s.size()))) {
      const DebyeRequest request = requestOf(isGpu_ ? kPatternMomenta : kSomeMomenta, isDouble);
      DebyeSums sums;
      const double seconds = secondsOf([&] { sums = engine_.direct(s, request); });
      print("ball", isDouble, s.size(), request.q.size(), seconds, sums.terms);
    }
    const DebyeRequest request = requestOf(kPatternMomenta, true);
    HistogramRequest bins = requestForTolerance(s, 1e-6, 10, engine_.freeBins());
    bins.threads = count_;
    const double seconds = secondsOf([&] { engine_.transform(engine_.histogram(s, bins), request.q); });
    const double n = static_cast<double>(s.size());
    print("histogram", true, s.size(), request.q.size(), seconds, 0.5 * n * (n - 1) * kPatternMomenta);
  }

 private:
  /// Minutes of a processor are enough.
  std::vector<bool> precisions(double atoms) const {
    return isGpu_ || atoms < 80000 ? std::vector<bool>{false, true} : std::vector<bool>{false};
  }
  DebyeRequest requestOf(int momenta, bool isDouble) const {
    DebyeRequest request;
    request.q = Eigen::VectorXd::LinSpaced(momenta, 0.01, 10);
    request.doublePrecision = isDouble;
    request.threads = count_;
    return request;
  }

  double secondsOf(const std::function<void()>& call) const {
    if (!isGpu_) {
      const std::clock_t start = std::clock();
      call();
      return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / count_;
    }
    call();
    double best = 1e99;
    for (int i = 0; i < 3; ++i) {
      const Stopwatch watch;
      call();
      best = std::min(best, watch.seconds());
    }
    return best;
  }

  void print(const char* what, bool isDouble, std::size_t atoms, Eigen::Index momenta, double seconds,
             double terms) const {
    fmt::print("{},{},{},{},{},{},{:.6g},{:.4g}\n", isGpu_ ? "GPU" : "CPU", count_, what,
               isDouble ? "double" : "single", atoms, momenta, seconds, terms / seconds);
    std::fflush(stdout);
  }

  PairEngine& engine_;
  bool isGpu_;
  int count_;
};

int measure(bool isGpu, int count, const std::string& figure) {
  std::unique_ptr<CudaBackend> backend;
  std::unique_ptr<PairEngine> engine;
  if (isGpu) {
    auto [found, reason] = openCudaBackend();
    if (!found) throw Error(reason);
    backend = std::move(found);
    std::vector<int> devices(static_cast<std::size_t>(count));
    std::iota(devices.begin(), devices.end(), 0);
    engine = backend->make(EngineKind<PairEngine>{}, devices, 1);
  } else {
    engine = hostPairEngine(count);
  }
  fmt::print("# {}\nplace,count,what,precision,atoms,q,seconds,terms_per_second\n", engine->name());
  const Bench bench(*engine, isGpu, count);
  if (figure != "4.7") {
    for (const int atoms : {1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000})
      if (isGpu || atoms <= 50000) bench.gases(atoms, false);
    bench.gases(50000, true);
  }
  if (figure == "5.3") return 0;
  for (const char* shape : {"sphere:80", "sphere:140"}) bench.ball(shape);  // radii of 40 and 70 angstrom
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string place = argc > 2 ? argv[1] : "", figure = argc > 3 ? argv[3] : "";
  const int count = argc > 2 ? std::atoi(argv[2]) : 0;
  if ((place != "cpu" && place != "gpu") || count < 1 || (argc > 3 && figure != "4.7" && figure != "5.3")) {
    fmt::print(stderr, "prophet_direct_benchmark cpu THREADS | gpu DEVICES [4.7 | 5.3]\n");
    return 2;
  }
  try {
    return measure(place == "gpu", count, figure);
  } catch (const Error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
}
