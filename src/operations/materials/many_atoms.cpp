#include "operations/materials/many_atoms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "matter/pairs/power_law.hpp"
#include "matter/structure/atom_kind.hpp"
#include "operations/materials/computed_factors.hpp"

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
      charged ? "the column of charges is" : "the column " + like + " is", fmt::join(s.kinds, ", "));
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

}  // namespace prophet
