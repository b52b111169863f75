#pragma once
#include <Eigen/Core>
#include <complex>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "atoms/atom/species.hpp"

namespace prophet {

/// Where the amplitudes of atoms come from.
enum class AmplitudeSource {
  Computed,         ///< form factors of this program's own densities
  WaasmaierKirfel,  ///< published fits
  Neutron,          ///< bound coherent scattering lengths of elements and isotopes, femtometre
  Constant          ///< 1
};

/// All of them: "computed", "waasmaier-kirfel", "neutron", "constant".
const std::vector<std::pair<std::string, AmplitudeSource>>& amplitudeSources();
std::string nameOf(AmplitudeSource source);

/// f' and f'' of atoms at one energy, electrons.
struct Dispersion {
  double real = 0, imaginary = 0;
};

/// Reads a CSV file with columns atom, f1, f2 (also called f', f''), one line an atom or ion; electrons.
/// Throws Error with file and line.
std::map<std::string, Dispersion> readDispersion(const std::string& path);

/// The amplitude of an atom or ion.
struct AtomAmplitude {
  Eigen::VectorXcd values;  ///< at each q
  std::string provenance;   ///< one sentence
  std::string warning{};    ///< why it is not to be trusted; empty where it is
};

/// What decides on amplitudes.
struct AmplitudeOptions {
  AmplitudeSource source = AmplitudeSource::Computed;
  /// By the names of kinds; ions and isotopes that are missing have their element's, others none.
  std::map<std::string, Dispersion> dispersion{};
  /// Form factors of this program at q (1/angstrom), electrons; called from any thread.
  std::function<AtomAmplitude(const Species& species, const Eigen::VectorXd& q)> computed{};
  int threads = 1;
};

/// Amplitudes of the kinds of a structure.
struct Amplitudes {
  Eigen::MatrixXcd values;              ///< (q, kind)
  std::vector<std::string> provenance;  ///< of each kind, one sentence
  std::vector<std::string> warnings;    ///< what is not to be trusted
};

/// Amplitudes at q, 1/angstrom. Throws Error where a kind has none.
Amplitudes amplitudesOf(const std::vector<std::string>& kinds, const Eigen::VectorXd& q,
                        const AmplitudeOptions& options);

/// The bound coherent scattering length of a nucleus, or of an element's natural mixture of isotopes (mass
/// number 0), for neutrons of 1.798 angstrom; negative imaginary parts are those of absorption, and given
/// where they matter.
struct NeutronLength {
  int z, massNumber;
  std::complex<double> length;  ///< fm
  bool resonant;                ///< whether it differs much among the energies of thermal neutrons
};

/// V. F. Sears, Neutron News 3 (3), 29-37 (1992), whole.
const std::vector<NeutronLength>& neutronLengths();

/// nullptr where none is known.
const NeutronLength* neutronLength(int z, int massNumber = 0);

/// A published fit of an X-ray form factor.
struct WaasmaierKirfelRow {
  int z, charge;
  double a[5], b[5], c;
};

/// All its atoms and ions.
const std::vector<WaasmaierKirfelRow>& waasmaierKirfelTable();

/// f(q), electrons, at q in 1/angstrom up to 24 pi; of the atom or ion with this charge. Throws Error where
/// the table has none (the message lists the charges it has), and for a larger q.
Eigen::VectorXd waasmaierKirfel(int z, int charge, const Eigen::VectorXd& q);

}  // namespace prophet
