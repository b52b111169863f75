#include "frontends/app/operation_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cctype>
#include <filesystem>
#include <mutex>
#include <optional>
#include <sstream>

#include "core/common/files.hpp"
#include "core/common/json_text.hpp"
#include "core/common/memory.hpp"
#include "core/common/text.hpp"
#include "core/ranks/ranks.hpp"
#include "frontends/app/backend_options.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/progress_line.hpp"
#include "frontends/app/rank_command.hpp"
#include "frontends/app/signals.hpp"
#include "frontends/app/usage_error.hpp"
#include "operations/catalogue/restart.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

constexpr std::size_t kWidth = 100;
constexpr const char* kFile = "FILE";
using Words = std::vector<std::string>;

std::string valueNameOf(const Setting& s) {
  if (!s.valueName.empty()) return s.valueName;
  switch (s.type) {
    case ValueType::Integer:
      return "N";
    case ValueType::Text:
      return s.choices.empty() ? "TEXT" : "NAME";
    case ValueType::Texts:
      return "TEXT";
    case ValueType::Numbers:
      return "GRID";
    case ValueType::ByKind:
      return "LIST";
    case ValueType::Vectors:
      return "X,Y,Z;...";
    default:
      return "NUMBER";
  }
}

/// "ewald or spread: how ..., angstrom, 1 to 5 (default: 3)".
std::string helpOf(const Setting& s) {
  std::string text = s.choices.empty() ? "" : enumerate(s.choices, "") + ": ";
  text += s.documentation;
  if (!s.expected.empty()) text += " (" + s.expected + ")";
  if (!s.unit.empty()) text += ", " + s.unit;
  if (const std::string range = s.range.description(); !range.empty() && s.type != ValueType::Any)
    text += ", " + range;
  if (s.type == ValueType::Numbers && valueNameOf(s) == "GRID")
    text += ": START:STOP:STEP with both ends, or numbers between commas";
  if (!s.needs.empty()) text += fmt::format("; only with --{}", optionOf(s.needs.front()));
  if (!s.defaultText.empty()) text += fmt::format(" (default: {})", s.defaultText);
  return text;
}

/// Whether the record's tables may be written as HDF5; an operation may write such files by itself.
bool writesHdf5(const Operation& operation) { return operation.tables && !operation.setting("hdf5"); }
/// The same of CSV.
bool writesCsv(const Operation& operation) { return operation.tables && !operation.setting("csv"); }

/// "r, g; with q: q, S".
std::string columnsOf(const Operation& operation) {
  std::string text;
  for (const CsvHeading& heading : operation.csvHeadings())
    text += (heading.with.empty() ? "" : "; with " + heading.with + ": ") +
            fmt::format("{}", fmt::join(heading.columns, ", "));
  return text;
}

/// Its name, with an alias of one letter as the short form: "out,o".
std::string spellingsOf(const Setting& s) {
  std::string text = optionOf(s.name);
  for (const std::string& alias : s.aliases)
    if (alias.size() == 1) text += "," + alias;
  return text;
}

/// A setting under one of its names.
void addOption(po::options_description& options, const Setting& s, const std::string& name,
               const std::string& help) {
  if (s.type == ValueType::Logical) {
    options.add_options()(name.c_str(), help.c_str());
  } else if (s.type == ValueType::Texts) {
    options.add_options()(name.c_str(), po::value<Words>()->value_name(valueNameOf(s))->multitoken(),
                          help.c_str());
  } else {
    options.add_options()(name.c_str(), po::value<std::string>()->value_name(valueNameOf(s)), help.c_str());
  }
}

void addFile(po::options_description& options, const char* name, const std::string& help) {
  options.add_options()(name, po::value<std::string>()->value_name(kFile), help.c_str());
}

