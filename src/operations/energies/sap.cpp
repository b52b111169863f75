#include <fmt/format.h>

#include "atoms/atom/elements.hpp"
#include "atoms/calculation/compute.hpp"
#include "atoms/functional/functional.hpp"
#include "atoms/properties/screening_fit.hpp"
#include "bases/formats/exchange_formats.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/text.hpp"
#include "core/common/version.hpp"
#include "core/ranks/for_many.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/setting_values.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {
namespace {

struct SapRequest {
  std::vector<int> elements;
  std::string functional = "lda_x", format = "json", out;
  OneElectronOperator hamiltonian = OneElectronOperator::Dirac;
  NuclearModel nucleus = NuclearModel::Gaussian;
  double ratio = 2;
  bool ofFunctional = false;  ///< whether the density is that of the functional's own field
};

/// The fit of an element, or why there is none.
struct FittedElement {
  int z = 0;
  std::string configuration, failure;
  ScreeningFit fit;
};

/// Its canonical name. Throws Error for a functional whose potential is no function of r.
std::string withLocalPotential(const std::string& name) {
  const Functional functional(name, constants::kSpeedOfLight);
  if (functional.exactExchange() == 0 && !functional.needsKinetic()) return functional.name();
  throw Error(
      fmt::format("found {}, whose potential is no function of r: neither hybrids nor meta-GGAs have "
                  "one to fit; expected a functional such as lda_x, lda or pbe",
                  name));
}

RequestTable<SapRequest> sapTable() {
  using R = SapRequest;
  RequestTable<R> t;
  addElementsRow(t, "symbols or charges, 'Rn', '86', '1-10,18'", "ELEMENTS").asWord().mustBeGiven();
  t.add("functional", ValueType::Text,
        "density functional of the potential, of the density and its gradient: no hybrid, no meta-GGA (names "
        "as of the keyword functional)",
        [](R& r, const Json& v) { r.functional = withLocalPotential(v); })
      .called("NAME")
      .byDefault("lda_x");
  t.add("density", &R::ofFunctional, Names<bool>{{"hartree-fock", false}, {"functional", true}},
        "whose density the potential is made of: that of the exact exchange, or the functional's own");
  t.add("hamiltonian", &R::hamiltonian,
        Names<OneElectronOperator>{{"dirac", OneElectronOperator::Dirac},
                                   {"nonrel", OneElectronOperator::Nonrelativistic}},
        "Hamiltonian of the atoms");
  t.add("nucleus", &R::nucleus, wordsOf<NuclearModel>(), "nuclear model of the atoms");
  t.add("ratio", &R::ratio, "of neighbouring exponents: smaller for smaller errors and more functions")
      .from(1.3, 4)
      .byDefault("2");
  t.add("format", &R::format, "format to write; json is that of the Basis Set Exchange")
      .oneOf(exchangeFormatNames())
      .byDefault("json");
  t.add("out", &R::out, "write the fits to this file")
      .called("FILE")
      .alias("o")
      .alias("output")
      .isFile(FileUse::Write);
  return t;
}

Calculation calculationOf(const SapRequest& request, int z, const Execution& execution) {
  Json values = {{"atom", z},
                 {"nucleus", lowerCase(nameOf(request.nucleus))},
                 {"hamiltonian", nameOf(request.hamiltonian)}};
  if (request.ofFunctional) values["functional"] = request.functional;
  Job job = jobOfValues(JobType::Limit, values);
  job.basisSets = execution.basisSets;
  return resolve(job).calculation;
}

void fitElement(const SapRequest& request, const Execution& execution, FittedElement& element) {
  Calculation calculation = calculationOf(request, element.z, execution);
  element.configuration = calculation.problem.configuration.description;
  const Result result = compute(calculation, {1, nullptr, execution.checkpoint});
  if (!result.ok()) {
    element.failure = result.reason;
    return;
  }
  calculation.problem.hamiltonian.functional = request.functional;
  element.fit = fitScreening(calculation.problem, result, request.ratio);
}

std::vector<FittedElement> fitAll(const SapRequest& request, const Execution& execution) {
  std::vector<FittedElement> all(request.elements.size());
  // Heavy atoms take longest and begin first.
  const auto one = [&](int i) {
    const std::size_t place = all.size() - 1 - static_cast<std::size_t>(i);
    FittedElement& element = all[place];
    element.z = request.elements[place];
    try {
      fitElement(request, execution, element);
    } catch (const Error& e) {  // one element must not spoil the others
      element.failure = e.what();
    }
  };
  std::size_t finished = 0;
  forMany(static_cast<int>(all.size()), execution.threadsOrAll(), one, [&](int) {
    execution.show({"elements", ++finished, all.size()});
  });
  return all;
}

/// As the Exchange has such fits: one contracted s function whose coefficients, of Gaussian charges of unit
/// size, add up to the charge of the electrons.
ElementBasis setOf(const SapRequest& request, const FittedElement& element) {
  const ScreeningFit& fit = element.fit;
  ElementBasis set;
  set.z = element.z;
  set.name = "sap_prophet_" + lowerCase(request.functional);
  set.reference = fmt::format(
      "CUDAProphet {}: effective potential of {} at the numerical limit, functional {} of "
      "the {} density, {}, {} nucleus",
      kVersion, element.configuration, request.functional,
      request.ofFunctional ? "functional's own" : "Hartree-Fock", nameOf(request.hamiltonian),
      nameOf(request.nucleus));
  set.date = timeNow();
  set.notes.push_back(fmt::format("r V to {:.1e} (rms {:.1e}), energies to {:.1e} hartree ({})",
                                  fit.largestError, fit.rmsError, std::abs(fit.largestEnergyError),
                                  fit.spinor));
  ContractedShell shell{0, {fit.exponents.begin(), fit.exponents.end()}, {{}}, "guess"};
  for (const double c : fit.coefficients) shell.functions.front().push_back(-c);
  set.shells = {shell.exponents};
  set.contracted = {std::move(shell)};
  set.writeContracted = true;
  return set;
}

Json elementJson(const FittedElement& element) {
  const ScreeningFit& fit = element.fit;
  Json j{{"element", symbolOf(element.z)}, {"Z", element.z}, {"configuration", element.configuration}};
  if (!element.failure.empty()) return j["reason"] = element.failure, j;
  j["exponents"] = fit.exponents;
  j["coefficients"] = fit.coefficients;
  return j;
}

Table tableOf(const std::vector<FittedElement>& all) {
  std::vector<FittedElement> fitted;
  for (const FittedElement& e : all)
    if (e.failure.empty()) fitted.push_back(e);
  using E = const FittedElement&;
  return {"errors",
          {columnOf(fitted, {"symbol", "", "symbol"}, [](E e) { return symbolOf(e.z); }),
           columnOf(fitted, {"functions", "1", "number of error functions", "{:.0f}"},
                    [](E e) { return static_cast<int>(e.fit.exponents.size()); }),
           columnOf(fitted, {"largest_error", "e", "largest error of r times the potential", "{:.2e}"},
                    [](E e) { return e.fit.largestError; }),
           columnOf(fitted, {"largest_error_at", "bohr", "its radius", "{:.2e}"},
                    [](E e) { return e.fit.largestErrorAt; }),
           columnOf(fitted, {"rms_error", "e", "root of the mean square error, evenly over ln r", "{:.2e}"},
                    [](E e) { return e.fit.rmsError; }),
           columnOf(fitted,
                    {"largest_energy_error", "hartree",
                     "largest change of an occupied spinor's energy by the fit, in first order", "{:.2e}"},
                    [](E e) { return e.fit.largestEnergyError; }),
           columnOf(fitted, {"spinor", "", "whose"}, [](E e) { return e.fit.spinor; })},
          Table::Layout::Rows};
}

Record sap(const SapRequest& request, const Execution& execution) {
  const Stopwatch watch;
  const std::vector<FittedElement> all = fitAll(request, execution);
  Record record;
  record.title = fmt::format("fits of effective potentials, functional {}", request.functional);
  record.device = "CPU";
  record.quantities = {{"functional", "functional", request.functional}, {"fits", "", Json::array()}};
  std::vector<ElementBasis> sets;
  for (const FittedElement& element : all) {
    record.quantities[1].value.push_back(elementJson(element));
    if (element.failure.empty()) {
      sets.push_back(setOf(request, element));
      continue;
    }
    record.outcome = Outcome::NotConverged;
    record.warn("no_fit", fmt::format("{} has no fit: {}", symbolOf(element.z), element.failure));
  }
  if (!request.out.empty() && !sets.empty()) execution.write(request.out, writeBasis(sets, request.format));
  record.tables.push_back(tableOf(all));
  record.printsTable = true;
  record.seconds = watch.seconds();
  return record;
}

}  // namespace

Operation sapOperation() {
  Operation o;
  o.name = "sap";
  o.summary = "atomic potentials as Gaussian charges, for starting guesses of molecules";
  o.description =
      "Effective potentials of neutral atoms (local exchange of the functional) at the numerical limit, "
      "fitted by error functions, for "
      "the superposition of atomic potentials that other programs start molecules from. The file has an s "
      "function for each element, in the format of a basis set; the table states the error of each fit.";
  o.example = "sap ELEMENTS --out sap.json";
  o.tables = [] { return std::vector{tableOf({})}; };
  return operationOf(std::move(o), sapTable(), sap);
}

}  // namespace prophet
