#include "bases/formats/exchange_formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "atoms/atom/elements.hpp"
#include "bases/formats/format_parts.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"
#include "core/linalg/decompositions.hpp"

namespace prophet {
namespace {

const formats::Format& rowOf(const std::string& name) {
  for (const formats::Format* row : formats::kFormats)
    if (lowerCase(name) == row->name) return *row;
  throw Error(
      fmt::format("unknown basis set format '{}'; available: {}", name, fmt::join(basisFormatNames(), ", ")));
}

}  // namespace

std::vector<std::string> exchangeFormatNames() {
  std::vector<std::string> names;
  for (const formats::Format* row : formats::kFormats) names.push_back(row->name);
  std::erase(names, kOwnFormat);
  return names;
}

std::vector<std::string> basisFormatNames() {
  std::vector<std::string> names = exchangeFormatNames();
  names.insert(names.begin(), kOwnFormat);
  return names;
}

std::string basisFormatList() {
  std::string list;
  for (const formats::Format* row : formats::kFormats)
    list += (list.empty() ? "" : ", ") + std::string(row->description);
  return list;
}

std::string basisFormatOf(const std::string& name) { return rowOf(name).name; }

std::string writeBasis(const std::vector<ElementBasis>& elements, const std::string& format) {
  return rowOf(format).write(elements);
}

std::vector<ElementBasis> readBasis(const std::string& text, const std::string& format,
                                    const std::string& file) {
  std::vector<ElementBasis> elements = rowOf(format).read(text, file);
  for (ElementBasis& basis : elements) formats::sortShells(basis);
  return elements;
}

namespace {

/// How files in formats that are not read begin, in lower case: a line of one word, and words of the next.
struct ForeignFormat {
  const char* first;
  std::vector<std::string> next;  ///< empty words: any; no words: any line
  const char* name;
};

const std::vector<ForeignFormat>& foreignFormats() {
  static const std::vector<ForeignFormat> formats = {
      {"$basis", {"*"}, "Turbomole's"}, {"$basis", {"", "0"}, "Q-Chem's"},
      {"$jbas", {"*"}, "Turbomole's"},  {"$cbas", {"*"}, "Turbomole's"},
      {"$ecp", {"*"}, "Turbomole's"},   {"$data", {}, "GAMESS's (which ORCA reads too)"},
      {"basis={", {}, "Molpro's"}};
  return formats;
}

bool isLike(const std::vector<std::string>& words, const std::vector<std::string>& expected) {
  return expected.empty() ||
         std::ranges::equal(words, expected, [](auto& word, auto& e) { return e.empty() || word == e; });
}

}  // namespace

void refuseForeignFormat(const std::string& text, const std::string& file) {
  const std::vector<formats::Line> lines = formats::linesOf(text, "#!");
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    for (const ForeignFormat& foreign : foreignFormats()) {
      if (lines[i].words.size() != 1 || lowerCase(lines[i].words[0]) != foreign.first) continue;
      if (isLike(lines[i + 1].words, foreign.next))
        formats::fail(file, lines[i].number,
                      fmt::format("{} format is not read; get the set in one of these: {}", foreign.name,
                                  basisFormatList()));
    }
  }
}

// "86 Rn" or a comment may begin any file; the first line that only one format can have decides.
std::string detectBasisFormat(const std::string& text, const std::string& file) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    formats::fail(file, 1, "the file is empty; expected a basis set");
  refuseForeignFormat(text, file);
  for (const formats::Line& line : formats::linesOf(text, "")) {
    std::vector<std::string> words;
    for (const std::string& word : line.words) words.push_back(lowerCase(word));
    const char mark = words[0][0];
    if (mark == '!' || mark == '$' || (mark == '#' && words[0] != "#basis")) continue;
    for (const formats::Format* row : formats::kFormats)
      if (row->begins(words)) return row->name;
  }
  formats::fail(file, 1, "this is none of the supported formats: " + basisFormatList() + ", .best, .inp");
}

ElementBasis elementBasis(const LibraryEntry& entry) {
  ElementBasis element = elementBasis(entry.z, entry.library, entry.comment, makeBasis(entry));
  element.date = entry.provenance.date;
  element.groups = entry.groups;
  return element;
}

