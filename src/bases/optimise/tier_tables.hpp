#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace prophet {

/// Numbers of s, p, d, ... functions by nuclear charge.
using TierSizes = std::map<int, std::vector<int>>;

/// How many functions of an l.
struct FunctionCount {
  int l = 0, count = 0;
};

/// "2p1f": two p functions and one f function. Throws Error.
std::vector<FunctionCount> parseFunctionCounts(const std::string& text);

// Columns of the tables that tiers are made by: CSV files with the columns Z and those named after a tier, by
// nuclear charge. All throw Error with file and line.

/// The column TIER, whose fields look like "24/20/14/8". An empty field: the tier has no such element.
TierSizes readTierSizes(const std::filesystem::path& file, const std::string& tier);
/// What published sets of these sizes lack (error and prolapse together), hartree: the column TIER_lack;
/// empty where the table has none.
std::map<int, double> readTierLacks(const std::filesystem::path& file, const std::string& tier);
/// Functions for correlation: the column TIER, whose fields look like "2p1f" or are empty.
std::map<int, std::vector<FunctionCount>> readCorrelatingCounts(const std::filesystem::path& file,
                                                                const std::string& tier);
/// Energies of second order of the valence in published sets, hartree: the column TIER_energy; empty where
/// the table has none.
std::map<int, double> readTierEnergies(const std::filesystem::path& file, const std::string& tier);

// The tables that come with the program, in the folder of the collections (empty: where they are installed):
// sizes.csv for the atom's own functions, then those for the valence's correlation, for the outer core, and
// the diffuse ones.
std::filesystem::path tierSizesFile(const std::filesystem::path& basisSets = {});
std::filesystem::path correlatingCountsFile(const std::filesystem::path& basisSets = {});
std::filesystem::path coreCountsFile(const std::filesystem::path& basisSets = {});
std::filesystem::path diffuseCountsFile(const std::filesystem::path& basisSets = {});

}  // namespace prophet
