#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/fock/grid_builder.hpp"
#include "atoms/fock/stored_builder.hpp"
#include "atoms/scf/scf.hpp"
#include "core/common/constants.hpp"
#include "core/common/csv.hpp"

namespace prophet::test {

/// An atom ready for runScf.
struct TestAtom {
  Nucleus nucleus;
  Configuration configuration;
  BasisSet basis;
};

inline Nucleus nucleusOf(double z, NuclearModel model) {
  NucleusRequest request;
  request.model = model;
  request.charge = z;
  return makeNucleus(request);
}

/// A library set (Table 2.1's unless said otherwise), Gaussian nucleus, ground configuration.
inline TestAtom libraryAtom(int z, const std::string& collection = "wtbs-2.1-by-symmetry") {
  TestAtom atom;
  atom.nucleus = nucleusOf(z, NuclearModel::Gaussian);
  atom.configuration = parseConfiguration(groundConfiguration(z));
  atom.basis = makeBasis(*readLibraryEntry(z, collection));
  atom.basis.symmetries.resize(std::min(atom.basis.symmetries.size(), atom.configuration.symmetries.size()));
  return atom;
}

/// Exponents first, first * ratio, ... up to `last`, for every symmetry that the configuration needs.
inline BasisSet evenTempered(const Configuration& configuration, double first, double last, double ratio) {
  BasisSet basis;
  for (std::size_t a = 0; a < configuration.symmetries.size(); ++a) {
    SymmetryBasis block{Symmetry::fromIndex(static_cast<int>(a)), {}};
    for (double zeta = first; zeta < last; zeta *= ratio) block.exponents.push_back(zeta);
    basis.symmetries.push_back(block);
  }
  return basis;
}

inline ScfResult run(const TestAtom& atom, FockBuilder& builder, const ScfOptions& options = {},
                     int threads = 2) {
  ThreadPool pool(threads);
  return runScf({atom.basis, atom.nucleus, atom.configuration, constants::kSpeedOfLight}, builder, options,
                pool);
}

inline ScfResult runGrid(const TestAtom& atom, const ScfOptions& options = {}) {
  ThreadPool pool(2);
  GridFockBuilder builder(atom.basis, fockGrid(atom.basis), pool);
  return run(atom, builder, options);
}

/// Rows of a CSV file with a header; lines that start with # are left out.
inline std::vector<std::vector<std::string>> rowsOfCsv(const std::string& path) {
  std::vector<std::vector<std::string>> rows;
  for (CsvRow& row : prophet::readCsv(path)) rows.push_back(std::move(row.fields));
  if (!rows.empty()) rows.erase(rows.begin());
  return rows;
}

}  // namespace prophet::test
