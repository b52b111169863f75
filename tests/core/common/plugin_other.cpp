#include "plugin_entry.hpp"

PROPHET_SHOWN const char* cudaprophetBuildTag() { return "0.0.9, C++ ABI 1016.1, alignment 16"; }
