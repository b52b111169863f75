#include "matter/structure/structure.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <random>

#include "atoms/atom/atomic_masses.hpp"
#include "atoms/atom/elements.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"
#include "matter/structure/structure_formats.hpp"

namespace prophet {

int Structure::kindNumber(std::string_view name) {
  const auto found = std::ranges::find(kinds, name);
  if (found != kinds.end()) return static_cast<int>(found - kinds.begin());
  kinds.emplace_back(name);
  return static_cast<int>(kinds.size()) - 1;
}

void Structure::add(int number, const Eigen::Vector3d& position) {
  kind.push_back(number);
  positions.push_back(position);
}

std::vector<std::size_t> Structure::counts() const {
  std::vector<std::size_t> list(kinds.size());
  for (const int k : kind) ++list[k];
  return list;
}

bool isPlace(const Eigen::Vector3d& p) { return p.allFinite() && p.cwiseAbs().maxCoeff() <= kFarthest; }

void addWarnings(std::vector<std::string>& list, const std::vector<std::string>& more) {
  for (const auto& text : more) {
    if (std::ranges::find(list, text) == list.end()) list.push_back(text);
  }
}

std::string columnLikeCharges(const Structure& s) {
  for (const std::string& column : s.otherColumns) {
    const std::string name = lowerCase(column.substr(0, column.find(':')));
    // Plain XYZ names no columns; charges are what most often follows the coordinates.
    if (column == kBehindPlace || name == "q" || name.find("charge") != std::string::npos ||
        name.find("oxidation") != std::string::npos)
      return column;
  }
  return {};
}

Structure makeStructure(const std::vector<std::string>& names, const std::vector<Eigen::Vector3d>& positions,
                        const std::optional<Eigen::Matrix3d>& lattice) {
  if (names.size() != positions.size())
    throw Error(fmt::format("{} names of atoms but {} positions; give one name for each position",
                            names.size(), positions.size()));
  if (lattice) requireLattice(*lattice);
  Structure s;
  s.lattice = lattice;
  s.kind.reserve(names.size());
  std::string last;
  int number = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == 0 || names[i] != last) number = s.kindNumber(kindName(names[i]));
    last = names[i];
    if (!isPlace(positions[i]))
      throw Error(fmt::format("position {} is not valid: coordinates are finite and up to {:g} angstrom", i,
                              kFarthest));
    s.kind.push_back(number);
  }
  s.positions = positions;
  return s;
}

void requireLattice(const Eigen::Matrix3d& lattice) {
  if (!lattice.allFinite()) throw Error("the lattice has numbers that are not finite");
  if (lattice.cwiseAbs().maxCoeff() > kFarthest)
    throw Error(fmt::format("the lattice has vectors beyond {:g} angstrom", kFarthest));
  const double box = lattice.row(0).norm() * lattice.row(1).norm() * lattice.row(2).norm();
  if (!(cellVolume(lattice) > 1e-9 * box))
    throw Error("the lattice has no volume; give three vectors a, b, c that are not in one plane");
}

double cellVolume(const Eigen::Matrix3d& lattice) { return std::abs(lattice.determinant()); }

Eigen::Vector3d cellWidths(const Eigen::Matrix3d& lattice) {
  const double volume = cellVolume(lattice);
  Eigen::Vector3d widths;
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d b = lattice.row((i + 1) % 3), c = lattice.row((i + 2) % 3);
    widths(i) = volume / b.cross(c).norm();
  }
  return widths;
}

Extent extentOf(const std::vector<Eigen::Vector3d>& positions) {
  Extent extent;
  if (positions.empty()) return extent;
  Eigen::Vector3d low = positions[0], high = positions[0];
  for (const auto& p : positions) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  extent.centre = 0.5 * (low + high);
  extent.size = high - low;
  double square = 0;
  for (const auto& p : positions) square = std::max(square, (p - extent.centre).squaredNorm());
  extent.radius = std::sqrt(square);
  return extent;
}

