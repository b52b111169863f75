#include "operations/catalogue/nuclear_moments.hpp"

#include <fmt/format.h>

#include "atoms/atom/elements.hpp"

namespace prophet {

NuclearMoments momentsOf(const NuclearMoments& given, const Job& job) {
  const auto z = elementOfCharge(job.nucleus.charge);
  const double massNumber = job.nucleus.massNumber.value_or(0);
  NuclearMoments moments = given;
  if (!z || massNumber == 0 || massNumber != static_cast<int>(massNumber)) return moments;
  const NuclearMoments known = nuclearMoments(*z, static_cast<int>(massNumber));
  if (!moments.moment && known.moment) {
    moments.moment = known.moment;
    moments.spin = known.spin;
  }
  if (!moments.quadrupole) moments.quadrupole = known.quadrupole;
  return moments;
}

void addMoments(const NuclearMoments& moments, const std::string& accuracy, Record& record) {
  if (!moments.any()) return;
  Json json = Json::object();
  std::string text;
  if (moments.moment) {
    json["spin"] = *moments.spin;
    json["magnetic_dipole"] = *moments.moment;
    text = fmt::format("A for mu = {:g} nuclear magnetons, I = {:g}", *moments.moment, *moments.spin);
  }
  if (moments.quadrupole) {
    json["electric_quadrupole"] = *moments.quadrupole;
    text += fmt::format("{}B for Q = {:g} barn", text.empty() ? "" : "; ", *moments.quadrupole);
  }
  if (!accuracy.empty()) text += "; " + accuracy;
  record.quantities.push_back({"nuclear_moments", "hyperfine constants", std::move(json), text});
}

}  // namespace prophet
