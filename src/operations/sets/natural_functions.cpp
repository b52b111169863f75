#include "operations/sets/natural_functions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "atoms/calculation/compute.hpp"
#include "atoms/correlation/natural_spinors.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/eigen_solver.hpp"

namespace prophet {
namespace {

/// Of primitives, an overlap eigenvalue below which a combination is no function.
constexpr double kDependent = 1e-10;

}  // namespace

NaturalChoice naturalChoice(const std::string& text) {
  NaturalChoice choice;
  if (const auto least = parseDouble(text)) {
    if (!(*least > 0 && *least < 1))
      throw Error(fmt::format("expected a number of electrons between 0 and 1, found '{}'", text));
    choice.leastElectrons = *least;
  } else {
    choice.counts = parseFunctionCounts(text);
    if (choice.counts.empty()) throw Error("expected numbers of functions such as '4s3p2d1f', found nothing");
  }
  return choice;
}

std::vector<AveragedState> averagedStates(const std::string& text) {
  std::vector<AveragedState> states;
  for (std::string word : splitWords(text, " ,")) {
    if (word.front() == '+') word.erase(0, 1);
    const std::vector<std::string> parts = split(word, ':');
    const auto charge = parseDouble(parts.front());
    const auto weight = parts.size() > 1 ? parseDouble(parts[1]) : 1.0;
    if (parts.size() > 2 || !charge || !(std::abs(*charge) <= 100) || std::trunc(*charge) != *charge ||
        !weight || !(*weight > 0) || !std::isfinite(*weight))
      throw Error(
          fmt::format("expected charges such as '0 1 -1', with weights '0:2 1 -1', found '{}'", text));
    states.push_back({static_cast<int>(*charge), *weight});
  }
  if (states.empty() || states.front().charge != 0)
    throw Error(fmt::format("the first state must be the neutral atom, 0; found '{}'", text));
  return states;
}

std::string nameOf(const std::vector<AveragedState>& states) {
  std::vector<std::string> names;
  for (const AveragedState& s : states) {
    names.push_back(s.charge == 0
                        ? "the neutral atom"
                        : fmt::format("the ion {}{}", std::abs(s.charge), s.charge > 0 ? '+' : '-'));
    if (s.weight != 1) names.back() += fmt::format(" (weight {})", s.weight);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

CorrelatedShells shellsOf(int z, const NaturalChoice& choice) {
  CorrelatedShells shells = correlatedShells(z);
  if (choice.allElectrons) shells.frozen.clear(), shells.inner.clear();
  return shells;
}

CorrelatedAtom correlatedAtom(const AtomProblem& problem, const BasisSet& basis,
                              const CorrelatedShells& shells, int threads) {
  const Calculation calculation = calculationToCorrelate(basis, problem);
  CorrelatedAtom atom;
  atom.field = compute(calculation, {threads});
  if (!atom.field.ok() || !atom.field.wavefunction || !atom.field.coefficients)
    throw Error(fmt::format("the field of '{}' has no spinors to correlate: {}",
                            problem.configuration.description, atom.field.reason));
  ThreadPool pool(threads);
  const OrbitalSpace space = OrbitalSpace::inBasis(
      problem, basis, calculation.inBasis().scf.dependencyThreshold, atom.field, basis.largestL(), pool);
  CorrelationOptions options;
  options.frozen = shells.frozen;
  options.inner = shells.inner;
  options.virtualOnly = shells.virtualOnly;
  options.pool = &pool;
  const SecondOrder found = secondOrder(space, problem.configuration, options);
  if (found.smallestGap <= 0)
    throw Error(
        fmt::format("the smallest excitation of '{}' has {:.3f} hartree: its second order means nothing",
                    problem.configuration.description, found.smallestGap));
  atom.secondOrder = found.energy;
  const std::vector<SymmetryDensity> densities = secondOrderDensity(space, problem.configuration, options);
  for (std::size_t a = 0; a < densities.size(); ++a) {
    const SymmetryOrbitals& s = space.symmetries()[a];
    const Eigen::MatrixXd own = electronsOverPrimitives(s, densities[a]);
    if (s.symmetry.kappa < 0 && s.symmetry.l() > 0) {
      atom.electrons.back() += own;
    } else {
      atom.electrons.push_back(own);
    }
  }
  return atom;
}

std::vector<NaturalFunction> naturalFunctions(const Eigen::MatrixXd& electrons,
                                              const Eigen::MatrixXd& overlap, const Eigen::MatrixXd& held) {
  const OrthonormalBasis basis = orthonormalise(overlap, kDependent);
  const Eigen::MatrixXd inside = basis.dual * held;
  if (inside.cols() >= inside.rows()) return {};  // nothing is left
  const Eigen::MatrixXd outside = orthogonalComplement(inside);
  const Eigen::MatrixXd image = basis.dual.transpose() * outside;
  const SymmetricEigen solver(image.transpose() * electrons * image);
  std::vector<NaturalFunction> list;
  for (Eigen::Index i = outside.cols(); i-- > 0;)
    list.push_back({basis.x * (outside * solver.eigenvectors().col(i)), solver.eigenvalues()(i)});
  return list;
}

}  // namespace prophet
