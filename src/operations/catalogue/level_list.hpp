#pragma once
#include "atoms/levels/levels.hpp"
#include "operations/record/record.hpp"

namespace prophet {

/// A level as every JSON document with levels has it; `hasError`: whether basis-set errors were computed.
Json levelJson(const LevelSpace& space, const Level& level, bool hasError);

}  // namespace prophet
