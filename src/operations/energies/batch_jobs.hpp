#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/nucleus.hpp"
#include "atoms/atom/species.hpp"
#include "atoms/service/batch_run.hpp"
#include "operations/execution/execution.hpp"
#include "operations/jobs/resolve.hpp"
#include "operations/request/setting.hpp"

namespace prophet {

/// One job of a batch without an input file: an atom or ion in its default configuration or a given one.
struct ElementJob {
  /// "Fe2+", then what else was chosen: "Fe2+ hole 2p fermi nonrel pbe universal limit".
  std::string id;
  int z = 0, charge = 0;
  std::optional<NuclearModel> nucleus;  ///< empty: the default
  std::string library;                  ///< empty: the basis that the program chooses
  bool limit = false;                   ///< the numerical limit instead of a basis
  OneElectronOperator hamiltonian = OneElectronOperator::Dirac;
  std::string configuration{};        ///< before holes and promotions; empty: the default
  std::string functional{};           ///< empty: exact exchange
  std::string holes{}, promotions{};  ///< as withHoles and withPromotions have them
  std::string remark{};               ///< charge_from_configuration, as Species has it
};

/// Such jobs: every combination is one. Empty lists leave the choice to the program.
struct ElementRequest {
  std::vector<int> elements, charges;  ///< each element with each charge
  std::vector<NuclearModel> nuclei;
  std::vector<std::string> libraries;
  bool limit = false;
  std::vector<OneElectronOperator> hamiltonians = {};  ///< empty: Dirac's
  std::vector<std::string> functionals{};              ///< empty: exact exchange
  std::string holes{}, promotions{};                   ///< of every atom and ion
  std::vector<Species> species{};  ///< atoms and ions beside the elements, with charges of their own

  bool any() const { return !elements.empty() || !species.empty(); }
};

/// Every element with every charge, neutral where there is none, then the single species.
std::vector<Species> atomsOf(const ElementRequest& request);

struct ElementJobs {
  std::vector<ElementJob> jobs;
  std::vector<std::string> leftOut;  ///< combinations that there are none of, a sentence for each reason
};

/// Elements that a library has no set for are left out. Ions without electrons, or with more than 118, are
/// jobs whose batchItem says so. `sets`: folder of the libraries. Throws SettingError for a library that does
/// not exist.
ElementJobs elementJobs(const ElementRequest& request, const std::filesystem::path& sets);

/// What the keywords of an energy or a limit ask for (jobOfValues). Throws Error with the first of what is
/// wrong.
Job jobOf(const ElementJob& job);
/// The same with nothing left to choose.
ResolvedJob resolvedJob(const ElementJob& job, const std::filesystem::path& sets);

/// "1-10,Rn" to elements, "Fe2+", "Fe2+ [Ar] 3d5.4s1" to species. Throws Error.
void readElements(const std::string& text, ElementRequest& request);

/// "0,1,2", "-2-1" (from -2 to 1): each once, in the order given. Throws Error.
std::vector<int> parseCharges(const std::string& text);

/// The atoms of a request's `batch` and, for elements, `batch_charges` (empty: neutral). Throws SettingError.
std::vector<Species> atomsOfBatch(const std::string& atoms, const std::string& charges);

/// Paths of a list: one a line; blank lines and what follows a # (at the start or after a blank) are left
/// out. Throws Error for a line with a byte 0.
std::vector<std::string> listedFiles(const std::string& text);

/// One job of a batch.
struct BatchTask {
  std::string id;                            ///< UTF-8
  std::string file;                          ///< the input file, unless it is
  std::optional<ElementJob> element;         ///< one without
  std::shared_ptr<const ResolvedJob> job{};  ///< one that a caller has as an object
};

/// Makes a job ready. A file with errors, or one that asks for what a batch does not compute (another job
/// than an energy or a limit, stored integrals), becomes an item that fails alone with its reason. Throws
/// ResourceError where the machine lacks what reading it takes, and as requireKept for files that the input
/// names. `estimateError`: of its basis set, where it is not known.
BatchItem batchItem(const BatchTask& task, bool estimateError, const Execution& execution);

/// The checksum of the task's input text, as its item has it; empty where it has none or is not there any
/// more.
std::string inputChecksumOf(const BatchTask& task);

}  // namespace prophet
