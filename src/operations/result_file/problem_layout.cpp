#include <fmt/format.h>

#include <cmath>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/nuclear_charge.hpp"
#include "atoms/calculation/problem_json.hpp"
#include "atoms/limit/wavefunction.hpp"
#include "atoms/properties/radial_fields.hpp"
#include "atoms/scf/gaussian_wavefunction.hpp"
#include "core/common/constants.hpp"
#include "core/common/index.hpp"
#include "operations/result_file/layout.hpp"

namespace prophet::hdf5 {
namespace {

constexpr const char* kNothing = "none";

/// The words of breitTreatment and qedTreatment; where there is nothing to treat, or in first order with a
/// frequency (which has its own attribute), first order.
Treatment treatmentNamed(const std::string& name) {
  if (name == "self-consistent") return Treatment::SelfConsistent;
  if (name == kNothing || name.starts_with("first order")) return Treatment::FirstOrder;
  throw Error("the result file has an unknown value '" + name + "'");
}

void writeNucleus(Group group, const Nucleus& n) {
  group.set("model", nameOf(n.model));
  group.set("charge", n.charge);
  group.set("mass_number", n.massNumber);
  group.set("rms_bohr", n.rms);
  group.set("rms_source", nameOf(n.rmsSource));
  for (const NuclearParameter& p : allNuclearParameters()) group.set(p.key, n.*p.value);
}

Nucleus readNucleus(const Group& group) {
  Nucleus n;
  n.model = named<NuclearModel>(group.text("model"));
  n.charge = group.number("charge");
  n.massNumber = group.whole("mass_number");
  n.rms = group.number("rms_bohr");
  for (const NuclearParameter& p : chargeOf(n.model).parameters) n.*p.value = group.number(p.key);
  if (group.hasAttribute("rms_source"))  // files of earlier versions do not say
    n.rmsSource = named<RadiusSource>(group.text("rms_source"));
  return n;
}

/// Every occupied spinor: its symmetry (from 0), number within it, electrons, and whether it is open.
void writeConfiguration(Group group, const Configuration& c) {
  std::vector<int> symmetry, number, open;
  std::vector<double> electrons;
  for (std::size_t a = 0; a < c.symmetries.size(); ++a) {
    for (const SpinorOccupation& s : c.symmetries[a].spinors) {
      symmetry.push_back(static_cast<int>(a));
      number.push_back(s.number);
      electrons.push_back(s.electrons);
      open.push_back(s.open);
    }
  }
  group.set("description", c.description);
  group.set("electrons", c.electrons());
  group.set("symmetries", static_cast<int>(c.symmetries.size()));
  group.write("symmetry", symmetry);
  group.write("number", number);
  group.write("electrons", electrons);
  group.write("open", open);
  const Eigen::MatrixXd& w = c.openPairWeights;
  group.write("open_pair_weights", {w.data(), w.data() + w.size()}, "", usize(w.cols()));
}

Configuration readConfiguration(const Group& group) {
  Configuration c;
  c.description = group.text("description");
  const int symmetries = group.whole("symmetries");
  const std::vector<int> symmetry = group.wholes("symmetry"), number = group.wholes("number"),
                         open = group.wholes("open");
  const std::vector<double> electrons = group.numbers("electrons"),
                            weights = group.numbers("open_pair_weights");
  requireSize(number.size(), symmetry.size(), "configuration/number");
  requireSize(open.size(), symmetry.size(), "configuration/open");
  requireSize(electrons.size(), symmetry.size(), "configuration/electrons");
  constexpr int kMost = 64;
  if (symmetries < 0 || symmetries > kMost)
    throw Error("the result file is damaged: configuration/symmetries");
  c.symmetries.resize(symmetries);
  Eigen::Index openSpinors = 0;
  for (std::size_t i = 0; i < symmetry.size(); ++i) {
    if (symmetry[i] < 0 || symmetry[i] >= symmetries)
      throw Error("the result file is damaged: configuration/symmetry");
    c.symmetries[symmetry[i]].spinors.push_back({number[i], electrons[i], open[i] != 0});
    openSpinors += open[i] != 0;
  }
  requireSize(weights.size(), usize(openSpinors * openSpinors), "configuration/open_pair_weights");
  c.openPairWeights = Eigen::Map<const Eigen::MatrixXd>(weights.data(), openSpinors, openSpinors);
  return c;
}

void writeHamiltonian(Group group, const Hamiltonian& h) {
  group.set("speed_of_light", h.speedOfLight);
  group.set("one_electron", nameOf(h.oneElectron));
  group.set("repulsion", nameOf(h.repulsion));
  group.set("breit_treatment", breitTreatment(h));
  group.set("breit_frequency", static_cast<int>(h.breitFrequency));
  group.set("vacuum_polarisation", static_cast<int>(h.qed.vacuumPolarisation));
  group.set("kallen_sabry", static_cast<int>(h.qed.kallenSabry));
  group.set("wichmann_kroll", static_cast<int>(h.qed.wichmannKroll));
  group.set("self_energy", static_cast<int>(h.qed.selfEnergy));
  group.set("self_energy_fit", !h.qed.selfEnergy                     ? kNothing
                               : h.qed.fit == SelfEnergyFit::Valence ? "valence"
                                                                     : "inner");
  group.set("qed_treatment", qedTreatment(h));
  if (h.isKohnSham()) {
    group.set("functional", h.functional);
    group.set("spin", nameOf(h.spin));
  }
  if (!h.shell.any()) return;
  group.set("shell_charge", h.shell.charge);
  group.set("shell_radius", h.shell.radius);
}

Hamiltonian readHamiltonian(const Group& group) {
  Hamiltonian h;
  h.speedOfLight = group.number("speed_of_light");
  if (group.hasAttribute("one_electron"))  // files of earlier versions have the Dirac operator alone
    h.oneElectron = named<OneElectronOperator>(group.text("one_electron"));
  h.repulsion = named<TwoElectronOperator>(group.text("repulsion"));
  h.breitTreatment = treatmentNamed(group.text("breit_treatment"));
  h.breitFrequency = group.whole("breit_frequency") != 0;
  h.qed.vacuumPolarisation = group.whole("vacuum_polarisation") != 0;
  h.qed.kallenSabry = group.whole("kallen_sabry") != 0;
  h.qed.wichmannKroll = group.whole("wichmann_kroll") != 0;
  h.qed.selfEnergy = group.whole("self_energy") != 0;
  h.qed.fit = group.text("self_energy_fit") == "valence" ? SelfEnergyFit::Valence : SelfEnergyFit::InnerShell;
  h.qedTreatment = treatmentNamed(group.text("qed_treatment"));
  if (group.hasAttribute("functional")) h.functional = group.text("functional");
  if (group.hasAttribute("spin")) h.spin = named<SpinPolarisation>(group.text("spin"));
  if (group.hasAttribute("shell_charge"))
    h.shell = {group.number("shell_charge"), group.number("shell_radius")};
  return h;
}

}  // namespace

void writeProblem(Group& group, const AtomProblem& problem) {
  const double z = problem.nucleus.charge;
  const auto element = elementOfCharge(z);
  group.set("symbol", element ? symbolOf(*element) : "");
  group.set("Z", z);
  group.set("charge", z - problem.configuration.electrons());
  writeNucleus(group.create("nucleus"), problem.nucleus);
  writeConfiguration(group.create("configuration"), problem.configuration);
  writeHamiltonian(group.create("hamiltonian"), problem.hamiltonian);
}

AtomProblem readProblem(const Group& group) {
  return {readNucleus(group.open("nucleus")), readConfiguration(group.open("configuration")),
          readHamiltonian(group.open("hamiltonian"))};
}

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
    requireSize(numbers.size(), usize(rows * columns), "basis/contraction");
    s.contraction = Eigen::Map<const Eigen::MatrixXd>(numbers.data(), rows, columns);
  }
  return basis;
}

