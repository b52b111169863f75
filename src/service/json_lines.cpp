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
void addCorrections(const EnergyOutcome& outcome, nlohmann::ordered_json& json) {
  const std::vector<EnergyCorrection> corrections = outcome.corrections();
  for (const EnergyCorrection& part : corrections)
    json[part.kind == CorrectionKind::Breit ? "breit" : "qed"] =
        part.selfConsistent ? "self-consistent" : "first order";
  for (const EnergyCorrection& part : corrections) json[part.key()] = part.value;
  if (!corrections.empty())
    json["total_with_corrections"] = outcome.energy.total + firstOrderSum(corrections);
}

}  // namespace

std::string jsonLine(const EnergyOutcome& outcome) {
  nlohmann::ordered_json json;
  json["id"] = outcome.id;
  json["status"] = nameOf(outcome.status);
  if (!outcome.reason.empty()) json["reason"] = outcome.reason;
  if (outcome.status != EnergyStatus::Failed) {
    json["energy"] = outcome.energy.total;
    json["kinetic"] = outcome.energy.kinetic;
    json["nuclear"] = outcome.energy.nuclear;
    json["two_electron"] = outcome.energy.twoElectron;
    addCorrections(outcome, json);
    json["virial_ratio"] = outcome.virialRatio;
    json["iterations"] = outcome.iterations;
    for (const OrbitalEnergies& s : outcome.orbitals)
      json["orbital_energies"][s.symmetry.label()] = s.energies;
  }
  if (!outcome.remark.empty()) json["remark"] = outcome.remark;
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
