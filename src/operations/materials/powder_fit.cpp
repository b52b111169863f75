#include "operations/materials/powder_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr double kStrongCorrelation = 0.95;

PatternParameter parameterNamed(const std::string& name) {
  const auto& names = patternParameterNames();
  const auto found = std::find(names.begin(), names.end(), lowerCase(trimmed(name)));
  if (found == names.end())
    throw Error(fmt::format("there is no parameter '{}'; expected {}", trimmed(name),
                            enumerate({names.begin(), names.end()})));
  return static_cast<PatternParameter>(found - names.begin());
}

const FittedPatternParameter& scaleOf(const PatternFit& fit, std::size_t component) {
  return fit.parameters[kPatternParameters + component];
}

Table parameterTable(const PatternFit& fit) {
  using P = const FittedPatternParameter&;
  return {"parameters",
          {columnOf(fit.parameters,
                    {"parameter", "", "`lattice`, `b`, `zero`, `u`, `v`, `w`, `scale`, `background0`, ..."},
                    [](P p) { return p.name; }),
           columnOf(fit.parameters, {"value", "1", "value in the unit beside it", "{:.6g}"},
                    [](P p) { return p.value; }),
           columnOf(
               fit.parameters,
               {"standard_error", "1",
                "standard error; null for fixed parameters, for a scale of 0, and where the pattern does not "
                "determine it",
                "{:.2g}"},
               [](P p) { return p.error; }),
           columnOf(fit.parameters, {"unit", "", "unit"},
                    [](P p) { return p.unit == "1" ? std::string() : p.unit; }),
           columnOf(fit.parameters, {"refined", "", "`yes` or `no`"},
                    [](P p) { return std::string(p.refined ? "yes" : "no"); })},
          Table::Layout::Rows,
          60};
}

/// What part of the atoms each component has.
Table mixtureTable(const std::vector<PatternComponent>& components, const PatternFit& fit) {
  struct Row {
    std::string name;
    double atoms, scale, error, fraction;
  };
  std::vector<Row> rows;
  double all = 0;
  for (std::size_t c = 0; c < components.size(); ++c) {
    const FittedPatternParameter& scale = scaleOf(fit, c);
    const auto atoms = static_cast<double>(components[c].atoms);
    rows.push_back({components[c].name, atoms, scale.value, scale.error, scale.value * atoms});
    all += scale.value * atoms;
  }
  for (Row& r : rows) r.fraction = all > 0 ? r.fraction / all : 0;
  using R = const Row&;
  return {
      "mixture",
      {columnOf(rows, {"structure", "", "name of the file"}, [](R r) { return r.name; }),
       columnOf(rows, {"particle_atoms", "1", "number of atoms of a particle"},
                [](R r) { return static_cast<int>(r.atoms); }),
       columnOf(rows, {"scale", "1", "scale: particles, in units of what one of them scatters", "{:.4g}"},
                [](R r) { return r.scale; }),
       columnOf(rows, {"standard_error", "1", "standard error of the scale", "{:.2g}"},
                [](R r) { return r.error; }),
       columnOf(rows,
                {"atom_fraction", "1", "fraction of all atoms that are in particles of this kind", "{:.4f}"},
                [](R r) { return r.fraction; })},
      Table::Layout::Rows};
}

void addMerits(bool hasErrors, const PatternFit& fit, Record& record) {
  const auto add = [&](const char* key, const char* label, double value, bool known, const char* shown) {
    known = known && std::isfinite(value);
    record.quantities.push_back({key, label, known ? Json(value) : Json(),
                                 known ? fmt::format(fmt::runtime(shown), value) : "",
                                 Quantity::Place::Result});
  };
  record.quantities.push_back({"points", "points", fit.points, fmt::format("{}", fit.points)});
  add("r_wp", "R_wp", fit.rWeighted, true, "{:.4f}");
  add("r_wp_without_background", "R_wp without background", fit.rWithoutBackground, true, "{:.4f}");
  add("r_exp", "R_exp", fit.rExpected, hasErrors, "{:.4f}");
  add("chi_squared", "reduced chi^2", fit.chiSquared, hasErrors, "{:.4g}");
  record.quantities.push_back({"converged", "", fit.converged});
  record.quantities.push_back({"free_parameters", "", fit.free});
  Json correlation = Json::array();
  for (const auto& row : fit.correlation.rowwise())
    correlation.push_back(std::vector<double>(row.begin(), row.end()));
  record.quantities.push_back({"correlation", "", std::move(correlation)});
}

