#include "operations/catalogue/kept_files.hpp"

#include <filesystem>
#include <functional>

#include "core/common/files.hpp"

namespace prophet {
namespace {

/// Calls visit(setting, path) for every file that the values name.
void eachFile(const std::vector<Setting>& settings, const Json& values,
              const std::function<void(const Setting&, const std::string&)>& visit) {
  for (const Setting& s : settings) {
    if (fileUse(s) == FileUse::None || !values.contains(s.name)) continue;
    const Json& value = values[s.name];
    for (const Json& path : value.is_array() ? value : Json::array({value}))
      if (path.is_string() && !path.get<std::string>().empty()) visit(s, path.get<std::string>());
  }
}

/// Writing to a device or a pipe loses nothing.
bool canBeLost(const std::string& path) {
  std::error_code none;
  const auto type = std::filesystem::status(path, none).type();
  return type == std::filesystem::file_type::regular || type == std::filesystem::file_type::not_found;
}

}  // namespace

void requireKept(const std::string& file, const Execution& execution) {
  const std::string why = execution.replaces ? execution.replaces(file) : "";
  if (!why.empty()) throw OutputInTheWay("", why);
}

Execution keepingInputs(const std::vector<Setting>& settings, const Json& values, const Execution& given) {
  if (given.replaces) return given;
  std::vector<std::pair<std::string, std::string>> outputs;  // setting and path
  eachFile(settings, values, [&](const Setting& s, const std::string& path) {
    if (!isOutput(s)) return;
    outputs.emplace_back(s.name, path);
    if (fileUse(s) == FileUse::Grow) outputs.emplace_back(s.name, followLinks(path) + ".part");
  });
  Execution execution = given;
  execution.replaces = [outputs](const std::string& file) -> std::string {
    for (const auto& [setting, path] : outputs)
      if (isSameFile(path, file) && canBeLost(file))
        return setting + " would overwrite " + file + "; name another file";
    return "";
  };
  eachFile(settings, values, [&](const Setting& s, const std::string& path) {
    if (fileUse(s) == FileUse::Read || fileUse(s) == FileUse::ReadIfThere) requireKept(path, execution);
  });
  return execution;
}

}  // namespace prophet