namespace {

class ReadFrames : public Frames {
 public:
  explicit ReadFrames(std::vector<Structure> frames) : frames_(std::move(frames)) {}
  std::optional<Structure> next() override {
    if (next_ == frames_.size()) return std::nullopt;
    return std::move(frames_[next_++]);
  }

 private:
  std::vector<Structure> frames_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Frames> openFrames(const std::string& path, const std::string& block) {
  const std::string ending = lowerCase(std::filesystem::path(path).extension().string());
  StructureFormat format = kStructureFormats[0]();
  std::string withBlocks;
  for (const auto& row : kStructureFormats) {
    StructureFormat other = row();
    if (other.hasBlocks) withBlocks += (withBlocks.empty() ? "" : " and ") + other.name;
    if (std::ranges::count(other.endings, ending) > 0) format = std::move(other);
  }
  if (!block.empty() && !format.hasBlocks)
    throw StructureError(path + ": error: only " + withBlocks + " files have blocks to choose from");
  return format.open(path, block);
}

std::string structureFormatNames() {
  std::string text;
  for (const auto& row : kStructureFormats)
    text += (text.empty() ? "" : row == std::end(kStructureFormats)[-1] ? " or " : ", ") + row().name;
  return text;
}

std::unique_ptr<Frames> framesOf(std::vector<Structure> frames) {
  return std::make_unique<ReadFrames>(std::move(frames));
}

Structure readStructure(const std::string& path, const std::string& block) {
  const auto frames = openFrames(path, block);
  auto frame = frames->next();
  if (!frame) throw StructureError(path + ":1: error: the file has no atoms");
  if (frames->next())
    frame->warnings.emplace_back("the file has several frames: the first one is taken, not the others");
  return std::move(*frame);
}

namespace {

constexpr double kLargestStrain = 10;         // as a factor
constexpr double kLargestDisplacement = 1e4;  // angstrom

/// In (0, 1), from the 53 upper bits; the distributions of the standard library differ between libraries.
double uniform(std::mt19937_64& random) { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; }

/// Two independent normal numbers (Box and Muller 1958).
std::pair<double, double> normals(std::mt19937_64& random) {
  const double radius = std::sqrt(-2 * std::log(uniform(random))),
               angle = 2 * constants::kPi * uniform(random);
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

}  // namespace

void removeAtoms(Structure& s, double fraction, const std::string& kind, std::uint64_t seed) {
  if (!(fraction >= 0) || !(fraction < 1))
    throw Error("the fraction of vacancies is a number from 0 to below 1");
  const auto wanted = std::ranges::find(s.kinds, kind.empty() ? kind : kindName(kind));
  if (!kind.empty() && wanted == s.kinds.end())
    throw Error("vacancies of '" + kind + "': the structure has no such atoms");
  std::mt19937_64 random(seed);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const bool chosen = kind.empty() || s.kind[i] == wanted - s.kinds.begin();
    if (chosen && uniform(random) < fraction) continue;
    s.kind[kept] = s.kind[i];
    if (!s.charges.empty()) s.charges[kept] = s.charges[i];
    s.positions[kept++] = s.positions[i];
  }
  if (kept == 0) throw Error("the vacancies leave no atom");
  if (!s.charges.empty()) s.charges.resize(kept);
  s.kind.resize(kept);
  s.positions.resize(kept);
}

void strain(Structure& s, const Eigen::Vector3d& strains) {
  const Eigen::Vector3d factors = strains.array() + 1;
  if (!factors.allFinite() || factors.minCoeff() <= 0 || factors.maxCoeff() > kLargestStrain)
    throw Error(fmt::format("a strain is a number above -1 and up to {:g} (0.01 is one per cent)",
                            kLargestStrain - 1));
  for (auto& p : s.positions) p = p.cwiseProduct(factors);
  if (s.lattice) s.lattice = Eigen::Matrix3d(*s.lattice * factors.asDiagonal());
}

void displace(Structure& s, double sigma, std::uint64_t seed) {
  if (!(sigma >= 0) || !(sigma <= kLargestDisplacement))
    throw Error(fmt::format("a displacement is a length from 0 to {:g} angstrom", kLargestDisplacement));
  std::mt19937_64 random(seed);
  for (auto& p : s.positions) {
    const auto [x, y] = normals(random);
    const double z = normals(random).first;
    p += sigma * Eigen::Vector3d(x, y, z);
  }
}

bool isCubeAlongAxes(const Eigen::Matrix3d& lattice) {
  const double edge = lattice(0, 0);
  return (lattice - edge * Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() < 1e-4 * std::abs(edge);
}

double faceCentredEdge(const Structure& cell) {
  const auto refuse = [] {
    throw Error("expected a face-centred cubic cell whose edges lie along x, y and z");
  };
  if (!cell.lattice || !isCubeAlongAxes(*cell.lattice)) refuse();
  const double edge = (*cell.lattice)(0, 0);
  const auto isAtom = [&](int kind, const Eigen::Vector3d& at) {
    for (std::size_t i = 0; i < cell.size(); ++i) {
      const Eigen::Vector3d d = (cell.positions[i] - at) / edge;
      if (cell.kind[i] == kind && (d.array() - d.array().round()).abs().maxCoeff() < 1e-4) return true;
    }
    return false;
  };
  for (const Eigen::Vector3d& face :
       {Eigen::Vector3d(0, 0.5, 0.5), Eigen::Vector3d(0.5, 0, 0.5), Eigen::Vector3d(0.5, 0.5, 0)})
    for (std::size_t i = 0; i < cell.size(); ++i)
      if (!isAtom(cell.kind[i], cell.positions[i] + edge * face)) refuse();
  return edge;
}

void addStackingFaults(Structure& s, double edge, double probability, std::uint64_t seed) {
  if (!(probability >= 0 && probability <= 1)) throw Error("a probability is a number from 0 to 1");
  if (s.lattice) throw Error("a periodic block would no longer be periodic; cut a particle");
  // Layers of lattice points have whole heights; atoms between them belong to the layer below.
  const auto layerOf = [&](const Eigen::Vector3d& p) {
    return static_cast<long>(std::floor(p.sum() / edge + 1e-4));
  };
  if (s.size() == 0) return;
  const auto [low, high] =
      std::ranges::minmax_element(s.positions, {}, [](const Eigen::Vector3d& p) { return p.sum(); });
  const long first = layerOf(*low), last = layerOf(*high);
  std::mt19937_64 random(seed);
  std::vector<int> shifts{0};  // three shifts are a vector of the lattice
  for (long layer = first; layer < last; ++layer)
    shifts.push_back((shifts.back() + (uniform(random) < probability ? 1 : 0)) % 3);
  const Eigen::Vector3d shift = edge / 6 * Eigen::Vector3d(1, 1, -2);
  for (auto& p : s.positions) {
    const int shifted = shifts[static_cast<std::size_t>(layerOf(p) - first)];
    p += (shifted == 2 ? -1 : shifted) * shift;
  }
}

Structure idealGas(const std::string& kind, std::size_t count, double edge, std::uint64_t seed) {
  Structure s;
  s.lattice = Eigen::Matrix3d(edge * Eigen::Matrix3d::Identity());
  requireLattice(*s.lattice);
  const int number = s.kindNumber(kindName(kind));
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = uniform(random), y = uniform(random), z = uniform(random);
    s.add(number, edge * Eigen::Vector3d(x, y, z));
  }
  return s;
}

namespace {

constexpr int kMostTaken = 5;  // electrons that an atom takes up in formal charges (B5-)

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw Error(
      fmt::format("'{}' is not an atom or ion: {}; write Fe, 26, Fe3+, Fe2.5+, O2-, or isotopes as D and 6Li",
                  text.substr(0, 40), why));
}

/// What the first characters of a text are, as far as `belongs` holds; they are taken off.
template <class Predicate>
std::string_view taken(std::string_view& text, Predicate belongs) {
  const auto end = std::find_if_not(text.begin(), text.end(), belongs);
  const std::string_view part = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(part.size());
  return part;
}

int wholeNumber(std::string_view digits) {
  return digits.empty() || digits.size() > 3 ? 0 : static_cast<int>(*parseDouble(digits));
}

/// The charge that "3+", "+3", "+", "+++", "2.5+", "(3+)", "0+" say; none for anything else.
std::optional<double> chargeOf(std::string_view text) {
  if (text.empty()) return 0;
  if (text.size() > 2 && text.front() == '(' && text.back() == ')') text = text.substr(1, text.size() - 2);
  const auto isSign = [](char c) { return c == '+' || c == '-'; };
  std::string_view before = taken(text, isSign);
  const std::string_view size = taken(text, [](char c) { return isDigit(c) || c == '.'; });
  const std::string_view behind = taken(text, isSign);
  const std::string_view signs = before.empty() ? behind : before;
  const bool one = signs.size() == 1 || (size.empty() && signs.size() > 1 &&
                                         signs.find_first_not_of(signs[0]) == std::string_view::npos);
  if (!text.empty() || !one || (!before.empty() && !behind.empty())) return std::nullopt;
  const auto value = size.empty() ? static_cast<double>(signs.size()) : parseDouble(size);
  if (!value) return std::nullopt;
  return signs[0] == '-' ? 0 - *value : *value;
}

}  // namespace

AtomKind atomKind(std::string_view text) {
  const std::string word = trimmed(text);
  std::string_view rest = word;
  const std::string_view number = taken(rest, isDigit);
  AtomKind kind;
  if (rest.empty() && !number.empty()) {
    kind.z = wholeNumber(number);
    if (kind.z < 1 || kind.z > kLastElement) refuse(word, "there is no such nuclear charge");
    return kind;
  }
  const std::string_view symbol = taken(rest, isLetter);
  kind.massNumber = wholeNumber(number);
  const auto element = elementOf(symbol);
  if (element) {
    kind.z = *element;
  } else if (symbol.size() == 1 && number.empty() && std::string_view("DTdt").find(symbol) != symbol.npos) {
    kind.z = 1;
    kind.massNumber = lowerCase(std::string(symbol)) == "d" ? 2 : 3;
  } else {
    refuse(word, symbol.empty() ? "it does not begin with an element"
                                : fmt::format("there is no element '{}'", symbol));
  }
  if (!number.empty() && !mayBeIsotope(kind.z, kind.massNumber))
    refuse(word, fmt::format("there is no isotope of {} with the mass number {}", symbolOf(kind.z), number));
  if (!rest.empty() && (rest[0] == '[' || rest[0] == ' '))
    refuse(word, "atoms in space have no configuration of their own");
  const auto charge = chargeOf(rest);
  if (!charge) refuse(word, fmt::format("'{}' is not a charge", rest));
  kind.charge = *charge;
  if (kind.charge > kind.z) refuse(word, fmt::format("{} has only {} electrons", symbolOf(kind.z), kind.z));
  if (kind.charge < -kMostTaken || (kind.z <= 2 && kind.electrons() > 2))
    refuse(word, fmt::format("no ion of {} has {:g} electrons", symbolOf(kind.z), kind.electrons()));
  return kind;
}

std::string nameOf(const AtomKind& kind) {
  std::string name = symbolOf(kind.z);
  if (kind.z == 1 && (kind.massNumber == 2 || kind.massNumber == 3)) {
    name = kind.massNumber == 2 ? "D" : "T";
  } else if (kind.massNumber > 0) {
    name = std::to_string(kind.massNumber) + name;
  }
  if (kind.charge == 0) return name;
  const double size = std::abs(kind.charge);
  return fmt::format("{}{}{}", name, size == 1 ? "" : fmt::format("{}", size), kind.charge > 0 ? '+' : '-');
}

std::string kindName(std::string_view text) { return nameOf(atomKind(text)); }

}  // namespace prophet
