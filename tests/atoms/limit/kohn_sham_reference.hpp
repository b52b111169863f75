#pragma once
#include <map>
#include <string>
#include <vector>

namespace prophet::test {

/// A Kohn-Sham atom of basis_sets/reference/kohn_sham_*.csv: point nucleus, hartree.
struct KohnShamAtom {
  int z = 0;
  std::string configuration;               ///< "1s2 2s2 2p2"
  double energy = 0;                       ///< total
  std::map<std::string, double> energies;  ///< of spinors by label, "2p1/2"; of both j where there is no j
};

constexpr double kKohnShamSpeedOfLight = 137.0359895;  ///< of the relativistic table

/// \param functional "lda" (non-relativistic) or "rlda" (Dirac)
std::vector<KohnShamAtom> readKohnShamAtoms(const std::string& functional);

}  // namespace prophet::test
