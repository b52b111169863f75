#include "matter/madelung/charged_cell.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "atoms/atom/elements.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr double kFlattest = 1e-4;
constexpr double kSmallestVolume = 1.0;  // bohr^3
constexpr double kNeutral = 1e-6;

void checkVectors(const ChargedCell& cell) {
  if (!cell.vectors.allFinite()) throw Error("the vectors of the cell are not numbers");
  const double volume = cell.volume(), longest = cell.vectors.colwise().norm().maxCoeff();
  if (!(volume >= kSmallestVolume))
    throw Error(fmt::format(
        "the cell has a volume of {:g} bohr^3; its three vectors (angstrom) must span space", volume));
  if (cellHeights(cell.vectors).minCoeff() < kFlattest * longest)
    throw Error("the cell is flatter than 1 to 10000; give a cell whose lengths are similar");
}

}  // namespace

double ChargedCell::volume() const { return std::abs(vectors.determinant()); }

Eigen::Matrix3Xd ChargedCell::fractional() const {
  Eigen::Matrix3Xd f = vectors.inverse() * positions;
  for (Eigen::Index i = 0; i < f.cols(); ++i) {
    for (int d = 0; d < 3; ++d) {
      f(d, i) -= std::floor(f(d, i));
      if (f(d, i) >= 1) f(d, i) = 0;
    }
  }
  return f;
}

Eigen::Matrix3Xd Electrostatics::forces(const Eigen::VectorXd& charges) const {
  return fields * charges.asDiagonal();
}

namespace {

/// Smallest distance between two sites, if it is within a radius.
std::optional<double> nearestWithin(const ChargedCell& cell, double radius) {
  const NeighbourSearch search(cell, radius);
  const std::vector<std::size_t>& start = search.start();
  std::vector<NeighbourSearch::Run> runs;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t bin = 0; bin + 1 < start.size(); ++bin) {
    if (start[bin] == start[bin + 1]) continue;
    search.runsAround(static_cast<int>(bin), runs);
    for (const auto& run : runs) {
      for (std::size_t a = start[bin]; a < start[bin + 1]; ++a) {
        const Eigen::Vector3d from = search.positions().col(static_cast<Eigen::Index>(a)) - run.shift;
        for (std::size_t b = run.begin; b < run.end; ++b) {
          if (a == b && run.home) continue;
          nearest =
              std::min(nearest, (search.positions().col(static_cast<Eigen::Index>(b)) - from).squaredNorm());
        }
      }
    }
  }
  return nearest <= radius * radius ? std::optional(std::sqrt(nearest)) : std::nullopt;
}

}  // namespace

double nearestDistance(const ChargedCell& cell) {
  const double spacing = std::cbrt(cell.volume() / static_cast<double>(cell.sites()));
  for (double radius = 1.2 * spacing;; radius *= 1.5) {
    if (const auto nearest = nearestWithin(cell, radius)) return *nearest;
  }
}

bool isNeutral(const ChargedCell& cell) {
  return std::abs(cell.charges.sum()) <= kNeutral * cell.charges.cwiseAbs().sum();
}

void checkCharges(const ChargedCell& cell, NetCharge netCharge) {
  if (cell.sites() == 0) throw Error("the cell has no sites; give at least one");
  if (cell.positions.cols() != cell.sites()) throw Error("each site needs a position and a charge");
  if (!cell.positions.allFinite() || !cell.charges.allFinite())
    throw Error("a position or charge is not a number; give finite values");
  checkVectors(cell);
  if (cell.charges.isZero(0)) throw Error("every charge is zero; give the charges, such as Na=1,Cl=-1");
  if (netCharge == NetCharge::Refused && !isNeutral(cell))
    throw Error(
        fmt::format("the cell has a net charge of {:g} e, for which a lattice sum is infinite; give charges "
                    "that add up to "
                    "zero, or compensate it by a uniform background",
                    cell.charges.sum()));
}