void addGroups(ElementBasis& basis, const std::vector<std::string>& without) {
  for (const FunctionGroup& group : basis.groups) {
    if (std::ranges::find(without, group.name) != without.end()) continue;
    formats::addExponents(basis, group.l, group.exponents);
    basis.notes.push_back(fmt::format("{} functions: {} {:.6g}", group.name, letterOfL(group.l),
                                      fmt::join(group.exponents, ", ")));
  }
  basis.groups.clear();
  formats::sortShells(basis);
}

ElementBasis elementBasis(int z, const std::string& name, const std::string& reference,
                          const BasisSet& basis) {
  ElementBasis element{z, name, reference, {}};
  for (const SymmetryBasis& s : basis.symmetries) formats::addExponents(element, s.symmetry.l(), s.exponents);
  formats::sortShells(element);
  return element;
}

BasisSet basisSetOf(const ElementBasis& basis) {
  BasisSet set;
  set.description = basis.name;
  for (int l = 0; l < static_cast<int>(basis.shells.size()); ++l) {
    const std::vector<double> ascending(basis.shells[l].rbegin(), basis.shells[l].rend());
    if (l > 0) set.symmetries.push_back({Symmetry{l}, ascending});
    set.symmetries.push_back({Symmetry{-l - 1}, ascending});
  }
  return set;
}

const ElementBasis& setOf(const std::vector<ElementBasis>& elements, int z, const std::string& file) {
  std::string there;
  for (const ElementBasis& basis : elements) {
    if (basis.z != z) {
      there += (there.empty() ? "" : ", ") + std::string(symbolOf(basis.z));
      continue;
    }
    if (basis.coreElectrons > 0)
      formats::fail(file, std::max(1, basis.line),
                    fmt::format("the set of {} has an effective core potential; this program computes all "
                                "electrons and needs an all-electron set",
                                symbolOf(z)));
    if (basis.shells.empty())
      formats::fail(file, std::max(1, basis.line), fmt::format("{} has no functions", symbolOf(z)));
    if (!basis.cartesian.empty())
      formats::fail(
          file, std::max(1, basis.cartesianLine),
          fmt::format(
              "the functions of {} with l = 2 and more are Cartesian, as the file says by {}: six d "
              "functions, which hold one of r^2 s, ten f functions with r^2 p. This program has "
              "spherical functions only. Take a set with spherical functions; or let the file say "
              "'gto_spherical' (JSON), SPHERICAL (NWChem) or spherical (Gaussian), which leaves r^2 s "
              "and its like out: the energy is then that of spherical functions",
              symbolOf(z), basis.cartesian));
    return basis;
  }
  formats::fail(
      file, 1,
      fmt::format("the file has no set for {}; it has {}", symbolOf(z), there.empty() ? "none" : there));
}

namespace {

/// Adds the functions of a shell to the columns of a matrix over `exponents`, which hold all of the shell's.
void addFunctions(const ContractedShell& shell, const std::vector<double>& exponents,
                  Eigen::MatrixXd& columns) {
  const auto rowOf = [&](std::size_t primitive) {
    const auto at = std::ranges::lower_bound(exponents, shell.exponents[primitive]);
    return static_cast<Eigen::Index>(at - exponents.begin());
  };
  const std::size_t count = shell.functions.empty() ? shell.exponents.size() : shell.functions.size();
  Eigen::Index column = columns.cols();
  columns.conservativeResize(Eigen::NoChange, column + static_cast<Eigen::Index>(count));
  for (std::size_t f = 0; f < count; ++f, ++column) {
    columns.col(column).setZero();
    if (shell.functions.empty()) {
      columns(rowOf(f), column) = 1.0;
      continue;
    }
    for (std::size_t p = 0; p < shell.exponents.size(); ++p)
      columns(rowOf(p), column) += shell.functions[f][p];
  }
}

/// Whether every function is a primitive and every primitive a function.
bool isUncontracted(const Eigen::MatrixXd& columns) {
  return columns.rows() == columns.cols() && ((columns.array() != 0.0).colwise().count() == 1).all() &&
         ((columns.array() != 0.0).rowwise().count() == 1).all();
}

SymmetryBasis functionsOf(const ElementBasis& basis, int l, const std::string& file) {
  const std::vector<double>& descending = basis.shells[l];
  SymmetryBasis block{Symmetry{-l - 1}, {descending.rbegin(), descending.rend()}};
  Eigen::MatrixXd columns(block.size(), 0);
  for (const ContractedShell& shell : basis.contracted)
    if (shell.l == l) addFunctions(shell, block.exponents, columns);
  if (columns.cols() > 0 && !((columns.array() != 0.0).colwise().any()).all())
    formats::fail(file, std::max(1, basis.line),
                  fmt::format("a contracted function {} of {} has only zero coefficients", letterOfL(l),
                              symbolOf(basis.z)));
  if (!isUncontracted(columns)) block.contraction = std::move(columns);
  return block;
}

}  // namespace

