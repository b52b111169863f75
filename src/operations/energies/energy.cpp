#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "atoms/calculation/compute.hpp"
#include "atoms/properties/density.hpp"
#include "atoms/properties/properties.hpp"
#include "core/common/constants.hpp"
#include "core/common/csv.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"
#include "core/common/version.hpp"
#include "core/hdf5/hdf5_group.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/job_operation.hpp"
#include "operations/catalogue/nuclear_moments.hpp"
#include "operations/catalogue/restart.hpp"
#include "operations/energies/proatom.hpp"
#include "operations/input/keywords.hpp"
#include "operations/jobs/backend_choice.hpp"
#include "operations/jobs/job_warnings.hpp"
#include "operations/jobs/result_record.hpp"
#include "operations/record/json_report.hpp"
#include "operations/record/report.hpp"

namespace prophet {
namespace {

/// What stands beside the keywords of an energy or a limit.
struct EnergyOptions : NuclearMoments {
  bool properties = false, verifyGrid = false, noErrorEstimate = false, check = false;
  std::string orbitals, orbitalGrid, proatom, hdf5, restart;
};

RequestTable<EnergyOptions> energyTable(JobType type) {
  using O = EnergyOptions;
  RequestTable<O> t;
  t.add("properties", &O::properties,
        "print <r^k>, density at the nucleus, spin-orbit splittings and hyperfine integrals");
  addNuclearMoments(t);
  t.add("orbitals", &O::orbitals, "write density, potentials, P and Q of all spinors to this file as CSV")
      .isFile(FileUse::Write);
  t.add("proatom", &O::proatom,
        "write the spherical density to this file for programs that divide molecules into atoms: .rad for "
        "Multiwfn, .msg for AtomDB")
      .isFile(FileUse::WriteBinary);
  t.add("orbital_grid", &O::orbitalGrid,
        "radii of the orbitals and of a proatom in bohr: START:STOP:COUNT (logarithmic), or a file with one "
        "radius on each line")
      .called("GRID")
      .isFile(FileUse::ReadIfThere)
      .onlyWith({"orbitals", "proatom"});
  t.add("hdf5", &O::hdf5, "write the result with its spinors to this HDF5 file").isFile(FileUse::WriteBinary);
  if (type == JobType::Energy) {
    t.add("restart", &O::restart,
          "start from the spinors of this HDF5 file (FILE:ID for one of several); hdf5 may name the same "
          "file, which is then replaced at the end")
        .isFile(FileUse::ReadResult);
    t.add("verify_grid", &O::verifyGrid,
          "repeat the energy on a finer grid and with analytic integrals, and compare");
    t.add("no_error_estimate", &O::noErrorEstimate, "do not estimate the error of the basis set");
  }
  t.add("check", &O::check, "only check the input; compute nothing")
      .notWith({"properties", "orbitals", "proatom", "hdf5", "verify_grid"});
  t.afterwards([](const O& o) {
    if (o.any() && !o.properties)
      throw SettingError(o.moment ? "moment" : "quadrupole", "requires properties=");
    if (!o.proatom.empty()) ofSetting("proatom", [&] { return proatomFormatOf(o.proatom); });
    for (const auto& [setting, file] : {std::pair("hdf5", o.hdf5), std::pair("restart", o.restart)})
      if (!file.empty() && !hasResultFiles()) throw SettingError(setting, hdf5::kNotBuilt);
  });
  return t;
}

/// Whether such a column beside r says nothing of the radii: numbers and weights of points, and what files of
/// --orbitals and --proatom have.
bool isBesideRadii(const std::string& name) {
  for (const char* known : {"n", "i", "index", "weight", "w"})
    if (name == known) return true;
  if (name.starts_with("P_") || name.starts_with("Q_")) return true;
  return name.starts_with("density") || name.find("potential") != std::string::npos;
}

/// The column of radii by the names of the columns; what else the file has must be known, as another unit of
/// the radii may be meant. Throws Error.
std::size_t columnOfRadii(const std::vector<std::string>& names) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = trimmed(names[i]);
    bool isRadius = false;
    for (const char* radius : {"r", "radius", "r_bohr", "radius_bohr", "r (bohr)", "r [bohr]", "r/bohr"})
      isRadius = isRadius || lowerCase(name) == radius;
    if (isRadius && found)
      throw Error(
          fmt::format("'{}' and '{}' are both columns of radii; keep one", trimmed(names[*found]), name));
    if (isRadius) found = i;
    if (!isRadius && !isBesideRadii(name))
      throw Error(
          fmt::format("unknown column '{}'; expected one called r, in bohr, alone or with the columns of "
                      "--orbitals",
                      name));
  }
  if (!found)
    throw Error(fmt::format("its columns are {}; expected one called r, in bohr", fmt::join(names, ", ")));
  return *found;
}

