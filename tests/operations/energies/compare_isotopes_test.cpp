#include "operations/energies/compare_isotopes.hpp"

#include <gtest/gtest.h>

#include "operations/catalogue/operation.hpp"
#include "test_paths.hpp"

namespace prophet {
namespace {

Execution here() {
  Execution execution;
  execution.basisSets = std::string(PROPHET_SOURCE_DIR) + "/basis_sets";
  return execution;
}

TEST(Isotopes, AreReadFromTheirNames) {
  const auto calcium = isotopeNamed("48Ca+");
  ASSERT_TRUE(calcium);
  EXPECT_EQ(calcium->atom, "Ca+");
  EXPECT_EQ(calcium->z, 20);
  EXPECT_EQ(calcium->charge, 1);
  EXPECT_EQ(calcium->massNumber, 48);
  for (const char* none : {"Ca+", "48", "ca.json", "48Xy", "1234U", "48Ca 4s2"})
    EXPECT_FALSE(isotopeNamed(none)) << none;
}

TEST(Isotopes, ComparedByTheirLinesHavePartsThatAddUp) {
  const Operation& compare = *findOperation("compare");
  const Json request = {{"files", {"6Li", "7Li"}}, {"config", "[He] 2s1 | [He] 2p1"}};
  compare.check(request);
  const Json r = recordJson(compare.run(request, here()));
  ASSERT_EQ(r["isotopes"].size(), 2U);
  EXPECT_EQ(r["isotopes"][0]["rms_source"], "experiment");
  EXPECT_NEAR(r["isotopes"][1]["rms_radius_fm"].get<double>(), 2.4440, 1e-9);
  EXPECT_NEAR(r["isotopes"][1]["nuclear_mass_u"].get<double>(), 7.01435791, 1e-7);
  ASSERT_EQ(r["isotope_shifts"].size(), 2U);  // D1, D2
  for (const Json& line : r["isotope_shifts"]) {
    const auto of = [&](const char* key) { return line[key].get<double>(); };
    EXPECT_NEAR(of("shift_MHz"), of("normal_MHz") + of("specific_MHz") + of("field_MHz"), 1e-9);
    const double masses = 1 / r["isotopes"][1]["nuclear_mass_u"].get<double>() -
                          1 / r["isotopes"][0]["nuclear_mass_u"].get<double>();
    EXPECT_NEAR(of("normal_MHz"), 1e3 * masses * of("K_NMS_GHz_u"), 1e-9);
    EXPECT_NEAR(of("field_MHz"), of("F_MHz_per_fm^2") * (2.4440 * 2.4440 - 2.5890 * 2.5890), 1e-9);
    // 10533.8 MHz is measured; without correlation the normal part lacks what the line's energy lacks.
    EXPECT_NEAR(of("shift_MHz"), 9425.6, 0.5);
    EXPECT_NEAR(of("K_SMS_GHz_u"), -151.1, 0.2);
    // By the virial theorem it is nearly the energy of the line.
    EXPECT_NEAR(of("K_NMS_GHz_u"), -3609.48 * 45.5633525 / of("wavelength_vacuum"), 3);
  }
  EXPECT_EQ(r["warnings"].back()["id"], "isotope_shift_uncorrelated");
}

TEST(Isotopes, NameWhatIsWrong) {
  const Operation& compare = *findOperation("compare");
  const auto setting = [&](const Json& request) {
    try {
      compare.run(request, here());
    } catch (const RequestErrors& e) {
      return e.problems().front().setting;
    }
    return std::string();
  };
  EXPECT_EQ(setting({{"files", {"40Ca+"}}}), "files");
  EXPECT_EQ(setting({{"files", {"40Ca+", "Ca+"}}}), "files");
  EXPECT_EQ(setting({{"files", {"40Ca+", "48Ca"}}, {"config", "4s1 | 4p1"}}), "files");
  EXPECT_EQ(setting({{"files", {"40Ca+", "90Ca+"}}, {"config", "4s1 | 4p1"}}), "files");
  EXPECT_EQ(setting({{"files", {"40Ca+", "48Ca+"}}, {"mass", 40}}), "mass");
  // What lines would call their atom is one of the files here.
  for (const Json& request : {Json{{"files", {"40Ca+", "88Sr+"}}, {"config", "4s1 | 4p1"}},
                              Json{{"files", {"40Ca+", "48Ca+"}}, {"config", "[Ar] 4s2"}}}) {
    try {
      compare.check(request);
      ADD_FAILURE() << request;
    } catch (const RequestErrors& e) {
      EXPECT_EQ(e.problems().front().setting, "files") << e.what();
    }
  }
  EXPECT_EQ(setting({{"files", {"He", "He+"}}, {"config", "1s1"}}), "config");
  EXPECT_EQ(setting({{"files", {"6Li", "7Li"}}, {"config", "[He] 2s1"}}), "config");
}

TEST(Isotopes, OfLevelsAndLinesAreTheSame) {
  const Json settings = {{"atom", "Li"}, {"config", "[He] 2s1 | [He] 2p1"}, {"isotope_shifts", true}};
  const Json levels = recordJson(findOperation("levels")->run(settings, here()));
  Json request = settings;
  request["relaxed"] = "none";
  request["multipoles"] = "E1";
  const Json lines = recordJson(findOperation("lines")->run(request, here()));
  ASSERT_EQ(lines["lines"].size(), 2U);
  for (const Json& line : lines["lines"])
    for (const char* key : {"K_NMS_GHz_u", "K_SMS_GHz_u", "F_MHz_per_fm^2"}) {
      const auto of = [&](const char* end) {
        return levels["levels"][line[end].get<std::size_t>()][key].get<double>();
      };
      EXPECT_NEAR(line[key].get<double>(), of("upper") - of("lower"), 1e-6) << key;
    }
  EXPECT_FALSE(recordJson(findOperation("levels")->run({{"atom", "Li"}}, here()))["levels"][0].contains(
      "K_NMS_GHz_u"));
}

}  // namespace
}  // namespace prophet
