#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/common/constants.hpp"
#include "core/common/stopwatch.hpp"
#include "matter/pairs/pair_distribution.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/materials/many_atoms.hpp"
#include "operations/materials/pair_state.hpp"

namespace prophet {
namespace {

constexpr int kMostBins = 100000, kUsualBins = 300;
/// q times the width of a bin: S(q) takes pairs at the mean distance of their bin, which is then good to
/// 1e-4.
constexpr double kPhaseOfBin = 0.05;
constexpr double kRoundingOfS = 1e-9;  // of S

struct PairsRequest : AtomsRequest, FractalRequest {
  PairsRequest() { amplitudes = AmplitudeSource::Constant; }
  std::optional<int> bins;
  double range = 0, density = 0;  ///< angstrom, 1/angstrom^3; 0: as the structure has it
  Eigen::VectorXd cell{};  ///< angstrom, three edges of a box along x, y and z; empty: as the file has it
  Eigen::VectorXd q{};     ///< 1/angstrom, of structure factors; empty: distributions
  bool lorch = false, reduced = false, neighbours = false;
  std::string state{};
  bool resume = false;
};

/// One edge of a cube, or three of a box.
Eigen::VectorXd edgesOf(const Json& numbers) {
  if (numbers.size() != 1 && numbers.size() != 3)
    throw Error(fmt::format("takes one length, or three with commas, not {}", numbers.size()));
  Eigen::VectorXd edges(3);
  for (std::size_t d = 0; d < 3; ++d)
    edges(static_cast<Eigen::Index>(d)) = numbers[numbers.size() == 1 ? 0 : d].get<double>();
  return edges;
}

RequestTable<PairsRequest> pairsTable() {
  using R = PairsRequest;
  RequestTable<R> t;
  addAtomsSettings(t);
  t.add("bins", &R::bins, "bins of g(r)")
      .from(1, kMostBins)
      .byDefault("300; for sq the number that the largest q requires")
      .often();
  t.add("range", &R::range, "largest distance")
      .in("angstrom")
      .from(1e-3, 2 * kFarthest)
      .byDefault("half the box; without a lattice the largest distance")
      .often();
  t.add("cell", ValueType::Numbers,
        "edges of the box in which the atoms repeat, where the file has no lattice: 20, or 20,20,25",
        [](R& r, const Json& v) { r.cell = edgesOf(v); })
      .called("LENGTHS")
      .in("angstrom")
      .above(0, kFarthest)
      .notWith({"density"})
      .often();
  t.add("density", &R::density, "density of atoms without a lattice")
      .in("1/angstrom^3")
      .from(1e-30, 1e30)
      .byDefault("that of the box around all atoms")
      .often();
  t.add("sq", &R::q, "compute structure factors S(q) at these q instead: columns q, S, S_A-B, ...")
      .in("1/angstrom")
      .above(0, kLargestMomentum)
      .often();
  t.add("lorch", &R::lorch, "use the window of Lorch").onlyWith({"sq"}).often();
  addFractalSetting(t, "S").onlyWith({"sq"});
  t.add("reduced", &R::reduced, "add a column G, 4 pi r rho (g - 1), 1/angstrom^2").notWith({"sq"}).often();
  t.add("neighbours", &R::neighbours,
        "add columns n_A-B: number of atoms B around an atom A up to the end of the bin")
      .notWith({"sq"})
      .often();
  t.add("state", &R::state, "keep the average over the frames that are done in this file, for resume")
      .isFile(FileUse::WriteBinary)
      .often();
  t.add("resume", &R::resume,
        "go on with the average of the state: its frames are skipped, those that follow are added")
      .onlyWith({"state"})
      .often();
  t.add("double", ValueType::Logical, "the same as precision double",
        [](R& r, const Json& v) { r.doublePrecision = r.doublePrecision || v.get<bool>(); });
  t.afterwards([](const R& r) {
    if (r.amplitudes == AmplitudeSource::Constant && !r.anomalous.empty())
      throw SettingError("anomalous", "belongs to form factors; name form_factors= other than constant");
  });
  return t;
}

/// Puts a frame without lattice into the box that is given.
Structure inCell(Structure s, const PairsRequest& request) {
  if (request.cell.size() == 0) return s;
  if (s.lattice) throw SettingError("cell", "is not needed: the file has a lattice");
  s.lattice = Eigen::Matrix3d(request.cell.asDiagonal());
  return s;
}

/// All frames have the bins of the first.
HistogramRequest binsFor(const Structure& s, const PairsRequest& request) {
  HistogramRequest r;
  const double range = request.range > 0 ? request.range : usualRange(s);
  r.bins = request.bins.value_or(kUsualBins);
  if (request.q.size() > 0 && !request.bins)
    r.bins = static_cast<int>(
        std::clamp<double>(request.q.maxCoeff() * range / kPhaseOfBin, kUsualBins, kMostBins));
  r.width = range / r.bins;
  r.doublePrecision = request.doublePrecision;
  requireRange(s, r.range());
  return r;
}

/// Pairs within the range, about; none of them for a GPU in double precision, which the processor does.
double pairsForGpus(const Structure& s, const HistogramRequest& r, double volume) {
  if (r.doublePrecision) return 0;
  const double n = static_cast<double>(s.size());
  return std::min(n * n / 2, n * n / volume * 2.1 * std::pow(r.range(), 3));
}

std::vector<Column> distributionHead(const DistanceDistribution& g) {
  return {{"r", "angstrom", g.r, "centres of the bins"},
          {"g", "1", g.total, "pair distribution function of all atoms"}};
}
std::vector<Column> factorHead(const StructureFactor& s) {
  return {{"q", "1/angstrom", s.q, "momentum transfers"},
          {"S", "1", s.total, "structure factor of all atoms"}};
}
Column partialColumn(const std::string& key, const Eigen::VectorXd& values) {
  return {key, "1", values, "the same of two kinds"};
}
Column reducedColumn(const Eigen::VectorXd& values) {
  return {"G", "angstrom^-2", values, "4 pi r rho (g - 1), with `reduced`"};
}
Column neighbourColumn(const std::string& pair, const Eigen::VectorXd& values) {
  return {"n_" + pair, "1", values, "atoms B around one of A up to r, with `neighbours`"};
}

/// A column for every pair of kinds.
void addPartials(std::vector<Column>& columns, const std::string& name, const std::vector<std::string>& kinds,
                 const Eigen::MatrixXd& values) {
  const int n = static_cast<int>(kinds.size());
  for (int a = 0; a < n; ++a) {
    for (int b = a; b < n; ++b)
      columns.push_back(partialColumn(name + "_" + pairName(kinds, a, b), values.col(pairKind(a, b, n))));
  }
}

std::vector<Column> distributionColumns(const PairsRequest& request, const AmplitudeOptions& amplitudes,
                                        const PairAverage& average, const std::vector<std::string>& kinds,
                                        Record& record) {
  std::vector<std::complex<double>> weights;
  if (amplitudes.source != AmplitudeSource::Constant) {
    const Amplitudes f = amplitudesOf(kinds, Eigen::VectorXd::Zero(1), amplitudes);
    for (Eigen::Index k = 0; k < f.values.cols(); ++k) weights.push_back(f.values(0, k));
    record.warn("form_factors", f.warnings);
  }
  const DistanceDistribution g = pairDistribution(average, weights);
  std::vector<Column> columns = distributionHead(g);
  addPartials(columns, "g", kinds, g.partial);
  if (request.reduced) columns.push_back(reducedColumn(reducedDistribution(g, average.density())));
  const int n = static_cast<int>(kinds.size());
  for (int a = 0; a < n && request.neighbours; ++a) {
    for (int b = 0; b < n; ++b)
      columns.push_back(neighbourColumn(pairName(kinds, a, b), g.neighbours.col(a * n + b)));
  }
  return columns;
}

/// What kinds weigh in S, (q, kind); empty where all weigh the same.
Eigen::MatrixXcd weightsAt(const PairsRequest& request, const AmplitudeOptions& amplitudes,
                           const std::vector<std::string>& kinds, Record& record) {
  if (amplitudes.source == AmplitudeSource::Constant) return {};
  Amplitudes f = amplitudesOf(kinds, request.q, amplitudes);
  record.warn("form_factors", f.warnings);
  return std::move(f.values);
}

/// Says, for messages, where S begins to be that of the atoms.
std::string firstText(double first, double range) {
  const bool ofBox = first > 2 * constants::kPi / range * (1 + 1e-12);
  return fmt::format("{} = {:.4g} per angstrom", ofBox ? "the first wave of the box" : "2 pi/R", first);
}

/// What the end of the distances at R does to S: it says nothing below `first`, and may be less than atoms
/// can scatter (`least`, at each q).
void addFactorWarnings(const PairsRequest& request, const Eigen::VectorXd& s, double range, double first,
                       const Eigen::VectorXd& least, Record& record) {
  if (const Eigen::Index below = (request.q.array() < first).count(); below > 0)
    record.warn(
        "below_first_momentum",
        fmt::format("{} of {} values of S, those at q below {}, are not those of the atoms: distances up "
                    "to R = {:.6g} angstrom say nothing of longer waves; smaller q need a larger box",
                    below, s.size(), firstText(first, range), range));
  Eigen::Index lowest = 0;
  const Eigen::ArrayXd above = s - least;
  if (!(above.minCoeff(&lowest) < -kRoundingOfS)) return;
  record.warn(
      "negative_factor",
      fmt::format("{} of {} values of S are smaller than atoms can scatter, most of all {:.3g} at q = "
                  "{:.4g} per angstrom ({:.3g} is the least): errors of the cut-off of the distances at "
                  "R = {:.6g} angstrom are at least as large; {}a larger box makes them smaller",
                  (above < -kRoundingOfS).count(), s.size(), s(lowest), request.q(lowest), least(lowest),
                  range, request.lorch ? "" : "the window of Lorch or "));
}

std::vector<Column> factorColumns(const PairsRequest& request, const PairAverage& average,
                                  const std::vector<std::string>& kinds, const Eigen::MatrixXcd& weights) {
  const StructureFactor s = structureFactor(average, request.q, request.lorch, weights);
  std::vector<Column> columns = factorHead(s);
  addPartials(columns, "S", kinds, s.partial);
  return columns;
}

/// What an average must agree in to go on; frames may follow.
std::string descriptionOf(const Structure& first, const HistogramRequest& bins, const PairsRequest& request) {
  std::string atoms;
  for (std::size_t k = 0; k < first.kinds.size(); ++k)
    atoms += fmt::format("{}{} {}", k == 0 ? "" : ", ", first.counts()[k], first.kinds[k]);
  std::string box;
  for (const double edge : request.cell) box += fmt::format("{}{:.17g}", box.empty() ? ", cell " : ",", edge);
  return fmt::format("{} in {} bins of {:.17g} angstrom, {} precision, density {:.17g}{}", atoms, bins.bins,
                     bins.width, bins.doublePrecision ? "double" : "single", request.density, box);
}

/// The mean of all frames, complete on the first rank; returns pairs visited, by an earlier run too. Frames
/// that `average` has are skipped.
double addHistograms(AtomFrames& frames, const PairsRequest& request, const HistogramRequest& bins,
                     const Execution& execution, PairEngine& engine, PairAverage& average, PairState& state,
                     std::vector<std::string>& warnings) {
  const Stopwatch watch;
  const std::vector<std::string> kinds = frames.first().kinds;
  const std::size_t done = static_cast<std::size_t>(average.frames());
  double visited = done > 0 ? average.histogram().visited : 0, before = visited;
  std::size_t number = 0;
  for (; number < done; ++number) {
    const auto s = frames.next();
    if (!s)
      throw SettingError("resume",
                         fmt::format("the state has {} frames, {} only {}", done, frames.name(), number));
    state.countFrame(inCell(*s, request), frames.name());
  }
  while (const auto frame = frames.next()) {
    const Structure s = inCell(*frame, request);
    if (s.kinds != kinds)
      throw Error(
          fmt::format("{}: error: frame {} has other kinds of atoms, or in another order, than the first",
                      frames.name(), number + 1));
    addWarnings(warnings, s.warnings);
    HistogramRequest r = bins;
    r.progress = [&](double pairs) {
      pass(execution.checkpoint);
      execution.show({"frames", number, 0, rateText(visited - before + pairs, watch.seconds())});
    };
    const PairHistogram h = engine.histogram(s, r);
    visited += h.visited;
    average.add(h, s.counts(), volumeOf(s, request.density));
    state.countFrame(s, frames.name());
    state.keep(average);
    execution.show({"frames", ++number, 0});
  }
  return visited;
}

Record pairs(const PairsRequest& request, const Execution& execution) {
  const Stopwatch watch;
  Record record;
  AtomFrames frames(request.file, request.block, execution);
  const Structure first = inCell(frames.first(), request);
  if (first.lattice && request.density > 0)
    throw SettingError("density", "is that of the lattice; it belongs to atoms without one");
  const std::vector<std::string> kinds = first.kinds;
  const HistogramRequest bins = binsFor(first, request);
  const double start = firstMomentum(first, bins.range());
  if (request.q.size() > 0 && request.fractal.size() > 0 && request.fractal(0) < start)
    throw SettingError("fractal",
                       fmt::format("begins at {:g} per angstrom; expected {} or more, because the "
                                   "distances up to R = {:.6g} angstrom say nothing of S at smaller q",
                                   request.fractal(0), firstText(start, bins.range()), bins.range()));
  if (const std::string warning = densityWarning(first, request.density); !warning.empty()) {
    if (request.q.size() > 0) throw Error(frames.name() + ": " + warning);
    record.warn("density", warning);
  } else if (!first.lattice && request.density == 0) {
    record.warn(
        "no_lattice",
        "there is no lattice: the atoms are one cluster in empty space, and densities are those of the "
        "box around them. Atoms that repeat need cell=, the edges of their box; a cluster needs density=");
  }
  const Eigen::Vector3d size = extentOf(first.positions).size;
  if (request.cell.size() > 0 && (size.array() > request.cell.array() * (1 + 1e-9)).any())
    record.warn(
        "outside_cell",
        fmt::format("the atoms of the first frame extend over {:.6g} x {:.6g} x {:.6g} angstrom, more than "
                    "the box of {:g} x {:g} x {:g}: they leave it, or the box is another one",
                    size(0), size(1), size(2), request.cell(0), request.cell(1), request.cell(2)));
  if (const std::string warning = neutralWarning(first, request.amplitudes); !warning.empty())
    record.warn("neutral", warning);
  if (const std::string warning = samePlaceWarning(first, first.lattice); !warning.empty())
    record.warn("same_place", warning);
  const auto engine = openEngine<PairEngine>(
      execution, histogramSeconds(pairsForGpus(first, bins, volumeOf(first, request.density))) > kGpuStart);
  PairAverage average;
  PairState state(request.state, descriptionOf(first, bins, request), request.resume, average, execution);
  std::vector<std::string> warnings;
  double visited = 0;
  try {
    visited = addHistograms(frames, request, bins, execution, *engine, average, state, warnings);
  } catch (...) {
    try {
      state.write(average);
    } catch (const Error&) {  // what ended the run is what people are told
    }
    throw;
  }
  state.write(average);
  if (execution.rank() > 0) return record;
  record.warn("structure", warnings);
  const AmplitudeOptions amplitudes = amplitudeOptions(request, execution);
  record.title = "Pairs of " + frames.name();
  record.printsTable = true;
  const auto add = [&](const char* key, const char* label, const Json& value, const std::string& shown) {
    record.quantities.push_back({key, label, value, shown});
  };
  addAtoms(request.file, kinds, average.counts(), record);
  add("frames", "frames", average.frames(), fmt::format("{}", average.frames()));
  add("density", "density", average.density(), fmt::format("{:.6g} atoms per angstrom^3", average.density()));
  add("range", "distances", bins.range(),
      fmt::format("up to {:.6g} angstrom in {} bins", bins.range(), bins.bins));
  add("bins", "bins", bins.bins, "");
  add("form_factors", "total weighted by", nameOf(request.amplitudes), nameOf(request.amplitudes));
  add("lorch", "window of Lorch", request.lorch, "");
  add("pairs", "pairs", visited, fmt::format("{:.6g}", visited));
  Eigen::MatrixXcd weights;
  if (request.q.size() > 0) weights = weightsAt(request, amplitudes, kinds, record);
  record.tables.push_back(
      {"columns", request.q.size() > 0 ? factorColumns(request, average, kinds, weights)
                                       : distributionColumns(request, amplitudes, average, kinds, record)});
  if (request.q.size() > 0) {
    const std::vector<Column>& columns = record.tables.back().columns;
    addFactorWarnings(request, columns[1].numbers(), bins.range(), start,
                      leastFactor(average, request.q, weights), record);
    addFractalDimension(request, columns[0].numbers(), columns[1].numbers(), record);
  }
  record.device = engine.device();
  record.seconds = watch.seconds();
  return record;
}

}  // namespace

Operation pairsOperation() {
  Operation o;
  o.name = "pairs";
  o.summary = "pair distributions and structure factors of many atoms";
  o.description =
      "Pair distribution functions g(r), or structure factors S(q) in the convention of Faber and Ziman, of "
      "atoms (" +
      structureFormatNames() +
      ", in angstrom). A structure with a lattice is periodic, and "
      "several frames are averaged. Form factors weight the total (g: by amplitudes at q = 0).";
  o.example = "pairs box.xyz --bins 300";
  o.onGpus = o.onRanks = o.takesAtoms = true;
  o.tables = [] {
    Table g{"columns", distributionHead({})}, s{"columns", factorHead({})};
    for (Column& c : std::vector{partialColumn("g_A-B", {}), reducedColumn({}), neighbourColumn("A-B", {})})
      g.columns.push_back(std::move(c));
    s.columns.push_back(partialColumn("S_A-B", {}));
    s.firstWith = "sq";
    return std::vector{std::move(g), std::move(s)};
  };
  return operationOf(std::move(o), pairsTable(), pairs);
}

}  // namespace prophet
