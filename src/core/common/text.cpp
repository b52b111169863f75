#include "core/common/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <string>
#include <system_error>

#include "core/common/error.hpp"

namespace prophet {

std::string timeNow(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, format, &parts)};
}

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

std::vector<std::string> splitWords(std::string_view text, std::string_view separators) {
  std::vector<std::string> words;
  for (std::size_t start = text.find_first_not_of(separators); start != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, start), text.size());
    words.emplace_back(text.substr(start, end - start));
    start = text.find_first_not_of(separators, end);
  }
  return words;
}

std::string halves(int twice) {
  return twice % 2 == 0 ? std::to_string(twice / 2) : std::to_string(twice) + "/2";
}

std::optional<int> twiceOf(std::string_view text) {
  const bool half = text.ends_with("/2");
  const auto value = parseDouble(half ? text.substr(0, text.size() - 2) : text);
  if (!value) return std::nullopt;
  const double twice = half ? *value : 2 * *value;
  if (!(twice >= 0 && twice <= 1000) || twice != std::floor(twice)) return std::nullopt;
  return static_cast<int>(twice);
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

std::optional<double> parseDouble(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

double numberOf(std::string_view text) {
  const std::optional<double> value = parseDouble(text);
  if (!value || !std::isfinite(*value)) throw Error("'" + std::string(text) + "' is not a number");
  return *value;
}

std::string withinError(double value, double error, int most) {
  if (!(error > 0) || !std::isfinite(error)) return fmt::format("{:.{}f}", value, most);
  const int decimals = std::min(most, static_cast<int>(std::ceil(-std::log10(error))));
  if (decimals >= 0) return fmt::format("{:.{}f}", value, decimals);
  const double unit = std::pow(10.0, -decimals);
  return fmt::format("{:.0f}", std::round(value / unit) * unit);
}

namespace {

bool isContinuation(unsigned char c) { return (c & 0xC0) == 0x80; }

/// Bytes of the UTF-8 sequence that the text begins with; 0 if it begins with none (RFC 3629: the shortest
/// form, no surrogates, nothing above U+10FFFF).
std::size_t sequenceLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!isContinuation(byte(i))) return 0;
  }
  const unsigned char second = byte(1);
  const bool outside = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                       (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return outside ? 0 : length;
}

}  // namespace

std::string utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequenceLength(text);
    if (length > 0) {
      result += text.substr(0, length);
    } else {
      const auto c = static_cast<unsigned char>(text[0]);
      result += static_cast<char>(0xC0 | (c >> 6));
      result += static_cast<char>(0x80 | (c & 0x3F));
    }
    text.remove_prefix(length > 0 ? length : 1);
  }
  return result;
}

std::string wrapped(const std::string& text, std::size_t width, const std::string& indent) {
  std::string out, line;
  for (const std::string& word : splitWords(text, " \t\n")) {
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      out += line + "\n" + indent;
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return out + line;
}

}  // namespace prophet
