#pragma once
#include <optional>
#include <string_view>

namespace prophet {

/// A Fortran real: 1, -1.5, .5, 1.0d-5, 1E+3, 1+3; empty if the text is not one, or is infinite or too large.
std::optional<double> parseReal(std::string_view text);

/// A Fortran integer; empty if the text is not one or has more than nine digits.
std::optional<int> parseInteger(std::string_view text);

/// A Fortran logical: .true., true, .t., t and the same for false, in upper or lower case.
std::optional<bool> parseLogical(std::string_view text);

}  // namespace prophet
