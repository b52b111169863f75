#include "common/error.hpp"
#include "shape/form_factor_file.hpp"

namespace prophet {
namespace {

[[noreturn]] void refuse() {
  throw Error(
      "this program was built without HDF5; install it (Debian: libhdf5-dev), configure and build again");
}

}  // namespace

struct FormFactorFile::Contents {};
FormFactorFile::FormFactorFile(const std::string&, const QGrid&, const FormFactorNotes&, int, bool) {
  refuse();
}
FormFactorFile::~FormFactorFile() = default;
int FormFactorFile::blocks() const { refuse(); }
QGrid FormFactorFile::gridOf(int) const { refuse(); }
bool FormFactorFile::isDone(int) const { refuse(); }
void FormFactorFile::write(int, const FormFactor&) { refuse(); }
void FormFactorFile::finish() { refuse(); }
std::vector<SurfaceElement> readSurfaceElements(const std::string&, double) { refuse(); }

}  // namespace prophet
