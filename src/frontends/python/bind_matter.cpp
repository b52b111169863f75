#include <nanobind/eigen/dense.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "core/common/error.hpp"
#include "frontends/python/bindings.hpp"
#include "matter/pairs/pair_distribution.hpp"
#include "matter/powder/powder_run.hpp"
#include "matter/structure/frames.hpp"
#include "operations/backend/cuda_plugin.hpp"

namespace prophet::python {
namespace {

using Positions = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
using Lattice = std::optional<Eigen::Matrix3d>;

/// Arrays as the one frame of a file.
class ArrayFrames : public Frames {
 public:
  explicit ArrayFrames(Structure s) : structure_(std::move(s)) {}
  std::optional<Structure> next() override {
    if (done_) return std::nullopt;
    done_ = true;
    return std::move(structure_);
  }

 private:
  Structure structure_;
  bool done_ = false;
};

Structure structureOf(const std::vector<std::string>& symbols, const Positions& positions,
                      const Lattice& lattice) {
  std::vector<Eigen::Vector3d> list(static_cast<std::size_t>(positions.rows()));
  for (Eigen::Index i = 0; i < positions.rows(); ++i) list[static_cast<std::size_t>(i)] = positions.row(i);
  return makeStructure(symbols, list, lattice);
}

/// The frames of a file, or arrays as the one frame of one.
std::unique_ptr<Frames> framesOf(const std::optional<std::string>& file,
                                 const std::vector<std::string>& symbols, const Positions& positions,
                                 const Lattice& lattice) {
  if (file) return openFrames(*file);
  return std::make_unique<ArrayFrames>(structureOf(symbols, positions, lattice));
}

/// The engine with the library that it lives in.
struct Engine {
  std::unique_ptr<CudaBackend> backend;
  std::unique_ptr<PairEngine> engine;
};

Engine engineOf(const std::string& device, int threads) {
  if (device == "cpu") return {nullptr, hostPairEngine(threads)};
  if (device != "cuda") throw Error("device: found '" + device + "'; expected 'cpu' or 'cuda'");
  CudaBackendOrReason cuda = openCudaBackend();
  if (!cuda.backend) throw Error("device='cuda': " + cuda.reason);
  auto engine = cuda.backend->makePairEngine({});
  return {std::move(cuda.backend), std::move(engine)};
}

nb::dict powder(const std::optional<std::string>& file, const std::vector<std::string>& symbols,
                const Positions& positions, const Eigen::VectorXd& q, const std::string& method,
                bool doublePrecision, const std::string& formFactors, double tolerance, double exactBelow,
                const std::map<std::string, double>& bIso, const std::string& cache, int threads,
                const std::string& device) {
  PowderOptions o;
  PowderPattern p;
  {
    const nb::gil_scoped_release unlocked;
    o.q = q;
    if (method != "histogram" && method != "direct")
      throw Error("method: found '" + method + "'; expected 'histogram' or 'direct'");
    if (method == "direct") o.method = PowderMethod::Direct;
    if (!(tolerance > 0 && tolerance <= 0.1))
      throw Error("tolerance: expected a number above 0 and up to 0.1");
    if (!(exactBelow >= 0) || (exactBelow > 0 && o.method == PowderMethod::Direct))
      throw Error("exact_below: expected a distance in angstrom, with method='histogram'");
    o.doublePrecision = doublePrecision;
    o.tolerance = tolerance;
    o.exactBelow = exactBelow;
    try {
      o.amplitudes.source = amplitudeSourceNamed(formFactors);
    } catch (const Error& e) {
      throw Error(std::string("form_factors ") + e.what());
    }
    o.amplitudes.threads = threads;
    o.amplitudes.cache = cache;
    for (const auto& [name, b] : bIso) o.bFactors[kindName(name)] = b;
    const Engine engine = engineOf(device, threads);
    const auto frames = framesOf(file, symbols, positions, {});
    p = powderPattern(*frames, o, *engine.engine);
  }
  nb::dict d;
  d["q"] = p.q;
  d["intensity"] = p.intensity;
  d["atoms"] = p.atoms;
  d["frames"] = p.frames;
  d["error_bound"] = p.errorBound;
  d["pairs"] = p.pairs;
  d["seconds"] = p.seconds;
  d["device"] = p.device;
  d["provenance"] = p.provenance;
  d["warnings"] = p.warnings;
  return d;
}

nb::dict pairs(const std::optional<std::string>& file, const std::vector<std::string>& symbols,
               const Positions& positions, const Lattice& lattice, double range, int bins, double density,
               bool doublePrecision, int threads, const std::string& device) {
  PairAverage average;
  PairDistribution g;
  std::vector<std::string> kinds, warnings;
  {
    const nb::gil_scoped_release unlocked;
    const auto frames = framesOf(file, symbols, positions, lattice);
    std::optional<Structure> s = frames->next();
    if (!s || s->size() == 0) throw Error("pairs needs atoms");
    if (bins < 1 || bins > 100000) throw Error("bins: expected a number from 1 to 100000");
    if (!(density >= 0)) throw Error("density: expected a number of atoms per angstrom^3, or 0");
    HistogramRequest r;
    if (range == 0) range = usualRange(*s);
    requireRange(*s, range);
    r.bins = bins;
    r.width = range / bins;
    r.doublePrecision = doublePrecision;
    r.threads = threads;
    kinds = s->kinds;
    if (const std::string warning = densityWarning(*s, density); !warning.empty())
      warnings.push_back(warning);
    const Engine engine = engineOf(device, threads);
    for (; s; s = frames->next()) {
      if (s->kinds != kinds)
        throw Error("a frame has other kinds of atoms, or in another order, than the first");
      addWarnings(warnings, s->warnings);
      average.add(engine.engine->histogram(*s, r), s->counts(), volumeOf(*s, density));
    }
    g = pairDistribution(average);
  }
  nb::dict partial;
  const int n = static_cast<int>(kinds.size());
  for (int a = 0; a < n; ++a) {
    for (int b = a; b < n; ++b)
      partial[pairName(kinds, a, b).c_str()] = Eigen::VectorXd(g.partial.col(pairKind(a, b, n)));
  }
  nb::dict d;
  d["r"] = g.r;
  d["g"] = g.total;
  d["partial"] = partial;
  d["density"] = average.density();
  d["pairs"] = average.histogram().visited;
  d["seconds"] = average.histogram().seconds;
  d["frames"] = average.frames();
  d["warnings"] = warnings;
  return d;
}

}  // namespace

void bindMatter(nb::module_& m) {
  m.def("powder", &powder, nb::arg("file").none(), nb::arg("symbols"), nb::arg("positions"), nb::arg("q"),
        nb::arg("method"), nb::arg("double_precision"), nb::arg("form_factors"), nb::arg("tolerance"),
        nb::arg("exact_below"), nb::arg("b_iso"), nb::arg("cache"), nb::arg("threads"), nb::arg("device"));
  m.def("pairs", &pairs, nb::arg("file").none(), nb::arg("symbols"), nb::arg("positions"),
        nb::arg("lattice").none(), nb::arg("range"), nb::arg("bins"), nb::arg("density"),
        nb::arg("double_precision"), nb::arg("threads"), nb::arg("device"));
}

}  // namespace prophet::python
