#include "operations/jobs/basis_contraction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/calculation/compute.hpp"
#include "atoms/integrals/one_electron.hpp"
#include "core/common/error.hpp"
#include "core/linalg/eigen_solver.hpp"

namespace prophet {
namespace {

using Columns = std::vector<std::vector<double>>;

/// Overlap eigenvalues of contracted functions below this trouble programs that work with molecules.
constexpr double kTroublesome = 1e-8;

bool isSpinFree(const BasisContraction& contraction) {
  Hamiltonian h;
  h.oneElectron = contraction.hamiltonian;
  return h.isSpinFree();
}

Result fieldOf(const ElementBasis& lists, const BasisContraction& contraction) {
  NucleusRequest request;
  request.charge = lists.z;
  request.model = contraction.nucleus;
  AtomProblem problem;
  problem.nucleus = makeNucleus(request);
  problem.configuration = parseConfiguration(groundConfiguration(lists.z));
  problem.hamiltonian.oneElectron = contraction.hamiltonian;
  Calculation calculation = calculationIn(basisSetOf(lists), problem);
  calculation.inBasis().keepSpinors = true;
  Result result = compute(calculation, {contraction.threads});
  if (result.status == Status::NotConverged || result.status == Status::Failed || !result.coefficients)
    throw Error(fmt::format("{}: no contraction coefficients: {}", symbolOf(lists.z), result.reason));
  return result;
}

/// The mean of two radial functions, each with its weight; their signs are free.
Eigen::VectorXd mean(const Eigen::VectorXd& low, double lowWeight, const Eigen::VectorXd& high,
                     double highWeight, const Eigen::MatrixXd& overlap) {
  const double sign = low.dot(overlap * high) < 0.0 ? -1.0 : 1.0;
  return lowWeight * low + sign * highWeight * high;
}

/// Functions of one l over its ascending exponents, from the innermost shell.
std::vector<Eigen::VectorXd> functionsOf(const StartSpinors& spinors, int l, ContractionPer per,
                                         const Eigen::MatrixXd& overlap) {
  const auto at = [&](int symmetry) {
    return symmetry < static_cast<int>(spinors.large.size()) ? spinors.large[symmetry] : Eigen::MatrixXd();
  };
  const Eigen::MatrixXd high = at(2 * l), low = l > 0 ? at(2 * l - 1) : Eigen::MatrixXd();
  std::vector<Eigen::VectorXd> list;
  for (Eigen::Index i = 0; i < std::max(low.cols(), high.cols()); ++i) {
    const bool both = i < low.cols() && i < high.cols();
    if (both && per == ContractionPer::L) {
      list.push_back(mean(low.col(i), 2.0 * l, high.col(i), 2.0 * l + 2, overlap));
      continue;
    }
    if (i < low.cols()) list.push_back(low.col(i));
    if (i < high.cols()) list.push_back(high.col(i));
  }
  return list;
}

/// Of unit norm, the largest coefficient positive, over descending exponents.
std::vector<double> normalised(Eigen::VectorXd function, const Eigen::MatrixXd& overlap) {
  Eigen::Index largest = 0;
  function.cwiseAbs().maxCoeff(&largest);
  const double sign = function(largest) < 0.0 ? -1.0 : 1.0;
  function *= sign / std::sqrt(function.dot(overlap * function));
  return {function.data(), function.data() + function.size()};
}

/// Of unit functions that are columns over primitives.
bool areNearlyDependent(const Eigen::MatrixXd& functions, const Eigen::MatrixXd& overlap) {
  return orthonormalise(functions.transpose() * overlap * functions, kTroublesome).dropped > 0;
}

struct ContractedL {
  Columns functions;         ///< over descending exponents
  std::vector<double> free;  ///< primitives beside them
  bool nearlyDependent = false;
};

/// Empty `functions`: all primitives of this l stay as they are.
ContractedL contractL(const std::vector<double>& descending, int l, const StartSpinors& spinors,
                      const BasisContraction& contraction) {
  const std::size_t size = descending.size();
  const SymmetryBasis block{Symmetry{-l - 1}, {descending.rbegin(), descending.rend()}};
  const Eigen::MatrixXd overlap = overlapBetween(block, block).large;
  const std::vector<Eigen::VectorXd> functions = functionsOf(spinors, l, contraction.per, overlap);
  const auto free = static_cast<std::size_t>(contraction.uncontracted);
  ContractedL result;
  if (functions.empty() || functions.size() + free >= size) return result;
  Eigen::MatrixXd all =
      Eigen::MatrixXd::Zero(block.size(), static_cast<Eigen::Index>(functions.size() + free));
  Eigen::Index column = 0;
  for (const Eigen::VectorXd& f : functions) {
    std::vector<double> unit = normalised(f, overlap);
    all.col(column++) = Eigen::Map<const Eigen::VectorXd>(unit.data(), block.size());
    std::reverse(unit.begin(), unit.end());
    result.functions.push_back(std::move(unit));
  }
  for (std::size_t i = 0; i < free; ++i) all(static_cast<Eigen::Index>(i), column++) = 1.0;
  result.free.assign(descending.end() - static_cast<std::ptrdiff_t>(free), descending.end());
  result.nearlyDependent = areNearlyDependent(all, overlap);
  return result;
}

void describe(ElementBasis& set, const BasisContraction& contraction, const Result& field) {
  std::string free;
  if (contraction.uncontracted > 0)
    free = fmt::format("; the {} most diffuse primitives of each l uncontracted beside them",
                       contraction.uncontracted);
  set.notes.push_back(fmt::format(
      "general contraction with the occupied spinors of {}, hamiltonian='{}', {} nucleus, {} (atomic energy "
      "{:.9f} hartree){}",
      groundConfiguration(set.z), nameOf(contraction.hamiltonian), nameOf(contraction.nucleus),
      contraction.per == ContractionPer::J ? "a function for each j"
      : isSpinFree(contraction)            ? "both j alike"
                                           : "the mean of both j",
      field.energy.total, free));
}

void requirePossible(const BasisContraction& contraction) {
  if (contraction.how.format == kOwnFormat)
    throw Error(
        fmt::format("the .basis format has primitives only; contracted functions can be written as {}",
                    fmt::join(exchangeFormatNames(), ", ")));
  if (contraction.uncontracted < 0) throw Error("the number of uncontracted functions must not be negative");
  if (contraction.per == ContractionPer::J && isSpinFree(contraction))
    throw Error(fmt::format(
        "hamiltonian '{}' does not distinguish j: its functions are the same for both; contract them per l",
        nameOf(contraction.hamiltonian)));
}

ExportedBasis contractAll(std::vector<ElementBasis> lists, const BasisContraction& contraction) {
  ExportedBasis result;
  for (ElementBasis& one : lists) {
    one = contractedBasis(std::move(one), contraction);
    for (const std::string& note : one.notes)
      if (note.find("nearly dependent") != std::string::npos)
        result.remarks.push_back(fmt::format("{}: {}", symbolOf(one.z), note));
  }
  result.text = writeBasis(lists, contraction.how.format);
  return result;
}

}  // namespace

ElementBasis contractedBasis(ElementBasis lists, const BasisContraction& contraction) {
  requirePossible(contraction);
  const Result field = fieldOf(lists, contraction);
  lists.contracted.clear();
  lists.writeContracted = true;
  describe(lists, contraction, field);
  for (int l = 0; l < static_cast<int>(lists.shells.size()); ++l) {
    const std::vector<double>& primitives = lists.shells[static_cast<std::size_t>(l)];
    ContractedL functions = contractL(primitives, l, *field.coefficients, contraction);
    if (functions.functions.empty()) {
      lists.contracted.push_back({l, primitives, {}});
      continue;
    }
    if (functions.nearlyDependent)
      lists.notes.push_back(
          fmt::format("the contracted {} functions are nearly dependent (an overlap eigenvalue "
                      "is below {:.0e}); programs for molecules may drop some or lose digits",
                      letterOfL(l), kTroublesome));
    lists.contracted.push_back({l, primitives, std::move(functions.functions)});
    if (!functions.free.empty()) lists.contracted.push_back({l, std::move(functions.free), {}});
  }
  return lists;
}

ExportedBasis contractLibrary(const std::vector<int>& elements, const std::string& collection,
                              const BasisContraction& contraction, const std::filesystem::path& basisSets) {
  requirePossible(contraction);
  BasisExport occupied = contraction.how;
  occupied.without.assign(std::begin(kFunctionGroups), std::end(kFunctionGroups));
  return contractAll(librarySets(elements, collection, occupied, basisSets).sets, contraction);
}

ExportedBasis contractFile(const BasisFileSets& sets, const std::vector<int>& elements,
                           const BasisContraction& contraction) {
  requirePossible(contraction);
  return contractAll(fileSets(sets, elements, contraction.how).sets, contraction);
}

}  // namespace prophet
