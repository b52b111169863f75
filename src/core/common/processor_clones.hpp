#pragma once

/// Functions that are compiled for several generations of processors; the right one is taken when the program
/// starts. (clang 14 and the address sanitizer do not have it.)
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define PROPHET_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PROPHET_CLONES
#endif
