#include "core/common/paragraph.hpp"

#include "core/common/text.hpp"

namespace prophet {

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
