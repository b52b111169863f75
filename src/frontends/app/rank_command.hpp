#pragma once
#include <boost/program_options.hpp>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "core/ranks/ranks.hpp"

namespace prophet {

/// Adds --mpi; `what` is shared among the processes.
void addRankOption(boost::program_options::options_description& options, const std::string& what);

/// Reads it. Throws UsageError.
JoinMode readRankOption(const boost::program_options::variables_map& values);

/// A command on all ranks that a launcher started: joins them, sees to it that all have the same command line
/// and runs `body`, whose status must be the same on all. `wrong`: what is wrong with the command line, or
/// nullptr; where it could not be read, neither could its --mpi. An error that all ranks share is reported
/// once; another ends them all. A process by itself throws its errors.
int runOnRanks(const std::vector<std::string>& arguments, JoinMode mode, const std::exception_ptr& wrong,
               const std::function<int(Ranks&)>& body);

}  // namespace prophet
