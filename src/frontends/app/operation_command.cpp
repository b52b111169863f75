#include "frontends/app/operation_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <mutex>
#include <optional>
#include <sstream>

#include "core/common/file_handle.hpp"
#include "core/common/json_text.hpp"
#include "core/ranks/agree.hpp"
#include "frontends/app/backend_options.hpp"
#include "frontends/app/command_files.hpp"
#include "frontends/app/environment.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/progress_line.hpp"
#include "frontends/app/rank_command.hpp"
#include "frontends/app/usage_error.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

constexpr std::size_t kWidth = 100;
constexpr const char* kFile = "FILE";

std::string optionOf(const std::string& setting) {
  std::string name = setting;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string valueNameOf(const Setting& s) {
  if (!s.valueName.empty()) return s.valueName;
  switch (s.type) {
    case ValueType::Integer:
      return "N";
    case ValueType::Text:
      return s.choices.empty() ? "TEXT" : "NAME";
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
  if (!s.unit.empty()) text += ", " + s.unit;
  if (const std::string range = s.range.description(); !range.empty() && s.type != ValueType::Any)
    text += ", " + range;
  if (s.type == ValueType::Numbers && valueNameOf(s) == "GRID")
    text += ": START:STOP:STEP with both ends, or numbers between commas";
  if (!s.needs.empty()) text += fmt::format("; only with --{}", optionOf(s.needs.front()));
  if (!s.defaultText.empty()) text += fmt::format(" (default: {})", s.defaultText);
  return text;
}

bool hasSetting(const Operation& operation, const std::string& name) {
  return std::any_of(operation.settings.begin(), operation.settings.end(),
                     [&](const Setting& s) { return s.name == name; });
}

/// Whether the record's tables may be written as HDF5; an operation may write such files by itself.
bool writesHdf5(const Operation& operation) {
  return !operation.table.empty() && !hasSetting(operation, "hdf5");
}

/// Its name, with an alias of one letter as the short form: "out,o".
std::string spellingsOf(const Setting& s) {
  std::string text = optionOf(s.name);
  for (const std::string& alias : s.aliases)
    if (alias.size() == 1) text += "," + alias;
  return text;
}

po::options_description optionsOf(const Operation& operation) {
  po::options_description options("Options", kWidth);
  auto add = options.add_options();
  add("help,h", "print this text");
  for (const Setting& s : operation.settings) {
    if (s.positional) continue;
    if (s.type == ValueType::Logical) {
      add(spellingsOf(s).c_str(), helpOf(s).c_str());
    } else {
      add(spellingsOf(s).c_str(), po::value<std::string>()->value_name(valueNameOf(s)), helpOf(s).c_str());
    }
  }
  auto file = [&](const char* name, const std::string& text) {
    add(name, po::value<std::string>()->value_name(kFile), text.c_str());
  };
  if (!operation.table.empty()) file("csv", "write CSV to this file: columns " + operation.table);
  file("json", "write everything as JSON to this file");
  if (writesHdf5(operation)) file("hdf5", "write the columns as an HDF5 file");
  if (operation.onGpus) {
    addBackendOptions(options);
  } else {
    add("threads", po::value<int>()->value_name("N"), "threads to use (default: all processors)");
  }
  if (operation.onRanks) addRankOption(options, "the work");
  add("quiet", "no line of progress, no warnings on standard error");
  return options;
}

/// Breaks a paragraph into lines.
std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string out, line;
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > kWidth) {
      out += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return out + line + "\n";
}

/// What the command line says beside the request.
struct OperationLine {
  Json values = Json::object();
  CommandFiles files{};
  std::string csv, json, hdf5;
  Execution execution{};
  JoinMode mpi = JoinMode::Off;
  bool quiet = false, writesFiles = false;  ///< writesFiles: some setting names an output
};

void readWords(const Operation& operation, const std::vector<std::string>& words, OperationLine& line) {
  std::size_t used = 0;
  for (const Setting& s : operation.settings) {
    if (!s.positional) continue;
    if (words.size() > 1 && s.type == ValueType::Any) {
      line.values[s.name] = words;
      used = words.size();
    } else if (used < words.size()) {
      line.values[s.name] = words[used++];
    } else if (s.required || operation.takesAtoms) {
      throw UsageError(fmt::format("{0} takes {1}: {2}; 'cudaprophet {0} --help' tells more", operation.name,
                                   valueNameOf(s), s.documentation));
    }
  }
  if (used < words.size())
    throw UsageError(fmt::format("{0} takes nothing like '{1}'; 'cudaprophet {0} --help' tells more",
                                 operation.name, words[used]));
}

/// Every file that the settings name; outputs after inputs.
void registerFiles(const Operation& operation, OperationLine& line) {
  const auto each = [&](bool outputs, const auto& enter) {
    for (const Setting& s : operation.settings)
      if (isOutput(s) == outputs && line.values.contains(s.name) && line.values[s.name].is_string())
        enter(fileUse(s), "--" + optionOf(s.name), line.values[s.name].template get<std::string>());
  };
  each(false, [&](FileUse use, const std::string&, const std::string& path) {
    if (use == FileUse::Read) line.files.reads(path);
    if (use == FileUse::ReadIfThere) line.files.readsIfThere(path);
  });
  each(true, [&](FileUse use, const std::string& option, const std::string& path) {
    if (path.empty()) throw UsageError(option + " takes the name of a file");
    line.writesFiles = true;
    line.files.writes(option, path,
                      use == FileUse::Write ? CommandFiles::Content::Text : CommandFiles::Content::Binary);
    if (use != FileUse::Grow) return;
    requireResultFiles(path, option);
    line.files.writes(option + " (.part, until it is finished)", followLinks(path) + ".part");
  });
}

OperationLine lineOf(const Operation& operation, const po::variables_map& values) {
  OperationLine line;
  if (operation.onRanks) line.mpi = readRankOption(values);
  for (const Setting& s : operation.settings) {
    const std::string option = optionOf(s.name);
    if (s.positional || !values.count(option)) continue;
    line.values[s.name] = s.type == ValueType::Logical ? Json(true) : Json(values[option].as<std::string>());
  }
  readWords(
      operation,
      values.count("words") ? values["words"].as<std::vector<std::string>>() : std::vector<std::string>{},
      line);
  registerFiles(operation, line);
  line.json = line.files.output(values, "json");
  if (!operation.table.empty()) line.csv = line.files.output(values, "csv");
  if (writesHdf5(operation)) {
    line.hdf5 = line.files.output(values, "hdf5", CommandFiles::Content::Binary);
    if (!line.hdf5.empty()) requireResultFiles(line.hdf5, "--hdf5");
  }
  if (operation.onGpus) {
    const BackendOptions backend = readBackendOptions(values);
    line.execution.backend = backend.backend;
    line.execution.devices = backend.devices;
  }
  if (values.count("threads")) line.execution.threads = readThreads(values);
  line.execution.basisSets = environment::basisSets();
  line.execution.cache = environment::cacheFolder();
  line.execution.cudaLibrary = environment::cudaLibrary();
  line.quiet = values.count("quiet") > 0;
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

void write(const OperationLine& line, const Record& record) {
  constexpr std::size_t kLongTable = 1000;
  if (!line.csv.empty()) line.files.write(line.csv, recordCsv(record));
  const bool isLong = !record.tables.empty() && record.tables.front().rows() > static_cast<int>(kLongTable);
  if (!line.json.empty()) line.files.write(line.json, jsonText(recordJson(record), isLong ? -1 : 1) + "\n");
  if (!line.hdf5.empty()) writeRecordHdf5(record, line.hdf5);
  const bool written = line.writesFiles || !line.csv.empty() || !line.json.empty() || !line.hdf5.empty();
  if (record.document || record.printsTable) {
    if (!written) print(record.document ? record.document() : recordCsv(record));
  } else {
    print(recordText(record));
  }
  if (line.quiet) return;
  std::vector<std::string> warnings;
  for (const RecordWarning& w : record.warnings) warnings.push_back(w.text);
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
  } catch (const RequestErrors& e) {
    error = std::make_exception_ptr(spelled(operation, e));
  } catch (...) {
    error = std::current_exception();
  }
  agree(ranks, error, error ? statusOf(error) : kSuccess);
  return record;
}

int runOperation(const Operation& operation, OperationLine& line, Ranks& ranks) {
  Execution& e = line.execution;
  e.ranks = &ranks;
  e.writer = [&](const std::string& path, const std::string& text) { line.files.write(path, text); };
  std::optional<ProgressLine> progress;
  std::once_flag begun;
  if (!line.quiet && ranks.rank() == 0)
    e.progress = [&](const Progress& p) {  // from any thread
      std::call_once(begun, [&] { progress.emplace(p.unit, true); });
      progress->show(p.done, p.total, p.note);
    };
  e.together([&] {
    if (ranks.rank() == 0) line.files.open();
  });
  const Record record = runOnAll(operation, line, ranks);
  progress.reset();
  e.together([&] {
    if (ranks.rank() == 0) write(line, record);
  });
  return kSuccess;
}

}  // namespace