constexpr std::pair<const char*, double ScfOptions::*> kScfNumbers[] = {
    {"damping", &ScfOptions::damping},
    {"threshold_LL", &ScfOptions::thresholdLL},
    {"threshold_SL", &ScfOptions::thresholdSL},
    {"threshold_SS", &ScfOptions::thresholdSS},
    {"energy_threshold", &ScfOptions::energyThreshold},
    {"dependency_threshold", &ScfOptions::dependencyThreshold},
};

void writeScf(Group group, const BasisMethod& method) {
  const ScfOptions& o = method.scf;
  group.set("fock", nameOf(method.fock));
  group.set("max_iterations", o.maxIterations);
  group.set("extrapolation", static_cast<int>(o.extrapolation));
  for (const auto& [key, number] : kScfNumbers) group.set(key, o.*number);
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
  for (const auto& [key, number] : kScfNumbers) o.*number = group.number(key);
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

namespace {

using Matrix = Eigen::MatrixXd;

std::vector<double> valuesOf(const Matrix& m) { return {m.data(), m.data() + m.size()}; }

/// Radii from where all functions are powers of r to where they have died away, evenly in ln r.
Eigen::VectorXd gridFor(const Wavefunction& w) {
  const double low = std::log(w.smallestRadius()), high = std::log(w.largestRadius());
  const int points = static_cast<int>(std::ceil((high - low) / kGridStep)) + 1;
  return Eigen::VectorXd::LinSpaced(points, low, low + (points - 1) * kGridStep).array().exp();
}

/// P and Q on the grid, a row for each spinor, the density of all electrons and the potentials.
void writeFunctions(Group& group, const AtomProblem& problem, const Result& result) {
  const Wavefunction& w = *result.wavefunction;
  const Eigen::VectorXd r = gridFor(w);
  Matrix large(r.size(), w.count()), small(r.size(), w.count());
  Eigen::VectorXd density = Eigen::VectorXd::Zero(r.size());
  for (int i = 0; i < w.count(); ++i) {
    const RadialFunctions f = w.radial(i, r);
    large.col(i) = f.large;
    small.col(i) = f.small;
    density += result.spinors[i].occupation * (f.large.cwiseAbs2() + f.small.cwiseAbs2());
  }
  density.array() /= 4 * constants::kPi * r.array().square();
  const auto spinors = usize(w.count());
  group.write("r", valuesOf(r), "bohr");
  group.write("P", valuesOf(large), "bohr^-1/2", spinors);
  group.write("Q", valuesOf(small), "bohr^-1/2", spinors);
  group.write("density", valuesOf(density), "bohr^-3");
  const RadialFields fields(problem, result);
  for (const RadialFields::NamedPotential& p : fields.potentials(r))
    group.write(p.name, valuesOf(p.values), "hartree");
  if (fields.isPolarised()) group.write("spin_share", valuesOf(fields.spinShares()));
  if (!fields.leftOut().empty()) group.set("left_out", fields.leftOut());
}

void writeCoefficients(Group group, const StartSpinors& s) {
  Group large = group.create("large"), small = group.create("small");
  for (std::size_t a = 0; a < s.large.size(); ++a) {
    const std::string name = s.basis.symmetries[a].symmetry.label();
    const auto spinors = usize(s.large[a].cols());
    large.write(name, valuesOf(s.large[a]), "", spinors);
    small.write(name, valuesOf(s.small[a]), "", spinors);
  }
}

Matrix readCoefficients(const Group& group, const SymmetryBasis& basis) {
  const std::vector<double> values = group.numbers(basis.symmetry.label());
  const auto functions = usize(basis.size());
  if (functions == 0) {
    requireSize(values.size(), 0, "coefficients");
    return Matrix(0, 0);
  }
  requireSize(values.size() % functions, 0, "a row of coefficients");
  return Eigen::Map<const Matrix>(values.data(), basis.size(),
                                  static_cast<Eigen::Index>(values.size() / functions));
}

void writeSpace(Group group, const limit::SplineSpace& space) {
  group.set("order", space.order());
  group.write("breaks", space.breaks());
  group.write("multiplicity", space.multiplicity());
}

limit::SplineSpace readSpace(const Group& group) {
  constexpr int kLargestOrder = 32;
  const int order = group.whole("order");
  const std::vector<double> breaks = group.numbers("breaks");
  const std::vector<int> multiplicity = group.wholes("multiplicity");
  requireSize(multiplicity.size(), breaks.size(), "splines/multiplicity");
  bool sound = order >= 2 && order <= kLargestOrder && breaks.size() >= 2;
  for (std::size_t i = 0; i < breaks.size(); ++i) {
    sound = sound && std::isfinite(breaks[i]) && (i == 0 || breaks[i] > breaks[i - 1]) &&
            multiplicity[i] >= 1 && multiplicity[i] <= order;
  }
  if (!sound) throw Error("the result file is damaged: splines");
  return limit::SplineSpace(order, breaks, multiplicity);
}

void writeSplines(Group group, const LimitWavefunction& w) {
  writeSpace(group.create("large"), w.largeSpace());
  writeSpace(group.create("small"), w.smallSpace());
  std::vector<double> large, small, largePower, smallPower;
  for (const LimitWavefunction::Spinor& s : w.spinors()) {
    large.insert(large.end(), s.large.begin(), s.large.end());
    small.insert(small.end(), s.small.begin(), s.small.end());
    largePower.push_back(s.largePower);
    smallPower.push_back(s.smallPower);
  }
  group.write("large_coefficients", large, "", w.spinors().size());
  group.write("small_coefficients", small, "", w.spinors().size());
  group.write("large_power", largePower);
  group.write("small_power", smallPower);
}

std::shared_ptr<const LimitWavefunction> readSplines(const Group& group, std::size_t count) {
  limit::SplineSpace largeSpace = readSpace(group.open("large")), smallSpace = readSpace(group.open("small"));
  const std::vector<double> large = group.numbers("large_coefficients"),
                            small = group.numbers("small_coefficients"),
                            largePower = group.numbers("large_power"),
                            smallPower = group.numbers("small_power");
  requireSize(large.size(), count * usize(largeSpace.size()), "splines/large_coefficients");
  requireSize(small.size(), count * usize(smallSpace.size()), "splines/small_coefficients");
  requireSize(largePower.size(), count, "splines/large_power");
  requireSize(smallPower.size(), count, "splines/small_power");
  const Eigen::Map<const Matrix> l(large.data(), largeSpace.size(), static_cast<Eigen::Index>(count)),
      s(small.data(), smallSpace.size(), static_cast<Eigen::Index>(count));
  std::vector<LimitWavefunction::Spinor> spinors;
  for (std::size_t i = 0; i < count; ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    spinors.push_back({l.col(column), s.col(column), largePower[i], smallPower[i]});
  }
  return std::make_shared<LimitWavefunction>(std::move(largeSpace), std::move(smallSpace),
                                             std::move(spinors));
}

}  // namespace

void writeWavefunction(Group& group, const AtomProblem& problem, const Result& result) {
  if (!result.wavefunction) return;
  Group spinors = group.open("spinors");
  writeFunctions(spinors, problem, result);
  if (result.coefficients) writeCoefficients(group.create("coefficients"), *result.coefficients);
  if (const auto* limit = dynamic_cast<const LimitWavefunction*>(result.wavefunction.get()))
    writeSplines(group.create("splines"), *limit);
}

void readWavefunction(const Group& group, const BasisSet* basis, Result& result) {
  if (group.has("splines")) result.wavefunction = readSplines(group.open("splines"), result.spinors.size());
  if (!basis || !group.has("coefficients")) return;
  const Group large = group.open("coefficients/large"), small = group.open("coefficients/small");
  auto spinors = std::make_shared<StartSpinors>();
  spinors->basis = *basis;
  std::size_t count = 0;
  for (const SymmetryBasis& s : basis->symmetries) {
    spinors->large.push_back(readCoefficients(large, s));
    spinors->small.push_back(readCoefficients(small, s));
    requireSize(usize(spinors->small.back().cols()), usize(spinors->large.back().cols()),
                "coefficients/small");
    count += usize(spinors->large.back().cols());
  }
  requireSize(count, result.spinors.size(), "coefficients");
  result.coefficients = spinors;
  result.wavefunction = std::make_shared<GaussianWavefunction>(result.coefficients);
}

}  // namespace prophet::hdf5
