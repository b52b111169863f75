#include "operations/result_file/table_file.hpp"

#include "core/common/write_file.hpp"
#include "core/hdf5/hdf5_group.hpp"

namespace prophet {

void writeTableFile(const std::string& path, const std::vector<TableColumn>& columns,
                    const std::string& provenance) {
  const auto locked = hdf5::lock();
  hdf5::File file;
  hdf5::Group root = file.root();
  for (const TableColumn& c : columns)
    root.write(c.name, std::vector<double>(c.values.begin(), c.values.end()), c.unit);
  root.writeText("provenance", provenance);
  writeFileAtomically(path, file.image());
}

}  // namespace prophet
