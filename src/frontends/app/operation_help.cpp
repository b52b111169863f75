#include "frontends/app/operation_help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "core/common/text.hpp"
#include "frontends/app/backend_options.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/rank_command.hpp"

namespace prophet {

namespace po = boost::program_options;
using Words = std::vector<std::string>;

namespace {

constexpr std::size_t kWidth = 100, kShortWidth = 96;
constexpr const char* kFile = "FILE";
constexpr const char* kStatuses =
    " Exit status: 0 success, 2 the request is wrong (options, names or files), 3 something did not converge "
    "or is not bound, 1 anything else.";

/// "r, g; with q: q, S".
std::string columnsOf(const Operation& operation) {
  std::string text;
  for (const CsvHeading& heading : operation.csvHeadings())
    text += (heading.with.empty() ? "" : "; with " + heading.with + ": ") +
            fmt::format("{}", fmt::join(heading.columns, ", "));
  return text;
}

/// Breaks a paragraph into lines.
std::string paragraph(const std::string& text) { return wrapped(text, kWidth) + "\n"; }

/// The first clause of what a setting means, with the words that it may be.
std::string shortHelpOf(const Setting& s) {
  std::string text = s.documentation;
  for (const char* end : {"; ", " (", ": "})
    if (const std::size_t at = text.find(end); at != std::string::npos && at > 12) text.resize(at);
  if (!s.named.empty() && s.choices.empty()) {
    std::vector<std::string> words;
    for (const NamedNumber& n : s.named) words.push_back(n.name);
    return enumerate(words, "") + ": " + text;
  }
  return (s.choices.empty() || s.choices.size() > 6 ? "" : enumerate(s.choices, "") + ": ") + text;
}

/// A line of the short help: option, value and meaning.
std::string shortLine(const std::string& option, const std::string& text) {
  constexpr std::size_t kColumn = 26;
  const std::string head = "  " + option;
  const std::string gap = head.size() + 2 > kColumn ? "  " : std::string(kColumn - head.size(), ' ');
  const std::size_t room = kShortWidth - std::max(kColumn, head.size() + gap.size());
  return head + gap + wrapped(text, room, std::string(kColumn, ' ')) + "\n";
}

std::string optionAndValue(const Setting& s) {
  std::string text = "--" + optionOf(s.name);
  for (const std::string& alias : s.aliases)
    if (alias.size() == 1) text = "-" + alias + ", " + text;
  if (s.type == ValueType::Logical || valueNameOf(s) == "LOGICAL") return text;
  return text + (s.implied.empty() ? " " + valueNameOf(s) : "[=" + valueNameOf(s) + "]");
}

/// Part of the short help that a setting belongs to.
std::string headingOf(const Setting& s) {
  return !s.heading.empty() ? s.heading : isOutput(s) ? "Output" : "Settings";
}

/// The settings that the short help lists: those marked as common, or all where none is.
std::vector<Setting> commonSettings(const Operation& operation) {
  std::vector<Setting> all = operation.allSettings();
  std::erase_if(all, [](const Setting& s) { return s.positional; });
  if (std::ranges::none_of(all, &Setting::common)) return all;
  std::erase_if(all, [](const Setting& s) { return !s.common; });
  return all;
}

std::string capital(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string shortHelp(const Operation& operation) {
  std::string text = "usage: cudaprophet " + operation.example + " [options]\n\n" +
                     wrapped(capital(operation.summary) + ".", kShortWidth) + "\n";
  for (const std::string& example : operation.examples)
    text += (&example == &operation.examples.front() ? "\nExamples:\n" : "") +
            ("  cudaprophet " + example + "\n");
  const std::vector<Setting> common = commonSettings(operation);
  Words headings;
  for (const Setting& s : common)
    if (std::ranges::find(headings, headingOf(s)) == headings.end()) headings.push_back(headingOf(s));
  const auto place = [](const std::string& heading) {
    return heading == "Atom" ? 0 : heading == "Method" ? 1 : heading == "Output" ? 3 : 2;
  };
  if (std::ranges::find(headings, "Output") == headings.end()) headings.emplace_back("Output");
  std::ranges::stable_sort(headings, {}, place);
  for (const std::string& heading : headings) {
    text += "\n" + heading + ":\n";
    for (const Setting& s : common)
      if (headingOf(s) == heading) text += shortLine(optionAndValue(s), shortHelpOf(s));
  }
  if (!operation.setting("out"))
    text += shortLine("-o, --output FILE", "the result: " + endingsText(operation));
  text += shortLine("-v, --verbose", "print all that is known of the result; --rows N: rows of tables");
  text += shortLine("-q, --quiet", operation.brief.empty() ? "print no report and no warnings"
                                                           : "print one number only, in hartree");
  return text + "'cudaprophet " + operation.words() +
         " --help all' has every option and the exit statuses.\n";
}

}  // namespace

bool has(const po::options_description& options, const std::string& name) {
  return options.find_nothrow(name, false) != nullptr;
}

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

std::vector<RecordFormat> formatsOf(const Operation& operation) {
  std::vector<RecordFormat> formats;
  for (const auto& row : kRecordFormats)
    if (RecordFormat f = row(); (!f.ofTables || operation.tables) && !operation.setting(f.option))
      formats.push_back(std::move(f));
  return formats;
}

std::vector<std::pair<std::string, std::string>> endingsOf(const Operation& operation) {
  std::vector<std::pair<std::string, std::string>> endings;
  for (const auto& row : kRecordFormats) {
    const RecordFormat f = row();
    if (!operation.setting(f.option) && f.ofTables && !operation.tables) continue;
    for (const std::string& ending : f.endings) endings.emplace_back(ending, f.option);
  }
  if (operation.setting("json_lines")) endings.emplace_back(".jsonl", "json_lines");
  return endings;
}

std::string endingsText(const Operation& operation) {
  std::string text, last;
  for (const auto& [ending, option] : endingsOf(operation))
    if (option != std::exchange(last, option)) text += (text.empty() ? "" : ", ") + ending;
  return operation.prints.empty() ? text + ", or .txt for the report" : text;
}

std::string spellingsOf(const Setting& s) {
  std::string text = optionOf(s.name);
  for (const std::string& alias : s.aliases)
    if (alias.size() == 1) text += "," + alias;
  return text;
}

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

void addStyleOptions(po::options_description& options) {
  if (!has(options, "rows"))
    options.add_options()("rows", po::value<std::string>()->value_name("N"),
                          "rows of each table that is printed, or all (default: 30)");
  if (!has(options, "verbose")) options.add_options()("verbose,v", "print all that is known of the result");
}

po::options_description optionsOf(const Operation& operation) {
  po::options_description options("Options", kWidth);
  auto add = options.add_options();
  add("help,h", "print the common options; --help all prints every one");
  for (const Setting& s : operation.allSettings())
    if (!s.positional) addOption(options, s, spellingsOf(s), helpOf(s));
  const auto file = [&](const char* name, const std::string& text) { addFile(options, name, text); };
  for (const RecordFormat& f : formatsOf(operation))
    file(f.option.c_str(), f.help + (f.option == "csv" ? ": columns " + columnsOf(operation) : ""));
  if (!operation.setting("out"))
    file("output,o",
         operation.prints.empty()
             ? "write the result to this file; its ending is the format: " + endingsText(operation)
             : "write " + operation.prints +
                   " to this file instead of standard output, or another format by its ending: " +
                   endingsText(operation));
  if (operation.onGpus) {
    addBackendOptions(options);
  } else if (operation.onThreads) {
    add("threads,j", po::value<int>()->value_name("N"), "threads to use (default: all processors)");
  }
  if (operation.onRanks) addRankOption(options, "the work");
  addStyleOptions(options);
  const std::string quiet = operation.brief.empty() ? "print no report, no progress and no warnings"
                                                    : "print one number only, in hartree: " + operation.brief;
  add("quiet,q", quiet.c_str());
  return options;
}

po::options_description allOptionsOf(const Operation& operation) {
  po::options_description options = optionsOf(operation);
  for (const Setting& s : operation.allSettings())
    for (const std::string& alias : s.aliases)
      if (!s.positional && alias.size() > 1 && !has(options, optionOf(alias)))
        addOption(options, s, optionOf(alias), "");
  if (!operation.prints.empty() && !operation.setting("out")) addFile(options, "out", "");  // its old name
  return options;
}

std::string operationHelp(const Operation& operation, bool all) {
  if (!all) return shortHelp(operation);
  std::ostringstream text;
  text << "usage: cudaprophet " << operation.example << " [options]\n\n"
       << paragraph(operation.description + kStatuses) << "\n"
       << optionsOf(operation);
  return text.str();
}

std::string groupHelp(const std::string& group, const std::string& summary,
                      const std::vector<const Operation*>& actions, bool all) {
  std::ostringstream text;
  po::options_description options("Options", kWidth);
  for (const Operation* o : actions) {
    text << (o == actions.front() ? "usage: " : "       ") << "cudaprophet " << o->example << "\n";
    const po::options_description own = optionsOf(*o);
    for (const auto& option : own.options())
      if (!has(options, option->long_name())) options.add(option);
  }
  text << "\n"
       << paragraph(capital(summary) + ". 'cudaprophet " + group +
                    " ACTION --help' describes each action and its options.");
  if (all) text << "\n" << options;
  return text.str();
}

HelpAsked helpAsked(const std::vector<std::string>& arguments) {
  const auto given = [&](const char* word) { return std::ranges::find(arguments, word) != arguments.end(); };
  const bool any = given("--help") || given("-h");
  return {any, any && given("all")};
}

}  // namespace prophet
