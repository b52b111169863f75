#include "app/chain_command.hpp"

#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <cstdio>
#include <sstream>

#include "app/exit_status.hpp"
#include "app/parse_options.hpp"
#include "app/print.hpp"
#include "app/usage_error.hpp"
#include "app/version.hpp"
#include "atom/elements.hpp"
#include "common/stopwatch.hpp"
#include "common/thread_pool.hpp"
#include "optimise/table.hpp"
#include "service/host_service.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

po::options_description chainOptions() {
  po::options_description options("Options");
  // clang-format off
  options.add_options()
      ("help,h", "print this text")
      ("elements", po::value<std::string>()->default_value("1-118"), "elements: 1-10,18,Rn")
      ("out", po::value<std::string>(), "folder for the library files (and state/ for --resume)")
      ("threshold", po::value<double>()->default_value(5e-9), "largest relative error against the numerical limit")
      ("threads", po::value<int>()->default_value(availableThreads()), "elements side by side")
      ("resume", "leave finished elements as they are and go on with begun ones")
      ("quiet,q", "print the finished elements only");
  // clang-format on
  return options;
}

std::string rowLine(const TableRow& r) {
  if (!r.failure.empty()) return fmt::format("{:>3} {:<2} failed: {}\n", r.z, symbolOf(r.z), r.failure);
  if (r.skipped) return fmt::format("{:>3} {:<2} was there\n", r.z, symbolOf(r.z));
  return fmt::format("{:>3} {:<2} {:>4} functions, energy {:.9f}, error {:.2e}{}, {:.1f} s\n", r.z,
                     symbolOf(r.z), r.functions, r.energy, r.error, r.met ? "" : " (threshold missed)",
                     r.seconds);
}

}  // namespace

int chainCommand(const std::vector<std::string>& arguments) {
  const po::options_description options = chainOptions();
  const po::variables_map values = parseOptions(arguments, options, "", "cudaprophet chain");
  if (values.count("help")) {
    std::ostringstream text;
    text << "usage: cudaprophet chain --elements LIST --out FOLDER [options]\n\n"
            "Finds for each element the smallest well-tempered set within the threshold.\n\n"
         << options;
    print(text.str());
    return kSuccess;
  }
  if (!values.count("out"))
    throw UsageError("chain needs --out FOLDER; 'cudaprophet chain --help' tells more");

  TableTask task;
  task.elements = parseElementOption(values["elements"].as<std::string>(), "--elements");
  task.folder = values["out"].as<std::string>();
  task.program = fmt::format("cudaprophet {}", kVersion);
  TableOptions table;
  table.chain.threshold = values["threshold"].as<double>();
  table.threads = values["threads"].as<int>();
  table.resume = values.count("resume") > 0;
  if (table.threads < 1) throw UsageError("--threads takes a number from 1 up");

  TableObserver observer;
  if (!values.count("quiet")) {
    observer.log = [](int z, const std::string& text) {
      print(fmt::format("    {:<2} {}\n", symbolOf(z), text));
    };
  }
  observer.finished = [](const TableRow& row) { print(rowLine(row)); };
  const Stopwatch watch;
  HostEnergyService service(table.threads);
  std::size_t missed = 0;
  const std::vector<TableRow> rows = runTable(task, table, service, observer);
  for (const TableRow& row : rows) missed += row.failure.empty() && (row.skipped || row.met) ? 0 : 1;
  print(fmt::format("{} elements, {} without a set within {:.1e}, {:.1f} s\n", rows.size(), missed,
                    table.chain.threshold, watch.seconds()));
  return missed == 0 ? kSuccess : kNotConverged;
}

}  // namespace prophet
