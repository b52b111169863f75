#pragma once
#include <optional>
#include <vector>

namespace prophet {

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

}  // namespace prophet
