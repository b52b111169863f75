#pragma once
#include <boost/program_options.hpp>
#include <limits>
#include <map>
#include <string>

namespace prophet {

/// A number of an option. Throws UsageError unless it lies above `low` (or at it, with `orEqual`), not above
/// `high`, and is finite.
double numberOption(const boost::program_options::variables_map& values, const std::string& option,
                    double low, bool orEqual, double high = std::numeric_limits<double>::infinity());

/// "Co=0.3,O=0.5". Throws UsageError, also for a name that stands twice.
std::map<std::string, double> parseKindNumbers(const std::string& text, const std::string& option);

}  // namespace prophet
