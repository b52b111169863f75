#include "operations/input/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace prophet {
namespace {

/// Nobody reads more; a file that is no input file has as many as it has words.
constexpr std::size_t kMostShown = 200;

std::string asText(const std::string& file, const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  std::size_t shown = 0;
  for (const Diagnostic& d : diagnostics) {
    if (shown++ == kMostShown)
      return text + fmt::format("\n{}: {} errors more", file, diagnostics.size() - kMostShown);
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
  std::ranges::stable_sort(result, [](const Diagnostic& a, const Diagnostic& b) {
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
