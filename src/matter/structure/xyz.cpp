#include "matter/structure/xyz.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "core/common/constants.hpp"
#include "core/common/csv.hpp"
#include "core/common/degree.hpp"
#include "core/common/text.hpp"
#include "matter/structure/structure_formats.hpp"

namespace prophet {
namespace {

constexpr std::size_t kMostAtoms = 2'000'000'000;
constexpr int kMostColumns = 10000;
constexpr double kMostCharge = 1e6;                          // e
constexpr std::array kKeys{"lattice", "properties", "pbc"};  // those that are understood here

bool isKey(const std::string& word) { return std::ranges::find(kKeys, word) != kKeys.end(); }

bool isBlank(char c) { return c == ' ' || c == '\t'; }

/// A word of the comment of extended XYZ, or what stands between quotation marks, braces or brackets.
struct Token {
  std::string text;   ///< without its delimiters, and without the escapes of quotation marks
  char opening = 0;   ///< its delimiter, or 0
  bool whole = true;  ///< whether what is delimited ends
};

/// A key with its value, or a word that has none.
struct CommentPair {
  std::string key;
  std::optional<Token> value{};
};

/// A comment in its pairs; where it breaks the grammar the pairs before that, and what is wrong.
struct Comment {
  std::vector<CommentPair> pairs;
  std::string error;
};

/// Reads tokens and pairs from the left.
class CommentReader {
 public:
  explicit CommentReader(const std::string& text) : text_(text) {}

  Comment comment() {
    Comment c;
    for (skipBlanks(); at_ < text_.size() && c.error.empty(); skipBlanks()) c.error = readPair(c.pairs);
    return c;
  }

 private:
  bool ends() const { return at_ >= text_.size(); }
  bool is(char c) const { return !ends() && text_[at_] == c; }
  void skipBlanks() {
    while (!ends() && isBlank(text_[at_])) ++at_;
  }
  /// What is left, for messages.
  std::string rest() const { return "'" + text_.substr(at_, 30) + "'"; }

  Token readToken(bool isValue) {
    const char first = text_[at_];
    if (first == '"' || first == '\'') return readQuoted();
    if (isValue && (first == '{' || first == '[')) return readArray();
    Token word;
    while (!ends() && !isBlank(text_[at_]) && !std::strchr(isValue ? "\"{}[]" : "=\"{}[]", text_[at_]))
      word.text += text_[at_++];
    return word;
  }
  Token readQuoted() {
    Token token{"", text_[at_++]};
    for (; !ends() && text_[at_] != token.opening; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      token.text += text_[at_];
    }
    token.whole = !ends();
    ++at_;
    return token;
  }
  /// Up to the bracket or brace that closes the first one, with those within.
  Token readArray() {
    const char opening = text_[at_], closing = opening == '{' ? '}' : ']';
    Token token{"", opening};
    for (int depth = 0; !ends(); ++at_) {
      if (is('"') || is('\'')) {
        token.text += " " + readQuoted().text + " ";
        --at_;
        continue;
      }
      if (is(opening) && depth++ == 0) continue;
      if (is(closing) && --depth == 0) break;
      token.text += text_[at_];
    }
    token.whole = !ends();
    ++at_;
    return token;
  }

