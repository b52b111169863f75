#pragma once
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "operations/catalogue/kept_files.hpp"
#include "operations/execution/execution.hpp"
#include "operations/record/record.hpp"
#include "operations/request/request_table.hpp"

namespace prophet {

struct CsvHeading {
  std::string with;  ///< Table::firstWith
  std::vector<std::string> columns;
};

/// Something that the program does, for every front end: the shell (`cudaprophet NAME`), input files
/// (jobtype='NAME', $NAME ... $end), Python (cudaprophet.NAME()) and C++ (cudaprophet::run("NAME", ...)).
struct Operation {
  std::string name;
  std::string command{};                ///< how the shell calls it where that is several words, "basis show"
  std::string summary;                  ///< one line, for lists of operations
  std::string description;              ///< paragraphs, for help
  std::string example;                  ///< of the shell, behind "cudaprophet "
  std::vector<std::string> examples{};  ///< commands that work as they stand, each behind "cudaprophet "
  std::vector<Setting> settings;
  /// Settings that are keywords of input files too: so many that they are made only where they are read.
  std::function<std::vector<Setting>()> keywords{};
  bool onGpus = false;      ///< takes backend and device
  bool onThreads = true;    ///< takes threads
  bool onRanks = false;     ///< shares its work among ranks
  bool takesAtoms = false;  ///< Execution::atoms may stand for its file
  bool mustWrite = false;   ///< the shell runs it only where an output is named
  std::string brief;   ///< the number that Execution::brief leaves of its report; empty: the report stays
  std::string prints;  ///< what the shell's --out takes instead of standard output; empty: no such option
  /// The setting without which --out cannot be combined with files of CSV or JSON; empty: it always can.
  std::string printsWith;
  /// The tables that its records may have, without rows: what help, documents and the readers of its files
  /// know of the columns. Empty: it has none.
  std::function<std::vector<Table>()> tables{};
  /// Reads the values without computing. Throws RequestErrors.
  std::function<void(const Json& values)> check;
  /// Computes; every rank calls it, and the first one's record is complete. Throws RequestErrors for values
  /// that mean nothing, Error where the work cannot be done.
  std::function<Record(const Json& values, const Execution& execution)> run;

  /// With the keywords, which stand behind what an input file says instead of them.
  std::vector<Setting> allSettings() const;
  /// One that is not a keyword; nullptr where there is none of that name.
  const Setting* setting(const std::string& its) const;
  /// Whether input files that say all by keywords ($nuc ... $end) are its requests.
  bool takesInput() const { return setting("input") != nullptr; }
  /// The headings that its CSV may have: the first one, and others with the setting that makes them so.
  std::vector<CsvHeading> csvHeadings() const;
  /// What the shell calls it.
  const std::string& words() const { return command.empty() ? name : command; }
};

/// An operation of a request, its table and the function that computes, of the request, or also of its values
/// as they were understood, and the execution.
template <class Request, class Run>
Operation operationOf(Operation operation, RequestTable<Request> table, Run run) {
  operation.settings = table.settings();
  const auto shared = std::make_shared<const RequestTable<Request>>(std::move(table));
  operation.check = [shared](const Json& values) {
    Json typed;
    shared->read(values, typed);
  };
  operation.run = [shared, run, name = operation.name](const Json& values, const Execution& given) {
    const Execution execution = keepingInputs(shared->settings(), values, given);
    Json typed;
    const Request request = shared->read(values, typed);
    Record record;
    if constexpr (std::is_invocable_v<Run, const Request&, const Json&, const Execution&>)
      record = run(request, typed, execution);
    else
      record = run(request, execution);
    record.operation = name;
    if (record.request.empty()) record.request = std::move(typed);
    return record;
  };
  return operation;
}

/// All of them, by name. A new one is a file of this folder and a row of catalogue.hpp.
const std::vector<Operation>& operations();
/// By its name or what the shell calls it; nullptr where there is none.
const Operation* findOperation(const std::string& name);
/// Its settings with meanings, values, units and defaults, and the columns of its tables, for people.
std::string explain(const Operation& operation);
/// Adds one until the program ends: for programs that bring their own, and tests. Not for several threads.
void addOperation(Operation operation);

}  // namespace prophet
