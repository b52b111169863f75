#include "atoms/calculation/problem_json.hpp"

#include <cmath>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/nuclear_charge.hpp"

namespace prophet {
namespace {

using Json = nlohmann::ordered_json;

/// A whole number without a decimal point.
Json numberJson(double value) {
  const double whole = std::round(value);
  if (std::abs(value - whole) > 1e-9) return value;
  return static_cast<int>(whole);
}

const char* nameOf(Treatment treatment) {
  return treatment == Treatment::SelfConsistent ? "self-consistent" : "first order";
}

}  // namespace

Json nucleusJson(const Nucleus& n) {
  Json j{{"model", nameOf(n.model)}, {"charge", n.charge}};
  if (n.isPoint()) return j;
  if (n.massNumber > 0) j["mass_number"] = n.massNumber;
  j["rms_bohr"] = n.rms;
  j["rms_source"] = nameOf(n.rmsSource);
  for (const NuclearParameter& p : chargeOf(n.model).parameters) j[p.key] = n.*p.value;
  return j;
}

Json configurationJson(const Configuration& c) {
  Json j{{"description", c.description}, {"electrons", c.electrons()}, {"symmetries", Json::array()}};
  for (std::size_t a = 0; a < c.symmetries.size(); ++a) {
    j["symmetries"].push_back({{"label", Symmetry::fromIndex(static_cast<int>(a)).label()},
                               {"closed", c.symmetries[a].closed()},
                               {"open_electrons", c.symmetries[a].openElectrons()}});
  }
  return j;
}

void addAtom(const AtomProblem& problem, Json& json) {
  const double z = problem.nucleus.charge;
  if (const auto element = elementOfCharge(z)) json["symbol"] = symbolOf(*element);
  json["Z"] = numberJson(z);
  json["charge"] = numberJson(z - problem.configuration.electrons());
}

std::string scfHamiltonian(const Hamiltonian& h) {
  const std::string title = kindOf(h.oneElectron).title;
  return h.isFourComponent() ? title + "-" + nameOf(h.scfRepulsion()) : title;
}

std::string breitTreatment(const Hamiltonian& h) {
  if (!h.hasBreit()) return "none";
  return h.breitFrequency ? "first order, frequency-dependent" : nameOf(h.breitTreatment);
}

std::string qedTreatment(const Hamiltonian& h) { return h.qed.any() ? nameOf(h.qedTreatment) : "none"; }

Json treatmentJson(const Hamiltonian& h) { return {{"breit", breitTreatment(h)}, {"qed", qedTreatment(h)}}; }

std::optional<double> errorEstimate(const Result& result) {
  if (result.basisError) return result.basisError->value;
  if (result.limit && result.status != Status::Unbound) return result.limit->estimatedError;
  return std::nullopt;
}

Json jobJson(const Calculation& calculation) {
  const AtomProblem& problem = calculation.problem;
  Json j = Json::object();
  addAtom(problem, j);
  j["job"] = calculation.isLimit() ? "limit" : "energy";
  j["nucleus"] = nucleusJson(problem.nucleus);
  j["configuration"] = {{"description", problem.configuration.description},
                        {"electrons", problem.configuration.electrons()}};
  j["configuration_source"] = nameOf(calculation.configurationSource);
  j["hamiltonian"] = scfHamiltonian(problem.hamiltonian);
  if (problem.hamiltonian.isKohnSham()) {
    j["functional"] = problem.hamiltonian.functional;
    j["spin"] = nameOf(problem.hamiltonian.spin);
  }
  j["treatment"] = treatmentJson(problem.hamiltonian);
  if (const ChargedShell& shell = problem.hamiltonian.shell; shell.any())
    j["charged_shell"] = {{"charge", shell.charge}, {"radius_bohr", shell.radius}};
  if (!calculation.isLimit()) {
    const BasisSet& basis = calculation.inBasis().basis;
    j["basis"] = {{"description", basis.description}, {"functions", basis.functions()}};
  }
  return j;
}

}  // namespace prophet
