#pragma once
#include <optional>
#include <string>

#include "atoms/atom/atomic_masses.hpp"
#include "atoms/levels/levels.hpp"
#include "core/common/constants.hpp"
#include "operations/record/record.hpp"
#include "operations/request/request_table.hpp"

namespace prophet {

/// Whether levels and lines have what their isotope shifts are made of.
struct IsotopeRequest {
  bool isotopeShifts = false;
};

/// The setting of a request whose struct has it as a base.
template <class Request>
void addIsotopeSettings(RequestTable<Request>& t) {
  t.add("isotope_shifts", &IsotopeRequest::isotopeShifts,
        "also give what isotope shifts are made of: factors of normal and specific mass shift, with "
        "relativistic recoil, and field-shift factors");
}

/// 1 hartree electron mass in GHz dalton, 1 hartree/bohr^2 in MHz/fm^2.
inline constexpr double kMassShiftUnit = 1e-3 * constants::kMegahertzPerHartree * kElectronMass;
inline constexpr double kFieldShiftFactorUnit =
    constants::kMegahertzPerHartree / (constants::kFemtometresPerBohr * constants::kFemtometresPerBohr);

/// Names of the three in tables and JSON.
inline constexpr const char *kNormalShift = "K_NMS_GHz_u", *kSpecificShift = "K_SMS_GHz_u",
                            *kFieldShift = "F_MHz_per_fm^2";

/// What the upper level has more than the lower one; empty where one of them has none.
std::optional<IsotopeShift> shiftBetween(const std::optional<IsotopeShift>& upper,
                                         const std::optional<IsotopeShift>& lower);
/// The three for a report, below the headings "NMS [GHz u]", "SMS [GHz u]" and "F [MHz/fm^2]" of 13, 13 and
/// 12 letters with two blanks between them.
std::string isotopeHeading();
std::string isotopeCells(const std::optional<IsotopeShift>& shift);

/// Adds the columns of the three to a table. `shiftOf`: std::optional<IsotopeShift> of a row; `ofWhat` stands
/// behind the meanings.
template <class Rows, class ShiftOf>
void addIsotopeColumns(const Rows& rows, const char* ofWhat, const ShiftOf& shiftOf, Table& table) {
  const auto add = [&](const char* key, const char* unit, const std::string& meaning, const auto& valueOf) {
    table.columns.push_back(columnOf(rows, {key, unit, meaning + ofWhat}, [&](const auto& row) {
      const std::optional<IsotopeShift> shift = shiftOf(row);
      return shift ? valueOf(*shift) : std::optional<double>();
    }));
  };
  using Value = std::optional<double>;
  add(kNormalShift, "GHz*u", "normal mass shift (recoil of single electrons) times the mass of the nucleus",
      [](const IsotopeShift& s) { return Value(kMassShiftUnit * s.normal); });
  add(kSpecificShift, "GHz*u", "specific mass shift (recoil of pairs of electrons) times the mass",
      [](const IsotopeShift& s) { return Value(kMassShiftUnit * s.specific); });
  add(kFieldShift, "MHz/fm^2", "field-shift factor, dE/d<r^2> of the nucleus; none of a point",
      [](const IsotopeShift& s) { return s.field ? Value(kFieldShiftFactorUnit * *s.field) : Value(); });
}

/// Puts what is known of their accuracy into a record that has them. `correlated`: whether they have the
/// core's correlation with the valence electrons.
void addIsotopeAccuracy(bool wanted, bool correlated, Record& record);

}  // namespace prophet
