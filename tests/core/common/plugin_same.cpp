#include "core/common/plugin_library.hpp"
#include "plugin_entry.hpp"

PROPHET_SHOWN const char* cudaprophetBuildTag() { return prophet::kBuildTag; }
