#include "matter/madelung/charged_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/species.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/number.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

using Kind = ChargeSource::Kind;

constexpr double kLargestCharge = 1e6;  // e

std::string elementOf(const std::string& kind) { return symbolOf(parseSpecies(kind).z); }

double givenCharge(const std::string& kind, const ChargeSource& source) {
  for (const std::string& name : {kind, elementOf(kind)}) {
    if (const auto found = source.given.find(name); found != source.given.end()) return found->second;
  }
  throw Error(fmt::format("no charge is given for {}; add {}=CHARGE to the list", kind, kind));
}

/// Names in the list that no atom has.
void rejectUnused(const Structure& structure, const ChargeSource& source) {
  for (const auto& [name, charge] : source.given) {
    const bool used =
        std::any_of(structure.kinds.begin(), structure.kinds.end(),
                    [&key = name](const std::string& kind) { return kind == key || elementOf(kind) == key; });
    if (!used)
      throw Error(fmt::format("a charge is given for {}, but the structure has no such atoms", name));
  }
}

Eigen::VectorXd chargesOf(const Structure& s, const ChargeSource& source) {
  const auto size = static_cast<Eigen::Index>(s.size());
  const bool column = source.kind == Kind::Column || (source.kind == Kind::Automatic && !s.charges.empty());
  if (column) {
    if (s.charges.size() != s.size())
      throw Error(
          "the file has no column of charges; name it in Properties=...:charge:R:1, or give charges by name");
    return Eigen::Map<const Eigen::VectorXd>(s.charges.data(), size);
  }
  std::vector<double> ofKind;
  for (const std::string& kind : s.kinds)
    ofKind.push_back(source.kind == Kind::Given ? givenCharge(kind, source) : parseSpecies(kind).charge);
  if (source.kind == Kind::Given) {
    rejectUnused(s, source);
  } else if (std::all_of(ofKind.begin(), ofKind.end(), [](double q) { return q == 0; })) {
    throw Error(
        "the file states neither charges nor oxidation states; give them, such as charges Na=1,Cl=-1");
  }
  Eigen::VectorXd charges(size);
  for (Eigen::Index i = 0; i < size; ++i)
    charges(i) = ofKind[static_cast<std::size_t>(s.kind[static_cast<std::size_t>(i)])];
  return charges;
}

}  // namespace

ChargeSource parseChargeSource(const std::string& text) {
  if (lowerCase(text) == "column") return {Kind::Column, {}};
  if (lowerCase(text) == "oxidation") return {Kind::Oxidation, {}};
  ChargeSource source{Kind::Given, {}};
  for (const std::string& part : split(text, ',')) {
    const auto sides = split(part, '=');
    const std::string number = sides.size() == 2 ? trimmed(sides[1]) : "";
    const auto charge = parseDouble(number.rfind('+', 0) == 0 ? number.substr(1) : number);
    if (!charge || !(std::abs(*charge) <= kLargestCharge))
      throw Error("charges are 'column', 'oxidation' or a list such as Na=1,Cl=-1, not '" + part + "'");
    const std::string kind = kindName(sides[0]);
    if (!source.given.emplace(kind, *charge).second) throw Error("two charges are given for " + kind);
  }
  return source;
}

Eigen::Index ChargedStructure::site(const std::string& label) const {
  const auto index = [](auto begin, auto found) { return static_cast<Eigen::Index>(found - begin); };
  if (const auto at = std::find(labels.begin(), labels.end(), label); at != labels.end())
    return index(labels.begin(), at);
  const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                 [&](const std::string& k) { return k == label || elementOf(k) == label; });
  if (kind != kinds.end()) return index(kinds.begin(), kind);
  std::string list;
  for (std::size_t i = 0; i < std::min<std::size_t>(labels.size(), 12); ++i)
    list += (i ? ", " : "") + labels[i];
  throw Error(
      fmt::format("there is no site '{}'; there are {}{}", label, list, labels.size() > 12 ? ", ..." : ""));
}

ChargedStructure chargedStructure(const Structure& s, const ChargeSource& source) {
  if (!s.lattice)
    throw Error(
        "the structure has no cell, without which its charges do not repeat; extended XYZ has it as "
        "Lattice=\"...\"");
  ChargedStructure out;
  const double toBohr = 1 / constants::kAngstromsPerBohr;
  out.cell.vectors = toBohr * s.lattice->transpose();
  out.cell.positions.resize(3, static_cast<Eigen::Index>(s.size()));
  out.cell.charges = chargesOf(s, source);
  std::vector<std::string> elements;
  for (const std::string& kind : s.kinds) elements.push_back(elementOf(kind));
  std::map<std::string, int> counts;
  for (std::size_t i = 0; i < s.size(); ++i) {
    out.cell.positions.col(static_cast<Eigen::Index>(i)) = toBohr * s.positions[i];
    const std::size_t kind = static_cast<std::size_t>(s.kind[i]);
    out.kinds.push_back(s.kinds[kind]);
    out.labels.push_back(fmt::format("{}{}", elements[kind], ++counts[elements[kind]]));
  }
  return out;
}

}  // namespace prophet
