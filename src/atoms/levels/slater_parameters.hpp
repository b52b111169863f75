#pragma once
#include <string>
#include <vector>

#include "atoms/levels/levels.hpp"

namespace prophet {

/// R^k(AB,CD) of shells, which are numbers of a list.
struct SlaterIntegral {
  const char* integral;  ///< "F": C = A, D = B; "G": C = B, D = A; "R"
  std::size_t a, b, c, d;
  int k;
};
/// Those of all pairs of these shells; R^k where there are several configurations.
std::vector<SlaterIntegral> slaterIntegrals(const std::vector<Shell>& shells, bool several);
SlaterParameter parameterOf(const SlaterIntegral& integral, const std::vector<Shell>& shells, double value);

/// Slater integrals and spin-orbit parameters of shells in the spinors of an average.
///
/// F^k(A,B), G^k(A,B) and R^k(AB,CD): the radial integrals R^k over large and small components, averaged over
/// both j of each shell with weights 2j + 1. R^k where the space has several configurations, and there
/// between open shells of one l h(A,B) and zeta(A,B): the mean over j, with weights 2j + 1, of the
/// one-electron energy in the field of nucleus and closed shells between nlj and n'lj, and 2/(2l+1) times its
/// difference. zeta: 2/(2l+1) times the difference of the mean energies of an electron in the two spinors of
/// the shell, in the field of the nucleus and all other electrons, with exchange and with the Breit
/// interaction and QED potentials of the Hamiltonian. zeta_radial: integral (1/2 M^2 c^2)(1/r)(dV/dr) P^2 dr,
/// V without exchange, M = 1 + (epsilon - V)/2c^2, without which the integral over p1/2 grows without bound
/// at the nucleus. Sources: R. D. Cowan, The Theory of Atomic Structure and Spectra (1981), chapters 6 and 8;
/// D. D. Koelling and B. N. Harmon, J. Phys. C 10 (1977) 3107.
///
/// F_breit^k(a,b) and G_breit^k(a,b), where the Hamiltonian has the Gaunt or Breit interaction, between
/// spinors ("3d3/2,3d5/2"), as odd k have no mean over j: X^k(ab,ab) and X^k(ab,ba) of <ab|g|cd> = sum_k X^k
/// sum_q (-1)^q w(a k q c) w(b k -q d), in which Coulomb's are <a||C^k||c> <b||C^k||d> R^k(ab,cd).
///
/// `shells`: names such as "2p" beside the open ones, in any order. Throws Error for shells without
/// electrons.
std::vector<SlaterParameter> slaterParameters(const LevelSpace& space, const Result& result,
                                              const LevelHamiltonian& hamiltonian,
                                              const std::vector<std::string>& shells);

}  // namespace prophet
