#pragma once
#include <cstddef>
#include <functional>

namespace prophet {

/// Runs work(0) ... work(count - 1), each in a thread of its own, and waits for all. None begins before all
/// threads are there: throws Error where the system does not give so many, and no work was done then. Else
/// throws what the first of them in order threw.
void sideBySide(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace prophet
