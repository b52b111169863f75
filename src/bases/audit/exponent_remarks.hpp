#pragma once
#include <vector>

#include "bases/audit/exponent_lists.hpp"
#include "bases/audit/remark.hpp"
#include "bases/formats/exchange_formats.hpp"

namespace prophet {

/// A gap is odd where ln of the ratio of two neighbouring exponents is above or below these multiples of the
/// median of the four nearest other gaps of its list.
constexpr double kWideGap = 1.8, kNarrowGap = 0.5;
/// Two exponents closer than this ratio are near-duplicates.
constexpr double kNearDuplicate = 1.1;

/// Odd gaps (occupied lists of six exponents or more) and near-duplicates (all lists).
std::vector<AuditRemark> gapRemarks(const std::vector<ExponentList>& lists);

/// What the shells of a file have to say: exponents of one shell that neither fall nor rise throughout (an
/// order error), and contractions, which the audit leaves out.
std::vector<AuditRemark> shellRemarks(const ElementBasis& file);

}  // namespace prophet
