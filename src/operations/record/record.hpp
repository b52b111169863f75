#pragma once
#include <Eigen/Core>
#include <functional>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "operations/request/report_style.hpp"

namespace prophet {
namespace hdf5 {
class Group;
}

using Json = nlohmann::ordered_json;

/// Version of the JSON that records and results are written as (docs/reference/record.schema.json).
inline constexpr int kRecordSchema = 3;

/// Rows of a table in a report that does not say how many (--rows).
inline constexpr Eigen::Index kShownRows = 30;

/// A number, text, list or object of a result.
struct Quantity {
  /// Where the report has it: in its first lines, as the result or as what is known of its error; below them;
  /// or only where more is asked for.
  enum class Place { Body, Result, Accuracy, Details };

  std::string key;    ///< in every format and language: "energy_hartree"; empty: only reports have it
  std::string label;  ///< for the report: "energy of a cell"
  Json value;
  std::string shown{};  ///< as the report shows it, with its unit; empty: the report leaves it out
  Place place = Place::Body;
};

/// A column of a table, as long as the others: numbers (not a number where a row has none), texts, complex
/// numbers or vectors (a row of the matrix for each).
struct Column {
  std::string key;   ///< "q", "g_Co-O"
  std::string unit;  ///< "1": a pure number; empty for texts
  std::variant<Eigen::VectorXd, std::vector<std::string>, Eigen::VectorXcd, Eigen::MatrixX3d> values{};
  std::string meaning{};  ///< a phrase for lists of columns, with code between backticks
  std::string digits{};   ///< format of the numbers in the report; "-": the report leaves the column out
  std::string label{};    ///< of the report; empty: the key
  bool whole = false;     ///< numbers that JSON has without a point: charges, counts

  Eigen::Index size() const;
  bool isText() const { return std::holds_alternative<std::vector<std::string>>(values); }
  const std::vector<std::string>& texts() const { return std::get<std::vector<std::string>>(values); }
  const Eigen::VectorXd& numbers() const { return std::get<Eigen::VectorXd>(values); }
  /// Columns of numbers or texts that say the same, for formats that have nothing else: key_re and key_im,
  /// or key_x, key_y and key_z.
  std::vector<Column> parts() const;
};

struct Table {
  /// How JSON has it: one object of columns, a list of rows, each an object, the columns beside the
  /// quantities, or not at all, as a quantity says the same.
  enum class Layout { Columns, Rows, Top, Quantity };
  std::string key;  ///< "columns", "sites"
  std::vector<Column> columns;
  Layout layout = Layout::Columns;
  Eigen::Index mostRows = kShownRows;  ///< of a report that does not ask for others; 0: without this table
  std::string firstWith{};  ///< in Operation::tables: the setting with which this table is the first

  Eigen::Index rows() const { return columns.empty() ? 0 : columns.front().size(); }
  /// nullptr where there is no such column.
  const Column* find(const std::string& column) const;
};

/// A warning as data: `id` for programs, one sentence for people.
struct RecordWarning {
  std::string id, text;
};

/// How an operation ended.
enum class Outcome {
  Done,
  Failed,       ///< what it compared does not agree, or parts of it could not be computed
  NotConverged  ///< parts of it did not converge, or are not bound
};

struct JobResult;  // operations/jobs/resolve.hpp

/// What an operation gives: the same envelope for all of them.
struct Record {
  std::string operation;
  std::string title;  ///< first line of the report: "Charges of nacl.cif"
  Json request = Json::object();
  std::vector<Quantity> quantities;
  std::vector<Table> tables;  ///< CSV has the first one
  std::vector<RecordWarning> warnings;
  std::string device;  ///< "CPU, 2 threads", "NVIDIA H200"; with the reason where another one refused
  double seconds = 0;
  Outcome outcome = Outcome::Done;
  std::string reason{};      ///< of another outcome, one sentence, where the report alone would not do
  bool reportWarns = false;  ///< whether the report, unless it is a brief one, has the warnings
  /// Whether the shell prints the first table where no output is named; else the report.
  bool printsTable = false;
  /// The text that the shell prints in the place of the report where no output is named; may be empty.
  std::function<std::string()> document{};
  /// What stands below the first lines and the quantities in the place of the tables, where those would not
  /// say it as well.
  std::string body{};
  /// The whole report, where it has grown while it was computed or is no report, as a single number.
  std::string report{};
  bool csvComments = true;  ///< whether CSV begins with lines that begin with '#'
  /// What was computed for Execution::jobs, in their order, with radial functions where there are some; of a
  /// search the set that it found.
  std::vector<std::shared_ptr<const JobResult>> results{};

