#include "matter/scattering/gaussian_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlopt.hpp>
#include <numeric>
#include <random>

#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"
#include "core/linalg/decompositions.hpp"

namespace prophet {
namespace {

constexpr int kSteps = 300;  // in the range of s, smaller ones where outer shells scatter
constexpr int kStarts = 12, kSeed = 1;
constexpr int kRefined = 2;  // starts that are refined
constexpr int kRounds = 30;  // of refinement
constexpr int kEvaluations = 400, kEvaluationsInRound = 60;
// b of the narrowest function times the square of the range, and ratios of neighbouring b: nearer to a
// constant, or to each other, functions would have coefficients that are huge and cancel.
constexpr double kFlattestGaussian = 0.18, kWidest = 2e3, kLeastRatio = 1.5, kLargestRatio = 300;
constexpr double kSmallestError = 1e-12;  // of the largest value: the fit is exact

/// Weighted least squares in a and c for given ln b.
class Projection {
 public:
  Projection(const FitForm& form, const Eigen::VectorXd& s, const Eigen::VectorXd& f,
             const Eigen::VectorXd& factor)
      : form_(form),
        square_(s.array().square()),
        f_(f),
        factor_(factor),
        weights_(Eigen::ArrayXd::Ones(s.size())),
        floor_(std::pow(kSmallestError * f.cwiseAbs().maxCoeff(), 2) + 1e-300) {}

  Eigen::ArrayXd& weights() { return weights_; }
  const Eigen::VectorXd& linear() const { return linear_; }
  const Eigen::ArrayXd& residual() const { return residual_; }

  /// ln of the weighted mean square error; fills a gradient that is not empty.
  double operator()(const std::vector<double>& logB, std::vector<double>& gradient) {
    const int n = form_.gaussians;
    Eigen::MatrixXd basis(f_.size(), n + (form_.constant ? 1 : 0));
    for (int i = 0; i < n; ++i) basis.col(i) = (-std::exp(logB[i]) * square_).exp();
    if (form_.constant) basis.rightCols(1).setOnes();
    if (factor_.size() > 0) basis = factor_.asDiagonal() * basis;
    const Eigen::VectorXd root = weights_.sqrt();
    linear_ = leastSquares(root.asDiagonal() * basis, root.cwiseProduct(f_));
    residual_ = f_ - basis * linear_;
    const double total = weights_.sum();
    const double mean = (weights_ * residual_.square()).sum() / total + floor_;
    if (!gradient.empty()) {
      // The linear parameters are optimal, so only the explicit dependence on b counts.
      for (int i = 0; i < n; ++i)
        gradient[i] = 2 * linear_(i) * std::exp(logB[i]) / (mean * total) *
                      (weights_ * residual_ * square_ * basis.col(i).array()).sum();
    }
    return std::log(mean);
  }

