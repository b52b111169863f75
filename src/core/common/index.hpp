#pragma once
#include <cstddef>

namespace prophet {

/// A count or an index that is not negative, as containers of the standard library take it.
template <class Number>
constexpr std::size_t usize(Number value) {
  return static_cast<std::size_t>(value);
}

}  // namespace prophet
