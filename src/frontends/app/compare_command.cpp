#include "frontends/app/compare_command.hpp"

#include <boost/program_options.hpp>
#include <sstream>

#include "core/common/read_file.hpp"
#include "frontends/app/command_files.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/usage_error.hpp"
#include "operations/report/coupling_notes.hpp"
#include "operations/report/energy_difference.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

po::options_description compareOptions() {
  po::options_description options("Options");
  // clang-format off
  options.add_options()
      ("help,h", "print this text")
      ("differences", "ionisation, affinity and excitation energies among all results, element by element, instead of each against the first")
      ("csv", po::value<std::string>()->value_name("FILE"), "write the differences to this file too");
  // clang-format on
  return options;
}

std::string usage(const po::options_description& options) {
  std::ostringstream text;
  text << "usage: cudaprophet compare A.json B.json... [options]\n"
          "       cudaprophet compare --differences BATCH.jsonl...\n\n"
          "Energy differences of results of one element (--json of a run, --json-lines of a batch) in "
          "hartree, "
          "eV and\n"
          "cm^-1, with the density at the nucleus and the field shift where the results have them: each "
          "against "
          "the\n"
          "first. One electron fewer is an ionisation of the first, one more its affinity, the same charge "
          "an\n"
          "excitation; another Hamiltonian or nucleus gives the difference of two calculations.\n\n"
       << options;
  return text.str();
}

struct Results {
  std::vector<ComparedResult> all;
  std::vector<std::string> leftOut;
};

Results readAll(const std::vector<std::string>& files) {
  Results results;
  for (const std::string& file : files) {
    try {
      for (ComparedResult& r : readResults(file, results.leftOut)) results.all.push_back(std::move(r));
    } catch (const ResourceError&) {
      throw;
    } catch (const Error& e) {
      throw UsageError(e.what());
    }
  }
  return results;
}

std::vector<EnergyDifference> againstFirst(const std::vector<ComparedResult>& results) {
  if (results.size() < 2)
    throw UsageError("compare needs two results or more; 'cudaprophet compare --help' tells more");
  std::vector<EnergyDifference> list;
  for (std::size_t i = 1; i < results.size(); ++i) list.push_back(differenceOf(results[0], results[i]));
  return list;
}

std::string blocks(const std::vector<EnergyDifference>& differences) {
  std::string text;
  for (const EnergyDifference& d : differences) text += (text.empty() ? "" : "\n") + differenceText(d);
  return text + kWhatDifferencesAre;
}

}  // namespace

int compareCommand(const std::vector<std::string>& arguments) {
  const po::options_description visible = compareOptions();
  const po::variables_map values = parseOptions(arguments, visible, "file", "cudaprophet compare");
  if (values.count("help")) {
    print(usage(visible));
    return kSuccess;
  }
  if (!values.count("file"))
    throw UsageError("compare needs results; 'cudaprophet compare --help' tells more");
  const auto words = values["file"].as<std::vector<std::string>>();
  CommandFiles files;
  for (const std::string& word : words) files.reads(word);
  const std::string csv = files.output(values, "csv");
  files.open();
  const Results results = readAll(words);
  const bool among = values.count("differences") > 0;
  const std::vector<EnergyDifference> list =
      among ? differencesAmong(results.all) : againstFirst(results.all);
  if (list.empty()) throw UsageError(std::string(kNoDifferences));
  print((among ? differenceTable(list) : blocks(list)) + couplingNotes(list));
  for (const std::string& reason : results.leftOut) print("left out: " + reason + "\n");
  if (!csv.empty()) files.write(csv, differenceCsv(list));
  return kSuccess;
}

}  // namespace prophet
