#pragma once
#include "operations/input/diagnostics.hpp"
#include "operations/input/keywords.hpp"
#include "operations/input/namelist.hpp"
#include "operations/input/settings.hpp"

namespace prophet {

/// Reads one value (not a null one) as a keyword's type and checks its range or choices. Adds an error and
/// returns false if it does not fit; returns false silently for values that were reported before.
bool readValue(const Keyword& keyword, const NamelistValue& value, SettingValue& result,
               Diagnostics& diagnostics);

}  // namespace prophet
