#pragma once
#include <boost/program_options.hpp>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "frontends/app/backend_options.hpp"
#include "frontends/app/command_files.hpp"
#include "frontends/app/rank_command.hpp"
#include "matter/pairs/pair_engine.hpp"
#include "matter/powder/amplitudes.hpp"
#include "operations/execution/rank_place.hpp"
#include "operations/result_file/table_file.hpp"

namespace prophet {

/// Pairs from which on a GPU is faster, its start included.
inline constexpr double kWorthwhilePairs = 3e8;

/// What the commands about many atoms have in common.
struct MatterLine {
  std::string help;  ///< what --help prints; else empty
  std::string file;
  AmplitudeOptions amplitudes{};
  std::string csvFile, jsonFile, hdf5File;
  CommandFiles files{};
  BackendOptions backend{};
  int threads = 0;  ///< 0: not given
  JoinMode mpi = JoinMode::Automatic;
  bool quiet = false;
};

/// Adds --csv, --json, --hdf5, --form-factors, --anomalous, --backend, --device, --threads, --mpi, --quiet.
void addMatterOptions(boost::program_options::options_description& options, const std::string& columns,
                      const std::string& defaultAmplitudes);

/// Reads them and the one file. Throws UsageError; Error for a file of anomalous factors that is none.
void readMatterOptions(const boost::program_options::variables_map& values, const std::string& command,
                       MatterLine& line);

/// A number of an option. Throws UsageError unless it lies above `low` (or at it, with `orEqual`), not above
/// `high`, and is finite.
double numberOption(const boost::program_options::variables_map& values, const std::string& option,
                    double low, bool orEqual, double high = std::numeric_limits<double>::infinity());

/// Momenta of "0:25:0.05" (both ends) or "0,0.5,1", 1/angstrom. Throws UsageError.
Eigen::VectorXd parseMomenta(const std::string& text);

/// Prints warnings to standard error, a line each.
void printWarnings(const std::vector<std::string>& warnings);

/// "Co=0.3,O=0.5". Throws UsageError, also for a name that stands twice.
std::map<std::string, double> parseKindNumbers(const std::string& text, const std::string& option);

/// Where the pairs of this rank are visited: on its part of the GPUs (of --device, or of all) where they are
/// asked for or named, or where `worthwhile` and there are some; else by its part of the processors. `note`:
/// why not, for the output; may stay empty. Throws Error if the GPU is insisted on and there is none.
std::unique_ptr<PairEngine> pairEngineFor(const MatterLine& line, const RankPlace& place, bool worthwhile,
                                          std::string& note);

/// Who visits the pairs of all ranks together.
struct SharedEngine {
  std::unique_ptr<PairEngine> mine, all;  ///< all: with the others; empty on a rank by itself
  std::string note;

  PairEngine& get() { return all ? *all : *mine; }
};

/// pairEngineFor on every rank. `worthwhile` is asked on the first one, if it decides. Throws on all if one
/// fails.
SharedEngine sharedEngineFor(const MatterLine& line, Ranks& ranks, const std::function<bool()>& worthwhile);

/// A command about many atoms on all ranks, each of which runs `body`; the first one opens its outputs and
/// writes. Whatever one of them throws, all end with, as runOnRanks says.
int runMatter(const std::vector<std::string>& arguments, MatterLine& line, const std::exception_ptr& wrong,
              const std::function<void(Ranks&)>& body);

/// The columns as CSV behind comments, numbers as short as they are exact (what is
/// not a number is an empty field); prints to standard output where no
/// file is named.
void writeTable(const MatterLine& line, const std::vector<std::string>& comments,
                const std::vector<TableColumn>& columns, const std::string& json);

/// "5.4e+10 pairs a second", for a line of progress.
std::string rateText(double pairs, double seconds);

}  // namespace prophet
