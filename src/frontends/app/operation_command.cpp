#include "frontends/app/operation_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cctype>
#include <filesystem>
#include <limits>
#include <mutex>
#include <optional>
#include <sstream>
#include <typeinfo>

#include "atoms/atom/species.hpp"
#include "core/common/failure.hpp"
#include "core/common/files.hpp"
#include "core/common/memory.hpp"
#include "core/common/text.hpp"
#include "core/ranks/ranks.hpp"
#include "frontends/app/backend_options.hpp"
#include "frontends/app/operation_help.hpp"
#include "frontends/app/output_stream.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/progress_line.hpp"
#include "frontends/app/rank_command.hpp"
#include "frontends/app/signals.hpp"
#include "frontends/app/usage_error.hpp"
#include "operations/catalogue/restart.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

using Words = std::vector<std::string>;
constexpr unsigned kHelpWidth = 100;  // of help

/// What the command line says beside the request.
struct OperationLine {
  Json values = Json::object();
  CommandFiles files{};
  std::string out{};
  std::vector<std::pair<RecordFormat, std::string>>
      formats{};  ///< that the record is written in, and the files
  Execution execution{};
  JoinMode mpi = JoinMode::Off;
  bool quiet = false, writesFiles = false;  ///< writesFiles: some setting names an output
  std::string brief{};                      ///< Operation::brief
  ReportStyle style{};
  bool typed = false;  ///< settings are options, not keywords of an input file
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
      if (s.name == "atom" && lowerCase(words[used]).ends_with(".inp"))
        throw UsageError(
            fmt::format("{} takes an atom; an input file says itself what to compute: cudaprophet {}",
                        operation.words(), words[used]));
      line.values[s.name] = words[used++];
    } else if (!s.mayLack && (s.required || operation.takesAtoms)) {
      throw UsageError(fmt::format("{0} needs {1}: {2}; see 'cudaprophet {0} --help'", operation.words(),
                                   valueNameOf(s), s.documentation));
    }
  }
  if (used < words.size())
    throw UsageError(
        fmt::format("{0} does not accept '{1}'; see 'cudaprophet {0} --help', and quote texts with blanks, "
                    "as in --config "
                    "'[Ar] 3d6 4s2'",
                    operation.words(), words[used]));
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
  });
}

/// Refuses an operation that leaves its results in files, of which none is named.
void requireOutput(const Operation& operation, const OperationLine& line) {
  if (!operation.mustWrite || !line.formats.empty()) return;
  std::string options;
  for (const Setting& s : operation.settings) {
    if (!isOutput(s)) continue;
    if (line.values.contains(s.name)) return;
    options += "--" + optionOf(s.name) + " FILE, ";
  }
  throw UsageError(fmt::format("{0} needs an output: {1}--json FILE; see 'cudaprophet {0} --help'",
                               operation.words(), options));
}

/// What -o FILE is short for: the option that the file's ending names ("json"; "out": the text itself).
struct NamedOutput {
  std::string option, path;
};

NamedOutput namedOutput(const Operation& operation, const po::variables_map& values) {
  if (operation.setting("out") || !(values.count("output") || values.count("out"))) return {};
  const std::string path = fileOption(values, values.count("output") ? "output" : "out");
  const auto ends = [&](std::string_view ending) { return lowerCase(path).ends_with(ending); };
  const bool isText = values.count("format") || isStandardStream(path);  // the user says what the text is
  for (const auto& [ending, option] : endingsOf(operation))
    if (!isText && ends(ending)) return {option, path};
  if (isText || !operation.prints.empty() || ends(".txt") || ends(".out")) return {"out", path};
  throw UsageError(fmt::format("--output: the ending of '{}' names no format that {} writes; expected {}",
                               path, operation.words(), endingsText(operation)));
}

/// Settings that -o FILE stands for.
void readNamedOutput(const Operation& operation, const NamedOutput& output, OperationLine& line) {
  if (output.option.empty() || !operation.setting(output.option)) return;
  if (line.values.contains(output.option))
    throw UsageError(
        fmt::format("--output names a second file for --{}; omit one of them", optionOf(output.option)));
  line.values[output.option] = output.path;
}

