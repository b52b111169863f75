#include "core/common/json_text.hpp"
#include "core/common/write_file.hpp"
#include "core/hdf5/hdf5_group.hpp"
#include "operations/record/record.hpp"

namespace prophet {
namespace {

void writeColumns(hdf5::Group& group, const Table& table) {
  for (const Column& column : table.columns) {
    for (const Column& c : column.parts()) {
      if (c.isText()) {
        group.write(c.key, c.texts());
      } else {
        group.write(c.key, std::vector<double>(c.numbers().begin(), c.numbers().end()), c.unit);
      }
    }
  }
}

}  // namespace

void writeRecordHdf5(const Record& record, const std::string& path) {
  const auto locked = hdf5::lock();
  hdf5::File file;
  hdf5::Group root = file.root();
  for (std::size_t i = 0; i < record.tables.size(); ++i) {
    if (i == 0) {
      writeColumns(root, record.tables[i]);
    } else {
      hdf5::Group group = root.create(record.tables[i].key);
      writeColumns(group, record.tables[i]);
    }
  }
  root.writeText("provenance", jsonText(recordHead(record), 1));
  writeFileAtomically(path, file.image());
}

}  // namespace prophet