/// A radius on each line; several columns need their names.
Eigen::VectorXd radiiOfFile(const std::string& path) {
  std::vector<double> radii;
  std::size_t column = 0, columns = 1;
  const std::vector<CsvRow> rows = readCsv(path);
  for (const CsvRow& row : rows) {
    if (&row == &rows.front() && !parseDouble(trimmed(row.fields.front()))) {
      column = columnOfRadii(row.fields);
      columns = row.fields.size();
      continue;
    }
    const std::string field = trimmed(row.fields[std::min(column, row.fields.size() - 1)]);
    const std::optional<double> r = parseDouble(field);
    if (row.fields.size() != columns)
      throw Error(fmt::format(
          "line {}: found {} field{}; expected {}", row.line, row.fields.size(),
          row.fields.size() == 1 ? "" : "s",
          columns > 1 ? fmt::format("{} as in the names of the columns", columns)
                      : "one radius, with a decimal point, or several columns below their names"));
    if (!r || !(*r >= 0) || !std::isfinite(*r))
      throw Error(fmt::format("line {}: '{}' is not a radius in bohr", row.line, field));
    radii.push_back(*r);
  }
  if (radii.empty()) throw Error("there are no radii in it");
  return Eigen::Map<Eigen::VectorXd>(radii.data(), static_cast<Eigen::Index>(radii.size()));
}

Eigen::VectorXd orbitalRadii(const std::string& text) {
  if (text.empty()) return {};
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() == 3) {
    const auto start = parseDouble(parts[0]), stop = parseDouble(parts[1]), count = parseDouble(parts[2]);
    if (start && stop && count) {
      if (*count != std::floor(*count) || !(std::abs(*count) < 1e9))
        throw Error("COUNT is a whole number, not '" + parts[2] + "'");
      return logarithmicRadii(*start, *stop, static_cast<int>(*count));
    }
  }
  try {
    return radiiOfFile(text);
  } catch (const ResourceError&) {
    throw;
  } catch (const Error& e) {
    throw Error(fmt::format("expected START:STOP:COUNT or a file of radii; '{}': {}", text, e.what()));
  }
}

std::string verdict(const Calculation& c, const Result& result) {
  if (result.ok()) return "converged";
  if (result.status == Status::Unbound) return "NOT BOUND: " + result.reason;
  if (c.isLimit()) {
    return fmt::format(
        "NOT CONVERGED within {} iterations (maxitr): the energy is not reliable. Raise maxitr",
        c.limit().maxIterations);
  }
  return fmt::format(
      "NOT CONVERGED after {} iterations (maxitr {}): the energy is not reliable. Raise maxitr, "
      "or try ixtrp=0 with a larger dfctr",
      result.iterations, c.inBasis().scf.maxIterations);
}

/// The properties as a section of the text report, without the values of single spinors.
std::string reportProperties(const Properties& p) {
  std::string text = textRule("Properties");
  for (const PropertyTable& table : p.tables) {
    for (const auto& [key, value] : table.lines) text += keyValue(key, value);
  }
  return text + warningLines(p.warnings);
}

/// Hyperfine constants of one electron in each open spinor with the nucleus' moments.
std::string hyperfineLines(const Properties& p, const NuclearMoments& nucleus) {
  std::string text;
  for (const HyperfineIntegrals& h : p.hyperfine) {
    const auto a = nucleus.magnetic(h.magneticConstant), b = nucleus.electric(h.quadrupoleConstant);
    if (!a && !b) continue;
    text += keyValue("of the nucleus, " + h.label, (a ? fmt::format("A {:.6g} MHz", *a) : "") +
                                                       (a && b ? "; " : "") +
                                                       (b ? fmt::format("B {:.6g} MHz", *b) : ""));
  }
  return text;
}

/// Hundredths of a limit's work that are done: half of it for each resolution, there as the logarithm of the
/// residual falls.
class LimitShare {
 public:
  std::size_t after(const LimitStep& step) {
    if (step.resolution != resolution_) first_ = 0;
    resolution_ = step.resolution;
    first_ = std::max(first_, step.residual);
    const double whole = std::log(first_ / step.threshold);
    const double done = whole > 0 ? std::log(first_ / step.residual) / whole : 1.0;
    const auto share = static_cast<std::size_t>(50.0 * (resolution_ - 1 + std::clamp(done, 0.0, 1.0)));
    return shown_ = std::max(shown_, share);  // on a larger mesh it begins again
  }

