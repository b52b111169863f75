#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "atoms/atom/elements.hpp"
#include "bases/formats/format_parts.hpp"
#include "core/common/error.hpp"
#include "core/common/json_text.hpp"
#include "core/common/text.hpp"
#include "core/common/unique_json.hpp"

namespace prophet::formats {
namespace {

using Json = nlohmann::ordered_json;

Json textsOf(const std::vector<double>& numbers) {
  Json list = Json::array();
  for (const double number : numbers) list.push_back(realText(number));
  return list;
}

Json shellOf(int l, const std::vector<double>& exponents, const std::vector<std::vector<double>>& functions) {
  Json shell;
  shell["function_type"] = l < 2 ? "gto" : "gto_spherical";
  shell["region"] = "";
  shell["angular_momentum"] = {l};
  shell["exponents"] = textsOf(exponents);
  shell["coefficients"] = Json::array();
  for (const std::vector<double>& function : functions) shell["coefficients"].push_back(textsOf(function));
  return shell;
}

/// A shell for each uncontracted primitive, as the Exchange has its uncontracted sets.
void addShells(const ContractedShell& shell, Json& shells) {
  if (!shell.functions.empty()) return shells.push_back(shellOf(shell.l, shell.exponents, shell.functions));
  for (const double zeta : shell.exponents) shells.push_back(shellOf(shell.l, {zeta}, {{1.0}}));
}

/// The schema wants a day.
std::string dateOf(const std::vector<ElementBasis>& elements) {
  std::string latest = "1970-01-01";
  for (const ElementBasis& e : elements)
    if (e.date.size() == latest.size()) latest = std::max(latest, e.date);
  return latest;
}

std::string descriptionOf(const std::vector<ElementBasis>& elements, const std::string& name) {
  const bool contracted =
      std::ranges::any_of(elements, [](const ElementBasis& e) { return e.writeContracted; });
  std::string text =
      fmt::format("{}: {} sets of CUDAProphet", name, contracted ? "contracted" : "uncontracted");
  for (const ElementBasis& e : elements)
    for (const std::string& note : e.notes) text += fmt::format("; {}: {}", symbolOf(e.z), note);
  return text;
}

/// What the functions are for: those of a file have one purpose.
std::string roleOf(const std::vector<ElementBasis>& elements) {
  const bool read =
      !elements.empty() && elements.front().writeContracted && !elements.front().contracted.empty();
  return read ? elements.front().contracted.front().role : "orbital";
}

Json elementOfBasis(const ElementBasis& basis) {
  Json shells = Json::array();
  for (const ContractedShell& shell : writtenShells(basis)) addShells(shell, shells);
  Json element;
  element["references"] = Json::array();
  if (!basis.reference.empty()) {
    element["references"].push_back(
        {{"reference_description", basis.reference}, {"reference_keys", Json::array()}});
  }
  element["electron_shells"] = shells;
  return element;
}

/// JSON has no lines once it is parsed: that of the element's key.
int lineOfKey(const std::string& text, const std::string& key) {
  const std::size_t at = text.find("\"" + key + "\"", std::min(text.size(), text.find("\"elements\"")));
  if (at == std::string::npos) return 1;
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// Numbers are strings in the schema; some files have plain ones.
std::string wordOf(const Json& value) {
  return value.is_string() ? trimmed(value.get<std::string>()) : value.dump();
}

/// The keys of the schema. Those that say nothing about the functions are not looked at: history, names,
/// tags, the region of a shell, and what sets it goes with.
const std::vector<std::string> kRootKeys = {
    "molssi_bse_schema",    "name",           "names",   "description", "version",
    "revision_description", "revision_date",  "family",  "role",        "tags",
    "auxiliaries",          "function_types", "elements"};
const std::vector<std::string> kElementKeys = {"electron_shells", "ecp_electrons", "ecp_potentials",
                                               "references"};
const std::vector<std::string> kShellKeys = {"function_type", "region", "angular_momentum", "exponents",
                                             "coefficients"};

/// A key that is not known may say what the functions are.
void requireKnown(const Json& object, const std::vector<std::string>& known, const std::string& what,
                  const std::string& file, int line) {
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    const std::string near = nearestName(key, known);
    fail(file, line,
         fmt::format("unknown key '{}' of {}{}", key, what,
                     near.empty() ? fmt::format("; known are {}", fmt::join(known, ", "))
                                  : fmt::format("; is '{}' meant?", near)));
  }
}

Json parsed(const std::string& text, const std::string& file) {
  try {
    return uniqueJson<Json>(text, true);
  } catch (const Error& twice) {
    fail(file, 1, twice.what());
  }
}

/// Whether the shell's functions are Cartesian; of s and p functions this makes no difference.
bool isCartesian(const Json& shell, const ElementBasis& basis, const std::string& file) {
  const std::string type = shell.value("function_type", std::string("gto"));
  if (type != "gto" && type != "gto_spherical" && type != "gto_cartesian")
    fail(file, basis.line, fmt::format("functions of the type '{}', not Gaussians ('gto')", type));
  return type == "gto_cartesian";
}

void readShell(const Json& shell, const std::string& role, ElementBasis& basis, const std::string& file) {
  requireKnown(shell, kShellKeys, "a shell", file, basis.line);
  const bool cartesian = isCartesian(shell, basis, file);
  std::vector<double> exponents;
  for (const Json& value : shell.at("exponents"))
    exponents.push_back(exponentOf(wordOf(value), file, basis.line));
  std::vector<std::vector<double>> functions;
  for (const Json& column : shell.value("coefficients", Json::array())) {
    functions.emplace_back();
    for (const Json& value : column) functions.back().push_back(realOf(wordOf(value), file, basis.line));
    if (functions.back().size() != exponents.size())
      fail(file, basis.line,
           fmt::format("a shell of {} has {} exponents, but a column of {} coefficients", symbolOf(basis.z),
                       exponents.size(), functions.back().size()));
  }
  const Json& momenta = shell.at("angular_momentum");
  if (momenta.size() > 1 && functions.size() != momenta.size())
    fail(file, basis.line,
         fmt::format("a shell of {} has {} angular momenta, but {} columns of coefficients",
                     symbolOf(basis.z), momenta.size(), functions.size()));
  if (!momenta.is_array() || momenta.empty())
    fail(file, basis.line,
         fmt::format("a shell of {} has no list of angular momenta, such as [0]", symbolOf(basis.z)));
  for (std::size_t i = 0; i < momenta.size(); ++i) {
    // A number of another kind is cut, or becomes another one, where it is taken for a whole one.
    if (!momenta[i].is_number_unsigned() || momenta[i].get<std::uint64_t>() > kMostL)
      fail(
          file, basis.line,
          fmt::format("expected a whole angular momentum from 0 to {}, found {}", kMostL, momenta[i].dump()));
    const int l = momenta[i].get<int>();
    if (cartesian && l > 1) {
      basis.cartesian = "'gto_cartesian'";
      basis.cartesianLine = basis.line;
    }
    addExponents(basis, l, exponents);
    basis.contracted.push_back(
        {l, exponents, momenta.size() > 1 ? std::vector<std::vector<double>>{functions[i]} : functions,
         role});
  }
}

std::string writeJson(const std::vector<ElementBasis>& elements) {
  Json root;
  root["molssi_bse_schema"] = {{"schema_type", "complete"}, {"schema_version", "0.1"}};
  const std::string name = elements.empty() ? "" : elements.front().name;
  root["name"] = name;
  root["description"] = descriptionOf(elements, name);
  root["version"] = "1";
  root["revision_description"] = "";
  root["revision_date"] = dateOf(elements);
  root["role"] = roleOf(elements);
  root["family"] = "cudaprophet";
  root["names"] = {name};
  root["tags"] = Json::array();
  root["auxiliaries"] = Json::object();
  root["function_types"] = {"gto", "gto_spherical"};
  root["elements"] = Json::object();
  for (const ElementBasis& e : elements) root["elements"][std::to_string(e.z)] = elementOfBasis(e);
  return jsonText(root, 1) + "\n";
}

std::vector<ElementBasis> readJson(const std::string& text, const std::string& file) {
  std::vector<ElementBasis> elements;
  try {
    const Json root = parsed(text, file);
    if (root.is_object()) requireKnown(root, kRootKeys, "the file", file, 1);
    const std::string role = root.value("role", std::string("orbital"));
    if (role != "orbital")
      fail(file, 1, fmt::format("a set for another purpose than orbitals: its role is '{}'", role));
    for (const auto& [key, element] : root.at("elements").items()) {
      const int line = lineOfKey(text, key), z = wholeOf(key, file, line);
      if (z < 1 || z > kLastElement)
        fail(file, line, fmt::format("expected a nuclear charge as key, found '{}'", key));
      ElementBasis& basis = entryFor(elements, z);
      if (basis.line > 0) fail(file, line, fmt::format("a second set of {} in the same file", symbolOf(z)));
      requireKnown(element, kElementKeys, symbolOf(z), file, line);
      basis.line = line;
      basis.name = root.value("name", std::string());
      basis.coreElectrons = element.value("ecp_electrons", element.count("ecp_potentials") ? 1 : 0);
      for (const Json& shell : element.value("electron_shells", Json::array()))
        readShell(shell, role, basis, file);
      if (basis.contracted.empty() && basis.coreElectrons == 0)
        fail(file, line,
             fmt::format("no 'electron_shells' of {}: expected the schema type 'complete' or "
                         "'minimal', as in downloads from the Exchange",
                         symbolOf(z)));
      for (const Json& reference : element.value("references", Json::array()))
        if (reference.is_object()) basis.reference = reference.value("reference_description", std::string());
    }
  } catch (const nlohmann::json::parse_error& error) {
    const std::size_t end = std::min<std::size_t>(error.byte > 0 ? error.byte - 1 : 0, text.size());
    const auto at = text.begin() + static_cast<std::ptrdiff_t>(end);
    fail(file, 1 + static_cast<int>(std::count(text.begin(), at, '\n')),
         "the text is not valid JSON up to here; a comma, a bracket or a quote is missing or superfluous, "
         "here or before");
  } catch (const nlohmann::json::exception& error) {
    // Behind the library's number of the error.
    const std::string what = error.what();
    throw Error(fmt::format("{}: error: not a basis set of the Basis Set Exchange's schema: {}", file,
                            what.substr(std::min(what.size(), what.find("] ") + 2))));
  }
  return elements;
}

bool beginsJson(const std::vector<std::string>& words) { return words[0][0] == '{'; }

}  // namespace

const Format kJson = {"json", "Basis Set Exchange JSON", writeJson, readJson, beginsJson};

}  // namespace prophet::formats
