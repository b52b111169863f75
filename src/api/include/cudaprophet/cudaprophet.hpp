#pragma once
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cudaprophet/version.hpp"

/// Dirac-Hartree-Fock energies of atoms. Atomic units throughout: energies in hartree, exponents in bohr^-2.
///
/// Nothing here prints, reads the environment, or keeps state between calls; all functions may be called from
/// many threads at once.
namespace cudaprophet {

/// What every function throws where it cannot do what it was asked to; the text says what can be done.
class CUDAPROPHET_API Error : public std::runtime_error {
 public:
  explicit Error(const std::string& text);
  Error(const Error&) = default;
  ~Error() override;
};

/// Charge distribution of the nucleus.
enum class NuclearModel { Point = 1, Sphere = 2, Gaussian = 3, Fermi = 4 };

struct Atom {
  int charge = 0;                            ///< Z, 1 to 118
  std::string configuration = {};            ///< "[Xe] 4f7 5d1 6s2"; empty: ground, neutral
  std::optional<NuclearModel> nucleus = {};  ///< absent: that of the library set, else point
  std::optional<double> speedOfLight = {};   ///< absent: the CODATA value that the program uses
};

/// A set of Gaussians: exponents, or one of the library.
struct Basis {
  /// Exponents of the symmetries s+, p-, p+, d-, ...; empty: from the library.
  std::vector<std::vector<double>> exponents = {};
  std::string collection = {};        ///< of the library, "wtbs-2.1"; empty: the default one
  std::filesystem::path folder = {};  ///< of the library; empty: where cudaprophet is installed
};

/// An energy and its parts: total = kinetic + nuclear + twoElectron.
struct Energy {
  double total = 0, kinetic = 0, nuclear = 0, twoElectron = 0;
  bool converged = false;  ///< else the energy is that of the last iteration, and not to be trusted
  int iterations = 0;
};

/// The Dirac-Coulomb energy of an atom in a basis set, on the calling thread. Throws Error.
CUDAPROPHET_API Energy energy(const Atom& atom, const Basis& basis = {});

}  // namespace cudaprophet
