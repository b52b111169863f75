#pragma once
#include <string>

#include "operations/jobs/resolve.hpp"

namespace prophet {

/// The settings of a chain as text; printed before it starts.
std::string reportChainJob(const std::string& version, const ResolvedJob& job);

}  // namespace prophet
