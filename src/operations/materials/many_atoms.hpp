#pragma once
#include <Eigen/Core>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/species.hpp"
#include "matter/powder/amplitudes.hpp"
#include "matter/structure/structure_formats.hpp"
#include "operations/execution/execution.hpp"
#include "operations/record/record.hpp"
#include "operations/request/request_table.hpp"

namespace prophet {

/// An X-ray form factor of this program, sampled finely enough to be interpolated.
struct ComputedFactor {
  std::string provenance;   ///< program, configuration, basis, nucleus
  std::string warning;      ///< why it is not to be trusted; empty where it is
  Eigen::VectorXd samples;  ///< f at 0, kFactorStep, 2 kFactorStep, ... up to kFactorEnd, electrons

  /// f(q), electrons, by polynomials of sixth degree through neighbouring samples (to about 1e-8 electrons).
  /// Throws Error for q beyond kFactorEnd.
  Eigen::VectorXd at(const Eigen::VectorXd& q) const;
};

inline constexpr double kFactorStep = 0.05, kFactorEnd = 60;  // 1/angstrom

/// The form factor of an atom or ion in the basis that the program chooses for it, from a file of the cache
/// folder (which is written where it is missing, damaged, or of another version of the program or of the
/// basis sets; links are not followed), or computed anew where `cache` is empty. A cache that cannot be
/// written is no error. Throws Error where the calculation fails.
ComputedFactor computedFactor(const Species& species, const std::filesystem::path& basisSets,
                              const std::filesystem::path& cache);

/// The same, for AmplitudeOptions.
std::function<AtomAmplitude(const Species&, const Eigen::VectorXd&)> computedAmplitudes(
    const std::filesystem::path& basisSets, const std::filesystem::path& cache);

/// 1/angstrom, of settings.
inline constexpr double kLargestMomentum = 1e4;

/// What requests about many atoms have in common.
struct AtomsRequest {
  std::string file;   ///< empty: Execution::atoms
  std::string block;  ///< of a CIF file; empty: the one that has sites
  AmplitudeSource amplitudes = AmplitudeSource::Computed;
  std::string anomalous;  ///< file of anomalous factors; empty: none
  bool doublePrecision = false;
};

inline constexpr const char* kBlockHelp =
    "of a CIF file with several structures the one of this data block: the name behind data_";

/// Adds their settings.
template <class Request>
void addAtomsSettings(RequestTable<Request>& t) {
  t.add("file", &Request::file,
        "atoms in angstrom (" + structureFormatNames() + "); several frames are averaged")
      .called("FILE")
      .asWord();
  t.add("block", &Request::block, kBlockHelp).called("NAME").onlyWith({"file"}).often();
  t.add("form_factors", &Request::amplitudes, amplitudeSources(),
        "amplitudes of atoms: computed by this program (kept in the cache folder), published fits, "
        "scattering lengths (fm), or 1")
      .often();
  t.add("anomalous", &Request::anomalous, "CSV file with lines atom,f',f'' in electrons").called("FILE");
  t.add("precision", &Request::doublePrecision, Names<bool>{{"single", false}, {"double", true}},
        "precision of distances and of direct sums");
}

/// Where a pattern is to be that of a mass fractal.
struct FractalRequest {
  Eigen::VectorXd fractal;  ///< 1/angstrom, from and to; empty: nowhere
};

/// Two numbers that increase; throws Error.
Eigen::VectorXd fractalRange(const Json& numbers);

/// Adds their setting; `pattern` names the column that the exponent is of.
template <class Request>
typename RequestTable<Request>::Row& addFractalSetting(RequestTable<Request>& t, const std::string& pattern) {
  return t
      .add("fractal", ValueType::Numbers,
           "fit the fractal dimension D of a mass fractal, " + pattern + " ~ q^-D, between two q: 0.02,0.2",
           [](Request& r, const Json& v) { r.fractal = fractalRange(v); })
      .called("FROM,TO")
      .in("1/angstrom")
      .above(0, kLargestMomentum);
}

/// Adds the dimension and its error, where it is asked for. Throws SettingError.
void addFractalDimension(const FractalRequest& request, const Eigen::VectorXd& q,
                         const Eigen::VectorXd& pattern, Record& record);

/// The frames of a file or of the execution, the first of them known before it is taken: all of them
/// periodic, or none.
class AtomFrames : public Frames {
 public:
  /// Every rank calls it; `block` of a CIF file. Throws SettingError where there are no atoms,
  /// StructureError.
  AtomFrames(const std::string& file, const std::string& block, const Execution& execution);
  /// "box.xyz", "the atoms".
  const std::string& name() const { return name_; }
  /// Until it is taken.
  const Structure& first() const { return *first_; }
  /// Throws StructureError too where a frame has a lattice and the first one has none, or the other way.
  std::optional<Structure> next() override;

 private:
  std::string name_;
  bool periodic_ = false;
  std::size_t taken_ = 0;
  Checkpoint checkpoint_;
  std::unique_ptr<Frames> frames_;
  std::optional<Structure> first_;
};

/// Computed form factors and threads as the execution has them. Throws Error for a file of anomalous factors
/// that is none.
AmplitudeOptions amplitudeOptions(const AtomsRequest& request, const Execution& execution);

/// Why the atoms scatter as neutral ones though the file states charges; empty where it does not, where the
/// names of the kinds have them, and where the amplitudes do not depend on them.
std::string neutralWarning(const Structure& first, AmplitudeSource amplitudes);

/// Which atoms of a frame are at one place to a thousandth of an angstrom, also through the lattice where
/// there is one: a file that says an atom twice counts it twice. Empty where all are apart.
std::string samePlaceWarning(const Structure& first, const std::optional<Eigen::Matrix3d>& lattice);

/// The file, and atoms of each kind.
void addAtoms(const std::string& file, const std::vector<std::string>& kinds,
              const std::vector<std::size_t>& counts, Record& record);

/// "5.4e+10 pairs a second", for progress.
std::string rateText(double pairs, double seconds);

}  // namespace prophet
