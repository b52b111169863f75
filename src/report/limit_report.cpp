#include "report/limit_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "calculation/limit_run.hpp"
#include "report/beyond_coulomb_text.hpp"
#include "report/json_parts.hpp"
#include "report/text_parts.hpp"

namespace prophet {
namespace {

std::string resolutionTable(const LimitResult& r) {
  std::string text = fmt::format("  {:>5} {:>8} {:>7} {:>11} {:>10} {:>14} {:>22}\n", "cells", "splines",
                                 "points", "iterations", "residual", "radius / bohr", "energy / hartree");
  for (const LimitResolution& s : r.resolutions) {
    text += fmt::format("  {:>5} {:>8} {:>7} {:>11} {:>10.1e} {:>14.1f} {:>22.10f}\n", s.cells, s.splines,
                        s.points, s.iterations, s.residual, s.largestRadius, s.energy);
  }
  return text;
}

std::string limitSpinorTable(const LimitResult& r) {
  std::string text = fmt::format("  {:<8} {:>11} {:>20} {:>14} {:>15} {:>15}\n", "spinor", "occupation",
                                 "energy / hartree", "<r> / bohr", "<r^2> / bohr^2", "<1/r> bohr");
  for (const LimitSpinor& s : r.spinors) {
    text += fmt::format("  {:<8} {:>11.6f} {:>20.10f} {:>14.9f} {:>15.9f} {:>15.8f}\n", s.label, s.occupation,
                        s.energy, s.meanRadius, s.meanSquareRadius, s.meanInverseRadius);
  }
  return text;
}

Json spinorsJson(const LimitResult& r) {
  Json list = Json::array();
  for (const LimitSpinor& s : r.spinors) {
    list.push_back({{"label", s.label},
                    {"kappa", s.kappa},
                    {"occupation", s.occupation},
                    {"energy", s.energy},
                    {"mean_radius", s.meanRadius},
                    {"mean_square_radius", s.meanSquareRadius},
                    {"mean_inverse_radius", s.meanInverseRadius}});
  }
  return list;
}

Json resolutionsJson(const LimitResult& r) {
  Json list = Json::array();
  for (const LimitResolution& s : r.resolutions) {
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

Json energyPartsJson(const LimitEnergyParts& parts, const std::vector<EnergyCorrection>& corrections) {
  Json j{{"kinetic", parts.kinetic}, {"nuclear", parts.nuclear}, {"two_electron", parts.twoElectron}};
  for (const EnergyCorrection& part : corrections) j[part.key()] = part.value;
  return j;
}

}  // namespace

std::string reportLimitJob(const std::string& version, const Calculation& c) {
  std::string text = fmt::format("CUDAProphet {}: numerical Dirac-Hartree-Fock limit of an atom\n\n{}\n",
                                 version, c.job.title);
  text += textRule("Job");
  text += keyValue("input", c.job.file);
  text += keyValue("atom", atomName(c));
  text += keyValue("nucleus", c.nucleus.description());
  text += keyValue("configuration", c.configuration.description);
  text += keyValue("Hamiltonian", hamiltonianText(c.job.beyondCoulomb) + ", rest mass subtracted");
  if (c.job.beyondCoulomb.qed.any()) text += keyValue("QED", qedText(c.job.beyondCoulomb));
  text += keyValue("speed of light", fmt::format("{:.8f}", c.job.speedOfLight));
  text += keyValue("method", "B-splines in ln r, complete basis, two resolutions");
  text += keyValue("iterations, at most", fmt::format("{} at each resolution", c.job.scf.maxIterations));
  for (const std::string& choice : c.choices) text += keyValue("chosen for you", choice);
  return text + "\n" + occupationTable(c.configuration);
}

std::string reportLimit(const Calculation& c, const LimitResult& r, double seconds) {
  std::string text = textRule("Result") + resolutionTable(r) + "\n";
  text += keyValue("total energy", fmt::format("{:.10f} hartree", r.energy));
  text += keyValue("  estimated error", fmt::format("{:.1e} hartree, {:.1e} of the energy", r.estimatedError,
                                                    r.estimatedError / std::abs(r.energy)));
  text += energyPartLines({r.energy, r.parts.kinetic, r.parts.nuclear, r.parts.twoElectron},
                          limitCorrections(c, r));
  text += keyValue("virial ratio",
                   fmt::format("{:.12f}   (-V/<c alpha.p>; 1 for a point nucleus)", r.virialRatio));
  text += keyValue("time", fmt::format("{:.2f} s", seconds));
  return text + "\n" + limitSpinorTable(r);
}

std::string jsonLimit(const std::string& version, const Calculation& c, const LimitResult& r, double seconds,
                      int indent) {
  Json j{{"program", "CUDAProphet"}, {"version", version}, {"input", c.job.file}, {"title", c.job.title}};
  j["job"] = "limit";
  j["energy"] = r.energy;
  j["estimated_error"] = r.estimatedError;
  j["converged"] = r.converged;
  j["energy_parts"] = energyPartsJson(r.parts, limitCorrections(c, r));
  j["total_with_corrections"] = r.energy + r.firstOrder;
  j["treatment"] = {{"breit", breitTreatment(c.job.beyondCoulomb)},
                    {"qed", qedTreatment(c.job.beyondCoulomb)}};
  j["virial_ratio"] = r.virialRatio;
  j["speed_of_light"] = c.job.speedOfLight;
  j["hamiltonian"] = "Dirac-" + nameOf(scfOperator(c.job.beyondCoulomb));
  j["nucleus"] = nucleusJson(c.nucleus);
  j["configuration"] = configurationJson(c.configuration);
  j["resolutions"] = resolutionsJson(r);
  j["orbitals"] = spinorsJson(r);
  j["seconds"] = seconds;
  return j.dump(indent);
}

}  // namespace prophet
