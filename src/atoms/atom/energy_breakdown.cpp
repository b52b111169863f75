#include "atoms/atom/energy_breakdown.hpp"

#include <algorithm>

namespace prophet {
namespace {

struct PartNames {
  EnergyPartId id;
  const char* key;
  const char* label;
};

constexpr PartNames kNames[] = {
    {EnergyPartId::Kinetic, "kinetic", "kinetic"},
    {EnergyPartId::NuclearAttraction, "nuclear", "nuclear attraction"},
    {EnergyPartId::ElectronRepulsion, "two_electron", "electron repulsion"},
    {EnergyPartId::Gaunt, "gaunt", "Gaunt"},
    {EnergyPartId::BreitGauge, "breit_gauge", "Breit gauge"},
    {EnergyPartId::VacuumPolarisation, "vacuum_polarisation", "vacuum polarisation"},
    {EnergyPartId::KallenSabry, "kallen_sabry", "Kallen-Sabry"},
    {EnergyPartId::WichmannKroll, "wichmann_kroll", "Wichmann-Kroll"},
    {EnergyPartId::SelfEnergy, "self_energy", "self-energy"},
    {EnergyPartId::External, "external", "external potential"},
};

const PartNames& namesOf(EnergyPartId id) {
  return *std::find_if(std::begin(kNames), std::end(kNames), [id](const PartNames& n) { return n.id == id; });
}

}  // namespace

const char* keyOf(EnergyPartId id) { return namesOf(id).key; }
const char* labelOf(EnergyPartId id) { return namesOf(id).label; }

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

}  // namespace prophet
