#include "operations/input/parse_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "atoms/atom/species.hpp"
#include "atoms/basis/collection_names.hpp"
#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"
#include "operations/input/keywords.hpp"
#include "operations/input/sections.hpp"

namespace prophet {
namespace {

/// Larger files are no input files; the largest sensible one has a few hundred kilobytes.
constexpr std::uintmax_t kLargestInput = 4 * 1024 * 1024;

}  // namespace

Job jobOf(const NamelistFile& file, Diagnostics diagnostics, const std::string& fileName) {
  Job job;
  // Without any group what was wrong with the file says more than what is missing.
  if (!file.groups.empty() || diagnostics.empty()) {
    const Settings settings(file, diagnostics);
    JobReading reading{file, settings, job, diagnostics};
    for (const Keyword& keyword : keywords())
      if (const Json* value = settings.single(keyword.group, keyword.name)) keyword.read(job, *value);
    reading.jobTypeKnown = !settings.damaged("contrl", "jobtype");
    for (const auto apply : {applyLevels, applyBasis, applyNucleus, applyElectrons, applyScf,
                             applyHamiltonian, applyEmbedding, applyOptimiser, applyChain, checkUse})
      apply(reading);
    if (!diagnostics.empty()) {
      std::vector<Diagnostic> errors = diagnostics.sorted();
      for (Diagnostic& error : errors) error.message = settings.asWritten(std::move(error.message));
      throw InputErrors(fileName, std::move(errors));
    }
  }
  if (!diagnostics.empty()) throw InputErrors(fileName, diagnostics.sorted());
  job.file = fileName;
  job.folder = std::filesystem::path(fileName).parent_path();
  job.title = file.title;
  return job;
}

Job parseJob(const std::string& text, const std::string& fileName) {
  Diagnostics diagnostics;
  const NamelistFile file = readNamelist(text, diagnostics);
  Job job = jobOf(file, std::move(diagnostics), fileName);
  job.text = text;
  return job;
}

std::string readInputText(const std::string& path) {
  const std::filesystem::path name(path);
  if (name.extension() != ".inp") {
    std::string hint;
    try {
      parseSpecies(path);
      hint = "; atoms are named by elements, on the command line --elements";
    } catch (const Error&) {  // no atom either
    }
    throw Error(fmt::format("{}: error: the name of an input file must end in .inp{}", path, hint));
  }
  std::error_code problem;
  if (std::filesystem::is_directory(name, problem))
    throw Error(fmt::format("{}: error: this is a folder, not a file", path));
  const auto size = std::filesystem::file_size(name, problem);
  if (!problem && size > kLargestInput) {
    throw Error(fmt::format("{}: error: the file has {} bytes; this is not an input file", path, size));
  }
  return readFile(path);
}

Job readJobFile(const std::string& path) { return parseJob(readInputText(path), path); }

namespace {

/// A keyword under the names that it has as a setting, its own first.
struct NamedKeyword {
  std::vector<std::string> names;
  const Keyword* keyword;
};

/// Keywords that the job uses but what the operation's name and the atom say, and what needs lines of data.
std::vector<NamedKeyword> namedKeywords(JobType type) {
  std::vector<NamedKeyword> list;
  std::set<std::string> known;
  for (const Keyword& k : keywords()) {
    const bool used = (k.jobs & findGroup(k.group)->jobs & jobBit(type)) != 0;
    if (!used || k.name == "jobtype" || k.name == "znuc" || k.name == "nconf") continue;
    std::vector<std::string> names = k.names();
    if (k.name == "nucmdl") names.insert(names.begin(), "nucleus");
    if (known.count(names.front())) names = {k.group + "_" + k.name};
    std::erase_if(names, [&](const std::string& name) { return known.count(name) > 0; });
    known.insert(names.begin(), names.end());
    list.push_back({std::move(names), &k});
  }
  return list;
}

const Keyword* keywordNamed(const std::vector<NamedKeyword>& list, const std::string& name) {
  for (const NamedKeyword& k : list)
    if (std::find(k.names.begin(), k.names.end(), name) != k.names.end()) return k.keyword;
  return nullptr;
}

constexpr const char* kBasis = "basis";  // the setting that is a collection or a file

/// Whether the job may take its basis set from a collection.
bool takesBasis(const std::vector<NamedKeyword>& list) { return keywordNamed(list, "library") != nullptr; }

constexpr const char* kQed = "qed";  // the setting that is qedvp='full' with the self-energy

bool takesQed(const std::vector<NamedKeyword>& list) { return keywordNamed(list, "qedse") != nullptr; }

/// Vacuum polarisation and self-energy by one word.
Setting qedSetting() {
  Setting s;
  s.name = kQed;
  s.type = ValueType::Text;
  s.choices = {"none", "inner", "valence"};
  s.implied = "inner";
  s.documentation = "vacuum polarisation and self-energy (fitted to inner shells or to valence states)";
  s.defaultText = "'none'";
  s.heading = "Method";
  s.common = s.inInput = true;
  return s;
}

/// The keyword that a value of `basis` belongs to: a file where there is one, or its name ends like one.
/// Collections and folders of them may have numbers behind a point, "wtbs-2.1".
const char* keywordOfBasis(const std::string& value) {
  std::error_code none;
  if (std::filesystem::is_directory(value, none)) return "library";
  const std::string ending = std::filesystem::path(value).extension();
  const bool likeAFile = ending.size() > 1 && isLetter(ending[1]);
  return likeAFile || std::filesystem::exists(value, none) ? "file" : "library";
}

/// Part of the short help of commands that a keyword belongs to.
std::string headingOf(const std::string& group) {
  if (group == "nuc" || group == "seconfig" || group == "watson" || group == "crystal") return "Atom";
  return "Method";
}

/// What the parser of input files reads is described by it.
Setting settingOf(const NamedKeyword& k, JobType type) {
  Setting s = *k.keyword;
  s.name = k.names.front();
  s.aliases.assign(k.names.begin() + 1, k.names.end());
  s.inInput = true;
  s.needs.clear();  // what it says of itself names them, and the rules of input files check them
  s.excludes.clear();
  s.heading = headingOf(k.keyword->group);
  if (const std::string* ofJob = jobDefault(*k.keyword, type)) s.defaultText = "'" + *ofJob + "'";
  const bool several = k.keyword->size != SizeRule::One, logical = s.type == ValueType::Logical;
  if (logical) {
    s.implied = ".true.";
    for (const auto& [word, shown] : {std::pair(".true.", "yes"), std::pair(".false.", "no")})
      if (s.defaultText.starts_with(word)) s.defaultText.replace(0, std::string_view(word).size(), shown);
  }
  if (several || logical || !k.keyword->named.empty()) {
    s.expected = expectedValue(*k.keyword);
    if (several)
      s.expected +=
          k.keyword->size == SizeRule::PerSymmetry ? ", for each symmetry" : ", four for each group";
    const bool allNamed = s.type == ValueType::Integer;  // a radius is a number, or 'experimental'
    s.valueName = several ? "LIST" : logical ? "LOGICAL" : allNamed ? "NAME" : "NUMBER";
    s.type = ValueType::Any;
  }
  return s;
}

/// A value as an input file would hold it.
NamelistValue written(const Json& value, bool isText, Position at) {
  const auto word = [&](const std::string& text) {
    return NamelistValue{NamelistValue::Kind::Word, text, text, at};
  };
  if (value.is_boolean()) return word(value.get<bool>() ? ".true." : ".false.");
  if (value.is_number_integer()) return word(value.dump());
  if (value.is_number()) return word(fmt::format("{}", value.get<double>()));
  if (!value.is_string()) throw Error("found " + value.dump() + "; expected a number or a text");
  const std::string text = value.get<std::string>(), plain = trimmed(text);
  if (!isText && (parseReal(plain) || parseLogical(plain))) return word(plain);
  const std::string& shown = isText ? text : plain;
  return {NamelistValue::Kind::String, shown, "'" + shown + "'", at};
}

/// The same of several, in a list or between commas.
std::vector<NamelistValue> allWritten(const Keyword& k, const Json& value, Position at) {
  const bool isText = k.type == ValueType::Text;
  if (value.is_array() && k.size == SizeRule::One && (isText || k.type <= ValueType::Logical))
    throw Error(fmt::format("found {}; expected {}, not a list", value.dump(), expectedValue(k)));
  std::vector<NamelistValue> list;
  if (value.is_array()) {
    for (const Json& item : value) list.push_back(written(item, isText, at));
  } else if (value.is_string() && !isText && k.size != SizeRule::One) {
    for (const std::string& part : split(value.get<std::string>(), ','))
      list.push_back(written(part, false, at));
  } else {
    list.push_back(written(value, isText, at));
  }
  return list;
}

/// The keyword of a name that is none of the job's own, in the first group that has it and that the job uses.
const Keyword* keywordAnywhere(JobType type, const std::string& name) {
  const Keyword* any = nullptr;
  for (const KeywordGroup& group : keywordGroups()) {
    const Keyword* keyword = findKeyword(group.name, lowerCase(name));
    if (!keyword) continue;
    if ((group.jobs & keyword->jobs & jobBit(type)) != 0) return keyword;
    if (!any) any = keyword;
  }
  return any;
}

/// Arguments of functions, and what a name that is the beginning of one means.
std::string nearestArgument(const std::string& name) {
  static const std::vector<std::string> kArguments = {
      "charge", "config", "nucleus", "basis", "breit", "qed", "threads", "device", "error_estimate", "start"};
  for (const std::string& argument : kArguments)
    if (name.size() >= 3 && argument.rfind(lowerCase(name), 0) == 0) return argument;
  return nearestName(name, kArguments);
}

std::string unknownKeyword(const std::string& name) {
  const std::string argument = nearestArgument(name);
  // One that is unknown all the same is an argument of other functions.
  if (!argument.empty() && argument != name)
    return fmt::format("unknown keyword '{}'; did you mean '{}'?", name, argument);
  std::vector<std::string> names;
  for (const Keyword& keyword : keywords())
    for (std::string& its : keyword.names()) names.push_back(std::move(its));
  const std::string nearest = nearestName(name, names);
  return fmt::format("unknown keyword '{}'; {}", name,
                     nearest.empty() ? "explain() lists all" : fmt::format("did you mean '{}'?", nearest));
}

std::string joined(const std::vector<NamelistValue>& values, const std::string& separator) {
  std::string text;
  for (const NamelistValue& value : values) text += (text.empty() ? "" : separator) + value.written;
  return text;
}

/// The input file that asks for what values of settings ask for. Line n of it is what was put n-th, so that
/// messages find their setting.
class FileOfValues {
 public:
  FileOfValues(JobType type, const Json& values) : type_(type), known_(namedKeywords(type)), values_(values) {
    put("", *findKeyword("contrl", "jobtype"), jobName(type));
    of("atom", [&] {
      if (!values.contains("atom")) throw Error("is missing; expected an atom, such as Rn, Fe2+ or 86");
      putAtom(values["atom"]);
    });
    for (const auto& [name, value] : values.items())
      if (name != "atom" && !value.is_null()) read(name, value);
    of(kBasis, [&] { putNucleusOfSet(); });
    file_.end = next();
    // A file must have the group; the job's name says it all.
    if (type == JobType::BasisOptimisation) group("newuoa");
  }

