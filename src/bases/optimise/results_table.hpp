#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "atoms/service/energy_service.hpp"

namespace prophet {

/// `cudaprophet basis table`: a Markdown table: for every element of the collection `ours` (empty: the
/// default one; of `elements` only, where any are named), sizes, number of functions and error of its set and
/// of that in `other` (empty: none). All energies are computed now, with the nuclear model, speed of light
/// and configuration of our set, and compared with the numerical limit that its file states; elements whose
/// file states none are left out. `basisSets`: folder of the collections; empty: where they are installed.
/// `progress`: called with the number of finished energies, and of all.
std::string resultsTable(const std::string& ours, const std::string& other, EnergyService& service,
                         const std::vector<int>& elements = {}, const std::filesystem::path& basisSets = {},
                         const std::function<void(std::size_t, std::size_t)>& progress = {});

}  // namespace prophet
