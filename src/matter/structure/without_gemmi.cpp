// In the place of gemmi_files.cpp where the program is built without gemmi.
#include "matter/structure/structure.hpp"

namespace prophet {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw StructureError(path +
                       ": error: this program was built without gemmi, which reads PDB and CIF; install it "
                       "(Debian: gemmi-dev tao-pegtl-dev), configure and build again, or write XYZ");
}

}  // namespace

bool hasGemmi() { return false; }
std::vector<Structure> readPdb(const std::string& path) { refuse(path); }
Structure readCif(const std::string& path, const std::string&) { refuse(path); }

}  // namespace prophet
