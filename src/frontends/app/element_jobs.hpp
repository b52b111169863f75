#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/nucleus.hpp"
#include "atoms/atom/species.hpp"
#include "atoms/service/batch_run.hpp"

namespace prophet {

/// One job of `batch --elements`: an atom or ion in its default configuration or a given one.
struct ElementJob {
  std::string id;  ///< "Fe2+", then what else was chosen: "Fe2+ fermi nonrel universal limit"
  int z = 0, charge = 0;
  std::optional<NuclearModel> nucleus;  ///< empty: the default
  std::string library;                  ///< empty: the basis that the program chooses
  bool limit = false;                   ///< the numerical limit instead of a basis
  OneElectronOperator hamiltonian = OneElectronOperator::Dirac;
  std::string configuration{};  ///< empty: the default
};

/// What `batch --elements` asks for: every combination is a job. Empty lists leave the choice to the program.
struct ElementRequest {
  std::vector<int> elements, charges;  ///< each element with each charge
  std::vector<NuclearModel> nuclei;
  std::vector<std::string> libraries;
  bool limit = false;
  std::vector<OneElectronOperator> hamiltonians = {};  ///< empty: Dirac's
  std::vector<Species> species{};  ///< atoms and ions beside the elements, with charges of their own
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

/// "1-10,Rn" to elements, "Fe2+", "Fe2+ [Ar] 3d5.4s1" to species. Throws UsageError.
void readElements(const std::string& text, ElementRequest& request);

/// "0,1,2", "-2-1" (from -2 to 1): each once, in the order given. Throws UsageError.
std::vector<int> parseCharges(const std::string& text);

}  // namespace prophet
