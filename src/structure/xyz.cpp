#include "structure/xyz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>

#include "common/number.hpp"
#include "common/text.hpp"

namespace prophet {
namespace {

constexpr std::size_t kMostAtoms = 2'000'000'000;

/// key=value pairs of the comment of extended XYZ; values may stand in quotes.
std::map<std::string, std::string> pairsOf(const std::string& comment) {
  std::map<std::string, std::string> pairs;
  std::size_t at = 0;
  while ((at = comment.find('=', at)) != std::string::npos) {
    std::size_t begin = at;
    while (begin > 0 && !std::strchr(" \t\"", comment[begin - 1])) --begin;
    const std::string key = lowerCase(comment.substr(begin, at - begin));
    std::size_t end;
    if (++at < comment.size() && comment[at] == '"') {
      end = std::min(comment.find('"', at + 1), comment.size());
      pairs[key] = comment.substr(at + 1, end - at - 1);
    } else {
      end = std::min(comment.find_first_of(" \t", at), comment.size());
      pairs[key] = comment.substr(at, end - at);
    }
    at = end;
  }
  return pairs;
}

std::vector<std::string> wordsOf(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(" \t", at)) != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(" \t", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

/// A finite number; a leading plus is usual in some programs' files.
std::optional<double> finiteNumber(std::string_view word) {
  if (word[0] == '+') word.remove_prefix(1);
  const auto value = parseDouble(word);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace

XyzReader::XyzReader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
  if (!file_ || std::filesystem::is_directory(path))
    throw StructureError(path + ": error: cannot read the file: " + std::strerror(file_ ? EISDIR : errno));
}

void XyzReader::fail(const std::string& what) const {
  throw StructureError(fmt::format("{}:{}: error: {}", path_, line_, what));
}

bool XyzReader::readLine(std::string& line) {
  ++line_;
  if (!std::getline(file_, line)) return false;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return true;
}

std::optional<std::size_t> XyzReader::readCount() {
  std::string line;
  do {
    if (!readLine(line)) return std::nullopt;
  } while (trimmed(line).empty());
  const std::string word = trimmed(line);
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (error != std::errc() || end != word.data() + word.size() || count == 0 || count > kMostAtoms)
    fail("expected the number of atoms, which begins every frame of an XYZ file, not '" + word.substr(0, 40) +
         "'");
  return count;
}

std::optional<Structure> XyzReader::next() {
  const auto count = readCount();
  if (!count) return std::nullopt;
  std::string line;
  if (!readLine(line)) fail("the file ends before the comment line of a frame");
  Structure frame;
  const Columns columns = readComment(line, frame);
  lastKind_ = -1;
  for (std::size_t i = 0; i < *count; ++i) {
    if (!readLine(line)) fail(fmt::format("the file ends after {} of the {} atoms of a frame", i, *count));
    readAtom(line, columns, frame);
  }
  return frame;
}

XyzReader::Columns XyzReader::readComment(const std::string& comment, Structure& frame) const {
  const auto pairs = pairsOf(comment);
  Columns columns;
  if (const auto found = pairs.find("properties"); found != pairs.end()) {
    columns = {-1, -1, -1};
    const auto parts = split(found->second, ':');
    int column = 0;
    for (std::size_t i = 0; i + 2 < parts.size(); i += 3) {
      if (parts[i] == "species" || (parts[i] == "Z" && columns.species < 0)) columns.species = column;
      if (parts[i] == "pos") columns.position = column;
      if (parts[i] == "charge") columns.charge = column;
      column += std::max(1, std::atoi(parts[i + 2].c_str()));
    }
    if (columns.species < 0 || columns.position < 0) fail("Properties= names no species:S:1 or no pos:R:3");
  }
  frame.title = trimmed(comment);
  const auto lattice = pairs.find("lattice");
  if (lattice == pairs.end()) return columns;
  const auto words = wordsOf(lattice->second);
  Eigen::Matrix3d vectors;
  for (std::size_t i = 0; i < 9; ++i) {
    const auto value = i < words.size() ? parseDouble(words[i]) : std::nullopt;
    if (!value || words.size() != 9) fail("Lattice= needs nine numbers, ax ay az bx by bz cx cy cz");
    vectors(static_cast<int>(i) / 3, static_cast<int>(i) % 3) = *value;
  }
  if (const auto pbc = pairs.find("pbc"); pbc != pairs.end()) {
    const std::string flags = lowerCase(pbc->second);
    const bool some = flags.find_first_of("t1") != std::string::npos;
    const bool all = flags.find_first_of("f0") == std::string::npos;
    if (some && !all)
      fail("pbc=\"" + pbc->second + "\": a box must repeat in all three directions (T T T) or in none");
    if (!some) return columns;
  }
  try {
    requireLattice(vectors);
  } catch (const Error& e) {
    fail(e.what());
  }
  frame.lattice = vectors;
  return columns;
}

int XyzReader::numberOf(const std::string& name, Structure& frame) const {
  if (lastKind_ >= 0 && name == lastName_) return lastKind_;
  try {
    lastKind_ = frame.kindNumber(kindName(name));
  } catch (const Error& e) {
    fail(e.what());
  }
  lastName_ = name;
  return lastKind_;
}

void XyzReader::readAtom(const std::string& line, const Columns& columns, Structure& frame) const {
  Eigen::Vector3d position;
  std::string name;
  const int last = std::max({columns.species, columns.position + 2, columns.charge});
  std::size_t at = 0;
  for (int column = 0; column <= last; ++column) {
    at = line.find_first_not_of(" \t", at);
    if (at == std::string::npos)
      fail(fmt::format("expected an atom: its name and x, y, z in angstrom; the line has {} words, not {}",
                       column, last + 1));
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    if (column == columns.species) name.assign(line, at, end - at);
    if (const int axis = column - columns.position; axis >= 0 && axis < 3) {
      const auto value = finiteNumber(std::string_view(line).substr(at, end - at));
      if (!value)
        fail(fmt::format("'{}' is no coordinate; expected {} in angstrom", line.substr(at, end - at),
                         "xyz"[axis]));
      position(axis) = *value;
    }
    if (column == columns.charge) {
      const auto value = finiteNumber(std::string_view(line).substr(at, end - at));
      if (!value) fail("'" + line.substr(at, end - at) + "' is no charge; expected a number of e");
      frame.charges.push_back(*value);
    }
    at = end;
  }
  frame.add(numberOf(name, frame), position);
}

std::string xyzText(const Structure& s) {
  fmt::memory_buffer out;
  fmt::format_to(std::back_inserter(out), "{}\n", s.size());
  if (s.lattice) {
    const auto& l = *s.lattice;
    fmt::format_to(std::back_inserter(out),
                   "Lattice=\"{:.10g} {:.10g} {:.10g} {:.10g} {:.10g} {:.10g} {:.10g} {:.10g} {:.10g}\" ",
                   l(0, 0), l(0, 1), l(0, 2), l(1, 0), l(1, 1), l(1, 2), l(2, 0), l(2, 1), l(2, 2));
  }
  fmt::format_to(std::back_inserter(out), "Properties=species:S:1:pos:R:3 {}\n", s.title);
  for (std::size_t i = 0; i < s.size(); ++i) {
    const auto& p = s.positions[i];
    fmt::format_to(std::back_inserter(out), "{} {:.10f} {:.10f} {:.10f}\n",
                   s.kinds[static_cast<std::size_t>(s.kind[i])], p.x(), p.y(), p.z());
  }
  return fmt::to_string(out);
}

}  // namespace prophet
