#include "api/core_atom.hpp"

#include <utility>

#include "atom/elements.hpp"
#include "basis/library.hpp"
#include "common/error.hpp"

namespace cudaprophet {
namespace {

prophet::BasisSet basisOfExponents(const std::vector<std::vector<double>>& exponents) {
  prophet::BasisSet basis;
  basis.description = "given by exponents";
  for (std::size_t i = 0; i < exponents.size(); ++i)
    basis.symmetries.push_back({prophet::Symmetry::fromIndex(static_cast<int>(i)), exponents[i]});
  return basis;
}

prophet::LibraryEntry entryOf(const Atom& atom, const Basis& basis) {
  auto entry = prophet::readLibraryEntry(atom.charge, basis.collection, basis.folder);
  if (!entry)
    throw prophet::Error("the library has no basis set for " + prophet::symbolOf(atom.charge) +
                         " in this collection; name another one or give exponents");
  return *entry;
}

prophet::Calculation calculation(const Atom& atom, const Basis& basis) {
  if (atom.charge < 1 || atom.charge > prophet::kLastElement)
    throw prophet::Error("the charge of an atom is a number from 1 to " +
                         std::to_string(prophet::kLastElement) + ", not " + std::to_string(atom.charge));
  prophet::AtomProblem problem;
  prophet::BasisSet functions;
  prophet::NucleusRequest nucleus;
  nucleus.charge = atom.charge;
  if (basis.exponents.empty()) {
    const prophet::LibraryEntry entry = entryOf(atom, basis);
    functions = prophet::makeBasis(entry);
    nucleus.model = entry.nuclearModel;
  } else {
    functions = basisOfExponents(basis.exponents);
  }
  if (atom.nucleus) nucleus.model = static_cast<prophet::NuclearModel>(*atom.nucleus);
  problem.nucleus = prophet::makeNucleus(nucleus);
  problem.configuration = prophet::parseConfiguration(
      atom.configuration.empty() ? prophet::groundConfiguration(atom.charge) : atom.configuration);
  if (atom.speedOfLight) problem.hamiltonian.speedOfLight = *atom.speedOfLight;
  return prophet::calculationIn(std::move(functions), std::move(problem));
}

}  // namespace

prophet::Calculation coreCalculation(const Atom& atom, const Basis& basis) {
  try {
    return calculation(atom, basis);
  } catch (const prophet::Error& e) {
    throw Error(e.what());
  }
}

}  // namespace cudaprophet
