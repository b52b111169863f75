#pragma once
#include <memory>
#include <string>
#include <vector>

#include "matter/powder/amplitudes.hpp"
#include "matter/structure/structure.hpp"
#include "operations/execution/execution.hpp"
#include "operations/record/record.hpp"
#include "operations/request/request_table.hpp"

namespace prophet {

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
        "atoms in angstrom (XYZ, extended XYZ, PDB or CIF); several frames are averaged")
      .called("FILE")
      .asWord();
  t.add("block", &Request::block, kBlockHelp).called("NAME").onlyWith({"file"});
  t.add("form_factors", &Request::amplitudes, amplitudeSources(),
        "amplitudes of atoms: computed by this program (kept in the cache folder), published fits, "
        "scattering lengths (fm), or 1");
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

/// The file, and atoms of each kind.
void addAtoms(const std::string& file, const std::vector<std::string>& kinds,
              const std::vector<std::size_t>& counts, Record& record);

/// "5.4e+10 pairs a second", for progress.
std::string rateText(double pairs, double seconds);

}  // namespace prophet