/// A setting under each of its names that the command line has.
void readSetting(const Setting& s, const po::variables_map& values, OperationLine& line) {
  for (const std::string& name : s.names()) {
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
  for (const auto& [format, file] : line.formats)
    throw UsageError(
        fmt::format("--check computes nothing that --{} could write; omit one of them", format.option));
}

/// What the report shows: rows of its tables, and whether it says all that is known.
ReportStyle readStyle(const po::variables_map& values) {
  ReportStyle style;
  style.verbose = values.count("verbose") > 0;
  if (style.verbose && values.count("quiet"))
    throw UsageError("--verbose prints more than a quiet run; omit one of them");
  if (!values.count("rows")) return style;
  const std::string text = lowerCase(values["rows"].as<std::string>());
  const std::optional<int> rows = parseInteger(text);
  if (text != "all" && (!rows || *rows < 1))
    throw UsageError("--rows: found '" + text + "'; expected a whole number from 1 on, or all");
  style.rows = rows ? *rows : std::numeric_limits<Eigen::Index>::max();
  return style;
}

/// Every file, where to compute, and how much to say.
void readOutputs(const Operation& operation, const po::variables_map& values, OperationLine& line) {
  const NamedOutput output = namedOutput(operation, values);
  readNamedOutput(operation, output, line);
  registerFiles(operation, line);
  const auto fileOf = [&](const std::string& option, CommandFiles::Content content) {
    std::string path = line.files.output(values, option, content);
    if (output.option != option) return path;
    if (!path.empty())
      throw UsageError(fmt::format("--output names a second file for --{}; omit one of them", option));
    line.files.writes("--output", output.path, content);
    return output.path;
  };
  for (const RecordFormat& f : formatsOf(operation)) {
    const std::string path =
        fileOf(f.option, f.binary ? CommandFiles::Content::Binary : CommandFiles::Content::Text);
    if (path.empty()) continue;
    if (!f.unavailable.empty()) throw UsageError("--" + f.option + ": " + f.unavailable);
    line.formats.emplace_back(f, path);
  }
  if (output.option == "out") {
    line.out = output.path;
    line.files.writes("--output", line.out);
  }
  const bool written = !line.formats.empty();
  if (!line.out.empty() && written && !operation.printsWith.empty() &&
      !line.values.contains(operation.printsWith))
    throw UsageError(fmt::format("--output: with --{} and without --{} nothing is printed; omit it",
                                 line.formats.front().first.option, optionOf(operation.printsWith)));
  requireOutput(operation, line);
  line.execution = executionOf(readBackendOptions(values), values.count("threads") ? readThreads(values) : 0);
  line.execution.reportOnly = !written;
  line.execution.firstTableOnly =
      std::ranges::all_of(line.formats, [](const auto& f) { return f.first.option == "csv"; });
  refuseWithCheck(line, values);
  line.quiet = values.count("quiet") > 0;
  line.brief = operation.brief;
  line.style = readStyle(values);
  if (line.typed)
    line.style.spelled = [&operation](const std::string& text) { return inShell(operation, text); };
  line.execution.style = line.style;
}

OperationLine lineOf(const Operation& operation, const po::variables_map& values) {
  OperationLine line;
  line.typed = true;
  if (operation.onRanks) line.mpi = readRankOption(values);
  for (const Setting& s : operation.allSettings())
    if (!s.positional) readSetting(s, values, line);
  readWords(operation, values.count("words") ? values["words"].as<Words>() : Words{}, line);
  readOutputs(operation, values, line);
  return line;
}

/// Where the text has "name=" of a setting, as the texts of settings name it; npos: nowhere from `at` on.
std::size_t settingIn(const std::string& text, const std::string& name, std::size_t at) {
  while ((at = text.find(name + "=", at)) != std::string::npos) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const std::size_t blank = at < 2 ? std::string::npos : text.rfind(' ', at - 2);
    // "$bas library='...'" is of an input file.
    const bool inGroup = blank != std::string::npos && before == ' ' && text[blank + 1] == '$';
    if (!isLetter(before) && !isDigit(before) && before != '_' && before != '-' && !inGroup) return at;
    ++at;
  }
  return at;
}

