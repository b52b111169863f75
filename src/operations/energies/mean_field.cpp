#include "atoms/properties/mean_field.hpp"

#include <fmt/format.h>

#include "atoms/atom/species.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/calculation/compute.hpp"
#include "atoms/calculation/problem_json.hpp"
#include "atoms/correlation/added_functions.hpp"
#include "core/common/error.hpp"
#include "core/common/stopwatch.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/job_operation.hpp"
#include "operations/jobs/job_warnings.hpp"
#include "operations/record/report.hpp"

namespace prophet {
namespace {

struct MeanFieldRequest {
  DecoupledField decoupling = DecoupledField::Whole;
};

RequestTable<MeanFieldRequest> meanFieldTable() {
  RequestTable<MeanFieldRequest> t;
  t.add("decoupling", &MeanFieldRequest::decoupling,
        Names<DecoupledField>{{"field", DecoupledField::Whole}, {"one-electron", DecoupledField::Nucleus}},
        "what X, R and the matrices in two components are of: the Dirac operator with the field of the "
        "electrons, or of the nucleus alone")
      .byDefault("field");
  return t;
}

/// An element of the matrices of one symmetry, row by row; of an open spinor's, where there is one.
struct Element {
  const SymmetryField* field;
  Eigen::Index row, column;
  const FieldSpinor* open = nullptr;
};

std::vector<Element> elementsOf(const MeanField& field) {
  std::vector<Element> list;
  for (const SymmetryField& f : field.symmetries) {
    const auto n = static_cast<Eigen::Index>(f.exponents.size());
    for (Eigen::Index p = 0; p < n; ++p)
      for (Eigen::Index q = 0; q < n; ++q) list.push_back({&f, p, q});
  }
  return list;
}

/// Symmetry, row and column of elements.
std::vector<Column> placeColumns(const std::vector<Element>& list) {
  return {columnOf(list, {"kappa", "1", "quantum number of the symmetry"},
                   [](const Element& e) { return e.field->symmetry.kappa; }),
          columnOf(list, {"row", "1", "number of the function of the row in its symmetry, from 0"},
                   [](const Element& e) { return static_cast<int>(e.row); }),
          columnOf(list, {"column", "1", "that of the column"},
                   [](const Element& e) { return static_cast<int>(e.column); })};
}

Table matrixTable(const MeanField& field) {
  const std::vector<Element> list = elementsOf(field);
  Table table{"matrices", placeColumns(list), Table::Layout::Columns, 0};
  const auto add = [&](const char* key, const char* unit, const char* meaning, auto matrixOf) {
    table.columns.push_back(columnOf(list, {key, unit, meaning}, [&](const Element& e) {
      return double(matrixOf(*e.field)(e.row, e.column));
    }));
  };
  using F = const SymmetryField&;
  using M = const Eigen::MatrixXd&;
  add("overlap_large", "1", "overlap of large functions",
      [](F f) -> M { return f.oneElectron.overlapLarge; });
  add("overlap_small", "1", "overlap of small functions",
      [](F f) -> M { return f.oneElectron.overlapSmall; });
  add("nuclear_large", "hartree", "attraction of the nucleus between large functions",
      [](F f) -> M { return f.oneElectron.nuclearLarge; });
  add("nuclear_small", "hartree", "and between small ones",
      [](F f) -> M { return f.oneElectron.nuclearSmall; });
  add("field_ll", "hartree", "J - K of all electrons, Coulomb interaction, between large functions",
      [](F f) -> M { return f.coulomb.LL; });
  add("field_ls", "hartree", "between large (row) and small functions",
      [](F f) -> M { return f.coulomb.LS; });
  add("field_ss", "hartree", "between small functions", [](F f) -> M { return f.coulomb.SS; });
  add("gaunt_ll", "hartree", "the same of the Gaunt interaction; 0 where it was not asked for",
      [](F f) -> M { return f.gaunt.LL; });
  add("gaunt_ls", "hartree", "between large (row) and small functions", [](F f) -> M { return f.gaunt.LS; });
  add("gaunt_ss", "hartree", "between small functions", [](F f) -> M { return f.gaunt.SS; });
  add("gauge_ll", "hartree", "the same of the rest of the Breit interaction",
      [](F f) -> M { return f.gauge.LL; });
  add("gauge_ls", "hartree", "between large (row) and small functions", [](F f) -> M { return f.gauge.LS; });
  add("gauge_ss", "hartree", "between small functions", [](F f) -> M { return f.gauge.SS; });
  add("density_ll", "1", "density matrix of one m: sum of n/(2j+1) c c^T over the occupied spinors",
      [](F f) -> M { return f.density.LL; });
  add("density_ls", "1", "large (row) and small coefficients", [](F f) -> M { return f.density.LS; });
  add("density_ss", "1", "small coefficients", [](F f) -> M { return f.density.SS; });
  add("coupling", "1", "X of exact two components: C_S = X C_L of positive-energy solutions in the field",
      [](F f) -> M { return f.coupling; });
  add("normalisation", "1", "R, with which R^T (S_LL + X^T S_SS X) R = S_LL",
      [](F f) -> M { return f.normalisation; });
  add("density_2c", "1", "density matrix in two components, R^-1 D_LL R^-T",
      [](F f) -> M { return f.density2c; });
  add("field_2c", "hartree", "J - K of the untransformed interaction with it",
      [](F f) -> M { return f.field2c; });
  return table;
}

/// One function of a symmetry.
struct Function {
  const SymmetryField* field;
  std::size_t number;
};

Table functionTable(const MeanField& field) {
  std::vector<Function> list;
  for (const SymmetryField& f : field.symmetries)
    for (std::size_t i = 0; i < f.exponents.size(); ++i) list.push_back({&f, i});
  return {"functions",
          {columnOf(list, {"kappa", "1", "quantum number of the symmetry"},
                    [](const Function& f) { return f.field->symmetry.kappa; }),
           columnOf(list, {"number", "1", "of the function in its symmetry, from 0"},
                    [](const Function& f) { return static_cast<int>(f.number); }),
           columnOf(list, {"exponent", "bohr^-2", "of the Gaussian r^(l+1) exp(-exponent r^2)"},
                    [](const Function& f) { return f.field->exponents[f.number]; }),
           columnOf(list, {"balance", "1/bohr", "b of (d/dr + kappa/r) P = b Q, both normalised"},
                    [](const Function& f) {
                      return double(f.field->oneElectron.balance(static_cast<Eigen::Index>(f.number)));
                    })},
          Table::Layout::Columns,
          100};
}

/// One coefficient of an occupied spinor.
struct Coefficient {
  const FieldSpinor* spinor;
  int kappa;
  Eigen::Index function;
};

Table coefficientTable(const MeanField& field) {
  std::vector<Coefficient> list;
  for (const FieldSpinor& s : field.spinors)
    for (Eigen::Index p = 0; p < s.large.size(); ++p)
      list.push_back({&s, field.symmetries[s.symmetry].symmetry.kappa, p});
  return {
      "spinors",
      {columnOf(list, {"kappa", "1", "quantum number of the symmetry"},
                [](const Coefficient& c) { return c.kappa; }),
       columnOf(list, {"spinor", "1", "number of the occupied spinor in its symmetry, from 0"},
                [](const Coefficient& c) { return c.spinor->number; }),
       columnOf(list, {"electrons", "1", "in it"}, [](const Coefficient& c) { return c.spinor->electrons; }),
       columnOf(list, {"function", "1", "number of the function in its symmetry, from 0"},
                [](const Coefficient& c) { return static_cast<int>(c.function); }),
       columnOf(list, {"large", "1", "coefficient of the large function"},
                [](const Coefficient& c) { return double(c.spinor->large(c.function)); }),
       columnOf(list, {"small", "1", "coefficient of the small function"},
                [](const Coefficient& c) { return double(c.spinor->small(c.function)); })},
      Table::Layout::Columns,
      0};
}

Table openMatrixTable(const MeanField& field) {
  std::vector<Element> list;
  for (const FieldSpinor& s : field.spinors) {
    if (!s.open) continue;
    for (Eigen::Index p = 0; p < s.large.size(); ++p)
      for (Eigen::Index q = 0; q < s.large.size(); ++q)
        list.push_back({&field.symmetries[s.symmetry], p, q, &s});
  }
  Table table{"open", placeColumns(list), Table::Layout::Columns, 0};
  table.columns.insert(table.columns.begin() + 1,
                       columnOf(list, {"spinor", "1", "number of the open spinor in its symmetry, from 0"},
                                [](const Element& e) { return e.open->number; }));
  const auto add = [&](const std::string& key, const char* meaning, const BlockMatrix FieldSpinor::*part) {
    const auto block = [&](const char* name, const char* says, Eigen::MatrixXd BlockMatrix::*matrix) {
      table.columns.push_back(columnOf(list, {key + name, "hartree", says}, [&](const Element& e) {
        return double((e.open->*part.*matrix)(e.row, e.column));
      }));
    };
    block("_ll", meaning, &BlockMatrix::LL);
    block("_ls", "between large (row) and small functions", &BlockMatrix::LS);
    block("_ss", "between small functions", &BlockMatrix::SS);
  };
  add("open_field", "Q, by which the field of the open spinor is less than J - K of all electrons, Coulomb",
      &FieldSpinor::coulomb);
  add("open_gaunt", "the same of the Gaunt interaction; 0 where it was not asked for", &FieldSpinor::gaunt);
  add("open_gauge", "the same of the rest of the Breit interaction", &FieldSpinor::gauge);
  return table;
}

Record meanFieldRecord(const AtomRequest& request, const MeanFieldRequest& o, const Execution& e) {
  const Stopwatch watch;
  ResolvedJob resolved = resolvedFor(request, e);
  Calculation& calculation = resolved.calculation;
  if (calculation.problem.hamiltonian.hasBreit())
    calculation.problem.hamiltonian.breitTreatment = Treatment::SelfConsistent;
  ofSetting("", [&] { requireMeanField(calculation); });
  BasisMethod& method = calculation.inBasis();
  // With all that molecules are given by default, also what the atom itself has no electrons for.
  prepareToCorrelate(method, valenceGroups);
  method.estimateError = false;
  Result result = compute(calculation, {e.threadsOrAll(), nullptr, e.checkpoint});
  if (!result.coefficients)
    throw NotConvergedError(fmt::format("the field has no spinors to make matrices of: {}", result.reason));
  ThreadPool pool(e.threadsOrAll());
  const MeanField field = meanField(calculation, result, o.decoupling, pool);
  const AtomProblem& problem = calculation.problem;
  Record record;
  record.title = fmt::format("Mean field of {}, {}", atomName(problem), problem.configuration.description);
  const Json description = jobJson(calculation);
  for (const auto& [key, value] : description.items())
    if (key != "job") record.quantities.push_back({key, "", value});
  const auto add = [&](const char* key, const char* label, double value) {
    record.quantities.push_back(
        {key, label, value, fmt::format("{:.10f} hartree", value), Quantity::Place::Result});
  };
  record.quantities.push_back({"speed_of_light", "", problem.hamiltonian.speedOfLight});
  add("energy", "energy of the average", field.energy);
  add("fractional_energy", "energy with fractional occupations", field.fractionalEnergy);
  add("constant", "constant of the picture change", field.constant);
  addJobWarnings(resolved, result);
  for (const Warning& w : result.warnings)
    if (w.id != "scf_fallback") record.warn(w.id, w.text);
  record.tables = {matrixTable(field), functionTable(field), coefficientTable(field), openMatrixTable(field)};
  record.csvComments = false;
  record.device = "CPU";
  record.seconds = watch.seconds();
  return record;
}

}  // namespace

Operation meanFieldOperation() {
  Operation o;
  o.name = jobName(JobType::MeanField);
  o.command = "mean-field";
  o.summary = "the two-electron field of an atom as matrices";
  o.description =
      "The Coulomb, Gaunt and Breit field of the electrons of an atom, as matrices for every symmetry of its "
      "basis set, also those without electrons, with the density, the spinors, Q of open ones, and what "
      "exact "
      "two-component programs of molecules need: X, R, the density and the field in two components "
      "(docs/how-to/mean-field.md)." +
      std::string(kAtomAndKeywords);
  o.example = "mean-field ATOM";
  o.tables = [] {
    return std::vector{matrixTable({}), functionTable({}), coefficientTable({}), openMatrixTable({})};
  };
  return jobOperation(JobType::MeanField, std::move(o), meanFieldTable(), meanFieldRecord);
}

}  // namespace prophet
