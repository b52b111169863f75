#include "frontends/app/powder_command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/common/json_text.hpp"
#include "core/common/math_constants.hpp"
#include "core/common/number.hpp"
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
#include "matter/powder/pattern.hpp"
#include "matter/powder/powder_run.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

struct PowderLine : MatterLine {
  PowderOptions options;
  double wavelength = 0;
};

po::options_description powderOptions() {
  po::options_description options("Options");
  // clang-format off
  options.add_options()
      ("help,h", "print this text")
      ("q", po::value<std::string>()->value_name("GRID")->default_value("0.2:10:0.01"), "momentum transfers q = 4 pi sin(theta)/lambda, 1/angstrom: START:STOP:STEP with both ends, or a list 0,0.5,1")
      ("method", po::value<std::string>()->value_name("NAME")->default_value("histogram"), "histogram (distances once, then all q) or direct (every pair and q)")
      ("precision", po::value<std::string>()->value_name("NAME")->default_value("single"), "single or double, of distances and of direct sums")
      ("tolerance", po::value<std::string>()->value_name("NUMBER")->default_value("1e-6"), "bound of the histogram's error, as a part of I(0)")
      ("bin-width", po::value<std::string>()->value_name("LENGTH"), "angstrom; instead of --tolerance")
      ("exact-below", po::value<std::string>()->value_name("LENGTH"), "angstrom: sum pairs that are closer than this one by one in double precision, the others by the histogram")
      ("b-iso", po::value<std::string>()->value_name("LIST"), "Debye-Waller factors B, angstrom^2: Co=0.3,O=0.5")
      ("wavelength", po::value<std::string>()->value_name("LENGTH"), "angstrom: a column two_theta in degrees too");
  // clang-format on
  addMatterOptions(options, "q, intensity", "computed");
  return options;
}

std::string helpText(const po::options_description& options) {
  std::ostringstream text;
  text << "usage: cudaprophet powder FILE --q START:STOP:STEP [options]\n\n"
          "The intensity that a powder of particles scatters, electrons^2 per particle, by the formula of "
          "Debye\n"
          "from the distances of all pairs of atoms. FILE: XYZ, extended XYZ, PDB or CIF, in angstrom; of "
          "several\n"
          "frames the mean. The atoms of the file are one particle, whatever its lattice: of a crystal cut "
          "one "
          "first\n(cudaprophet structure FILE --shape sphere:100). Exit status: 0 done, 1 a file cannot be "
          "read, 2 wrong command line.\n\n"
       << options;
  return text.str();
}

bool choice(const po::variables_map& values, const std::string& option, const std::string& no,
            const std::string& yes) {
  const std::string text = values[option].as<std::string>();
  if (text != no && text != yes)
    throw UsageError("--" + option + " takes " + no + " or " + yes + ", not '" + text + "'");
  return text == yes;
}

PowderLine parsePowderLine(const std::vector<std::string>& arguments) {
  const po::options_description options = powderOptions();
  const po::variables_map values = parseOptions(arguments, options, "file", "cudaprophet powder");
  PowderLine line;
  if (values.count("help")) {
    line.help = helpText(options);
    return line;
  }
  PowderOptions& o = line.options;
  o.q = parseMomenta(values["q"].as<std::string>());
  if (choice(values, "method", "histogram", "direct")) o.method = PowderMethod::Direct;
  o.doublePrecision = choice(values, "precision", "single", "double");
  o.tolerance = numberOption(values, "tolerance", 0, false, 0.1);
  if (values.count("bin-width")) o.binWidth = numberOption(values, "bin-width", 0, false, 100);
  if (values.count("exact-below")) o.exactBelow = numberOption(values, "exact-below", 0, false);
  if (o.exactBelow > 0 && o.method == PowderMethod::Direct)
    throw UsageError(
        "--exact-below belongs to --method histogram; --method direct sums all pairs one by one");
  if (values.count("b-iso")) o.bFactors = parseKindNumbers(values["b-iso"].as<std::string>(), "--b-iso");
  for (const auto& [kind, b] : o.bFactors) {
    if (!(b >= 0 && b <= kLargestBFactor))
      throw UsageError(fmt::format("--b-iso takes numbers from 0 to {:g} angstrom^2, not {}={:g}",
                                   kLargestBFactor, kind, b));
  }
  if (values.count("wavelength")) line.wavelength = numberOption(values, "wavelength", 1e-6, true, 1e6);
  readMatterOptions(values, "powder", line);
  o.amplitudes = line.amplitudes;
  return line;
}

