#include "frontends/app/pairs_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/common/json_text.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/utf8.hpp"
#include "core/common/version.hpp"
#include "core/ranks/agree.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/matter_options.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/progress_line.hpp"
#include "frontends/app/usage_error.hpp"
#include "matter/pairs/pair_distribution.hpp"
#include "matter/structure/frames.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

constexpr int kMostBins = 100000;
// q times the width of a bin: S(q) takes pairs at the mean distance of their bin, which is then good to 1e-4.
constexpr double kPhaseOfBin = 0.05;

struct PairsLine : MatterLine {
  int bins = 0;
  double range = 0, density = 0;
  Eigen::VectorXd q{};
  bool lorch = false, reduced = false, neighbours = false, doublePrecision = false;
};

po::options_description pairsOptions() {
  po::options_description options("Options");
  // clang-format off
  options.add_options()
      ("help,h", "print this text")
      ("bins", po::value<int>()->value_name("N"), "bins of g(r) (default: 300; for --sq as many as the largest q needs)")
      ("range", po::value<std::string>()->value_name("LENGTH"), "largest distance, angstrom (default: half the box; without lattice the largest distance)")
      ("density", po::value<std::string>()->value_name("NUMBER"), "atoms per angstrom^3 without lattice (default: atoms of the box around all of them)")
      ("sq", po::value<std::string>()->value_name("GRID"), "structure factors S(q) instead, at START:STOP:STEP with both ends, 1/angstrom: columns q, S, S_A-B, ...")
      ("lorch", "with the window of Lorch, for --sq")
      ("reduced", "a column G, 4 pi r rho (g - 1), 1/angstrom^2")
      ("neighbours", "columns n_A-B: atoms B around an A up to the end of the bin")
      ("double", "distances in double precision");
  // clang-format on
  addMatterOptions(options, "r, g, g_A-B, ...", "constant");
  return options;
}

std::string helpText(const po::options_description& options) {
  std::ostringstream text;
  text << "usage: cudaprophet pairs FILE [options]\n\n"
          "Pair distribution functions g(r), or structure factors S(q) in the convention of Faber and Ziman, "
          "of\n"
          "the atoms of FILE (XYZ, extended XYZ, PDB or CIF, in angstrom); periodic where the file has a "
          "lattice;\n"
          "the mean of all frames. --form-factors weights the total (g: by amplitudes at q = 0). Exit "
          "status: 0\n"
          "done, 1 a file cannot be read, 2 wrong command line.\n\n"
       << options;
  return text.str();
}

PairsLine parsePairsLine(const std::vector<std::string>& arguments) {
  const po::options_description options = pairsOptions();
  const po::variables_map values = parseOptions(arguments, options, "file", "cudaprophet pairs");
  PairsLine line;
  if (values.count("help")) {
    line.help = helpText(options);
    return line;
  }
  if (values.count("bins")) {
    line.bins = values["bins"].as<int>();
    if (line.bins < 1 || line.bins > kMostBins)
      throw UsageError(fmt::format("--bins takes a number from 1 to {}", kMostBins));
  }
  if (values.count("range")) line.range = numberOption(values, "range", 1e-3, true, 2 * kFarthest);
  if (values.count("density")) line.density = numberOption(values, "density", 1e-30, true, 1e30);
  if (values.count("sq")) line.q = parseMomenta(values["sq"].as<std::string>());
  if (line.q.size() > 0 && !(line.q.minCoeff() > 0))
    throw UsageError("--sq needs q above 0: at 0 the whole volume scatters");
  line.lorch = values.count("lorch") > 0;
  line.reduced = values.count("reduced") > 0;
  line.neighbours = values.count("neighbours") > 0;
  line.doublePrecision = values.count("double") > 0;
  if (line.lorch && line.q.size() == 0) throw UsageError("--lorch belongs to --sq");
  if (line.q.size() > 0 && (line.reduced || line.neighbours))
    throw UsageError("--reduced and --neighbours belong to g(r), not to --sq");
  readMatterOptions(values, "pairs", line);
  return line;
}

