#include "report/json_parts.hpp"

#include "atom/symmetry.hpp"

namespace prophet {

Json nucleusJson(const Nucleus& n) {
  Json j{{"model", nameOf(n.model)}, {"charge", n.charge}};
  if (n.model == NuclearModel::Point) return j;
  if (n.massNumber > 0) j["mass_number"] = n.massNumber;
  j["rms_bohr"] = n.rms;
  if (n.model == NuclearModel::Sphere) j["radius_bohr"] = n.sphereRadius;
  if (n.model == NuclearModel::Gaussian) j["exponent"] = n.exponent;
  if (n.model == NuclearModel::Fermi) {
    j["c_bohr"] = n.fermiC;
    j["a_bohr"] = n.fermiA;
  }
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

Json warningsJson(const std::vector<Warning>& warnings) {
  Json list = Json::array();
  for (const Warning& w : warnings) list.push_back({{"id", w.id}, {"text", w.text}});
  return list;
}

Json groupsJson(const std::vector<WellTemperedParameters>& groups) {
  Json j;
  for (const WellTemperedParameters& p : groups)
    j.push_back({{"alpha", p.alpha}, {"beta", p.beta}, {"delta", p.delta}, {"gamma", p.gamma}});
  return j;
}

}  // namespace prophet