 private:
  int resolution_ = 1;
  double first_ = 0;
  std::size_t shown_ = 0;
};

/// A GPU that was asked for and would not be used must not be passed over in silence.
void requireUseOfGpu(const Calculation& c, const Execution& e) {
  if (c.isLimit() && e.backend == BackendRequest::Cuda)
    throw Error("backend cuda: jobtype='limit' runs on the CPU; omit the backend");
  if (e.devices.empty()) return;
  if (e.devices.size() > 1) throw SettingError("device", "one calculation runs on one GPU");
  if (c.isLimit()) throw SettingError("device", "jobtype='limit' runs on the CPU; omit the device");
  if (c.inBasis().fock == FockKind::Grid)
    throw SettingError("device",
                       "one calculation on the grid runs on the CPU; use fock='stored', 'stse' or 'mtse', or "
                       "omit the device");
}

/// What the outputs need beside the energy.
void askForOutputs(const EnergyOptions& o, const Execution& e, Calculation& c) {
  if (c.isLimit()) return;
  c.inBasis().estimateError = !o.noErrorEstimate;
  c.inBasis().keepSpinors = o.properties || !e.jobs.empty() || !e.reportOnly || !o.hdf5.empty() ||
                            !o.orbitals.empty() || !o.proatom.empty();
}

Result computed(ResolvedJob& job, const Execution& e, StoredSolver* gpu, const ScfObserver& observer) {
  Resources resources{e.threadsOrAll(), gpu, e.checkpoint};
  resources.hostIfGpuFails = e.backend == BackendRequest::Automatic;
  LimitShare share;
  if (job.calculation.isLimit()) {
    e.show({"%", 0, 100, "iteration 1"});
    resources.limitObserver = [&](const LimitStep& step) {
      e.show({"%", share.after(step), 100, fmt::format("iteration {}", step.iteration)});
    };
  }
  Result result = compute(job.calculation, resources, observer);
  addJobWarnings(job, result);
  return result;
}

/// The same as the quantity `orbitals`.
Table spinorTable(const Result& r) {
  using S = const Spinor&;
  return {
      "spinors",
      {columnOf(r.spinors, {"spinor", "", "label such as `2p3/2`"}, [](S s) { return s.label(); }),
       columnOf(r.spinors, {"n", "1", "principal quantum number"},
                [](S s) { return static_cast<double>(s.n); }),
       columnOf(r.spinors, {"l", "1", "l of the large component"},
                [](S s) { return static_cast<double>(s.symmetry.l()); }),
       columnOf(r.spinors, {"two_j", "1", "2 j"}, [](S s) { return static_cast<double>(s.symmetry.twoJ()); }),
       columnOf(r.spinors, {"kappa", "1", "quantum number kappa"},
                [](S s) { return static_cast<double>(s.symmetry.kappa); }),
       columnOf(r.spinors, {"occupation", "1", "number of electrons"}, [](S s) { return s.occupation; }),
       columnOf(r.spinors, {"energy_hartree", "hartree", "energy of the spinor"},
                [](S s) { return s.energy; }),
       columnOf(r.spinors, {"mean_radius", "bohr", "<r>"}, [](S s) { return s.meanRadius; }),
       columnOf(r.spinors, {"mean_square_radius", "bohr^2", "<r^2>"}, [](S s) { return s.meanSquareRadius; }),
       columnOf(r.spinors, {"mean_inverse_radius", "1/bohr", "<1/r>"},
                [](S s) { return s.meanInverseRadius; })},
      Table::Layout::Quantity};
}

/// The same as the quantity `energy_parts`.
Table partTable(const EnergyBreakdown& energy) {
  return {"parts",
          {columnOf(energy.parts, {"part", "", "part of the energy"},
                    [](const EnergyPart& p) { return keyOf(p.id); }),
           columnOf(energy.parts, {"part_hartree", "hartree", "its value"},
                    [](const EnergyPart& p) { return p.value; })},
          Table::Layout::Quantity};
}

void addData(const ResolvedJob& job, const Result& result, Record& record) {
  const Json json = resultJson(job, result);
  for (const auto& [key, value] : json.items()) {
    if (key == "warnings") {
      for (const Json& w : value) record.warn(w["id"], w["text"].get<std::string>());
    } else if (key != "device" && key != "seconds") {
      record.quantities.push_back({key, "", value});
    }
  }
  record.tables = {spinorTable(result), partTable(result.energy)};
}

