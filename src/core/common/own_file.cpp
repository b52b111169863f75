#include "core/common/own_file.hpp"

#include <dlfcn.h>
#include <link.h>

#include <system_error>

namespace prophet {

namespace fs = std::filesystem;

fs::path ownFile() {
  Dl_info info;
  void* map = nullptr;
  const bool known = dladdr1(reinterpret_cast<void*>(&ownFile), &info, &map, RTLD_DL_LINKMAP) != 0 && map;
  // The program itself has no name there, and its first argument need not be a path.
  const char* library = known ? static_cast<const link_map*>(map)->l_name : "";
  std::error_code failed;
  const fs::path file =
      *library ? fs::canonical(library, failed) : fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::path() : file;
}

}  // namespace prophet
