#include <nlohmann/json.hpp>

#include "report/beyond_coulomb_text.hpp"
#include "report/json_parts.hpp"
#include "report/report.hpp"

namespace prophet {
namespace {

Json basisJson(const BasisSet& basis) {
  Json j{{"description", basis.description}, {"functions", basis.functions()}, {"symmetries", Json::array()}};
  for (const SymmetryBasis& s : basis.symmetries) {
    j["symmetries"].push_back(
        {{"label", s.symmetry.label()}, {"kappa", s.symmetry.kappa}, {"exponents", s.exponents}});
  }
  return j;
}

Json orbitalsJson(const Calculation& c, const ScfResult& scf) {
  Json list = Json::array();
  for (std::size_t a = 0; a < scf.symmetries.size(); ++a) {
    const Symmetry s = c.basis.symmetries[a].symmetry;
    for (Eigen::Index i = 0; i < scf.symmetries[a].energies.size(); ++i) {
      list.push_back({{"label", spinorLabel(s, static_cast<int>(i) + 1)},
                      {"n", s.l() + static_cast<int>(i) + 1},
                      {"l", s.l()},
                      {"two_j", s.twoJ()},
                      {"kappa", s.kappa},
                      {"occupation", scf.symmetries[a].occupations(i)},
                      {"energy", scf.symmetries[a].energies(i)},
                      {"mean_radius", scf.symmetries[a].meanRadii(i)}});
    }
  }
  return list;
}

Json energyPartsJson(const EnergyResult& r) {
  const EnergyParts& e = r.scf.energy;
  Json j{{"kinetic", e.kinetic}, {"nuclear", e.nuclear}, {"two_electron", e.twoElectron}};
  for (const EnergyCorrection& part : r.corrections) j[part.key()] = part.value;
  return j;
}

Json timingsJson(const EnergyResult& r) {
  const ScfTimings& t = r.scf.timings;
  return {{"builder", r.timings.builder},
          {"setup", t.setup},
          {"guess", t.guess},
          {"fock", t.fock},
          {"eigen", t.eigen},
          {"rest", t.rest},
          {"corrections", r.timings.corrections},
          {"total", r.timings.total}};
}

}  // namespace

std::string jsonResult(const std::string& version, const Calculation& c, const EnergyResult& r, int indent) {
  Json j{{"program", "CUDAProphet"}, {"version", version}, {"input", c.job.file}, {"title", c.job.title}};
  j["energy"] = r.scf.energy.total;
  j["converged"] = r.scf.converged;
  j["iterations"] = r.scf.iterations.size();
  j["energy_parts"] = energyPartsJson(r);
  j["total_with_corrections"] = totalWithCorrections(r.scf, r.corrections);
  const BeyondCoulomb& beyond = c.job.beyondCoulomb;
  j["treatment"] = {{"breit", breitTreatment(beyond)}, {"qed", qedTreatment(beyond)}};
  j["virial_ratio"] = r.scf.virialRatio;
  j["speed_of_light"] = c.job.speedOfLight;
  j["hamiltonian"] = "Dirac-" + nameOf(scfOperator(beyond));
  j["nucleus"] = nucleusJson(c.nucleus);
  j["configuration"] = configurationJson(c.configuration);
  j["basis"] = basisJson(c.basis);
  j["orbitals"] = orbitalsJson(c, r.scf);
  j["fock_builder"] = r.builder;
  j["backend"] = r.gpu ? "cuda" : "cpu";
  j["device"] = r.gpu ? r.gpu->device : std::string("CPU");
  j["threads"] = r.threads;
  j["timings_seconds"] = timingsJson(r);
  return j.dump(indent);
}

}  // namespace prophet
