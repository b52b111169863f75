#include "frontends/app/formfactor_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <set>

#include "atoms/atom/elements.hpp"
#include "core/common/number.hpp"
#include "core/common/text.hpp"
#include "frontends/app/backend_options.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/usage_error.hpp"
#include "matter/scattering/usual_ions.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

constexpr double kLargestMomentum = 1e4;  // 1/angstrom
constexpr double kMostMomenta = 1e5;

po::options_description formfactorOptions() {
  po::options_description options("Options");
  // clang-format off
  options.add_options()
      ("help,h", "print this text")
      ("q", po::value<std::string>()->value_name("GRID")->default_value("0:25:0.5"), "momentum transfers q = 4 pi sin(theta)/lambda, 1/angstrom: START:STOP:STEP with both ends, or a list 0,0.5,1")
      ("csv", po::value<std::string>()->value_name("FILE"), "write the factors as CSV to this file: columns q,SPECIES,...")
      ("json", po::value<std::string>()->value_name("FILE"), "write everything as JSON to this file")
      ("electron", "electron scattering factors (Mott-Bethe, angstrom) instead of X-ray form factors (electrons)")
      ("shells", "the part of every spinor too")
      ("fit", po::value<std::string>()->value_name("NAME"), "waasmaier-kirfel (5 Gaussians and a constant, s = sin theta/lambda to 6), cromer-mann (4 and a constant, to 2), doyle-turner (4, to 2) or peng: fit this form (peng: 5, to 6) and print the parameters")
      ("format", po::value<std::string>()->value_name("NAME"), "text, csv, cif or dabax: how fits are written (default: text)")
      ("out,o", po::value<std::string>()->value_name("FILE"), "write the table, or the fits, to this file instead of standard output")
      ("watson", po::value<std::string>()->value_name("CHARGE,RADIUS"), "CHARGE,RADIUS: a charged shell (e, bohr) around the ion, as its crystal: O2- in MgO is bound in 2,2.2778")
      ("limit", "from numerical limits instead of basis sets")
      ("quadrature", "integrate the density numerically, as a check of the closed form (limits always are)")
      ("nucleus", po::value<std::string>()->value_name("NAME")->default_value("gaussian"), "point, sphere, gaussian or fermi")
      ("library", po::value<std::string>()->value_name("NAME")->default_value(""), "collection of basis sets (default: a set that fits each species)")
      ("threads", po::value<int>()->value_name("N"), "threads to use (default: all processors)");
  // clang-format on
  return options;
}

std::string helpText(const po::options_description& options) {
  std::ostringstream text;
  text << "usage: cudaprophet formfactor SPECIES... --q START:STOP:STEP [options]\n\n"
          "Scattering factors of free atoms and ions. SPECIES: Fe, 26, Fe3+, O2-, 'Fe2+ [Ar] 3d6',\n"
          "all (the neutral atoms 1-118), ions (those of the International Tables). Ions of which only the\n"
          "charge is given have the configuration of experiment where it is known, else one by rule. Exit\n"
          "status: 0 done, 2 wrong command line, 3 some are not bound (O2-) or did not converge: warnings\n"
          "say which.\n\n"
       << options;
  return text.str();
}

double numberOf(const std::string& text) {
  const auto value = parseDouble(trimmed(text));
  if (!value || !std::isfinite(*value) || *value < 0 || *value > kLargestMomentum)
    throw UsageError(fmt::format("--q: '{}' is no number from 0 to {:g} 1/angstrom", text, kLargestMomentum));
  return *value;
}

/// The nearest number with ten decimals, so that 3 * 0.05 is 0.15.
double decimal(double x) { return std::round(x * 1e10) / 1e10; }

Eigen::VectorXd rangeOf(const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() != 3) throw UsageError("--q takes START:STOP:STEP, such as 0:25:0.05, not '" + text + "'");
  const double start = numberOf(parts[0]), stop = numberOf(parts[1]), step = numberOf(parts[2]);
  if (!(step > 0) || stop < start)
    throw UsageError("--q: '" + text + "' needs a step above 0 and STOP not below START");
  const double steps = std::floor((stop - start) / step * (1 + 1e-12) + 1e-9);
  if (!(steps < kMostMomenta)) throw UsageError(fmt::format("--q: more than {:g} momenta", kMostMomenta));
  Eigen::VectorXd q(static_cast<Eigen::Index>(steps) + 1);
  for (Eigen::Index i = 0; i < q.size(); ++i) q(i) = decimal(start + static_cast<double>(i) * step);
  return q;
}

std::vector<Species> neutralAtoms() {
  std::vector<Species> list;
  for (int z = 1; z <= kLastElement; ++z) list.push_back({symbolOf(z), z, 0, ""});
  return list;
}

