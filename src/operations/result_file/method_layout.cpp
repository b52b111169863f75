#include <fmt/format.h>

#include "operations/result_file/layout.hpp"

namespace prophet::hdf5 {
namespace {

void writeBasis(Group group, const BasisSet& basis) {
  group.set("description", basis.description);
  group.set("functions", basis.functions());
  group.set("symmetries", static_cast<int>(basis.symmetries.size()));
  Group exponents = group.create("exponents");
  for (const SymmetryBasis& s : basis.symmetries) exponents.write(s.symmetry.label(), s.exponents, "bohr^-2");
  if (!basis.contracted()) return;
  Group contraction = group.create("contraction");
  for (const SymmetryBasis& s : basis.symmetries) {
    if (!s.contracted()) continue;
    const Eigen::MatrixXd& c = s.contraction;  // a row of the file for each function
    contraction.write(s.symmetry.label(), {c.data(), c.data() + c.size()}, "", c.cols());
  }
}

BasisSet readBasis(const Group& group) {
  constexpr int kMost = 64;
  BasisSet basis;
  basis.description = group.text("description");
  const int count = group.whole("symmetries");
  if (count < 0 || count > kMost) throw Error("the result file is damaged: basis/symmetries");
  const Group exponents = group.open("exponents");
  for (int a = 0; a < count; ++a) {
    const Symmetry symmetry = Symmetry::fromIndex(a);
    basis.symmetries.push_back({symmetry, exponents.numbers(symmetry.label())});
  }
  if (!group.has("contraction")) return basis;
  const Group contraction = group.open("contraction");
  for (SymmetryBasis& s : basis.symmetries) {
    if (!contraction.has(s.symmetry.label())) continue;
    const std::vector<double> numbers = contraction.numbers(s.symmetry.label());
    const auto rows = static_cast<Eigen::Index>(s.exponents.size());
    const auto columns = rows > 0 ? static_cast<Eigen::Index>(numbers.size()) / rows : 0;
    requireSize(numbers.size(), static_cast<std::size_t>(rows * columns), "basis/contraction");
    s.contraction = Eigen::Map<const Eigen::MatrixXd>(numbers.data(), rows, columns);
  }
  return basis;
}

void writeScf(Group group, const BasisMethod& method) {
  const ScfOptions& o = method.scf;
  group.set("fock", nameOf(method.fock));
  group.set("max_iterations", o.maxIterations);
  group.set("extrapolation", static_cast<int>(o.extrapolation));
  group.set("damping", o.damping);
  group.set("threshold_LL", o.thresholdLL);
  group.set("threshold_SL", o.thresholdSL);
  group.set("threshold_SS", o.thresholdSS);
  group.set("energy_threshold", o.energyThreshold);
  group.set("dependency_threshold", o.dependencyThreshold);
  group.set("estimate_error", static_cast<int>(method.estimateError));
  group.set("basis_chosen", static_cast<int>(method.chosen));
}

Extrapolation extrapolationOf(int number) {
  for (const Extrapolation e : {Extrapolation::None, Extrapolation::Fock, Extrapolation::Diis}) {
    if (static_cast<int>(e) == number) return e;
  }
  throw Error(fmt::format("the result file has an unknown value '{}'", number));
}

void readScf(const Group& group, BasisMethod& method) {
  ScfOptions& o = method.scf;
  method.fock = named<FockKind>(group.text("fock"));
  o.maxIterations = group.whole("max_iterations");
  o.extrapolation = extrapolationOf(group.whole("extrapolation"));
  o.damping = group.number("damping");
  o.thresholdLL = group.number("threshold_LL");
  o.thresholdSL = group.number("threshold_SL");
  o.thresholdSS = group.number("threshold_SS");
  o.energyThreshold = group.number("energy_threshold");
  o.dependencyThreshold = group.number("dependency_threshold");
  method.estimateError = group.whole("estimate_error") != 0;
  method.chosen = group.hasAttribute("basis_chosen") && group.whole("basis_chosen") != 0;
}

}  // namespace

void writeMethod(Group& group, const Calculation& calculation) {
  group.set("job", calculation.isLimit() ? "limit" : "energy");
  if (calculation.isLimit()) {
    group.create("scf").set("max_iterations", calculation.limit().maxIterations);
    return;
  }
  writeBasis(group.create("basis"), calculation.inBasis().basis);
  writeScf(group.create("scf"), calculation.inBasis());
}

void readMethod(const Group& group, Calculation& calculation) {
  const std::string job = group.text("job");
  if (job != "limit" && job != "energy") throw Error("the result file has an unknown job '" + job + "'");
  if (job == "limit") {
    calculation.method = LimitMethod{group.open("scf").whole("max_iterations")};
    return;
  }
  BasisMethod method;
  method.basis = readBasis(group.open("basis"));
  readScf(group.open("scf"), method);
  method.keepSpinors = true;
  calculation.method = std::move(method);
}

}  // namespace prophet::hdf5