/// What the report begins with, and what was computed.
void addReport(const ResolvedJob& job, const Result& r, const std::string& start, Record& record) {
  using Place = Quantity::Place;
  const auto add = [&](const std::string& label, const std::string& shown, Place place = Place::Body) {
    record.quantities.push_back({"", label, {}, shown, place});
  };
  const auto energy = [](double value) {
    return fmt::format("{:.10f} hartree ({:.4f} eV)", value, value * constants::kElectronvoltsPerHartree);
  };
  const AtomProblem& problem = job.calculation.problem;
  const Hamiltonian& h = problem.hamiltonian;
  if (!r.ok()) add("status", verdict(job.calculation, r), Place::Result);
  if (r.energy.hasCorrections())
    add("with all corrections", energy(r.energy.withCorrections()), Place::Result);
  add("total energy", energy(r.energy.total), Place::Result);
  // That an energy is an average belongs to the number.
  const bool isOpen = problem.configuration.hasOpenShells();
  if (isOpen) add("energy of", energyMeaning(problem), Place::Result);
  const std::string error = errorText(r);
  add(r.limit ? "estimated error" : "basis-set error", error.empty() ? "not known" : error, Place::Accuracy);
  if (job.job.title != job.job.file) add("title", job.job.title);
  add("input", job.job.file, job.job.file.ends_with(".inp") ? Place::Body : Place::Details);
  if (!isOpen) add("energy of", energyMeaning(problem));
  add("Hamiltonian", hamiltonianText(h) + (h.isKohnSham() ? ", " + h.functional : ""));
  if (h.qed.any()) add("QED", qedText(h));
  if (h.shell.any())
    add("charged shell", fmt::format("{:.10g} e at {:.10g} bohr", h.shell.charge, h.shell.radius));
  add("nucleus", problem.nucleus.description());
  add(r.limit ? "method" : "basis set", r.limit ? "B-splines in ln r, complete basis, two resolutions"
                                                : job.calculation.inBasis().basis.description);
  if (!start.empty()) add("start", start);
  for (const EnergyPart& part : r.energy.parts)
    add(labelOf(part.id) + std::string(part.treatment == Treatment::FirstOrder ? ", first order" : ""),
        fmt::format("{:.10f} hartree", part.value));
  if (!std::isnan(r.virialRatio))
    add("virial ratio", fmt::format("{:.{}f}", r.virialRatio, r.limit ? 12 : 9), Place::Details);
}

/// What is not to be trusted about a result, in a sentence; empty if there is nothing.
std::string reasonOf(const Result& result) {
  if (result.ok()) return "";
  const std::string& status = nameOf(result.status);
  return result.reason.starts_with(status) ? result.reason : status + ": " + result.reason;
}

void writeOrbitals(const ResolvedJob& job, const Result& result, const EnergyOptions& o,
                   const Eigen::VectorXd& radii, const Execution& e, Record& record) {
  if (!result.wavefunction) {
    record.reason += fmt::format("; there are no radial functions, and {} is not written", o.orbitals);
    return;
  }
  e.write(o.orbitals,
          orbitalTable(kVersion, job, result, radii.size() > 0 ? radii : defaultRadii(*result.wavefunction)));
}

void writeProatom(const ResolvedJob& job, const Result& result, const EnergyOptions& o,
                  const Eigen::VectorXd& radii, const Execution& e, Record& record) {
  if (!result.wavefunction) {
    record.reason += fmt::format("; there is no density, and {} is not written", o.proatom);
    return;
  }
  const ProatomFormat format = proatomFormatOf(o.proatom);
  e.write(o.proatom, proatomFile(format, job.calculation.problem, result,
                                 radii.size() > 0 ? radii : proatomRadii(format, *result.wavefunction)));
}

