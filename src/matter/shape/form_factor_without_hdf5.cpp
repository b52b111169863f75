#include "core/common/error.hpp"
#include "matter/shape/form_factor_file.hpp"

namespace prophet {
namespace {

[[noreturn]] void refuse() {
  throw Error(
      "this program was built without HDF5; install it (Debian: libhdf5-dev), configure and build again");
}

}  // namespace

struct FormFactorFile::Contents {};
FormFactorFile::FormFactorFile(const std::string&, const FileLayout&, const FormFactorNotes&, int, bool) {
  refuse();
}
FormFactorFile::~FormFactorFile() = default;
int FormFactorFile::tiles() const { refuse(); }
bool FormFactorFile::isDone(int) const { refuse(); }
void FormFactorFile::write(int, const FormFactor&, const std::vector<std::vector<double>>&) { refuse(); }
FormFactor FormFactorFile::values() const { refuse(); }
std::vector<double> FormFactorFile::read(const std::string&) const { refuse(); }
void FormFactorFile::finish() { refuse(); }
std::optional<int> rowsOfBegunFile(const std::string&) { refuse(); }
std::vector<SurfaceElement> readSurfaceElements(const std::string&, double) { refuse(); }

}  // namespace prophet
