#include "operations/jobs/resolve.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "atoms/atom/default_configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/atom/shell_list.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/basis/collection_names.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/configurations/level_space.hpp"
#include "atoms/correlation/added_functions.hpp"
#include "atoms/default_basis/default_basis.hpp"
#include "core/common/error.hpp"
#include "matter/madelung/direct_ewald.hpp"
#include "matter/structure/structure.hpp"
#include "operations/jobs/basis_source.hpp"

namespace prophet {
namespace {

int wholeCharge(const Job& job, const std::string& what) {
  if (const auto z = elementOfCharge(job.nucleus.charge)) return *z;
  throw Error(fmt::format("{} needs a whole nuclear charge from 1 to {}; znuc is {}", what, kLastElement,
                          job.nucleus.charge));
}

/// Everything that a job leaves open, as it becomes data.
struct Resolving {
  const Job& job;
  AtomProblem problem{};
  BasisMethod method{};
  std::vector<std::string> choices{};
  ConfigurationSource source = ConfigurationSource::Given;
};

/// A set that the user named: it is taken as it is, for negative ions with its diffuse functions.
void resolveNamedBasis(Resolving& r) {
  const int z = wholeCharge(r.job, "a library basis");
  const auto entry = readLibraryEntry(z, r.job.libraryName, r.job.basisSets);
  if (!entry) {
    throw Error(fmt::format(
        "the library '{}' has no basis set for {}; remove library='...' from $bas, or give a basis with "
        "bastype='wtbs' or 'rdin'",
        r.job.libraryName, symbolOf(z)));
  }
  r.method.basis = makeBasis(*entry);
  r.method.named = std::make_shared<LibraryEntry>(*entry);
  std::vector<FunctionGroup> diffuse = entry->groups;
  std::erase_if(diffuse, [](const FunctionGroup& group) { return group.name != kDiffuseGroup; });
  const bool negative = r.problem.configuration.electrons() > z && !diffuse.empty();
  if (negative) {
    r.method.basis = withGroups(std::move(r.method.basis), diffuse);
    r.method.basis.description += ", and its diffuse functions";
  }
  r.choices.push_back(fmt::format("basis: {} from the library {}{}", symbolOf(z), entry->library,
                                  negative ? " with its diffuse functions, for a negative ion" : ""));
}

/// Whether the basis functions come from a file that the input names.
bool namesBasisFile(const Job& job) {
  return job.basisType == BasisType::File ||
         (job.basisType == BasisType::Library && isLibraryPath(job.libraryName));
}

/// The set of a file, or of a folder of .basis files.
void resolveFileBasis(Resolving& r, const std::string& what) {
  const int z = wholeCharge(r.job, what);
  const std::filesystem::path file = basisFileOf(r.job, z);
  r.method.basis =
      basisFromFile(file, z, "", r.job.contracted ? FileFunctions::Contracted : FileFunctions::Primitives);
  const bool contracted = r.method.basis.contracted();
  r.choices.push_back(fmt::format("basis: {} from {}, {}", symbolOf(z), file.string(),
                                  contracted         ? "its contracted functions"
                                  : r.job.contracted ? "which has no contractions"
                                                     : "uncontracted"));
  try {
    requireCovered(r.method.basis, r.problem.configuration);
  } catch (const Error& error) {
    throw Error(fmt::format("{}:1: error: the set of {} cannot be used: {}", file.string(), symbolOf(z),
                            error.what()));
  }
}

/// A set that fits the problem: the library's where it was made for it, else one that is made now. Levels are
/// of first order in the errors of the spinors, so that they take the library's largest sets.
void resolveDefaultBasis(Resolving& r) {
  const bool levels = isOfStates(r.job.type);
  DefaultBasis chosen = chooseBasis(
      r.problem, [&](int z) { return readLibraryEntry(z, levels ? "universal" : "", r.job.basisSets); });
  r.method.basis = std::move(chosen.basis);
  r.method.knownError = chosen.knownError;
  r.method.chosen = true;
  if (chosen.start) r.method.start = std::make_shared<StartSpinors>(std::move(*chosen.start));
  r.choices.push_back("basis: " + chosen.reason);
}

/// $crystal as a charged shell.
void resolveCrystal(Resolving& r) {
  const CrystalRequest& request = r.job.crystal;
  if (request.file.empty()) return;
  const std::string path = (r.job.folder / request.file).string();
  try {
    const ChargeSource source = request.charges.empty() ? ChargeSource{} : parseChargeSource(request.charges);
    const Structure structure = readStructure(path, request.block);
    for (const std::string& warning : structure.warnings) r.choices.push_back("crystal: " + warning);
    const ChargedStructure crystal = chargedStructure(structure, source);
    const Eigen::Index site = crystal.site(request.site);
    const ChargedShell shell = shellAround(crystal, site);
    r.problem.hamiltonian.shell = shell;
    r.choices.push_back(fmt::format(
        "charged shell: {:g} e at {:.8f} bohr, the potential {:.8f} hartree/e of the site {} of {}",
        shell.charge, shell.radius, shell.charge / shell.radius,
        crystal.labels[static_cast<std::size_t>(site)], request.file));
    const double ion = r.job.nucleus.charge - r.problem.configuration.electrons();
    if (std::abs(ion + shell.charge) > 1e-6)
      throw Error(
          fmt::format("the site has a charge of {:g} e and the ion {:g} e; give the ion's electrons "
                      "($electrons) or other charges",
                      -shell.charge, ion));
  } catch (const Error& e) {
    throw Error(fmt::format("$crystal: {}: {}", request.file, e.what()));
  }
}

/// The nucleus that a named collection or file was made for, where it says so. A size that the job gives
/// stays the job's: of a point there is none, so that its model is not taken then.
std::optional<NucleusRequest> nucleusOfNamedSet(const Job& job) {
  const auto z = elementOfCharge(job.nucleus.charge);
  if (job.isLimit() || !z) return std::nullopt;
  NucleusRequest request = job.nucleus;
  const bool sized = request.radius || request.exponent || request.rmsFemtometres ||
                     request.skinFemtometres || request.measuredRadius;
  if (namesBasisFile(job)) {
    const BasisFileSets sets = readBasisSets(basisFileOf(job, *z), *z);
    const auto stated = sets.nuclei.find(*z);
    const auto whole = sets.sizes.find(*z);
    if (stated == sets.nuclei.end()) return std::nullopt;
    if (whole != sets.sizes.end() && !sized && !request.massNumber) return whole->second;
    request.model = stated->second;
  } else {
    if (job.basisType != BasisType::Library || job.libraryName.empty()) return std::nullopt;
    const auto entry = readLibraryEntry(*z, job.libraryName, job.basisSets);
    if (!entry) return std::nullopt;
    request.model = entry->nuclearModel;
  }
  return sized && request.model == NuclearModel::Point ? std::nullopt : std::optional(request);
}

/// Takes the nucleus of a named set or file; else the default.
void resolveNucleus(Resolving& r) {
  if (r.job.nuclearModelGiven) {
    r.problem.nucleus = makeNucleus(r.job.nucleus);
    return;
  }
  const auto stated = nucleusOfNamedSet(r.job);
  if (stated && (stated->model != NuclearModel::Gaussian || namesBasisFile(r.job))) {
    r.problem.nucleus = makeNucleus(*stated);
    const std::string set = namesBasisFile(r.job)
                                ? basisFileOf(r.job, wholeCharge(r.job, "a basis of a file")).string()
                                : r.job.libraryName;
    r.choices.push_back(
        fmt::format("nucleus: {}, for which the sets of {} are made", nameOf(stated->model), set));
    return;
  }
  NucleusRequest request = r.job.nucleus;
  request.model = defaultNuclearModel(r.job.basisType, r.job.type);
  r.problem.nucleus = makeNucleus(request);
  r.choices.push_back(request.model == NuclearModel::Point
                          ? "nucleus: point, the default if the input gives the functions"
                          : "nucleus: Gaussian, the default unless the input gives the functions");
}

/// Without spin-orbit coupling both j of an l need the same functions; sets of our own have two lists.
void shareLists(Resolving& r) {
  BasisSet& basis = r.method.basis;
  bool split = false;
  for (std::size_t a = 1; a + 1 < basis.symmetries.size(); a += 2)
    split = split || basis.symmetries[a].exponents != basis.symmetries[a + 1].exponents;
  if (!r.problem.hamiltonian.isSpinFree() || !split || basis.contracted()) return;
  ElementBasis lists;
  lists.shells = sharedShells(basis, SharedLists::Average);
  lists.name = basis.description;
  basis = basisSetOf(lists);
  r.choices.push_back(
      fmt::format("basis: one list for both j of an l, which hamiltonian='{}' does not distinguish; close "
                  "neighbours of the two lists averaged",
                  nameOf(r.problem.hamiltonian.oneElectron)));
}

void resolveBasis(Resolving& r) {
  switch (r.job.basisType) {
    case BasisType::WellTempered:
      r.method.basis = makeWellTempered(r.job.wellTempered);
      return;
    case BasisType::ReadIn:
      for (std::size_t i = 0; i < r.job.readInExponents.size(); ++i) {
        r.method.basis.symmetries.push_back(
            {Symmetry::fromIndex(static_cast<int>(i)), r.job.readInExponents[i]});
      }
      r.method.basis.description = "read from the input";
      return;
    case BasisType::None:
      return;
    case BasisType::File:
      return resolveFileBasis(r, "a basis of a file");
    case BasisType::Library:
      if (namesBasisFile(r.job)) return resolveFileBasis(r, "a library basis");
      return r.job.libraryName.empty() ? resolveDefaultBasis(r) : resolveNamedBasis(r);
  }
}

/// A set of the library cannot be added to: who needs more brings functions of his own.
void requireEnough(const Resolving& r) {
  try {
    requireCovered(r.method.basis, r.problem.configuration);
  } catch (const Error&) {
    if (r.job.basisType != BasisType::Library) throw;
    const std::vector<int> needed = functionsNeeded(r.problem.configuration);
    throw Error(fmt::format(
        "the library's set ({}) is too small for the configuration {}, which needs {} functions of {}; give "
        "functions of your own, bastype='wtbs' or 'rdin' in $bas, or lower the occupation",
        r.method.basis.description, r.problem.configuration.description,
        *std::max_element(needed.begin(), needed.end()),
        Symmetry::fromIndex(static_cast<int>(std::max_element(needed.begin(), needed.end()) - needed.begin()))
            .label()));
  }
}

std::vector<OpenOccupations> wholeNumbers(const std::vector<std::vector<double>>& list) {
  std::vector<OpenOccupations> rows;
  for (const auto& row : list) {
    OpenOccupations occupations;
    for (const double n : row) {
      if (n != std::floor(n)) throw Error(fmt::format("an occupation must be a whole number, not {}", n));
      occupations.push_back(static_cast<int>(n));
    }
    rows.push_back(occupations);
  }
  return rows;
}

/// Closed spinors and one distribution of electrons over the open ones as a configuration string with j.
std::string spinorText(const ConfigurationRequest& request, const OpenOccupations& open) {
  std::map<std::pair<int, int>, std::vector<Shell>> byShell;  // n, l: its spinors
  std::size_t next = 0;
  for (std::size_t a = 0; a < request.closed.size(); ++a) {
    const Symmetry symmetry = Symmetry::fromIndex(static_cast<int>(a));
    const int l = symmetry.l(), spinors = request.closed[a] + request.open[a];
    for (int i = 0; i < spinors; ++i) {
      const bool isOpen = i == request.closed[a];
      const int electrons = !isOpen ? symmetry.degeneracy() : next < open.size() ? open[next++] : 0;
      byShell[{i + l + 1, l}].push_back({i + l + 1, l, symmetry.twoJ(), electrons});
    }
  }
  std::vector<Shell> shells;
  for (const auto& [nl, parts] : byShell) {
    const Shell whole{nl.first, nl.second, 0,
                      parts[0].electrons + parts.back().electrons * (parts.size() > 1)};
    if (whole.full()) {
      shells.push_back(whole);
    } else {
      shells.insert(shells.end(), parts.begin(), parts.end());
    }
  }
  return configurationText(shells);
}

std::string averageText(const ConfigurationRequest& request, std::size_t configurations) {
  std::vector<std::string> open;
  for (std::size_t a = 0; a < request.open.size(); ++a)
    if (request.open[a] != 0)
      open.push_back(spinorLabel(Symmetry::fromIndex(static_cast<int>(a)), request.closed[a] + 1));
  const std::string core = spinorText(request, {});
  return fmt::format("average of {} configurations: {}{}{} electron{} in {}", configurations, core,
                     core.empty() ? "" : " and ", request.freeElectrons,
                     request.freeElectrons == 1 ? "" : "s", fmt::join(open, ", "));
}

Configuration resolveConfiguration(Resolving& r) {
  const Job& job = r.job;
  const ConfigurationRequest& request = job.configuration;
  if (!request.text.empty()) return averageOfConfigurations(request.text, job.symmetries);
  if (request.groundState) {
    const DefaultConfiguration chosen =
        defaultConfiguration(wholeCharge(job, "the default configuration"), request.charge);
    r.choices.push_back(fmt::format("configuration: {}, {}", chosen.text, chosen.reason));
    r.source = chosen.source;
    return parseConfiguration(chosen.text, job.symmetries);
  }
  std::vector<bool> open;
  for (const int n : request.open) open.push_back(n != 0);
  if (request.freeElectrons == 0) {
    return averageConfigurations(request.closed, std::vector<bool>(request.closed.size(), false), {{}},
                                 spinorText(request, {}));
  }
  const auto list =
      request.autogen ? allDistributions(open, request.freeElectrons) : wholeNumbers(request.list);
  return averageConfigurations(
      request.closed, open, list,
      list.size() == 1 ? spinorText(request, list[0]) : averageText(request, list.size()));
}

FockKind resolveFock(BackendRequest backend, Resolving& r) {
  if (r.job.fock != FockKind::Automatic) return r.job.fock;
  if (backend == BackendRequest::Cuda && r.job.type == JobType::Energy) {
    r.choices.push_back("Fock matrix: from stored integrals, what the GPU has for one calculation");
    return FockKind::Stored;
  }
  r.choices.push_back("Fock matrix: numerical grid (the fastest method that meets the thresholds)");
  return FockKind::Grid;
}

}  // namespace

std::vector<std::string> filesOf(const Job& job) {
  std::vector<std::string> files;
  if (namesBasisFile(job))
    files.push_back(basisFileOf(job, elementOfCharge(job.nucleus.charge).value_or(0)).string());
  if (!job.crystal.file.empty()) files.push_back((job.folder / job.crystal.file).string());
  return files;
}

ResolvedJob resolve(const Job& job, BackendRequest backend) {
  Resolving r{job};
  r.problem.hamiltonian = job.hamiltonian;
  resolveNucleus(r);
  r.problem.configuration = resolveConfiguration(r);
  resolveCrystal(r);
  if (job.isLimit()) return {job, {std::move(r.problem), job.limit, r.source}, std::move(r.choices)};
  r.method.scf = job.scf;
  resolveBasis(r);
  shareLists(r);
  // Known is the error of the free atom with the Dirac Hamiltonian.
  if (!r.problem.hamiltonian.isFourComponent() || r.problem.hamiltonian.shell.any())
    r.method.knownError.reset();
  if (job.dampingGiven)
    r.choices.push_back("extrapolation: damping (ixtrp=0), because dfctr is given without ixtrp");
  if (job.basisType != BasisType::None) {
    requireEnough(r);
    r.method.fock = resolveFock(backend, r);
    r.method.mapping = job.mapping;
  }
  return {job, {std::move(r.problem), std::move(r.method), r.source}, std::move(r.choices)};
}

}  // namespace prophet
