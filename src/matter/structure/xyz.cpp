#include "matter/structure/xyz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr std::size_t kMostAtoms = 2'000'000'000;
constexpr int kMostColumns = 10000;
constexpr double kMostCharge = 1e6;  // e

/// A key=value pair of the comment of extended XYZ; values may stand in quotes.
struct CommentPair {
  std::string key, value;
  std::size_t begin = 0, end = 0;  ///< where it stands in the comment
};

std::vector<CommentPair> pairsOf(const std::string& comment) {
  std::vector<CommentPair> pairs;
  std::size_t at = 0;
  while ((at = comment.find('=', at)) != std::string::npos) {
    std::size_t begin = at;
    while (begin > 0 && !std::strchr(" \t\"", comment[begin - 1])) --begin;
    CommentPair pair{lowerCase(comment.substr(begin, at - begin)), "", begin, 0};
    if (++at < comment.size() && comment[at] == '"') {
      const std::size_t close = std::min(comment.find('"', at + 1), comment.size());
      pair.value = comment.substr(at + 1, close - at - 1);
      pair.end = std::min(close + 1, comment.size());
    } else {
      pair.end = std::min(comment.find_first_of(" \t", at), comment.size());
      pair.value = comment.substr(at, pair.end - at);
    }
    at = pair.end;
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

/// The value of a key, if it is there. Throws Error where two are.
std::optional<std::string> valueOf(const std::vector<CommentPair>& pairs, const std::string& key) {
  std::optional<std::string> value;
  for (const CommentPair& pair : pairs) {
    if (pair.key != key) continue;
    if (value) throw Error(key + "= appears twice in the comment; which one is meant?");
    value = pair.value;
  }
  return value;
}

/// Names of files that XYZ has; of others this reader doubts that they are.
bool isXyzEnding(const std::string& path) {
  const std::string ending = lowerCase(std::filesystem::path(path).extension().string());
  return ending.empty() || ending == ".xyz" || ending == ".extxyz" || ending == ".exyz";
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
  if (std::filesystem::is_character_file(path) &&
      !std::filesystem::canonical(path).string().starts_with("/dev/pts/"))
    throw StructureError(path + ": error: a device is not a file of atoms");
  file_.exceptions(std::ios::badbit);  // an error of the disk, or memory that is full, is no end of the file
}

void XyzReader::fail(const std::string& what) const {
  throw StructureError(fmt::format("{}:{}: error: {}", path_, line_, what));
}

bool XyzReader::readLine(std::string& line) {
  ++line_;
  try {
    if (!std::getline(file_, line)) return false;
  } catch (const std::ios_base::failure&) {
    fail(std::string("cannot read the file: ") + std::strerror(errno));
  }
  if (line_ == 1) line = withoutByteOrderMark(line);
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
         "'" +
         (isXyzEnding(path_)
              ? ""
              : " (files of atoms end in .xyz, .extxyz, .cif, .pdb or .ent; any other is read as "
                "XYZ)"));
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

XyzReader::Columns XyzReader::readColumns(const std::string& properties) const {
  Columns columns{-1, -1, -1};
  const auto parts = split(properties, ':');
  if (parts.size() % 3 != 0)
    fail("Properties= needs NAME:TYPE:COUNT for every column, such as species:S:1:pos:R:3");
  int column = 0;
  for (std::size_t i = 0; i < parts.size(); i += 3) {
    const std::string name = parts[i], type = parts[i + 1], text = parts[i + 2];
    const auto count = parseDouble(text);
    if (type.size() != 1 || !std::strchr("SRIL", type[0]) || !count ||
        !(*count >= 1 && *count <= kMostColumns) || *count != std::floor(*count))
      fail(fmt::format(
          "Properties= has '{}:{}:{}'; expected NAME:TYPE:COUNT with a type S, R, I or L and 1 to {} columns",
          name, type, text, kMostColumns));
    const bool one = *count == 1;
    if ((name == "pos" && *count != 3) || ((name == "species" || name == "charge") && !one))
      fail("Properties= has '" + name + ":" + type + ":" + text +
           "'; expected species:S:1, pos:R:3, charge:R:1");
    if (name == "species" || (name == "Z" && one && columns.species < 0)) columns.species = column;
    if (name == "pos") columns.position = column;
    if (name == "charge") columns.charge = column;
    column += static_cast<int>(*count);
    if (column > kMostColumns) fail(fmt::format("Properties= has more than {} columns", kMostColumns));
  }
  if (columns.species < 0 || columns.position < 0) fail("Properties= names no species:S:1 or no pos:R:3");
  return columns;
}

std::optional<Eigen::Matrix3d> XyzReader::readLattice(const std::optional<std::string>& text,
                                                      const std::optional<std::string>& pbc) const {
  if (!text) return std::nullopt;
  const auto words = splitWords(*text);
  Eigen::Matrix3d vectors;
  for (std::size_t i = 0; i < 9; ++i) {
    const auto value = i < words.size() ? parseDouble(words[i]) : std::nullopt;
    if (!value || words.size() != 9) fail("Lattice= needs nine numbers, ax ay az bx by bz cx cy cz");
    vectors(static_cast<int>(i) / 3, static_cast<int>(i) % 3) = *value;
  }
  if (pbc) {
    const std::string flags = lowerCase(*pbc);
    const bool some = flags.find_first_of("t1") != std::string::npos;
    const bool all = flags.find_first_of("f0") == std::string::npos;
    if (some && !all)
      fail("pbc=\"" + *pbc + "\": a box must repeat in all three directions (T T T) or in none");
    if (!some) return std::nullopt;
  }
  requireLattice(vectors);
  return vectors;
}

XyzReader::Columns XyzReader::readComment(const std::string& comment, Structure& frame) const {
  frame.title = utf8(trimmed(comment));
  if (frame.title != trimmed(comment))
    frame.warnings.push_back("the comment of " + utf8(path_) + " is not UTF-8; it is read as Latin-1");
  try {
    const auto pairs = pairsOf(comment);
    frame.lattice = readLattice(valueOf(pairs, "lattice"), valueOf(pairs, "pbc"));
    const auto properties = valueOf(pairs, "properties");
    return properties ? readColumns(*properties) : Columns();
  } catch (const StructureError&) {
    throw;
  } catch (const Error& e) {
    fail(e.what());
  }
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
        fail(fmt::format("'{}' is not a coordinate; expected {} in angstrom", line.substr(at, end - at),
                         "xyz"[axis]));
      if (std::abs(*value) > kFarthest)
        fail(fmt::format("'{}' is not a position of an atom; coordinates go up to {:g} angstrom",
                         line.substr(at, end - at), kFarthest));
      position(axis) = *value;
    }
    if (column == columns.charge) {
      const auto value = finiteNumber(std::string_view(line).substr(at, end - at));
      if (!value || std::abs(*value) > kMostCharge)
        fail(fmt::format("'{}' is not a charge; expected a number of e up to {:g}", line.substr(at, end - at),
                         kMostCharge));
      frame.charges.push_back(*value);
    }
    at = end;
  }
  frame.add(numberOf(name, frame), position);
}

