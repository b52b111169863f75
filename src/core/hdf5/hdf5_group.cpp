#include "core/hdf5/hdf5_group.hpp"

#include <algorithm>
#include <future>
#include <utility>

#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"
#ifdef PROPHET_WITH_HDF5
#include <hdf5.h>
#endif

namespace prophet::hdf5 {
#ifdef PROPHET_WITH_HDF5

namespace {

constexpr std::size_t kGrowth = 1 << 20;  // bytes by which a file in memory grows

/// The innermost message of the library's error stack.
std::string reason() {
  std::string text;
  const auto take = [](unsigned, const H5E_error2_t* error, void* to) -> herr_t {
    if (error->desc) *static_cast<std::string*>(to) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, take, &text);
  H5Eclear2(H5E_DEFAULT);
  return text.empty() ? "" : " (HDF5: " + text + ")";
}

void check(herr_t status, const std::string& what) {
  if (status < 0) throw Error(what + reason());
}

Handle textType(std::size_t length) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "no type for texts");
  check(H5Tset_size(type.get(), length), "no type for texts of this length");
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "no type for UTF-8");
  check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "no type for padded texts");
  return type;
}

Handle scalarSpace() { return Handle(H5Screate(H5S_SCALAR), H5Sclose, "no scalar space"); }

void setAttribute(hid_t object, const std::string& name, hid_t fileType, hid_t memoryType,
                  const void* value) {
  const Handle space = scalarSpace();
  const Handle attribute(H5Acreate2(object, name.c_str(), fileType, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, "cannot make the attribute " + name);
  check(H5Awrite(attribute.get(), memoryType, value), "cannot write the attribute " + name);
}

Handle variableText() { return textType(H5T_VARIABLE); }

void setText(hid_t object, const std::string& name, const std::string& text) {
  const Handle type = variableText();
  const std::string inUtf8 = utf8(text);
  const char* value = inUtf8.c_str();
  setAttribute(object, name, type.get(), type.get(), &value);
}

/// One chunk that holds all, with a checksum; the index of chunks takes 2 kB, which small arrays are not
/// worth.
Handle checkedLayout(const std::vector<hsize_t>& shape, bool compresses) {
  constexpr hsize_t kSmall = 1000;
  Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "no dataset properties");
  check(H5Pset_obj_track_times(layout.get(), false), "no datasets without times");
  hsize_t size = shape.empty() ? 0 : 1;
  for (const hsize_t length : shape) size *= length;
  if (size < kSmall) return layout;
  check(H5Pset_chunk(layout.get(), static_cast<int>(shape.size()), shape.data()), "no chunks of this shape");
  if (compresses) {
    constexpr unsigned kMost = 9;
    check(H5Pset_shuffle(layout.get()), "no shuffling of bytes");
    check(H5Pset_deflate(layout.get(), kMost), "no compression in this HDF5 library");
  }
  check(H5Pset_fletcher32(layout.get()), "no checksums");
  return layout;
}

void writeArray(hid_t group, const std::string& name, hid_t fileType, hid_t memoryType,
                const std::vector<hsize_t>& shape, const void* values, const std::string& unit,
                bool compresses = false) {
  const Handle space(shape.empty() ? H5Screate(H5S_SCALAR)
                                   : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                     H5Sclose, "no space for " + name);
  const Handle layout = checkedLayout(shape, compresses);
  const Handle set(
      H5Dcreate2(group, name.c_str(), fileType, space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT),
      H5Dclose, "cannot make " + name);
  check(H5Dwrite(set.get(), memoryType, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "cannot write " + name);
  if (!unit.empty()) setText(set.get(), "unit", unit);
}

/// A dataset and how many elements it has.
struct OpenArray {
  Handle set;
  std::size_t size;
};

OpenArray openArray(hid_t group, const std::string& name, const std::string& where) {
  Handle set(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, "there is no " + where);
  const Handle space(H5Dget_space(set.get()), H5Sclose, where + " is damaged");
  const hssize_t size = H5Sget_simple_extent_npoints(space.get());
  if (size < 0) throw Error(where + " is damaged");
  return {std::move(set), static_cast<std::size_t>(size)};
}

template <class T>
std::vector<T> readArray(hid_t group, const std::string& name, hid_t type, const std::string& where) {
  if (H5Lexists(group, name.c_str(), H5P_DEFAULT) <= 0) return {};
  const OpenArray array = openArray(group, name, where);
  std::vector<T> values(array.size);
  check(H5Dread(array.set.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "cannot read " + where);
  return values;
}

Handle newFile() {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "HDF5 does not start");
  check(H5Pset_fapl_core(access.get(), kGrowth, false), "HDF5 has no files in memory");
  // The oldest headers, which all readers know. Newer ones have a checksum that H5Fget_file_image makes wrong
  // (HDF5 1.10.8); the envelope's is there for all of the file.
  return Handle(H5Fcreate("in memory", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose,
                "cannot make an HDF5 file");
}

/// Lets others use the library as long as it is there.
class Released {
 public:
  explicit Released(Lock& held) : held_(held) { held_.unlock(); }
  ~Released() { held_.lock(); }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

 private:
  Lock& held_;
};

Handle fileOf(const std::string& image) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "HDF5 does not start");
  check(H5Pset_fapl_core(access.get(), kGrowth, false), "HDF5 has no files in memory");
  // The library copies the image.
  check(H5Pset_file_image(access.get(), const_cast<char*>(image.data()), image.size()),
        "HDF5 does not take the file");
  return Handle(H5Fopen("in memory", H5F_ACC_RDWR, access.get()), H5Fclose, "not a readable HDF5 file");
}

}  // namespace