po::options_description optionsOf(const Operation& operation) {
  po::options_description options("Options", kWidth);
  auto add = options.add_options();
  add("help,h", "print this text");
  for (const Setting& s : operation.allSettings())
    if (!s.positional) addOption(options, s, spellingsOf(s), helpOf(s));
  const auto file = [&](const char* name, const std::string& text) { addFile(options, name, text); };
  if (writesCsv(operation)) file("csv", "write CSV to this file: columns " + columnsOf(operation));
  file("json", "write everything as JSON to this file");
  if (writesHdf5(operation)) file("hdf5", "write the columns as an HDF5 file");
  if (!operation.prints.empty())
    file("out,o", "write " + operation.prints + " to this file instead of standard output");
  if (operation.onGpus) {
    addBackendOptions(options);
  } else if (operation.onThreads) {
    add("threads", po::value<int>()->value_name("N"), "threads to use (default: all processors)");
  }
  if (operation.onRanks) addRankOption(options, "the work");
  const std::string quiet = operation.brief.empty() ? "print no progress and no warnings on standard error"
                                                    : "print one number only, in hartree: " + operation.brief;
  add("quiet,q", quiet.c_str());
  return options;
}

/// The same with the other names of settings, which help does not show.
po::options_description allOptionsOf(const Operation& operation) {
  po::options_description options = optionsOf(operation);
  for (const Setting& s : operation.allSettings())
    for (const std::string& alias : s.aliases)
      if (!s.positional && alias.size() > 1) addOption(options, s, optionOf(alias), "");
  return options;
}

/// Breaks a paragraph into lines.
std::string paragraph(const std::string& text) { return wrapped(text, kWidth) + "\n"; }

/// What the command line says beside the request.
struct OperationLine {
  Json values = Json::object();
  CommandFiles files{};
  std::string csv{}, json{}, hdf5{}, out{};
  Execution execution{};
  JoinMode mpi = JoinMode::Off;
  bool quiet = false, writesFiles = false;  ///< writesFiles: some setting names an output
};

void readWords(const Operation& operation, const std::vector<std::string>& words, OperationLine& line) {
  std::size_t used = 0;
  for (const Setting& s : operation.settings) {
    if (!s.positional) continue;
    const std::size_t left = words.size() - used;
    if ((left > 1 && s.type == ValueType::Any) || (left > 0 && s.type == ValueType::Texts)) {
      line.values[s.name] =
          std::vector<std::string>(words.begin() + static_cast<std::ptrdiff_t>(used), words.end());
      used = words.size();
    } else if (left > 0) {
      line.values[s.name] = words[used++];
    } else if (!s.mayLack && (s.required || operation.takesAtoms)) {
      throw UsageError(fmt::format("{0} needs {1}: {2}; see 'cudaprophet {0} --help'", operation.words(),
                                   valueNameOf(s), s.documentation));
    }
  }
  if (used < words.size())
    throw UsageError(fmt::format("{0} does not accept '{1}'; see 'cudaprophet {0} --help'", operation.words(),
                                 words[used]));
}

/// Every file that the settings name; outputs after inputs.
void registerFiles(const Operation& operation, OperationLine& line) {
  const auto each = [&, all = operation.allSettings()](bool outputs, const auto& enter) {
    for (const Setting& s : all) {
      if (isOutput(s) != outputs || !line.values.contains(s.name)) continue;
      const Json& value = line.values[s.name];
      for (const Json& name : value.is_array() ? value : Json::array({value}))
        if (name.is_string()) enter(fileUse(s), "--" + optionOf(s.name), name.template get<std::string>());
    }
  };
  each(false, [&](FileUse use, const std::string&, const std::string& path) {
    if (use == FileUse::Read) line.files.reads(path);
    if (use == FileUse::ReadIfThere) line.files.readsIfThere(path);
    if (use == FileUse::ReadResult) {
      const auto [file, id] = resultFileAndId(path);
      line.files.reads(file, id.empty() ? "--hdf5" : "");  // one of several may not take the place of all
    }
  });
  each(true, [&](FileUse use, const std::string& option, const std::string& path) {
    if (path.empty()) throw UsageError(option + " takes the name of a file");
    std::error_code none;
    if (std::filesystem::is_directory(path, none)) return;  // for several files, which the operation names
    line.writesFiles = true;
    line.files.writes(option, path,
                      use == FileUse::Write ? CommandFiles::Content::Text : CommandFiles::Content::Binary);
    if (use != FileUse::Grow) return;
    requireResultFiles(path, option);
    line.files.writes(option + " (.part, until it is finished)", followLinks(path) + ".part");
  });
}