  /// The job, under a label that stands for the name of the file. Throws RequestErrors.
  Job job(const std::string& label) {
    if (!problems_.empty()) throw RequestErrors(std::move(problems_));
    try {
      Job job = jobOf(file_, {}, label.empty() ? atom_ : label);
      job.folder.clear();
      job.text = text(job.file);
      return job;
    } catch (const InputErrors& errors) {
      for (const Diagnostic& d : errors.diagnostics()) {
        const auto i = static_cast<std::size_t>(d.line) - 1;
        problems_.push_back({i < said_.size() ? said_[i].setting : "", asSaid(d.message)});
      }
      throw RequestErrors(std::move(problems_));
    }
  }

 private:
  struct Said {
    std::string setting;
    const Keyword* keyword;
    std::string name;  ///< the keyword's, in the file
  };

  /// Runs a step; what it throws is a problem of the setting.
  template <class Step>
  void of(const std::string& setting, const Step& step) {
    try {
      step();
    } catch (const RequestErrors& e) {
      problems_.insert(problems_.end(), e.problems().begin(), e.problems().end());
    } catch (const Error& e) {
      problems_.push_back({setting, e.what()});
    }
  }

  Position next() const { return {static_cast<int>(said_.size()) + 1, 1}; }

  NamelistGroup& group(const std::string& name) {
    for (NamelistGroup& known : file_.groups)
      if (known.name == name) return known;
    NamelistGroup made;
    made.name = name;
    made.at = made.end = next();
    return file_.groups.emplace_back(std::move(made));
  }

