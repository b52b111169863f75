#include "frontends/app/energy_command.hpp"

#include <fmt/format.h>

#include <sstream>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/species.hpp"
#include "core/common/text.hpp"
#include "frontends/app/command_line.hpp"
#include "frontends/app/environment.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/run_command.hpp"
#include "frontends/app/usage_error.hpp"
#include "operations/input/keyword_arguments.hpp"
#include "operations/input/keywords.hpp"
#include "operations/input/values.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

constexpr unsigned kWidth = 100;

/// Keywords whose values the command line says in another way, or whose groups need lines of data.
bool isSaidOtherwise(const Keyword& k) {
  return k.name == "jobtype" || k.name == "znuc" || k.name == "nconf" || k.name == "nclose" ||
         k.name == "nopen" || k.name == "freel" || k.name == "autogen";
}

/// The keywords that the job uses, each under all of its names, its own first: "maxitr", "max-iterations".
std::vector<std::pair<std::string, const Keyword*>> keywordOptions(JobType type) {
  std::vector<std::pair<std::string, const Keyword*>> list;
  const auto isThere = [&](const std::string& name) {
    return std::any_of(list.begin(), list.end(), [&](const auto& o) { return o.first == name; });
  };
  for (const Keyword& k : keywords()) {
    const KeywordGroup* group = findGroup(k.group);
    if ((k.jobs & group->jobs & jobBit(type)) == 0 || isSaidOtherwise(k)) continue;
    std::vector<std::string> names = k.aliases;
    names.insert(names.begin(), k.name);
    if (k.group == "nuc" && k.name == "nucmdl") names = {"nucleus"};
    for (const std::string& name : names)
      if (!isThere(optionOf(name))) list.emplace_back(optionOf(name), &k);
  }
  return list;
}

std::string helpOf(const Keyword& k) {
  return fmt::format("{} ({}){}", k.documentation, expectedValue(k),
                     k.defaultText.empty() ? "" : "; default: " + k.defaultText);
}

po::options_description keywordDescription(JobType type, bool withAliases) {
  po::options_description options("What to compute ('cudaprophet --explain NAME' tells more)", kWidth);
  auto add = options.add_options();
  for (const auto& [name, keyword] : keywordOptions(type)) {
    const bool first = name == optionOf(keyword->name) || name == "nucleus";
    if (first || withAliases)
      add(name.c_str(),
          po::value<std::string>()->value_name(keyword->type == ValueType::Text ? "TEXT" : "NUMBER"),
          helpOf(*keyword).c_str());
  }
  return options;
}

std::string helpText(JobType type) {
  std::ostringstream text;
  text << fmt::format(
      "usage: cudaprophet {0} ATOM [options]\n\n"
      "{1}: ATOM is a symbol (Rn), an ion (Fe2+) or a nuclear charge (86). The options are the keywords of\n"
      "input files ('cudaprophet --explain'); 'cudaprophet ATOM' is short for 'cudaprophet energy ATOM'. "
      "Exit "
      "status:\n0 done, 1 failed, 2 wrong command line, 3 not converged.\n\n",
      jobName(type),
      type == JobType::Limit ? "Numerical energy of one atom without a basis set"
                             : "Dirac-Hartree-Fock energy of one atom");
  po::options_description outputs("Options", kWidth);
  outputs.add_options()("help,h", "print this text");
  const po::options_description shared = resultOptions();
  for (const auto& option : shared.options()) outputs.add(option);
  text << outputs << "\n" << keywordDescription(type, false);
  return text.str();
}

/// A value as an input file would hold it: several between commas; a number or a logical as such.
std::vector<ArgumentValue> valuesOf(const Keyword& keyword, const std::string& text) {
  if (keyword.type == ValueType::Text) return {{true, text}};
  std::vector<ArgumentValue> values;
  for (const std::string& word :
       keyword.size == SizeRule::One ? std::vector<std::string>{text} : split(text, ',')) {
    const bool isWord = parseReal(trimmed(word)) || parseLogical(trimmed(word));
    values.push_back({!isWord, trimmed(word)});
  }
  return values;
}

KeywordJob jobOfWords(JobType type, const std::string& atom, const po::variables_map& values) {
  KeywordJob job{atom, {}, {}, {}};
  const auto put = [&](const std::string& shown, const std::string& group, const std::string& keyword,
                       std::vector<ArgumentValue> list) {
    job.arguments.push_back({shown, group, keyword, std::move(list)});
  };
  put("energy", "contrl", "jobtype", {{true, jobName(type)}});
  if (parseReal(atom)) {
    put("ATOM", "nuc", "znuc", {{false, atom}});
  } else {
    const Species species = parseSpecies(atom);
    put("ATOM", "nuc", "znuc", {{false, std::to_string(species.z)}});
    if (!species.configuration.empty()) put("ATOM", "seconfig", "config", {{true, species.configuration}});
    if (species.charge != 0) put("ATOM", "seconfig", "charge", {{false, std::to_string(species.charge)}});
  }
  for (const auto& [name, keyword] : keywordOptions(type)) {
    if (!values.count(name)) continue;
    const std::string text = values[name].as<std::string>();
    if (name == "nucleus" && lowerCase(text) == "experimental") {
      put("--nucleus", "nuc", "rnuc", {{true, "experimental"}});
    } else {
      put("--" + name, keyword->group, keyword->name, valuesOf(*keyword, text));
    }
  }
  return job;
}

int keywordCommand(JobType type, const std::vector<std::string>& arguments) {
  po::options_description all = resultOptions();
  all.add_options()("help,h", "");
  const po::options_description keywordList = keywordDescription(type, true);
  for (const auto& option : keywordList.options()) all.add(option);
  const std::string program = "cudaprophet " + jobName(type);
  const po::variables_map values = parseOptions(arguments, all, "atom", program);
  if (values.count("help")) {
    print(helpText(type));
    return kSuccess;
  }
  const auto atoms =
      values.count("atom") ? values["atom"].as<std::vector<std::string>>() : std::vector<std::string>{};
  if (atoms.size() != 1)
    throw UsageError(
        fmt::format("{0} takes one atom, such as Rn, Fe2+ or 86, not {1}; '{2} --help' tells more",
                    jobName(type), atoms.size(), program));
  CommandLine line = readResultOptions(values);
  line.file = atoms.front();
  ResolvedJob resolved;
  try {
    Job job = jobOf(jobOfWords(type, atoms.front(), values));
    job.basisSets = environment::basisSets();
    resolved = resolve(job, line.backend);
  } catch (const UsageError&) {
    throw;
  } catch (const Error& e) {
    throw UsageError(e.what());
  }
  return runJob(std::move(resolved), line);
}

}  // namespace

int energyCommand(const std::vector<std::string>& arguments) {
  return keywordCommand(JobType::Energy, arguments);
}
int limitCommand(const std::vector<std::string>& arguments) {
  return keywordCommand(JobType::Limit, arguments);
}

bool looksLikeAtom(const std::string& word) {
  try {
    parseSpecies(word);
    return true;
  } catch (const Error&) {
    const auto charge = parseReal(word);
    return charge && *charge > 0 && *charge < 171;
  }
}

}  // namespace prophet