void checkNearest(double nearest) {
  if (nearest < kOverlap)
    throw Error(fmt::format(
        "two sites are {:.3g} angstrom apart; is one given twice, or the unit of length not angstrom?",
        nearest * constants::kAngstromsPerBohr));
}

void checkDistances(const ChargedCell& cell) {
  if (const auto nearest = nearestWithin(cell, kOverlap)) checkNearest(*nearest);
}

void check(const ChargedCell& cell, NetCharge netCharge) {
  checkCharges(cell, netCharge);
  if (cell.sites() > 1 || netCharge == NetCharge::Background) checkDistances(cell);
}

namespace {

using Kind = ChargeSource::Kind;

constexpr double kLargestCharge = 1e6;  // e

std::string elementOf(const std::string& kind) { return symbolOf(atomKind(kind).z); }

double givenCharge(const std::string& kind, const ChargeSource& source) {
  for (const std::string& name : {kind, elementOf(kind)}) {
    if (const auto found = source.given.find(name); found != source.given.end()) return found->second;
  }
  throw Error(fmt::format("no charge is given for {}; add {}=CHARGE to the list", kind, kind));
}

/// Names in the list that no atom has.
void rejectUnused(const Structure& structure, const ChargeSource& source) {
  for (const auto& [name, charge] : source.given) {
    const bool used = std::ranges::any_of(structure.kinds, [&key = name](const std::string& kind) {
      return kind == key || elementOf(kind) == key;
    });
    if (!used)
      throw Error(fmt::format("a charge is given for {}, but the structure has no such atoms", name));
  }
}

/// What else the lines of atoms have, for messages: one of them may be meant.
std::string otherColumns(const Structure& s) {
  const std::string like = columnLikeCharges(s);
  if (!like.empty())
    return " that is read as one: " + like + " is not called charge, charges or initial_charges";
  return s.otherColumns.empty() ? "" : fmt::format(" (but {})", fmt::join(s.otherColumns, ", "));
}

Eigen::VectorXd chargesOf(const Structure& s, const ChargeSource& source) {
  const auto size = static_cast<Eigen::Index>(s.size());
  const bool column = source.kind == Kind::Column || (source.kind == Kind::Automatic && !s.charges.empty());
  if (column) {
    if (s.charges.size() != s.size())
      throw Error("the file has no column of charges" + otherColumns(s) +
                  "; name it in Properties=...:charge:R:1, or give charges by name");
    return Eigen::Map<const Eigen::VectorXd>(s.charges.data(), size);
  }
  std::vector<double> ofKind;
  for (const std::string& kind : s.kinds)
    ofKind.push_back(source.kind == Kind::Given ? givenCharge(kind, source) : atomKind(kind).charge);
  if (source.kind == Kind::Given) {
    rejectUnused(s, source);
  } else if (std::ranges::all_of(ofKind, [](double q) { return q == 0; })) {
    throw Error("the file states neither charges nor oxidation states" + otherColumns(s) +
                "; give them, such as charges='Na=1,Cl=-1'");
  }
  Eigen::VectorXd charges(size);
  for (Eigen::Index i = 0; i < size; ++i) charges(i) = ofKind[s.kind[i]];
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
  if (const auto at = std::ranges::find(labels, label); at != labels.end()) return index(labels.begin(), at);
  const auto kind =
      std::ranges::find_if(kinds, [&](const std::string& k) { return k == label || elementOf(k) == label; });
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

namespace {

constexpr double kMostImages = 1e6;  // bins looked at around each

std::size_t indexOf(const std::array<int, 3>& bin, const std::array<int, 3>& bins) {
  return (static_cast<std::size_t>(bin[0]) * static_cast<std::size_t>(bins[1]) +
          static_cast<std::size_t>(bin[1])) *
             static_cast<std::size_t>(bins[2]) +
         static_cast<std::size_t>(bin[2]);
}

}  // namespace

Eigen::Vector3d cellHeights(const Eigen::Matrix3d& vectors) {
  return vectors.inverse().rowwise().norm().cwiseInverse();
}

CellBins::CellBins(const Eigen::Matrix3d& vectors, Eigen::Index sites, double cutoff) {
  const Eigen::Vector3d heights = cellHeights(vectors);
  // Bins of half the cutoff, but not many more than sites.
  const double perAxis = std::max(1.0, std::cbrt(static_cast<double>(sites)));
  double images = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const double height = heights(static_cast<Eigen::Index>(d));
    along[d] = static_cast<int>(std::clamp(std::floor(2 * height / cutoff), 1.0, perAxis));
    const double reach = std::ceil(cutoff * along[d] / height);
    images *= 2 * reach + 1;
    if (!(images < kMostImages))
      throw Error("the cutoff spans too many cells; give a smaller cutoff or a larger cell");
    range[d] = static_cast<int>(reach);
  }
}

NeighbourSearch::NeighbourSearch(const ChargedCell& cell, double cutoff) : vectors_(cell.vectors) {
  const CellBins division(vectors_, cell.sites(), cutoff);
  bins_ = division.along;
  range_ = division.range;
  const Eigen::Matrix3Xd f = cell.fractional();
  std::vector<std::size_t> binOf(static_cast<std::size_t>(f.cols()));
  start_.assign(static_cast<std::size_t>(bins()) + 1, 0);
  for (std::size_t i = 0; i < binOf.size(); ++i) {
    std::array<int, 3> bin;
    for (std::size_t d = 0; d < 3; ++d)
      bin[d] =
          std::min(static_cast<int>(f(static_cast<Eigen::Index>(d), static_cast<Eigen::Index>(i)) * bins_[d]),
                   bins_[d] - 1);
    binOf[i] = indexOf(bin, bins_);
    ++start_[binOf[i] + 1];
  }
  for (std::size_t k = 1; k < start_.size(); ++k) start_[k] += start_[k - 1];
  std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
  sites_.resize(binOf.size());
  for (std::size_t i = 0; i < binOf.size(); ++i) sites_[next[binOf[i]]++] = static_cast<Eigen::Index>(i);
  positions_.resize(3, f.cols());
  for (std::size_t a = 0; a < sites_.size(); ++a)
    positions_.col(static_cast<Eigen::Index>(a)) = vectors_ * f.col(sites_[a]);
}

namespace {

/// The image of the cell in which bin number i along an axis lies.
int imageOf(int i, int bins) { return i >= 0 ? i / bins : -((bins - 1 - i) / bins); }

}  // namespace

void NeighbourSearch::runsAround(int bin, std::vector<Run>& runs) const {
  const std::array<int, 3> own{bin / (bins_[1] * bins_[2]), bin / bins_[2] % bins_[1], bin % bins_[2]};
  // Along the last axis: bins one after the other that are of one image.
  struct Piece {
    int first, count, image;
  };
  std::vector<Piece> pieces;
  for (int z = own[2] - range_[2]; z <= own[2] + range_[2];) {
    const int image = imageOf(z, bins_[2]), first = z - image * bins_[2];
    const int count = std::min(bins_[2] - first, own[2] + range_[2] - z + 1);
    pieces.push_back({first, count, image});
    z += count;
  }
  runs.clear();
  for (int x = own[0] - range_[0]; x <= own[0] + range_[0]; ++x) {
    const int imageX = imageOf(x, bins_[0]);
    for (int y = own[1] - range_[1]; y <= own[1] + range_[1]; ++y) {
      const int imageY = imageOf(y, bins_[1]);
      const std::size_t row = indexOf({x - imageX * bins_[0], y - imageY * bins_[1], 0}, bins_);
      for (const Piece& piece : pieces) {
        const auto first = row + static_cast<std::size_t>(piece.first);
        const std::size_t begin = start_[first], end = start_[first + static_cast<std::size_t>(piece.count)];
        if (begin == end) continue;
        const bool home = imageX == 0 && imageY == 0 && piece.image == 0;
        runs.push_back({begin, end, vectors_ * Eigen::Vector3d(imageX, imageY, piece.image), home});
      }
    }
  }
}

}  // namespace prophet
