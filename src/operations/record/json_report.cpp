#include "operations/record/json_report.hpp"

#include <nlohmann/json.hpp>
#include <optional>

#include "atoms/properties/properties.hpp"
#include "core/common/json_text.hpp"
#include "operations/input/keywords.hpp"
#include "operations/record/report.hpp"

namespace prophet {

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

namespace {

Json basisJson(const BasisSet& basis) {
  Json j{{"description", basis.description}, {"functions", basis.functions()}, {"symmetries", Json::array()}};
  for (const SymmetryBasis& s : basis.symmetries) {
    Json& one = j["symmetries"].emplace_back(
        Json{{"label", s.symmetry.label()}, {"kappa", s.symmetry.kappa}, {"exponents", s.exponents}});
    if (!s.contracted()) continue;
    for (Eigen::Index i = 0; i < s.contraction.cols(); ++i) {
      const Eigen::VectorXd column = s.contraction.col(i);
      one["contraction"].push_back(std::vector<double>(column.data(), column.data() + column.size()));
    }
  }
  return j;
}

Json orbitalsJson(const std::vector<Spinor>& spinors) {
  Json list = Json::array();
  for (const Spinor& s : spinors) {
    Json& j = list.emplace_back(Json{{"label", s.label()},
                                     {"n", s.n},
                                     {"l", s.symmetry.l()},
                                     {"two_j", s.symmetry.twoJ()},
                                     {"kappa", s.symmetry.kappa},
                                     {"occupation", s.occupation},
                                     {"energy", s.energy}});
    if (s.meanRadius) j["mean_radius"] = *s.meanRadius;
    if (s.meanSquareRadius) j["mean_square_radius"] = *s.meanSquareRadius;
    if (s.meanInverseRadius) j["mean_inverse_radius"] = *s.meanInverseRadius;
  }
  return list;
}

Json resolutionsJson(const LimitDetails& limit) {
  Json list = Json::array();
  for (const LimitResolution& s : limit.resolutions) {
    list.push_back({{"cells", s.cells},
                    {"splines", s.splines},
                    {"points", s.points},
                    {"iterations", s.iterations},
                    {"residual", s.residual},
                    {"largest_radius", s.largestRadius},
                    {"energy", s.energy}});
  }
  return list;
}

}  // namespace

Json resultJson(const ResolvedJob& job, const Result& r, bool withProperties) {
  const AtomProblem& problem = job.calculation.problem;
  const Hamiltonian& h = problem.hamiltonian;
  Json j{{"input", job.job.file}};
  j["title"] = job.job.title;
  addAtom(problem, j);
  j["job"] = r.limit ? "limit" : "energy";
  j["status"] = nameOf(r.status);
  j["energy"] = r.energy.total;
  j["energy_of"] = energyMeaning(problem);
  if (r.limit) j["estimated_error"] = r.status == Status::Unbound ? Json() : Json(r.limit->estimatedError);
  if (const auto error = errorEstimate(r)) j["error_estimate"] = *error;
  j["converged"] = r.ok();
  j["iterations"] = r.iterations;
  std::optional<Properties> properties;
  if (r.wavefunction && withProperties) properties = propertiesOf(job.calculation, r);
  j["warnings"] = warningsJson(properties ? allWarnings(r, *properties) : r.warnings);
  for (const EnergyPart& part : r.energy.parts) j["energy_parts"][keyOf(part.id)] = part.value;
  j["total_with_corrections"] = r.energy.withCorrections();
  j["treatment"] = treatmentJson(h);
  j["virial_ratio"] = r.virialRatio;
  j["speed_of_light"] = h.speedOfLight;
  j["hamiltonian"] = scfHamiltonian(h);
  if (h.isKohnSham()) {
    j["functional"] = h.functional;
    j["spin"] = nameOf(h.spin);
  }
  if (h.shell.any()) j["charged_shell"] = {{"charge", h.shell.charge}, {"radius_bohr", h.shell.radius}};
  j["nucleus"] = nucleusJson(problem.nucleus);
  j["configuration"] = configurationJson(problem.configuration);
  j["configuration_source"] = nameOf(job.calculation.configurationSource);
  if (!job.calculation.isLimit()) {
    j["basis"] = basisJson(job.calculation.inBasis().basis);
    if (r.basisError) {
      j["basis"]["error_estimate"] = r.basisError->value;
      j["basis"]["error_known"] = r.basisError->known;
      j["basis"]["prolapse_estimate"] = r.basisError->prolapse;
    }
  }
  j["orbitals"] = orbitalsJson(r.spinors);
  if (properties) j["properties"] = propertiesJson(properties->tables);
  if (r.limit) {
    j["resolutions"] = resolutionsJson(*r.limit);
  } else {
    j["fock_builder"] = r.provenance.method;
  }
  j["seconds"] = r.seconds("total");
  j["backend"] = r.provenance.backend;
  j["device"] = r.provenance.device;
  j["threads"] = r.provenance.threads;
  for (const StageTime& time : r.timings) j["timings_seconds"][time.id] = time.seconds;
  return j;
}

std::string jsonResult(const ResolvedJob& job, const Result& r, int indent, bool withProperties) {
  Json j = envelope(jobName(job.job.type), {{"input", job.job.text}});
  j.update(resultJson(job, r, withProperties));
  return jsonText(j, indent);
}

}  // namespace prophet