  void warn(const std::string& id, const std::string& text) { warnings.push_back({id, text}); }
  void warn(const std::string& id, const std::vector<std::string>& texts) {
    for (const auto& text : texts) warn(id, text);
  }
  /// nullptr where there is none.
  const Quantity* find(const std::string& key) const;
};

/// What every JSON document of the program begins with: program, version, schema_version, operation, request.
Json envelope(const std::string& operation, const Json& request);

/// All of it, for every format: program, version, schema_version, operation, request, the quantities, the
/// tables, warnings, device, seconds.
Json recordJson(const Record& record);
/// The same but without the tables.
Json recordHead(const Record& record);
/// The first table behind lines that begin with '#', numbers as short as they are exact; what is not a number
/// is an empty field.
std::string recordCsv(const Record& record);

/// Lines that begin with '#': the title, the result and its error, warnings, where it was computed, other
/// quantities, the units of the first table.
std::string recordComments(const Record& record);
/// The same for people: aligned, with as many digits as the table has it; all rows unless the style says it.
std::string recordColumns(const Record& record, const ReportStyle& style = {});
/// The report for people. It begins with the result: what was computed, the values and what is known of their
/// errors (a record that does not say which they are has its first quantity there), how many warnings there
/// are with the first one, where it was computed and how long that took. The other quantities and the tables
/// follow.
std::string recordText(const Record& record, const ReportStyle& style = {});
/// What stands below a list that shows fewer rows than there are, "  ... and 12 more levels; --rows all lists
/// them"; empty where there are no more.
std::string moreRows(std::size_t all, std::size_t shown, const std::string& rows = "");
/// An HDF5 file with the columns of the first table and groups for the others, each column with the attribute
/// `unit`, and recordHead as the text `provenance`; `reproducible`: without device and seconds. Throws Error
/// without HDF5.
std::string recordHdf5(const Record& record, bool reproducible = false);
/// What such a file has, as bytes for this machine that need no library, which has one thread only.
std::string packedRecord(const Record& record, bool reproducible);
/// Writes these bytes, which begin where a double may, into a group.
void writePackedRecord(std::string_view packed, hdf5::Group& group);

/// What is said of a column, whatever its values.
struct ColumnKind {
  std::string key, unit, meaning{}, digits{};
};

/// A column with one value for each of `rows`: a number, which may be absent, a whole number or a text.
template <class Rows, class ValueOf>
Column columnOf(const Rows& rows, const ColumnKind& kind, const ValueOf& valueOf) {
  using Value = std::decay_t<decltype(valueOf(*std::begin(rows)))>;
  Column column{.key = kind.key,
                .unit = kind.unit,
                .meaning = kind.meaning,
                .digits = kind.digits,
                .whole = std::is_integral_v<Value>};
  if constexpr (std::is_convertible_v<Value, std::string>) {
    std::vector<std::string> texts;
    for (const auto& row : rows) texts.push_back(valueOf(row));
    column.values = std::move(texts);
  } else {
    Eigen::VectorXd numbers(static_cast<Eigen::Index>(rows.size()));
    Eigen::Index i = 0;
    for (const auto& row : rows) {
      const std::optional<double> value = valueOf(row);
      numbers(i++) = value.value_or(std::numeric_limits<double>::quiet_NaN());
    }
    column.values = std::move(numbers);
  }
  return column;
}

}  // namespace prophet
