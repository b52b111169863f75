// CIF of small molecules and minerals by gemmi (M. Wojdyr, J. Open Source Softw. 7, 4200 (2022)).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <gemmi/cif.hpp>
#include <gemmi/elem.hpp>
#include <gemmi/numb.hpp>
#include <map>
#include <optional>

#include "atoms/atom/elements.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"
#include "matter/structure/cif_file.hpp"
#include "matter/structure/gemmi_lattice.hpp"
#include "matter/structure/structure.hpp"

namespace prophet {

std::optional<double> numberWithError(const std::string& text) {
  const double value = gemmi::cif::as_number(text);
  return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

// gemmi takes for a cell what has three lengths, and reads words as not a number.
gemmi::UnitCell cellOf(const CifBlock& block) {
  double numbers[6];
  int i = 0;
  for (const char* tag : {"_cell_length_a", "_cell_length_b", "_cell_length_c", "_cell_angle_alpha",
                          "_cell_angle_beta", "_cell_angle_gamma"}) {
    const auto values = block.column(tag);
    if (values.empty())
      throw StructureError(fmt::format("{}: error: the block {} has no {}", block.path(), block.name(), tag));
    const double number = numberWithError(values[0]).value_or(0);
    const bool angle = i > 2;
    if (angle ? !(number > 0 && number < 180) : !(number >= kShortestEdge && number <= kLongestEdge))
      block.fail(tag, fmt::format("{} is '{}'; expected {}", tag, block.raw(tag),
                                  angle ? "an angle above 0 and below 180 degrees"
                                        : fmt::format("a length from {:g} to {:g} angstrom", kShortestEdge,
                                                      kLongestEdge)));
    numbers[i++] = number;
  }
  return {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
}

std::vector<std::string> siteColumn(const CifBlock& block, const std::string& tag, std::size_t size) {
  auto column = block.column(tag);
  if (!column.empty() && column.size() != size)
    block.fail(tag, fmt::format("{} is in a loop of its own, with {} values for {} sites", tag, column.size(),
                                size));
  column.resize(size);
  return column;
}

namespace {

constexpr double kFarthestFraction = 1000;
constexpr double kSameSite = 0.1;      // angstrom, of sites of different lines
constexpr double kSpecialPlace = 0.4;  // angstrom, of images of one site
constexpr double kSameCharge = 0.01;   // e
constexpr std::size_t kMostNamed = 5;  // examples in a warning

const char* const kLabel = "_atom_site_label";
const char* const kType = "_atom_site_type_symbol";
const char* const kFractions[] = {"_atom_site_fract_x", "_atom_site_fract_y", "_atom_site_fract_z"};
const char* const kOxidation = "_atom_type_oxidation_number";
const char* const kCharge = "_atom_site_charge";
const char* const kOccupancy = "_atom_site_occupancy";

/// A line of the loop of sites, and its images in the cell.
struct CifSite {
  std::string label;
  AtomKind kind;
  double charge = 0;  ///< of the column of charges
  gemmi::Fractional place;
  std::size_t line = 0;  ///< of the loop, from 0
};

bool startsWith(const std::string& text, const std::string& with) { return text.rfind(with, 0) == 0; }

// Blocks.

bool hasSites(const gemmi::cif::Block& block) {
  for (const char* tag : {kLabel, kType, kFractions[0], "_atom_site_cartn_x"})
    if (block.find_loop_item(tag) || block.find_pair_item(tag)) return true;
  return false;
}

/// The dictionary of DDLm writes a point behind the category: "_cell.length_a" is "_cell_length_a". Throws
/// StructureError where a block has both.
void takeOutPoints(gemmi::cif::Document& document, const std::string& path) {
  for (gemmi::cif::Block& block : document.blocks) {
    std::vector<std::string*> tags;
    for (gemmi::cif::Item& item : block.items) {
      if (item.type == gemmi::cif::ItemType::Pair) tags.push_back(&item.pair[0]);
      if (item.type != gemmi::cif::ItemType::Loop) continue;
      for (std::string& tag : item.loop.tags) tags.push_back(&tag);
    }
    const auto has = [&](const std::string& name) {
      return std::any_of(tags.begin(), tags.end(),
                         [&](const std::string* tag) { return lowerCase(*tag) == name; });
    };
    for (std::string* tag : tags) {
      const std::size_t point = tag->find('.');
      if (point == std::string::npos) continue;
      std::string plain = *tag;
      plain[point] = '_';
      if (has(lowerCase(plain)))
        throw StructureError(
            fmt::format("{}: error: {} and {} are both there; take one out", path, *tag, plain));
      *tag = plain;
    }
  }
}

/// The block of this name, or the one that has sites.
const gemmi::cif::Block& chosenBlock(const gemmi::cif::Document& document, const std::string& wanted,
                                     const std::string& path) {
  if (document.blocks.empty()) throw StructureError(path + ":1: error: the file has no data block");
  const std::string name = lowerCase(startsWith(lowerCase(wanted), "data_") ? wanted.substr(5) : wanted);
  std::vector<const gemmi::cif::Block*> found;
  std::string names;
  for (const auto& block : document.blocks) {
    if (!hasSites(block)) continue;
    names += (names.empty() ? "" : ", ") + block.name;
    if (wanted.empty() || lowerCase(block.name) == name) found.push_back(&block);
  }
  if (names.empty())
    throw StructureError(
        path + ": error: the file has no sites (_atom_site_label with _atom_site_fract_x, y and z)");
  if (found.empty())
    throw StructureError(
        fmt::format("{}: error: there is no block {} with sites; choose one of {}", path, wanted, names));
  if (found.size() > 1)
    throw StructureError(
        fmt::format("{}: error: the file has several structures; choose one of them by the "
                    "name of its block (block, on the command line --block): {}",
                    path, names));
  return *found[0];
}

// What the atoms are.

/// Atoms of a file without type symbols.
class Labels {
 public:
  explicit Labels(const CifBlock& block) : block_(block) {}

  /// The element that a label begins with, and its charge where the label is an ion's name (Na1+).
  AtomKind kindOf(const std::string& label) {
    const auto isLetter = [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; };
    const auto end = std::find_if_not(label.begin(), label.end(), isLetter);
    const std::string letters(label.begin(), end), two = letters.substr(0, 2), one = letters.substr(0, 1);
    const bool isTwo = two.size() == 2 && elementOf(two).has_value();
    if (!isTwo && (letters.size() != 1 || !isSingle(one)))
      refuse(label, fmt::format("the label '{}' begins with no element", label));
    const bool ion = label.back() == '+' || label.back() == '-';
    if (ion || label.find('+') != std::string::npos) {
      try {
        return atomKind(label);
      } catch (const Error&) {
        refuse(label, fmt::format("the label '{}' has a charge that is not read", label));
      }
    }
    const bool mixed = isTwo && !(one[0] & 0x20) && (two[1] & 0x20);
    if (isTwo && !mixed && isSingle(one)) doubtful_.push_back({label, two, one});
    return atomKind(isTwo ? two : one);
  }

  /// What can be read in two ways; empty where nothing can.
  std::string warning() const {
    std::string list;
    for (std::size_t i = 0; i < std::min(kMostNamed, doubtful_.size()); ++i)
      list += fmt::format("{}{} is {}, not {}", i ? ", " : "", doubtful_[i].label, kindName(doubtful_[i].two),
                          kindName(doubtful_[i].one));
    if (list.empty()) return list;
    return fmt::format("{}: elements are taken from labels, because the file has no {}: {}{}", block_.path(),
                       kType, list, doubtful_.size() > kMostNamed ? ", ..." : "");
  }

 private:
  struct Doubtful {
    std::string label, two, one;
  };

  static bool isSingle(const std::string& letter) {
    return elementOf(letter).has_value() || letter == "D" || letter == "d";
  }
  [[noreturn]] void refuse(const std::string& label, const std::string& why) const {
    block_.failAt(kLabel, label, fmt::format("{}; give the elements and charges in {}", why, kType));
  }

  const CifBlock& block_;
  std::vector<Doubtful> doubtful_;
};

bool statesCharge(const std::string& symbol) { return symbol.find_first_of("+-") != std::string::npos; }

/// The loop of atom types with its oxidation numbers.
class AtomTypes {
 public:
  explicit AtomTypes(const CifBlock& block) : block_(block) {
    const auto symbols = block.column("_atom_type_symbol"), numbers = block.column(kOxidation);
    if (!numbers.empty() && symbols.empty())
      block.fail(kOxidation, fmt::format("{} needs _atom_type_symbol", kOxidation));
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      Row row;
      row.symbol = symbols[i];
      try {
        row.kind = atomKind(symbols[i]);
        if (statesCharge(symbols[i])) row.charge = row.kind.charge;
      } catch (const Error&) {  // only of interest where a site has it
      }
      if (i < numbers.size() && !numbers[i].empty()) {
        const std::string& text = numbers[i];
        const auto number = numberWithError(text[0] == '+' ? text.substr(1) : text);
        if (!number) block.failAt(kOxidation, row.symbol, "'" + text + "' is not an oxidation number");
        if (row.charge && std::abs(*row.charge - *number) > kSameCharge)
          block.failAt(kOxidation, row.symbol,
                       fmt::format("the type symbol {} has the oxidation number {}; correct one of them",
                                   row.symbol, text));
        if (!row.charge) row.charge = *number;
        row.number = true;
      }
      rows_.push_back(row);
    }
  }

  /// The kind with the charge of its type, which its symbol may have or not.
  AtomKind charged(AtomKind kind, const std::string& symbol, const std::string& label) {
    std::vector<const Row*> stated;
    for (const bool exact : {true, false}) {
      for (Row& row : rows_) {
        const bool same = exact ? row.symbol == symbol : row.kind.z == kind.z;
        if (same) row.used = true;
        if (same && row.charge) stated.push_back(&row);
      }
      if (!stated.empty()) break;
    }
    const auto agrees = [&](double charge) {
      return std::any_of(stated.begin(), stated.end(),
                         [=](const Row* row) { return std::abs(*row->charge - charge) <= kSameCharge; });
    };
    if (stated.empty()) {
      if (!statesCharge(symbol) && std::find(without_.begin(), without_.end(), symbol) == without_.end())
        without_.push_back(symbol);
      return kind;
    }
    if (statesCharge(symbol)) {
      if (!agrees(kind.charge))
        block_.failAt(
            kType, label,
            fmt::format("site {} is {}, but the file gives {} the oxidation number {:g}; correct one "
                        "of them",
                        label, symbol, stated[0]->symbol, *stated[0]->charge));
      return kind;
    }
    kind.charge = *stated[0]->charge;
    for (const Row* row : stated)
      if (std::abs(*row->charge - kind.charge) > kSameCharge)
        block_.failAt(
            kType, label,
            fmt::format("site {} is {}, of which the file has the types {} and {}; which one is it?", label,
                        symbol, stated[0]->symbol, row->symbol));
    return kind;
  }

  /// After the last site: charges that are stated and belong to no site, beside sites without any, are
  /// refused; sites of which no charge is stated, where there are some of others, are told.
  void compareWithSites(std::vector<std::string>& warnings) const {
    const bool some = std::any_of(rows_.begin(), rows_.end(), [](const Row& r) { return r.number; });
    if (!some || without_.empty()) return;
    for (const Row& row : rows_)
      if (row.number && !row.used)
        block_.failAt(
            kOxidation, row.symbol,
            fmt::format("the oxidation number {:g} of {} is that of no site, and the site's type {} "
                        "has none; name the types as {} does",
                        *row.charge, row.symbol, without_[0], kType));
    warnings.push_back(fmt::format("{}: {} states no oxidation number of {}: taken as neutral", block_.path(),
                                   kOxidation, fmt::join(without_, ", ")));
  }

 private:
  struct Row {
    std::string symbol;
    AtomKind kind;
    std::optional<double> charge{};
    bool number = false, used = false;
  };
  const CifBlock& block_;
  std::vector<Row> rows_;
  std::vector<std::string> without_;  ///< types of sites of which no charge is stated
};

// Sites.

void requireCoordinates(const CifBlock& block) {
  for (const char* tag : kFractions) {
    if (block.has(tag)) continue;
    block.fail(block.has(kLabel) ? kLabel : kType, fmt::format("the sites have no {}", tag));
  }
}

/// Throws for sites that are not whole atoms, tells of hydrogen atoms without places.
void requireWhole(const CifBlock& block, const std::vector<std::string>& labels, Structure& s) {
  const std::size_t size = labels.size();
  const auto occupancies = siteColumn(block, kOccupancy, size),
             hydrogens = siteColumn(block, "_atom_site_attached_hydrogens", size),
             flags = siteColumn(block, "_atom_site_calc_flag", size);
  for (std::size_t i = 0; i < size; ++i) {
    const double occupancy = occupancies[i].empty() ? 1 : numberWithError(occupancies[i]).value_or(-1);
    if (std::abs(occupancy - 1) > 1e-3)
      block.failAt(kLabel, labels[i],
                   fmt::format("site {} has an occupancy of {}; a sum over atoms needs whole atoms: write a "
                               "larger cell with whole atoms",
                               labels[i], occupancies[i]));
    if (lowerCase(flags[i]) == "dum")
      block.failAt(kLabel, labels[i],
                   fmt::format("site {} is no atom (_atom_site_calc_flag dum); take it out", labels[i]));
    if (!hydrogens[i].empty() && numberWithError(hydrogens[i]).value_or(-1) != 0)
      s.warnings.push_back(
          fmt::format("{}: site {} has {} hydrogen atoms without places of their own "
                      "(_atom_site_attached_hydrogens), which are missing here",
                      block.path(), labels[i], hydrogens[i]));
  }
}

/// Tags that speak of charges or occupancies and are not understood.
void warnOfUnread(const CifBlock& block, Structure& s) {
  const auto speaksOf = [](const std::string& tag, std::initializer_list<const char*> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](const char* word) { return tag.find(word) != std::string::npos; });
  };
  for (const std::string& tag : block.tags()) {
    if (!startsWith(tag, "_atom_site_") && !startsWith(tag, "_atom_type_")) continue;
    if (tag != kOxidation && tag != kCharge && speaksOf(tag, {"charge", "oxidation", "valence"}))
      s.warnings.push_back(fmt::format("{}: {} is not read; charges are read from {}, {} and {}",
                                       block.path(), tag, kType, kOxidation, kCharge));
    if (!startsWith(tag, kOccupancy) && speaksOf(tag, {"site_occ"}))
      s.warnings.push_back(
          fmt::format("{}: {} is not read; occupancies are read from {}", block.path(), tag, kOccupancy));
  }
  for (const char* tag :
       {"_cell_modulation_dimension", "_cell_wave_vectors_number", "_cell_subsystems_number"}) {
    const auto value = block.value({tag});
    if (value.empty() || value.text == "0" || (value.text == "1" && startsWith(tag, "_cell_sub"))) continue;
    s.warnings.push_back(
        fmt::format("{}: {} is {}: the crystal is modulated, and its atoms are taken at their "
                    "average places",
                    block.path(), tag, value.text));
    break;
  }
}

std::vector<CifSite> readSites(const CifBlock& block, Structure& s) {
  const std::size_t size = block.column(kFractions[0]).size();
  auto labels = siteColumn(block, kLabel, size);
  const auto types = siteColumn(block, kType, size), charges = siteColumn(block, kCharge, size);
  for (std::size_t i = 0; i < size; ++i)
    if (labels[i].empty()) labels[i] = types[i].empty() ? fmt::format("number {}", i + 1) : types[i];
  requireWhole(block, labels, s);
  Labels fromLabels(block);
  AtomTypes atomTypes(block);
  std::vector<CifSite> sites(size);
  for (std::size_t i = 0; i < size; ++i) {
    CifSite& site = sites[i];
    site.label = labels[i];
    site.line = i;
    const auto refuse = [&](const char* tag, const std::string& what) {
      block.failAt(tag, labels[i], fmt::format("site {}: {}", labels[i], what));
    };
    if (types[i] == "T")
      refuse(kType, "'T' may be tritium or any tetrahedral site; write 3H, or the element");
    try {
      site.kind = types[i].empty() ? fromLabels.kindOf(labels[i]) : atomKind(types[i]);
      site.kind = atomTypes.charged(site.kind, types[i].empty() ? labels[i] : types[i], labels[i]);
      site.kind = atomKind(nameOf(site.kind));  // the charge of the table may be impossible
    } catch (const StructureError&) {
      throw;
    } catch (const Error& e) {
      refuse(kType, e.what());
    }
    if (block.has(kCharge)) {
      const auto charge = numberWithError(charges[i]);
      if (!charge) refuse(kCharge, fmt::format("its charge '{}' is not a number", charges[i]));
      site.charge = *charge;
    }
  }
  atomTypes.compareWithSites(s.warnings);
  for (int axis = 0; axis < 3; ++axis) {
    const auto column = siteColumn(block, kFractions[axis], size);
    for (std::size_t i = 0; i < size; ++i) {
      const auto value = numberWithError(column[i]);
      if (!value || std::abs(*value) > kFarthestFraction)
        block.failAt(
            kFractions[axis], labels[i],
            fmt::format("site {} has the coordinate '{}'; expected a number from {:g} to {:g} in units "
                        "of the cell",
                        labels[i], column[i], -kFarthestFraction, kFarthestFraction));
      sites[i].place.at(axis) = *value;
    }
  }
  if (const auto warning = fromLabels.warning(); !warning.empty()) s.warnings.push_back(warning);
  return sites;
}

/// All sites of the cell, those on special positions once.
std::vector<CifSite> inWholeCell(const std::vector<CifSite>& sites, const std::vector<gemmi::Op>& operations,
                                 const gemmi::UnitCell& cell) {
  std::vector<CifSite> all;
  for (const CifSite& site : sites) {
    const std::size_t first = all.size();
    all.push_back(site);
    for (const gemmi::Op& op : operations) {
      const auto xyz = op.apply_to_xyz({site.place.x, site.place.y, site.place.z});
      const gemmi::Fractional place(xyz[0], xyz[1], xyz[2]);
      const bool known =
          std::any_of(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(), [&](const CifSite& other) {
            return cell.distance_sq(place, other.place) < kSpecialPlace * kSpecialPlace;
          });
      if (known) continue;
      all.push_back(site);
      all.back().place = place;
    }
  }
  return all;
}

/// Throws where the number of a site's places is not what the file says. Files of older programs have the
/// order of the site's own symmetry under the name of the multiplicity, or count the places of a primitive
/// cell.
void compareMultiplicities(const CifBlock& block, const std::vector<CifSite>& sites,
                           const std::vector<CifSite>& all, std::size_t operations) {
  constexpr std::size_t kMostCentrings = 4;
  for (const char* tag : {"_atom_site_site_symmetry_multiplicity", "_atom_site_symmetry_multiplicity"}) {
    const auto column = siteColumn(block, tag, sites.size());
    for (const CifSite& site : sites) {
      const auto stated = parseDouble(column[site.line]);
      if (!stated || !(*stated >= 1 && *stated <= static_cast<double>(operations))) continue;
      const auto times = static_cast<std::size_t>(*stated);
      const auto places = static_cast<std::size_t>(
          std::count_if(all.begin(), all.end(), [&](const CifSite& s) { return s.line == site.line; }));
      if (places * times == operations || (places % times == 0 && places / times <= kMostCentrings)) continue;
      block.failAt(
          tag, site.label,
          fmt::format("site {} has {} of {}, and {} places in the cell; correct one of them, or take "
                      "it out of the file",
                      site.label, tag, column[site.line], places));
    }
  }
}

// What the file says of the whole crystal beside its sites.

constexpr double kSameCount = 0.01, kSameMass = 0.01, kSameDensity = 0.03, kSameVolume = 0.01;  // relative
constexpr double kGramsOfDalton = 1.66053906660;  // 1 dalton/angstrom^3 in g/cm^3

/// Atoms of each nuclear charge in a formula such as "C6 H12 O6"; empty where one cannot be read.
std::map<int, double> formulaOf(const std::string& text) {
  std::map<int, double> atoms;
  for (const std::string& word : splitWords(text, " \t\r\n,")) {
    const auto end = std::find_if_not(word.begin(), word.end(), isLetter) - word.begin();
    const std::string symbol = word.substr(0, static_cast<std::size_t>(end)),
                      count = word.substr(symbol.size());
    const auto z = symbol == "D" || symbol == "T" ? 1 : elementOf(symbol);
    const auto number = count.empty() ? 1 : parseDouble(count);
    if (!z || !number || !(*number > 0)) return {};
    atoms[*z] += *number;
  }
  return atoms;
}

/// What else a block states of the contents of its cell. Throws StructureError for what contradicts the
/// sites, naming both; missing hydrogen atoms, which experiments often do not see, are told.
class CellContents {
 public:
  CellContents(const CifBlock& block, const std::vector<CifSite>& sites, const gemmi::UnitCell& cell)
      : block_(block), volume_(cell.volume) {
    for (const CifSite& site : sites) {
      ++atoms_[site.kind.z];
      mass_ += gemmi::Element(site.kind.z).weight();
    }
  }

