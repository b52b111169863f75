#include "core/common/build_tag.hpp"
#include "plugin_entry.hpp"

PROPHET_SHOWN const char* cudaprophetBuildTag() { return prophet::kBuildTag; }
