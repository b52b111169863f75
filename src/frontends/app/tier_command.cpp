#include "frontends/app/tier_command.hpp"

#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <sstream>

#include "bases/optimise/sized_maker.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/version.hpp"
#include "frontends/app/backend_options.hpp"
#include "frontends/app/collection_run.hpp"
#include "frontends/app/environment.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/signals.hpp"
#include "frontends/app/usage_error.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

po::options_description tierOptions() {
  po::options_description options("Options");
  // clang-format off
  options.add_options()
      ("help,h", "print this text")
      ("sizes", po::value<std::string>()->value_name("FILE"), "another table of sizes: CSV with the columns Z and TIER, fields like 24/20/14/8")
      ("threshold", po::value<double>()->value_name("NUMBER"), "add functions until the error is this share of the limit or less, as in --threshold 5e-9; without TIER from the sizes of the default collection")
      ("elements", po::value<std::string>()->value_name("LIST")->default_value("1-118"), "elements: 1-10,18,Rn")
      ("out", po::value<std::string>()->value_name("FOLDER"), "folder for the files")
      ("prolapse", po::value<double>()->value_name("NUMBER"), "least energy with at most this prolapse, a share of the error, as in --prolapse 0.01; default: least lack, error and prolapse together")
      ("from", po::value<std::string>()->value_name("NAME"), "collection whose sets the searches start from, as in --from prophet-tz; default: ladders")
      ("correlating", po::value<int>()->value_name("N"), "0 to 3 sets of polarising and correlating functions for molecules, as groups of their own (default: 1, 2, 3 with dz, tz, qz, else 0)")
      ("gradient", po::value<double>()->value_name("NUMBER")->default_value(1e-6, "1e-6"), "largest derivative of the energy at the end, hartree")
      ("resume", "leave finished elements as they are")
      ("quiet,q", "print the finished elements only")
      ("threads", po::value<int>()->value_name("N"), "elements side by side (default: all processors)");
  // clang-format on
  return options;
}

std::string helpText(const po::options_description& options) {
  std::ostringstream text;
  text << "usage: cudaprophet tier (TIER | --threshold ERROR) --out FOLDER [options]\n\n"
          "Makes for each element a basis set of given size, every exponent optimised for the neutral atom, "
          "the\n"
          "same exponents for both j: what the set lacks, its error against the limit and its prolapse, is "
          "as\n"
          "little as can be. TIER: dz, tz or qz of the table that comes with the program (the sizes of the "
          "Dyall\n"
          "sets), or a column of --sizes FILE.\n\n"
       << options;
  return text.str();
}

double numberAbove0(const po::variables_map& values, const char* option, double most) {
  const double value = values[option].as<double>();
  if (!(value > 0.0 && value < most))
    throw UsageError(
        fmt::format("--{} takes a number above 0 and below {:g}, not {:g}", option, most, value));
  return value;
}

int correlatingSets(const std::string& tier, const po::variables_map& values) {
  if (!values.count("correlating")) return tier == "dz" ? 1 : tier == "tz" ? 2 : tier == "qz" ? 3 : 0;
  const int sets = values["correlating"].as<int>();
  if (sets < 0 || sets > 3)
    throw UsageError(fmt::format("--correlating takes a number from 0 to 3, not {}", sets));
  return sets;
}

SizedMakerOptions makerOptions(const std::string& tier, const po::variables_map& values,
                               const CollectionTask& task) {
  SizedMakerOptions options;
  options.basisSets = environment::basisSets();
  if (values.count("threshold")) options.threshold = numberAbove0(values, "threshold", 1.0);
  if (values.count("prolapse")) options.prolapse = numberAbove0(values, "prolapse", 1.0);
  options.tolerance = numberAbove0(values, "gradient", 1.0);
  options.correlatingSets = correlatingSets(tier, values);
  options.limits = limitsOf("", task.model, task.c, options.basisSets);
  if (tier.empty()) {
    options.sizes = sizesOfDefaultSets(options.basisSets);
    options.sizesFrom = fmt::format("of the default collection and more, threshold {}", *options.threshold);
    return options;
  }
  const std::filesystem::path table = values.count("sizes")
                                          ? std::filesystem::path(values["sizes"].as<std::string>())
                                          : tierSizesFile(options.basisSets);
  options.sizes = readTierSizes(table, tier);
  options.lacks = readTierLacks(table, tier);
  options.sizesFrom = fmt::format("{} of {}", tier, table.filename().string());
  if (values.count("from")) {
    options.startFrom = values["from"].as<std::string>();
    libraryElements(options.startFrom, options.basisSets);  // throws where there is no such collection
  }
  return options;
}

}  // namespace

int tierCommand(const std::vector<std::string>& arguments) {
  const po::options_description options = tierOptions();
  const po::variables_map values = parseOptions(arguments, options, "tiers", "cudaprophet tier");
  if (values.count("help")) {
    print(helpText(options));
    return kSuccess;
  }
  const auto tiers =
      values.count("tiers") ? values["tiers"].as<std::vector<std::string>>() : std::vector<std::string>{};
  const bool bySizes = tiers.size() == 1, byThreshold = tiers.empty() && values.count("threshold");
  if (!values.count("out") || !(bySizes || byThreshold))
    throw UsageError(
        "tier needs --out FOLDER, and one tier or --threshold, as in: cudaprophet tier dz --out FOLDER");
  if (byThreshold && values.count("sizes")) throw UsageError("--sizes needs a tier, the column of its table");
  CollectionTask task;
  task.elements = parseElementOption(values["elements"].as<std::string>(), "--elements");
  task.folder = values["out"].as<std::string>();
  task.program = fmt::format("cudaprophet {}", kVersion);
  CollectionOptions collection;
  collection.threads = readThreads(values);
  collection.resume = values.count("resume") > 0;
  const SizedMaker maker(makerOptions(bySizes ? tiers.front() : "", values, task));
  const Stopwatch watch;
  const ResumeHint hint("the same command with --resume goes on");
  const std::vector<CollectionRow> rows = runAndPrint(task, collection, maker, values.count("quiet") > 0);
  const std::size_t missed = missedIn(rows);
  print(fmt::format("{} element{}, {} without a set, {:.1f} s\n", rows.size(), rows.size() == 1 ? "" : "s",
                    missed, watch.seconds()));
  return missed == 0 ? kSuccess : kNotConverged;
}

}  // namespace prophet
