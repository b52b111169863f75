#pragma once
#include <boost/program_options.hpp>
#include <string>
#include <vector>

#include "operations/catalogue/operation.hpp"
#include "operations/record/record_formats.hpp"

namespace prophet {

/// Whether a name is one of the options, written whole.
bool has(const boost::program_options::options_description& options, const std::string& name);

/// What help calls a setting's value: "FILE", "NUMBER".
std::string valueNameOf(const Setting& setting);

/// Everything that help says of a setting: "ewald or spread: how ..., angstrom, 1 to 5 (default: 3)".
std::string helpOf(const Setting& setting);

/// --rows and --verbose, where they are not there already.
void addStyleOptions(boost::program_options::options_description& options);
/// Its name as an option, with an alias of one letter as the short form: "verbose,v".
std::string spellingsOf(const Setting& setting);

/// A setting under one of its names.
void addOption(boost::program_options::options_description& options, const Setting& setting,
               const std::string& name, const std::string& help);

/// An option whose value is the name of a file.
void addFile(boost::program_options::options_description& options, const char* name, const std::string& help);

/// The formats that its records are written in; an operation may write such files by itself.
std::vector<RecordFormat> formatsOf(const Operation& operation);
/// Endings of the files that it writes, and the options that they stand for.
std::vector<std::pair<std::string, std::string>> endingsOf(const Operation& operation);
/// ".json, .csv, or .txt for the report".
std::string endingsText(const Operation& operation);

/// All options of an operation, as the whole help lists them.
boost::program_options::options_description optionsOf(const Operation& operation);

/// The same with the other names of settings, which help does not show.
boost::program_options::options_description allOptionsOf(const Operation& operation);

/// What --help prints: usage, examples and the options that are common; with `all` every option.
std::string operationHelp(const Operation& operation, bool all);

/// The same of a group, `cudaprophet GROUP ACTION`.
std::string groupHelp(const std::string& group, const std::string& summary,
                      const std::vector<const Operation*>& actions, bool all);

/// Whether a command line asks for help, and whether for all of it (--help all).
struct HelpAsked {
  bool any = false, all = false;
};
HelpAsked helpAsked(const std::vector<std::string>& arguments);

}  // namespace prophet
