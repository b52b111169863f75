#include "frontends/app/rank_command.hpp"

#include <fmt/format.h>

#include "core/common/failure.hpp"
#include "core/common/files.hpp"
#include "core/ranks/ranks.hpp"
#include "frontends/app/environment.hpp"
#include "frontends/app/output_stream.hpp"
#include "frontends/app/usage_error.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

/// Ranks that were meant as runs of their own must not be taken for one: only rank 0's would be done.
void refuseOtherCommandLines(const std::vector<std::string>& arguments, Ranks& ranks) {
  std::string mine;
  for (const std::string& argument : arguments) mine += argument + "\n";
  const std::string first = fromFirst(ranks, mine);
  together(ranks, [&] {
    if (mine != first)
      throw UsageError(
          "the processes were started with different command lines; --mpi off makes each of them an "
          "independent run");
  });
}

std::unique_ptr<Ranks> join(JoinMode mode, const std::exception_ptr& wrong) {
  try {
    return joinRanks(mode, environment::launch(), environment::mpiLibrary());
  } catch (const Error&) {
    if (wrong) std::rethrow_exception(wrong);
    throw;
  }
}

}  // namespace

void addRankOption(po::options_description& options, const std::string& what) {
  options.add_options()(
      "mpi", po::value<std::string>()->value_name("NAME"),
      ("auto, on or off: share " + what + " among the processes that mpirun or srun started (default: auto)")
          .c_str());
}

JoinMode readRankOption(const po::variables_map& values) {
  const std::string text = values.count("mpi") ? values["mpi"].as<std::string>() : "auto";
  if (text == "auto") return JoinMode::Automatic;
  if (text == "on") return JoinMode::On;
  if (text == "off") return JoinMode::Off;
  throw UsageError("--mpi takes auto, on or off, not '" + text + "'");
}

int runOnRanks(const std::vector<std::string>& arguments, JoinMode mode, const std::exception_ptr& wrong,
               const std::function<int(Ranks&)>& body) {
  const std::unique_ptr<Ranks> ranks = join(mode, wrong);
  try {
    agree(*ranks, wrong);
    refuseOtherCommandLines(arguments, *ranks);
    return body(*ranks);
  } catch (const SharedError& e) {
    if (ranks->rank() == 0) complain(e.status, e.what());
    // No rank ends, and has the launcher end the others, before the first has spoken.
    ranks->allGather("");
    return e.status;
  } catch (const std::exception& e) {
    if (ranks->size() == 1) throw;
    complain(kFailure, fmt::format("rank {}: {}", ranks->rank(), e.what()));
    ranks->abort(kFailure);
  }
}

}  // namespace prophet
