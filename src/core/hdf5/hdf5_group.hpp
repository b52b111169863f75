#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// HDF5 files. In a program that was built without the library lock() throws Error, and so
/// does whoever calls it, as everybody must.
namespace prophet::hdf5 {

bool isAvailable();

/// What is said of requests that isAvailable() does not allow.
inline constexpr const char* kNotBuilt =
    "this program was built without HDF5; install it (Debian: libhdf5-dev), configure and build again";

/// The HDF5 library is not made for threads: whoever calls it holds this.
using Lock = std::unique_lock<std::recursive_mutex>;
Lock lock();

/// An open object of the library.
class Handle {
 public:
  using Number = std::int64_t;  ///< the library's hid_t
  using Close = int (*)(Number);
  /// Throws Error with `what` and the library's own words if the number is none.
  Handle(Number number, Close close, const std::string& what);
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&& other) noexcept;
  Handle(const Handle&) = delete;
  ~Handle();
  Number get() const { return number_; }

 private:
  Number number_;
  Close close_;
};

/// A group of an HDF5 file. Names are paths below it; every function throws Error with the name.
class Group {
 public:
  explicit Group(Handle handle) : handle_(std::move(handle)) {}

  /// Arrays that are written from now on, here and in groups that are made here, are compressed.
  void compress() { compresses_ = true; }

  Group create(const std::string& name);
  Group open(const std::string& name) const;
  bool has(const std::string& name) const;
  bool isGroup(const std::string& name) const;  ///< not a dataset
  void remove(const std::string& name);
  std::vector<std::string> names() const;

  // Attributes.
  void set(const std::string& name, double value);
  void set(const std::string& name, int value);
  void set(const std::string& name, const std::string& text);
  void set(const std::string& name, const char* text) { set(name, std::string(text)); }
  bool hasAttribute(const std::string& name) const;
  double number(const std::string& name) const;
  int whole(const std::string& name) const;
  std::string text(const std::string& name) const;

  // Arrays; `unit` becomes an attribute of that name. An array without elements is not written and reads as
  // one. `rows` 0: one dimension, else so many rows of equal length.
  void write(const std::string& name, std::span<const double> values, const std::string& unit = "",
             std::size_t rows = 0);
  void write(const std::string& name, const std::vector<int>& values);
  void write(const std::string& name, const std::vector<std::string>& texts);
  /// Texts of so many bytes each, one after the other, with zeros behind those that are shorter.
  void writePadded(const std::string& name, std::string_view texts, std::size_t width);
  std::vector<double> numbers(const std::string& name) const;
  std::vector<int> wholes(const std::string& name) const;
  std::vector<std::string> texts(const std::string& name) const;
  /// One number as a dataset without dimensions.
  void writeNumber(const std::string& name, double value);
  /// A text of any length as a dataset.
  void writeText(const std::string& name, const std::string& text);
  std::string readText(const std::string& name) const;

 private:
  std::string where(const std::string& name) const;

  Handle handle_;
  bool compresses_ = false;
};

/// An HDF5 file in memory.
class File {
 public:
  /// An empty one, or that of an image. Throws Error if the image is no HDF5 file.
  File();
  explicit File(const std::string& image);
  Group root() const;
  /// The bytes of the file as it stands.
  std::string image() const;

 private:
  Handle handle_;
};

/// Writes a file in one step by `fill`, which gets the library's number of it and holds the library. Throws
/// Error, and what `fill` throws; there is no file then.
void writeFile(const std::string& path, const std::function<void(Handle::Number file, Lock& held)>& fill);

/// Writes a file with a group of each of these names, into which `fill` puts what `contentOf` gives, from any
/// thread; none where that is empty. In one step, and nothing of it depends on the time. `contentOf` may take
/// as long as it needs: others use the library meanwhile. Throws Error, and what the two throw; there is no
/// file then.
void writeGroups(const std::string& path, const std::vector<std::string>& names,
                 const std::function<std::string(const std::string& name)>& contentOf,
                 const std::function<void(const std::string& content, Group& group)>& fill);

}  // namespace prophet::hdf5
