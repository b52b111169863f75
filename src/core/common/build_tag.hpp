#pragma once
#include <string>

#include "core/common/version.hpp"

#define PROPHET_TEXT_OF(macro) #macro
#define PROPHET_TEXT(macro) PROPHET_TEXT_OF(macro)

namespace prophet {

/// What the program and a library that it opens must have in common to exchange C++ objects: the version, how
/// the compiler lays objects out (its own ABI, that of std::string, the alignment that Eigen follows).
inline constexpr const char* kBuildTag =
    PROPHET_VERSION ", C++ ABI " PROPHET_TEXT(__GXX_ABI_VERSION) "." PROPHET_TEXT(
        _GLIBCXX_USE_CXX11_ABI) ", alignment " PROPHET_TEXT(__BIGGEST_ALIGNMENT__);

}  // namespace prophet