  /// `name`: what the file calls the keyword; empty: by its own name.
  void put(const std::string& setting, const Keyword& keyword, const Json& value,
           const std::string& name = "") {
    NamelistAssignment assignment;
    assignment.name = assignment.written = name.empty() ? keyword.name : lowerCase(name);
    assignment.at = next();
    assignment.values = allWritten(keyword, value, assignment.at);
    NamelistGroup& its = group(keyword.group);
    said_.push_back({setting, &keyword, assignment.name});
    its.assignments.push_back(std::move(assignment));
  }

  void putAtom(const Json& atom) {
    atom_ = atom.is_string() ? atom.get<std::string>() : written(atom, false, {}).text;
    const auto put = [&](const char* group, const char* name, const Json& value) {
      this->put("atom", *findKeyword(group, name), value);
    };
    if (!atom.is_string() || parseReal(atom_)) return put("nuc", "znuc", atom);
    const Species species = parseIsotope(atom_);
    put("nuc", "znuc", species.z);
    if (species.massNumber > 0) put("nuc", "mass", species.massNumber);
    if (!species.configuration.empty()) put("seconfig", "config", species.configuration);
    if (species.chargeWritten) put("seconfig", "charge", species.charge);
  }

  void read(const std::string& name, const Json& value) {
    if (value.is_object()) return readGroup(name, value);
    of(name, [&] {
      if (name == "jobtype") throw Error("the operation determines it; omit it");
      if (name == kBasis) return readBasis(value);
      if (name == kQed) return readQed(value);
      if (name == "configurations" && value.is_array()) return readConfigurations(value);
      const Keyword* k = keywordNamed(known_, name);
      if (k && k->name == "nucmdl" && value.is_string() &&
          lowerCase(trimmed(value.get<std::string>())) == "experimental")
        k = findKeyword("nuc", "rnuc");
      if (!k) k = keywordAnywhere(type_, name);
      if (!k) throw Error(unknownKeyword(name));
      for (const Said& said : said_)
        if (said.setting == "atom" && said.keyword == k)
          throw Error(fmt::format("'{}' names the {} already; omit one of them", atom_,
                                  k->name == "config" ? "configuration" : k->name));
      // By another of its names, in the place of which a file would say "is set twice" with a line.
      for (const Said& said : said_)
        if (said.keyword == k && !said.setting.empty())
          throw Error(fmt::format("says the same as {}=; omit one of them", said.setting));
      const bool word =
          value.is_boolean() && k->type == ValueType::Text && !k->implied.empty();  // breit=True
      put(name, *k, word ? Json(value.get<bool>() ? k->implied : k->choices.front()) : value,
          k->isCalled(name) ? name : "");
    });
  }

