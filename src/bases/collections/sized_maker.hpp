#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bases/collections/collection.hpp"
#include "bases/optimise/exponent_search.hpp"
#include "bases/optimise/tier_tables.hpp"

namespace prophet {

struct SizedMakerOptions {
  TierSizes sizes;        ///< by charge
  std::string sizesFrom;  ///< for the provenance: "dz of sizes.csv"
  /// Where it is given, functions are added until the error is this share of the limit or less.
  std::optional<double> threshold;
  std::map<int, double> limits;  ///< numerical energies by charge, hartree
  /// Most prolapse, as a share of the error; nothing: what the set lacks is minimised, error and prolapse
  /// together, and the prolapse weighted more where the energy would come out below the limit.
  std::optional<double> prolapse;
  /// What a set of the same size is known to lack, by charge, hartree: where this is more than ours lacks,
  /// errors of the valence are weighted, and the prolapse until it is a hundredth of the error, if the set
  /// then still lacks no more. Not the valence of the first group, which has one electron.
  std::map<int, double> lacks;
  /// Collection whose sets of the same sizes searches start from; empty: from ladders.
  std::string startFrom;
  int correlatingSets = 0;  ///< 1 to 3: with functions for molecules (correlatingFunctions); 0: none
  double tolerance = 1e-6;  ///< largest derivative of the energy at the end, hartree
  /// What the request has other than by default, of the two above: files say it, so that a later run does not
  /// take its sets for others. "correlating=1 gradient=1e-05"; empty: nothing.
  std::string settings;
  /// Folder of the collections, for the sets that searches start from; empty: where they are installed.
  std::filesystem::path basisSets;
};

/// Sets of given sizes for programs that know one list of exponents for each l: all exponents are optimised
/// (searchExponents) for what the set lacks of the neutral atom's complete basis, its error and its prolapse
/// together, or for the SCF energy with the prolapse kept below a share of the error. The search starts from
/// a well-tempered ladder for each l with the ends of the library's default set, optimised first: its few
/// variables lead to the right minimum of many. With a threshold the ladders themselves are the set, and one
/// function at a time is added to the l that lacks most.
class SizedMaker : public SetMaker {
 public:
  struct Found {
    ExponentSearchResult result;
    bool withoutProlapse = false;  ///< the prolapse was weighted until it was a hundredth of the error
    double valenceWeight = 0;      ///< of what the valence lacks, beyond that of all other shells
  };
  explicit SizedMaker(SizedMakerOptions options) : options_(std::move(options)) {}
  MadeSet make(const SetRequest& request) const override;
  bool complete(LibraryEntry& entry, const AtomProblem& problem) const override;
  std::string whyNotFinished(const LibraryEntry& entry) const override;

 private:
  WellTemperedSpec ladders(int z, const std::vector<int>& sizes) const;
  const std::vector<int>& sizesOf(int z) const;
  MadeSet makeWith(const std::vector<int>& sizes, const SetRequest& request) const;
  Found search(const SetRequest& request, const WellTemperedSpec& first, double limit) const;
  std::string otherRequest(const LibraryEntry& entry) const;
  std::optional<BasisSet> startOf(int z, const std::vector<int>& sizes) const;

  SizedMakerOptions options_;
};

/// For a shared list of each l as many functions as the larger one of the two symmetries has in the default
/// collection.
TierSizes sizesOfDefaultSets(const std::filesystem::path& basisSets = {});

/// Lists (ascending) with one function moved from one side of a shell's gap to the other, either way, the
/// functions of each side spread anew: other minima may lie there. The gap: the ratio that stands out most
/// from those beside it. Empty for lists of fewer than 6.
std::vector<std::vector<double>> movedAcrossGap(const std::vector<double>& exponents);

/// `count` exponents spread evenly over a list (ascending) by position, ln zeta interpolated: its pattern
/// with fewer or more functions, half a spacing inside its ends.
std::vector<double> stretched(const std::vector<double>& exponents, int count);

}  // namespace prophet
