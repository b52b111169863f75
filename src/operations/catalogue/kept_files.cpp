#include "operations/catalogue/kept_files.hpp"

#include <filesystem>
#include <functional>

#include "core/common/files.hpp"
#include "core/common/json_text.hpp"
#include "core/common/version.hpp"
#include "core/hdf5/hdf5_group.hpp"

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

FinishedPieces finishedPieces(const PiecewiseOutput& output, const std::string& work, const Json& request,
                              const Execution& execution) {
  if (output.path.empty()) return {};
  if (!hdf5::isAvailable()) throw SettingError(output.setting, hdf5::kNotBuilt);
  if (execution.rank() > 0) return {};
  FinishedPieces pieces = ofSetting(output.resume ? "resume" : output.setting, [&] {
    const Json whole{{"version", kVersion}, {"request", request}};
    try {
      return FinishedPieces::of(output.path, work + ": " + jsonText(whole), output.resume);
    } catch (const OtherRunError& e) {
      throw Error(std::string("the run that was interrupted had another request, or another version of the "
                              "program: ") +
                  e.what());
    }
  });
  execution.canResume(output.path);
  return pieces;
}

}  // namespace prophet
