#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "atom/elements.hpp"
#include "common/error.hpp"
#include "formats/format_parts.hpp"

namespace prophet::formats {
namespace {

using Json = nlohmann::ordered_json;

/// One shell of uncontracted primitives: a matrix of coefficients with ones on the diagonal.
Json shellOf(int l, const std::vector<double>& exponents) {
  Json shell;
  shell["function_type"] = l < 2 ? "gto" : "gto_spherical";
  shell["region"] = "";
  shell["angular_momentum"] = {l};
  Json numbers = Json::array(), columns = Json::array();
  for (std::size_t i = 0; i < exponents.size(); ++i) {
    numbers.push_back(realText(exponents[i]));
    Json column = Json::array();
    for (std::size_t j = 0; j < exponents.size(); ++j) column.push_back(i == j ? "1.0" : "0.0");
    columns.push_back(column);
  }
  shell["exponents"] = numbers;
  shell["coefficients"] = columns;
  return shell;
}

Json elementOfBasis(const ElementBasis& basis) {
  Json shells = Json::array();
  for (std::size_t l = 0; l < basis.shells.size(); ++l) {
    if (!basis.shells[l].empty()) shells.push_back(shellOf(static_cast<int>(l), basis.shells[l]));
  }
  Json element;
  element["references"] = Json::array();
  if (!basis.reference.empty()) {
    element["references"].push_back(
        {{"reference_description", basis.reference}, {"reference_keys", Json::array()}});
  }
  element["electron_shells"] = shells;
  return element;
}

void readShell(const Json& shell, ElementBasis& basis, const std::string& file) {
  std::vector<double> exponents;
  for (const Json& text : shell.at("exponents"))
    exponents.push_back(exponentOf(text.get<std::string>(), file, 1));
  for (const Json& value : shell.at("angular_momentum")) {
    const int l = value.get<int>();
    if (l < 0 || l > kMostL)
      fail(file, 1, fmt::format("expected an angular momentum from 0 to {}, found {}", kMostL, l));
    addExponents(basis, l, exponents);
  }
}

}  // namespace

std::string writeJson(const std::vector<ElementBasis>& elements) {
  Json root;
  root["molssi_bse_schema"] = {{"schema_type", "complete"}, {"schema_version", "0.1"}};
  const std::string name = elements.empty() ? "" : elements.front().name;
  root["name"] = name;
  root["description"] = fmt::format("{}: uncontracted sets of CUDAProphet", name);
  root["version"] = "1";
  root["revision_description"] = "";
  root["revision_date"] = "";
  root["role"] = "orbital";
  root["family"] = "cudaprophet";
  root["names"] = {name};
  root["tags"] = Json::array();
  root["auxiliaries"] = Json::object();
  root["function_types"] = {"gto", "gto_spherical"};
  root["elements"] = Json::object();
  for (const ElementBasis& e : elements) root["elements"][std::to_string(e.z)] = elementOfBasis(e);
  return root.dump(2) + "\n";
}

std::vector<ElementBasis> readJson(const std::string& text, const std::string& file) {
  std::vector<ElementBasis> elements;
  try {
    const Json root = Json::parse(text);
    for (const auto& [key, element] : root.at("elements").items()) {
      const int z = wholeOf(key, file, 1);
      if (z < 1 || z > kLastElement)
        fail(file, 1, fmt::format("expected a nuclear charge as key, found '{}'", key));
      ElementBasis& basis = entryFor(elements, z);
      basis.name = root.value("name", std::string());
      for (const Json& shell : element.at("electron_shells")) readShell(shell, basis, file);
      for (const Json& reference : element.value("references", Json::array()))
        basis.reference = reference.value("reference_description", std::string());
    }
  } catch (const nlohmann::json::exception& error) {
    throw Error(
        fmt::format("{}: error: no basis set of the Basis Set Exchange's schema: {}", file, error.what()));
  }
  return elements;
}

}  // namespace prophet::formats
