#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "atom/hamiltonian.hpp"
#include "atom/nucleus.hpp"
#include "service/batch_run.hpp"

namespace prophet {

/// One job of `batch --elements`: an atom or ion in its ground configuration.
struct ElementJob {
  std::string id;  ///< "Fe2+", then what else was chosen: "Fe2+ fermi nonrel universal limit"
  int z = 0, charge = 0;
  std::optional<NuclearModel> nucleus;  ///< empty: the default
  std::string library;                  ///< empty: the basis that the program chooses
  bool limit = false;                   ///< the numerical limit instead of a basis
  OneElectronOperator hamiltonian = OneElectronOperator::Dirac;
};

/// What `batch --elements` asks for: every combination is a job. Empty lists leave the choice to the program.
struct ElementRequest {
  std::vector<int> elements, charges;
  std::vector<NuclearModel> nuclei;
  std::vector<std::string> libraries;
  bool limit = false;
  std::vector<OneElectronOperator> hamiltonians = {};  ///< empty: Dirac's
};

struct ElementJobs {
  std::vector<ElementJob> jobs;
  std::vector<std::string> leftOut;  ///< combinations that there are none of, a sentence for each reason
};

/// Ions without electrons or with more than 118 are left out, and elements that a library has no set for.
/// `sets`: folder of the libraries. Throws UsageError for a library that does not exist.
ElementJobs elementJobs(const ElementRequest& request, const std::filesystem::path& sets);

/// The calculation; errors as batchItem of a file.
Calculation calculationOf(const ElementJob& job, const std::filesystem::path& sets);

/// "0,1,2", "-2-1" (from -2 to 1): each once, in the order given. Throws UsageError.
std::vector<int> parseCharges(const std::string& text);

}  // namespace prophet