  void compare(std::vector<std::string>& warnings) const {
    if (const auto volume = number("_cell_volume"); volume && differ(*volume, volume_, kSameVolume))
      refuse("_cell_volume", *volume, fmt::format("the cell has {:.6g} angstrom^3", volume_));
    const auto units = number("_cell_formula_units_Z");
    if (!compareFormula(units, warnings)) return;  // masses would differ too
    const auto weight = number("_chemical_formula_weight");
    if (weight && units && differ(*weight * *units, mass_, kSameMass))
      refuse("_chemical_formula_weight", *weight,
             fmt::format(
                 "{:g} (_cell_formula_units_Z) of it in the cell make {:.6g}, where the sites weigh {:.6g}",
                 *units, *weight * *units, mass_));
    const auto density = number("_exptl_crystal_density_diffrn");
    const double computed = kGramsOfDalton * mass_ / volume_;
    if (density && differ(*density, computed, kSameDensity))
      refuse("_exptl_crystal_density_diffrn", *density,
             fmt::format("the sites have {:.4g} g/cm^3", computed));
  }

 private:
  static bool differ(double stated, double found, double relative) {
    return std::abs(stated - found) > relative * std::max(std::abs(stated), std::abs(found));
  }
  std::optional<double> number(const char* tag) const {
    const auto value = block_.value({tag});
    const auto read = value.empty() ? std::nullopt : numberWithError(value.text);
    return read && *read > 0 ? read : std::nullopt;
  }
  [[noreturn]] void refuse(const char* tag, double stated, const std::string& found) const {
    block_.fail(tag, fmt::format("{} is {:g}, and {}; correct one of them, or take it out of the file", tag,
                                 stated, found));
  }