BasisSet contractedSetOf(const ElementBasis& basis, const std::string& file) {
  if (basis.contracted.empty()) return basisSetOf(basis);
  BasisSet set;
  set.description = basis.name;
  for (int l = 0; l < static_cast<int>(basis.shells.size()); ++l) {
    SymmetryBasis block = functionsOf(basis, l, file);
    if (l > 0) {
      set.symmetries.push_back(block);
      set.symmetries.back().symmetry = Symmetry{l};
    }
    set.symmetries.push_back(std::move(block));
  }
  return set;
}

namespace {

/// A point of a joined list: mean of the logarithms of `count` exponents.
struct ContractedPoint {
  double logarithm = 0;
  int count = 1;
};

double smallestGap(const std::vector<double>& exponents) {
  double least = INFINITY;
  for (std::size_t i = 1; i < exponents.size(); ++i)
    least = std::min(least, std::abs(std::log(exponents[i] / exponents[i - 1])));
  return least;
}

/// Joins the closest neighbours until none are closer than `gap` in ln zeta.
void merge(std::vector<ContractedPoint>& points, double gap) {
  while (points.size() > 1) {
    std::size_t closest = 1;
    const auto distance = [&](std::size_t i) { return points[i].logarithm - points[i - 1].logarithm; };
    for (std::size_t i = 2; i < points.size(); ++i)
      if (distance(i) < distance(closest)) closest = i;
    if (distance(closest) >= gap) return;
    ContractedPoint &a = points[closest - 1], &b = points[closest];
    a.logarithm = (a.count * a.logarithm + b.count * b.logarithm) / (a.count + b.count);
    a.count += b.count;
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(closest));
  }
}

/// Ten digits: more mean nothing for a mean.
double rounded(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 9);
  return std::round(value / unit) * unit;
}

}  // namespace

std::vector<std::vector<double>> sharedShells(const BasisSet& basis, SharedLists how) {
  // A ladder's neighbours lie no closer than this share of its smallest gap.
  constexpr double kShare = 0.9;
  std::vector<std::vector<double>> shells;
  std::vector<double> gaps;
  for (const SymmetryBasis& s : basis.symmetries) {
    const auto l = static_cast<std::size_t>(s.symmetry.l());
    if (shells.size() <= l) {
      shells.resize(l + 1);
      gaps.resize(l + 1, INFINITY);
    }
    std::vector<double> sorted = s.exponents;
    std::ranges::sort(sorted);
    gaps[l] = std::min(gaps[l], smallestGap(sorted));
    shells[l].insert(shells[l].end(), sorted.begin(), sorted.end());
  }
  for (std::size_t l = 0; l < shells.size(); ++l) {
    std::vector<double>& shell = shells[l];
    std::ranges::sort(shell);
    shell.erase(std::unique(shell.begin(), shell.end()), shell.end());
    if (how == SharedLists::Average && std::isfinite(gaps[l])) {
      std::vector<ContractedPoint> points;
      for (const double zeta : shell) points.push_back({std::log(zeta), 1});
      merge(points, kShare * gaps[l]);
      if (points.size() < shell.size()) {
        shell.clear();
        for (const ContractedPoint& p : points) shell.push_back(rounded(std::exp(p.logarithm)));
      }
    }
    std::ranges::reverse(shell);
  }
  return shells;
}

double smallestOverlap(int l, const std::vector<double>& exponents) {
  const auto n = static_cast<Eigen::Index>(exponents.size());
  if (n == 0) return 1.0;
  Eigen::MatrixXd s(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const double a = exponents[i], b = exponents[j];
      s(i, j) = std::pow(2 * std::sqrt(a) * std::sqrt(b) / (a + b), l + 1.5);
    }
  return symmetricEigenvalues(s)(0);
}

}  // namespace prophet
