#pragma once
#include <string>

#include "atoms/properties/properties.hpp"

namespace prophet {

/// The properties as a section of the text report, without the values of single spinors.
std::string reportProperties(const Properties& properties);

}  // namespace prophet
