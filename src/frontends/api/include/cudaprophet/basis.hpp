#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cudaprophet/atom.hpp"
#include "cudaprophet/version.hpp"

namespace cudaprophet {

/// A Gaussian basis set: exponents of the large components of s+, p-, p+, d-, d+, ... in this order; the
/// small components follow by kinetic balance.
struct BasisSet {
  std::vector<std::vector<double>> exponents;
  std::string description;  ///< where it comes from, one line
  int charge = 0;           ///< Z of the element whose set it is, and which alone it serves; 0: of any
  std::optional<NuclearModel> nucleus{};  ///< of atoms that name no model; absent: a point
};

/// Parameters of one group of well-tempered exponents: zeta_1 = alpha,
/// zeta_k = zeta_(k-1) beta (1 + gamma (k/M)^delta).
struct LadderGroup {
  double alpha = 0, beta = 0, delta = 0, gamma = 0;
};

/// A well-tempered set; vectors have one entry for each symmetry s+, p-, p+, ...
struct Ladder {
  std::vector<LadderGroup> groups;
  std::vector<int> functions;  ///< how many exponents
  std::vector<int> start;      ///< index of the first one in the ladder, from 1; empty: 1 for all
  std::vector<int> group;      ///< number of the group, from 1; empty: 1 for all
  bool shared = true;          ///< M is the largest last index of a group, not that of each symmetry
};

/// The set of an element from a collection of the library; empty `collection`: the default one; empty
/// `folder`: where cudaprophet is installed. Throws Error if there is no such set.
CUDAPROPHET_API BasisSet basisFromLibrary(int charge, const std::string& collection = "",
                                          const std::filesystem::path& folder = {});
/// Throws Error for counts that do not fit or parameters out of range.
CUDAPROPHET_API BasisSet basisFromLadder(const Ladder& ladder);
/// The set of an element in a file: Basis Set Exchange JSON, NWChem, DIRAC, Gaussian, .basis, .inp or .best
/// of this program; recognised by the content. Of contracted functions the primitives are taken, which l-1/2
/// and l+1/2 share. Throws Error with file and line.
CUDAPROPHET_API BasisSet basisFromFile(const std::filesystem::path& file, int charge);
/// One list for each symmetry s+, p-, p+, ...
CUDAPROPHET_API BasisSet basisFromExponents(std::vector<std::vector<double>> exponents);

}  // namespace cudaprophet