  /// The keywords of a group by their names, {"maxitr": 100}; those of a basis set, its ladder's too,
  /// exponents, its name as `basis` alone takes it, and the nucleus that it was made for.
  void readGroup(const std::string& name, const Json& values) {
    const KeywordGroup* its = findGroup(lowerCase(name));
    for (const auto& [keyword, value] : values.items()) {
      const std::string setting = fmt::format("{}['{}']", name, keyword);
      of(setting, [&, &called = keyword, &item = value] {
        const bool ofBasis = its && its->name == "bas";
        if (ofBasis && called == "exponents") return readExponents(item);
        if (ofBasis && called == "name") return readBasis(item);
        if (ofBasis && called == "nucleus") return void(nucleusOfSet_ = item);
        const Keyword* k = its ? findKeyword(its->name, lowerCase(called)) : nullptr;
        if (!k && ofBasis) k = findKeyword("wtbs", lowerCase(called));
        if (!k) throw Error(unknownKeyword(called));
        if (!item.is_null()) put(setting, *k, item, called);
      });
    }
  }

  void readBasis(const Json& value) {
    if (!value.is_string()) throw Error("found " + value.dump() + "; expected a collection or a file");
    refuseBeside({"library", "file", "bastype"});
    const std::string text = value.get<std::string>();
    put(kBasis, *findKeyword("bas", keywordOfBasis(text)), text);
  }

  bool isSaid(const Keyword& keyword) const {
    return std::ranges::any_of(said_, [&](const Said& said) { return said.keyword == &keyword; });
  }

  /// The nucleus that a basis set was made for, where no model is named; its size, where nothing else says
  /// it.
  void putNucleusOfSet() {
    const Keyword &charge = *findKeyword("nuc", "znuc"), &model = *findKeyword("nuc", "nucmdl");
    if (isSaid(model)) return;
    const bool sized = std::ranges::any_of(keywords(), [&](const Keyword& k) {
      return k.group == "nuc" && &k != &charge && &k != &model && isSaid(k);
    });
    for (const auto& [name, value] : nucleusOfSet_.items()) {
      const Keyword* k = findKeyword("nuc", lowerCase(name));
      if (!k) throw Error(unknownKeyword(name));
      if (k == &model || !sized) put(kBasis, *k, value);
    }
  }

