#pragma once
#include <map>
#include <string>
#include <vector>

#include "atoms/limit/limit.hpp"

namespace prophet::test {

/// A Kohn-Sham atom of basis_sets/reference/kohn_sham_*.csv: point nucleus, hartree.
struct KohnShamAtom {
  int z = 0;
  std::string configuration;               ///< "1s2 2s2 2p2"
  double energy = 0;                       ///< total
  std::map<std::string, double> energies;  ///< of spinors by label, "2p1/2"; of both j where there is no j
};

constexpr double kKohnShamSpeedOfLight = 137.0359895;  ///< of the relativistic table

/// One of oncvpsp's, kohn_sham_oncvpsp.csv.
struct OncvpspAtom : KohnShamAtom {
  std::string file;        ///< "79_Au_lxc.out"
  std::string functional;  ///< as this program has it
  bool scalar = false;     ///< the equation of Koelling and Harmon; else Dirac's
};

constexpr double kOncvpspSpeedOfLight = 137.036;

std::vector<OncvpspAtom> readOncvpspAtoms();

/// The limit of one of them.
LimitResult limitOf(const OncvpspAtom& atom, double speedOfLight = kOncvpspSpeedOfLight, int threads = 1);

/// Differences from the printed numbers, relative to them: of the total and the largest of the eigenvalues.
struct OncvpspDifference {
  double total = 0, level = 0;  ///< of the numbers
  std::string worst;            ///< label of that eigenvalue
  int numbers = 0;              ///< that were compared
};
OncvpspDifference differenceFrom(const OncvpspAtom& atom, const LimitResult& result);

/// \param functional "lda" (non-relativistic) or "rlda" (Dirac)
std::vector<KohnShamAtom> readKohnShamAtoms(const std::string& functional);

}  // namespace prophet::test
