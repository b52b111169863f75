#include "input/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace prophet {
namespace {

std::string asText(const std::string& file, const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics) {
    text += fmt::format("{}{}:{}:{}: error: {}", text.empty() ? "" : "\n", file, d.line, d.column, d.message);
  }
  return text;
}

}  // namespace

void Diagnostics::add(Position at, std::string message) {
  list_.push_back({at.line, at.column, std::move(message)});
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = list_;
  std::stable_sort(result.begin(), result.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  });
  // A wrong value with a repeat count is found wrong once for each repetition.
  const auto same = [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.line, a.column, a.message) == std::tie(b.line, b.column, b.message);
  };
  result.erase(std::unique(result.begin(), result.end(), same), result.end());
  return result;
}

InputErrors::InputErrors(const std::string& file, std::vector<Diagnostic> diagnostics)
    : Error(asText(file, diagnostics)), diagnostics_(std::move(diagnostics)) {}

}  // namespace prophet
