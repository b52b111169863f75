#include "cudaprophet/atom.hpp"

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/default_configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/atom/shell_list.hpp"
#include "atoms/atom/species.hpp"
#include "frontends/api/convert.hpp"

namespace cudaprophet {
namespace {

void requireElement(int charge) {
  if (charge >= 1 && charge <= prophet::kLastElement) return;
  throw Error("the nuclear charge of an element is 1 to " + std::to_string(prophet::kLastElement) + ", not " +
              std::to_string(charge));
}

}  // namespace

Error::Error(const std::string& text) : std::runtime_error(text) {}
Error::~Error() = default;

Atom atom(const std::string& symbol) {
  if (const auto z = prophet::elementOf(symbol)) return atom(*z);
  return translated([&] {
    const prophet::Species species = prophet::parseIsotope(symbol);
    Atom result = atom(species.z);
    if (species.massNumber > 0) result.nucleus.massNumber = species.massNumber;
    result.configuration = species.configuration;
    if (species.chargeWritten) result.charge = species.charge;
    if (species.configuration.empty() && species.charge != 0)
      result.configuration = defaultConfiguration(species.z, species.charge);
    return result;
  });
}

Atom atom(int charge) {
  requireElement(charge);
  Atom result;
  result.nucleus.charge = charge;
  return result;
}

int atomicNumber(const std::string& symbol) {
  if (const auto z = prophet::elementOf(symbol)) return *z;
  throw Error("'" + symbol + "' is not an element's symbol");
}

std::string symbol(int charge) {
  requireElement(charge);
  return prophet::symbolOf(charge);
}

std::string groundConfiguration(int charge) {
  requireElement(charge);
  return prophet::groundConfiguration(charge);
}

std::string defaultConfiguration(int z, int charge) {
  requireElement(z);
  return translated([&] { return prophet::defaultConfiguration(z, charge).text; });
}

std::string withHole(const std::string& configuration, const std::string& shell) {
  return translated([&] { return prophet::withHole(configuration, shell); });
}

std::string withPromotion(const std::string& configuration, const std::string& from,
                          const std::string& into) {
  return translated([&] { return prophet::withPromotion(configuration, from, into); });
}

}  // namespace cudaprophet
