#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "atoms/calculation/result.hpp"
#include "atoms/service/json_lines_file.hpp"

namespace prophet {

/// Version of the keys of a line (docs/batches.md); it grows when one changes its meaning or goes.
inline constexpr int kJsonLinesSchema = 1;

/// The result of the job with this id as one line of JSON, newline included: id, status, and either energies
/// (hartree), iterations and spinors or a reason. `job`: what was computed (jobJson), if anything was.
std::string jsonLine(const std::string& id, const Result& result,
                     const nlohmann::ordered_json& job = nlohmann::ordered_json::object());

}  // namespace prophet
