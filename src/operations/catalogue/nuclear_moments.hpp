#pragma once
#include <string>

#include "atoms/atom/nuclear_moments.hpp"
#include "operations/input/job.hpp"
#include "operations/record/record.hpp"
#include "operations/request/request_table.hpp"

namespace prophet {

/// Settings of a request whose struct has the moments as a base.
template <class Request>
void addNuclearMoments(RequestTable<Request>& t) {
  constexpr double kMostMoment = 100, kMostSpin = 30;
  t.add("moment", &NuclearMoments::moment, "magnetic moment of the nucleus, for hyperfine constants A")
      .called("MU")
      .in("nuclear magnetons")
      .from(-kMostMoment, kMostMoment)
      .byDefault("that of the isotope that is named, if the table has it")
      .onlyWith({"nuclear_spin"});
  t.add("nuclear_spin", &NuclearMoments::spin, "spin I of the nucleus, 3.5")
      .called("I")
      .above(0, kMostSpin)
      .onlyWith({"moment"});
  t.add("quadrupole", &NuclearMoments::quadrupole,
        "quadrupole moment of the nucleus, for hyperfine constants B")
      .called("Q")
      .in("barn")
      .from(-kMostMoment, kMostMoment)
      .byDefault("that of the isotope that is named, if the table has it");
  t.afterwards([](const Request& r) {
    const double twice = 2 * r.spin.value_or(0.5);
    if (twice != static_cast<double>(static_cast<int>(twice)))
      throw SettingError("nuclear_spin", "found " + std::to_string(*r.spin) + "; expected 0.5, 1, 1.5, ...");
  });
}

/// Those that the request gives; what it leaves out is that of the isotope that the job names.
NuclearMoments momentsOf(const NuclearMoments& given, const Job& job);

/// Puts them into a record that has constants of this nucleus; `accuracy`: what people read behind them.
void addMoments(const NuclearMoments& moments, const std::string& accuracy, Record& record);

}  // namespace prophet
