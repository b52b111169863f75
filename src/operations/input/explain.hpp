#pragma once
#include <string>

namespace prophet {

/// The text of `--explain GROUP`: the keywords of a group ("nuc" or "$nuc", upper or lower case), from the
/// table that the parser uses. Without a name: all groups. Throws Error, naming the nearest group, for an
/// unknown name. Ends with a newline.
std::string explainGroup(const std::string& group = "");

}  // namespace prophet
