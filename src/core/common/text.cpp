#include "core/common/text.hpp"

#include <algorithm>
#include <cstdlib>

namespace prophet {

std::string lowerCase(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string trimmed(std::string_view text, std::string_view blanks) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    parts.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

int editDistance(std::string_view a, std::string_view b) {
  // Rows i-2, i-1 and i of the distance table are enough.
  std::vector<int> before(b.size() + 1), previous(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = previous;
    previous = row;
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int substitution = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({previous[j] + 1, row[j - 1] + 1, substitution});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string nearestName(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string wanted = lowerCase(name);
  std::string best;
  int bestDistance = std::max(1, static_cast<int>(wanted.size()) / 3) + 1;
  for (const std::string& candidate : candidates) {
    const int lengthDifference =
        std::abs(static_cast<int>(candidate.size()) - static_cast<int>(wanted.size()));
    if (lengthDifference >= bestDistance) continue;  // also keeps the cost of very long names down
    const int distance = editDistance(wanted, lowerCase(candidate));
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace prophet