  /// Returns whether the sites are all atoms.
  bool compareFormula(std::optional<double> units, std::vector<std::string>& warnings) const {
    const char* const tag = "_chemical_formula_sum";
    const auto value = block_.value({tag});
    if (value.empty()) return true;
    std::map<int, double> formula = formulaOf(value.text);
    if (formula.empty()) {
      warnings.push_back(fmt::format("{}: {} '{}' is not read, and not compared with the sites",
                                     block_.path(), tag, value.text));
      return true;
    }
    // Some programs write the formula of the whole cell, Na4 Cl4, beside its number of units, 4.
    const bool isOfCell =
        units && matches(formula, 1) && std::all_of(formula.begin(), formula.end(), [&](const auto& e) {
          return std::abs(std::remainder(e.second, *units)) < kSameCount;
        });
    if (isOfCell) units = 1;
    if (!units) units = unitsOf(formula);
    bool isWhole = true;
    for (const auto& [z, count] : atoms_) formula.try_emplace(z, 0);
    for (const auto& [z, count] : formula) {
      const auto found = atoms_.find(z);
      const double there = found == atoms_.end() ? 0 : found->second, stated = count * *units;
      if (!differ(stated, there, kSameCount)) continue;
      const std::string what = fmt::format("{} '{}' has {:g} {} in the cell ({:g} units), and the sites {:g}",
                                           tag, value.text, stated, symbolOf(z), *units, there);
      if (z != 1 || there > stated)
        block_.fail(tag,
                    what +
                        "; correct the formula, its number of units (_cell_formula_units_Z), the sites or "
                        "the symmetry");
      isWhole = false;
      warnings.push_back(fmt::format("{}: {}: hydrogen atoms are missing", block_.path(), what));
    }
    return isWhole;
  }
  /// Whether the sites are so many units of a formula.
  bool matches(const std::map<int, double>& formula, double units) const {
    return formula.size() == atoms_.size() &&
           std::all_of(formula.begin(), formula.end(), [&](const auto& element) {
             const auto found = atoms_.find(element.first);
             return found != atoms_.end() && !differ(units * element.second, found->second, kSameCount);
           });
  }
  /// Formula units in the cell, by the first element but hydrogen.
  double unitsOf(const std::map<int, double>& formula) const {
    for (const auto& [z, count] : formula)
      if (const auto found = atoms_.find(z); (z > 1 || formula.size() == 1) && found != atoms_.end())
        return found->second / count;
    return 1;
  }