HistogramRequest requestFor(const Structure& s, const PairsLine& line) {
  HistogramRequest r;
  const double range = line.range > 0 ? line.range : usualRange(s);
  r.bins = line.bins > 0 ? line.bins : 300;
  if (line.q.size() > 0 && line.bins == 0)
    r.bins = static_cast<int>(std::clamp<double>(line.q.maxCoeff() * range / kPhaseOfBin, 300, kMostBins));
  r.width = range / r.bins;
  r.doublePrecision = line.doublePrecision;
  return r;
}

struct PairsOutput {
  PairAverage average;
  HistogramRequest request;
  std::vector<std::string> kinds;
  SharedEngine engine;
  std::string device;
  double seconds = 0, visited = 0;
  std::vector<std::string> warnings;
};

/// Pairs within the range, about.
double workOf(const Structure& s, const HistogramRequest& r, double volume) {
  const double n = static_cast<double>(s.size());
  return std::min(n * n / 2, n * n / volume * 2.1 * std::pow(r.range(), 3));
}

/// Whether a GPU is worth its start for the first frame.
bool worthAGpu(const Structure& s, const PairsLine& line, const HistogramRequest& r) {
  return !line.doublePrecision && workOf(s, r, volumeOf(s, line.density)) > kWorthwhilePairs;
}

/// The mean of all frames; complete on the first rank.
PairsOutput averageOf(const PairsLine& line, Ranks& ranks) {
  PairsOutput out;
  const Stopwatch watch;
  ProgressLine progress("frames", !line.quiet && ranks.rank() == 0);
  std::unique_ptr<Frames> frames;
  std::optional<Structure> s;
  together(ranks, kFailure, [&] {
    frames = openFrames(line.file);
    s = frames->next();
    if (!s) throw StructureError(line.file + ":1: error: the file has no atoms");
  });
  // All frames have the bins of the first.
  out.request = requestFor(*s, line);
  requireRange(*s, out.request.range());
  if (const std::string warning = densityWarning(*s, line.density); !warning.empty()) {
    if (line.q.size() > 0) throw Error(line.file + ": " + warning + " (--density)");
    out.warnings.push_back(warning + " (--density)");
  }
  out.kinds = s->kinds;
  out.engine = sharedEngineFor(line, ranks, [&] { return worthAGpu(*s, line, out.request); });
  for (std::size_t number = 0; s; s = frames->next()) {
    if (s->kinds != out.kinds)
      throw Error(
          fmt::format("{}: error: frame {} has other kinds of atoms, or in another order, than the first",
                      line.file, number));
    addWarnings(out.warnings, s->warnings);
    HistogramRequest request = out.request;
    request.progress = [&](double pairs) {
      progress.show(number, 0, rateText(out.visited + pairs, watch.seconds()));
    };
    const PairHistogram h = out.engine.get().histogram(*s, request);
    out.visited += h.visited;
    out.average.add(h, s->counts(), volumeOf(*s, line.density));
    progress.show(++number, 0);
  }
  out.device = out.engine.get().name();
  out.seconds = watch.seconds();
  return out;
}

/// A column for every pair of kinds.
void addPartials(std::vector<TableColumn>& columns, const std::string& name, const std::string& unit,
                 const std::vector<std::string>& kinds, const Eigen::MatrixXd& values) {
  const int n = static_cast<int>(kinds.size());
  for (int a = 0; a < n; ++a) {
    for (int b = a; b < n; ++b)
      columns.push_back({name + "_" + pairName(kinds, a, b), unit, values.col(pairKind(a, b, n))});
  }
}

