#pragma once
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/basis/basis_set.hpp"
#include "bases/formats/exchange_formats.hpp"

namespace prophet {

/// One list of exponents of a set: for l-1/2 and l+1/2 together where both have the same, else for each.
struct ExponentList {
  std::string label;  ///< "p" of a shared list; "p-", "p+"
  int l = 0;
  std::vector<int> symmetries;    ///< places in the basis set
  std::vector<double> exponents;  ///< bohr^-2, descending
  bool occupied = false;          ///< whether electrons are in one of its symmetries
};

std::vector<ExponentList> exponentLists(const BasisSet& basis, const Configuration& configuration);

/// "34s 31p 21d 14f": the sizes of occupied lists.
std::string occupiedSizes(const std::vector<ExponentList>& lists);

struct SmallestOverlap {
  double eigenvalue = 1.0;
  std::string list;
};

/// Smallest eigenvalue of the overlap matrices of all lists (normalised primitives), and whose it is.
SmallestOverlap smallestOverlapOf(const std::vector<ExponentList>& lists);

/// Something about a set that is worth a look; no verdict.
struct AuditRemark {
  /// "error_outlier", "prolapse_outlier", "exponent_outlier", "odd_gap", "near_duplicate", "order",
  /// "contracted", ...: stable (docs/how-to/basis-audit.md).
  std::string kind;
  std::string list;  ///< "s", "p", "p-", ...; empty: the whole set
  std::string text;  ///< one line with the numbers
};

/// Median; 0 of nothing.
double median(std::vector<double> values);

struct TrendPoint {
  int z = 0;
  double value = 0;
};

/// What the others lead to expect at one element, and how much they scatter about it.
struct TrendValue {
  double expected = 0;
  double scatter = 0;  ///< median absolute deviation of the others from their line
};

/// The line through the other elements of the same row of a block (rowOfBlock), at most four places away:
/// median of all slopes between them, then median of the values carried along it (Theil and Sen; one wrong
/// neighbour in four does not move it). Empty where there are fewer than three of them.
std::optional<TrendValue> trendAt(int z, const std::vector<TrendPoint>& points);

/// A gap is odd where ln of the ratio of two neighbouring exponents is above or below these multiples of the
/// median of the four nearest other gaps of its list.
constexpr double kWideGap = 1.8, kNarrowGap = 0.5;
/// Two exponents closer than this ratio are near-duplicates.
constexpr double kNearDuplicate = 1.1;

/// Odd gaps (occupied lists of six exponents or more) and near-duplicates (all lists).
std::vector<AuditRemark> gapRemarks(const std::vector<ExponentList>& lists);

/// What the shells of a file have to say: exponents of one shell that neither fall nor rise throughout (an
/// order error), and contractions, which the audit leaves out.
std::vector<AuditRemark> shellRemarks(const ElementBasis& file);

}  // namespace prophet
