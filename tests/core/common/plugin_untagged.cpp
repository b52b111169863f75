#include "plugin_entry.hpp"
