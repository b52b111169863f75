#pragma once
#include <cmath>
#include <string>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/fock/grid_builder.hpp"
#include "atoms/fock/stored_builder.hpp"
#include "atoms/scf/scf.hpp"
#include "core/common/constants.hpp"

namespace prophet::benchmarks {

struct Atom {
  Nucleus nucleus;
  Configuration configuration;
  BasisSet basis;
};

/// The ground state in its library set (the complete collection where the default one has none), Gaussian
/// nucleus.
inline Atom libraryAtom(int z) {
  Atom atom;
  NucleusRequest request;
  request.model = NuclearModel::Gaussian;
  request.charge = z;
  atom.nucleus = makeNucleus(request);
  atom.configuration = parseConfiguration(groundConfiguration(z));
  auto entry = readLibraryEntry(z, "wtbs-2.1-by-symmetry");
  if (!entry) entry = readLibraryEntry(z, "universal");
  atom.basis = makeBasis(*entry);
  atom.basis.symmetries.resize(std::min(atom.basis.symmetries.size(), atom.configuration.symmetries.size()));
  return atom;
}

/// Benchmark series of Hennessey (2018): Rn, point nucleus, `functions` in each of seven symmetries from one
/// well-tempered ladder. Beyond the 45 functions of the original the ladder's ratio shrinks so that its span
/// stays that of 45.
inline Atom thesisAtom(int functions) {
  Atom atom = libraryAtom(86);
  atom.nucleus = makeNucleus({NuclearModel::Point, 86.0, {}, {}, {}, {}, {}});
  WellTemperedSpec spec;
  const double beta = functions <= 45 ? 1.83 : std::pow(1.83, 44.0 / (functions - 1));
  spec.groups = {{6.87e-2, beta, 3.97, functions <= 45 ? 0.78 : 0.0}};
  spec.functions.assign(7, functions);
  spec.start.assign(7, 1);
  spec.group.assign(7, 1);
  atom.basis = makeWellTempered(spec);
  return atom;
}

inline ScfResult run(const Atom& atom, FockBuilder& builder, ThreadPool& pool) {
  return runScf({atom.basis, atom.nucleus, atom.configuration, constants::kSpeedOfLight}, builder, {}, pool);
}

}  // namespace prophet::benchmarks