std::vector<Species> speciesOf(const std::vector<std::string>& words) {
  std::vector<Species> list;
  for (const std::string& word : words) {
    if (lowerCase(word) == "all" || lowerCase(word) == "ions") {
      for (const Species& s : lowerCase(word) == "all" ? neutralAtoms() : usualIons()) list.push_back(s);
      continue;
    }
    try {
      list.push_back(parseSpecies(word));
    } catch (const Error& e) {
      throw UsageError(e.what());
    }
  }
  std::set<std::string> names;
  for (const Species& s : list) {
    if (!names.insert(s.name).second) throw UsageError("'" + s.name + "' is asked for twice");
  }
  return list;
}

ChargedShell parseShell(const std::string& text) {
  const auto parts = split(text, ',');
  const auto charge = parts.size() == 2 ? parseDouble(trimmed(parts[0])) : std::nullopt;
  const auto radius = parts.size() == 2 ? parseDouble(trimmed(parts[1])) : std::nullopt;
  if (!charge || !radius || !(std::abs(*charge) < 100) || !(*radius > 0 && *radius < 1000))
    throw UsageError("--watson takes CHARGE,RADIUS (e, bohr), such as 2,2.28, not '" + text + "'");
  return {*charge, *radius};
}

void readFit(const po::variables_map& values, FormfactorLine& line) {
  if (!values.count("fit")) {
    if (values.count("format")) throw UsageError("--format belongs to --fit");
    return;
  }
  try {
    line.form = fitFormNamed(values["fit"].as<std::string>());
  } catch (const Error& e) {
    throw UsageError(std::string("--fit: ") + e.what());
  }
  try {
    if (values.count("format")) line.format = fitFormatNamed(values["format"].as<std::string>());
  } catch (const Error& e) {
    throw UsageError(std::string("--format: ") + e.what());
  }
  if (line.format == FitFormat::Cif && !fitsCif(*line.form))
    throw UsageError("--format cif has names for four Gaussians; use --fit cromer-mann or doyle-turner");
  if (line.kind == FactorKind::Xray) return;
  for (const Species& s : line.species) {
    if (s.charge != 0)
      throw UsageError("--fit: the electron scattering factor of an ion (" + s.name +
                       ") grows without bound towards q = 0; fit X-ray form factors, or neutral atoms");
  }
}

/// Options that would be without effect.
void rejectContradictions(const FormfactorLine& line) {
  if (line.limit && !line.library.empty())
    throw UsageError("--library: a numerical limit has no basis set; leave it or --limit out");
  if (line.shells && line.kind == FactorKind::Electron)
    throw UsageError("--shells: spinors have X-ray form factors; leave it or --electron out");
  const bool written = !line.csvFile.empty() || !line.jsonFile.empty();
  if (!line.outFile.empty() && written && !line.form)
    throw UsageError("--out: with --csv or --json and without --fit nothing is printed; leave it out");
}

}  // namespace

Eigen::VectorXd parseMomenta(const std::string& text) {
  if (text.find(':') != std::string::npos) return rangeOf(text);
  std::vector<double> list;
  for (const std::string& part : split(text, ',')) list.push_back(numberOf(part));
  return Eigen::Map<Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
}

FormfactorLine parseFormfactorLine(const std::vector<std::string>& arguments) {
  const po::options_description options = formfactorOptions();
  const po::variables_map values = parseOptions(arguments, options, "species", "cudaprophet formfactor");
  FormfactorLine line;
  if (values.count("help")) {
    line.help = helpText(options);
    return line;
  }
  if (!values.count("species"))
    throw UsageError(
        "formfactor needs an atom or ion, such as Fe or Fe3+; 'cudaprophet formfactor --help' "
        "tells more");
  line.species = speciesOf(values["species"].as<std::vector<std::string>>());
  line.q = parseMomenta(values["q"].as<std::string>());
  if (values.count("electron")) line.kind = FactorKind::Electron;
  line.shells = values.count("shells") > 0;
  line.limit = values.count("limit") > 0;
  if (values.count("watson")) line.shell = parseShell(values["watson"].as<std::string>());
  if (values.count("quadrature")) line.transform = TransformMethod::Quadrature;
  line.nucleus = parseNuclearModel(values["nucleus"].as<std::string>());
  line.library = values["library"].as<std::string>();
  line.csvFile = line.files.output(values, "csv");
  line.jsonFile = line.files.output(values, "json");
  line.outFile = line.files.output(values, "out");
  line.threads = readThreads(values);
  readFit(values, line);
  rejectContradictions(line);
  return line;
}

}  // namespace prophet
