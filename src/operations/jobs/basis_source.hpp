#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "atoms/atom/nucleus.hpp"
#include "atoms/basis/basis_set.hpp"
#include "bases/formats/exchange_formats.hpp"
#include "operations/input/job.hpp"

namespace prophet {

/// The uncontracted sets of one file.
struct BasisFileSets {
  std::string file;
  std::string format;  ///< "json", "nwchem", ..., "prophet", "inp"
  /// By nuclear charge. Sets of other programs have the same exponents for both j; ladders keep theirs.
  std::map<int, BasisSet> sets;
  std::map<int, NuclearModel> nuclei;   ///< that the sets were made for, where the file says it
  std::map<int, NucleusRequest> sizes;  ///< the same with what input files say of its size
  std::map<int, ElementBasis> lists;    ///< the same, joined by l, with the contractions that the file has

  /// The model that an energy in the set of this element takes where none is named.
  NuclearModel modelOf(int z) const {
    const auto stated = nuclei.find(z);
    return stated != nuclei.end() ? stated->second : defaultNuclearModel(BasisType::File, JobType::Energy);
  }
};

/// Which format a file is taken for; empty: its content decides.
using FormatName = std::string;

/// Reads a basis set file: Basis Set Exchange JSON, NWChem, DIRAC, Gaussian, .basis (all by content or
/// `format`), and input files with bastype='wtbs' or 'rdin' (.inp, and the .best of an optimisation, which
/// does not say its element: `element`, else the input file beside it). `element`: only this set is needed
/// (0: all); sets that cannot be used (core potentials) are then errors only for it. Throws Error with file
/// and line.
BasisFileSets readBasisSets(const std::filesystem::path& file, int element = 0,
                            const FormatName& format = "");

/// Which functions of a file to take: the primitives, or contracted functions where the file has them.
enum class FileFunctions { Primitives, Contracted };

/// Where a job's basis set of element `z` is read from, where it names a file or a folder of .basis files;
/// such a path is relative to the input file's folder.
std::filesystem::path basisFileOf(const Job& job, int z);

/// The set of one element of a file. Throws Error, "file:line: error: ...".
BasisSet basisFromFile(const std::filesystem::path& file, int element, const FormatName& format = "",
                       FileFunctions functions = FileFunctions::Primitives);

}  // namespace prophet
