#include "atoms/atom/elements.hpp"
#include "atoms/atom/nuclear_charge.hpp"
#include "atoms/calculation/problem_json.hpp"
#include "operations/result_file/layout.hpp"

namespace prophet::hdf5 {
namespace {

constexpr const char* kNone = "none";

/// The words of breitTreatment and qedTreatment; where there is nothing to treat, or in first order with a
/// frequency (which has its own attribute), first order.
Treatment treatmentNamed(const std::string& name) {
  if (name == "self-consistent") return Treatment::SelfConsistent;
  if (name == kNone || name.rfind("first order", 0) == 0) return Treatment::FirstOrder;
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
  group.write("open_pair_weights", {w.data(), w.data() + w.size()}, "", static_cast<std::size_t>(w.cols()));
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
  c.symmetries.resize(static_cast<std::size_t>(symmetries));
  Eigen::Index openSpinors = 0;
  for (std::size_t i = 0; i < symmetry.size(); ++i) {
    if (symmetry[i] < 0 || symmetry[i] >= symmetries)
      throw Error("the result file is damaged: configuration/symmetry");
    c.symmetries[static_cast<std::size_t>(symmetry[i])].spinors.push_back(
        {number[i], electrons[i], open[i] != 0});
    openSpinors += open[i] != 0;
  }
  requireSize(weights.size(), static_cast<std::size_t>(openSpinors * openSpinors),
              "configuration/open_pair_weights");
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
  group.set("self_energy_fit", !h.qed.selfEnergy                     ? kNone
                               : h.qed.fit == SelfEnergyFit::Valence ? "valence"
                                                                     : "inner");
  group.set("qed_treatment", qedTreatment(h));
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

}  // namespace prophet::hdf5
