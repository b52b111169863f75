#pragma once
#include "input/diagnostics.hpp"
#include "input/keywords.hpp"
#include "input/namelist.hpp"
#include "input/settings.hpp"

namespace prophet {

/// Reads one value (not a null one) as a keyword's type and checks its range or choices. Adds an error and
/// returns false if it does not fit; returns false silently for values that were reported before.
bool readValue(const Keyword& keyword, const NamelistValue& value, SettingValue& result,
               Diagnostics& diagnostics);

}  // namespace prophet
