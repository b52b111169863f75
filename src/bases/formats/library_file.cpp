#include <fmt/format.h>

#include <cmath>

#include "atoms/atom/elements.hpp"
#include "bases/formats/format_parts.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

void line(std::string& text, const std::string& key, const std::string& value) {
  if (!value.empty()) text += fmt::format("{:<13} = {}\n", key, value);
}

/// Shortest digits that give the same double again.
std::string digits(double value) {
  if (!std::isfinite(value)) throw Error("a basis set file cannot contain a number that is not finite");
  return fmt::format("{}", value);
}

std::string digits(const std::optional<double>& value) { return value ? digits(*value) : std::string(); }

/// A '#' would start a comment and a line end would end the value.
std::string oneLine(const std::string& value) {
  std::string clean = value;
  for (char& c : clean) {
    if (c == '\n' || c == '\r' || c == '#') c = ' ';
  }
  return trimmed(clean);
}

std::string joined(const std::vector<double>& exponents) {
  std::string numbers;
  for (const double zeta : exponents) numbers += (numbers.empty() ? "" : " ") + digits(zeta);
  return numbers;
}

std::string exponentLines(const LibraryEntry& entry) {
  std::string text;
  line(text, "symmetries", std::to_string(entry.exponents.size()));
  for (std::size_t i = 0; i < entry.exponents.size(); ++i)
    line(text, Symmetry::fromIndex(static_cast<int>(i)).label(), joined(entry.exponents[i]));
  for (const FunctionGroup& group : entry.groups)
    line(text, fmt::format("{} {}", group.name, letterOfL(group.l)), joined(group.exponents));
  return text;
}

}  // namespace

std::string libraryFileText(const LibraryEntry& entry) {
  const WellTemperedSpec& spec = entry.spec;
  const BasisProvenance& p = entry.provenance;
  const bool ladders = entry.exponents.empty();
  std::string text = ladders
                         ? fmt::format("# {}: well-tempered set, format in ../README.md\n", symbolOf(entry.z))
                         : fmt::format("# {}: exponents in bohr^-2\n", symbolOf(entry.z));
  line(text, "format", ladders ? "1" : "2");
  line(text, "collection", entry.library);
  line(text, "element", fmt::format("{} {}", entry.z, symbolOf(entry.z)));
  line(text, "configuration", oneLine(entry.configuration));
  line(text, "nucleus", lowerCase(nameOf(entry.nuclearModel)));
  line(text, "source", oneLine(p.source.empty() ? entry.comment : p.source));
  line(text, "settings", oneLine(p.settings));
  line(text, "program", oneLine(p.program));
  line(text, "date", oneLine(p.date));
  line(text, "energy", digits(p.energy));
  line(text, "limit", digits(p.limit));
  line(text, "error", digits(p.error));
  line(text, "prolapse", digits(p.prolapse));
  line(text, "c", digits(p.speedOfLight));
  if (!ladders) return text + exponentLines(entry);
  line(text, "ladder", spec.pool == LadderPool::Shared ? "shared" : "symmetry");
  text += "# alpha beta delta gamma\n";
  for (std::size_t g = 0; g < spec.groups.size(); ++g) {
    const WellTemperedParameters& w = spec.groups[g];
    line(text, fmt::format("group {}", g + 1),
         fmt::format("{} {} {} {}", digits(w.alpha), digits(w.beta), digits(w.delta), digits(w.gamma)));
  }
  line(text, "symmetries", std::to_string(spec.functions.size()));
  text += "# first:last index in the ladder, group\n";
  for (std::size_t i = 0; i < spec.functions.size(); ++i) {
    line(text, Symmetry::fromIndex(static_cast<int>(i)).label(),
         fmt::format("{}:{} group {}", spec.start[i], spec.start[i] + spec.functions[i] - 1, spec.group[i]));
  }
  return text;
}

}  // namespace prophet

namespace prophet::formats {
namespace {

std::string writeOwn(const std::vector<ElementBasis>&) {
  throw Error("plain exponent lists have no form in our own library format");
}

std::vector<ElementBasis> readOwn(const std::string&, const std::string&) {
  throw Error("our own library files are read by element; see readBasisFile");
}

bool beginsOwn(const std::vector<std::string>& words) {
  return words[0] == "format" && words.size() > 1 && words[1][0] == '=';
}

}  // namespace

const Format kOwn = {kOwnFormat, ".basis", writeOwn, readOwn, beginsOwn};

}  // namespace prophet::formats
