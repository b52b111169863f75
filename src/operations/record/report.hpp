#pragma once
#include <Eigen/Core>
#include <string>

#include "atoms/atom/hamiltonian.hpp"
#include "atoms/calculation/calculation.hpp"
#include "atoms/calculation/compute.hpp"
#include "atoms/calculation/result.hpp"
#include "core/common/text.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {

/// "Dirac-Coulomb", "Dirac-Coulomb-Breit, self-consistent", "Dirac-Coulomb-Gaunt, Gaunt in first order".
std::string hamiltonianText(const Hamiltonian& hamiltonian);

/// "vacuum polarisation (Uehling), self-energy (fitted to inner shells); first order"; empty without QED.
std::string qedText(const Hamiltonian& hamiltonian);

/// A section's title line, with an empty line before it.
std::string textRule(const std::string& title);
/// One line of a section.
std::string keyValue(const std::string& key, const std::string& value);
/// Lines of an energy's parts; those of first order stand by themselves, with the sum of everything.
std::string energyPartLines(const EnergyBreakdown& energy);
/// "Rn, Z = 86, 86 electrons".
std::string atomName(const AtomProblem& problem);
/// What the energy of a self-consistent field is that of: a single state, or an average over states.
std::string energyMeaning(const AtomProblem& problem);
/// A "warning: " line each, or nothing.
std::string warningLines(const std::vector<Warning>& warnings);
/// Closed and open spinors of each symmetry that has electrons.
std::string occupationTable(const Configuration& configuration);

/// Parts of the text report, in the order in which a run prints them. All energies in hartree, lengths in
/// bohr.
std::string reportHeader(const std::string& version, const ResolvedJob& job);
std::string reportJob(const ResolvedJob& job);
std::string reportBasis(const BasisSet& basis, bool everyExponent);
std::string reportIterationHead();
std::string reportIteration(const ScfIteration& step);
/// The values of "basis-set error" or of the limit's error; empty where none is known.
std::string errorText(const Result& result);
/// The spinors, lowest energy first.
std::string reportSpinors(const Result& result, std::ptrdiff_t rows);
/// The report of a result, also of a limit.
std::string reportResult(const Result& result);
std::string reportTimings(const Result& result);
std::string reportGridCheck(const GridCheck& check);

/// Density and radial functions of a result as comma-separated values (docs/how-to/orbitals.md): lines that
/// begin with # say what was computed, then the columns r, density, P_<spinor>, Q_<spinor>, density_slope and
/// <part>_potential of every PotentialPart that is defined. Numbers read back to the same bits. `radii` >= 0,
/// bohr. Throws Error if the result has no wavefunction.
std::string orbitalTable(const std::string& version, const ResolvedJob& job, const Result& result,
                         const Eigen::VectorXd& radii);

/// The settings of a chain as text; printed before it starts.
std::string reportChainJob(const std::string& version, const ResolvedJob& job);

}  // namespace prophet