std::vector<TableColumn> distributionColumns(const PairsLine& line, const PairsOutput& out) {
  std::vector<double> weights;
  if (line.amplitudes.source != AmplitudeSource::Constant) {
    const Eigen::MatrixXcd f = amplitudesOf(out.kinds, Eigen::VectorXd::Zero(1), line.amplitudes).values;
    for (Eigen::Index k = 0; k < f.cols(); ++k) weights.push_back(f(0, k).real());
  }
  const PairDistribution g = pairDistribution(out.average, weights);
  std::vector<TableColumn> columns{{"r", "angstrom", g.r}, {"g", "1", g.total}};
  addPartials(columns, "g", "1", out.kinds, g.partial);
  if (line.reduced) columns.push_back({"G", "angstrom^-2", reducedDistribution(g, out.average.density())});
  const int n = static_cast<int>(out.kinds.size());
  for (int a = 0; a < n && line.neighbours; ++a) {
    for (int b = 0; b < n; ++b)
      columns.push_back({"n_" + pairName(out.kinds, a, b), "1", g.neighbours.col(a * n + b)});
  }
  return columns;
}

std::vector<TableColumn> factorColumns(const PairsLine& line, const PairsOutput& out) {
  Eigen::MatrixXd weights;
  if (line.amplitudes.source != AmplitudeSource::Constant)
    weights = amplitudesOf(out.kinds, line.q, line.amplitudes).values.real();
  const StructureFactor s = structureFactor(out.average, line.q, line.lorch, weights);
  std::vector<TableColumn> columns{{"q", "1/angstrom", s.q}, {"S", "1", s.total}};
  addPartials(columns, "S", "1", out.kinds, s.partial);
  return columns;
}

nlohmann::ordered_json jsonOf(const PairsLine& line, const PairsOutput& out,
                              const std::vector<TableColumn>& columns) {
  nlohmann::ordered_json json;
  json["program"] = fmt::format("cudaprophet {}", kVersion);
  json["file"] = utf8(line.file);
  json["frames"] = out.average.frames();
  for (std::size_t k = 0; k < out.kinds.size(); ++k) json["kinds"][out.kinds[k]] = out.average.counts()[k];
  json["density"] = out.average.density();
  json["range"] = out.request.range();
  json["bins"] = out.request.bins;
  json["form_factors"] = nameOf(line.amplitudes.source);
  json["lorch"] = line.lorch;
  json["device"] = out.device;
  json["pairs"] = out.visited;
  json["seconds"] = out.seconds;
  json["warnings"] = out.warnings;
  for (const TableColumn& c : columns)
    json["columns"][c.name] = std::vector<double>(c.values.begin(), c.values.end());
  return json;
}

void runPairs(const PairsLine& line, Ranks& ranks) {
  const PairsOutput out = averageOf(line, ranks);
  if (ranks.rank() > 0) return;
  const auto columns = line.q.size() > 0 ? factorColumns(line, out) : distributionColumns(line, out);
  std::vector<std::string> comments{
      fmt::format("cudaprophet {}: pairs of {}", kVersion, line.file),
      fmt::format("r in angstrom, q in 1/angstrom; {} frames, {:.6g} atoms per angstrom^3, distances up to "
                  "{:.6g} angstrom in {} bins",
                  out.average.frames(), out.average.density(), out.request.range(), out.request.bins),
      fmt::format("total weighted by: {}; {}{}", nameOf(line.amplitudes.source), out.device,
                  out.engine.note.empty() ? "" : " (" + out.engine.note + ")")};
  for (const auto& text : out.warnings) comments.push_back("WARNING: " + text);
  writeTable(line, comments, columns, jsonText(jsonOf(line, out, columns), 1));
  printWarnings(out.warnings);
}

}  // namespace

int pairsCommand(const std::vector<std::string>& arguments) {
  PairsLine line;
  std::exception_ptr wrong;
  try {
    line = parsePairsLine(arguments);
  } catch (const Error&) {
    wrong = std::current_exception();
  }
  if (!line.help.empty()) {
    print(line.help);
    return kSuccess;
  }
  return runMatter(arguments, line, wrong, [&](Ranks& ranks) { runPairs(line, ranks); });
}

}  // namespace prophet