/// Of an operation that leaves its results in files, one is to be named.
void requireOutput(const Operation& operation, const OperationLine& line) {
  if (!operation.mustWrite || !line.json.empty()) return;
  std::string options;
  for (const Setting& s : operation.settings) {
    if (!isOutput(s)) continue;
    if (line.values.contains(s.name)) return;
    options += "--" + optionOf(s.name) + " FILE, ";
  }
  throw UsageError(fmt::format("{0} needs an output: {1}--json FILE; see 'cudaprophet {0} --help'",
                               operation.words(), options));
}

/// A setting under each of its names that the command line has.
void readSetting(const Setting& s, const po::variables_map& values, OperationLine& line) {
  std::vector<std::string> names = s.aliases;
  names.insert(names.begin(), s.name);
  for (const std::string& name : names) {
    const std::string option = optionOf(name);
    if (!values.count(option)) continue;
    if (line.values.contains(name))
      throw UsageError("--" + option + ": the input file gives it too; omit one of them");
    line.values[name] = s.type == ValueType::Logical ? Json(true)
                        : s.type == ValueType::Texts ? Json(values[option].as<Words>())
                                                     : Json(values[option].as<std::string>());
  }
}

/// Nothing is computed that could be written.
void refuseWithCheck(const OperationLine& line, const po::variables_map& values) {
  if (!values.count("check")) return;
  for (const auto& [option, file] : {std::pair("json", line.json), std::pair("csv", line.csv)})
    if (!file.empty())
      throw UsageError(
          fmt::format("--check computes nothing that --{} could write; omit one of them", option));
}

/// Every file, where to compute, and how much to say.
void readOutputs(const Operation& operation, const po::variables_map& values, OperationLine& line) {
  registerFiles(operation, line);
  line.json = line.files.output(values, "json");
  if (!operation.prints.empty()) line.out = line.files.output(values, "out");
  if (writesCsv(operation)) line.csv = line.files.output(values, "csv");
  if (writesHdf5(operation)) {
    line.hdf5 = line.files.output(values, "hdf5", CommandFiles::Content::Binary);
    if (!line.hdf5.empty()) requireResultFiles(line.hdf5, "--hdf5");
  }
  const bool written = !line.csv.empty() || !line.json.empty() || !line.hdf5.empty();
  if (!line.out.empty() && written && !operation.printsWith.empty() &&
      !line.values.contains(operation.printsWith))
    throw UsageError(
        fmt::format("--out: with --csv, --json or --hdf5 and without --{} nothing is printed; omit it",
                    optionOf(operation.printsWith)));
  requireOutput(operation, line);
  line.execution = executionOf(readBackendOptions(values), values.count("threads") ? readThreads(values) : 0);
  line.execution.reportOnly = !written;
  refuseWithCheck(line, values);
  line.quiet = values.count("quiet") > 0;
}

OperationLine lineOf(const Operation& operation, const po::variables_map& values) {
  OperationLine line;
  if (operation.onRanks) line.mpi = readRankOption(values);
  for (const Setting& s : operation.allSettings())
    if (!s.positional) readSetting(s, values, line);
  readWords(operation, values.count("words") ? values["words"].as<Words>() : Words{}, line);
  readOutputs(operation, values, line);
  return line;
}

/// Problems with settings under the names that the shell has for them.
UsageError spelled(const Operation& operation, const RequestErrors& errors) {
  std::string text;
  for (const SettingProblem& p : errors.problems()) {
    const auto known = std::find_if(operation.settings.begin(), operation.settings.end(),
                                    [&](const Setting& s) { return s.name == p.setting; });
    const bool word = known != operation.settings.end() && known->positional;
    text += (text.empty() ? "" : "\n");
    if (!p.setting.empty()) text += (word ? valueNameOf(*known) : "--" + optionOf(p.setting)) + ": ";
    text += p.message;
  }
  return UsageError(text);
}

