#include <fmt/format.h>

#include "operations/input/sections.hpp"

namespace prophet {
namespace {

bool given(const JobReading& reading, const char* group) { return reading.settings.group(group) != nullptr; }

void readWatson(JobReading& reading) {
  const bool charge = reading.require("watson", "charge"), radius = reading.require("watson", "radius");
  if (!charge || !radius) return;
  const Settings& s = reading.settings;
  reading.job.hamiltonian.shell = {s.number("watson", "charge").value_or(0),
                                   s.number("watson", "radius").value_or(1)};
}

void readCrystal(JobReading& reading) {
  const bool file = reading.require("crystal", "file"), site = reading.require("crystal", "site");
  if (!file || !site) return;
  const Settings& s = reading.settings;
  reading.job.crystal = {s.text("crystal", "file").value_or(""), s.text("crystal", "site").value_or(""),
                         s.text("crystal", "charges").value_or("")};
}

}  // namespace

void readEmbedding(JobReading& reading) {
  const bool watson = given(reading, "watson"), crystal = given(reading, "crystal");
  if (watson) readWatson(reading);
  if (crystal) readCrystal(reading);
  if (!watson && !crystal) return;
  const char* group = crystal ? "crystal" : "watson";
  if (watson && crystal)
    return reading.fail(
        "crystal", "", "$crystal beside $watson: both give the charges around the ion; expected one of them");
  const Hamiltonian& h = reading.job.hamiltonian;
  if (!h.isFourComponent())
    return reading.fail(group, "",
                        fmt::format("${} with hamiltonian='{}'; it belongs to hamiltonian='dirac'", group,
                                    nameOf(h.oneElectron)));
  if (reading.job.type == JobType::Limit && h.qed.any() && !h.qedInScf())
    reading.fail(
        group, "",
        fmt::format("${} with QED corrections in first order; expected qedscf=.true. in $contrl", group));
}

}  // namespace prophet
