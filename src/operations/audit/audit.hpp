#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/service/energy_service.hpp"
#include "core/common/names.hpp"
#include "operations/audit/exponent_remarks.hpp"

namespace prophet {

/// Where limits come from.
enum class AuditLimits {
  Known,    ///< the table shipped with the program, and computed where it has none
  Compute,  ///< always computed
  Estimate  ///< none: the estimated basis-set error stands for the distance
};
/// "known", "compute", "estimate".
template <>
const Names<AuditLimits>& namesOf();

struct AuditTask {
  std::vector<std::string> sets;  ///< files (they have a point or slash in their name), or collections
  std::string format;             ///< of the files; empty: their content decides
  std::vector<int> elements;      ///< empty: all that a set has
  NuclearModel nucleus = NuclearModel::Gaussian;
  AuditLimits limits = AuditLimits::Known;
  bool gradient = true;             ///< whether dE/d ln zeta is wanted: tighter convergence, more time
  std::filesystem::path basisSets;  ///< folder of the collections; empty: where they are installed
  bool secondOrder = false;         ///< whether AuditRow::secondOrder is wanted
  bool coreValence = false;         ///< whether AuditRow::coreValence is
  int threads = 1;                  ///< for these energies
};

/// What one angular momentum contributes to the error, hartree (estimated in the frozen field).
struct AuditShare {
  int l = 0;
  double error = 0;     ///< lack - prolapse
  double prolapse = 0;  ///< 0 or more
  double lack() const { return error + prolapse; }
};

/// One element of one set. Energies in hartree.
struct AuditRow {
  int z = 0;
  AtomProblem problem;  ///< neutral ground configuration
  BasisSet basis;
  std::vector<FunctionGroup> groups;  ///< of a collection: functions beside those of `basis`
  std::vector<ExponentList> lists;
  int functions = 0;  ///< exponents of the occupied lists
  SmallestOverlap overlap;
  std::string failure;  ///< why there is no energy; empty if there is one
  std::optional<double> energy, limit, minusLimit;
  double limitError = 0;
  std::string limitSource;              ///< "table", "computed", "estimate" (no limit)
  std::optional<double> estimate;       ///< of minusLimit, in the frozen field
  double prolapse = 0, resolution = 0;  ///< of the estimate
  std::vector<AuditShare> shares;       ///< by l
  std::optional<double> gradient;       ///< largest |dE/d ln zeta|
  std::string gradientAt;               ///< list and number of that exponent: "f 3"
  /// The second order of the valence (valenceOf) in all functions of the set but those of the group "core";
  /// empty for elements of the first group.
  std::optional<double> secondOrder;
  /// The same with the outer core (coreValenceOf) and the group "core"; empty for H and He.
  std::optional<double> coreValence;
  std::optional<double> secondOrderLimit;  ///< of the table that comes with the program, if it has one
  std::optional<double> coreValenceLimit;
  /// What the set lacks of them.
  std::optional<double> secondOrderLack() const { return difference(secondOrder, secondOrderLimit); }
  std::optional<double> coreValenceLack() const { return difference(coreValence, coreValenceLimit); }
  std::vector<AuditRemark> remarks;

 private:
  static std::optional<double> difference(std::optional<double> energy, std::optional<double> limit) {
    return energy && limit ? std::optional(*energy - *limit) : std::nullopt;
  }
};

struct AuditedSet {
  std::string name;  ///< of the collection, as the file states it
  std::string file;  ///< as the task names it
  std::vector<AuditRow> rows;
};

/// The rows without energies. Throws Error for files that cannot be read, collections that do not exist, and
/// where a set has none of the elements.
std::vector<AuditedSet> planAudit(const AuditTask& task);

/// The l with the largest lack and its share of the lack of all, 0 .. 1; `letter` is 0 where there is no
/// lack.
struct ShortestL {
  char letter = 0;
  double share = 0;
};
ShortestL shortestL(const AuditRow& row);

using AuditProgress = std::function<void(std::size_t finished, std::size_t total)>;

/// Energies, limits, estimates and remarks of a plan; what fails for one element is in its row.
void computeAudit(const AuditTask& task, EnergyService& service, std::vector<AuditedSet>& sets,
                  const AuditProgress& progress = {});

/// An error or a prolapse of one l is an outlier where it is above this multiple of what its neighbours in
/// the row lead to expect, by more than kScatters times their own scatter (in the logarithm) ...
constexpr double kOutlierFactor = 3.0, kScatters = 5.0;
/// ... and by more than this share of the energy, or this many hartree, whichever is larger.
constexpr double kOutlierShare = 2e-9, kOutlierHartree = 1e-6;
/// An exponent is one where it lies further from its neighbours' trend, in ln zeta, than this share of the
/// gaps beside it and kScatters times the scatter.
constexpr double kExponentShare = 0.3;

/// Adds to the rows of one set (any order of elements) what stands out against the trend along the row of a
/// block: errors and prolapse of each l, and single exponents of lists of equal size.
void addTrendRemarks(std::vector<AuditRow>& rows);

}  // namespace prophet
