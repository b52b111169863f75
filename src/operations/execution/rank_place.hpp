#pragma once
#include <string>
#include <vector>

#include "core/ranks/ranks.hpp"

namespace prophet {

/// A rank's share of its machine.
struct RankPlace {
  int local = 0, locals = 1;  ///< its number among the machine's ranks, and how many those are
  int threads = 1;            ///< its part of the processors that they may use
  int machines = 1;           ///< of all ranks together
  std::string hint;           ///< if mpirun withholds processors from them; else empty
};

/// Every rank calls it. `byMpirun`: whether mpirun started them, and may have bound them to processors.
RankPlace placeOf(Ranks& ranks, bool byMpirun = false);

/// How many of its processors `mine` has to itself: each counts 1 over the number of ranks that may use it.
/// `processors`: numbers of those that each of a machine's ranks may use. At least 1.
int shareOfProcessors(const std::vector<std::vector<int>>& processors, std::size_t mine);

/// The GPUs of one of a machine's ranks: every GPU goes to one rank, or every rank to one GPU if there are
/// more ranks than GPUs.
std::vector<int> shareOfDevices(const std::vector<int>& devices, const RankPlace& place);

}  // namespace prophet
