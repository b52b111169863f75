#include "service/json_lines.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "common/error.hpp"

namespace prophet {
namespace {

std::string readAll(int file, const std::string& path) {
  std::string content;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = ::read(file, buffer, sizeof buffer);
    if (count < 0) throw Error(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
    if (count == 0) return content;
    content.append(buffer, static_cast<std::size_t>(count));
  }
}

/// id of a whole line; empty where it is not one.
std::string idOfLine(const std::string& line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object()) return "";
  const auto id = json.find("id");
  return id != json.end() && id->is_string() ? id->get<std::string>() : "";
}

/// Takes the texts of a line's first level and stops at the first number, which comes after them.
class HeadReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  LineHead head;

  bool key(string_t& name) override {
    target_ = name == "id"       ? &head.id
              : name == "status" ? &head.status
              : name == "reason" ? &head.reason
                                 : nullptr;
    return target_ != nullptr;
  }
  bool string(string_t& text) override {
    if (target_) *target_ = text;
    return target_ != nullptr;
  }
  bool start_object(std::size_t) override { return true; }
  bool null() override { return false; }
  bool boolean(bool) override { return false; }
  bool number_integer(number_integer_t) override { return false; }
  bool number_unsigned(number_unsigned_t) override { return false; }
  bool number_float(number_float_t, const string_t&) override { return false; }
  bool binary(binary_t&) override { return false; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return false; }
  bool end_array() override { return false; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  std::string* target_ = nullptr;
};

/// As the JSON of a single run has them (docs/json.md).
void addCorrections(const EnergyBreakdown& energy, nlohmann::ordered_json& json) {
  const std::vector<EnergyPart> corrections = correctionsOf(energy);
  for (const EnergyPart& part : corrections)
    json[isBreit(part.id) ? "breit" : "qed"] =
        part.treatment == Treatment::SelfConsistent ? "self-consistent" : "first order";
  if (!corrections.empty()) json["total_with_corrections"] = energy.withCorrections();
}

}  // namespace

std::string jsonLine(const std::string& id, const Result& result) {
  nlohmann::ordered_json json;
  json["id"] = id;
  json["status"] = nameOf(result.status);
  if (!result.reason.empty()) json["reason"] = result.reason;
  json["schema_version"] = kJsonLinesSchema;
  if (result.status != Status::Failed) {
    json["energy"] = result.energy.total;
    for (const EnergyPart& part : result.energy.parts) json[keyOf(part.id)] = part.value;
    addCorrections(result.energy, json);
    json["virial_ratio"] = result.virialRatio;
    json["iterations"] = result.iterations;
    for (const Spinor& s : result.spinors) json["orbital_energies"][s.symmetry.label()].push_back(s.energy);
  }
  for (const Warning& w : result.warnings) json["warnings"].push_back({{"id", w.id}, {"text", w.text}});
  if (!result.provenance.remark.empty()) json["remark"] = result.provenance.remark;
  // A reason may quote text of an input file that is not UTF-8: replaced rather than thrown at.
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

LineHead headOf(const std::string& line) {
  HeadReader reader;
  nlohmann::json::sax_parse(line, &reader);
  return std::move(reader.head);
}

JsonLinesFile::JsonLinesFile(const std::string& path, bool resume) : path_(path) {
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) throw Error(fmt::format("cannot open {}: {}", path, std::strerror(errno)));
  try {
    requireRegularFile();
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      throw Error(
          fmt::format("{} is being written by another run; wait for it or choose another file", path));
    }
    readExisting(resume);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

JsonLinesFile::~JsonLinesFile() { ::close(file_); }

void JsonLinesFile::requireRegularFile() const {
  struct stat status {};
  if (::fstat(file_, &status) == 0 && S_ISREG(status.st_mode)) return;
  throw Error(fmt::format("{} is not a regular file; a batch reads its output again, so name a file", path_));
}

void JsonLinesFile::readExisting(bool resume) {
  const std::string content = readAll(file_, path_);
  if (content.empty()) return;
  if (!resume) {
    throw Error(
        fmt::format("{} exists; continue it with --resume, remove it, or choose another file", path_));
  }
  std::size_t start = 0;
  for (int number = 1;; ++number) {
    const std::size_t end = content.find('\n', start);
    if (end == std::string::npos) break;
    const std::string id = idOfLine(content.substr(start, end - start));
    if (id.empty()) {
      throw Error(fmt::format("{}:{}: not a line of a batch run; remove the line, or choose another file",
                              path_, number));
    }
    ids_.insert(id);
    start = end + 1;
  }
  if (start < content.size() && ::ftruncate(file_, static_cast<off_t>(start)) != 0) {
    throw Error(fmt::format("cannot cut the partial last line off {}: {}", path_, std::strerror(errno)));
  }
}

void JsonLinesFile::append(const std::string& lines) {
  ssize_t written;
  do {
    written = ::write(file_, lines.data(), lines.size());
  } while (written < 0 && errno == EINTR);
  if (written == static_cast<ssize_t>(lines.size())) return;
  const std::string cause = written < 0 ? std::strerror(errno) : "no space left";
  // What did reach the file is a partial last line, which --resume cuts off.
  throw Error(fmt::format("cannot write {}: {}; make room and continue with --resume", path_, cause));
}

}  // namespace prophet
