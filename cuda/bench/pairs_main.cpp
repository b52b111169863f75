// Speed of pair histograms and Debye sums on GPUs: prophet_pairs_bench [DEVICES] [particles|boxes], both by
// default. Times are medians of five calls after one that warms up; "whole" is the call from the host, copies
// included, "kernel" what events say.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>

#include "core/common/stopwatch.hpp"
#include "cuda/matter/pairs/cuda_pair_engine.hpp"
#include "matter/structure/lattices.hpp"
#include "matter/structure/structure.hpp"

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

void histogramOf(const char* name, const Structure& s, const std::vector<int>& devices) {
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(1000, 0.01, 10);
  cuda::CudaPairEngine engine(devices);
  const HistogramRequest r = requestForTolerance(s, 1e-6, 10, engine.freeBins());
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
  const HistogramRequest r = requestForTolerance(s, 1e-6, 10, engine.freeBins());
  const Times t = medianOf(
      engine, [&] { engine.histogram(s, r); }, 3);
  const double n = static_cast<double>(s.size());
  fmt::print("{:28s} {:8d} atoms: global atomics, kernel {:.3f} ms ({:.3g} pairs/s)\n", "CoO", s.size(),
             1e3 * t.kernel, n * (n - 1) / 2 / t.kernel);
  std::fflush(stdout);
}

/// g(r) of a box, in `bins` up to so many halves of its least width: pairs of atoms that are looked at, and
/// images that are within the range.
void boxOf(const char* name, const Structure& s, double halves, int bins, const std::vector<int>& devices) {
  cuda::CudaPairEngine engine(devices);
  HistogramRequest r;
  r.bins = bins;
  r.width = halves * 0.5 * cellWidths(*s.lattice).minCoeff() / bins;
  PairHistogram h;
  const Times t = medianOf(
      engine, [&] { h = engine.histogram(s, r); }, s.size() > 300000 ? 3 : 5);
  const double n = static_cast<double>(s.size());
  fmt::print(
      "{:28s} {:8d} atoms {:6d} bins to {:3.1f} half boxes: whole {:9.3f} ms, kernel {:9.3f} ms; {:.3g} "
      "pairs/s, {:.3g} images within the range a second\n",
      name, s.size(), bins, halves, 1e3 * t.whole, 1e3 * t.kernel, n * (n - 1) / 2 / t.kernel,
      h.total() / t.kernel);
  std::fflush(stdout);
}

/// So many atoms at random in a box with these edges.
Structure gasIn(const Eigen::Matrix3d& box, int count) {
  Structure s = idealGas("Ar", count, 1, 1);
  for (auto& p : s.positions) p = box.transpose() * p;
  s.lattice = box;
  return s;
}

void boxes(const std::vector<int>& devices) {
  const Eigen::Matrix3d cube = Eigen::Matrix3d::Identity(),
                        rectangular = Eigen::Vector3d(1.2, 1, 0.9).asDiagonal(),
                        triclinic{{1, 0, 0}, {0.2, 1, 0}, {-0.3, 0.25, 0.95}};
  for (const auto& [edge, count] : {std::pair(100.0, 54000), std::pair(200.0, 433000)}) {
    boxOf("random, cubic", gasIn(edge * cube, count), 1, 300, devices);
    boxOf("random, rectangular", gasIn(edge * rectangular, count), 1, 300, devices);
    boxOf("random, triclinic", gasIn(edge * triclinic, count), 1, 300, devices);
    boxOf("random, cubic", gasIn(edge * cube, count), 1, 25000, devices);
  }
  for (const auto& box : {cube, triclinic}) boxOf("random", gasIn(100 * box, 54000), 1.9, 300, devices);
  Structure crystal = cutShape(namedLattice("CoO"), parseShape("cells:24,24,24"));
  boxOf("CoO", crystal, 1, 300, devices);
  displace(crystal, 0.1, 1);
  boxOf("CoO, displaced", crystal, 1, 300, devices);
}

enum class Spacing { Equal, Any };

/// Momenta from 0.01 to 10; `Any`: each a little off its place in a row of equal steps.
Eigen::VectorXd momenta(int count, Spacing spacing) {
  Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(count, 0.01, 10);
  for (Eigen::Index k = 1; spacing == Spacing::Any && k + 1 < q.size(); k += 2) q(k) *= 1 + 1e-4;
  return q;
}

