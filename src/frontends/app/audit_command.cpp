#include "frontends/app/audit_command.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <sstream>

#include "atoms/service/host_service.hpp"
#include "bases/audit/audit_table.hpp"
#include "core/common/error.hpp"
#include "core/common/version.hpp"
#include "frontends/app/backend_options.hpp"
#include "frontends/app/command_files.hpp"
#include "frontends/app/environment.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/progress_line.hpp"
#include "frontends/app/usage_error.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

po::options_description auditOptions() {
  po::options_description options("Options");
  // clang-format off
  options.add_options()
      ("help,h", "print this text")
      ("elements", po::value<std::string>()->value_name("LIST"), "elements: 1-10,18,Rn (default: all that a set has)")
      ("nucleus", po::value<std::string>()->value_name("NAME")->default_value("gaussian"), "point, gaussian, sphere or fermi")
      ("limits", po::value<std::string>()->value_name("NAME")->default_value("known"),
       "known: the table shipped with the program (neutral atoms, Gaussian and point nuclei), computed where it has "
       "none; compute: all; estimate: none, the estimated error stands for the distance")
      ("no-gradient", "leave the largest dE/d ln zeta out: less time")
      ("from", po::value<std::string>()->value_name("NAME")->default_value(""), "json, nwchem, dirac, gaussian, prophet or inp: what the files are (default: their content decides)")
      ("csv", po::value<std::string>()->value_name("FILE"), "write the table as CSV to this file")
      ("json", po::value<std::string>()->value_name("FILE"), "write everything as JSON to this file; 'python -m cudaprophet plot audit FILE' draws it")
      ("threads", po::value<int>()->value_name("N"), "threads to use (default: all processors)");
  // clang-format on
  return options;
}

std::string usage(const po::options_description& options) {
  std::ostringstream text;
  text << "usage: cudaprophet basis audit FILE-or-NAME... [--elements ELEMENTS]\n\n"
          "For each element of basis sets (files, or collections of the library): energy of the neutral\n"
          "atom, distance from the complete-basis limit, which l is short, prolapse, smallest overlap\n"
          "eigenvalue, outliers along the rows of the periodic table and odd gaps between exponents\n"
          "(docs/basis-audit.md). Contracted sets are taken uncontracted.\n"
          "Exit status: 0, or 1 where an element has no energy, 2 wrong command line or file.\n\n"
       << options;
  return text.str();
}

AuditLimits limitsNamed(const std::string& name) {
  if (name == "known") return AuditLimits::Known;
  if (name == "compute") return AuditLimits::Compute;
  if (name == "estimate") return AuditLimits::Estimate;
  throw UsageError("--limits takes known, compute or estimate, not '" + name + "'");
}

AuditTask taskOf(const po::variables_map& values) {
  AuditTask task;
  if (values.count("words")) task.sets = values["words"].as<std::vector<std::string>>();
  if (task.sets.empty())
    throw UsageError("expected 'basis audit FILE-or-NAME...'; 'cudaprophet basis audit --help' tells more");
  if (values.count("elements"))
    task.elements = parseElementOption(values["elements"].as<std::string>(), "--elements");
  task.nucleus = parseNuclearModel(values["nucleus"].as<std::string>());
  task.limits = limitsNamed(values["limits"].as<std::string>());
  task.format = values["from"].as<std::string>();
  task.gradient = values.count("no-gradient") == 0;
  task.basisSets = environment::basisSets();
  return task;
}

/// Files and collections that cannot be read are a wrong command line: nothing was computed.
std::vector<AuditedSet> planned(const AuditTask& task) {
  try {
    return planAudit(task);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
}

bool allComputed(const std::vector<AuditedSet>& sets) {
  return std::all_of(sets.begin(), sets.end(), [](const AuditedSet& set) {
    return std::all_of(set.rows.begin(), set.rows.end(),
                       [](const AuditRow& row) { return row.failure.empty(); });
  });
}

}  // namespace

int auditCommand(const std::vector<std::string>& arguments) {
  const po::options_description options = auditOptions();
  const po::variables_map values = parseOptions(arguments, options, "words", "cudaprophet basis audit");
  if (values.count("help")) {
    print(usage(options));
    return kSuccess;
  }
  const AuditTask task = taskOf(values);
  const int threads = readThreads(values);
  CommandFiles files;
  for (const std::string& set : task.sets) files.readsIfThere(set);
  const std::string csv = files.output(values, "csv"), json = files.output(values, "json");
  std::vector<AuditedSet> sets = planned(task);
  files.open();
  {
    HostEnergyService service(threads);
    ProgressLine progress("calculations", true);
    computeAudit(task, service, sets,
                 [&](std::size_t finished, std::size_t total) { progress.show(finished, total); });
  }
  print(auditText(sets));
  if (!csv.empty()) files.write(csv, auditCsv(sets));
  if (!json.empty()) files.write(json, auditJson(kVersion, task, sets));
  return allComputed(sets) ? kSuccess : kFailure;
}

}  // namespace prophet
