#pragma once
#include <vector>

#include "bases/audit/audit.hpp"

namespace prophet {

/// An error or a prolapse of one l is an outlier where it is above this multiple of what its neighbours in
/// the row lead to expect, by more than kScatters times their own scatter (in the logarithm) ...
constexpr double kOutlierFactor = 3.0, kScatters = 5.0;
/// ... and by more than this share of the energy, or this many hartree, whichever is larger.
constexpr double kOutlierShare = 2e-9, kOutlierHartree = 1e-6;
/// An exponent is one where it lies further from its neighbours' trend, in ln zeta, than this share of the
/// gaps beside it and kScatters times the scatter.
constexpr double kExponentShare = 0.3;

/// Adds to the rows of one set (any order of elements) what stands out against the trend along the row of a
/// block: errors and prolapse of each l, and single exponents of lists of equal size.
void addTrendRemarks(std::vector<AuditRow>& rows);

}  // namespace prophet
