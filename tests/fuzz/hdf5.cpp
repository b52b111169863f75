/// Results and surfaces in HDF5 files.
#include "core/common/error.hpp"
#include "matter/shape/form_factor_file.hpp"
#include "operations/result_file/result_file.hpp"
#include "scratch_path.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string path = scratchPath(data, size, ".h5");
  try {
    for (const std::string& id : prophet::resultIds(path)) prophet::readRecord(path, id);
  } catch (const prophet::Error&) {
  }
  try {
    prophet::readSurfaceElements(path);
  } catch (const prophet::Error&) {
  }
  return 0;
}