  void readQed(const Json& value) {
    const Json text = value.is_boolean() ? Json(value.get<bool>() ? "inner" : "none") : value;
    const std::string energy = typedValue(qedSetting(), text).get<std::string>();
    refuseBeside({"qedvp", "qedse"});
    put(kQed, *findKeyword("contrl", "qedvp"), energy == "none" ? "none" : "full");
    put(kQed, *findKeyword("contrl", "qedse"), energy);
  }

  void refuseBeside(const std::vector<const char*>& others) const {
    for (const char* other : others)
      if (values_.contains(other)) throw Error(fmt::format("says the same as {}=; omit one of them", other));
  }

  void readExponents(const Json& symmetries) {
    said_.push_back({kBasis, nullptr, ""});
    for (const Json& exponents : symmetries) {
      addLine("bas", exponents.size());
      for (const Json& zeta : exponents) addLine("bas", zeta);
    }
  }

  void readConfigurations(const Json& rows) {
    put("configurations", *findKeyword("seconfig", "nconf"), rows.size());
    for (const Json& row : rows) addLine("seconfig", row);
  }

  /// A line behind the group, with a value or several, of what was said last.
  void addLine(const char* name, const Json& values) {
    const Position at{static_cast<int>(said_.size()), 1};
    NamelistDataLine& line = group(name).data.emplace_back(NamelistDataLine{at, {}});
    for (const Json& value : values) line.values.push_back(written(value, false, at));
  }

  /// A message with the names that settings have for keywords: "found nucleus=" for "found nucmdl=".
  std::string asSaid(std::string message) const {
    for (const NamedKeyword& k : known_) {
      const std::string lacking = fmt::format("'{}' is missing in ${}", k.keyword->name, k.keyword->group);
      if (message.starts_with(lacking))
        return k.names.front() + "= is missing" + message.substr(lacking.size());
    }
    for (const Said& said : said_) {
      const std::string name = " " + said.name + "=", shown = " " + said.setting + "=";
      const bool named = said.keyword && !said.setting.empty();
      const std::size_t at = named ? message.find(name) : std::string::npos;
      if (at != std::string::npos) message.replace(at, name.size(), shown);
    }
    return message;
  }

  std::string text(const std::string& title) const {
    std::string text = title + "\n";
    for (const NamelistGroup& its : file_.groups) {
      text += "$" + its.name;
      for (const NamelistAssignment& a : its.assignments)
        text += " " + findKeyword(its.name, a.name)->name + "=" + joined(a.values, ",");
      text += " $end\n";
      for (const NamelistDataLine& line : its.data) text += joined(line.values, " ") + "\n";
    }
    return text;
  }

  const JobType type_;
  const std::vector<NamedKeyword> known_;
  const Json& values_;
  std::string atom_;                    ///< as it is written
  Json nucleusOfSet_ = Json::object();  ///< keywords of $nuc
  NamelistFile file_;
  std::vector<Said> said_;
  std::vector<SettingProblem> problems_;
};

}  // namespace

std::vector<Setting> keywordSettings(JobType type) {
  std::vector<Setting> settings;
  const std::vector<NamedKeyword> known = namedKeywords(type);
  for (const NamedKeyword& k : known) {
    if (k.keyword->name == "bastype" && takesBasis(known)) {
      Setting& basis = settings.emplace_back();
      basis.name = kBasis;
      basis.type = ValueType::Text;
      basis.valueName = "NAME|FILE";
      basis.documentation = "a collection of basis sets, a folder of them, or a basis set file";
      basis.defaultText = "the program's default collection";
      basis.file = FileUse::ReadIfThere;
      basis.heading = "Method";
      basis.common = basis.inInput = true;
    }
    if (k.keyword->name == "qedvp" && takesQed(known)) settings.push_back(qedSetting());
    settings.push_back(settingOf(k, type));
  }
  return settings;
}

Job jobOfValues(JobType type, const Json& values, const std::string& label) {
  return FileOfValues(type, values).job(label);
}

bool namesBasisFile(const std::string& basis) {
  return isLibraryPath(basis) || keywordOfBasis(basis) == std::string_view("file");
}

}  // namespace prophet