void directOf(const Structure& s, bool doublePrecision, int count, const std::vector<int>& devices,
              Spacing spacing = Spacing::Equal) {
  cuda::CudaPairEngine engine(devices);
  DebyeRequest d;
  d.q = momenta(count, spacing);
  d.doublePrecision = doublePrecision;
  DebyeSums sums;
  const Times t = medianOf(
      engine, [&] { sums = engine.direct(s, d); }, 3);
  fmt::print(
      "{:28s} {:8d} atoms {:4d} q {}: whole {:9.3f} ms; {:.3g} terms/s; a q of a triangle {:.4f} ms ({:.3g} "
      "terms/s), of a rectangle {:.4f} ms ({:.3g} terms/s)\n",
      "direct", s.size(), count,
      std::string(doublePrecision ? "double" : "single") +
          (spacing == Spacing::Equal ? ", equally spaced" : ", any"),
      1e3 * t.whole, sums.terms / t.kernel, 1e3 * sums.triangleSeconds / count / 2,
      sums.triangleTerms / sums.triangleSeconds, 1e3 * sums.rectangleSeconds / count,
      sums.rectangleTerms / std::max(1e-12, sums.rectangleSeconds));
  std::fflush(stdout);
}

/// Largest errors of intensities, all amplitudes 1, in units of N, of the intensity itself and of I(0).
void errorLine(const char* what, const Eigen::ArrayXd& found, const Eigen::ArrayXd& exact, double atoms) {
  const Eigen::ArrayXd error = (found - exact).abs();
  Eigen::Index at = 0;
  const double relative = (error / exact).maxCoeff(&at);
  fmt::print("  {:28s} {:.2e} N, {:.2e} I(0), relative {:.2e} (where I = {:.3g} N)\n", what,
             error.maxCoeff() / atoms, error.maxCoeff() / (atoms * atoms), relative, exact(at) / atoms);
}

void errorsOf(const Structure& s) {
  cuda::CudaPairEngine engine({0});
  const double n = static_cast<double>(s.size());
  const auto intensity = [&](const DebyeSums& x) {
    return (n + 2 * x.values.rowwise().sum().array()).eval();
  };
  fmt::print("errors, {} atoms, f = 1, 250 q up to 10, against direct sums in double precision\n", s.size());
  for (const Spacing spacing : {Spacing::Equal, Spacing::Any}) {
    DebyeRequest d;
    d.q = momenta(250, spacing);
    const Eigen::ArrayXd exact = intensity(engine.direct(s, d));
    d.doublePrecision = false;
    errorLine(spacing == Spacing::Equal ? "single, equally spaced" : "single, any",
              intensity(engine.direct(s, d)), exact, n);
    if (spacing == Spacing::Any) continue;
    const PairHistogram h = engine.histogram(s, requestForTolerance(s, 1e-6, 10, engine.freeBins()));
    errorLine("histogram", intensity(engine.transform(h, d.q)), exact, n);
    fmt::print("  bound of the histogram {:.2e} I(0)\n",
               2 * debyeErrorBound(h, d.q).rowwise().sum().maxCoeff() / (n * n));
  }
  std::fflush(stdout);
}

void particles(const std::vector<int>& devices) {
  const auto sphere = [](const char* shape) { return cutShape(namedLattice("CoO"), parseShape(shape)); };
  const Structure small = sphere("sphere:100"), large = sphere("sphere:200"),
                  million = sphere("sphere:264.8");
  histogramOf("CoO 10 nm", small, devices);
  histogramOf("CoO 20 nm", large, devices);
  directOf(small, false, 1000, devices);
  directOf(small, false, 1000, devices, Spacing::Any);
  directOf(small, true, 1024, devices);
  directOf(small, true, 104, devices, Spacing::Any);
  // The triangle and rectangle of table 5.2: 50,000 atoms of each of two kinds.
  Structure table;
  const int first = table.kindNumber("Co"), second = table.kindNumber("O");
  const Structure gas = idealGas("Co", 100000, 100, 1);
  for (std::size_t i = 0; i < gas.size(); ++i) table.add(i < 50000 ? first : second, gas.positions[i]);
  directOf(table, false, 32, devices);
  directOf(table, false, 32, devices, Spacing::Any);
  directOf(table, true, 64, devices);
  directOf(table, true, 8, devices);
  errorsOf(sphere("sphere:60"));
  errorsOf(small);
  globalOf(small);
  Structure shaken = million;
  displace(shaken, 0.1, 1);
  histogramOf("CoO 26.5 nm, displaced", shaken, devices);
  histogramOf("CoO 26.5 nm", million, devices);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int> devices(static_cast<std::size_t>(argc > 1 ? std::atoi(argv[1]) : 1));
  std::iota(devices.begin(), devices.end(), 0);
  const std::string part = argc > 2 ? argv[2] : "";
  if (!part.empty() && part != "boxes" && part != "particles") {
    fmt::print(stderr, "there is no part '{}'; expected 'boxes' or 'particles'\n", part);
    return 2;
  }
  fmt::print("{}\n", cuda::CudaPairEngine(devices).name());
  if (part != "boxes") particles(devices);
  if (part != "particles") boxes(devices);
  return 0;
}
