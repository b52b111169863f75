#include "operations/spectra/level_sequence.hpp"

#include <fmt/format.h>

#include <cmath>

#include "atoms/atom/elements.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"
#include "operations/record/report.hpp"

namespace prophet {
namespace {

double chargeOf(const AtomProblem& problem) {
  return problem.nucleus.charge - problem.configuration.electrons();
}

/// "Cr3+"; of charges that are no element's as reports have it.
std::string nameOf(const AtomProblem& problem) {
  const auto z = elementOfCharge(problem.nucleus.charge);
  return z ? ionName(*z, static_cast<int>(std::lround(chargeOf(problem)))) : atomName(problem);
}

bool isAtom(const ObservedIon& observed, const AtomProblem& problem) {
  return !observed.ion || observed.ion->z == problem.nucleus.charge;
}

/// What a request says that holds for one element alone; empty: nothing.
std::string boundToElement(const Job& job) {
  const NucleusRequest& n = job.nucleus;
  if (n.radius || n.exponent || n.massNumber || n.rmsFemtometres) return "the size of its nucleus";
  if (job.basisType == BasisType::ReadIn || job.basisType == BasisType::File) return "its basis functions";
  return job.crystal.file.empty() ? "" : "its crystal";
}

AtomRequest requestOf(const Species& ion, AtomRequest request, const AtomProblem& atom) {
  request.job.nucleus.charge = ion.z;
  return withConfiguration(std::move(request), atom.configuration.description);
}

LevelSpinors fieldOf(const Species& ion, const AtomRequest& request, const AtomProblem& atom,
                     const Execution& execution) {
  try {
    LevelSpinors spinors = levelJob(requestOf(ion, request, atom), execution);
    computeField(spinors, execution, false);
    return spinors;
  } catch (const NotConvergedError& e) {
    throw NotConvergedError(ion.name + ": " + e.what());
  } catch (const Error& e) {
    throw Error(ion.name + ": " + e.what());
  }
}

/// The levels of a file.
std::vector<ObservedIon> observedSequence(const std::string& path, const AtomRequest& request,
                                          const LevelSpinors& atom) {
  return ofSetting("fit", [&] {
    std::vector<ObservedIon> observed = readObservedLevels(path);
    const AtomProblem& problem = atom.job.calculation.problem;
    const int electrons = static_cast<int>(std::lround(problem.configuration.electrons()));
    for (const ObservedIon& o : observed) {
      if (o.ion && o.ion->z - o.ion->charge != electrons)
        throw Error(fmt::format("{}: {} has {} electrons; expected the {} of {}", path, o.ion->name,
                                o.ion->z - o.ion->charge, electrons, nameOf(problem)));
      const std::string bound = isAtom(o, problem) ? "" : boundToElement(request.job);
      if (!bound.empty())
        throw Error(fmt::format("{} has levels of {}; the request states {} for {} alone; omit one of them",
                                path, o.ion->name, bound, nameOf(problem)));
    }
    return observed;
  });
}

/// Computes the fields of the other ions and fits.
SequenceFit fitSequence(const std::vector<ObservedIon>& observed, const std::vector<std::string>& parameters,
                        const AtomRequest& request, const LevelSpinors& atom, const Execution& execution) {
  SequenceFit all;
  const AtomProblem& problem = atom.job.calculation.problem;
  all.ions.push_back({nameOf(problem), chargeOf(problem), atom.space, atom.result, atom.hamiltonian});
  all.others.reserve(observed.size());  // what `ions` refers to must not move
  for (const ObservedIon& o : observed) {
    if (isAtom(o, problem)) {
      all.ions.front().observed = o.levels;
      continue;
    }
    const LevelSpinors& other = all.others.emplace_back(fieldOf(*o.ion, request, problem, execution));
    const AtomProblem& its = other.job.calculation.problem;
    all.ions.push_back({nameOf(its), chargeOf(its), other.space, other.result, other.hamiltonian, o.levels});
  }
  try {
    all.fit = fitLevels(all.ions, parameters, execution.checkpoint);
  } catch (const FitParameterError& e) {
    throw SettingError("fit_parameters", e.what());
  } catch (const Error& e) {
    throw SettingError("fit", e.what());
  }
  return all;
}

}  // namespace

SequenceFit computeFittedField(LevelSpinors& atom, const FitRequest& wanted, const AtomRequest& request,
                               const Execution& execution, bool finer) {
  std::vector<ObservedIon> observed;
  if (!wanted.fit.empty()) observed = observedSequence(wanted.fit, request, atom);
  computeField(atom, execution, finer);
  if (wanted.fit.empty()) return {};
  // A shell may have given the parameters as one text: between spaces, as commas stand within.
  return fitSequence(observed, splitWords(fmt::format("{}", fmt::join(wanted.parameters, " "))), request,
                     atom, execution);
}

void requireTerms(const SequenceFit& sequence, const std::vector<Level>& levels) {
  if (sequence.ions.empty()) return;
  for (const ObservedLevel& o : sequence.ions.front().observed)
    for (const Level& l : levels)
      if (l.twoJ == o.twoJ && l.odd == o.odd && l.index == o.index)
        ofSetting("fit", [&] { requireTerm(o, l); });
}

void warnOfSequence(const SequenceFit& sequence, Record& record) {
  for (std::size_t i = 0; i < sequence.others.size(); ++i)
    for (const Warning& w : warningsToShow(sequence.others[i]))
      record.warn(w.id, sequence.ions[i + 1].name + ": " + w.text);
}

}  // namespace prophet
