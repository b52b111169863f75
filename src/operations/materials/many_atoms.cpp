#include "operations/materials/many_atoms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <Eigen/LU>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "atoms/calculation/compute.hpp"
#include "core/common/files.hpp"
#include "core/common/index.hpp"
#include "core/common/version.hpp"
#include "matter/pairs/power_law.hpp"
#include "matter/scattering/form_factor.hpp"
#include "matter/structure/structure.hpp"
#include "operations/jobs/resolve.hpp"
#include "operations/materials/species_settings.hpp"

namespace prophet {
namespace {

/// The frames that the execution has.
class GivenFrames : public Frames {
 public:
  explicit GivenFrames(std::function<std::optional<Structure>()> next) : next_(std::move(next)) {}
  std::optional<Structure> next() override { return next_(); }

 private:
  std::function<std::optional<Structure>()> next_;
};

constexpr double kOnePlace = 1e-3;  // angstrom

using Cell = std::array<std::int64_t, 3>;

/// The cube of kOnePlace that each place is in; of those of a lattice, of the image inside it.
std::vector<std::pair<Cell, std::size_t>> sortedCells(const Structure& s,
                                                      const std::optional<Eigen::Matrix3d>& lattice) {
  std::vector<std::pair<Cell, std::size_t>> cells(s.size());
  Eigen::Matrix3d inverse;
  if (lattice) inverse = lattice->inverse();
  for (std::size_t i = 0; i < s.size(); ++i) {
    Eigen::Vector3d place = s.positions[i];
    if (lattice) {
      Eigen::RowVector3d parts = place.transpose() * inverse;
      // Rounding must not leave one of two images at each end.
      for (int k = 0; k < 3; ++k) parts(k) -= std::floor(parts(k) + kOnePlace / lattice->row(k).norm());
      place = (parts * *lattice).transpose();
    }
    for (int k = 0; k < 3; ++k) cells[i].first[usize(k)] = std::llround(place(k) / kOnePlace);
    cells[i].second = i;
  }
  std::ranges::sort(cells);
  return cells;
}

}  // namespace

AtomFrames::AtomFrames(const std::string& file, const std::string& block, const Execution& execution)
    : name_(file.empty() ? "the atoms" : file), checkpoint_(execution.checkpoint) {
  if (file.empty() && !execution.atoms) throw SettingError("file", "is missing; expected a file of atoms");
  execution.together([&] {
    frames_ = file.empty() ? std::make_unique<GivenFrames>(execution.atoms) : openFrames(file, block);
    first_ = frames_->next();
    if (!first_)
      throw StructureError(file.empty() ? "there are no atoms: no frame is given"
                                        : name_ + ":1: error: the file has no atoms");
    periodic_ = first_->lattice.has_value();
  });
}

std::optional<Structure> AtomFrames::next() {
  pass(checkpoint_);
  std::optional<Structure> frame = first_ ? std::exchange(first_, std::nullopt) : frames_->next();
  ++taken_;
  if (frame && frame->lattice.has_value() != periodic_)
    throw StructureError(fmt::format(
        "{}: error: frame {} has {} lattice, but the first one has {}; is it lost in one of them? (Frames of "
        "both kinds are done one after the other, in files of their own.)",
        name_, taken_, periodic_ ? "no" : "a", periodic_ ? "one" : "none"));
  return frame;
}

std::string neutralWarning(const Structure& s, AmplitudeSource amplitudes) {
  if (amplitudes != AmplitudeSource::Computed && amplitudes != AmplitudeSource::WaasmaierKirfel) return {};
  const bool charged = std::ranges::any_of(s.charges, [](double q) { return q != 0; });
  const std::string like = columnLikeCharges(s);
  if (!charged && like.empty()) return {};
  if (std::ranges::any_of(s.kinds, [](const std::string& k) { return atomKind(k).charge != 0; })) return {};
  return fmt::format(
      "{} not used: {} scatter as neutral atoms; an ion is a name in the file, such as Na+ or O2-",
      charged                               ? "the column of charges is"
      : like.find(':') != std::string::npos ? "the column " + like + " is"
                                            : like + " is",
      fmt::join(s.kinds, ", "));
}

std::string samePlaceWarning(const Structure& s, const std::optional<Eigen::Matrix3d>& lattice) {
  const auto cells = sortedCells(s, lattice);
  std::size_t more = 0, first = 0;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (cells[i].first != cells[i - 1].first) continue;
    if (more++ == 0) first = i;
  }
  if (more == 0) return {};
  return fmt::format(
      "{} at the place of another one and counted beside it, such as atom {} at that of {}; "
      "does the file say {} twice?",
      more == 1 ? "an atom is" : fmt::format("{} atoms are", more), cells[first].second + 1,
      cells[first - 1].second + 1, more == 1 ? "it" : "them");
}