  const CifBlock& block_;
  double volume_ = 0, mass_ = 0;
  std::map<int, double> atoms_;  ///< of the cell, by nuclear charge
};

/// Two sites of different lines at one place would scatter twice.
void requireDifferentPlaces(const std::vector<CifSite>& sites, const gemmi::UnitCell& cell,
                            const std::string& path) {
  std::vector<std::pair<double, std::size_t>> sorted;  // by fractional x, those near 0 again near 1
  const double reach = kSameSite * cell.ar;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const double x = sites[i].place.x - std::floor(sites[i].place.x);
    sorted.emplace_back(x, i);
    if (x < reach) sorted.emplace_back(x + 1, i);
  }
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t a = 0; a < sorted.size(); ++a) {
    for (std::size_t b = a + 1; b < sorted.size() && sorted[b].first - sorted[a].first < reach; ++b) {
      const auto &one = sites[sorted[a].second], &two = sites[sorted[b].second];
      const double y = one.place.y - two.place.y;
      if (sorted[a].second == sorted[b].second || std::abs(y - std::round(y)) > kSameSite * cell.br) continue;
      const double distance = std::sqrt(cell.distance_sq(one.place, two.place));
      if (distance < kSameSite)
        throw StructureError(
            fmt::format("{}: error: the sites {} and {} are {:.2g} angstrom apart; is one given twice?", path,
                        one.label, two.label, distance));
    }
  }
}