  /// Reads the pair that begins here; returns what is wrong with it, or nothing.
  std::string readPair(std::vector<CommentPair>& pairs) {
    if (is('=')) return rest() + " has no key before the =";
    const Token key = readToken(false);
    if (!key.whole) return fmt::format("the quotation mark {} is not closed", key.opening);
    const bool follows = ends() || isBlank(text_[at_]) || is('=');
    if (!follows || (key.text.empty() && key.opening == 0)) return rest() + " is left over";
    const std::string name = lowerCase(key.text);
    skipBlanks();
    if (!is('=')) {
      const bool named = key.opening == 0 && isKey(trimmed(name, ":"));
      if (named) return key.text + " is not followed by = and a value";
      if (key.opening == 0 && isOfList(key.text) && !pairs.empty() && pairs.back().value &&
          pairs.back().value->opening == 0 && (pairs.back().key == "lattice" || pairs.back().key == "pbc"))
        return "'" + key.text + "' is left over; a list stands in quotation marks or brackets";
      pairs.push_back({key.text});
      return {};
    }
    ++at_;
    const std::size_t before = at_;
    skipBlanks();
    if (ends()) return key.text + "= has no value";
    const bool apart = at_ > before;
    const Token value = readToken(true);
    if (!value.whole)
      return fmt::format("the value of {} begins with {} and does not end", key.text, value.opening);
    if (!ends() && !isBlank(text_[at_])) return rest() + " is left over behind the value of " + key.text;
    // "a= b=2" is a without a value; behind "a=" alone it may be a part of one, as in an address.
    const bool another = value.opening == 0 && value.text.find('=') != std::string::npos;
    if (another && (apart || isKey(name)))
      return fmt::format("{}= has no value; write {}=\"\" if it is empty", key.text, key.text);
    pairs.push_back({isKey(name) ? name : key.text, value});
    return {};
  }
  /// Whether a word looks like one more number or flag of a list.
  static bool isOfList(const std::string& word) {
    const std::string name = lowerCase(word);
    return finiteNumber(trimmed(word, ",")) || name == "t" || name == "f" || name == "true" ||
           name == "false";
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

/// Whether one of the keys that are understood stands before a =, in whatever surroundings.
bool hasKey(const std::string& comment) {
  const std::string text = lowerCase(comment);
  for (const std::string_view key : kKeys) {
    for (std::size_t at = 0; (at = text.find(key, at)) != std::string::npos; at += key.size()) {
      if (at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '_' ||
                     text[at - 1] == '-'))
        continue;
      const std::size_t equals = text.find_first_not_of(" \t\"'", at + key.size());
      if (equals != std::string::npos && text[equals] == '=') return true;
    }
  }
  return false;
}

/// The pairs of a comment of extended XYZ, which `c` is; none of a comment that is a text. Throws Error.
std::vector<CommentPair> pairsOf(const std::string& comment, const Comment& c) {
  const bool extended = hasKey(comment);
  // A text may break the grammar; a value in quotation marks that has lost its key is none.
  const std::size_t lost = comment.find_first_not_of(" \t", comment.find('=') + 1);
  const bool withoutKey = comment.find_first_not_of(" \t") == comment.find('=') &&
                          lost != std::string::npos && std::strchr("\"'{[", comment[lost]);
  if (!c.error.empty() && (extended || withoutKey)) throw Error("the comment of extended XYZ: " + c.error);
  if (c.error.empty())
    for (const CommentPair& pair : c.pairs) {
      const std::string meant = pair.value ? nearestName(pair.key, {"Lattice", "Properties"}) : "";
      if (!meant.empty() && !isKey(pair.key))
        throw Error("the comment has the key " + pair.key + "; is " + meant + " meant?");
    }
  return extended ? c.pairs : std::vector<CommentPair>{};
}

/// The value of a key, if it is there. Throws Error where two are.
std::optional<Token> valueOf(const std::vector<CommentPair>& pairs, const std::string& key) {
  std::optional<Token> value;
  for (const CommentPair& pair : pairs) {
    if (pair.key != key || !pair.value) continue;
    if (value) throw Error(key + "= appears twice in the comment; which one is meant?");
    value = pair.value;
  }
  return value;
}

/// The words of a list, a row for each pair of inner brackets: "T T F", "[4, 0, 0], [0, 4, 0], [0, 0, 4]".
/// Empty where the brackets are no such rows.
std::vector<std::vector<std::string>> rowsOf(const std::string& list) {
  if (list.find_first_of("[]{}") == std::string::npos) return {splitWords(list, " \t,")};
  std::vector<std::vector<std::string>> rows;
  for (std::size_t at = 0; (at = list.find_first_not_of(" \t,", at)) != std::string::npos;) {
    const std::size_t end = list.find_first_of("]}", at);
    if ((list[at] != '[' && list[at] != '{') || end == std::string::npos) return {};
    const std::string row = list.substr(at + 1, end - at - 1);
    if (row.find_first_of("[{") != std::string::npos) return {};
    rows.push_back(splitWords(row, " \t,"));
    at = end + 1;
  }
  return rows;
}

/// Whether the frame repeats, by its flags. Throws Error for flags that are none, or differ.
bool isPeriodic(const std::string& list) {
  const auto rows = rowsOf(list);
  std::vector<bool> flags;
  for (const std::string& word : rows.size() == 1 ? rows[0] : std::vector<std::string>{}) {
    const std::string flag = lowerCase(word);
    const bool yes = flag == "t" || flag == "true" || flag == "1";
    if (!yes && flag != "f" && flag != "false" && flag != "0")
      throw Error("pbc: '" + word + "' is not a flag; expected T or F");
    flags.push_back(yes);
  }
  if (flags.size() != 1 && flags.size() != 3)
    throw Error("pbc=\"" + list + "\": expected three flags, T T T or F F F");
  if (std::ranges::count(flags, flags[0]) != static_cast<std::ptrdiff_t>(flags.size()))
    throw Error("pbc=\"" + list + "\": a box must repeat in all three directions (T T T) or in none");
  return flags[0];
}

/// Throws Error for what is no lattice.
std::optional<Eigen::Matrix3d> latticeOf(const std::optional<Token>& text, const std::optional<Token>& pbc) {
  const bool periodic = pbc ? isPeriodic(pbc->text) : text.has_value();
  if (pbc && periodic && !text)
    throw Error("pbc=\"" + pbc->text + "\", but the comment has no Lattice=; add it, or write pbc=\"F F F\"");
  if (!text) return std::nullopt;
  const auto rows = rowsOf(text->text);
  const bool nested = rows.size() == 3;
  Eigen::Matrix3d vectors;
  for (int i = 0; i < 9; ++i) {
    const std::size_t row = nested ? i / 3 : 0, column = nested ? i % 3 : i, width = nested ? 3 : 9;
    const bool fits = (nested || rows.size() == 1) && rows[row].size() == width;
    const auto value = fits ? finiteNumber(rows[row][column]) : std::nullopt;
    if (!value) throw Error("Lattice= needs nine numbers, ax ay az bx by bz cx cy cz");
    vectors(i / 3, i % 3) = *value;
  }
  if (!periodic) return std::nullopt;
  requireLattice(vectors);
  return vectors;
}

/// The cell of a comment of i-PI, and the unit of the coordinates below it in angstrom.
struct IpiCell {
  Eigen::Matrix3d lattice;
  double unit = 1;
};

/// The unit behind a name, "cell{angstrom}"; i-PI's own one, bohr, where there is none. Throws Error.
double ipiUnit(const std::string& comment, const std::string& name) {
  const std::size_t at = comment.find(name + "{");
  if (at == std::string::npos) return constants::kAngstromsPerBohr;
  const std::size_t from = at + name.size() + 1, end = comment.find('}', from);
  const std::string unit = end == std::string::npos ? "" : comment.substr(from, end - from);
  if (unit == "angstrom") return 1;
  if (unit == "atomic_unit" || unit == "bohr") return constants::kAngstromsPerBohr;
  throw Error(fmt::format("i-PI's unit '{}' of {}; expected angstrom or atomic_unit", unit, name));
}

/// "# CELL(abcABC): 10 10 10 90 90 90 Step: 0 Bead: 0 positions{angstrom} cell{angstrom}", as i-PI writes it;
/// nothing of other comments. Throws Error where one cannot be read.
std::optional<IpiCell> ipiCellOf(const std::string& comment) {
  const std::string text = lowerCase(trimmed(comment, "# \t"));
  if (!text.starts_with("cell(") && !text.starts_with("cell{")) return std::nullopt;
  const std::size_t end = text.find_first_of(")}"), colon = text.find(':');
  const std::string kind = end == std::string::npos ? "" : text.substr(5, end - 5);
  const std::vector<std::string> words =
      splitWords(text.substr(std::min(colon, text.size() - 1) + 1), " \t,");
  const std::size_t count = kind == "abcabc" ? 6 : kind == "h" || kind == "genh" ? 9 : 0;
  if (count == 0 || colon == std::string::npos || words.size() < count)
    throw Error(
        "i-PI's cell: expected CELL(abcABC): and three lengths and angles, or CELL(H): and nine numbers");
  std::vector<double> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = finiteNumber(words[i]);
    if (!value) throw Error("i-PI's cell: '" + words[i] + "' is not a number");
    numbers.push_back(*value);
  }
  if (text.find("positions{") == std::string::npos && text.find("x_centroid{") == std::string::npos)
    throw Error(
        "i-PI's comment does not say what the columns are; expected positions{angstrom} or "
        "positions{atomic_unit}");
  IpiCell cell;
  const char* const what = text.find("positions{") == std::string::npos ? "x_centroid" : "positions";
  cell.unit = ipiUnit(text, what);
  if (count == 6) {
    const auto cosine = [&](std::size_t i) { return std::cos(numbers[i] * kRadiansPerDegree); };
    const double c = cosine(5), s = std::sqrt(1 - c * c), b = cosine(4), a = cosine(3);
    const double y = (a - b * c) / s, z = std::sqrt(std::max(0.0, 1 - b * b - y * y));
    cell.lattice << numbers[0], 0, 0, numbers[1] * c, numbers[1] * s, 0, numbers[2] * b, numbers[2] * y,
        numbers[2] * z;
  } else {
    for (int i = 0; i < 9; ++i)
      cell.lattice(i % 3, i / 3) = numbers[static_cast<std::size_t>(i)];  // columns a, b, c
  }
  cell.lattice *= ipiUnit(text, "cell");
  requireLattice(cell.lattice);
  return cell;
}

/// Names of files that XYZ has; of others this reader doubts that they are.
bool isXyzEnding(const std::string& path) {
  const std::string ending = lowerCase(std::filesystem::path(path).extension().string());
  return ending.empty() || ending == ".xyz" || ending == ".extxyz" || ending == ".exyz";
}

/// The columns that are charges, the first one before the others.
constexpr std::array kCharges{"charge", "charges", "initial_charges", "initial_charge"};

/// What keys of the comment say of all atoms that this reader does not take: charges are kept as a column
/// that is not read, so that nobody takes the atoms for neutral. Throws Error for coordinates in another
/// unit.
void noteStatements(const std::vector<CommentPair>& pairs, Structure& frame) {
  for (const CommentPair& pair : pairs) {
    if (!pair.value) continue;
    const std::string name = lowerCase(pair.key), value = lowerCase(trimmed(pair.value->text));
    if ((name == "units" || name == "unit") && !value.starts_with("ang") && value != "a")
      throw Error(fmt::format("{}={}, but coordinates are read in angstrom; convert them", pair.key, value));
    const auto number = finiteNumber(value);
    if ((name.find("charge") != std::string::npos || name.find("oxidation") != std::string::npos) &&
        !(number && *number == 0))
      frame.otherColumns.push_back(pair.key + "= of the comment");
  }
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

XyzReader::Columns XyzReader::readColumns(const std::string& properties, Structure& frame) const {
  Columns columns;
  columns.species = columns.position = -1;
  const auto parts = split(trimmed(properties), ':');
  if (parts.size() % 3 != 0)
    fail("Properties= needs NAME:TYPE:COUNT for every column, such as species:S:1:pos:R:3");
  std::size_t charge = kCharges.size();
  std::vector<std::string> ofCharges;
  for (std::size_t i = 0; i < parts.size(); i += 3) {
    const std::string name = parts[i], type = parts[i + 1], text = parts[i + 2];
    const std::string whole = name + ":" + type + ":" + text;
    const auto count = parseDouble(text);
    if (type.size() != 1 || !std::strchr("SRIL", type[0]) || !count ||
        !(*count >= 1 && *count <= kMostColumns) || *count != std::floor(*count))
      fail(
          fmt::format("Properties= has '{}'; expected NAME:TYPE:COUNT with a type S, R, I or L and 1 to {} "
                      "columns",
                      whole, kMostColumns));
    const auto rank = static_cast<std::size_t>(std::ranges::find(kCharges, name) - kCharges.begin());
    const bool isCharge = rank < kCharges.size(), isNumber = type[0] == 'R' || type[0] == 'I';
    const bool isOccupancy = name == "occupancy" || name == "occupancies";
    if ((name == "pos" && (*count != 3 || !isNumber)) || (isCharge && (*count != 1 || !isNumber)) ||
        (name == "species" && (*count != 1 || !std::strchr("SI", type[0]))) ||
        (name == "Z" && (*count != 1 || type[0] != 'I')) || (isOccupancy && (*count != 1 || !isNumber)))
      fail("Properties= has '" + whole + "'; expected species:S:1, Z:I:1, pos:R:3, charge:R:1");
    int* const place = name == "species" ? &columns.species
                       : name == "Z"     ? &columns.number
                       : isOccupancy     ? &columns.occupancy
                       : name == "pos"   ? &columns.position
                                         : nullptr;
    if (place && *place >= 0) fail("Properties= has " + name + " twice; which columns are meant?");
    if (place) *place = columns.all;
    if (isCharge) ofCharges.push_back(name);
    if (isCharge && rank < charge) {
      charge = rank;
      columns.charge = columns.all;
    }
    if (!place && !isCharge) frame.otherColumns.push_back(whole);
    columns.all += static_cast<int>(*count);
    if (columns.all > kMostColumns) fail(fmt::format("Properties= has more than {} columns", kMostColumns));
  }
  if (columns.species < 0) columns.species = columns.number;
  if (columns.species < 0 || columns.position < 0) fail("Properties= names no species:S:1 or no pos:R:3");
  if (ofCharges.size() > 1)
    addWarnings(frame.warnings, {fmt::format("the file has the columns of charges {}: {} is taken",
                                             fmt::join(ofCharges, " and "), kCharges[charge])});
  return columns;
}

XyzReader::Columns XyzReader::readComment(const std::string& comment, Structure& frame) const {
  frame.title = utf8(trimmed(comment));
  if (frame.title != trimmed(comment))
    frame.warnings.push_back("the comment of " + utf8(path_) + " is not UTF-8; it is read as Latin-1");
  try {
    if (const auto cell = ipiCellOf(comment)) {
      frame.lattice = cell->lattice;
      Columns columns;
      columns.unit = cell->unit;
      return columns;
    }
    const Comment parts = CommentReader(comment).comment();
    const auto pairs = pairsOf(comment, parts);
    noteStatements(parts.pairs, frame);  // of plain XYZ as well
    frame.lattice = latticeOf(valueOf(pairs, "lattice"), valueOf(pairs, "pbc"));
    const auto properties = valueOf(pairs, "properties");
    return properties ? readColumns(properties->text, frame) : Columns();
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
  std::string name, number;
  const int last = columns.all > 0 ? columns.all - 1 : columns.position + 2;
  std::size_t at = 0;
  for (int column = 0; column <= last; ++column) {
    at = line.find_first_not_of(" \t", at);
    if (at == std::string::npos)
      fail(fmt::format("expected an atom: its name and x, y, z in angstrom; the line has {} words, not {}{}",
                       column, last + 1, columns.all > 0 ? " as Properties= says" : ""));
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
      position(axis) = columns.unit * *value;
    }
    if (column == columns.number && column != columns.species) number.assign(line, at, end - at);
    if (column == columns.occupancy) {
      const std::string word = line.substr(at, end - at);
      const auto value = finiteNumber(word);
      if (!value || std::abs(*value - 1) > 1e-3)
        fail("an occupancy of " + word +
             "; a sum over atoms needs whole atoms: write a larger cell with whole atoms");
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
  if (line.find_first_not_of(" \t", at) != std::string::npos) {
    if (columns.all > 0)
      fail(fmt::format("the line has more than the {} words that Properties= says", columns.all));
    if (frame.otherColumns.empty()) frame.otherColumns.emplace_back(kBehindPlace);
  }
  const int kind = numberOf(name, frame);
  if (columns.number >= 0 || columns.charge >= 0)
    requireOneStatement(name, number, columns.charge >= 0, kind, frame);
  frame.add(kind, position);
}

/// What a line says of its atom twice must be the same.
void XyzReader::requireOneStatement(const std::string& name, const std::string& number, bool charged,
                                    int kind, const Structure& frame) const {
  const AtomKind atom = atomKind(frame.kinds[kind]);
  if (!number.empty() && parseDouble(number) != static_cast<double>(atom.z))
    fail(fmt::format("the atom is {} by its name and has the charge number {}; correct one of them", name,
                     number));
  // Charges of models are partial ones; whole ones are those of ions, as the names have them.
  if (charged && atom.charge != 0 && frame.charges.back() != atom.charge &&
      frame.charges.back() == std::round(frame.charges.back()))
    fail(fmt::format("the atom is {} by its name and has the charge {:g}; correct one of them", name,
                     frame.charges.back()));
}

std::string wordsOfComment(const std::string& comment) {
  const Comment c = CommentReader(comment).comment();
  if (!c.error.empty()) return trimmed(comment);  // a text that breaks the grammar has no pairs
  std::string words;
  for (const CommentPair& pair : c.pairs)
    if (!pair.value) words += (words.empty() ? "" : " ") + trimmed(pair.key);
  return words;
}

std::string xyzText(const Structure& s) {
  fmt::memory_buffer out;
  const fmt::appender end(out);
  fmt::format_to(end, "{}\n", s.size());
  if (s.lattice) {
    const auto& l = *s.lattice;
    fmt::format_to(end,
                   "Lattice=\"{:.10g} {:.10g} {:.10g} {:.10g} {:.10g} {:.10g} {:.10g} {:.10g} {:.10g}\" ",
                   l(0, 0), l(0, 1), l(0, 2), l(1, 0), l(1, 1), l(1, 2), l(2, 0), l(2, 1), l(2, 2));
  }
  const bool charged = !s.charges.empty();
  std::string words;
  for (const char c : wordsOfComment(s.title))
    words += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  fmt::format_to(end, "Properties=species:S:1:pos:R:3{}{}\n", charged ? ":charge:R:1" : "",
                 words.empty() ? "" : " \"" + words + "\"");
  for (std::size_t i = 0; i < s.size(); ++i) {
    const auto& p = s.positions[i];
    fmt::format_to(end, "{} {:.10f} {:.10f} {:.10f}", s.kinds[s.kind[i]], p.x(), p.y(), p.z());
    if (charged) fmt::format_to(end, " {:.10g}", s.charges[i]);
    out.push_back('\n');
  }
  return fmt::to_string(out);
}

namespace {

class XyzFrames : public Frames {
 public:
  explicit XyzFrames(const std::string& path) : reader_(path) {}
  std::optional<Structure> next() override { return reader_.next(); }

 private:
  XyzReader reader_;
};

}  // namespace

StructureFormat xyzFormat() {
  return {"XYZ, extended XYZ", {".xyz", ".extxyz"}, false, [](const std::string& path, const std::string&) {
            return std::make_unique<XyzFrames>(path);
          }};
}

}  // namespace prophet