AmplitudeOptions amplitudeOptions(const AtomsRequest& request, const Execution& execution) {
  AmplitudeOptions options;
  options.source = request.amplitudes;
  if (!request.anomalous.empty()) options.dispersion = readDispersion(request.anomalous);
  options.threads = execution.threadsOrAll();
  options.computed = computedAmplitudes(execution.basisSets,
                                        execution.cache.empty() ? "" : execution.cache / "form-factors");
  return options;
}

Eigen::VectorXd fractalRange(const Json& numbers) {
  if (numbers.size() != 2 || !(numbers[0].get<double>() < numbers[1].get<double>()))
    throw Error("takes two numbers that increase, with a comma");
  return Eigen::Vector2d(numbers[0].get<double>(), numbers[1].get<double>());
}

void addFractalDimension(const FractalRequest& request, const Eigen::VectorXd& q,
                         const Eigen::VectorXd& pattern, Record& record) {
  if (request.fractal.size() == 0) return;
  const double low = request.fractal(0), high = request.fractal(1);
  const PowerLaw law = ofSetting("fractal", [&] { return powerLaw(q, pattern, low, high); });
  record.quantities.push_back({"fractal_dimension", "fractal dimension", -law.exponent,
                               fmt::format("{:.4f} +- {:.4f}, q from {:g} to {:g} per angstrom",
                                           -law.exponent, law.error, low, high)});
  record.quantities.push_back({"fractal_dimension_error", "its standard error", law.error, ""});
}

void addAtoms(const std::string& file, const std::vector<std::string>& kinds,
              const std::vector<std::size_t>& counts, Record& record) {
  Json table = Json::object();
  std::string text;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    table[kinds[k]] = counts[k];
    text += fmt::format("{}{} {}", k == 0 ? "" : ", ", counts[k], kinds[k]);
  }
  record.quantities.push_back({"file", "file", file.empty() ? Json() : Json(file)});
  record.quantities.push_back({"kinds", "atoms", table, text});
}

std::string rateText(double pairs, double seconds) {
  return seconds > 0 ? fmt::format("{:.2g} pairs a second", pairs / seconds) : "";
}