nlohmann::ordered_json jsonOf(const PowderLine& line, const PowderPattern& p) {
  nlohmann::ordered_json json;
  json["program"] = fmt::format("cudaprophet {}", kVersion);
  json["file"] = utf8(line.file);
  json["title"] = p.title;
  json["frames"] = p.frames;
  json["atoms"] = p.atoms;
  for (std::size_t k = 0; k < p.kinds.size(); ++k) json["kinds"][p.kinds[k]] = p.counts[k];
  json["method"] = line.options.method == PowderMethod::Direct ? "direct" : "histogram";
  json["precision"] = p.doublePrecision ? "double" : "single";
  if (p.binWidth > 0) {
    json["bin_width"] = p.binWidth;
    json["error_bound"] = p.errorBound;
    if (p.exactBelow > 0) json["exact_below"] = p.exactBelow;
  }
  json["form_factors"] = nameOf(line.amplitudes.source);
  json["amplitudes"] = p.provenance;
  json["warnings"] = p.warnings;
  for (const auto& [kind, b] : line.options.bFactors) json["b_iso"][kind] = b;
  json["device"] = p.device;
  json["pairs"] = p.pairs;
  json["seconds"] = p.seconds;
  json["q"] = std::vector<double>(p.q.begin(), p.q.end());
  json["intensity"] = std::vector<double>(p.intensity.begin(), p.intensity.end());
  if (line.wavelength > 0) {
    const Eigen::VectorXd angles = twoTheta(p.q, line.wavelength);
    json["wavelength"] = line.wavelength;
    json["two_theta"] = std::vector<double>(angles.begin(), angles.end());
  }
  return json;
}

/// Of intensities.
const char* unitOf(AmplitudeSource source) {
  return source == AmplitudeSource::Neutron    ? "femtometre^2"
         : source == AmplitudeSource::Constant ? "1"
                                               : "electrons^2";
}

std::vector<std::string> commentsOf(const PowderLine& line, const PowderPattern& p, const std::string& note) {
  std::vector<std::string> comments{
      fmt::format("cudaprophet {}: powder pattern of {}", kVersion, line.file),
      fmt::format("q in 1/angstrom, intensity in {} per particle; {} atoms, {} {}",
                  unitOf(line.amplitudes.source), p.atoms, p.frames, p.frames == 1 ? "frame" : "frames")};
  if (p.binWidth > 0)
    comments.push_back(
        fmt::format("histogram with bins of {:.3g} angstrom; the error is below {:.2g} of I(0)", p.binWidth,
                    p.errorBound));
  if (p.exactBelow > 0)
    comments.push_back(
        fmt::format("pairs closer than {:.6g} angstrom summed one by one in double precision", p.exactBelow));
  comments.push_back(fmt::format("{} precision, {}{}", p.doublePrecision ? "double" : "single", p.device,
                                 note.empty() ? "" : " (" + note + ")"));
  for (const auto& text : p.provenance) comments.push_back(text);
  for (const auto& text : p.warnings) comments.push_back("WARNING: " + text);
  return comments;
}

/// Pairs of the first frame; the file is opened twice, but mostly read once.
double pairsOf(const std::string& file) {
  const double n = static_cast<double>(readStructure(file).size());
  return n * (n - 1) / 2;
}

/// The pattern on this rank; the first one writes it.
void runPowder(PowderLine& line, Ranks& ranks) {
  // A histogram in double precision is the processor's.
  const bool direct = line.options.method == PowderMethod::Direct;
  const bool device = direct || !line.options.doublePrecision;
  SharedEngine engine = sharedEngineFor(line, ranks, [&] {
    const double momenta = direct ? static_cast<double>(line.options.q.size()) / 10 : 1;
    return device && pairsOf(line.file) * momenta > kWorthwhilePairs;
  });
  const bool first = ranks.rank() == 0;
  // The others have parts of the sums only, which amplitudes would make no pattern.
  if (!first) line.options.amplitudes.source = AmplitudeSource::Constant;
  line.options.wholeSums = first;
  if (ranks.size() > 1)
    line.options.firsts = [&](double mine) {
      agree(ranks, nullptr, kSuccess);  // where the first one fails it does not come to this
      return parseDouble(fromFirst(ranks, fmt::format("{}", mine))).value_or(0);
    };
  ProgressLine progress("%", !line.quiet && first);
  const Stopwatch watch;
  line.options.progress = [&](double done, double total) {
    progress.show(static_cast<std::size_t>(1e4 * std::min(1.0, done / std::max(1.0, total))), 10000,
                  rateText(done, watch.seconds()));
  };
  const auto frames = openFrames(line.file);
  PowderPattern p = powderPattern(*frames, line.options, engine.get());
  if (!first) return;
  const double reflected = line.wavelength > 0 ? 4 * constants::kPi / line.wavelength : 1e300;
  if (p.q.maxCoeff() > reflected)
    p.warnings.push_back(fmt::format(
        "no angle 2 theta belongs to q above 4 pi/wavelength = {:.6g} per angstrom: two_theta is empty "
        "there",
        reflected));
  std::vector<TableColumn> columns{{"q", "1/angstrom", p.q},
                                   {"intensity", unitOf(line.amplitudes.source), p.intensity}};
  if (line.wavelength > 0) columns.push_back({"two_theta", "degree", twoTheta(p.q, line.wavelength)});
  writeTable(line, commentsOf(line, p, engine.note), columns, jsonText(jsonOf(line, p), 1));
  printWarnings(p.warnings);
}

}  // namespace

int powderCommand(const std::vector<std::string>& arguments) {
  PowderLine line;
  std::exception_ptr wrong;
  try {
    line = parsePowderLine(arguments);
  } catch (const Error&) {
    wrong = std::current_exception();
  }
  if (!line.help.empty()) {
    print(line.help);
    return kSuccess;
  }
  return runMatter(arguments, line, wrong, [&](Ranks& ranks) { runPowder(line, ranks); });
}

}  // namespace prophet