/// Problems with settings under the names that the shell has for them.
UsageError spelled(const Operation& operation, const RequestErrors& errors) {
  std::string text;
  for (const SettingProblem& p : errors.problems()) {
    const auto known = std::find_if(operation.settings.begin(), operation.settings.end(),
                                    [&](const Setting& s) { return s.name == p.setting; });
    const bool word = known != operation.settings.end() && known->positional;
    text += (text.empty() ? "" : "\n");
    const bool saysItself = p.message.starts_with(p.setting + "='");  // "functional='b3lpy': ..."
    if (!p.setting.empty() && !saysItself)
      text += (word ? valueNameOf(*known) : "--" + optionOf(p.setting)) + ": ";
    const std::string found = "found " + p.setting + "=";
    const bool twice = !p.setting.empty() && p.message.starts_with(found);
    text += inShell(operation, twice ? "found " + p.message.substr(found.size()) : p.message);
  }
  return UsageError(text);
}

bool isAtom(const std::string& word) {
  try {
    parseIsotope(word);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// An option without a value that has one by itself, `--breit` or `--contracted`, gets it; `words` are those
/// of the command line.
Words withImpliedValues(const Operation& operation, const Words& words) {
  const auto isItsValue = [](const Setting& s, const std::string& word) {
    const std::string plain = lowerCase(word);
    if (s.type == ValueType::Any) return parseLogical(plain).has_value();
    return std::ranges::any_of(s.choices, [&](const std::string& c) { return lowerCase(c) == plain; });
  };
  const std::vector<Setting> settings = operation.allSettings();
  Words result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    result.push_back(words[i]);
    if (words[i] == "--") {
      result.insert(result.end(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      return result;
    }
    if (!words[i].starts_with("--") || words[i].find('=') != std::string::npos) continue;
    const auto s = std::ranges::find_if(settings, [&](const Setting& t) {
      return !t.implied.empty() && std::ranges::any_of(t.names(), [&](const std::string& name) {
        return words[i] == "--" + optionOf(name);
      });
    });
    if (s == settings.end()) continue;
    const std::string next = i + 1 < words.size() ? lowerCase(words[i + 1]) : "";
    const bool yes = next == "yes" || next == "on", no = next == "no" || next == "off";
    if (!yes && !no && isItsValue(*s, next)) continue;
    // Any other word is meant as the value, unless it is the atom.
    if (!next.empty() && !yes && !no && next[0] != '-' && !isAtom(words[i + 1])) continue;
    const std::string none = s->type == ValueType::Any ? ".false." : s->choices.front();
    result.push_back(no ? none : s->implied);
    if (yes || no) ++i;
  }
  return result;
}

/// The words of a text with a blank between them, however it is broken into lines.
std::string unbroken(const std::string& text) {
  return fmt::format("{}", fmt::join(splitWords(text, " \t\r\n"), " "));
}

/// Whether somebody sees both streams side by side.
bool areOneTerminal() { return ::isatty(STDOUT_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1; }

/// `told`: what was printed of the report as it came, if it was.
void write(const OperationLine& line, const Record& record, const std::optional<std::string>& told) {
  for (const auto& [format, path] : line.formats) line.files.write(path, format.content(record));
  const bool written = line.writesFiles || !line.formats.empty();
  // What is printed because nothing else was asked for is a product, not a report.
  const bool isProduct = record.document || (record.printsTable && record.tables.empty());
  const bool silent = line.quiet && line.brief.empty() && !isProduct;
  std::string shown = told.value_or("");
  if (!line.out.empty() || (!told && !silent && !(written && (record.document || record.printsTable)))) {
    const std::string text = record.document                               ? record.document()
                             : record.printsTable && record.report.empty() ? recordCsv(record)
                                                                           : recordText(record, line.style);
    if (line.out.empty()) {
      print(text);
      shown = text;
    } else {
      line.files.write(line.out, text);
    }
  }
  if (!record.reason.empty()) fmt::print(stderr, "cudaprophet: {}\n", record.reason);
  if (line.quiet != record.reportWarns) return;
  const std::string seen = areOneTerminal() ? unbroken(shown) : "";
  std::vector<std::string> warnings;
  for (const RecordWarning& w : record.warnings) {
    if (record.reason.find(w.text) != std::string::npos) continue;
    const std::string text = line.typed ? inShell(*findOperation(record.operation), w.text) : w.text;
    if (seen.find(unbroken(text)) == std::string::npos) warnings.push_back(text);
  }
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
  } catch (const Error& e) {
    // What is wrong with files may name settings, too.
    error = line.typed && typeid(e) == typeid(Error)
                ? std::make_exception_ptr(Error(inShell(operation, e.what())))
                : std::current_exception();
  } catch (...) {
    error = std::current_exception();
  }
  agree(ranks, error);
  return record;
}

int statusOf(Outcome outcome) {
  return outcome == Outcome::Done ? kSuccess : outcome == Outcome::Failed ? kFailure : kNotConverged;
}

/// A file that cannot be written is one that was wrongly named.
void openFiles(CommandFiles& files) {
  try {
    files.open();
  } catch (const ResourceError&) {
    throw;
  } catch (const FailureError& e) {
    throw UsageError(e.what());
  }
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
  std::optional<ProgressLine> waiting, progress;  // until the operation says how far it is, and then
  std::once_flag begun;
  if (!line.quiet && ranks.rank() == 0) {
    waiting.emplace("", true);
    waiting->show(0, 0, operation.words());
    e.announcer = [](const std::string& text) { fmt::print(stderr, "cudaprophet: {}\n", text); };
    e.progress = [&](const Progress& p) {  // from any thread
      std::call_once(begun, [&] {
        waiting.reset();
        progress.emplace(p.unit, true,
                         p.stays ? ProgressLine::When::AtOnce : ProgressLine::When::AfterASecond,
                         p.stays ? ProgressLine::AtTheEnd::Stays : ProgressLine::AtTheEnd::Goes);
      });
      if (progress) progress->show(p.done, p.total, p.note, p.atMost);
      if (p.stays && p.done >= p.total) progress.reset();  // what is told comes below it
    };
  }
  std::optional<std::string> told;
  const bool silent = line.quiet && operation.brief.empty() && operation.name != "batch";
  if (line.out.empty())
    e.reader = [&, silent](const std::string& part) {
      if (!told) told.emplace();
      if (silent) return;
      *told += part;
      progress ? progress->print(part) : waiting ? waiting->print(part) : print(part);
    };
  e.together([&] {
    if (ranks.rank() == 0) openFiles(line.files);
  });
  growHeapInLargePages(e.threadsOrAll());
  const Record record = runOnAll(operation, line, ranks);
  waiting.reset();
  progress.reset();
  e.together([&] {
    if (ranks.rank() == 0) write(line, record, told);
  });
  return statusOf(record.outcome);
}

std::string actionOf(const Operation& operation) {
  return operation.command.substr(operation.command.find(' ') + 1);
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
  const std::vector<RecordFormat> formats = formatsOf(operation);
  const auto isWritten = [&](const std::string& option) {
    return std::ranges::any_of(formats, [&](const RecordFormat& f) { return f.option == option; });
  };
  for (const Setting& s : besideInput()) {
    const bool ours =
        s.name == "check" || s.name == "verbose" || operation.setting(s.name) || isWritten(s.name);
    if (values.count(optionOf(s.name)) && !ours)
      refuse(optionOf(s.name), "; it belongs to jobtype=" + jobtypesWith(s.name));
  }
  for (const auto& row : kRecordFormats)
    if (const std::string option = row().option;
        values.count(option) && !isWritten(option) && !operation.setting(option))
      refuse(option, ", which has no table");
}

}  // namespace

po::options_description inputOptions() {
  po::options_description options("Options", kHelpWidth);
  const auto add = [&](const char* name, const char* help) { options.add_options()(name, help); };
  add("help,h", "print this text");
  add("version", "print the version");
  options.add_options()("explain", po::value<std::string>()->value_name("NAME")->implicit_value(""),
                        "print the keywords of an input group, one keyword, or the settings of an operation "
                        "(without a name: the groups)");
  for (const Setting& s : besideInput()) addOption(options, s, spellingsOf(s), helpOf(s) + ownersOf(s.name));
  for (const auto& row : kRecordFormats)
    if (const RecordFormat f = row(); !has(options, f.option)) addFile(options, f.option.c_str(), f.help);
  addStyleOptions(options);
  addFile(options, "output,o",
          "write the result to this file; its ending is the format: .json, .csv, .h5 or .txt");
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

int operationGroup(const std::string& group, const std::string& summary,
                   const std::vector<std::string>& arguments) {
  std::vector<const Operation*> actions;
  for (const Operation& o : operations())
    if (o.command.rfind(group + " ", 0) == 0) actions.push_back(&o);
  if (arguments.empty()) throw UsageError(unknownAction(group, actions, ""));
  if (arguments[0] == "--help" || arguments[0] == "-h") {
    print(groupHelp(group, summary, actions, helpAsked(arguments).all));
    return kSuccess;
  }
  for (const Operation* o : actions) {
    if (o->command != group + " " + arguments[0]) continue;
    refuseOthers(*o, actions, arguments);
    return operationCommand(*o, {arguments.begin() + 1, arguments.end()});
  }
  throw UsageError(unknownAction(group, actions, arguments[0]));
}

std::string inShell(const Operation& operation, std::string text) {
  for (const Setting& s : operation.allSettings()) {
    for (const std::string& name : s.names())
      for (std::size_t at = 0; name.size() > 1 && (at = settingIn(text, name, at)) != std::string::npos;) {
        const std::size_t value = at + name.size() + 1;
        constexpr std::string_view kYes = ".true.";  // what a switch means by itself
        const std::size_t yes = text.compare(value, kYes.size(), kYes) == 0 ? kYes.size() : 0;
        const bool alone = yes > 0 || value == text.size() ||
                           std::string_view(" ,;.").find(text[value]) != std::string_view::npos;
        const std::string option =
            (s.positional ? valueNameOf(s) : "--" + optionOf(name)) + (alone ? "" : " ");
        text.replace(at, name.size() + 1 + yes, option);
        at += option.size();
      }
  }
  // What is said of input files, which have quotes and groups.
  for (const auto& [inFile, typed] :
       {std::pair(", without quotes", ""), std::pair("a text in quotes", "a text"),
        std::pair("' in quotes", "'"), std::pair(".true. or .false.", "yes or no")})
    for (std::size_t at = 0; (at = text.find(inFile, at)) != std::string::npos;)
      text.replace(at, std::string_view(inFile).size(), typed);
  constexpr std::string_view kInGroup = " in $";
  for (std::size_t at = 0; (at = text.find(kInGroup, at)) != std::string::npos;) {
    std::size_t end = at + kInGroup.size();
    while (end < text.size() && isLetter(text[end])) ++end;
    text.erase(at, end - at);
  }
  return text;
}

int operationCommand(const Operation& operation, const std::vector<std::string>& arguments) {
  if (const HelpAsked help = helpAsked(arguments); help.any) {
    print(operationHelp(operation, help.all));
    return kSuccess;
  }
  OperationLine line;
  if (operation.onRanks) line.mpi = JoinMode::Automatic;  // to say together what is wrong
  std::exception_ptr wrong;
  try {
    const po::variables_map values =
        parseOptions(withImpliedValues(operation, arguments), allOptionsOf(operation), "words",
                     "cudaprophet " + operation.words());
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
