#pragma once

/// How a plugin shows a function.
#define PROPHET_SHOWN extern "C" __attribute__((visibility("default")))

PROPHET_SHOWN int openTestPlugin() { return 42; }
