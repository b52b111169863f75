#pragma once
#include <Eigen/Core>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace prophet {

/// Where the amplitudes of atoms come from.
enum class AmplitudeSource {
  Computed,         ///< form factors of this program's own densities
  WaasmaierKirfel,  ///< published fits
  Neutron,          ///< bound coherent scattering lengths, femtometre
  Constant          ///< 1
};

/// "computed", "waasmaier-kirfel", "neutron", "constant". Throws Error, which lists all.
AmplitudeSource amplitudeSourceNamed(const std::string& name);
const char* nameOf(AmplitudeSource source);

/// f' and f'' of atoms at one energy, electrons.
struct Dispersion {
  double real = 0, imaginary = 0;
};

/// Reads a CSV file with columns atom, f1, f2 (also called f', f''), one line an atom or ion; electrons.
/// Throws Error with file and line.
std::map<std::string, Dispersion> readDispersion(const std::string& path);

/// What decides on amplitudes.
struct AmplitudeOptions {
  AmplitudeSource source = AmplitudeSource::Computed;
  std::map<std::string, Dispersion> dispersion{};  ///< by the names of kinds; missing ones have none
  std::filesystem::path basisSets{};  ///< of computed ones; empty: where the program is installed
  std::filesystem::path cache{};      ///< folder of computed form factors; empty: none is kept
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

}  // namespace prophet
