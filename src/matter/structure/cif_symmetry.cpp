#include "matter/structure/cif_symmetry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gemmi/cif.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include "core/common/text.hpp"
#include "matter/structure/structure.hpp"

namespace prophet {

CifBlock::Value CifBlock::value(std::initializer_list<const char*> tags) const {
  for (const char* tag : tags) {
    const auto values = column(tag);
    if (!values.empty() && !values[0].empty()) return {tag, values[0]};
  }
  return {};
}

std::vector<std::string> CifBlock::column(const std::string& tag) const {
  std::vector<std::string> list;
  for (const std::string& value : const_cast<gemmi::cif::Block&>(block_).find_values(tag))
    list.push_back(gemmi::cif::is_null(value) ? "" : trimmed(gemmi::cif::as_string(value), " \t\r\n"));
  return list;
}

bool CifBlock::has(const std::string& tag) const { return block_.has_tag(tag); }

std::string CifBlock::raw(const std::string& tag) const {
  const auto values = const_cast<gemmi::cif::Block&>(block_).find_values(tag);
  return values.length() > 0 ? values.at(0) : "";
}

std::vector<std::string> CifBlock::tags() const {
  std::vector<std::string> list;
  for (const gemmi::cif::Item& item : block_.items) {
    if (item.type == gemmi::cif::ItemType::Pair) list.push_back(lowerCase(item.pair[0]));
    if (item.type != gemmi::cif::ItemType::Loop) continue;
    for (const std::string& tag : item.loop.tags) list.push_back(lowerCase(tag));
  }
  return list;
}

void CifBlock::fail(const std::string& tag, const std::string& what) const { failAt(tag, "", what); }

void CifBlock::failAt(const std::string& tag, const std::string& word, const std::string& what) const {
  const gemmi::cif::Item* item = block_.find_pair_item(tag);
  if (!item) item = block_.find_loop_item(lowerCase(tag));  // gemmi 0.5 does not look for others
  if (!item) throw StructureError(fmt::format("{}: error: {}", path_, what));
  std::istringstream lines(text_);
  int number = 1, found = item->line_number;
  for (std::string line; !word.empty() && std::getline(lines, line); ++number) {
    const auto words = splitWords(line, " \t\r'\"");
    if (number < item->line_number || std::find(words.begin(), words.end(), word) == words.end()) continue;
    found = number;
    break;
  }
  throw StructureError(fmt::format("{}:{}: error: {}", path_, found, what));
}

namespace {

using gemmi::Op;
using gemmi::SpaceGroup;
using Operations = std::set<Op>;
using Value = CifBlock::Value;
using Groups = std::vector<const SpaceGroup*>;

constexpr std::size_t kMostOperations = 2000;
constexpr int kLargestEntry = 10;   // of matrices
constexpr double kSameCell = 1e-3;  // of the longest edge

std::vector<Op> listOf(const gemmi::GroupOps& group) {
  std::vector<Op> list;
  for (const Op& op : group) list.push_back(op);
  return list;
}

Operations setOf(const std::vector<Op>& list) { return {list.begin(), list.end()}; }
Operations operationsOf(const SpaceGroup& group) { return setOf(listOf(group.operations())); }

/// Whether products of such operations fit into the integers that gemmi has for them.
bool isUsual(const Op& op) {
  for (const auto& row : op.rot)
    for (const int entry : row)
      if (std::abs(entry) > kLargestEntry * Op::DEN) return false;
  return true;
}

gemmi::GroupOps groupOf(const Operations& operations) {
  return gemmi::split_centering_vectors({operations.begin(), operations.end()});
}

/// "the operations of 'P 1' (number 1)".
std::string described(const Operations& operations) {
  const SpaceGroup* found = gemmi::find_spacegroup_by_ops(groupOf(operations));
  return found ? fmt::format("the operations of '{}' (number {})", found->xhm(), found->number)
               : fmt::format("the {} operations", operations.size());
}

/// Statements that cannot both be true: the operations of a tag, and another one.
[[noreturn]] void contradict(const CifBlock& block, const Operations& operations, const std::string& tag,
                             const Value& other) {
  block.fail(other.tag,
             fmt::format("{} in {} contradict {} '{}'; {}", described(operations), tag, other.tag, other.text,
                         operations.size() == 1
                             ? "if the file lists all atoms of the cell, its space group is P 1, else its "
                               "operations are missing"
                             : "correct one of them, or take it out of the file"));
}

// Operations as they are written.

/// Shifts are multiples of 1/24 in all settings of the groups; files write some as decimals, 0.5 or .3333.
constexpr double kSameShift = 2e-3;

std::optional<std::string> withFractions(const std::string& triplet) {
  std::string text;
  for (std::size_t at = 0; at < triplet.size();) {
    const std::size_t end = std::min(triplet.find_first_not_of("0123456789.", at), triplet.size());
    const std::string number = triplet.substr(at, end - at);
    if (number.find('.') == std::string::npos) {
      text += number.empty() ? triplet.substr(at++, 1) : number;
      at += number.size();
      continue;
    }
    const auto value = parseDouble(number[0] == '.' ? "0" + number : number);
    const double parts = value ? std::round(Op::DEN * *value) : 0;
    if (!value || *value > 10 || std::abs(*value - parts / Op::DEN) > kSameShift) return std::nullopt;
    text += fmt::format("{:g}/{}", parts, static_cast<int>(Op::DEN));
    at = end;
  }
  return text;
}

/// Each once, in the order of the file.
std::vector<Op> readOperations(const CifBlock& block, const std::string& tag) {
  std::vector<Op> list;
  Operations known;
  for (const std::string& triplet : block.column(tag)) {
    const auto fractions = withFractions(triplet);
    if (!fractions)
      block.fail(tag,
                 fmt::format("'{}' has a shift that is no multiple of 1/24, as in no space group", triplet));
    try {
      const Op op = gemmi::parse_triplet(*fractions).wrap();
      if (known.insert(op).second) list.push_back(op);
    } catch (const std::exception&) {
      block.fail(tag, fmt::format("'{}' is not a symmetry operation such as x,-y,z+1/2", triplet));
    }
  }
  return list;
}

/// Every product of two operations must be one of them.
void requireGroup(const Operations& operations, const CifBlock& block, const std::string& tag) {
  const auto refuse = [&](const std::string& why) {
    block.fail(tag, fmt::format("the {} operations of {} are no group: {}; list all of them, or none and the "
                                "name of the space group",
                                operations.size(), tag, why));
  };
  if (operations.size() > kMostOperations) refuse(fmt::format("there are more than {}", kMostOperations));
  for (const Op& a : operations)
    if (!isUsual(a) || std::abs(a.det_rot()) != Op::DEN * Op::DEN * Op::DEN)
      refuse("'" + a.triplet() + "' changes volumes");
  for (const Op& a : operations) {
    for (const Op& b : operations) {
      const Op product = a * b;
      if (operations.count(product) == 0)
        refuse(fmt::format("'{}' after '{}' is '{}', which is missing", a.triplet(), b.triplet(),
                           product.triplet()));
    }
  }
}

/// The operations of whichever tag has them, and that tag.
std::pair<std::vector<Op>, std::string> writtenOperations(const CifBlock& block) {
  std::pair<std::vector<Op>, std::string> written;
  for (const char* tag : {"_space_group_symop_operation_xyz", "_symmetry_equiv_pos_as_xyz"}) {
    const std::vector<Op> list = readOperations(block, tag);
    if (list.empty()) continue;
    if (!written.first.empty() && setOf(list) != setOf(written.first))
      block.fail(tag, fmt::format("{} and {} list different operations; take one of them out of the file",
                                  written.second, tag));
    written = {list, tag};
  }
  if (!written.first.empty()) requireGroup(setOf(written.first), block, written.second);
  return written;
}

// Names.

std::string withoutBlanks(const std::string& text) {
  std::string kept;
  for (const char c : text)
    if (std::strchr(" \t_", c) == nullptr) kept += c;
  return kept;
}

/// A name of a space group and the setting behind it: "R -3 c" and "H" of "R -3 c:H" and "R -3 c H". In names
/// of the ICSD S and Z are the first and second origin.
std::pair<std::string, char> splitName(std::string name) {
  name.erase(std::remove_if(name.begin(), name.end(),
                            [](char c) { return std::strchr("(){}~", c) != nullptr; }),  // P2(1)/c, P 2~1~/c
             name.end());
  name = trimmed(name);
  const auto upper = [](char c) { return static_cast<char>(c & ~0x20); };
  const std::size_t colon = name.find(':');
  char setting = 0;
  if (colon != std::string::npos) {
    const std::string behind = trimmed(name.substr(colon + 1));
    setting = behind.size() == 1 ? behind[0] : '?';
    name = name.substr(0, colon);
  } else if (name.size() > 2 && std::strchr("HRSZ", upper(name.back())) != nullptr && name.back() != ' ') {
    setting = name.back();  // no symbol of an axis or plane is one of these letters
    name.pop_back();
  }
  if (setting > '9') setting = upper(setting);
  if (setting == 'S' || setting == 'Z') setting = setting == 'S' ? '1' : '2';
  if (setting == 0 && upper(name[0]) == 'H') setting = 'H';
  return {trimmed(name), setting};
}

/// The parts of a name that short names have: "P 21/c" of "P 1 21/c 1".
std::string shortName(const SpaceGroup& group) {
  std::string text;
  for (const std::string& part : splitWords(group.hm))
    if (part != "1" || group.number < 3 || group.number > 15) text += part;
  return lowerCase(text);
}

/// All settings that a name can mean, in the order of the table; none where it is unknown.
Groups groupsNamed(const std::string& text) {
  auto [name, setting] = splitName(text);
  if (name.empty()) return {};
  const SpaceGroup* found = gemmi::find_spacegroup_by_name(name);
  if (!found) {  // F m 3 m is the older name of F m -3 m
    std::string plain = withoutBlanks(name);
    if (plain.size() > 2 && plain[2] == '3') found = gemmi::find_spacegroup_by_name(plain.insert(2, "-"));
  }
  Groups groups;
  if (!found) return groups;
  const std::string plain = lowerCase(withoutBlanks(name));
  for (const SpaceGroup& group : gemmi::spacegroup_tables::main) {
    const bool same =
        group.number == found->number && (std::strcmp(group.hm, found->hm) == 0 || shortName(group) == plain);
    if (same && (setting == 0 || group.ext == setting)) groups.push_back(&group);
  }
  return groups;
}

/// Whether a code of the dictionary (1, 2, h, r, b1, -c2, cab, 2ba-c) is that of a setting.
bool hasCode(const SpaceGroup& group, const std::string& code) {
  const bool orthorhombic = group.number >= 16 && group.number <= 74;
  std::string axes = group.qualifier, origin;
  if (axes.empty() && orthorhombic) axes = "abc";
  if (group.ext) origin = lowerCase(std::string(1, group.ext));
  const bool usual = axes.empty() || axes == "abc" || axes == "b" || axes == "b1";
  if (code == origin + axes) return true;
  if (!origin.empty()) return code == origin && usual;  // "2" of F d d d
  return (code == "1" && usual) || (code == "b" && axes == "b1");
}

Groups withCode(const Groups& groups, const std::string& code) {
  Groups kept;
  for (const SpaceGroup* group : groups)
    if (hasCode(*group, lowerCase(withoutBlanks(code)))) kept.push_back(group);
  return kept;
}

/// All settings of a number.
Groups groupsNumbered(int number) {
  Groups groups;
  for (const SpaceGroup& group : gemmi::spacegroup_tables::main)
    if (group.number == number) groups.push_back(&group);
  return groups;
}

bool fitsCell(gemmi::UnitCell cell, const gemmi::GroupOps& group) {
  const double longest = std::max({cell.a, cell.b, cell.c});
  return cell.is_compatible_with_groupops(group, kSameCell * longest * longest);
}

/// What a block states of its group but for the operations.
struct Statements {
  Value hall, name, number, code;
  std::vector<Op> ofHall;
  Groups named, numbered;
};

/// What two tags that mean the same state differently.
[[noreturn]] void differ(const CifBlock& block, const Value& one, const Value& other) {
  block.fail(other.tag, fmt::format("{} '{}' and {} '{}' contradict each other; correct one of them", one.tag,
                                    one.text, other.tag, other.text));
}

void readNumber(const CifBlock& block, Statements& st) {
  for (const char* tag : {"_space_group_IT_number", "_symmetry_Int_Tables_number"}) {
    const Value value = block.value({tag});
    if (value.empty()) continue;
    const auto number = parseDouble(value.text);
    if (!number || !(*number >= 1 && *number <= 230) || *number != std::floor(*number))
      block.fail(tag, fmt::format("'{}' is not the number of a space group, 1 to 230", value.text));
    const Groups groups = groupsNumbered(static_cast<int>(*number));
    if (!st.numbered.empty() && groups != st.numbered) differ(block, st.number, value);
    st.number = value;
    st.numbered = groups;
  }
}

/// Returns names that are not known.
std::vector<Value> readNames(const CifBlock& block, Statements& st) {
  std::vector<Value> unknown;
  for (const char* tag : {"_space_group_name_H-M_alt", "_symmetry_space_group_name_H-M",
                          "_space_group_name_H-M_ref", "_space_group_name_H-M_full"}) {
    const Value value = block.value({tag});
    // The last two may be of another setting, or in another form.
    const bool other = std::strstr(tag, "_ref") || std::strstr(tag, "_full");
    if (value.empty() || (other && !st.named.empty())) continue;
    const Groups groups = groupsNamed(value.text);
    if (groups.empty()) {
      unknown.push_back(value);
      continue;
    }
    Groups both;
    for (const SpaceGroup* group : groups)
      if (st.named.empty() || std::count(st.named.begin(), st.named.end(), group)) both.push_back(group);
    if (both.empty()) differ(block, st.name, value);
    st.name = value;
    st.named = both;
  }
  return unknown;
}

/// Returns symbols that are not known.
std::vector<Value> readHallSymbols(const CifBlock& block, Statements& st) {
  std::vector<Value> unknown;
  for (const char* tag : {"_space_group_name_Hall", "_symmetry_space_group_name_Hall"}) {
    const Value value = block.value({tag});
    if (value.empty()) continue;
    try {
      const auto operations = listOf(gemmi::symops_from_hall(value.text.c_str()));
      if (!std::all_of(operations.begin(), operations.end(), isUsual)) throw std::runtime_error("too large");
      if (!st.ofHall.empty() && setOf(operations) != setOf(st.ofHall)) differ(block, st.hall, value);
      st.hall = value;
      st.ofHall = operations;
    } catch (const Error&) {
      throw;
    } catch (const std::exception&) {
      unknown.push_back(value);
    }
  }
  return unknown;
}

/// `hasOperations`: so that what is not known here need not be.
Statements statementsOf(const CifBlock& block, bool hasOperations, CifSymmetry& s) {
  Statements st;
  st.code = block.value({"_space_group_IT_coordinate_system_code"});
  readNumber(block, st);
  std::vector<Value> unknown = readNames(block, st);
  for (const Value& symbol : readHallSymbols(block, st)) unknown.push_back(symbol);
  for (const Value& value : unknown) {
    const std::string what =
        fmt::format("{} '{}' is no space group that is known here", value.tag, value.text);
    if (!hasOperations && st.ofHall.empty() && st.named.empty() && st.numbered.size() != 1)
      block.fail(value.tag, what + "; write the symmetry operations");
    s.warnings.push_back(fmt::format(
        "{}: {}: it is not compared with what else the file states of its symmetry", block.path(), what));
  }
  return st;
}

/// Contradictions between name, number and code, which narrow each other.
void compareNames(Statements& st, const CifBlock& block) {
  if (!st.named.empty() && !st.numbered.empty() && st.named[0]->number != st.numbered[0]->number)
    block.fail(st.number.tag,
               fmt::format("the file names the space group '{}', which has the number {}, and the number {}; "
                           "correct one of them",
                           st.name.text, st.named[0]->number, st.numbered[0]->number));
  if (st.code.empty()) return;
  for (auto* groups : {&st.named, &st.numbered}) {
    if (groups->empty()) continue;
    Groups kept = withCode(*groups, st.code.text);
    if (kept.empty())
      block.fail(st.code.tag,
                 fmt::format("{} '{}' is no setting of the space group {} '{}'; correct one of "
                             "them",
                             st.code.tag, st.code.text, groups == &st.named ? st.name.tag : st.number.tag,
                             groups == &st.named ? st.name.text : st.number.text));
    *groups = kept;
  }
}

bool anyHas(const Groups& groups, const Operations& operations) {
  return std::any_of(groups.begin(), groups.end(),
                     [&](const SpaceGroup* group) { return operationsOf(*group) == operations; });
}

/// How many operations of each kind (rotations by 2, 3, 4, 6, with or without inversion) the point group has:
/// what all settings of a group have in common.
std::vector<int> pointGroup(const Operations& operations) {
  std::set<Op::Rot> rotations;
  for (const Op& op : operations) rotations.insert(op.rot);
  std::vector<int> counts(13);
  for (const auto& rotation : rotations) ++counts[static_cast<std::size_t>(6 + Op{rotation, {}}.rot_type())];
  return counts;
}

/// Whether operations can be those of one of these groups: of a setting of the table, or of one that the
/// table does not have and whose point group is the same.
bool canBe(const Operations& operations, const Groups& groups) {
  if (anyHas(groups, operations)) return true;
  if (gemmi::find_spacegroup_by_ops(groupOf(operations))) return false;
  return pointGroup(operations) == pointGroup(operationsOf(*groups[0]));
}

/// Contradictions between the operations that a tag gives and the names of the group, and the cell.
void compareOperations(const Operations& operations, const std::string& tag, const Statements& st,
                       const gemmi::UnitCell& cell, const CifBlock& block) {
  if (!st.ofHall.empty() && setOf(st.ofHall) != operations) contradict(block, operations, tag, st.hall);
  if (!st.named.empty() && !canBe(operations, st.named)) contradict(block, operations, tag, st.name);
  if (!st.numbered.empty() && !canBe(operations, st.numbered)) contradict(block, operations, tag, st.number);
  if (!fitsCell(cell, groupOf(operations)))
    block.fail(tag, fmt::format("the cell does not have the symmetry of {} in {}; which lengths and angles "
                                "must be equal?",
                                described(operations), tag));
}

/// The setting that name, number and code mean in this cell.
const SpaceGroup* chosenGroup(const Statements& st, const gemmi::UnitCell& cell, const CifBlock& block,
                              CifSymmetry& s) {
  Groups groups = st.named;
  if (groups.empty()) {
    groups = st.numbered;
    if (st.code.empty()) {  // the usual setting
      const char* usual = gemmi::find_spacegroup_by_number(groups[0]->number)->hm;
      groups.erase(std::remove_if(groups.begin(), groups.end(),
                                  [&](const SpaceGroup* g) { return std::strcmp(g->hm, usual) != 0; }),
                   groups.end());
    }
  }
  Groups fitting;
  for (const SpaceGroup* group : groups)
    if (fitsCell(cell, group->operations())) fitting.push_back(group);
  if (fitting.empty()) {
    const Value& from = st.named.empty() ? st.number : st.name;
    block.fail(from.tag,
               fmt::format("the cell does not have the symmetry of its space group {}; which lengths "
                           "and angles must be equal? (Or write the symmetry operations.)",
                           from.text));
  }
  const SpaceGroup* found = fitting[0];
  if (found->ext == '1' && fitting.size() > 1 && fitting[1]->ext == '2') s.other = fitting[1];
  return found;
}

}  // namespace

namespace {

/// Whether a system that a file names is that of a group, which the table calls so. Trigonal groups have
/// hexagonal and rhombohedral cells.
bool isSystem(const std::string& named, const std::string& ofGroup) {
  if (ofGroup == "trigonal") return named == "trigonal" || named == "hexagonal" || named == "rhombohedral";
  return named == ofGroup;
}

/// Crystal system and centring, which follow from the operations.
void compareSystem(const CifBlock& block, const CifSymmetry& s) {
  const SpaceGroup* const group =
      s.group ? s.group : gemmi::find_spacegroup_by_ops(groupOf(setOf(s.operations)));
  for (const char* tag : {"_space_group_crystal_system", "_symmetry_cell_setting"}) {
    const Value value = block.value({tag});
    if (value.empty() || !group) continue;
    const std::string system = group->crystal_system_str();
    if (!isSystem(lowerCase(value.text), system))
      block.fail(tag, fmt::format("{} is '{}', and the space group '{}' is {}; correct one of them", tag,
                                  value.text, group->xhm(), system));
  }
  const Value centring = block.value({"_space_group_centring_type"});
  if (centring.empty() || !group) return;
  char letter = group->hm[0];
  if (letter == 'H') letter = 'R';
  std::string named = centring.text.substr(0, 1);
  if (named[0] != letter && !(letter == 'R' && group->ext == 'R' && named == "P"))
    block.fail(centring.tag, fmt::format("{} is '{}', and the space group is '{}'; correct one of them",
                                         centring.tag, centring.text, group->xhm()));
}

/// Throws where the file states its symmetry in a way that is not read, so that it is not taken for none.
void requireNoOther(const CifBlock& block) {
  for (const std::string& tag : block.tags()) {
    const auto begins = [&](const char* with) { return tag.rfind(with, 0) == 0; };
    const auto has = [&](const char* word) { return tag.find(word) != std::string::npos; };
    if (!(begins("_space_group") || begins("_symmetry") || begins("_parent_space_group"))) continue;
    if (!(has("name") || has("number") || has("symop") || has("equiv")) || block.value({tag.c_str()}).empty())
      continue;
    block.fail(tag, fmt::format("{} '{}' is not read; write the symmetry operations "
                                "(_space_group_symop_operation_xyz), or the name of the space group "
                                "(_space_group_name_H-M_alt)",
                                tag, block.value({tag.c_str()}).text));
  }
}

}  // namespace

CifSymmetry symmetryOf(const CifBlock& block, const gemmi::UnitCell& cell) {
  CifSymmetry s;
  std::string tag;
  std::tie(s.operations, tag) = writtenOperations(block);
  Statements st = statementsOf(block, !s.operations.empty(), s);
  compareNames(st, block);
  if (s.operations.empty() && !st.ofHall.empty()) {
    s.operations = st.ofHall;
    tag = st.hall.tag;
  }
  if (!s.operations.empty()) {
    compareOperations(setOf(s.operations), tag, st, cell, block);
  } else if (!st.named.empty() || !st.numbered.empty()) {
    s.group = chosenGroup(st, cell, block, s);
    s.operations = listOf(s.group->operations());
  } else {
    requireNoOther(block);
    s.operations = {Op::identity()};
    s.warnings.push_back(block.path() +
                         ": the file states no symmetry (operations, Hall symbol, name or number of a space "
                         "group): the sites that it lists are taken for the whole cell (P 1)");
    return s;
  }
  compareSystem(block, s);
  return s;
}

}  // namespace prophet
