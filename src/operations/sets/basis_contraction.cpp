#include "operations/sets/basis_contraction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/default_configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/calculation/compute.hpp"
#include "atoms/correlation/natural_spinors.hpp"
#include "atoms/integrals/one_electron.hpp"
#include "core/common/error.hpp"
#include "core/common/listed_words.hpp"
#include "core/common/text.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/eigen_solver.hpp"

namespace prophet {
namespace {

using Contractions = std::vector<std::vector<double>>;

/// Overlap eigenvalues of contracted functions below this trouble programs that work with molecules.
constexpr double kTroublesome = 1e-8;
/// Electrons of natural functions: fewer are rounding errors.
constexpr double kLeastElectrons = 1e-10;
constexpr double kRounding = 1e-10, kRelativeRounding = 1e-13;  // hartree, and of the energy

bool isSpinFree(const BasisContraction& contraction) {
  Hamiltonian h;
  h.oneElectron = contraction.hamiltonian;
  return h.isSpinFree();
}

AtomProblem problemOf(int z, int charge, const BasisContraction& contraction) {
  NucleusRequest request;
  request.charge = z;
  request.model = contraction.nucleus;
  AtomProblem problem;
  problem.nucleus = makeNucleus(request);
  problem.configuration =
      parseConfiguration(charge == 0 ? groundConfiguration(z) : defaultConfiguration(z, charge).text);
  problem.hamiltonian.oneElectron = contraction.hamiltonian;
  return problem;
}

Result fieldOf(const ElementBasis& lists, const BasisContraction& contraction) {
  Calculation calculation = calculationIn(basisSetOf(lists), problemOf(lists.z, 0, contraction));
  calculation.inBasis().keepSpinors = true;
  Result result = compute(calculation, {contraction.threads});
  if (result.status == Status::NotConverged || result.status == Status::Failed || !result.coefficients)
    throw Error(fmt::format("{}: no contraction coefficients: {}", symbolOf(lists.z), result.reason));
  return result;
}

CorrelatedAtom atomIn(const BasisSet& basis, int z, int charge, const BasisContraction& contraction) {
  try {
    return correlatedAtom(problemOf(z, charge, contraction), basis, shellsOf(z, *contraction.natural),
                          contraction.threads);
  } catch (const Error& error) {
    throw Error(fmt::format("{}{}: {}", symbolOf(z),
                            charge == 0 ? "" : fmt::format(", the state {} (other 'states' may do)", charge),
                            error.what()));
  }
}

/// The neutral atom, with the mean electrons of all states.
CorrelatedAtom averageOf(const ElementBasis& lists, const BasisContraction& contraction) {
  const BasisSet basis = basisSetOf(lists);
  CorrelatedAtom average;
  double weights = 0;
  for (const AveragedState& state : contraction.natural->states) {
    CorrelatedAtom atom = atomIn(basis, lists.z, state.charge, contraction);
    if (weights == 0) {
      average = atom;
      for (Eigen::MatrixXd& m : average.electrons) m *= state.weight;
    } else {
      for (std::size_t l = 0; l < average.electrons.size(); ++l)
        average.electrons[l] += state.weight * atom.electrons[l];
    }
    weights += state.weight;
  }
  for (Eigen::MatrixXd& m : average.electrons) m /= weights;
  return average;
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

/// The function with unit norm and its largest coefficient positive.
Eigen::VectorXd normalised(Eigen::VectorXd function, const Eigen::MatrixXd& overlap) {
  Eigen::Index largest = 0;
  function.cwiseAbs().maxCoeff(&largest);
  const double sign = function(largest) < 0.0 ? -1.0 : 1.0;
  return function * (sign / std::sqrt(function.dot(overlap * function)));
}

/// Whether unit functions, columns over primitives, are nearly dependent.
bool areNearlyDependent(const Eigen::MatrixXd& functions, const Eigen::MatrixXd& overlap) {
  return orthonormalise(functions.transpose() * overlap * functions, kTroublesome).dropped > 0;
}

/// Functions whose remainder beside the free primitives has a smaller squared norm are left out.
constexpr double kRemainder = 1e-14;

/// Functions that span with the `free` most diffuse primitives what these span with them: without them and
/// orthonormal. The outer spinors are nearly sums of free primitives and further in like each other, so that
/// all of them side by side would be nearly dependent.
Eigen::MatrixXd withoutFree(const Eigen::MatrixXd& functions, const Eigen::MatrixXd& overlap, int free) {
  const Eigen::Index rest = overlap.rows() - free;
  const Eigen::MatrixXd metric = overlap.bottomRightCorner(rest, rest);
  Eigen::MatrixXd made = Eigen::MatrixXd::Zero(overlap.rows(), functions.cols());
  Eigen::Index kept = 0;
  for (Eigen::Index i = 0; i < functions.cols(); ++i) {
    Eigen::VectorXd f = functions.col(i).tail(rest);
    for (int round = 0; round < 2; ++round)
      for (Eigen::Index j = 0; j < kept; ++j)
        f -= made.col(j).tail(rest).dot(metric * f) * made.col(j).tail(rest);
    if (f.dot(metric * f) > kRemainder) made.col(kept++).tail(rest) = normalised(f, metric);
  }
  return made.leftCols(kept);
}

struct ContractedL {
  Contractions functions;         ///< over descending exponents
  std::vector<double> free;       ///< primitives beside them
  std::vector<double> electrons;  ///< of the natural ones
  bool nearlyDependent = false, isLeftOut = false;
};

/// Contracted functions that are wanted of an l; 0 also where their electrons decide.
int wantedOf(const NaturalChoice& choice, int l) {
  const auto found = std::ranges::find(choice.counts, l, &FunctionCount::l);
  return found == choice.counts.end() ? 0 : found->count;
}

/// Chooses the natural functions that follow the columns of `held`.
std::vector<NaturalFunction> chosen(const NaturalChoice& choice, int z, int l,
                                    const Eigen::MatrixXd& electrons, const Eigen::MatrixXd& overlap,
                                    const Eigen::MatrixXd& held) {
  const bool counts = !choice.counts.empty();
  const Eigen::Index wanted = wantedOf(choice, l);
  const auto refuse = [&](const std::string& what) {
    throw Error(
        fmt::format("{}: {} {} functions are wanted, but {}", symbolOf(z), wanted, letterOfL(l), what));
  };
  if (counts && wanted < held.cols()) refuse(fmt::format("the occupied spinors have {}", held.cols()));
  if (counts && wanted > overlap.rows()) refuse(fmt::format("there are {} primitives", overlap.rows()));
  std::vector<NaturalFunction> list = naturalFunctions(electrons, overlap, held);
  std::erase_if(list, [&](const NaturalFunction& f) {
    return f.electrons < (counts ? kLeastElectrons : choice.leastElectrons);
  });
  if (!counts) return list;
  const auto more = static_cast<std::size_t>(wanted - held.cols());
  if (list.size() < more)
    refuse(fmt::format("second order fills {}; average over more states, such as the negative ion",
                       held.cols() + static_cast<Eigen::Index>(list.size())));
  list.resize(more);
  return list;
}

/// Empty `functions`: all primitives of this l stay as they are. `electrons`: for natural functions.
ContractedL contractL(const std::vector<double>& descending, int z, int l, const StartSpinors& spinors,
                      const BasisContraction& contraction, const Eigen::MatrixXd* electrons) {
  const SymmetryBasis block{Symmetry{-l - 1}, {descending.rbegin(), descending.rend()}};
  const Eigen::MatrixXd overlap = overlapBetween(block, block).large;
  ContractedL result;
  Eigen::MatrixXd all(block.size(), 0);
  const auto append = [&](const Eigen::VectorXd& f) {
    all.conservativeResize(Eigen::NoChange, all.cols() + 1);
    all.rightCols(1) = f;
  };
  for (const Eigen::VectorXd& f : functionsOf(spinors, l, contraction.per, overlap))
    append(normalised(f, overlap));
  if (electrons != nullptr && block.size() > 0) {
    if (wantedOf(*contraction.natural, l) == block.size()) return result;
    for (const NaturalFunction& f : chosen(*contraction.natural, z, l, *electrons, overlap, all)) {
      append(normalised(f.coefficients, overlap));
      result.electrons.push_back(f.electrons);
    }
    result.isLeftOut = all.cols() == 0;
  }
  if (all.cols() == 0 || all.cols() + contraction.uncontracted >= block.size()) {
    result.electrons.clear();
    return result;
  }
  if (contraction.uncontracted > 0) all = withoutFree(all, overlap, contraction.uncontracted);
  for (Eigen::Index i = 0; i < all.cols(); ++i) {
    const Eigen::VectorXd reversed = all.col(i).reverse();
    result.functions.emplace_back(reversed.data(), reversed.data() + reversed.size());
  }
  for (int i = 0; i < contraction.uncontracted; ++i) append(Eigen::VectorXd::Unit(block.size(), i));
  result.free.assign(descending.end() - contraction.uncontracted, descending.end());
  result.nearlyDependent = areNearlyDependent(all, overlap);
  return result;
}

void describe(ElementBasis& set, const BasisContraction& contraction, const Result& field) {
  std::string free;
  if (contraction.uncontracted > 0)
    free = fmt::format(
        "; the {} most diffuse primitives of each l uncontracted, the functions orthonormal sums of the "
        "others",
        contraction.uncontracted);
  set.notes.push_back(fmt::format(
      "general contraction with the occupied spinors of {}{}, hamiltonian='{}', {} nucleus, {} "
      "(atomic energy {:.9f} hartree){}",
      groundConfiguration(set.z),
      contraction.natural ? fmt::format(" and natural spinors of second order of {} ({} electrons)",
                                        nameOf(contraction.natural->states),
                                        contraction.natural->allElectrons ? "all" : "valence")
                          : "",
      nameOf(contraction.hamiltonian), nameOf(contraction.nucleus),
      contraction.per == ContractionPer::J ? "a function for each j"
      : isSpinFree(contraction)            ? "both j alike"
                                           : "the mean of both j",
      field.energy.total, free));
}

/// What the contraction costs the atom, and how many electrons its natural functions hold.
void describeErrors(ElementBasis& set, const std::vector<std::string>& electrons, const CorrelatedAtom& atom,
                    const BasisContraction& contraction) {
  if (!electrons.empty())
    set.notes.push_back(
        fmt::format("electrons in the natural functions of each l: {}", fmt::join(electrons, "; ")));
  const CorrelatedAtom own = atomIn(contractedSetOf(set, "the contracted set"), set.z, 0, contraction);
  // Differences of rounding are none.
  const auto difference = [&](double value) {
    const double least = kRounding + kRelativeRounding * std::abs(atom.field.energy.total);
    return std::abs(value) < least ? std::string("0") : fmt::format("{:+.2e}", value);
  };
  const double field = own.field.energy.total - atom.field.energy.total;
  set.notes.push_back(fmt::format(
      "contracted less primitive functions in the atom: field {} hartree, second order {} hartree ({:.7f} of "
      "{:.7f}{})",
      difference(field), difference(own.secondOrder - atom.secondOrder), own.secondOrder, atom.secondOrder,
      std::abs(atom.secondOrder) < kRounding
          ? ""
          : fmt::format(", {:.2f} %", 100 * own.secondOrder / atom.secondOrder)));
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
  if (!contraction.natural) return;
  if (contraction.uncontracted > 0)
    throw Error("free primitives do not go with natural functions; ask for more natural functions");
  Hamiltonian h;
  h.oneElectron = contraction.hamiltonian;
  if (h.isFourComponent())
    throw Error(
        "natural functions have large components alone; take hamiltonian 'x2c1e', 'sfx2c1e' or 'nonrel'");
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
  CorrelatedAtom atom;
  if (contraction.natural) {
    for (const FunctionCount& wanted : contraction.natural->counts)
      if (wanted.l >= static_cast<int>(lists.shells.size()))
        throw Error(fmt::format("{}: the set has no {} functions", symbolOf(lists.z), letterOfL(wanted.l)));
    atom = averageOf(lists, contraction);
  } else {
    atom.field = fieldOf(lists, contraction);
  }
  lists.contracted.clear();
  lists.writeContracted = true;
  describe(lists, contraction, atom.field);
  std::vector<std::string> electrons;
  for (int l = 0; l < static_cast<int>(lists.shells.size()); ++l) {
    const auto place = static_cast<std::size_t>(l);
    const std::vector<double>& primitives = lists.shells[place];
    ContractedL functions = contractL(primitives, lists.z, l, *atom.field.coefficients, contraction,
                                      place < atom.electrons.size() ? &atom.electrons[place] : nullptr);
    if (functions.isLeftOut) {
      lists.shells[place].clear();
      continue;
    }
    if (!functions.electrons.empty())
      electrons.push_back(fmt::format("{} {:.1e}", letterOfL(l), fmt::join(functions.electrons, " ")));
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
  while (!lists.shells.empty() && lists.shells.back().empty()) lists.shells.pop_back();
  if (contraction.natural) describeErrors(lists, electrons, atom, contraction);
  return lists;
}

ExportedBasis contractLibrary(const std::vector<int>& elements, const std::string& collection,
                              const BasisContraction& contraction, const std::filesystem::path& basisSets) {
  requirePossible(contraction);
  BasisExport how = contraction.how;
  // Their functions are not those of the atom's field.
  if (!contraction.natural) how.without.assign(std::begin(kFunctionGroups), std::end(kFunctionGroups));
  return contractAll(librarySets(elements, collection, how, basisSets).sets, contraction);
}

ExportedBasis contractFile(const BasisFileSets& sets, const std::vector<int>& elements,
                           const BasisContraction& contraction) {
  requirePossible(contraction);
  return contractAll(fileSets(sets, elements, contraction.how).sets, contraction);
}

namespace {

/// The eigenvalue of the primitives' overlap below which a combination is no function.
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
  for (std::string word : listedWords(text)) {
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
