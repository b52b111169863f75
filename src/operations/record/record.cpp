#include "operations/record/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/common/csv.hpp"
#include "core/common/index.hpp"
#include "core/common/json_text.hpp"
#include "core/common/text.hpp"
#include "core/common/version.hpp"
#include "core/hdf5/hdf5_group.hpp"
#include "operations/record/record_formats.hpp"

namespace prophet {
namespace {

constexpr std::size_t kReportWidth = 110;  // of lines, where words let them

Json numberJson(double value, bool whole) {
  if (!std::isfinite(value)) return {};
  return whole ? Json(std::llround(value)) : Json(value);
}

/// The values of a column, complex numbers and vectors as lists of theirs.
Json listJson(const Column& c) {
  if (c.isText()) return c.texts();
  const bool isPlain = std::holds_alternative<Eigen::VectorXd>(c.values);
  const std::vector<Column> parts = c.parts();
  Json list = Json::array();
  for (Eigen::Index i = 0; i < c.size(); ++i) {
    Json item = Json::array();
    for (const Column& part : parts) item.push_back(numberJson(part.numbers()(i), part.whole));
    list.push_back(isPlain ? std::move(item[0]) : std::move(item));
  }
  return list;
}

Json tableJson(const Table& table) {
  Json columns = Json::object();
  for (const Column& c : table.columns) columns[c.key] = listJson(c);
  if (table.layout != Table::Layout::Rows) return columns;
  Json rows = Json::array();
  for (std::size_t i = 0; i < usize(table.rows()); ++i) {
    Json row = Json::object();
    for (auto& [key, list] : columns.items()) row[key] = std::move(list[i]);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string cellCsv(const Column& c, Eigen::Index row) {
  if (c.isText()) return csvField(c.texts()[row]);
  const double value = c.numbers()(row);
  return std::isnan(value) ? "" : fmt::format("{}", value);
}

/// A comment takes one line.
std::string oneLine(const std::string& text) {
  std::string line = utf8(text);
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return line;
}

std::vector<Column> partsOf(const Table& table) {
  std::vector<Column> all;
  for (const Column& c : table.columns)
    for (Column& part : c.parts()) all.push_back(std::move(part));
  return all;
}

/// The table without the columns that the report leaves out.
Table shownOf(const Table& table) {
  Table shown = table;
  std::erase_if(shown.columns, [](const Column& c) { return c.digits == "-"; });
  return shown;
}

/// `wanted`: rows; empty: as many as the table says.
std::string tableText(const Table& table, const std::optional<Eigen::Index>& wanted) {
  const std::vector<Column> columns = partsOf(table);
  const Eigen::Index rows = std::min(table.rows(), wanted.value_or(table.mostRows));
  std::vector<std::vector<std::string>> lines(usize(rows) + 1);
  for (const Column& column : columns) {
    const std::string format = column.digits.empty() ? "{:.8g}" : column.digits;
    const bool pure = column.unit.empty() || column.unit == "1";
    const std::string name = column.label.empty() ? column.key : column.label;
    lines[0].push_back(pure ? name : name + " (" + column.unit + ")");
    for (Eigen::Index i = 0; i < rows; ++i) {
      const double value = column.isText() ? 0 : column.numbers()(i);
      lines[usize(i) + 1].push_back(column.isText()     ? column.texts()[i]
                                    : std::isnan(value) ? "-"
                                                        : fmt::format(fmt::runtime(format), value));
    }
  }
  std::string text;
  for (const auto& line : lines) {
    std::string row;
    for (std::size_t c = 0; c < line.size(); ++c) {
      std::size_t width = 0;
      for (const auto& other : lines) width = std::max(width, other[c].size());
      row += columns[c].isText() ? fmt::format("  {:<{}}", line[c], width)
                                 : fmt::format("  {:>{}}", line[c], width);
    }
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text + moreRows(usize(table.rows()), usize(rows));
}

/// What the columns are in, "q in 1/angstrom; Fe to Fe3+ in electrons".
std::string unitsOf(const std::vector<Column>& columns) {
  constexpr std::size_t kSeveral = 4;
  std::string text;
  for (std::size_t c = 0; c < columns.size();) {
    std::size_t same = c + 1;
    while (same < columns.size() && columns[same].unit == columns[c].unit) ++same;
    if (same - c < kSeveral) same = c + 1;
    if (!columns[c].unit.empty() && columns[c].unit != "1")
      text += (text.empty() ? "" : "; ") + columns[c].key +
              (same == c + 1 ? "" : " to " + columns[same - 1].key) + " in " + columns[c].unit;
    c = same;
  }
  return text;
}

}  // namespace

std::string recordComments(const Record& record) {
  fmt::memory_buffer out;
  const auto end = fmt::appender(out);
  using Place = Quantity::Place;
  const auto add = [&](Place first, Place second) {
    for (const Quantity& q : record.quantities)
      if (!q.shown.empty() && (q.place == first || q.place == second))
        fmt::format_to(end, "# {}: {}\n", q.label, oneLine(q.shown));
  };
  fmt::format_to(end, "# CUDAProphet {}: {}\n", kVersion, oneLine(record.title));
  add(Place::Result, Place::Result);
  add(Place::Accuracy, Place::Accuracy);
  for (const RecordWarning& w : record.warnings) fmt::format_to(end, "# WARNING: {}\n", oneLine(w.text));
  if (record.warnings.empty()) fmt::format_to(end, "# warnings: none\n");
  if (!record.device.empty()) fmt::format_to(end, "# computed on: {}\n", oneLine(record.device));
  add(Place::Body, Place::Details);
  const std::string units = record.tables.empty() ? "" : unitsOf(partsOf(record.tables.front()));
  if (!units.empty()) fmt::format_to(end, "# {}\n", units);
  return fmt::to_string(out);
}

Eigen::Index Column::size() const {
  return std::visit(
      [](const auto& list) {
        if constexpr (std::is_same_v<std::decay_t<decltype(list)>, std::vector<std::string>>)
          return static_cast<Eigen::Index>(list.size());
        else
          return static_cast<Eigen::Index>(list.rows());
      },
      values);
}

std::vector<Column> Column::parts() const {
  const auto part = [&](const char* suffix, Eigen::VectorXd numbers) {
    return Column{.key = key + "_" + suffix,
                  .unit = unit,
                  .values = std::move(numbers),
                  .digits = digits,
                  .label = label.empty() ? "" : label + " " + suffix};
  };
  if (const auto* complex = std::get_if<Eigen::VectorXcd>(&values))
    return {part("re", complex->real()), part("im", complex->imag())};
  if (const auto* vectors = std::get_if<Eigen::MatrixX3d>(&values))
    return {part("x", vectors->col(0)), part("y", vectors->col(1)), part("z", vectors->col(2))};
  return {*this};
}

const Column* Table::find(const std::string& column) const {
  for (const Column& c : columns)
    if (c.key == column) return &c;
  return nullptr;
}

const Quantity* Record::find(const std::string& key) const {
  for (const Quantity& q : quantities)
    if (q.key == key) return &q;
  return nullptr;
}

Json envelope(const std::string& operation, const Json& request) {
  return {{"program", "CUDAProphet"},
          {"version", kVersion},
          {"schema_version", kRecordSchema},
          {"operation", operation},
          {"request", request}};
}

Json recordHead(const Record& record) {
  Json json = envelope(record.operation, record.request);
  for (const Quantity& q : record.quantities)
    if (!q.key.empty()) json[q.key] = q.value;
  json["device"] = record.device;
  json["seconds"] = record.seconds;
  json["warnings"] = Json::array();
  for (const RecordWarning& w : record.warnings) json["warnings"].push_back({{"id", w.id}, {"text", w.text}});
  return withUtf8(json);
}

Json recordJson(const Record& record) {
  Json json = recordHead(record);
  for (const Table& table : record.tables) {
    if (table.layout == Table::Layout::Quantity) continue;
    Json columns = withUtf8(tableJson(table));
    if (table.layout == Table::Layout::Top) {
      json.update(columns);
    } else {
      json[table.key] = std::move(columns);
    }
  }
  return json;
}

std::string recordColumns(const Record& record, const ReportStyle& style) {
  if (record.tables.empty()) return recordComments(record);
  Table table = record.tables.front();
  for (Column& c : table.columns) c.unit.clear();  // a comment says them
  return recordComments(record) + tableText(table, style.rows.value_or(table.rows()));
}

std::string recordCsv(const Record& record) {
  fmt::memory_buffer out;
  const auto end = fmt::appender(out);
  if (record.csvComments) fmt::format_to(end, "{}", recordComments(record));
  if (record.tables.empty()) return fmt::to_string(out);
  std::vector<Column> columns = partsOf(record.tables.front());
  // Errors that the report leaves out stand in the other formats.
  std::erase_if(columns, [](const Column& c) { return c.key == "error" && c.digits == "-"; });
  for (std::size_t c = 0; c < columns.size(); ++c)
    fmt::format_to(end, "{}{}", c == 0 ? "" : ",", csvField(columns[c].key));
  out.push_back('\n');
  for (Eigen::Index i = 0; i < record.tables.front().rows(); ++i) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      fmt::format_to(end, "{}{}", c == 0 ? "" : ",", cellCsv(columns[c], i));
    out.push_back('\n');
  }
  return fmt::to_string(out);
}

std::string moreRows(std::size_t all, std::size_t shown, const std::string& rows) {
  if (all <= shown) return "";
  return fmt::format("  ... and {} more{}; --rows all lists them\n", all - shown,
                     rows.empty() ? "" : " " + rows);
}

namespace {

using Place = Quantity::Place;

/// A line of a report.
struct LabelledLine {
  std::string label, value;
};

std::string warningsText(const std::vector<RecordWarning>& warnings) {
  if (warnings.empty()) return "none";
  if (warnings.size() == 1) return warnings.front().text;
  return fmt::format("{}, the first: {}", warnings.size(), warnings.front().text);
}

/// "CPU, 2 threads; 0.01 s".
std::string placeText(const Record& record) {
  const std::string time = fmt::format("{:.{}f} s", record.seconds, record.seconds < 10 ? 2 : 0);
  return record.device.empty() ? time : record.device + "; " + time;
}

/// Each warning from number `first` on.
std::vector<LabelledLine> warningsFrom(std::size_t first, const Record& record) {
  std::vector<LabelledLine> lines;
  for (std::size_t i = first; i < record.warnings.size(); ++i)
    lines.push_back(
        {fmt::format("warning {} of {}", i + 1, record.warnings.size()), record.warnings[i].text});
  return lines;
}

/// Whether a report begins with all warnings, because nobody else says them, or ends with all but the first.
bool beginsWithWarnings(const Record& record) { return record.reportWarns || record.warnings.size() < 2; }

/// How many there are and the first one, or each.
void addWarnings(const Record& record, std::vector<LabelledLine>& lines) {
  const std::size_t count = record.warnings.size();
  if (!record.reportWarns || count < 2) {
    lines.push_back({count == 1 ? "warning" : "warnings", warningsText(record.warnings)});
    return;
  }
  for (LabelledLine& line : warningsFrom(0, record)) lines.push_back(std::move(line));
}

/// What a report begins with, below its title. `first`: the quantity that stands for the result where none is
/// one; may be nullptr.
std::vector<LabelledLine> firstLines(const Record& record, const Quantity* first) {
  std::vector<LabelledLine> lines;
  const auto add = [&](Place place) {
    for (const Quantity& q : record.quantities)
      if (!q.shown.empty() && (q.place == place || &q == first)) lines.push_back({q.label, q.shown});
  };
  add(Place::Result);
  first = nullptr;
  add(Place::Accuracy);
  addWarnings(record, lines);
  lines.push_back({"computed on", placeText(record)});
  return lines;
}

/// What a record begins with that does not say what its result is.
const Quantity* firstOf(const Record& record) {
  const auto shown = [](const Quantity& q) { return !q.shown.empty() && q.place == Place::Body; };
  if (std::ranges::any_of(record.quantities, [](const Quantity& q) { return q.place == Place::Result; }))
    return nullptr;
  const auto found = std::ranges::find_if(record.quantities, shown);
  return found == record.quantities.end() ? nullptr : &*found;
}

}  // namespace

std::string recordText(const Record& record, const ReportStyle& style) {
  if (!record.report.empty()) return record.report;
  const Quantity* const first = firstOf(record);
  const std::vector<LabelledLine> head = firstLines(record, first);
  std::vector<LabelledLine> below;
  for (const Quantity& q : record.quantities)
    if (!q.shown.empty() && &q != first &&
        (q.place == Place::Body || (style.verbose && q.place == Place::Details)))
      below.push_back({q.label, q.shown});
  std::size_t width = 20;
  for (const std::vector<LabelledLine>* lines : {&head, &std::as_const(below)})
    for (const LabelledLine& line : *lines) width = std::max(width, line.label.size());
  const auto text = [&](const std::vector<LabelledLine>& lines) {
    std::string all;
    for (const LabelledLine& line : lines) {
      const std::size_t room = kReportWidth - width - 5;
      const std::string value = style.spelled ? style.spelled(line.value) : line.value;
      all += fmt::format("  {:<{}}   {}\n", line.label, width,
                         value.size() > room ? wrapped(value, room, std::string(width + 5, ' ')) : value);
    }
    return all;
  };
  std::string report = record.title + "\n\n" + text(head);
  if (!below.empty()) report += "\n" + text(below);
  if (!record.body.empty()) report += record.body;
  for (const Table& table : record.tables)
    if (record.body.empty() && table.mostRows > 0) report += "\n" + tableText(shownOf(table), style.rows);
  // A report may be all that is kept of a run, in a file.
  if (!beginsWithWarnings(record)) report += "\n" + text(warningsFrom(1, record));
  return report;
}

namespace {

/// The alignment of numbers in packed records: texts and heads end at a multiple of it.
constexpr std::size_t kAligned = sizeof(double);

std::size_t aligned(std::size_t size) { return (size + kAligned - 1) / kAligned * kAligned; }

/// Calls f with a column, or with its parts where it is neither of numbers nor of texts.
template <class F>
void eachPart(const Column& column, F f) {
  if (column.isText() || std::holds_alternative<Eigen::VectorXd>(column.values)) return f(column);
  for (const Column& part : column.parts()) f(part);
}

}  // namespace

std::string packedRecord(const Record& record, bool reproducible) {
  Json provenance = recordHead(record);
  if (reproducible)
    for (const char* key : {"device", "seconds"}) provenance.erase(key);
  Json head{{"provenance", jsonText(provenance, 1)}, {"tables", Json::array()}};
  std::string numbers;
  std::size_t size = 0;
  for (const Table& table : record.tables)
    size += usize(table.rows()) * table.columns.size() * sizeof(double);
  numbers.reserve(size);
  for (const Table& table : record.tables) {
    Json columns = Json::array();
    for (const Column& column : table.columns)
      eachPart(column, [&](const Column& c) {
        std::size_t width = 0;  // of numbers
        if (c.isText()) {
          width = 1;
          for (const std::string& text : c.texts()) width = std::max(width, text.size());
          for (const std::string& text : c.texts()) numbers.append(text).append(width - text.size(), '\0');
          numbers.resize(aligned(numbers.size()));
        } else {
          numbers.append(reinterpret_cast<const char*>(c.numbers().data()), usize(c.size()) * sizeof(double));
        }
        columns.push_back({c.key, c.unit, c.size(), width});
      });
    head["tables"].push_back({table.key, columns});
  }
  std::string packed = jsonText(head);
  packed.resize(aligned(packed.size() + 1) - 1, ' ');
  packed.reserve(packed.size() + 1 + numbers.size());
  return packed.append("\n").append(numbers);
}

void writePackedRecord(std::string_view packed, hdf5::Group& group) {
  std::size_t at = packed.find('\n') + 1;
  const Json head = Json::parse(packed.substr(0, at));
  const auto take = [&](std::size_t size) {
    const std::string_view bytes = packed.substr(at, size);
    at = aligned(at + size);
    return bytes;
  };
  bool isFirst = true;
  for (const Json& table : head["tables"]) {
    std::optional<hdf5::Group> own;
    if (!isFirst) own.emplace(group.create(table[0].get<std::string>()));
    isFirst = false;
    for (const Json& column : table[1]) {
      const std::string key = column[0];
      const std::size_t rows = column[2], width = column[3];
      hdf5::Group& to = own ? *own : group;
      if (width > 0)
        to.writePadded(key, take(rows * width), width);
      else
        to.write(key, {reinterpret_cast<const double*>(take(rows * sizeof(double)).data()), rows},
                 column[1].get<std::string>());
    }
  }
  group.writeText("provenance", head["provenance"].get<std::string>());
}

std::string recordHdf5(const Record& record, bool reproducible) {
  const std::string packed = packedRecord(record, reproducible);
  const auto locked = hdf5::lock();
  hdf5::File file;
  hdf5::Group root = file.root();
  writePackedRecord(packed, root);
  return file.image();
}

RecordFormat jsonFormat() {
  return {
      "json", {".json"}, "write everything as JSON to this file", false, false, "", [](const Record& record) {
        constexpr Eigen::Index kLongTable = 1000;  // on one line
        const bool isLong = !record.tables.empty() && record.tables.front().rows() > kLongTable;
        return jsonText(recordJson(record), isLong ? -1 : 1) + "\n";
      }};
}

RecordFormat csvFormat() {
  return {"csv", {".csv"}, "write the table as CSV to this file", true, false, "", recordCsv};
}

RecordFormat hdf5Format() {
  return {"hdf5",
          {".h5", ".hdf5"},
          "write the columns as an HDF5 file",
          true,
          true,
          hdf5::isAvailable() ? "" : hdf5::kNotBuilt,
          [](const Record& record) { return recordHdf5(record); }};
}

}  // namespace prophet
