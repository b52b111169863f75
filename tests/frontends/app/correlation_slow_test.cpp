#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "run_program.hpp"

namespace prophet {
namespace {

using test::Scratch;

nlohmann::json resultOf(const std::string& arguments) {
  const Scratch s;
  const test::ProgramRun outcome =
      s.run("correlation " + arguments + " --backend cpu --quiet --json result.json");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return nlohmann::json::parse(test::readFile(s.path() / "result.json"));
}

/// Of spinors to l = 6, as the published ones: K. Beloy and A. Derevianko, Comput. Phys. Commun. 179, 310
/// (2008), table 2, whose values have seven digits after the point.
TEST(CorrelationCommand, CaesiumHasThePublishedSecondOrder) {
  const nlohmann::json r = resultOf("Cs+ --valence 6s --nucleus fermi --lmax 6");
  const std::vector<double> published = {-0.0000130, -0.0020027, -0.0105623, -0.0039347,
                                         -0.0007563, -0.0002737, -0.0001182};
  ASSERT_EQ(r.at("partial_waves").size(), published.size());
  for (std::size_t l = 0; l < published.size(); ++l)
    EXPECT_NEAR(r.at("partial_waves")[l].at("energy"), published[l], 1.5e-7) << l;
  const nlohmann::json& state = r.at("states").at(0);
  EXPECT_EQ(state.at("spinor"), "6s1/2");
  const double error = state.at("limit_error");
  EXPECT_LT(error, 3e-5);
  EXPECT_NEAR(state.at("second_order"), -0.0176609, std::min(error, 4e-7));
}

/// Shifts of Brueckner energies by V. A. Dzuba's program, as the tests of ampsci (commit 354bb1d6) have them,
/// which ask for 1 %; holes from n = 3 on. 1.1 %, because 6s differs by 0.985 %, and
/// by a little more or less on other meshes.
TEST(CorrelationCommand, CaesiumHasTheBruecknerShiftsOfAnotherProgram) {
  const std::map<std::string, double> expected = {{"6s1/2", -0.02013813},
                                                  {"6p1/2", -0.00792483},
                                                  {"6p3/2", -0.00702407},
                                                  {"5d3/2", -0.01551449},
                                                  {"5d5/2", -0.01466935}};
  const nlohmann::json r =
      resultOf("Cs+ --valence '6s 6p 5d' --frozen '1s 2s 2p' --nucleus fermi --lmax 6 --no-error-estimate");
  ASSERT_EQ(r.at("states").size(), expected.size());
  for (const nlohmann::json& state : r.at("states")) {
    const double energy = state.at("energy"), brueckner = state.at("brueckner");
    const double shift = expected.at(state.at("spinor"));
    EXPECT_NEAR(brueckner - energy, shift, 0.011 * std::abs(shift)) << state.at("spinor");
  }
}

/// The row of a table with these texts.
nlohmann::json rowOf(const nlohmann::json& table, const std::map<std::string, std::string>& texts) {
  for (const nlohmann::json& row : table) {
    bool all = true;
    for (const auto& [key, text] : texts) all = all && row.at(key) == text;
    if (all) return row;
  }
  ADD_FAILURE() << "no row of " << table;
  return {};
}

/// Parts of third order by W. R. Johnson, Z. W. Liu and J. Sapirstein, At. Data Nucl. Data Tables 64, 279
/// (1996), table E: of the random-phase approximation, of Brueckner orbitals (to second order there, to all
/// orders here), and of structural radiation and normalisation.
TEST(CorrelationCommand, SodiumHasThePublishedCorePolarisation) {
  const nlohmann::json r =
      resultOf("Na+ --valence '3s 3p' --core-polarisation --lmax 4 --nucleus fermi --no-error-estimate");
  for (const auto& [upper, bare, response, brueckner, radiation] :
       {std::tuple{"3p1/2", 3.6906, -0.0432, -0.1020, 0.0030 - 0.0050},
        {"3p3/2", 5.2188, -0.0610, -0.1443, 0.0043 - 0.0070}}) {
    const nlohmann::json t = rowOf(r.at("transitions"), {{"upper", upper}, {"multipole", "E1"}});
    const double element = t.at("element"), polarised = t.at("element_polarised");
    EXPECT_NEAR(element, bare, 1e-4) << upper;
    EXPECT_NEAR(polarised - element, response, 1e-4) << upper;
    const double orbitals = t.at("element_brueckner");
    EXPECT_NEAR(orbitals - polarised, brueckner, 2e-3) << upper;
    EXPECT_NEAR(t.at("element_radiated").get<double>() - orbitals, radiation, 1.5e-4) << upper;
  }
}

/// A with mu/I = 2.582025/3.5 nuclear magnetons and E1 of 6s-6p1/2 in the field and with the response of the
/// core by ampsci (commit 354bb1d6): 1434 and 1728 MHz, 5.278 and 4.974; A of 6p and what the response adds
/// to it by W. R. Johnson and others, Phys. Rev. A 70, 014501 (2004), table I. The self-energy, of the outer
/// shells alone here, does not enter these. Structural radiation and normalisation of that table are those of
/// spinors of the field; Brueckner orbitals, which have more near the nucleus, have more of them.
TEST(CorrelationCommand, CaesiumHasTheCorePolarisationOfAnotherProgram) {
  const nlohmann::json r = resultOf(
      "Cs+ --valence '6s 6p' --core-polarisation --lmax 4 --frozen '1s 2s 2p 3s 3p 3d' --nucleus fermi "
      "--no-error-estimate --moment 2.582025 --nuclear-spin 3.5");
  EXPECT_TRUE(r.at("warnings").empty()) << r.at("warnings");
  for (const auto& [spinor, bare, response, error, radiation] :
       {std::tuple{"6s1/2", 1434.0, 294.0, 1.0, std::nan("")},
        {"6p1/2", 160.88, 40.66, 0.2, 5.43 - 1.20},
        {"6p3/2", 23.92, 18.84, 0.15, -7.51 - 0.23}}) {
    const nlohmann::json h = rowOf(r.at("hyperfine"), {{"spinor", spinor}});
    const double own = h.at("A_nucleus_MHz"), polarised = h.at("A_nucleus_polarised_MHz");
    EXPECT_NEAR(own, bare, error) << spinor;
    EXPECT_NEAR(polarised - own, response, error) << spinor;
    const double orbitals = h.at("A_nucleus_brueckner_MHz"), whole = h.at("A_nucleus_radiated_MHz");
    EXPECT_GT(orbitals, polarised) << spinor;
    if (!std::isnan(radiation)) {
      EXPECT_NEAR((whole - orbitals) * polarised / orbitals, radiation, 0.1 * std::abs(radiation)) << spinor;
    }
  }
  const nlohmann::json t = rowOf(r.at("transitions"), {{"upper", "6p1/2"}, {"multipole", "E1"}});
  EXPECT_NEAR(t.at("element"), 5.278, 1e-3);
  EXPECT_NEAR(t.at("element_polarised"), 4.974, 1e-3);
}

/// The part of the error that partial waves have is the smaller one: without the other none is stated.
TEST(CorrelationCommand, StatesTheWholeErrorOrNone) {
  const nlohmann::json none = resultOf("He --lmax 4 --no-error-estimate"), whole = resultOf("He --lmax 4");
  EXPECT_TRUE(none.at("correlation_error").is_null()) << none.at("correlation_error");
  EXPECT_GT(whole.at("correlation_error"), 0);
  const nlohmann::json valence = resultOf("Li+ --valence 2s --lmax 2 --no-error-estimate");
  EXPECT_TRUE(valence.at("states")[0].at("limit_error").is_null());
}

TEST(CorrelationCommand, SaysWhatCannotBeComputed) {
  const Scratch s;
  for (const auto& [arguments, status, message] : std::vector<std::tuple<std::string, int, std::string>>{
           {"C --frozen 2p --lmax 1", 2,
            "--frozen: found 2p, which is open in 1s2 2s2 2p2; expected closed shells"},
           {"Ne --inner 3s --lmax 1", 2, "--inner: found 3s, which has no electrons in"},
           {"He --box-radius 1 --lmax 1", 2,
            "--box-radius: found 1 bohr, where the occupied spinors have not vanished"},
           {"He --box-radius 1000 --lmax 1", 2,
            "--box-radius: found 1000; expected at most 200 bohr without 'valence'"},
           {"Ne --core-polarisation", 2, "--core-polarisation: requires --valence"},
           {"Ne --valence '2p 3s' --core-polarisation", 2,
            "--core-polarisation: is that of an electron outside of the closed shells, and 2p is one of "
            "them"},
           {"Na+ --valence 3s --hamiltonian nonrel --core-polarisation", 2,
            "'nonrel' has no small ones; expected --hamiltonian 'dirac'"},
           {"Na+ --valence 3s --quadrupole 0.1", 2, "--quadrupole: is of hyperfine constants"},
           {"O2- --library prophet-dz", 3, "the field has no spinors to compute correlation with"}}) {
    const test::ProgramRun o = s.run("correlation " + arguments + " --backend cpu --quiet");
    EXPECT_EQ(o.status, status) << arguments << o.err;
    EXPECT_TRUE(test::contains(o.err, message)) << arguments << o.err;
  }
}

TEST(CorrelationCommand, WarnsOfElectronsThatABasisSetDoesNotBind) {
  const nlohmann::json r = resultOf("Ne --valence 3s --library prophet-dz");
  ASSERT_EQ(r.at("warnings").size(), 1U) << r.at("warnings");
  EXPECT_EQ(r.at("warnings")[0].at("id"), "unbound_valence");
}

/// Inner shells that are not named are closed, as those of levels and lines are.
TEST(CorrelationCommand, TakesOuterShellsAlone) {
  const nlohmann::json outer = resultOf("C --config '2s2 2p2' --lmax 1 --no-error-estimate"),
                       all = resultOf("C --config '1s2 2s2 2p2' --lmax 1 --no-error-estimate");
  EXPECT_EQ(outer.at("configuration").at("description"), "[He] 2s2 2p2");
  EXPECT_EQ(outer.at("field_energy"), all.at("field_energy"));
  EXPECT_EQ(outer.at("correlation_energy"), all.at("correlation_energy"));
  EXPECT_EQ(outer.at("configuration").at("electrons"), 6);
}

}  // namespace
}  // namespace prophet