/// `told`: whether the report was printed as it came.
void write(const OperationLine& line, const Record& record, bool told) {
  constexpr std::size_t kLongTable = 1000;
  if (!line.csv.empty()) line.files.write(line.csv, recordCsv(record));
  const bool isLong = !record.tables.empty() && record.tables.front().rows() > static_cast<int>(kLongTable);
  if (!line.json.empty()) line.files.write(line.json, jsonText(recordJson(record), isLong ? -1 : 1) + "\n");
  if (!line.hdf5.empty()) writeRecordHdf5(record, line.hdf5);
  const bool written = line.writesFiles || !line.csv.empty() || !line.json.empty() || !line.hdf5.empty();
  if (!told && !(written && (record.document || record.printsTable))) {
    const std::string text = record.document                               ? record.document()
                             : record.printsTable && record.report.empty() ? recordCsv(record)
                                                                           : recordText(record);
    line.out.empty() ? print(text) : line.files.write(line.out, text);
  }
  if (!record.reason.empty()) fmt::print(stderr, "cudaprophet: {}\n", record.reason);
  if (line.quiet != record.reportWarns) return;
  std::vector<std::string> warnings;
  for (const RecordWarning& w : record.warnings)
    if (record.reason.find(w.text) == std::string::npos) warnings.push_back(w.text);
  printWarnings(warnings);
}

/// Here or where they next agree on something, all ranks meet the one that failed.
Record runOnAll(const Operation& operation, const OperationLine& line, Ranks& ranks) {
  Record record;
  std::exception_ptr error;
  try {
    record = operation.run(line.values, line.execution);
  } catch (const SharedError&) {
    throw;
  } catch (const LoneError&) {
    throw;
  } catch (const RequestErrors& e) {
    error = std::make_exception_ptr(spelled(operation, e));
  } catch (...) {
    error = std::current_exception();
  }
  agree(ranks, error, error ? prophet::statusOf(error) : kSuccess);
  return record;
}

int statusOf(Outcome outcome) {
  return outcome == Outcome::Done ? kSuccess : outcome == Outcome::Failed ? kFailure : kNotConverged;
}

int runOperation(const Operation& operation, OperationLine& line, Ranks& ranks) {
  Execution& e = line.execution;
  e.ranks = &ranks;
  e.writer = [&](const std::string& path, const std::string& text) { line.files.write(path, text); };
  e.brief = line.quiet;
  e.replaces = [&](const std::string& file) -> std::string {
    try {
      line.files.refuseToReplace(file);
      return "";
    } catch (const UsageError& why) {
      return why.what();
    }
  };
  std::optional<ResumeHint> hint;
  e.resumable = [&](const std::string& file) {
    hint.emplace("the same command with --resume continues" + (file.empty() ? "" : " from " + file));
  };
  std::optional<ProgressLine> progress;
  std::once_flag begun;
  if (!line.quiet && ranks.rank() == 0)
    e.progress = [&](const Progress& p) {  // from any thread
      std::call_once(begun, [&] {
        progress.emplace(p.unit, true,
                         p.stays ? ProgressLine::When::AtOnce : ProgressLine::When::AfterASecond,
                         p.stays ? ProgressLine::AtTheEnd::Stays : ProgressLine::AtTheEnd::Goes);
      });
      if (progress) progress->show(p.done, p.total, p.note, p.atMost);
      if (p.stays && p.done >= p.total) progress.reset();  // what is told comes below it
    };
  bool told = false;
  e.reader = [&](const std::string& part) {
    told = true;
    progress ? progress->print(part) : print(part);
  };
  e.together([&] {
    if (ranks.rank() == 0) line.files.open();
  });
  if (operation.takesInput()) growHeapInLargePages(e.threadsOrAll());
  const Record record = runOnAll(operation, line, ranks);
  progress.reset();
  e.together([&] {
    if (ranks.rank() == 0) write(line, record, told);
  });
  return statusOf(record.outcome);
}