std::string wordsOfComment(const std::string& comment) {
  std::string words;
  std::size_t at = 0;
  const auto take = [&](std::size_t end) {
    for (; at < end; ++at) {
      const char c = comment[at] == '\t' || comment[at] == '"' ? ' ' : comment[at];
      if (c != ' ' || (!words.empty() && words.back() != ' ')) words += c;
    }
  };
  for (const CommentPair& pair : pairsOf(comment)) {
    take(pair.begin);
    at = pair.end;
  }
  take(comment.size());
  return trimmed(words);
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
  const bool charged = !s.charges.empty();
  const std::string words = wordsOfComment(s.title);
  fmt::format_to(std::back_inserter(out), "Properties=species:S:1:pos:R:3{}{}\n",
                 charged ? ":charge:R:1" : "", words.empty() ? "" : " \"" + words + "\"");
  for (std::size_t i = 0; i < s.size(); ++i) {
    const auto& p = s.positions[i];
    fmt::format_to(std::back_inserter(out), "{} {:.10f} {:.10f} {:.10f}", s.kinds[s.kind[i]], p.x(), p.y(),
                   p.z());
    if (charged) fmt::format_to(std::back_inserter(out), " {:.10g}", s.charges[i]);
    out.push_back('\n');
  }
  return fmt::to_string(out);
}

}  // namespace prophet
