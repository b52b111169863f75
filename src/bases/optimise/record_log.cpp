#include "bases/optimise/record_log.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <utility>

#include "atoms/atom/nuclear_charge.hpp"
#include "bases/optimise/state_lines.hpp"
#include "core/common/error.hpp"
#include "core/common/file_handle.hpp"
#include "core/common/read_file.hpp"

namespace prophet {
RecordLog::RecordLog(const std::string& path, const std::string& title, bool resume) : path_(path) {
  if (path.empty()) return;
  if (title.empty() || title.find('\n') != std::string::npos) throw Error("a record's title is one line");
  open();
  readExisting(title, resume);
  if (lseek(file_.number(), 0, SEEK_END) == 0) append(title);
}

void RecordLog::open() {
  for (;;) {
    file_ = FileHandle(::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
    if (!file_.isOpen()) throw Error(path_ + ": cannot be written: " + std::strerror(errno));
    const bool locked = tryLock(file_);
    if (locked && isStillAt(file_, path_)) return;
    if (!locked) throw Error(path_ + ": another run is writing it; wait for that run to end, or stop it");
  }
}

void RecordLog::readExisting(const std::string& title, bool resume) {
  if (!isRegular(file_)) throw Error(path_ + ": is not a regular file; the state of a run needs one");
  const std::string text = readAll(file_, path_);
  if (!resume && !text.empty())
    throw Error(path_ + ": exists already; resume that run, or remove the file");
  RecordText record = parseRecord(text, title, path_);
  if (record.wholeBytes < text.size() && !cutTo(file_, record.wholeBytes))
    throw Error(path_ + ": cannot be cut to its last whole line: " + std::strerror(errno));
  earlier_ = std::move(record.lines);
}

void RecordLog::refuse(std::size_t line, const std::string& problem) const {
  throw Error(fmt::format("{}:{}: {}; remove the file to begin anew (a best set beside it stays)", path_,
                          line + 2, problem));
}

void RecordLog::append(const std::string& line) {
  if (path_.empty()) return;
  if (const auto cause = appendAtOnce(file_, line + "\n"))
    throw Error(fmt::format("{}: cannot be written: {}; make room and resume", path_, *cause));
}

namespace {

std::string occupationText(const SymmetryOccupation& s) {
  std::string text;
  for (const SpinorOccupation& spinor : s.spinors)
    text += fmt::format("{}{}:{}", text.empty() ? "" : "+", spinor.number, spinor.electrons);
  return text.empty() ? "0" : text;
}

std::string hamiltonianText(const Hamiltonian& h) {
  std::string text = fmt::format("c {}", h.speedOfLight);
  if (!h.isFourComponent()) text += " " + nameOf(h.oneElectron);
  if (h.hasBreit())
    text += fmt::format(" {} {}{}", nameOf(h.repulsion), static_cast<int>(h.breitTreatment),
                        h.breitFrequency ? " frequency" : "");
  if (h.qed.any())
    text += fmt::format(" qed {:d}{:d}{:d}{:d} {} {}", h.qed.vacuumPolarisation, h.qed.kallenSabry,
                        h.qed.wichmannKroll, h.qed.selfEnergy, static_cast<int>(h.qed.fit),
                        static_cast<int>(h.qedTreatment));
  if (h.shell.any()) text += fmt::format(" shell {} {}", h.shell.charge, h.shell.radius);
  return text;
}

}  // namespace

std::string fingerprint(const AtomProblem& problem) {
  const Nucleus& n = problem.nucleus;
  const Configuration& configuration = problem.configuration;
  std::string text =
      fmt::format("{}; nucleus {} {} {}", n.description(), static_cast<int>(n.model), n.charge, n.rms);
  for (const NuclearParameter& p : allNuclearParameters()) text += fmt::format(" {}", n.*p.value);
  text += fmt::format("; {}; spinors", configuration.description);
  for (const SymmetryOccupation& s : configuration.symmetries) text += " " + occupationText(s);
  if (configuration.hasOpenShells()) {
    text += "; pairs";
    const Eigen::MatrixXd& w = configuration.openPairWeights;
    for (Eigen::Index a = 0; a < w.rows(); ++a)
      for (Eigen::Index b = 0; b <= a; ++b)
        if (w(a, b) != 0.0) text += fmt::format(" {},{}:{}", a, b, w(a, b));
  }
  return text + "; " + hamiltonianText(problem.hamiltonian);
}

std::string fingerprint(const ScfOptions& o) {
  return fmt::format("scf {} {} {}; densities {} {} {}; energy {}; dependency {}", o.maxIterations,
                     static_cast<int>(o.extrapolation), o.damping, o.thresholdLL, o.thresholdSL,
                     o.thresholdSS, o.energyThreshold, o.dependencyThreshold);
}

}  // namespace prophet
