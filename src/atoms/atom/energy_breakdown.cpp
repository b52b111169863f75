#include "atoms/atom/energy_breakdown.hpp"

#include <algorithm>
#include <iterator>

namespace prophet {
namespace {

const EnergyPartKind& kindOf(EnergyPartId id) {
  return *std::find_if(std::begin(kEnergyParts), std::end(kEnergyParts),
                       [id](const EnergyPartKind& kind) { return kind.id == id; });
}

}  // namespace

const char* keyOf(EnergyPartId id) { return kindOf(id).key; }
const char* labelOf(EnergyPartId id) { return kindOf(id).label; }

bool isBreit(EnergyPartId id) { return id == EnergyPartId::Gaunt || id == EnergyPartId::BreitGauge; }

bool isQed(EnergyPartId id) {
  return id == EnergyPartId::VacuumPolarisation || id == EnergyPartId::KallenSabry ||
         id == EnergyPartId::WichmannKroll || id == EnergyPartId::SelfEnergy;
}

const EnergyPart* EnergyBreakdown::find(EnergyPartId id) const {
  const auto place =
      std::find_if(parts.begin(), parts.end(), [id](const EnergyPart& part) { return part.id == id; });
  return place == parts.end() ? nullptr : &*place;
}

double EnergyBreakdown::value(EnergyPartId id) const {
  const EnergyPart* part = find(id);
  return part ? part->value : 0.0;
}

double EnergyBreakdown::firstOrder() const {
  double sum = 0;
  for (const EnergyPart& part : parts) {
    if (part.treatment == Treatment::FirstOrder) sum += part.value;
  }
  return sum;
}

bool EnergyBreakdown::hasCorrections() const {
  return std::any_of(parts.begin(), parts.end(),
                     [](const EnergyPart& part) { return isBreit(part.id) || isQed(part.id); });
}

void EnergyBreakdown::addBreit(const std::vector<EnergyPart>& breit) {
  for (EnergyPart& part : parts) {
    if (part.id != EnergyPartId::ElectronRepulsion) continue;
    for (const EnergyPart& b : breit) {
      if (b.treatment == Treatment::SelfConsistent) part.value -= b.value;
    }
  }
  // Beside the repulsion that they belong to, before QED.
  const auto place =
      std::find_if(parts.begin(), parts.end(), [](const EnergyPart& part) { return isQed(part.id); });
  parts.insert(place, breit.begin(), breit.end());
}

EnergyBreakdown coulombBreakdown(double kinetic, double nuclear, double repulsion) {
  EnergyBreakdown e;
  e.add(EnergyPartId::Kinetic, kinetic);
  e.add(EnergyPartId::NuclearAttraction, nuclear);
  e.add(EnergyPartId::ElectronRepulsion, repulsion);
  e.total = kinetic + nuclear + repulsion;
  return e;
}

SampledOperator::SampledOperator(const RadialOperator& radial, const Eigen::VectorXd& radii)
    : parts_(radii.size(), radial.parts.size()) {
  const auto sample = [&](const std::function<double(double)>& f) {
    return Eigen::VectorXd(radii.unaryExpr([&](double r) { return f(r); }));
  };
  for (std::size_t i = 0; i < radial.parts.size(); ++i) {
    parts_.col(static_cast<Eigen::Index>(i)) = sample(radial.parts[i].function);
    factors_.push_back(radial.parts[i].factor);
  }
  if (radial.coupling) coupling_ = sample(radial.coupling);
}

Eigen::VectorXd SampledOperator::local(Symmetry symmetry) const {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(parts_.rows());
  for (std::size_t i = 0; i < factors_.size(); ++i)
    sum += (factors_[i] ? factors_[i](symmetry) : 1.0) * parts_.col(static_cast<Eigen::Index>(i));
  return sum;
}

}  // namespace prophet
