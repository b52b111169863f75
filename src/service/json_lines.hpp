#pragma once
#include <string>

#include "calculation/result.hpp"
#include "service/json_lines_file.hpp"

namespace prophet {

/// Version of the keys of a line (docs/batches.md); it grows when one changes its meaning or goes.
inline constexpr int kJsonLinesSchema = 1;

/// The result of the job with this id as one line of JSON, newline included: id, status, and either energies
/// (hartree) and iterations or a reason.
std::string jsonLine(const std::string& id, const Result& result);

}  // namespace prophet
