#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace prophet {

/// The number that the whole text is, rounded correctly and whatever the locale: -1.5, 2e-3, inf, nan. Empty
/// where it is none (blanks and a leading plus sign included) or too large or small for a double.
std::optional<double> parseDouble(std::string_view text);

/// The finite number that the whole text is. Throws Error, "'x' is no number".
double numberOf(std::string_view text);

/// A number with as many digits as its error lets stand: the last one is the first that the error changes; at
/// most `most` decimals, which a number with an error of zero, or none that is a number, gets.
std::string withinError(double value, double error, int most = 10);

}  // namespace prophet
