#pragma once
#include <string>
#include <utility>
#include <vector>

#include "atoms/lines/lines.hpp"
#include "operations/catalogue/job_operation.hpp"
#include "operations/spectra/calibrated_levels.hpp"

namespace prophet {

/// What settings of a single atom cannot be given together with.
inline constexpr const char* kIonsOfBatch = "the ions of a batch";

/// What lines of many ions are asked for.
struct IonsRequest {
  std::string ions;     ///< "Nd+,Er2+", "57-70,89-102"; empty: none
  std::string charges;  ///< of elements without one
  std::string list;     ///< a file with an ion on each line, perhaps with its configurations; empty: none
  /// Rules of configurationsByRules, "valence" (valenceConfigurations) or "none"; empty: "valence" of those
  /// ions of a batch that are given by their charges alone, and have such a rule.
  std::string excite;
  std::string hdf5;  ///< file of all levels and lines; empty: none
  bool resume = false;

  bool any() const { return !ions.empty() || !list.empty(); }
};

/// The settings of a request that has them.
template <class Options>
void addIonsSettings(RequestTable<Options>& t) {
  t.add("batch", &IonsRequest::ions,
        "instead of ATOM many ions: Nd+,Er2+ or 57-70,89-102 (with batch_charges); all other settings hold "
        "for each")
      .called("IONS");
  t.add("batch_charges", &IonsRequest::charges, "charges of elements in batch that have none: 1,2 or 1-3")
      .called("LIST")
      .byDefault("0")
      .onlyWith({"batch"});
  t.add("batch_file", &IonsRequest::list,
        "instead of ATOM the ions of this file: one on each line, perhaps with its configurations behind it "
        "(Nd+ 4f4 6s | 4f4 5d); # begins a comment")
      .isFile(FileUse::Read)
      .notWith({"batch"});
  t.add("excite", &IonsRequest::excite,
        "rules that make further configurations of those given, or of the default one, one after the other: "
        "'6s->5d,6p; 4f->5d,6s' takes an electron out of 6s into 5d and 6p, then one out of 4f into 5d and "
        "6s; 'valence' moves electrons of the first configuration between the valence shells; 'none'")
      .called("RULES")
      .byDefault(
          "valence, of ions of batch that are given without configurations and virtuals, from Ca to Lr with "
          "charges 0 to 3; none otherwise");
  t.add("lines_hdf5", &IonsRequest::hdf5,
        "with several ions: write their levels and lines to this HDF5 file, a group for each ion")
      .isFile(FileUse::WriteBinary);
  t.add("resume", &IonsRequest::resume,
        "continue an interrupted run with lines_hdf5: ions that are finished are not computed again")
      .onlyWith({"lines_hdf5"});
}

/// What is said of a finished ion beside its file, as ranks hand it over.
struct IonOutcome {
  std::string name, reason;  ///< reason: why there is nothing
  int configurations = 0;
  double levels = 0, possibleLines = 0, lines = 0;
  double ground = 0, highest = 0, strongest = 0;  ///< hartree; the largest gf
  std::string groundLabel;
  double groundJ = 0;
  std::string calibration = "none";  ///< "nist", "rule"
  std::string knownGround{};         ///< NIST's, as groundLabel; empty: none, or it is not computed
  /// What calibrations have: observed levels, mean deviations of |computed less observed| in their energies,
  /// with the levels of the same J and parity and without them (CalibrationDeviations::share), and factors.
  double fittedLevels = 0, fitted = 0, predicted = 0;
  std::vector<double> factors{};
  std::vector<std::pair<std::string, double>> phases;
  std::vector<std::pair<std::string, std::string>> warnings;
};

/// The table of ions.
Table ionTable(const std::vector<IonOutcome>& ions);

/// The lines of all ions, each the answer to the same request with another atom. `values`: the request
/// without the settings of `ions` and `lines`. Throws RequestErrors for what is wrong with one of them,
/// before any is computed.
Record linesOfIons(const Json& values, const IonsRequest& ions, const CalibrateRequest& calibrate,
                   const LineOptions& lines, const Execution& execution);

/// Throws RequestErrors for ions and values that can be seen to be wrong without computing.
void checkLinesOfIons(const Json& values, const IonsRequest& ions);

/// The request with the configurations that IonsRequest::excite makes of those given, or of the default one.
/// Throws RequestErrors.
AtomRequest withExcited(AtomRequest request, const std::string& rules, const Execution& execution);

}  // namespace prophet
