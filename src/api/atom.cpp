#include "cudaprophet/atom.hpp"

#include "atom/configuration.hpp"
#include "atom/elements.hpp"
#include "cudaprophet/error.hpp"

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

Atom atom(const std::string& symbol) { return atom(atomicNumber(symbol)); }

Atom atom(int charge) {
  requireElement(charge);
  Atom result;
  result.nucleus.charge = charge;
  return result;
}

int atomicNumber(const std::string& symbol) {
  if (const auto z = prophet::elementOf(symbol)) return *z;
  throw Error("'" + symbol + "' is no element's symbol");
}

std::string symbol(int charge) {
  requireElement(charge);
  return prophet::symbolOf(charge);
}

std::string groundConfiguration(int charge) {
  requireElement(charge);
  return prophet::groundConfiguration(charge);
}

}  // namespace cudaprophet
