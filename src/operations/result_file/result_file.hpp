#pragma once
#include <string>
#include <vector>

#include "atoms/calculation/calculation.hpp"
#include "atoms/calculation/result.hpp"

namespace prophet {

/// The bytes of a result file: 512 bytes of text, with layout, length and CRC-32 of what follows, and an HDF5
/// file. HDF5 readers skip those 512 bytes (a "user block").
std::string wrapped(const std::string& hdf5);

/// The HDF5 file in the bytes of a result file. `path` names it in errors. Throws Error for another file,
/// another layout, and bytes that are not those that were written.
std::string unwrapped(const std::string& bytes, const std::string& path);

/// Version of the layout of result files (docs/reference/hdf5.md); it grows when something in it changes its
/// meaning or goes.
inline constexpr int kResultLayout = 1;

/// A finished calculation as a file holds it.
struct ResultRecord {
  std::string id;             ///< name of its group in a collection, or of its input file
  std::string title;          ///< of the input; may be empty
  std::string input;          ///< text of the input file; may be empty
  std::string version;        ///< of the program that computed it
  std::string date;           ///< when, "2026-11-21T18:30:00Z"; may be empty
  Calculation calculation{};  ///< without the spinors that it started from
  Result result{};
};

/// Whether this program was built with HDF5; without it every function below throws Error.
bool hasResultFiles();

/// Writes one result as an HDF5 file (docs/reference/hdf5.md), in one step. Spinors are written where the
/// result has them (BasisMethod::keepSpinors, every limit). Throws Error if the file cannot be written.
void writeResult(const std::string& path, const ResultRecord& record);

/// The result of a file: of its only one, or, in a collection, of `group` (an id). All numbers, and P and Q
/// at any radius, are those that were written, bit for bit. Throws Error for a file that is damaged, of
/// another layout or not a result file, and for a group that it lacks.
ResultRecord readRecord(const std::string& path, const std::string& group = "");
/// The same without what was computed.
Result readResult(const std::string& path, const std::string& group = "");

/// Ids of the results in a collection, in alphabetical order; of a file with a single result its id.
std::vector<std::string> resultIds(const std::string& path);

/// Results in memory that become one file.
class ResultCollection {
 public:
  ResultCollection();
  /// With the results that a file of this layout holds. Throws Error as readRecord.
  explicit ResultCollection(const std::string& path);
  ~ResultCollection();
  ResultCollection(ResultCollection&&) noexcept;
  ResultCollection& operator=(ResultCollection&&) noexcept;

  bool contains(const std::string& id) const;
  /// Takes the place of a result with the same id.
  void add(const ResultRecord& record);
  /// Writes all of them in one step.
  void write(const std::string& path) const;

 private:
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

/// Distance in ln r of the points at which files have P, Q and the density.
inline constexpr double kGridStep = 1.0 / 32;

}  // namespace prophet