 private:
  const FitForm& form_;
  Eigen::ArrayXd square_;
  Eigen::VectorXd f_, factor_;
  Eigen::ArrayXd weights_;
  double floor_;
  Eigen::VectorXd linear_;
  Eigen::ArrayXd residual_;
};

/// Variables of the search: ln b of the narrowest function, and ln of the ratio of each b to the one before.
std::vector<double> variablesOf(std::vector<double> logB) {
  std::adjacent_difference(logB.begin(), logB.end(), logB.begin());
  return logB;
}
std::vector<double> logBOf(std::vector<double> variables) {
  std::partial_sum(variables.begin(), variables.end(), variables.begin());
  return variables;
}

double objective(const std::vector<double>& x, std::vector<double>& gradient, void* data) {
  const double value = (*static_cast<Projection*>(data))(logBOf(x), gradient);
  std::partial_sum(gradient.rbegin(), gradient.rend(), gradient.rbegin());
  return value;
}

/// Bounds of the variables.
struct Box {
  explicit Box(const FitForm& form)
      : lower(form.gaussians, std::log(kLeastRatio)), upper(form.gaussians, std::log(kLargestRatio)) {
    lower[0] = std::log(kFlattestGaussian / (form.largestS * form.largestS));
    upper[0] = std::log(kWidest);
  }
  std::vector<double> lower, upper;
};

/// Moves `x` to a minimum; returns its value.
double descend(const Box& box, Projection& projection, std::vector<double>& x, int evaluations) {
  nlopt::opt optimiser(nlopt::LD_SLSQP, static_cast<unsigned>(x.size()));
  optimiser.set_min_objective(objective, &projection);
  optimiser.set_lower_bounds(box.lower);
  optimiser.set_upper_bounds(box.upper);
  optimiser.set_ftol_abs(1e-9);
  optimiser.set_maxeval(evaluations);
  std::vector<double> none, found = x;
  const double start = objective(x, none, &projection);
  double value = start;
  try {
    optimiser.optimize(found, value);
    if (value < start) x = found;
  } catch (const std::runtime_error&) {
    // Rounding ends the search, and the start, which is then at worst a little higher, is kept.
  }
  return objective(x, none, &projection);
}

/// Starts that do not depend on the library's distributions: b spread over the range in ratios that vary.
std::vector<std::vector<double>> startsOf(const FitForm& form) {
  std::mt19937_64 random(kSeed);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  const Box box(form);
  std::vector<std::vector<double>> starts(kStarts);
  for (std::vector<double>& start : starts) {
    const double low = std::log(0.1) + (uniform() - 0.5) * 4, high = std::log(60.0) + (uniform() - 0.5) * 3;
    for (int i = 0; i < form.gaussians; ++i)
      start.push_back(low + (high - low) * (i + 0.6 * (uniform() - 0.5)) / std::max(1, form.gaussians - 1));
    start = variablesOf(start);
    for (int i = 0; i < form.gaussians; ++i) start[i] = std::clamp(start[i], box.lower[i], box.upper[i]);
  }
  return starts;
}

double rounded(double x) { return *parseDouble(fmt::format("{:.9g}", x)); }

void measure(const Eigen::VectorXd& s, const Eigen::VectorXd& f, const Eigen::VectorXd& factor,
             GaussianFit& fit) {
  double squares = 0;
  for (Eigen::Index i = 0; i < s.size(); ++i) {
    const double error = std::abs(f(i) - (factor.size() > 0 ? factor(i) : 1.0) * fit.at(s(i)));
    squares += error * error;
    if (error <= fit.largestError) continue;
    fit.largestError = error;
    fit.largestErrorAt = s(i);
  }
  fit.rmsError = std::sqrt(squares / static_cast<double>(s.size()));
}

GaussianFit fitOf(const FitForm& form, const std::vector<double>& logB, const Eigen::VectorXd& linear,
                  const Eigen::VectorXd& s, const Eigen::VectorXd& f, const Eigen::VectorXd& factor) {
  GaussianFit fit;
  for (int i = 0; i < form.gaussians; ++i) {
    fit.a.push_back(rounded(linear(i)));
    fit.b.push_back(rounded(std::exp(logB[i])));
  }
  if (form.constant) fit.c = rounded(linear(form.gaussians));
  measure(s, f, factor, fit);
  return fit;
}

/// Lawson's iteration towards the smallest largest error, from a least-squares fit.
GaussianFit refined(const FitForm& form, std::vector<double> x, const Eigen::VectorXd& s,
                    const Eigen::VectorXd& f, const Eigen::VectorXd& factor) {
  const Box box(form);
  Projection projection(form, s, f, factor);
  std::vector<double> none;
  projection(logBOf(x), none);
  GaussianFit best = fitOf(form, logBOf(x), projection.linear(), s, f, factor);
  for (int round = 0; round < kRounds; ++round) {
    const Eigen::ArrayXd error = projection.residual().abs();
    if (!(error.maxCoeff() > 0)) break;
    projection.weights() *= error / error.maxCoeff() + 1e-3;
    projection.weights() /= projection.weights().maxCoeff();
    descend(box, projection, x, kEvaluationsInRound);
    const GaussianFit fit = fitOf(form, logBOf(x), projection.linear(), s, f, factor);
    if (fit.largestError < best.largestError) best = fit;
  }
  return best;
}

}  // namespace

const std::vector<FitForm>& fitForms() {
  static const std::vector<FitForm> forms = {
      {"waasmaier-kirfel", 5, true, 6.0, "five Gaussians and a constant, s to 6 (Waasmaier and Kirfel 1995)"},
      {"cromer-mann", 4, true, 2.0, "four Gaussians and a constant, s to 2 (Cromer and Mann 1968)"},
      {"doyle-turner", 4, false, 2.0, "four Gaussians, s to 2 (Doyle and Turner 1968)"},
      {"peng", 5, false, 6.0, "five Gaussians, s to 6 (Peng, Ren, Dudarev and Whelan 1996)"}};
  return forms;
}

const FitForm& fitFormNamed(const std::string& name) {
  std::string list;
  for (const FitForm& form : fitForms()) {
    if (form.name == lowerCase(name)) return form;
    list += (list.empty() ? "" : ", ") + form.name;
  }
  throw Error(fmt::format("unknown form of a fit '{}'; available: {}", name, list));
}

double GaussianFit::at(double s) const {
  double f = c;
  for (std::size_t i = 0; i < a.size(); ++i) f += a[i] * std::exp(-b[i] * s * s);
  return f;
}

Eigen::VectorXd fitSamples(const FitForm& form) {
  return form.largestS * Eigen::ArrayXd::LinSpaced(kSteps + 1, 0, 1).pow(1.5);
}

GaussianFit fitGaussians(const FitForm& form, const Eigen::VectorXd& s, const Eigen::VectorXd& f,
                         const Eigen::VectorXd& factor) {
  if (s.size() != f.size() || s.size() < 2 * form.gaussians + (form.constant ? 1 : 0))
    throw Error("a fit needs as many values as momenta, and at least as many as it has parameters");
  if (!f.allFinite() || !s.allFinite()) throw Error("only finite values can be fitted");
  Projection projection(form, s, f, factor);
  std::vector<std::pair<double, std::vector<double>>> minima;
  for (std::vector<double>& start : startsOf(form)) {
    const double value = descend(Box(form), projection, start, kEvaluations);
    minima.emplace_back(value, start);
  }
  std::ranges::sort(minima);
  GaussianFit best;
  for (int i = 0; i < kRefined; ++i) {
    GaussianFit fit = refined(form, minima[i].second, s, f, factor);
    if (i == 0 || fit.largestError < best.largestError) best = std::move(fit);
  }
  return best;
}

namespace {

std::string number(double x) { return fmt::format("{:.9g}", x); }

const char* unitOf(const FitTable& table) { return table.electron ? "angstrom" : "electrons"; }

std::string whatOf(const FitTable& table) {
  return table.electron ? "electron scattering factors (Mott-Bethe, angstrom)"
                        : "X-ray form factors (electrons)";
}

std::string headOf(const FitTable& table, const std::string& comment) {
  return fmt::format(
      "{0}{1} of free atoms and ions, Dirac-Hartree-Fock; {2}\n"
      "{0}fit: {3}\n"
      "{0}sum a_i exp(-b_i s^2){4}, s = sin(theta)/lambda from 0 to {5:g} 1/angstrom, b in angstrom^2\n",
      comment, whatOf(table), table.program, table.form->description, table.form->constant ? " + c" : "",
      table.form->largestS);
}

std::string errorsOf(const FitTable& table, const GaussianFit& fit) {
  return fmt::format("largest error {:.2e} at s = {:.2f}, rms {:.2e} {}", fit.largestError,
                     fit.largestErrorAt, fit.rmsError, unitOf(table));
}

/// What a reader must know of a species beside its parameters, a comment each.
std::string notesOf(const SpeciesFactors& s, const std::string& comment) {
  if (!s.fit) return fmt::format("{}{}: no fit: {}\n", comment, s.species.name, s.reason);
  if (s.status == Status::Converged) return "";
  return fmt::format("{}{}: NOT BOUND: {}\n", comment, s.species.name, s.reason);
}

std::string asText(const FitTable& table) {
  std::string text = headOf(table, "# ");
  for (const SpeciesFactors& s : table.species) {
    text += notesOf(s, "# ");
    if (!s.fit) continue;
    text += fmt::format("\n{} ({}): {}\n", s.species.name, s.configuration, errorsOf(table, *s.fit));
    for (std::size_t i = 0; i < s.fit->a.size(); ++i)
      text += fmt::format("  a{0} {1:>16} b{0} {2:>16}\n", i + 1, number(s.fit->a[i]), number(s.fit->b[i]));
    if (table.form->constant) text += fmt::format("  c  {:>16}\n", number(s.fit->c));
  }
  return text;
}

std::string asCsv(const FitTable& table) {
  std::string text = headOf(table, "# "), names = "species,Z,charge,configuration";
  for (int i = 1; i <= table.form->gaussians; ++i) names += fmt::format(",a{0},b{0}", i);
  names += ",c,largest_error,largest_error_at,rms_error\n";
  std::string rows;
  for (const SpeciesFactors& s : table.species) {
    text += notesOf(s, "# ");
    if (!s.fit) continue;
    rows += fmt::format("{},{},{},{}", csvField(s.species.name), s.species.z, s.species.charge,
                        csvField(s.configuration));
    for (std::size_t i = 0; i < s.fit->a.size(); ++i)
      rows += "," + number(s.fit->a[i]) + "," + number(s.fit->b[i]);
    rows += fmt::format(",{},{:.3e},{:g},{:.3e}\n", number(s.fit->c), s.fit->largestError,
                        s.fit->largestErrorAt, s.fit->rmsError);
  }
  return text + names + rows;
}

std::string asCif(const FitTable& table) {
  std::string text = headOf(table, "# "), rows;
  for (const SpeciesFactors& s : table.species) {
    text += notesOf(s, "# ");
    if (!s.fit) continue;
    text += fmt::format("# {} ({}): {}\n", s.species.name, s.configuration, errorsOf(table, *s.fit));
    rows += fmt::format("'{}'", s.species.name);
    for (std::size_t i = 0; i < s.fit->a.size(); ++i)
      rows += " " + number(s.fit->a[i]) + " " + number(s.fit->b[i]);
    rows += fmt::format(" {} '{}'\n", number(s.fit->c), table.program);
  }
  text += "data_scattering_factors\nloop_\n_atom_type_symbol\n";
  for (int i = 1; i <= table.form->gaussians; ++i)
    text += fmt::format("_atom_type_scat_Cromer_Mann_a{0}\n_atom_type_scat_Cromer_Mann_b{0}\n", i);
  return text + "_atom_type_scat_Cromer_Mann_c\n_atom_type_scat_source\n" + rows;
}

std::string asDabax(const FitTable& table) {
  std::string text =
      fmt::format("#F f0_{}.dat\n", table.form->name) + headOf(table, "#UC ") + "#UC a1 ... c b1 ...\n";
  for (const SpeciesFactors& s : table.species) text += notesOf(s, "#UC ");
  for (const SpeciesFactors& s : table.species) {
    if (!s.fit) continue;
    const int gaussians = table.form->gaussians;
    std::string labels, values;
    for (int i = 0; i < gaussians; ++i) {
      labels += fmt::format("  a{}", i + 1);
      values += " " + number(s.fit->a[i]);
    }
    labels += "  c";
    values += " " + number(s.fit->c);
    for (int i = 0; i < gaussians; ++i) {
      labels += fmt::format("  b{}", i + 1);
      values += " " + number(s.fit->b[i]);
    }
    text += fmt::format("\n#S  {}  {}\n#UC {}\n#N {}\n#L{}\n{}\n", s.species.z, s.species.name,
                        errorsOf(table, *s.fit), 2 * gaussians + 1, labels, values);
  }
  return text;
}

}  // namespace

bool fitsCif(const FitForm& form) { return form.gaussians == 4; }

std::string fitsText(const FitTable& table, FitFormat format) {
  if (!table.form) throw Error("the table has no fits");
  if (format == FitFormat::Cif && !fitsCif(*table.form))
    throw Error(
        fmt::format("CIF has names for four Gaussians and a constant only, not for {}; fit with "
                    "cromer-mann or doyle-turner",
                    table.form->name));
  switch (format) {
    case FitFormat::Text:
      return asText(table);
    case FitFormat::Csv:
      return asCsv(table);
    case FitFormat::Cif:
      return asCif(table);
    case FitFormat::Dabax:
      break;
  }
  return asDabax(table);
}

}  // namespace prophet