/// An energy or a limit.
Record energy(const AtomRequest& request, const EnergyOptions& o, const Execution& e) {
  refuseInBrief(e, {{"properties", o.properties && e.reportOnly}, {"verify_grid", o.verifyGrid}});
  ResolvedJob job = resolvedFor(request, e);
  const Calculation& c = job.calculation;
  ToldReport report{e};
  Record record;
  record.title = fmt::format("{} of {}, {}", c.isLimit() ? "Numerical limit" : "Energy", atomName(c.problem),
                             c.problem.configuration.description);
  record.reportWarns = true;
  if (o.check) {
    report(job.job.file + ": no errors\n");
    record.report = report.text;
    return record;
  }
  askForOutputs(o, e, job.calculation);
  const Eigen::VectorXd radii = ofSetting("orbital_grid", [&] { return orbitalRadii(o.orbitalGrid); });
  std::string start;
  if (!o.restart.empty()) {
    Restart restart = restartFrom(o.restart, job);
    job.calculation.inBasis().start = std::move(restart.spinors);
    start = restart.description;
  }
  if (e.start) {
    if (c.isLimit()) throw SettingError("start", "a limit does not start from spinors; omit start");
    job.calculation.inBasis().start = e.start;
  }
  requireUseOfGpu(c, e);
  const auto gpu =
      c.isLimit() ? nullptr
                  : chooseBackend(job, e.backend, e.devices.empty() ? 0 : e.devices.front(), e.cudaLibrary);
  std::string iterations = c.isLimit() ? "" : reportIterationHead();
  const auto kept = e.jobs.empty() ? nullptr : std::make_shared<JobResult>();
  const ScfObserver observer = [&](const ScfIteration& step) {
    if (kept) kept->history.push_back(step);
    iterations += reportIteration(step);
    e.show({.unit = "", .note = fmt::format("iteration {}", step.number)});
  };
  Result result = computed(job, e, gpu.get(), observer);
  record.outcome = result.ok() ? Outcome::Done : Outcome::NotConverged;
  record.reason = reasonOf(result);
  record.device = result.provenance.device;
  record.seconds = result.seconds("total");
  if (e.reportOnly) {
    for (const Warning& w : result.warnings) record.warn(w.id, w.text);
  } else {
    addData(job, result, record);
  }
  addReport(job, result, start, record);
  record.body = reportSpinors(result, e.style.rows.value_or(kShownRows));
  if (o.properties && result.wavefunction) {
    const Properties properties = propertiesOf(c, result);
    const NuclearMoments moments = momentsOf(o, job.job);
    record.body += reportProperties(properties) + hyperfineLines(properties, moments);
    addMoments(moments, "", record);
  }
  if (e.style.verbose) {
    record.body += reportJob(job);
    if (!c.isLimit()) record.body += reportBasis(c.inBasis().basis, true);
    record.body += iterations + reportResult(result);
    if (!c.isLimit()) record.body += reportTimings(result);
  }
  // Before the files: where those cannot be written, the energy is not lost.
  report(e.brief ? fmt::format("{:.10f}\n", result.energy.withCorrections()) : recordText(record, e.style));
  if (!o.orbitals.empty()) writeOrbitals(job, result, o, radii, e, record);
  if (!o.proatom.empty()) writeProatom(job, result, o, radii, e, record);
  if (!o.hdf5.empty()) {
    ResultRecord file = recordOf(job.job.file, job.job.title, c, result);
    file.input = job.job.text;
    writeResult(o.hdf5, file);
  }
  if (o.verifyGrid) report(reportGridCheck(verifyGrid(c, e.threadsOrAll())));
  record.report = std::move(report.text);
  if (kept) {
    kept->job = std::move(job);
    kept->result = std::move(result);
    record.results = {kept};
  }
  return record;
}

Operation operationOf(JobType type, const char* field, const char* what) {
  Operation o;
  o.name = jobName(type);
  o.summary = what;
  o.description = fmt::format(
      "{}.{}{}", field, kAtomAndKeywords,
      type == JobType::Energy ? " 'cudaprophet ATOM' is short for 'cudaprophet energy ATOM'." : "");
  o.example = o.name + " ATOM";
  o.onGpus = true;
  o.examples =
      type == JobType::Energy
          ? std::vector<std::string>{"Rn", "energy Fe2+ --breit -o fe.json", "energy Au --basis au.nw"}
          : std::vector<std::string>{"limit Ne", "limit U --functional lda", "limit Fe2+ --breit -o fe.json"};
  o.brief =
      "the energy with all corrections; of open shells the average of the configuration (warnings go to "
      "standard error)";
  o.tables = [] { return std::vector{spinorTable({}), partTable({})}; };
  return jobOperation(type, std::move(o), energyTable(type), energy);
}

}  // namespace

Operation energyOperation() {
  return operationOf(JobType::Energy, "Dirac-Hartree-Fock energy of one atom in a Gaussian basis set",
                     "Dirac-Hartree-Fock energy of one atom");
}

Operation limitOperation() {
  return operationOf(JobType::Limit, "Numerical energy of one atom without a basis set",
                     "energy of one atom at the numerical limit, without a basis set");
}

}  // namespace prophet