int runOperationInput(const OperationInput& input, const CommandLine& given) {
  const Operation& operation = *input.operation;
  if (!given.orbitalsFile.empty() || !given.restartFile.empty() || given.properties || given.verifyGrid ||
      given.resume)
    throw UsageError("jobtype='" + operation.name +
                     "' takes --json, --hdf5, --quiet and where to compute, and no other option");
  if (given.check) {
    print(given.file + ": no errors\n");
    return kSuccess;
  }
  OperationLine line;
  line.values = input.values;
  line.files = given.files;
  line.json = given.jsonFile;
  if (writesHdf5(operation)) {
    line.hdf5 = given.hdf5File;
  } else if (!given.hdf5File.empty()) {
    throw UsageError("jobtype='" + operation.name + "' takes no --hdf5 but $" + operation.name + " hdf5");
  }
  line.quiet = given.quiet;
  registerFiles(operation, line);
  line.execution.backend = given.backend;
  if (given.device) line.execution.devices = {*given.device};
  line.execution.threads = given.threads;
  line.execution.basisSets = environment::basisSets();
  line.execution.cache = environment::cacheFolder();
  line.execution.cudaLibrary = environment::cudaLibrary();
  SingleRank alone;
  return runOperation(operation, line, alone);
}

std::string operationHelp(const Operation& operation) {
  std::ostringstream text;
  text << "usage: cudaprophet " << operation.example << " [options]\n\n"
       << wrapped(operation.description +
                  " Exit status: 0 done, 1 it could not be done, 2 wrong command line.")
       << "\n"
       << optionsOf(operation);
  return text.str();
}

int operationCommand(const Operation& operation, const std::vector<std::string>& arguments) {
  OperationLine line;
  if (operation.onRanks) line.mpi = JoinMode::Automatic;  // to say together what is wrong
  std::exception_ptr wrong;
  try {
    const po::variables_map values =
        parseOptions(arguments, optionsOf(operation), "words", "cudaprophet " + operation.name);
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
