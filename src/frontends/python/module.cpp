#include "frontends/python/bindings.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/species.hpp"
#include "core/common/error.hpp"
#include "core/common/listed_words.hpp"
#include "core/common/threads.hpp"
#include "core/common/version.hpp"
#include "operations/input/keywords.hpp"

namespace prophet::python {
namespace {

int atomicNumber(const std::string& symbol) {
  const auto z = elementOf(symbol);
  if (!z)
    throw Error("there is no element '" + symbol + "'; expected a symbol such as 'Rn' or a nuclear charge");
  return *z;
}

}  // namespace
}  // namespace prophet::python

NB_MODULE(_core, m) {
  using namespace prophet;
  m.doc() = "The core of cudaprophet. Use the package; this module is internal.";
  m.attr("version") = kVersion;
  m.attr("last_element") = kLastElement;
  nb::exception<Error>(m, "Error");
  m.def("symbol_of", &symbolOf, nb::arg("z"));
  m.def("atomic_number", &python::atomicNumber, nb::arg("symbol"));
  m.def(
      "parse_species",
      [](const std::string& text) {
        const Species s = parseIsotope(text);
        const auto written = s.chargeWritten ? std::optional<int>(s.charge) : std::nullopt;
        const auto mass = s.massNumber > 0 ? std::optional<int>(s.massNumber) : std::nullopt;
        return std::make_tuple(s.z, written, s.configuration, mass);
      },
      nb::arg("text"),
      "Nuclear charge, charge (None unless it is written), configuration (may be empty) and mass number "
      "(None "
      "unless it is written) of \"Fe3+\", \"133Cs\", ...");
  m.def("require_known_name", &requireKnownName, nb::arg("name"), nb::arg("known"), nb::arg("what"),
        nb::arg("place"), "Raises Error, with a suggestion, for a name that a reader does not know.");
  m.def("explain", &explainGroup, nb::arg("group") = "");
  m.def("available_threads", &availableThreads);
  python::bindJobs(m);
  python::bindResults(m);
  python::bindBasisSets(m);
  python::bindCharges(m);
  python::bindOperations(m);
}
