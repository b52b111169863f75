#pragma once
#include <string>

namespace prophet {

/// Something about a set that is worth a look; no verdict.
struct AuditRemark {
  /// "error_outlier", "prolapse_outlier", "exponent_outlier", "odd_gap", "near_duplicate", "order",
  /// "contracted", ...: stable (docs/basis-audit.md).
  std::string kind;
  std::string list;  ///< "s", "p", "p-", ...; empty: the whole set
  std::string text;  ///< one line with the numbers
};

}  // namespace prophet
