#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/ranks/ranks.hpp"

namespace prophet {

/// Work in numbered tiles on all ranks; every rank calls it and returns when all is done. The first rank
/// hands out `tiles` one by one to whoever is free, itself included, and calls keep(tile, bytes) with what
/// came back, in any order; what the others pass for `tiles` and `keep` does not count. `compute` runs beside
/// `keep` on the first rank. Throws what `compute` or `keep` throw here, and Error on the first rank for what
/// `compute` throws elsewhere; the other ranks then still wait and are to be ended (Ranks::abort).
void shareTiles(Ranks& ranks, const std::vector<int>& tiles, const std::function<std::string(int)>& compute,
                const std::function<void(int, const std::string&)>& keep);

}  // namespace prophet
