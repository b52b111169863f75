#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace prophet {

/// Numbers of s, p, d, ... functions by nuclear charge.
using TierSizes = std::map<int, std::vector<int>>;

/// One column of a table of sizes: a CSV file with the columns Z and the tiers, whose fields look like
/// "24/20/14/8". An empty field: the tier has no such element. Throws Error with file and line.
TierSizes readTierSizes(const std::filesystem::path& file, const std::string& tier);

/// What published sets of these sizes lack (error and prolapse together), hartree, by nuclear charge: the
/// column TIER_lack; empty where the table has none. Throws Error with file and line.
std::map<int, double> readTierLacks(const std::filesystem::path& file, const std::string& tier);

/// The table that comes with the program (basis_sets/sizes.csv: dz, tz, qz); `basisSets`: folder of the
/// collections; empty: where they are installed.
std::filesystem::path tierSizesFile(const std::filesystem::path& basisSets = {});

}  // namespace prophet
