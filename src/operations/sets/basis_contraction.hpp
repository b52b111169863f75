#pragma once
#include <Eigen/Core>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/nucleus.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/calculation/result.hpp"
#include "atoms/correlation/added_functions.hpp"
#include "bases/optimise/correlating_search.hpp"
#include "operations/sets/basis_export.hpp"

namespace prophet {

/// A state of an atom, its default configuration with this charge, and how much its density counts.
struct AveragedState {
  int charge = 0;
  double weight = 1;
};

/// Which natural functions follow the occupied ones of a contraction.
struct NaturalChoice {
  std::vector<FunctionCount> counts{};  ///< contracted functions of each l, occupied ones among them
  /// Without counts: natural functions that hold at least so many electrons, all places of their shell
  /// together.
  double leastElectrons = 0;
  std::vector<AveragedState> states{{}};
  bool allElectrons = false;  ///< are correlated, not only those of correlatedShells
};

/// "4s3p2d1f" or "1e-4" as counts or leastElectrons. Throws Error.
NaturalChoice naturalChoice(const std::string& text);
/// "0 +1 -1:0.5": charges, weights behind colons. Throws Error.
std::vector<AveragedState> averagedStates(const std::string& text);
/// "the neutral atom, the ion 1+, the ion 1- (weight 0.5)".
std::string nameOf(const std::vector<AveragedState>& states);

/// The electrons that a contraction correlates: those of valenceOf, in the first group with the inner shells
/// of its s block.
CorrelatedShells shellsOf(int z, const NaturalChoice& choice);

/// An atom with its energy of second order in a basis set.
struct CorrelatedAtom {
  Result field;
  double secondOrder = 0;  ///< hartree
  /// Electrons between the normalised primitives of each l, exponents ascending, both j together: of the
  /// field and of second order.
  std::vector<Eigen::MatrixXd> electrons;
};

/// Throws Error where the field does not converge, and where an excitation takes no energy.
CorrelatedAtom correlatedAtom(const AtomProblem& problem, const BasisSet& basis,
                              const CorrelatedShells& shells, int threads);

/// A function over primitives, of unit norm.
struct NaturalFunction {
  Eigen::VectorXd coefficients;
  double electrons = 0;
};

/// The eigenfunctions of a density (over primitives with this overlap) that are orthogonal to the columns of
/// `held`, most electrons first.
std::vector<NaturalFunction> naturalFunctions(const Eigen::MatrixXd& electrons,
                                              const Eigen::MatrixXd& overlap, const Eigen::MatrixXd& held);

/// Which spinors of a shell nl the contraction coefficients are of.
enum class ContractionPer {
  L,  ///< the mean of both j, weighted by 2j + 1: one function for each shell
  J   ///< each: two functions for a shell with l > 0
};

/// How a set is contracted: generally, with the large components of the neutral atom's occupied spinors in
/// the ground configuration, over all primitives of their l; and with natural functions (`natural`), the
/// eigenfunctions of the density outside of these, of the states' fields and their second order, both j
/// together: atomic natural orbitals.
struct BasisContraction {
  OneElectronOperator hamiltonian = OneElectronOperator::Dirac;
  NuclearModel nucleus = NuclearModel::Gaussian;
  ContractionPer per = ContractionPer::L;
  /// The outermost (most diffuse) primitives of each l that stay functions of their own beside the contracted
  /// ones. Where these and the contracted functions would be as many as the primitives, all stay
  /// uncontracted.
  int uncontracted = 0;
  std::optional<NaturalChoice> natural{};
  BasisExport how;  ///< format (any but Prophet) and, for sets with two lists for an l, how they are joined
  int threads = 1;
};

/// Contracts sets of a collection, or those of a file (all, or `elements`). Angular momenta without electrons
/// stay uncontracted, and those that `natural` gives no function are left out. Throws Error if an element is
/// missing, if its field does not converge, for our own format, for functions per j of a Hamiltonian that
/// knows no j, and for numbers of natural functions that occupied ones exceed or that the states do not fill.
ExportedBasis contractLibrary(const std::vector<int>& elements, const std::string& collection,
                              const BasisContraction& contraction,
                              const std::filesystem::path& basisSets = {});
ExportedBasis contractFile(const BasisFileSets& sets, const std::vector<int>& elements,
                           const BasisContraction& contraction);

/// The contracted functions of one element whose primitives are `lists.shells`. Throws Error as above.
ElementBasis contractedBasis(ElementBasis lists, const BasisContraction& contraction);

}  // namespace prophet