std::string actionOf(const Operation& operation) {
  return operation.command.substr(operation.command.find(' ') + 1);
}

bool has(const po::options_description& options, const std::string& name) {
  return options.find_nothrow(name, false) != nullptr;
}

/// Options that another action has would be without effect.
void refuseOthers(const Operation& operation, const std::vector<const Operation*>& actions,
                  const std::vector<std::string>& arguments) {
  const po::options_description own = optionsOf(operation);
  for (const std::string& argument : arguments) {
    const std::string name = argument.rfind("--", 0) == 0 ? argument.substr(2, argument.find('=') - 2) : "";
    if (name.empty() || has(own, name)) continue;
    std::vector<std::string> owners;
    for (const Operation* o : actions)
      if (has(optionsOf(*o), name)) owners.push_back("'" + o->command + "'");
    if (!owners.empty()) throw UsageError(fmt::format("--{} belongs to {}", name, fmt::join(owners, ", ")));
  }
}

std::string unknownAction(const std::string& group, const std::vector<const Operation*>& actions,
                          const std::string& word) {
  std::vector<std::string> names;
  for (const Operation* o : actions) names.push_back(actionOf(*o));
  const std::string nearest = word.empty() ? "" : nearestName(word, names);
  std::string text = word.empty() ? "" : "unknown action '" + word + "'; ";
  if (!nearest.empty()) text += "did you mean '" + nearest + "'? ";
  return text + fmt::format("expected '{0} ACTION' with {1}; see 'cudaprophet {0} --help'", group,
                            fmt::join(names, ", "));
}

/// What there is, and the options of all.
std::string groupHelp(const std::string& group, const std::string& summary,
                      const std::vector<const Operation*>& actions) {
  std::ostringstream text;
  po::options_description all("Options", kWidth);
  for (const Operation* o : actions) {
    text << (o == actions.front() ? "usage: " : "       ") << "cudaprophet " << o->example << "\n";
    const po::options_description own = optionsOf(*o);
    for (const auto& option : own.options())
      if (!has(all, option->long_name())) all.add(option);
  }
  const std::string begin(1, static_cast<char>(std::toupper(static_cast<unsigned char>(summary.front()))));
  text << "\n"
       << paragraph(begin + summary.substr(1) + ". 'cudaprophet " + group +
                    " ACTION --help' describes each action and its options.")
       << "\n"
       << all;
  return text.str();
}

bool standsBesideInput(const Setting& s) {
  return !s.positional && !s.inInput && std::ranges::find(s.excludes, "input") == s.excludes.end();
}

/// Settings that may stand beside an input file, each once.
std::vector<Setting> besideInput() {
  std::vector<Setting> list;
  for (const Operation& o : operations())
    for (const Setting& s : o.settings)
      if (o.takesInput() && standsBesideInput(s) &&
          std::none_of(list.begin(), list.end(), [&](const Setting& t) { return t.name == s.name; }))
        list.push_back(s);
  return list;
}

/// "'energy' or 'limit'".
std::string jobtypesWith(const std::string& setting) {
  std::vector<std::string> names;
  for (const Operation& o : operations())
    if (o.takesInput() && o.setting(setting)) names.push_back(o.name);
  return enumerate(names);
}

/// " (jobtype='energy')", but of those that all have.
std::string ownersOf(const std::string& setting) {
  const bool all = std::all_of(operations().begin(), operations().end(),
                               [&](const Operation& o) { return !o.takesInput() || o.setting(setting); });
  return all ? "" : " (jobtype=" + jobtypesWith(setting) + ")";
}

