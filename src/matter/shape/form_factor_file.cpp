#include "matter/shape/form_factor_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/hdf5/hdf5_group.hpp"
#ifdef PROPHET_WITH_HDF5
#include <hdf5.h>
#endif

namespace prophet {
#ifdef PROPHET_WITH_HDF5

namespace {

using hdf5::Group;
using hdf5::Handle;

constexpr double kLargest = 1e9;  // angstrom, of coordinates

void require(herr_t status, const std::string& what) {
  if (status < 0) throw Error(what);
}

/// Complex numbers as h5py and MATLAB know them: a compound of r and i.
Handle complexType() {
  Handle type(H5Tcreate(H5T_COMPOUND, 2 * sizeof(double)), H5Tclose, "no type for complex numbers");
  require(H5Tinsert(type.get(), "r", 0, H5T_NATIVE_DOUBLE), "no type for complex numbers");
  require(H5Tinsert(type.get(), "i", sizeof(double), H5T_NATIVE_DOUBLE), "no type for complex numbers");
  return type;
}

std::string notesText(const FormFactorNotes& notes, const FileLayout& layout, int rows) {
  std::string text = fmt::format("planes={}\n", rows);
  for (const FileField& field : layout.fields) text += "field=" + field.name + "\n";
  for (const auto& [name, value] : notes) text += name + "=" + value + "\n";
  return text;
}

/// A dataset that has its place from the start: writing into it later moves nothing else of the file.
Handle fixedDataset(hid_t file, const char* name, hid_t type, const std::vector<hsize_t>& shape) {
  const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose,
                     "no space for a dataset");
  const Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "no dataset properties");
  require(H5Pset_alloc_time(layout.get(), H5D_ALLOC_TIME_EARLY), "no dataset properties");
  return Handle(H5Dcreate2(file, name, type, space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT), H5Dclose,
                fmt::format("cannot make the dataset {}; is the disk full?", name));
}

/// Writes or reads the block of entries that begins at `start`.
template <class Transfer>
void block(const Handle& set, const std::vector<hsize_t>& start, const std::vector<hsize_t>& count,
           Transfer transfer) {
  const Handle space(H5Dget_space(set.get()), H5Sclose, "a dataset is damaged");
  require(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
          "a dataset is damaged");
  const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose,
                      "no space");
  transfer(memory.get(), space.get());
}

}  // namespace

struct FormFactorFile::Contents {
  std::string path, part;
  FileLayout layout;
  int rows = 1;
  std::unique_ptr<Handle> file, values, done;
  std::vector<Handle> fields;
  std::vector<unsigned char> isDone;

  std::vector<hsize_t> shape() const {
    std::vector<hsize_t> counts;
    for (const FileAxis& axis : layout.axes) counts.push_back(axis.values.size());
    return counts;
  }
  hsize_t rowCount() const {
    hsize_t count = 1;
    for (std::size_t i = 0; i < layout.rowAxes; ++i) count *= layout.axes[i].values.size();
    return count;
  }
  Handle opened(const std::string& name) const {
    return Handle(H5Dopen2(file->get(), name.c_str(), H5P_DEFAULT), H5Dclose, "'" + part + "' is damaged");
  }
  void begin(const std::string& settings, const FormFactorNotes& notes);
  void goOn(const std::string& settings);
};

