// In the place of all other files of this folder where the program is built without HDF5.
#include "core/common/error.hpp"
#include "operations/result_file/result_file.hpp"

namespace prophet {
namespace {

[[noreturn]] void refuse() {
  throw Error(
      "this program was built without HDF5; install it (Debian: libhdf5-dev), configure and build again");
}

}  // namespace

bool hasResultFiles() { return false; }
void writeResult(const std::string&, const ResultRecord&) { refuse(); }
ResultRecord readRecord(const std::string&, const std::string&) { refuse(); }
Result readResult(const std::string&, const std::string&) { refuse(); }
std::vector<std::string> resultIds(const std::string&) { refuse(); }

struct ResultCollection::Contents {};

ResultCollection::ResultCollection() { refuse(); }
ResultCollection::ResultCollection(const std::string&) { refuse(); }
ResultCollection::~ResultCollection() = default;
ResultCollection::ResultCollection(ResultCollection&&) noexcept = default;
ResultCollection& ResultCollection::operator=(ResultCollection&&) noexcept = default;
bool ResultCollection::contains(const std::string&) const { refuse(); }
void ResultCollection::add(const ResultRecord&) { refuse(); }
void ResultCollection::write(const std::string&) const { refuse(); }

}  // namespace prophet