namespace {

constexpr int kCacheLayout = 2;
constexpr double kElectronError = 1e-6;  // of f(0), electrons
constexpr int kDegree = 6;

Eigen::Index sampleCount() { return static_cast<Eigen::Index>(std::lround(kFactorEnd / kFactorStep)) + 1; }

ResolvedJob resolvedJobOf(const Species& species, const std::filesystem::path& basisSets) {
  SpeciesSettings settings;
  settings.nucleus = NuclearModel::Gaussian;
  ResolvedJob resolved = resolve(jobOf(settings, species, false, basisSets));
  resolved.calculation.inBasis().keepSpinors = true;
  return resolved;
}

std::string provenanceOf(const ResolvedJob& job) {
  const auto& c = job.calculation;
  return fmt::format("cudaprophet {}: {}, {}, {}", kVersion, c.problem.configuration.description,
                     c.problem.nucleus.description(), job.calculation.inBasis().basis.description);
}

/// Links are not followed, and pipes not opened: what lies there in the place of a file is somebody else's.
bool isOwnFile(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::symlink_status(file, ignored).type() == std::filesystem::file_type::regular;
}

/// FNV-1a of the numbers as they are written, as hexadecimal digits.
std::string checksumOf(const std::vector<double>& f) {
  std::uint64_t sum = 14695981039346656037u;
  for (const double value : f) {
    for (const char c : fmt::format("{},", value))
      sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211u;
  }
  return fmt::format("{:016x}", sum);
}

std::optional<ComputedFactor> readCached(const std::filesystem::path& file, const std::string& provenance,
                                         const Species& species) {
  if (!isOwnFile(file)) return std::nullopt;
  try {
    const auto json = nlohmann::json::parse(readFile(file.string()));
    ComputedFactor factor;
    factor.provenance = json.at("provenance");
    factor.warning = json.at("warning");
    const std::vector<double> f = json.at("f");
    if (json.at("layout") != kCacheLayout || factor.provenance != provenance ||
        json.at("q_step") != kFactorStep || static_cast<Eigen::Index>(f.size()) != sampleCount() ||
        json.at("checksum") != checksumOf(f) ||
        !(std::abs(f[0] - (species.z - species.charge)) < kElectronError))
      return std::nullopt;
    factor.samples = Eigen::Map<const Eigen::VectorXd>(f.data(), static_cast<Eigen::Index>(f.size()));
    return factor.samples.allFinite() ? std::optional<ComputedFactor>(factor) : std::nullopt;
  } catch (const std::exception&) {  // missing, or damaged: computed anew
    return std::nullopt;
  }
}

void writeCached(const std::filesystem::path& file, const Species& species, const ComputedFactor& factor) {
  nlohmann::json json;
  json["layout"] = kCacheLayout;
  json["species"] = species.name;
  json["provenance"] = factor.provenance;
  json["warning"] = factor.warning;
  json["unit"] = "electrons; q = 0, q_step, 2 q_step, ... in 1/angstrom";
  json["q_step"] = kFactorStep;
  const std::vector<double> f(factor.samples.begin(), factor.samples.end());
  json["checksum"] = checksumOf(f);
  json["f"] = f;
  try {
    if (std::filesystem::exists(std::filesystem::symlink_status(file)) && !isOwnFile(file)) return;
    std::filesystem::create_directories(file.parent_path());
    writeFileAtomically(file.string(), json.dump() + "\n");
  } catch (const std::exception&) {  // a read-only home costs time, nothing else
  }
}

}  // namespace

Eigen::VectorXd ComputedFactor::at(const Eigen::VectorXd& q) const {
  if (q.size() > 0 && q.maxCoeff() > kFactorEnd)
    throw Error(
        fmt::format("form factors for powder patterns are computed up to q = {:g} per angstrom", kFactorEnd));
  Eigen::VectorXd f(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const double x = q(i) / kFactorStep;
    const Eigen::Index last = samples.size() - 1;
    const Eigen::Index start =
        std::min(static_cast<Eigen::Index>(std::lround(x)) - kDegree / 2, last - kDegree);
    double sum = 0;
    for (int a = 0; a <= kDegree; ++a) {
      double weight = 1;
      for (int b = 0; b <= kDegree; ++b) {
        if (a != b) weight *= (x - static_cast<double>(start + b)) / (a - b);
      }
      sum += weight * samples(std::abs(start + a));  // f is even
    }
    f(i) = sum;
  }
  return f;
}

ComputedFactor computedFactor(const Species& species, const std::filesystem::path& basisSets,
                              const std::filesystem::path& cache) {
  const ResolvedJob job = resolvedJobOf(species, basisSets);
  const std::string provenance = provenanceOf(job);
  const std::filesystem::path file = cache.empty() ? cache : cache / (species.name + ".json");
  if (!cache.empty()) {
    if (auto known = readCached(file, provenance, species)) return *known;
  }
  const Result result = compute(job.calculation);
  ComputedFactor factor;
  factor.provenance = provenance;
  if (result.status == Status::Unbound) {
    factor.warning =
        species.name +
        " is not bound as a free ion; its form factor depends on the basis set: " + result.reason;
  } else if (result.status != Status::Converged) {
    throw Error("the form factor of " + species.name + " cannot be computed: " + result.reason);
  }
  factor.samples = formFactor(result, Eigen::VectorXd::LinSpaced(sampleCount(), 0, kFactorEnd));
  if (!cache.empty()) writeCached(file, species, factor);
  return factor;
}

std::function<AtomAmplitude(const Species&, const Eigen::VectorXd&)> computedAmplitudes(
    const std::filesystem::path& basisSets, const std::filesystem::path& cache) {
  return [=](const Species& species, const Eigen::VectorXd& q) {
    const ComputedFactor factor = computedFactor(species, basisSets, cache);
    return AtomAmplitude{factor.at(q).cast<std::complex<double>>(), factor.provenance, factor.warning};
  };
}

}  // namespace prophet