void FormFactorFile::Contents::begin(const std::string& settings, const FormFactorNotes& notes) {
  file = std::make_unique<Handle>(H5Fcreate(part.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
                                  "cannot write '" + part + "'");
  {
    Group root(Handle(H5Gopen2(file->get(), "/", H5P_DEFAULT), H5Gclose, "no root group"));
    root.set("settings", settings);
    for (const auto& [name, value] : notes) root.set(name, value);
    for (const FileAxis& axis : layout.axes) root.write(axis.name, axis.values, axis.unit);
  }
  const Handle type = complexType();
  values = std::make_unique<Handle>(fixedDataset(file->get(), "F", type.get(), shape()));
  for (const FileField& field : layout.fields)
    fields.push_back(fixedDataset(file->get(), field.name.c_str(), H5T_NATIVE_DOUBLE, shape()));
  done = std::make_unique<Handle>(
      fixedDataset(file->get(), "blocks_done", H5T_NATIVE_UCHAR, {static_cast<hsize_t>(isDone.size())}));
  require(H5Fflush(file->get(), H5F_SCOPE_GLOBAL), "cannot write '" + part + "'");
}

void FormFactorFile::Contents::goOn(const std::string& settings) {
  file = std::make_unique<Handle>(H5Fopen(part.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose,
                                  "cannot continue '" + part + "'; omit resume to start again");
  const Group root(Handle(H5Gopen2(file->get(), "/", H5P_DEFAULT), H5Gclose, "no root group"));
  bool same = root.hasAttribute("settings") && root.text("settings") == settings;
  for (const FileAxis& axis : layout.axes)
    same = same && root.has(axis.name) && root.numbers(axis.name) == axis.values;
  if (!same)
    throw Error("'" + part +
                "' was begun with other settings; give the same ones, or omit resume to start again");
  values = std::make_unique<Handle>(opened("F"));
  for (const FileField& field : layout.fields) fields.push_back(opened(field.name));
  done = std::make_unique<Handle>(opened("blocks_done"));
  require(H5Dread(done->get(), H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, isDone.data()),
          "'" + part + "' is damaged");
}

namespace {

/// A file that an interrupted run has left may be begun anew; any other one of that name is not ours.
void refuseForeign(const std::string& part) {
  std::error_code none;
  const auto status = std::filesystem::symlink_status(part, none);
  if (!std::filesystem::exists(status)) return;
  bool ours = status.type() == std::filesystem::file_type::regular;
  if (ours) {
    try {
      const Handle file(H5Fopen(part.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, part);
      const Group root(Handle(H5Gopen2(file.get(), "/", H5P_DEFAULT), H5Gclose, part));
      ours = root.hasAttribute("settings") && root.has("blocks_done");
    } catch (const Error&) {
      ours = false;
    }
  }
  if (!ours)
    throw Error(
        "'" + part +
        "' is not a file that an interrupted run has left, or another run is writing it; move it away, "
        "or name another file");
}

}  // namespace

FormFactorFile::FormFactorFile(const std::string& path, const FileLayout& layout,
                               const FormFactorNotes& notes, int rows, bool resume)
    : contents_(std::make_unique<Contents>()) {
  const auto lock = hdf5::lock();
  Contents& c = *contents_;
  c.path = followLinks(path);
  c.part = c.path + ".part";
  if (!canBeLocked(c.path)) throw Error("cannot write '" + path + "' in tiles: it is no regular file");
  refuseForeign(c.part);
  c.layout = layout;
  c.rows = rows;
  c.isDone.resize((static_cast<std::size_t>(c.rowCount()) + static_cast<std::size_t>(rows) - 1) /
                      static_cast<std::size_t>(rows),
                  0);
  const std::string settings = notesText(notes, layout, rows);
  if (resume && std::filesystem::exists(c.part)) {
    c.goOn(settings);
  } else {
    c.begin(settings, notes);
  }
}

FormFactorFile::~FormFactorFile() {
  const auto lock = hdf5::lock();
  contents_.reset();
}

int FormFactorFile::tiles() const { return static_cast<int>(contents_->isDone.size()); }

bool FormFactorFile::isDone(int tile) const { return contents_->isDone[tile] != 0; }

template <class Visit>
void FormFactorFile::eachRun(const Contents& c, unsigned long long first, unsigned long long end,
                             Visit visit) {
  const std::size_t last = c.layout.rowAxes - 1;
  std::vector<hsize_t> count = c.shape();
  const hsize_t length = count[last];
  for (std::size_t i = 0; i < last; ++i) count[i] = 1;
  while (first < end) {
    count[last] = std::min(end - first, length - first % length);
    std::vector<hsize_t> start(count.size(), 0);
    hsize_t rest = first;
    for (std::size_t i = last + 1; i-- > 0;) {
      start[i] = rest % c.layout.axes[i].values.size();
      rest /= c.layout.axes[i].values.size();
    }
    visit(start, count);
    first += count[last];
  }
}

void FormFactorFile::write(int tile, const FormFactor& values,
                           const std::vector<std::vector<double>>& fields) {
  const auto lock = hdf5::lock();
  Contents& c = *contents_;
  const std::string problem = "cannot write '" + c.part + "'; is the disk full?";
  const hsize_t first = static_cast<hsize_t>(tile) * static_cast<hsize_t>(c.rows),
                end = std::min(first + static_cast<hsize_t>(c.rows), c.rowCount());
  const auto put = [&](const Handle& set, hid_t type, const void* numbers) {
    const std::size_t entry = H5Tget_size(type);
    const char* from = static_cast<const char*>(numbers);
    eachRun(c, first, end, [&](const std::vector<hsize_t>& start, const std::vector<hsize_t>& count) {
      block(set, start, count, [&](hid_t memory, hid_t space) {
        require(H5Dwrite(set.get(), type, memory, space, H5P_DEFAULT, from), problem);
      });
      std::size_t size = entry;
      for (const hsize_t n : count) size *= n;
      from += size;
    });
  };
  const Handle type = complexType();
  put(*c.values, type.get(), values.data());
  for (std::size_t i = 0; i < c.fields.size(); ++i) put(c.fields[i], H5T_NATIVE_DOUBLE, fields.at(i).data());
  // The mark after the numbers, so that a run that ends in between does not claim them.
  require(H5Fflush(c.file->get(), H5F_SCOPE_GLOBAL), problem);
  const unsigned char yes = 1;
  block(*c.done, {static_cast<hsize_t>(tile)}, {1}, [&](hid_t memory, hid_t space) {
    require(H5Dwrite(c.done->get(), H5T_NATIVE_UCHAR, memory, space, H5P_DEFAULT, &yes), problem);
  });
  require(H5Fflush(c.file->get(), H5F_SCOPE_GLOBAL), problem);
  c.isDone[tile] = 1;
}

FormFactor FormFactorFile::values() const {
  const auto lock = hdf5::lock();
  std::size_t size = 1;
  for (const hsize_t count : contents_->shape()) size *= count;
  FormFactor values(size);
  require(
      H5Dread(contents_->values->get(), complexType().get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
      "'" + contents_->part + "' is damaged");
  return values;
}

std::vector<double> FormFactorFile::read(const std::string& field) const {
  const auto lock = hdf5::lock();
  const Group root(Handle(H5Gopen2(contents_->file->get(), "/", H5P_DEFAULT), H5Gclose, "no root group"));
  return root.numbers(field);
}

void FormFactorFile::finish() {
  const auto lock = hdf5::lock();
  Contents& c = *contents_;
  c.values.reset();
  c.fields.clear();
  c.done.reset();
  c.file.reset();
  replaceByFinished(c.part, c.path);
}

std::optional<int> rowsOfBegunFile(const std::string& path) {
  const auto lock = hdf5::lock();
  const std::string part = followLinks(path) + ".part";
  if (!std::filesystem::exists(part)) return std::nullopt;
  refuseForeign(part);
  const Handle file(H5Fopen(part.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose,
                    "cannot continue '" + part + "'; omit resume to start again");
  const Group root(Handle(H5Gopen2(file.get(), "/", H5P_DEFAULT), H5Gclose, "no root group"));
  if (!root.hasAttribute("settings")) return std::nullopt;
  const std::string settings = root.text("settings");
  int rows = 0;
  return std::sscanf(settings.c_str(), "planes=%d", &rows) == 1 && rows > 0 ? std::optional(rows)
                                                                            : std::nullopt;
}

namespace {

/// Whether a dataset has one row for each triangle, or rows one after the other.
bool hasRowsOfSeven(const Group& root, hid_t file, const std::string& name) {
  if (!root.has(name)) return false;
  const Handle set(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, name + " is no dataset");
  const Handle space(H5Dget_space(set.get()), H5Sclose, name + " is damaged");
  hsize_t shape[H5S_MAX_RANK] = {};
  const int rank = H5Sget_simple_extent_dims(space.get(), shape, nullptr);
  return (rank == 2 && shape[1] == 7) || (rank == 1 && shape[0] % 7 == 0);
}

}  // namespace

std::vector<SurfaceElement> readSurfaceElements(const std::string& path, double unit) {
  const auto lock = hdf5::lock();
  if (!std::filesystem::exists(path)) throw Error(path + ": there is no such file");
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose,
                    path + " is not an HDF5 file");
  const Group root(Handle(H5Gopen2(file.get(), "/", H5P_DEFAULT), H5Gclose, path + " is damaged"));
  const std::vector<std::string> names = root.names();
  const std::string name = root.has("shape_def") ? "shape_def" : names.size() == 1 ? names.front() : "";
  if (name.empty()) throw Error(path + ": there is no dataset shape_def (N x 7: area, normal, centre)");
  if (!hasRowsOfSeven(root, file.get(), name))
    throw Error(fmt::format("{}: the dataset {} does not have 7 columns (area, normal, centre)", path, name));
  const std::vector<double> numbers = root.numbers(name);
  std::vector<SurfaceElement> elements;
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  double area = 0;
  for (std::size_t i = 0; i < numbers.size(); i += 7) {
    if (numbers[i] == 0) continue;  // corners on one line have no normal
    SurfaceElement e{numbers[i] * unit * unit,
                     {numbers[i + 1], numbers[i + 2], numbers[i + 3]},
                     {numbers[i + 4], numbers[i + 5], numbers[i + 6]}};
    e.centre *= unit;
    if (!(e.area > 0 && e.area <= kLargest * kLargest) || !e.normal.allFinite() || !e.centre.allFinite() ||
        e.centre.cwiseAbs().maxCoeff() > kLargest || std::abs(e.normal.norm() - 1) > 1e-3)
      throw Error(
          fmt::format("{}: triangle {} needs an area, a normal of length 1 and a centre", path, i / 7));
    sum += e.area * e.normal;
    area += e.area;
    elements.push_back(e);
  }
  if (elements.empty()) throw Error(path + ": no triangle has an area");
  if (!(sum.norm() <= 1e-3 * area))
    throw Error(path + ": the surface is not closed: its areas times normals do not add up to zero");
  double volume = 0;
  for (const SurfaceElement& e : elements)
    volume += e.area * e.normal.dot(e.centre - elements.front().centre) / 3;
  if (volume < 0) {  // inside out
    for (SurfaceElement& e : elements) e.normal = -e.normal;
  }
  return elements;
}

#else

namespace {

[[noreturn]] void refuse() { throw Error(hdf5::kNotBuilt); }

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

#endif
}  // namespace prophet
