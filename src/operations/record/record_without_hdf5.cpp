#include "core/common/error.hpp"
#include "operations/record/record.hpp"

namespace prophet {

void writeRecordHdf5(const Record&, const std::string& path) {
  throw Error(path +
              ": this program was built without HDF5; write CSV or JSON, or install HDF5 (Debian: "
              "libhdf5-dev), configure and build again");
}

}  // namespace prophet