/// Throws UsageError for options beside an input file that its job does not use.
void refuseOptionsOfOthers(const Operation& operation, const po::variables_map& values) {
  const auto refuse = [&](const std::string& option, const std::string& owners) {
    throw UsageError(fmt::format("--{} is not used by jobtype='{}'{}", option, operation.name, owners));
  };
  for (const Setting& s : besideInput()) {
    const bool ours = s.name == "check" || s.name == "verbose" || operation.setting(s.name) ||
                      (s.name == "hdf5" && writesHdf5(operation));
    if (values.count(optionOf(s.name)) && !ours)
      refuse(optionOf(s.name), "; it belongs to jobtype=" + jobtypesWith(s.name));
  }
  if (values.count("csv") && !writesCsv(operation) && !operation.setting("csv"))
    refuse("csv", ", which has no table");
}

}  // namespace

po::options_description inputOptions() {
  po::options_description options("Options", kWidth);
  const auto add = [&](const char* name, const char* help) { options.add_options()(name, help); };
  add("help,h", "print this text");
  add("version", "print the version");
  options.add_options()("explain", po::value<std::string>()->value_name("NAME")->implicit_value(""),
                        "print the keywords of an input group, one keyword, or the settings of an operation "
                        "(without a name: the groups)");
  for (const Setting& s : besideInput()) addOption(options, s, spellingsOf(s), helpOf(s) + ownersOf(s.name));
  addFile(options, "csv", "write the table of the result as CSV to this file");
  addFile(options, "json", "write the result as JSON to this file");
  add("quiet,q",
      "print one number only: the energy with all corrections (of open shells the average of the "
      "configuration), of levels and lines that of the lowest level");
  addBackendOptions(options);
  return options;
}

int runInput(const OperationInput& input, const std::string& name, const CommandFiles& files,
             const po::variables_map& values) {
  const Operation& operation = *input.operation;
  refuseOptionsOfOthers(operation, values);
  OperationLine line{.values = input.values, .files = files};
  for (const std::string& file : input.files) line.files.reads(file);
  for (const Setting& s : operation.settings)
    if (standsBesideInput(s)) readSetting(s, values, line);
  readOutputs(operation, values, line);
  line.execution.input = input.job;
  if (values.count("check") && !operation.setting("check")) {
    print(name + ": no errors\n");  // it was read
    return kSuccess;
  }
  SingleRank alone;
  return runOperation(operation, line, alone);
}

std::string operationHelp(const Operation& operation) {
  std::ostringstream text;
  text << "usage: cudaprophet " << operation.example << " [options]\n\n"
       << paragraph(
              operation.description +
              " Exit status: 0 success, 1 failure, 2 wrong command line, 3 something did not converge or "
              "is not bound.")
       << "\n"
       << optionsOf(operation);
  return text.str();
}

int operationGroup(const std::string& group, const std::string& summary,
                   const std::vector<std::string>& arguments) {
  std::vector<const Operation*> actions;
  for (const Operation& o : operations())
    if (o.command.rfind(group + " ", 0) == 0) actions.push_back(&o);
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h") {
    if (arguments.empty()) throw UsageError(unknownAction(group, actions, ""));
    print(groupHelp(group, summary, actions));
    return kSuccess;
  }
  for (const Operation* o : actions) {
    if (o->command != group + " " + arguments[0]) continue;
    refuseOthers(*o, actions, arguments);
    return operationCommand(*o, {arguments.begin() + 1, arguments.end()});
  }
  throw UsageError(unknownAction(group, actions, arguments[0]));
}

int operationCommand(const Operation& operation, const std::vector<std::string>& arguments) {
  OperationLine line;
  if (operation.onRanks) line.mpi = JoinMode::Automatic;  // to say together what is wrong
  std::exception_ptr wrong;
  try {
    const po::variables_map values =
        parseOptions(arguments, allOptionsOf(operation), "words", "cudaprophet " + operation.words());
    if (values.count("help")) {
      print(operationHelp(operation));
      return kSuccess;
    }
    line = lineOf(operation, values);
    operation.check(line.values);
  } catch (const RequestErrors& e) {
    wrong = std::make_exception_ptr(spelled(operation, e));
  } catch (const Error&) {
    wrong = std::current_exception();
  }
  return runOnRanks(arguments, line.mpi, wrong,
                    [&](Ranks& ranks) { return runOperation(operation, line, ranks); });
}

}  // namespace prophet
