#pragma once
#include <string>
#include <string_view>

namespace prophet {

/// English name of element Z = 1 .. 118 in lower case, "iron"; throws Error outside.
const std::string& nameOfElement(int z);

/// Z of the element that a word means which is no symbol: its name ("iron", "aluminum", "irn"), its
/// systematic symbol or name ("Uuo", "ununoctium"), or D and T of hydrogen; 0 where nothing is likely.
int elementMeantBy(std::string_view word);

}  // namespace prophet
