#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/common/constants.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/text.hpp"
#include "matter/powder/powder_run.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/materials/many_atoms.hpp"
#include "operations/materials/powder_fit.hpp"

namespace prophet {
namespace {

constexpr Eigen::Index kMostMomenta = 100000;
constexpr double kMostLikelyMomentum = 60;  // 1/angstrom, to which form factors are computed

struct PowderRequest : AtomsRequest, FractalRequest, PowderFitRequest {
  Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(981, 20, 1000) / 100;  ///< 1/angstrom
  PowderMethod method = PowderMethod::Histogram;
  double tolerance = 1e-6;
  double binWidth = 0, exactBelow = 0, wavelength = 0;  ///< angstrom; 0: not given
  std::map<std::string, double> bFactors;               ///< angstrom^2
};

/// Kinds as files of atoms have them.
std::map<std::string, double> numbersByKind(const Json& value) {
  std::map<std::string, double> table;
  for (const auto& [name, number] : value.items())
    if (!table.emplace(kindName(name), number.get<double>()).second)
      throw Error("two numbers are given for " + kindName(name));
  return table;
}

RequestTable<PowderRequest> powderTable() {
  using R = PowderRequest;
  RequestTable<R> t;
  addAtomsSettings(t);
  t.add("q", &R::q, "momentum transfers q = 4 pi sin(theta)/lambda")
      .in("1/angstrom")
      .from(0, kLargestMomentum)
      .byDefault("0.2:10:0.01")
      .notWith({"against"})
      .often();
  t.add("method", &R::method,
        Names<PowderMethod>{{"histogram", PowderMethod::Histogram}, {"direct", PowderMethod::Direct}},
        "a histogram of the distances for all q; or every pair at every q")
      .often();
  t.add("tolerance", &R::tolerance, "bound of the error of the histogram as a fraction of I(0)")
      .above(0, 0.1)
      .byDefault("1e-6");
  t.add("bin_width", &R::binWidth, "width of the bins of the histogram, instead of tolerance")
      .in("angstrom")
      .above(0, 100);
  t.add("exact_below", &R::exactBelow,
        "sum pairs that are closer than this one by one in double precision, the others by the histogram")
      .in("angstrom")
      .above(0);
  t.add("b_iso", ValueType::ByKind, "Debye-Waller factors B, Co=0.3,O=0.5",
        [](R& r, const Json& v) { r.bFactors = numbersByKind(v); })
      .in("angstrom^2")
      .from(0, kLargestBFactor)
      .often();
  t.add("wavelength", &R::wavelength, "wavelength, which adds a column two_theta in degrees")
      .in("angstrom")
      .from(1e-6, 1e6)
      .often();
  addFractalSetting(t, "intensity").notWith({"against"});
  addPowderFitSettings(t);
  t.afterwards([](const R& r) {
    requireFit(r, r.wavelength);
    if (r.exactBelow > 0 && r.method == PowderMethod::Direct)
      throw SettingError("exact_below", "belongs to method histogram; direct sums all pairs one by one");
    if (r.q.size() > kMostMomenta)
      throw SettingError("q", fmt::format("has more than {} numbers", kMostMomenta));
  });
  return t;
}

/// The unit of intensities.
const char* intensityUnit(AmplitudeSource source) {
  return source == AmplitudeSource::Neutron    ? "femtometre^2"
         : source == AmplitudeSource::Constant ? "1"
                                               : "electrons^2";
}

/// On one processor, of the first frame. A histogram in double precision is the processor's in any case.
double powderSeconds(const PowderRequest& request, const Structure& s) {
  const double n = static_cast<double>(s.size()), pairs = n * (n - 1) / 2;
  if (request.method == PowderMethod::Direct)
    return directSeconds(pairs * static_cast<double>(request.q.size()), request.doublePrecision);
  return request.doublePrecision ? 0 : histogramSeconds(pairs);
}

PowderOptions powderOptions(const PowderRequest& request, const Execution& execution) {
  PowderOptions o;
  o.q = request.q;
  o.method = request.method;
  o.doublePrecision = request.doublePrecision;
  o.tolerance = request.tolerance;
  o.binWidth = request.binWidth;
  o.exactBelow = request.exactBelow;
  o.bFactors = request.bFactors;
  o.amplitudes = amplitudeOptions(request, execution);
  // Other ranks have parts of the sums only, which amplitudes would make no pattern.
  o.wholeSums = execution.rank() == 0;
  if (!o.wholeSums) o.amplitudes.source = AmplitudeSource::Constant;
  if (execution.rankCount() > 1)
    o.firsts = [&execution](double mine) {
      execution.together([] {});  // where the first one fails it does not come to this
      return parseDouble(execution.fromFirst(fmt::format("{}", mine))).value_or(0);
    };
  o.progress = [&execution, watch = Stopwatch()](double done, double total) {
    pass(execution.checkpoint);
    execution.show({"%", static_cast<std::size_t>(1e4 * std::min(1.0, done / std::max(1.0, total))), 10000,
                    rateText(done, watch.seconds())});
  };
  return o;
}

/// Where it comes from.
void addPatternFacts(const PowderRequest& request, const PowderPattern& p, Record& record) {
  const auto add = [&](const char* key, const char* label, const Json& value, const std::string& shown) {
    record.quantities.push_back({key, label, value, shown});
  };
  const char* precision = p.doublePrecision ? "double" : "single";
  addAtoms(request.file, p.kinds, p.counts, record);
  add("title", "title", p.title, "");
  add("atoms", "atoms", p.atoms, "");
  add("frames", "frames", p.frames, fmt::format("{}", p.frames));
  if (p.binWidth > 0) {
    add("method", "method", "histogram", fmt::format("histogram with bins of {:.3g} angstrom", p.binWidth));
    add("bin_width", "bins", p.binWidth, "");
    add("error_bound", "error", p.errorBound, fmt::format("below {:.2g} of I(0)", p.errorBound));
  } else {
    add("method", "method", "direct", "direct");
    add("error_bound", "error", 0.0, "");
  }
  if (p.exactBelow > 0)
    add("exact_below", "summed one by one", p.exactBelow,
        fmt::format("pairs closer than {:.6g} angstrom", p.exactBelow));
  add("precision", "precision", precision, precision);
  add("form_factors", "form factors", nameOf(request.amplitudes), nameOf(request.amplitudes));
  add("amplitudes", "amplitudes", p.provenance, fmt::format("{}", fmt::join(p.provenance, "; ")));
  if (!request.bFactors.empty()) add("b_iso", "Debye-Waller factors", request.bFactors, "");
  add("pairs", "pairs", p.pairs, fmt::format("{:.6g}", p.pairs));
  if (request.wavelength > 0)
    add("wavelength", "wavelength", request.wavelength, fmt::format("{:g} angstrom", request.wavelength));
}

/// The file's particles and those of the mixture, all frames at once.
std::vector<std::vector<Structure>> particlesOf(const PowderRequest& request, const Execution& execution,
                                                std::vector<std::string>& names) {
  std::vector<std::string> files{request.file};
  files.insert(files.end(), request.mixture.begin(), request.mixture.end());
  std::vector<std::vector<Structure>> particles;
  for (const std::string& file : files) {
    AtomFrames frames(file, particles.empty() ? request.block : "", execution);
    names.push_back(frames.name());
    std::vector<Structure>& list = particles.emplace_back();
    while (auto frame = frames.next()) list.push_back(std::move(*frame));
  }
  return particles;
}

double largestRange(const std::vector<std::vector<Structure>>& particles) {
  double range = 0;
  for (const auto& list : particles)
    for (const Structure& s : list) range = std::max(range, particleRange(s));
  return range;
}

/// The sums of all particles at the momenta of `options`, and what the patterns have in common.
std::vector<PatternComponent> componentsOf(const std::vector<std::vector<Structure>>& particles,
                                           const std::vector<std::string>& names,
                                           const PowderOptions& options, PairEngine& engine,
                                           PowderPattern& facts) {
  std::vector<PatternComponent> components;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    PatternComponent& c = components.emplace_back();
    const auto frames = framesOf(particles[i]);
    PowderPattern p =
        powderSums(*frames, options, engine, [&](const FrameSums& f) { c.frames.push_back(f); });
    c.name = names[i];
    c.atoms = p.atoms;
    if (i == 0) {
      facts = std::move(p);
      continue;
    }
    facts.pairs += p.pairs;
    facts.errorBound = std::max(facts.errorBound, p.errorBound);
    addWarnings(facts.provenance, p.provenance);
    addWarnings(facts.warnings, p.warnings);
  }
  return components;
}

void requireKinds(const std::map<std::string, double>& bFactors,
                  const std::vector<PatternComponent>& components) {
  for (const auto& [kind, value] : bFactors) {
    const auto isFound = [&, &wanted = kind](const PatternComponent& c) {
      return std::any_of(c.frames.begin(), c.frames.end(), [&](const FrameSums& f) {
        return std::find(f.kinds.begin(), f.kinds.end(), wanted) != f.kinds.end();
      });
    };
    if (std::none_of(components.begin(), components.end(), isFound))
      throw SettingError("b_iso", "names " + kind + ", but there are no such atoms");
  }
}

/// Kinds whose refined Debye-Waller factors say that they move less than not at all.
void addMotionWarnings(const PatternFit& fit, const std::map<std::string, double>& bFactors,
                       const std::vector<std::string>& kinds, Record& record) {
  const FittedPatternParameter& b = fit.parameters[kB];
  std::vector<std::string> list;
  for (const std::string& kind : kinds) {
    const auto given = bFactors.find(kind);
    const double all = b.value + (given == bFactors.end() ? 0 : given->second);
    // Within its error a factor of 0 may come out below it.
    if (all < 0 && !(std::isfinite(b.error) && all > -b.error))
      list.push_back(fmt::format("{:.3g} of {}", all, kind));
  }
  if (!list.empty())
    record.warn("negative_b",
                fmt::format("the Debye-Waller factor is below 0 ({} angstrom^2): no motion does that; the "
                            "structure, the resolution or the background is another one",
                            fmt::join(list, ", ")));
}

/// The pattern fitted to a measured one.
Record fittedPattern(const PowderRequest& request, const Execution& execution) {
  const Stopwatch watch;
  Record record;
  MeasuredPattern measured;
  execution.together([&] { measured = measuredOf(request); });
  std::vector<std::string> names;
  const auto particles = particlesOf(request, execution, names);
  std::vector<std::string> neutral;
  for (const auto& list : particles)
    if (const std::string warning = neutralWarning(list.front(), request.amplitudes); !warning.empty())
      addWarnings(neutral, {warning});
  if (request.axis == PatternAxis::Q && request.amplitudes == AmplitudeSource::Computed &&
      measured.x.maxCoeff() > kMostLikelyMomentum)
    throw SettingError("axis",
                       fmt::format("the first column of {} reaches {:g}, which is q in 1/angstrom; angles "
                                   "need two_theta",
                                   request.against, measured.x.maxCoeff()));
  const PatternFitOptions fitting =
      fitOptions(request, request.wavelength, request.bFactors, execution.checkpoint);
  PowderOptions options = powderOptions(request, execution);
  options.q = ofSetting(
      "against", [&] { return gridOfFit(momentaOfAxis(measured.x, fitting), largestRange(particles)); });
  const auto engine =
      openEngine<PairEngine>(execution, powderSeconds(request, particles.front().front()) > kGpuStart);
  PowderPattern facts;
  const auto components = componentsOf(particles, names, options, *engine, facts);
  if (execution.rank() > 0) return record;
  requireKinds(request.bFactors, components);
  const PatternFit fit =
      ofSetting("against", [&] { return fitPattern(measured, options.q, components, fitting); });
  record.title = "Powder pattern of " + names.front() + " against " + request.against;
  addPatternFacts(request, facts, record);
  addPatternFit(request, request.wavelength, measured, components, fit, record);
  addMotionWarnings(fit, request.bFactors, facts.kinds, record);
  record.warn("pattern", facts.warnings);
  record.warn("neutral", neutral);
  record.device = engine.device();
  record.seconds = watch.seconds();
  return record;
}

Table patternTable(const PowderPattern& p, const std::string& unit, double wavelength) {
  Table table{"columns",
              {{"q", "1/angstrom", p.q, "momentum transfers"},
               {"intensity", unit, p.intensity, "intensity of one particle at each q"}},
              Table::Layout::Top};
  if (wavelength > 0)
    table.columns.push_back(
        {"two_theta", "degree", twoTheta(p.q, wavelength), "scattering angles, with `wavelength`"});
  return table;
}

Record powder(const PowderRequest& request, const Execution& execution) {
  if (!request.against.empty()) return fittedPattern(request, execution);
  const Stopwatch watch;
  Record record;
  AtomFrames frames(request.file, request.block, execution);
  if (const std::string warning = neutralWarning(frames.first(), request.amplitudes); !warning.empty())
    record.warn("neutral", warning);
  if (const std::string warning = samePlaceWarning(frames.first(), {}); !warning.empty())
    record.warn("same_place", warning);
  const auto engine = openEngine<PairEngine>(execution, powderSeconds(request, frames.first()) > kGpuStart);
  const PowderPattern p = powderPattern(frames, powderOptions(request, execution), *engine);
  if (execution.rank() > 0) return record;
  record.title = "Powder pattern of " + frames.name() + ", per particle";
  record.printsTable = true;
  addPatternFacts(request, p, record);
  addFractalDimension(request, p.q, p.intensity, record);
  record.warn("pattern", p.warnings);
  record.tables = {patternTable(p, intensityUnit(request.amplitudes), request.wavelength)};
  if (request.wavelength > 0) {
    const double reflected = 4 * constants::kPi / request.wavelength;
    if (p.q.maxCoeff() > reflected)
      record.warn("no_angle", fmt::format("no angle 2 theta belongs to q above 4 pi/wavelength = {:.6g} per "
                                          "angstrom: two_theta is empty there",
                                          reflected));
  }
  record.device = engine.device();
  record.seconds = watch.seconds();
  return record;
}

}  // namespace

Operation powderOperation() {
  Operation o;
  o.name = "powder";
  o.summary = "X-ray and neutron powder patterns of nanoparticles";
  o.description =
      "The intensity that a powder of particles scatters, in electrons^2 per particle, by the formula of "
      "Debye from the distances of all pairs of atoms (" +
      structureFormatNames() +
      ", in angstrom). Several "
      "frames are averaged. The atoms of a file are one particle, whatever its lattice; cut a particle from "
      "a crystal first (structure with shape sphere:100). With against, the pattern is fitted to a "
      "measured one by least squares, and the record has R factors, parameters with their errors, and the "
      "measured and computed intensities.";
  o.example = "powder FILE";
  o.examples = {"powder coo.xyz --q 0.2:10:0.01", "powder ball.xyz --against nickel.iq --from 2.3 --to 8"};
  o.onGpus = o.onRanks = o.takesAtoms = true;
  o.tables = [] {
    std::vector<Table> tables = patternFitTables(1, {}, {}, {});
    tables.insert(tables.begin(), patternTable({}, "electrons^2", 1));
    return tables;
  };
  return operationOf(std::move(o), powderTable(), powder);
}

}  // namespace prophet