bool isAvailable() { return true; }

Lock lock() {
  static std::recursive_mutex mutex;
  Lock held(mutex);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are ours to tell, not the library's to print
  return held;
}

Handle::Handle(Number number, Close close, const std::string& what) : number_(number), close_(close) {
  if (number_ < 0) throw Error(what + reason());
}

Handle::Handle(Handle&& other) noexcept : number_(std::exchange(other.number_, -1)), close_(other.close_) {}

Handle& Handle::operator=(Handle&& other) noexcept {
  std::swap(number_, other.number_);
  std::swap(close_, other.close_);
  return *this;
}

Handle::~Handle() {
  if (number_ >= 0) close_(number_);
}

std::string Group::where(const std::string& name) const {
  const ssize_t length = H5Iget_name(handle_.get(), nullptr, 0);
  std::string path(static_cast<std::size_t>(std::max<ssize_t>(length, 0)) + 1, '\0');
  H5Iget_name(handle_.get(), path.data(), path.size());
  path.pop_back();
  return path == "/" ? path + name : path + "/" + name;
}

Group Group::create(const std::string& name) {
  Group made(Handle(H5Gcreate2(handle_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                    "cannot make the group " + where(name)));
  made.compresses_ = compresses_;
  return made;
}

Group Group::open(const std::string& name) const {
  return Group(Handle(H5Gopen2(handle_.get(), name.c_str(), H5P_DEFAULT), H5Gclose,
                      "there is no group " + where(name)));
}

bool Group::has(const std::string& name) const {
  return H5Lexists(handle_.get(), name.c_str(), H5P_DEFAULT) > 0;
}

bool Group::isGroup(const std::string& name) const {
  const Handle object(H5Oopen(handle_.get(), name.c_str(), H5P_DEFAULT), H5Oclose,
                      "cannot open " + where(name));
  return H5Iget_type(object.get()) == H5I_GROUP;
}

void Group::remove(const std::string& name) {
  check(H5Ldelete(handle_.get(), name.c_str(), H5P_DEFAULT), "cannot replace " + where(name));
}

std::vector<std::string> Group::names() const {
  std::vector<std::string> list;
  const auto take = [](hid_t, const char* name, const H5L_info_t*, void* to) -> herr_t {
    static_cast<std::vector<std::string>*>(to)->push_back(name);
    return 0;
  };
  check(H5Literate(handle_.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, take, &list), "cannot list a group");
  return list;
}

void Group::set(const std::string& name, double value) {
  setAttribute(handle_.get(), name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

void Group::set(const std::string& name, int value) {
  setAttribute(handle_.get(), name, H5T_STD_I32LE, H5T_NATIVE_INT, &value);
}

void Group::set(const std::string& name, const std::string& text) { setText(handle_.get(), name, text); }

bool Group::hasAttribute(const std::string& name) const { return H5Aexists(handle_.get(), name.c_str()) > 0; }

double Group::number(const std::string& name) const {
  const Handle a(H5Aopen(handle_.get(), name.c_str(), H5P_DEFAULT), H5Aclose, "no attribute " + where(name));
  double value = 0;
  check(H5Aread(a.get(), H5T_NATIVE_DOUBLE, &value), "cannot read the attribute " + where(name));
  return value;
}

int Group::whole(const std::string& name) const {
  const Handle a(H5Aopen(handle_.get(), name.c_str(), H5P_DEFAULT), H5Aclose, "no attribute " + where(name));
  int value = 0;
  check(H5Aread(a.get(), H5T_NATIVE_INT, &value), "cannot read the attribute " + where(name));
  return value;
}

std::string Group::text(const std::string& name) const {
  const Handle a(H5Aopen(handle_.get(), name.c_str(), H5P_DEFAULT), H5Aclose, "no attribute " + where(name));
  const Handle type = variableText();
  char* value = nullptr;
  check(H5Aread(a.get(), type.get(), &value), "cannot read the attribute " + where(name));
  const std::string text = value ? value : "";
  H5free_memory(value);
  return text;
}

void Group::write(const std::string& name, std::span<const double> values, const std::string& unit,
                  std::size_t rows) {
  if (values.empty()) return;
  std::vector<hsize_t> shape{values.size()};
  if (rows > 0) shape = {rows, values.size() / rows};
  writeArray(handle_.get(), name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, shape, values.data(), unit, compresses_);
}

void Group::writeNumber(const std::string& name, double value) {
  writeArray(handle_.get(), name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {}, &value, "");
}

void Group::write(const std::string& name, const std::vector<int>& values) {
  if (values.empty()) return;
  writeArray(handle_.get(), name, H5T_STD_I32LE, H5T_NATIVE_INT, {values.size()}, values.data(), "");
}

void Group::write(const std::string& name, const std::vector<std::string>& list) {
  if (list.empty()) return;
  std::size_t length = 1;
  for (const std::string& text : list) length = std::max(length, text.size());
  std::string padded;
  for (const std::string& text : list) padded += text + std::string(length - text.size(), '\0');
  writePadded(name, padded, length);
}

void Group::writePadded(const std::string& name, std::string_view texts, std::size_t width) {
  if (texts.empty()) return;
  const Handle type = textType(width);
  writeArray(handle_.get(), name, type.get(), type.get(), {texts.size() / width}, texts.data(), "",
             compresses_);
}

std::vector<double> Group::numbers(const std::string& name) const {
  return readArray<double>(handle_.get(), name, H5T_NATIVE_DOUBLE, where(name));
}

std::vector<int> Group::wholes(const std::string& name) const {
  return readArray<int>(handle_.get(), name, H5T_NATIVE_INT, where(name));
}

std::vector<std::string> Group::texts(const std::string& name) const {
  if (!has(name)) return {};
  const OpenArray array = openArray(handle_.get(), name, where(name));
  const Handle type(H5Dget_type(array.set.get()), H5Tclose, where(name) + " is damaged");
  const std::size_t length = H5Tget_size(type.get());
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0)
    throw Error(where(name) + " is not a list of texts");
  std::string padded(array.size * length, '\0');
  check(H5Dread(array.set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()),
        "cannot read " + where(name));
  std::vector<std::string> list;
  for (std::size_t i = 0; i < array.size; ++i) {
    const std::string text = padded.substr(i * length, length);
    list.push_back(text.substr(0, text.find('\0')));
  }
  return list;
}

void Group::writeText(const std::string& name, const std::string& text) {
  const Handle type = variableText();
  const std::string inUtf8 = utf8(text);
  const char* value = inUtf8.c_str();
  writeArray(handle_.get(), name, type.get(), type.get(), {}, &value, "");
}

std::string Group::readText(const std::string& name) const {
  if (!has(name)) return "";
  const OpenArray array = openArray(handle_.get(), name, where(name));
  if (array.size != 1) throw Error(where(name) + " is not a text");
  const Handle type = variableText();
  char* value = nullptr;
  check(H5Dread(array.set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &value),
        "cannot read " + where(name));
  const std::string text = value ? value : "";
  H5free_memory(value);
  return text;
}

File::File() : handle_(newFile()) {}
File::File(const std::string& image) : handle_(fileOf(image)) {}

Group File::root() const {
  return Group(Handle(H5Gopen2(handle_.get(), "/", H5P_DEFAULT), H5Gclose, "the file has no root group"));
}

std::string File::image() const {
  check(H5Fflush(handle_.get(), H5F_SCOPE_LOCAL), "cannot finish the HDF5 file");
  const ssize_t size = H5Fget_file_image(handle_.get(), nullptr, 0);
  if (size < 0) throw Error("cannot take the HDF5 file out of memory" + reason());
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (H5Fget_file_image(handle_.get(), bytes.data(), bytes.size()) < 0)
    throw Error("cannot take the HDF5 file out of memory" + reason());
  return bytes;
}

void writeFile(const std::string& path, const std::function<void(Handle::Number, Lock&)>& fill) {
  writeFileAtomically(path, [&](const std::string& file) {
    Lock held = lock();
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "HDF5 does not start");
#if H5_VERSION_GE(1, 10, 7)
    check(H5Pset_file_locking(access.get(), false, true), "HDF5 locks files");  // this one is locked already
#endif
    const Handle whole(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose,
                       "cannot write '" + path + "'");
    fill(whole.get(), held);
    check(H5Fflush(whole.get(), H5F_SCOPE_GLOBAL), "cannot write '" + path + "'");
  });
}

void writeGroups(const std::string& path, const std::vector<std::string>& names,
                 const std::function<std::string(const std::string& name)>& contentOf,
                 const std::function<void(const std::string& content, Group& group)>& fill) {
  writeFile(path, [&](Handle::Number file, Lock& held) {
    Group root(Handle(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose, "the file has no root group"));
    // The next content is made while one is written.
    std::future<std::string> next;
    const auto make = [&](std::size_t i) {
      if (i < names.size()) next = std::async(std::launch::async, contentOf, names[i]);
    };
    make(0);
    for (std::size_t i = 0; i < names.size(); ++i) {
      std::string content;
      {
        const Released others(held);
        content = next.get();
        make(i + 1);
      }
      if (content.empty()) continue;
      Group group = root.create(names[i]);
      fill(content, group);
    }
  });
}

#else

namespace {

[[noreturn]] void refuse() { throw Error(kNotBuilt); }

}  // namespace

bool isAvailable() { return false; }
Lock lock() { refuse(); }
Handle::Handle(Number, Close, const std::string&) { refuse(); }
Handle::Handle(Handle&&) noexcept = default;
Handle& Handle::operator=(Handle&&) noexcept = default;
Handle::~Handle() = default;
Group Group::create(const std::string&) { refuse(); }
Group Group::open(const std::string&) const { refuse(); }
bool Group::has(const std::string&) const { refuse(); }
bool Group::isGroup(const std::string&) const { refuse(); }
void Group::remove(const std::string&) { refuse(); }
std::vector<std::string> Group::names() const { refuse(); }
void Group::set(const std::string&, double) { refuse(); }
void Group::set(const std::string&, int) { refuse(); }
void Group::set(const std::string&, const std::string&) { refuse(); }
bool Group::hasAttribute(const std::string&) const { refuse(); }
double Group::number(const std::string&) const { refuse(); }
int Group::whole(const std::string&) const { refuse(); }
std::string Group::text(const std::string&) const { refuse(); }
void Group::write(const std::string&, std::span<const double>, const std::string&, std::size_t) { refuse(); }
void Group::write(const std::string&, const std::vector<int>&) { refuse(); }
void Group::write(const std::string&, const std::vector<std::string>&) { refuse(); }
void Group::writePadded(const std::string&, std::string_view, std::size_t) { refuse(); }
std::vector<double> Group::numbers(const std::string&) const { refuse(); }
std::vector<int> Group::wholes(const std::string&) const { refuse(); }
std::vector<std::string> Group::texts(const std::string&) const { refuse(); }
void Group::writeNumber(const std::string&, double) { refuse(); }
void Group::writeText(const std::string&, const std::string&) { refuse(); }
std::string Group::readText(const std::string&) const { refuse(); }
std::string Group::where(const std::string&) const { refuse(); }
File::File() : File(std::string()) {}
File::File(const std::string&) : handle_(0, nullptr, "") {}
Group File::root() const { refuse(); }
std::string File::image() const { refuse(); }

void writeFile(const std::string&, const std::function<void(Handle::Number, Lock&)>&) { refuse(); }
void writeGroups(const std::string&, const std::vector<std::string>&,
                 const std::function<std::string(const std::string&)>&,
                 const std::function<void(const std::string&, Group&)>&) {
  refuse();
}

#endif
}  // namespace prophet::hdf5