void addFitWarnings(const PatternFit& fit, Record& record) {
  if (!fit.undetermined.empty())
    record.warn("undetermined", fmt::format("the pattern does not determine {}: other values with other "
                                            "values of the remaining parameters fit as well",
                                            fmt::join(fit.undetermined, ", ")));
  for (Eigen::Index i = 0; i < fit.correlation.rows(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
      const std::string &one = fit.free[static_cast<std::size_t>(j)],
                        &other = fit.free[static_cast<std::size_t>(i)];
      const bool ofBackground = one.starts_with("background") && other.starts_with("background");
      if (!ofBackground && std::abs(fit.correlation(i, j)) > kStrongCorrelation)
        record.warn("correlated", fmt::format("{} and {} have a correlation of {:.3f}: the pattern hardly "
                                              "tells one from the other",
                                              one, other, fit.correlation(i, j)));
    }
  for (const std::string& name : fit.atLimit)
    record.warn("at_limit", name + " has reached the end of its range; it is not a result");
  if (fit.withoutWidth > 0)
    record.warn("negative_width", fmt::format("u, v and w give a negative square of the width at {} of {} "
                                              "points, which are not broadened: the structure is broader "
                                              "there than the pattern; take larger particles",
                                              fit.withoutWidth, fit.points));
  if (fit.converged) return;
  record.outcome = Outcome::NotConverged;
  record.reason =
      "the search for the parameters did not converge; begin nearer to the answer with start, or "
      "refine fewer of them";
}

}  // namespace

std::vector<PatternParameter> refinedOf(const Json& names) {
  std::vector<PatternParameter> list;
  bool none = false;
  for (const Json& words : names)
    for (const std::string& word : split(words.get<std::string>(), ',')) {
      if (lowerCase(trimmed(word)) == "none") {
        none = true;
        continue;
      }
      const PatternParameter which = parameterNamed(word);
      if (std::count(list.begin(), list.end(), which) > 0) throw Error("names " + trimmed(word) + " twice");
      list.push_back(which);
    }
  if (none && !list.empty()) throw Error("names none beside other parameters");
  return list;
}

PatternParameters startOf(const Json& values) {
  PatternParameters p = idealPattern();
  for (const auto& [name, value] : values.items()) p(parameterNamed(name)) = value.get<double>();
  if (!(std::abs(p(kLattice) - 1) < kLargestStrain))
    throw Error(fmt::format("found lattice={:g}; expected {:g} to {:g}", p(kLattice), 1 - kLargestStrain,
                            1 + kLargestStrain));
  if (!(std::abs(p(kB)) <= kLargestBFactor) || !(std::abs(p(kZero)) <= 1))
    throw Error("b or zero is too large; expected zero between -1 and 1, and a Debye-Waller factor");
  return p;
}

void requireFit(const PowderFitRequest& request, double wavelength) {
  if (request.against.empty() || wavelength > 0) return;
  if (request.axis == PatternAxis::TwoTheta)
    throw SettingError("wavelength", "is missing; angles 2 theta need it");
  if (request.polarisation != Polarisation::None)
    throw SettingError("wavelength", "is missing; the polarisation factor needs it");
  if (request.absorption > 0) throw SettingError("wavelength", "is missing; the absorption factor needs it");
}

PatternFitOptions fitOptions(const PowderFitRequest& request, double wavelength,
                             const std::map<std::string, double>& bFactors, const Checkpoint& checkpoint) {
  PatternFitOptions o;
  o.axis = request.axis;
  o.wavelength = wavelength;
  o.polarisation = request.polarisation;
  o.monochromator = request.monochromator;
  o.absorption = request.absorption;
  o.background = request.background;
  o.start = request.start;
  o.refined = request.refined;
  o.bFactors = bFactors;
  o.checkpoint = checkpoint;
  return o;
}

std::vector<Table> patternFitTables(double wavelength, const MeasuredPattern& m,
                                    const std::vector<PatternComponent>& components, const PatternFit& fit) {
  Table table{
      "columns", {{"q", "1/angstrom", fit.q, "momentum transfers"}}, Table::Layout::Top, 0, "against"};
  const auto add = [&](const char* key, const char* unit, Eigen::VectorXd values, const char* meaning) {
    table.columns.push_back({key, unit, std::move(values), meaning});
  };
  if (wavelength > 0) add("two_theta", "degree", twoTheta(fit.q, wavelength), "scattering angles");
  add("measured", "1", m.intensity, "measured intensities");
  add("computed", "1", fit.computed,
      "computed intensities on the scale of the measured ones, with the background");
  add("background", "1", fit.background, "polynomial background");
  add("difference", "1", m.intensity - fit.computed, "measured less computed intensities");
  add("sigma", "1", m.sigma, "standard deviations of the measured intensities");
  return {std::move(table), parameterTable(fit), mixtureTable(components, fit)};
}

MeasuredPattern measuredOf(const PowderFitRequest& request) {
  return ofSetting("against", [&] {
    MeasuredPattern m = readMeasuredPattern(request.against, request.from, request.to);
    requireAxis(m, request.axis == PatternAxis::Q);
    if (m.sigma.size() == 0)
      m.sigma = request.equalWeights ? Eigen::VectorXd::Ones(m.x.size()) : sigmaOfCounts(m.intensity);
    return m;
  });
}

void addPatternFit(const PowderFitRequest& request, double wavelength, const MeasuredPattern& measured,
                   const std::vector<PatternComponent>& components, const PatternFit& fit, Record& record) {
  record.quantities.push_back({"against", "against", request.against, request.against});
  const std::string axis = request.axis == PatternAxis::Q ? "q" : "two_theta";
  record.quantities.push_back({"axis", "axis", axis, axis});
  addMerits(!request.equalWeights || (measured.sigma.array() != 1).any(), fit, record);
  record.tables = patternFitTables(wavelength, measured, components, fit);
  addFitWarnings(fit, record);
}

}  // namespace prophet
