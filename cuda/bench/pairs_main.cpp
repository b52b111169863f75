// Speed of pair histograms and Debye sums on GPUs: prophet_pairs_bench [DEVICES]. Times are medians of five
// calls after one that warms up; "whole" is the call from the host, copies included, "kernel" what events
// say.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>

#include "common/stopwatch.hpp"
#include "cuda/pairs/cuda_pair_engine.hpp"
#include "structure/disturb.hpp"
#include "structure/lattices.hpp"
#include "structure/shapes.hpp"

namespace {

using namespace prophet;

struct Times {
  double whole = 0, kernel = 0;
};

Times medianOf(const cuda::CudaPairEngine& engine, const std::function<void()>& call, int calls = 5) {
  call();
  std::vector<double> whole, kernel;
  for (int i = 0; i < calls; ++i) {
    const Stopwatch watch;
    call();
    whole.push_back(watch.seconds());
    kernel.push_back(engine.kernelSeconds());
  }
  const auto middle = [](std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
  };
  return {middle(whole), middle(kernel)};
}

HistogramRequest requestFor(const Structure& s) {
  HistogramRequest r;
  r.width = widthForTolerance(1e-6, 10, largestDistance(s));
  r.bins = static_cast<int>(largestDistance(s) * (1 + 1e-5) / r.width) + 2;
  return r;
}

void histogramOf(const char* name, const Structure& s, const std::vector<int>& devices) {
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(1000, 0.01, 10);
  cuda::CudaPairEngine engine(devices);
  const HistogramRequest r = requestFor(s);
  PairHistogram h;
  const Times t = medianOf(
      engine, [&] { h = engine.histogram(s, r); }, s.size() > 500000 ? 3 : 5);
  const Times f = medianOf(engine, [&] { engine.transform(h, q); });
  const double n = static_cast<double>(s.size()), pairs = n * (n - 1) / 2;
  fmt::print(
      "{:28s} {:8d} atoms {:6d} bins: histogram whole {:9.3f} ms, kernel {:9.3f} ms ({:.3g} pairs/s); 1000 q "
      "{:7.3f} ms, kernel {:7.3f} ms; together {:9.3f} ms; pairs {}\n",
      name, s.size(), r.bins, 1e3 * t.whole, 1e3 * t.kernel, pairs / t.kernel, 1e3 * f.whole, 1e3 * f.kernel,
      1e3 * (t.whole + f.whole), h.total() == pairs ? "complete" : "LOST");
  std::fflush(stdout);
}

void globalOf(const Structure& s) {
  cuda::CudaPairEngine engine({0}, cuda::HistogramKernel::Global);
  const HistogramRequest r = requestFor(s);
  const Times t = medianOf(
      engine, [&] { engine.histogram(s, r); }, 3);
  const double n = static_cast<double>(s.size());
  fmt::print("{:28s} {:8d} atoms: global atomics, kernel {:.3f} ms ({:.3g} pairs/s)\n", "CoO", s.size(),
             1e3 * t.kernel, n * (n - 1) / 2 / t.kernel);
  std::fflush(stdout);
}

void directOf(const Structure& s, bool doublePrecision, int momenta, const std::vector<int>& devices,
              bool special = false) {
  cuda::CudaPairEngine engine(devices);
  engine.useSpecialSines(special);
  DebyeRequest d;
  d.q = Eigen::VectorXd::LinSpaced(momenta, 0.01, 10);
  d.doublePrecision = doublePrecision;
  DebyeSums sums;
  const Times t = medianOf(
      engine, [&] { sums = engine.direct(s, d); }, 3);
  fmt::print(
      "{:28s} {:8d} atoms {:4d} q {}: whole {:9.3f} ms; {:.3g} terms/s; a q of a triangle {:.4f} ms ({:.3g} "
      "terms/s), of a rectangle {:.4f} ms ({:.3g} terms/s)\n",
      "direct", s.size(), momenta,
      doublePrecision ? "double"
      : special       ? "single, special sines"
                      : "single",
      1e3 * t.whole, sums.terms / t.kernel, 1e3 * sums.triangleSeconds / momenta / 2,
      sums.triangleTerms / sums.triangleSeconds, 1e3 * sums.rectangleSeconds / momenta,
      sums.rectangleTerms / std::max(1e-12, sums.rectangleSeconds));
  std::fflush(stdout);
}

void errorsOf(const Structure& s) {
  cuda::CudaPairEngine engine({0});
  DebyeRequest d;
  d.q = Eigen::VectorXd::LinSpaced(200, 0.05, 10);
  const double n = static_cast<double>(s.size());
  const auto intensity = [&](const DebyeSums& x) {
    return (n + 2 * x.values.rowwise().sum().array()).eval();
  };
  const Eigen::ArrayXd exact = intensity(engine.direct(s, d));
  d.doublePrecision = false;
  const Eigen::ArrayXd single = intensity(engine.direct(s, d));
  const PairHistogram h = engine.histogram(s, requestFor(s));
  const Eigen::ArrayXd fast = intensity(engine.transform(h, d.q));
  const double bound = 2 * debyeErrorBound(h, d.q).rowwise().sum().maxCoeff();
  fmt::print(
      "errors, {} atoms, f = 1, against double: histogram {:.2e} N, {:.2e} relative, {:.2e} I(0) (bound "
      "{:.2e} I(0)); single {:.2e} N, {:.2e} relative\n",
      s.size(), (fast - exact).abs().maxCoeff() / n, ((fast - exact) / exact).abs().maxCoeff(),
      (fast - exact).abs().maxCoeff() / (n * n), bound / (n * n), (single - exact).abs().maxCoeff() / n,
      ((single - exact) / exact).abs().maxCoeff());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int> devices(static_cast<std::size_t>(argc > 1 ? std::atoi(argv[1]) : 1));
  std::iota(devices.begin(), devices.end(), 0);
  const auto sphere = [](const char* shape) { return cutShape(namedLattice("CoO"), parseShape(shape)); };
  const Structure small = sphere("sphere:100"), large = sphere("sphere:200"),
                  million = sphere("sphere:264.8");
  fmt::print("{}\n", cuda::CudaPairEngine(devices).name());
  histogramOf("CoO 10 nm", small, devices);
  histogramOf("CoO 20 nm", large, devices);
  directOf(small, false, 1000, devices);
  directOf(small, false, 1000, devices, true);
  directOf(small, true, 100, devices);
  // The triangle and rectangle of table 5.2: 50,000 atoms of each of two kinds.
  Structure table;
  const int first = table.kindNumber("Co"), second = table.kindNumber("O");
  const Structure gas = idealGas("Co", 100000, 100, 1);
  for (std::size_t i = 0; i < gas.size(); ++i) table.add(i < 50000 ? first : second, gas.positions[i]);
  directOf(table, false, 16, devices);
  directOf(table, false, 16, devices, true);
  directOf(table, true, 8, devices);
  errorsOf(sphere("sphere:60"));
  errorsOf(small);
  globalOf(small);
  Structure shaken = million;
  displace(shaken, 0.1, 1);
  histogramOf("CoO 26.5 nm, displaced", shaken, devices);
  histogramOf("CoO 26.5 nm", million, devices);
  return 0;
}