/// Whether the sites have Cartesian coordinates alone, as those of macromolecules have. The core dictionary
/// leaves open how their axes lie in the cell, unless it says so with a matrix, which is not read.
bool isCartesian(const CifBlock& block) {
  const char* const kCartesian = "_atom_site_Cartn_x";
  if (!block.has(kCartesian) || block.has(kFractions[0])) return false;
  const bool hasCell = block.has("_cell_length_a");
  if (hasCell && !block.has("_atom_site_label_atom_id"))
    block.fail(
        kCartesian,
        "the sites have no _atom_site_fract_x; Cartesian coordinates (_atom_site_Cartn_x) beside a cell "
        "are read in the dictionary of macromolecules only (_atom_site_label_atom_id): write fractions "
        "of the cell");
  return true;
}

Structure contentOf(const CifBlock& block) {
  const gemmi::UnitCell cell = cellOf(block);
  requireCoordinates(block);
  Structure s;
  s.lattice = latticeOf(cell);
  try {
    requireLattice(*s.lattice);
  } catch (const Error& e) {
    block.fail("_cell_length_a", e.what());
  }
  const std::vector<CifSite> sites = readSites(block, s);
  const CifSymmetry symmetry = symmetryOf(block, cell);
  addWarnings(s.warnings, symmetry.warnings);
  warnOfUnread(block, s);
  const auto all = inWholeCell(sites, symmetry.operations, cell);
  compareMultiplicities(block, sites, all, symmetry.operations.size());
  requireDifferentPlaces(all, cell, block.path());
  CellContents(block, all, cell).compare(s.warnings);
  for (const CifSite& site : all) {
    const gemmi::Position p = cell.orthogonalize(site.place.wrap_to_unit());
    s.add(s.kindNumber(nameOf(site.kind)), {p.x, p.y, p.z});
    if (block.has(kCharge)) s.charges.push_back(site.charge);
  }
  if (!symmetry.other) return s;
  std::vector<gemmi::Op> others;
  for (const gemmi::Op& op : symmetry.other->operations()) others.push_back(op);
  s.warnings.push_back(fmt::format(
      "{}: the space group {} has two choices of the origin, and the file does not state which: the first is "
      "taken, with {} atoms in the cell; with the second, '{}', there are {}",
      block.path(), symmetry.group->hm, s.size(), symmetry.other->xhm(),
      inWholeCell(sites, others, cell).size()));
  return s;
}

}  // namespace

std::vector<Structure> readCif(const std::string& path, const std::string& wanted) {
  const std::string text(withoutByteOrderMark(readFile(path)));
  try {
    gemmi::cif::Document document = gemmi::cif::read_memory(text.data(), text.size(), path.c_str());
    takeOutPoints(document, path);
    const gemmi::cif::Block& chosen = chosenBlock(document, wanted, path);
    const CifBlock block(chosen, path, text);
    const bool cartesian = isCartesian(block);
    std::vector<Structure> frames = cartesian ? modelsOf(block) : std::vector<Structure>{contentOf(block)};
    for (Structure& s : frames) s.title = utf8(chosen.name);
    return frames;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {  // "FILE:LINE:COLUMN: ..." or "FILE:LINE in data_x: ..." of the parser
    std::string what = e.what(), place = path;
    if (startsWith(what, path + ":")) {
      const std::size_t end = std::min(what.find_first_not_of("0123456789", path.size() + 1), what.size());
      place = what.substr(0, end);
      what = trimmed(what.substr(end), " :");
    }
    throw StructureError(place + ": error: " + what);
  }
}

}  // namespace prophet
