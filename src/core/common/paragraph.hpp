#pragma once
#include <cstddef>
#include <string>

namespace prophet {

/// The words of a text in lines of at most `width` characters where words let them, each but the first after
/// `indent`; no newline at the end.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent = "");

}  // namespace prophet
