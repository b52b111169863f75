#pragma once
#include <Eigen/Core>
#include <string>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/calculation/result.hpp"

namespace prophet {

/// Files of spherical densities ("proatoms") for programs that divide molecules into atoms.
enum class ProatomFormat {
  Multiwfn,  ///< ".rad": the number of radii, then a line with r (bohr) and density (1/bohr^3) for each
  AtomDb,    ///< ".msg": a species of AtomDB, MessagePack with arrays as msgpack-numpy has them
};

/// The format that the ending of a file's name says. Throws Error for another ending.
ProatomFormat proatomFormatOf(const std::string& file);

/// The radii that a file of this format has by default, ascending, bohr: of Multiwfn its own 200, points of a
/// Gauss-Chebyshev rule of the second kind mapped by (1 + x)/(1 - x), those beyond the density's end left
/// out; of AtomDB defaultRadii().
Eigen::VectorXd proatomRadii(ProatomFormat format, const Wavefunction& wavefunction);

/// Electrons of AtomDB's multiplicity less one: all spins of each open shell parallel, and those of all
/// shells. A spherical density has no spin; the number is part of a species' name.
int parallelSpins(const Configuration& configuration);

/// The file's content. `radii` > 0, bohr, ascending. Throws Error if the result has no wavefunction, and for
/// AtomDB if the number of electrons or the nuclear charge is not whole.
std::string proatomFile(ProatomFormat format, const AtomProblem& problem, const Result& result,
                        const Eigen::VectorXd& radii);

}  // namespace prophet
