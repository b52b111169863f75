#include "operations/report/hamiltonian_text.hpp"

#include "atoms/calculation/problem_json.hpp"

namespace prophet {
std::string hamiltonianText(const Hamiltonian& h) {
  if (!h.isFourComponent()) return scfHamiltonian(h);
  std::string name = "Dirac-" + prophet::nameOf(h.repulsion);
  if (!h.hasBreit()) return name;
  if (h.breitTreatment == Treatment::SelfConsistent) return name + ", self-consistent";
  const bool gaunt = h.repulsion == TwoElectronOperator::CoulombGaunt;
  return name +
         (gaunt              ? ", Gaunt"
          : h.breitFrequency ? ", frequency-dependent Breit"
                             : ", Breit") +
         " in first order";
}

std::string qedText(const Hamiltonian& h) {
  const QedOptions& qed = h.qed;
  if (!qed.any()) return "";
  std::string text;
  const auto add = [&](bool chosen, const char* name) {
    if (chosen) text += (text.empty() ? "" : ", ") + std::string(name);
  };
  add(qed.vacuumPolarisation, "vacuum polarisation (Uehling)");
  add(qed.kallenSabry, "Kallen-Sabry");
  add(qed.wichmannKroll, "Wichmann-Kroll");
  const bool inner = qed.fit == SelfEnergyFit::InnerShell;
  add(qed.selfEnergy,
      inner ? "self-energy (fitted to inner shells)" : "self-energy (fitted to valence states)");
  return text + "; " + qedTreatment(h);
}

}  // namespace prophet
