#include "app/madelung_line.hpp"

#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <cmath>

#include "app/parse_options.hpp"
#include "app/usage_error.hpp"
#include "common/constants.hpp"
#include "common/number.hpp"
#include "common/text.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

po::options_description madelungOptions() {
  po::options_description options("Options");
  // clang-format off
  options.add_options()
      ("help,h", "print this text")
      ("charges", po::value<std::string>()->value_name("LIST"), "a list such as Na=1,Cl=-1 (e), column (charge of extended XYZ) or oxidation (the ions' names) (default: the column, if there is one, else oxidation)")
      ("method", po::value<std::string>()->value_name("NAME"), "ewald, spread, gather or filter: Ewald's sum, or a particle mesh and how charges get onto it (default: ewald to 512 sites, else spread)")
      ("tolerance", po::value<double>()->value_name("NUMBER")->default_value(1e-8, "1e-8"), "of a particle mesh: error of the potentials relative to their root mean square")
      ("order", po::value<int>()->value_name("N"), "of its B-splines, 4 to 12 (default: by the tolerance)")
      ("mesh", po::value<std::string>()->value_name("POINTS"), "its points along a, b and c, 72 or 72,80,96 (default: by the tolerance)")
      ("beta", po::value<double>()->value_name("NUMBER"), "its splitting, 1/angstrom (default: by the tolerance)")
      ("cutoff", po::value<double>()->value_name("LENGTH"), "of its sum over pairs, angstrom (default: by the tolerance)")
      ("background", "make up for a net charge by a uniform one instead of refusing it")
      ("json", po::value<std::string>()->value_name("FILE"), "write everything as JSON to this file");
  // clang-format on
  addBackendOptions(options);
  return options;
}

std::string helpText(const po::options_description& options) {
  std::ostringstream text;
  text << "usage: cudaprophet madelung FILE --charges Na=1,Cl=-1 [options]\n\n"
          "Energy, potentials, fields, forces and pressure of the point charges of a crystal or a periodic\n"
          "box (.cif; extended XYZ with Lattice=), and its Madelung constant. Exit status: 0 done, 1 it "
          "could\n"
          "not be done, 2 wrong command line.\n\n"
       << options;
  return text.str();
}

MeshSize parseMesh(const std::string& text) {
  const auto words = split(text, ',');
  MeshSize mesh{};
  if (words.size() != 1 && words.size() != 3)
    throw UsageError("--mesh takes one number of points or three, not '" + text + "'");
  for (std::size_t d = 0; d < 3; ++d) {
    const auto value = parseDouble(trimmed(words[words.size() == 1 ? 0 : d]));
    if (!value || !(*value >= 5 && *value <= 4096) || *value != std::floor(*value))
      throw UsageError("--mesh takes whole numbers from 5 to 4096, not '" + text + "'");
    mesh[d] = static_cast<int>(*value);
  }
  return mesh;
}

std::optional<double> positive(const po::variables_map& values, const char* option, double unit) {
  if (!values.count(option)) return std::nullopt;
  const double value = values[option].as<double>();
  if (!(value > 0 && value < 1e4))
    throw UsageError(fmt::format("--{} takes a number above 0 and below 10000", option));
  return value * unit;
}

void readMethod(const po::variables_map& values, MadelungLine& line) {
  SpmeRequest& r = line.request;
  r.tolerance = values["tolerance"].as<double>();
  if (!(r.tolerance >= 1e-13 && r.tolerance <= 0.1))
    throw UsageError("--tolerance takes a number from 1e-13 to 0.1");
  if (values.count("order")) r.order = values["order"].as<int>();
  if (r.order && (*r.order < 4 || *r.order > 12)) throw UsageError("--order takes a number from 4 to 12");
  if (values.count("mesh")) r.mesh = parseMesh(values["mesh"].as<std::string>());
  if (r.mesh && r.order) {
    for (const int points : *r.mesh) {
      if (points <= *r.order) throw UsageError("--mesh needs more points along each axis than --order");
    }
  }
  r.beta = positive(values, "beta", constants::kAngstromsPerBohr);
  r.cutoff = positive(values, "cutoff", 1 / constants::kAngstromsPerBohr);
  const bool meshOptions = r.order || r.mesh || r.beta || r.cutoff || !values["tolerance"].defaulted();
  if (meshOptions) line.mesh = true;
  if (!values.count("method")) return;
  const std::string method = lowerCase(values["method"].as<std::string>());
  line.mesh = method != "ewald";
  if (!*line.mesh && meshOptions)
    throw UsageError("--method ewald is exact and takes no --order, --mesh, --beta, --cutoff or --tolerance");
  if (!*line.mesh) return;
  const auto assignment = assignmentNamed(method);
  if (!assignment) throw UsageError("--method takes ewald, spread, gather or filter, not '" + method + "'");
  r.assignment = *assignment;
}

}  // namespace

MadelungLine parseMadelungLine(const std::vector<std::string>& arguments) {
  const po::options_description options = madelungOptions();
  const po::variables_map values = parseOptions(arguments, options, "file", "cudaprophet madelung");
  MadelungLine line;
  if (values.count("help")) {
    line.help = helpText(options);
    return line;
  }
  if (!values.count("file") || values["file"].as<std::vector<std::string>>().size() != 1)
    throw UsageError(
        "madelung takes one file (.cif or extended XYZ); 'cudaprophet madelung --help' tells more");
  line.file = values["file"].as<std::vector<std::string>>().front();
  try {
    if (values.count("charges")) line.charges = parseChargeSource(values["charges"].as<std::string>());
  } catch (const Error& e) {
    throw UsageError(std::string("--charges: ") + e.what());
  }
  readMethod(values, line);
  if (values.count("background")) line.netCharge = NetCharge::Background;
  line.files.reads(line.file);
  line.jsonFile = line.files.output(values, "json");
  line.backend = readBackendOptions(values);
  if (line.backend.backend == BackendRequest::Cuda) {
    if (line.mesh && !*line.mesh)
      throw UsageError(
          "--method ewald is computed on the CPU; --backend cuda takes spread, gather or filter");
    line.mesh = true;
  }
  line.threads = readThreads(values);
  return line;
}

}  // namespace prophet
