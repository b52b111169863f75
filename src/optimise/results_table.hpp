#pragma once
#include <string>

#include "service/energy_service.hpp"

namespace prophet {

/// A Markdown table: for every element of the collection `ours`, sizes, number of functions and error of its
/// set and of that in `other`. All energies are computed now, with the nuclear model, speed of light and
/// configuration of our set, and compared with the numerical limit that its file states; elements whose file
/// states none are left out.
std::string resultsTable(const std::string& ours, const std::string& other, EnergyService& service);

}  // namespace prophet
