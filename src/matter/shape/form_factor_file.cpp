#include "matter/shape/form_factor_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/common/error.hpp"
#include "core/hdf5/hdf5_group.hpp"
#ifdef PROPHET_WITH_HDF5
#include <hdf5.h>
#endif

namespace prophet {
#ifdef PROPHET_WITH_HDF5

namespace {

using hdf5::Group;
using hdf5::Handle;

constexpr double kLargestCoordinate = 1e9;  // angstrom, of coordinates

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

/// An empty dataset of this shape.
Handle newDataset(hid_t file, const std::string& name, hid_t type, const std::vector<hsize_t>& shape) {
  const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose,
                     "no space for a dataset");
  const Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "no dataset properties");
  require(H5Pset_obj_track_times(layout.get(), false), "no datasets without times");
  require(H5Pset_fill_time(layout.get(), H5D_FILL_TIME_NEVER), "no dataset properties");
  return Handle(H5Dcreate2(file, name.c_str(), type, space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT),
                H5Dclose, fmt::format("cannot make the dataset {}; is the disk full?", name));
}

/// The datasets of a layout in a file that is being written.
class LayoutWriter {
 public:
  LayoutWriter(hid_t file, const FileLayout& layout) : layout_(layout), complex_(complexType()) {
    for (const FileAxis& axis : layout.axes) shape_.push_back(axis.values.size());
    values_.push_back(newDataset(file, "F", complex_.get(), shape_));
    for (const FileField& field : layout.fields)
      values_.push_back(newDataset(file, field.name, H5T_NATIVE_DOUBLE, shape_));
  }
  hsize_t rows() const {
    hsize_t count = 1;
    for (std::size_t i = 0; i < layout_.rowAxes; ++i) count *= shape_[i];
    return count;
  }
  void write(hsize_t first, hsize_t end, const FormFactorTile& tile) const {
    write(values_.front(), complex_.get(), first, end, tile.values.data());
    for (std::size_t i = 1; i < values_.size(); ++i)
      write(values_[i], H5T_NATIVE_DOUBLE, first, end, tile.fields.at(i - 1).data());
  }

 private:
  /// Rows are several axes counted as one: those that share all but the last of them are one block.
  void write(const Handle& set, hid_t type, hsize_t first, hsize_t end, const void* numbers) const {
    const std::size_t last = layout_.rowAxes - 1;
    const auto* from = static_cast<const char*>(numbers);
    std::vector<hsize_t> start(shape_.size(), 0), count = shape_;
    std::fill_n(count.begin(), last, 1);
    while (first < end) {
      count[last] = std::min(end - first, shape_[last] - first % shape_[last]);
      hsize_t rest = first;
      for (std::size_t i = last + 1; i-- > 0;) {
        start[i] = rest % shape_[i];
        rest /= shape_[i];
      }
      const Handle space(H5Dget_space(set.get()), H5Sclose, "a dataset has no space");
      require(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
              "a dataset has no such block");
      const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose,
                          "no space for a block");
      require(H5Dwrite(set.get(), type, memory.get(), space.get(), H5P_DEFAULT, from),
              "cannot write a block; is the disk full?");
      std::size_t size = H5Tget_size(type);
      for (const hsize_t n : count) size *= n;
      from += size;
      first += count[last];
    }
  }

  const FileLayout& layout_;
  Handle complex_;
  std::vector<hsize_t> shape_;
  std::vector<Handle> values_;  ///< F, then the fields
};

}  // namespace

void writeFormFactors(const std::string& path, const FileLayout& layout, const FormFactorNotes& notes,
                      int rows, const std::function<FormFactorTile(int tile)>& tile) {
  hdf5::writeFile(path, [&](hid_t file, hdf5::Lock&) {
    Group root(Handle(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose, "no root group"));
    for (const auto& [name, value] : notes) root.set(name, value);
    for (const FileAxis& axis : layout.axes) root.write(axis.name, axis.values, axis.unit);
    const LayoutWriter writer(file, layout);
    const auto length = static_cast<hsize_t>(rows);
    for (hsize_t first = 0; first < writer.rows(); first += length)
      writer.write(first, std::min(first + length, writer.rows()), tile(static_cast<int>(first / length)));
  });
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
    if (!(e.area > 0 && e.area <= kLargestCoordinate * kLargestCoordinate) || !e.normal.allFinite() ||
        !e.centre.allFinite() || e.centre.cwiseAbs().maxCoeff() > kLargestCoordinate ||
        std::abs(e.normal.norm() - 1) > 1e-3)
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

void writeFormFactors(const std::string&, const FileLayout&, const FormFactorNotes&, int,
                      const std::function<FormFactorTile(int)>&) {
  refuse();
}
std::vector<SurfaceElement> readSurfaceElements(const std::string&, double) { refuse(); }

#endif
}  // namespace prophet
