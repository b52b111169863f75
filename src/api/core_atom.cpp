#include "api/core_atom.hpp"

#include "atom/elements.hpp"
#include "basis/library.hpp"
#include "common/constants.hpp"
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

prophet::EnergyRequest request(const Atom& atom, const Basis& basis) {
  if (atom.charge < 1 || atom.charge > prophet::kLastElement)
    throw prophet::Error("the charge of an atom is a number from 1 to " +
                         std::to_string(prophet::kLastElement) + ", not " + std::to_string(atom.charge));
  prophet::EnergyRequest r;
  prophet::NucleusRequest nucleus;
  nucleus.charge = atom.charge;
  if (basis.exponents.empty()) {
    const prophet::LibraryEntry entry = entryOf(atom, basis);
    r.basis = prophet::makeBasis(entry);
    nucleus.model = entry.nuclearModel;
  } else {
    r.basis = basisOfExponents(basis.exponents);
  }
  if (atom.nucleus) nucleus.model = static_cast<prophet::NuclearModel>(*atom.nucleus);
  r.nucleus = prophet::makeNucleus(nucleus);
  r.configuration = prophet::parseConfiguration(
      atom.configuration.empty() ? prophet::groundConfiguration(atom.charge) : atom.configuration);
  r.c = atom.speedOfLight.value_or(prophet::constants::kSpeedOfLight);
  return r;
}

}  // namespace

prophet::EnergyRequest coreRequest(const Atom& atom, const Basis& basis) {
  try {
    return request(atom, basis);
  } catch (const prophet::Error& e) {
    throw Error(e.what());
  }
}

}  // namespace cudaprophet
