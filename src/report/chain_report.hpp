#pragma once
#include <string>

#include "jobs/resolve.hpp"

namespace prophet {

/// What a chain is about to do, as text; printed before it starts.
std::string reportChainJob(const std::string& version, const ResolvedJob& job);

}  // namespace prophet
