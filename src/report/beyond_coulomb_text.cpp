#include "report/beyond_coulomb_text.hpp"

namespace prophet {

std::string breitTreatment(const BeyondCoulomb& beyond) {
  if (!beyond.breit()) return "none";
  if (beyond.breitFrequency) return "first order, frequency-dependent";
  return beyond.breitSelfConsistent ? "self-consistent" : "first order";
}

std::string qedTreatment(const BeyondCoulomb& beyond) {
  if (!beyond.qed.any()) return "none";
  return beyond.qedSelfConsistent ? "self-consistent" : "first order";
}

std::string hamiltonianText(const BeyondCoulomb& beyond) {
  std::string name = "Dirac-" + nameOf(beyond.operation);
  if (!beyond.breit()) return name;
  if (beyond.breitSelfConsistent) return name + ", self-consistent";
  const bool gaunt = beyond.operation == TwoElectronOperator::CoulombGaunt;
  return name +
         (gaunt                   ? ", Gaunt"
          : beyond.breitFrequency ? ", frequency-dependent Breit"
                                  : ", Breit") +
         " in first order";
}

std::string qedText(const BeyondCoulomb& beyond) {
  const QedOptions& qed = beyond.qed;
  if (!qed.any()) return "";
  std::string text;
  const auto add = [&](bool chosen, const char* name) {
    if (chosen) text += (text.empty() ? "" : ", ") + std::string(name);
  };
  add(qed.vacuumPolarisation, "vacuum polarisation (Uehling)");
  add(qed.kallenSabry, "Kallen-Sabry");
  add(qed.wichmannKroll, "Wichmann-Kroll");
  const bool inner = qed.fit == qed::SelfEnergyFit::InnerShell;
  add(qed.selfEnergy,
      inner ? "self-energy (fitted to inner shells)" : "self-energy (fitted to valence states)");
  return text + "; " + qedTreatment(beyond);
}

}  // namespace prophet
