#include "atoms/atom/periodic_rows.hpp"

#include <algorithm>
#include <array>

namespace prophet {
namespace {

struct PeriodicRow {
  int last, l;
};
constexpr std::array<PeriodicRow, 19> kRows = {{{2, 0},
                                                {4, 0},
                                                {10, 1},
                                                {12, 0},
                                                {18, 1},
                                                {20, 0},
                                                {30, 2},
                                                {36, 1},
                                                {38, 0},
                                                {48, 2},
                                                {54, 1},
                                                {56, 0},
                                                {70, 3},
                                                {80, 2},
                                                {86, 1},
                                                {88, 0},
                                                {102, 3},
                                                {112, 2},
                                                {118, 1}}};

}  // namespace

int rowOfBlock(int z) {
  const auto row = std::lower_bound(kRows.begin(), kRows.end(), z,
                                    [](const PeriodicRow& r, int element) { return r.last < element; });
  return static_cast<int>(row - kRows.begin());
}

int blockOf(int z) { return kRows[static_cast<std::size_t>(rowOfBlock(z))].l; }

}  // namespace prophet
