#include <fmt/format.h>

#include <cmath>

#include "atoms/atom/default_configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/atom/shell_list.hpp"
#include "atoms/atom/species.hpp"
#include "atoms/calculation/compute.hpp"
#include "atoms/functional/functional.hpp"
#include "core/common/constants.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/text.hpp"
#include "core/common/version.hpp"
#include "core/ranks/for_many.hpp"
#include "matter/scattering/form_factor.hpp"
#include "matter/scattering/gaussian_fit.hpp"
#include "matter/structure/structure.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/setting_values.hpp"
#include "operations/jobs/resolve.hpp"
#include "operations/materials/many_atoms.hpp"
#include "operations/materials/species_settings.hpp"
#include "operations/materials/species_words.hpp"

namespace prophet {
namespace {

struct FormfactorRequest : SpeciesSettings {
  Eigen::VectorXd q = 0.5 * Eigen::VectorXd::LinSpaced(51, 0, 50);  ///< 1/angstrom
  bool electron = false, shells = false, quadrature = false;
  ChargedShell shell;  ///< around the ions that it stands for a crystal of: shellAround
  std::string functional;
  std::optional<FitForm> form;
  FitFormat format = FitFormat::Text;

  TransformMethod transform() const {
    return quadrature ? TransformMethod::Quadrature : TransformMethod::Automatic;
  }
};

/// "2,2.28" or [2, 2.28].
ChargedShell shellOf(const Json& value) {
  Setting numbers;
  numbers.type = ValueType::Numbers;
  const Json list = typedValue(numbers, value);
  const auto fits = [&] {
    return list.size() == 2 && std::abs(list[0].get<double>()) < 100 && list[1] > 0 && list[1] < 1000;
  };
  if (!fits()) throw Error("found " + value.dump() + "; expected CHARGE,RADIUS (e, bohr), such as 2,2.28");
  return {list[0], list[1]};
}

void checkFit(const FormfactorRequest& r) {
  if (!r.form) return;
  if (r.format == FitFormat::Cif && !fitsCif(*r.form))
    throw SettingError("format", "CIF has names for four Gaussians; fit cromer-mann or doyle-turner");
  for (const Species& s : r.species)
    if (r.electron && (s.charge != 0 || !r.holes.empty()))
      throw SettingError("fit",
                         "the electron scattering factor of an ion (" + s.name +
                             ") grows without bound towards q = 0; fit X-ray form factors, or neutral atoms");
}

RequestTable<FormfactorRequest> formfactorTable() {
  using R = FormfactorRequest;
  RequestTable<R> t;
  addSpeciesRow(t).asWord().mustBeGiven();
  t.add("q", &R::q, "momentum transfers q = 4 pi sin(theta)/lambda")
      .often()
      .in("1/angstrom")
      .from(0, kLargestMomentum)
      .byDefault("0:25:0.5");
  t.add("electron", &R::electron,
        "electron scattering factors (Mott-Bethe, angstrom) instead of X-ray form factors (electrons)")
      .often();
  t.add("shells", &R::shells, "also write the part of every spinor").notWith({"electron"});
  std::vector<std::string> forms;
  for (const FitForm& form : fitForms()) forms.push_back(form.name);
  t.add("fit", ValueType::Text,
        "fit this form (5 Gaussians and a constant, s = sin theta/lambda to 6; 4 and a constant, to 2; 4, to "
        "2; 5, to "
        "6) and print the parameters",
        [](R& r, const Json& v) { r.form = fitFormNamed(v); })
      .oneOf(forms)
      .often();
  t.add("format", &R::format,
        Names<FitFormat>{{"text", FitFormat::Text},
                         {"csv", FitFormat::Csv},
                         {"cif", FitFormat::Cif},
                         {"dabax", FitFormat::Dabax}},
        "format of the fits")
      .often()
      .onlyWith({"fit"});
  t.add("watson", ValueType::Any,
        "a charged shell (e, bohr) around the ions that stands for their crystal: O2- in MgO is bound with "
        "2,2.2778; in a list, around the ions of the opposite charge",
        [](R& r, const Json& v) { r.shell = shellOf(v); })
      .called("CHARGE,RADIUS")
      .often();
  addSpeciesMethod(t, "use numerical limits instead of basis sets");
  t.add("quadrature", &R::quadrature,
        "integrate the density numerically, as a check of the closed form (limits always are)");
  t.add("functional", ValueType::Text,
        "Kohn-Sham densities of this functional: lda, rlda, pbe, pbe0, pbesol, ..., or names of libxc joined "
        "by +",
        [](R& r, const Json& v) { r.functional = Functional(v, constants::kSpeedOfLight).name(); })
      .called("NAME")
      .often()
      .byDefault("exact exchange");
  t.afterwards([](const R& r) {
    checkMoves(r);
    checkFit(r);
  });
  return t;
}

/// The shell of a list holds those of its ions whose charge it has with the opposite sign, as that of O2- in
/// an oxide does not stand around the metal; every species, where none is such an ion.
bool hasShell(const FormfactorRequest& request, const Species& species) {
  const auto isHeld = [&](const Species& s) { return s.charge * request.shell.charge < 0; };
  return request.shell.any() && (isHeld(species) || std::ranges::none_of(request.species, isHeld));
}

Calculation calculationOf(const FormfactorRequest& request, const Species& species,
                          const Execution& execution) {
  Job job = jobOf(request, species, request.limit, execution.basisSets);
  if (hasShell(request, species)) job.hamiltonian.shell = request.shell;
  job.hamiltonian.functional = request.functional;
  return resolve(job).calculation;
}

Eigen::VectorXd factors(const FormfactorRequest& request, int z, const Result& result,
                        const Eigen::VectorXd& q) {
  return request.electron ? electronScatteringFactor(result, z, q, request.transform())
                          : formFactor(result, q, request.transform());
}

void compute(const FormfactorRequest& request, const Execution& execution, SpeciesFactors& out) {
  Calculation calculation = calculationOf(request, out.species, execution);
  out.configuration = calculation.problem.configuration.description;
  out.nucleus = calculation.problem.nucleus.description();
  if (!request.limit) {
    calculation.inBasis().keepSpinors = true;
    out.basis = calculation.inBasis().basis.description;
  }
  const Result result = prophet::compute(calculation, {1, nullptr, execution.checkpoint});
  out.status = result.status;
  out.reason = result.reason;
  if (result.status != Status::Converged && result.status != Status::Unbound) return;
  out.values = factors(request, out.species.z, result, request.q);
  if (request.shells) {
    for (const Spinor& s : result.spinors) out.spinorNames.push_back(s.label());
    out.spinors = spinorFormFactors(result, request.q, request.transform());
  }
  if (request.form) {
    const Eigen::VectorXd s = fitSamples(*request.form);
    const double fourPi = 4 * constants::kPi;
    out.fit = fitGaussians(*request.form, s, factors(request, out.species.z, result, fourPi * s));
  }
}

std::vector<SpeciesFactors> computeAll(const FormfactorRequest& request, const Execution& execution) {
  std::vector<SpeciesFactors> all(request.species.size());
  const auto one = [&](int i) {
    SpeciesFactors& s = all[static_cast<std::size_t>(i)];
    s.species = request.species[static_cast<std::size_t>(i)];
    s.configuration = s.species.configuration;
    try {
      s.species = withMoves(s.species, request.holes, request.promotions);
      compute(request, execution, s);
    } catch (const Error& e) {  // one species must not spoil the others
      s.status = Status::Failed;
      s.reason = e.what();
    }
  };
  std::size_t finished = 0;
  forMany(static_cast<int>(all.size()), execution.threadsOrAll(), one, [&](int) {
    execution.show({"species", ++finished, all.size()});
  });
  return all;
}

Json numbers(const Eigen::VectorXd& values) {
  Json list = Json::array();
  for (const double x : values) list.push_back(std::isfinite(x) ? Json(x) : Json());
  return list;
}

Json fitJson(const FitForm& form, const GaussianFit& fit) {
  Json j{{"form", form.name}, {"a", fit.a}, {"b", fit.b}};
  if (form.constant) j["c"] = fit.c;
  j["largest_s"] = form.largestS;
  j["largest_error"] = fit.largestError;
  j["largest_error_at"] = fit.largestErrorAt;
  j["rms_error"] = fit.rmsError;
  return j;
}

Json speciesJson(const FormfactorRequest& request, const SpeciesFactors& s) {
  Json j{{"name", s.species.name},           {"Z", s.species.z},     {"charge", s.species.charge},
         {"configuration", s.configuration}, {"nucleus", s.nucleus}, {"basis", s.basis},
         {"status", nameOf(s.status)}};
  if (!s.reason.empty()) j["reason"] = s.reason;
  if (s.values.size() > 0) j[request.electron ? "f_electron" : "f"] = numbers(s.values);
  for (std::size_t i = 0; i < s.spinorNames.size(); ++i)
    j["spinors"][s.spinorNames[i]] = numbers(s.spinors.col(static_cast<Eigen::Index>(i)));
  if (s.fit) j["fit"] = fitJson(*request.form, *s.fit);
  return j;
}

/// What is not to be trusted. `named`: the species before holes and promotions.
void judge(const SpeciesFactors& s, const Species& named, bool isChanged, Record& record) {
  if (const std::string remark = named.remark(); !remark.empty())
    record.warn("charge_from_configuration", remark);
  if (const std::string remark =
          s.species.configuration.empty() || isChanged ? "" : emptyInnerShells(named.configuration);
      !remark.empty())
    record.warn("empty_inner_shell", s.species.name + ": " + remark);
  if (s.status == Status::Converged) return;
  record.outcome = Outcome::NotConverged;
  const bool unbound = s.status == Status::Unbound;
  record.warn(unbound ? "unbound" : "no_values",
              unbound ? fmt::format("{} is not bound as a free ion; its values depend on the basis set and "
                                    "do not describe an ion in a crystal, which watson= holds in a charged "
                                    "shell: {}",
                                    s.species.name, s.reason)
                      : fmt::format("{} has no values: {}", s.species.name, s.reason));
  record.quantities.push_back({"", s.species.name, {}, (unbound ? "NOT BOUND: " : "NO VALUES: ") + s.reason});
}

Column momentumColumn(const Eigen::VectorXd& q) {
  return {"q", "1/angstrom", q, "momentum transfers", "{:.6g}"};
}
Column factorColumn(const std::string& name, const std::string& unit, const Eigen::VectorXd& values) {
  return {name, unit, values, "form factor of this species or spinor at each q", "{:.6f}"};
}

std::string resultText(const FormfactorRequest& request, std::size_t species) {
  const Eigen::VectorXd& q = request.q;
  return fmt::format("{} of {} species at {} q from {:g} to {:g} 1/angstrom",
                     request.electron ? "scattering factors" : "form factors", species, q.size(),
                     q.minCoeff(), q.maxCoeff());
}

/// docs/how-to/form-factors.md has the comparison with numerical limits.
std::string accuracyText(const FormfactorRequest& request) {
  return fmt::format(
      "free atoms and ions, without correlation and dispersion{}",
      request.limit ? "; at the numerical limit" : "; errors of the basis set up to 5e-4 electrons");
}

Record formfactor(const FormfactorRequest& request, const Execution& execution) {
  const Stopwatch watch;
  const std::vector<SpeciesFactors> all = computeAll(request, execution);
  Record record;
  const std::string unit = request.electron ? "angstrom" : "electrons";
  record.title = request.electron ? "electron scattering factors (Mott-Bethe), angstrom"
                                  : "X-ray form factors f(q), electrons";
  if (!request.functional.empty()) record.title += "; Kohn-Sham, " + request.functional;
  record.title += "; q = 4 pi sin(theta)/lambda, 1/angstrom";
  record.device = "CPU";
  record.printsTable = !request.form;
  record.quantities = {{"kind", "", request.electron ? "electron" : "x-ray"},
                       {"unit", "", unit},
                       {"q_unit", "", "1/angstrom"},
                       {"q", "", numbers(request.q)},
                       {"species", "", Json::array()},
                       {"", "result", {}, resultText(request, all.size()), Quantity::Place::Result},
                       {"", "accuracy", {}, accuracyText(request), Quantity::Place::Accuracy}};
  Table table{"factors", {momentumColumn(request.q)}};
  for (std::size_t n = 0; n < all.size(); ++n) {
    const SpeciesFactors& s = all[n];
    record.quantities[4].value.push_back(speciesJson(request, s));
    record.quantities.push_back(
        {"",
         s.species.name,
         {},
         s.configuration + (hasShell(request, s.species)
                                ? fmt::format(", in a shell of {:g} e at {:g} bohr", request.shell.charge,
                                              request.shell.radius)
                                : "")});
    judge(s, request.species[n], !(request.holes + request.promotions).empty(), record);
    if (s.values.size() == 0) continue;
    table.columns.push_back(factorColumn(s.species.name, unit, s.values));
    for (std::size_t i = 0; i < s.spinorNames.size(); ++i)
      table.columns.push_back(factorColumn(s.species.name + " " + s.spinorNames[i], unit,
                                           s.spinors.col(static_cast<Eigen::Index>(i))));
  }
  record.tables.push_back(std::move(table));
  record.report =
      request.form ? fitsText({fmt::format("cudaprophet {}", kVersion), request.electron, request.form, all},
                              request.format)
                   : recordColumns(record);
  record.seconds = watch.seconds();
  return record;
}

}  // namespace

Operation formfactorOperation() {
  Operation o;
  o.name = "formfactor";
  o.summary = "X-ray and electron scattering factors of atoms and ions, and fits of them";
  o.description =
      "Scattering factors of free atoms and ions. SPECIES: Fe, 26, Fe3+, O2-, 'Fe2+ [Ar] 3d6', all (the "
      "neutral atoms 1-118), ions (those of the International Tables). Ions that are given by their charge "
      "alone have the configuration of experiment if it is known, otherwise one by rule. If a species is not "
      "bound (O2-) or did not converge, the exit status is 3, and a warning names it.";
  o.example = "formfactor SPECIES... --q START:STOP:STEP";
  o.examples = {"formfactor Fe Fe3+ --q 0:25:0.5 -o f.csv", "formfactor Fe2+ --fit cromer-mann --format cif",
                "formfactor O2- --watson 2,2.2778"};
  o.tables = [] {
    return std::vector<Table>{
        {"factors", {momentumColumn({}), factorColumn("SPECIES", "electrons or angstrom", {})}}};
  };
  o.prints = "the table, or the fits,";
  o.printsWith = "fit";
  return operationOf(std::move(o), formfactorTable(), formfactor);
}

}  // namespace prophet
