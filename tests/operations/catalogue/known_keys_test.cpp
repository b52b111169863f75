#include "operations/catalogue/known_keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/common/error.hpp"
#include "operations/catalogue/operation.hpp"

namespace prophet {
namespace {

using testing::HasSubstr;

template <class Step>
std::string refusal(const Step& step) {
  try {
    step();
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}

TEST(KnownKeys, AreThoseThatRecordsHave) {
  const std::pair<const char*, Json> requests[] = {
      {"shape", {{"sphere", 10}, {"q", {{0, 0, 0.1}}}}},
      {"structure", {{"crystal", "CoO"}, {"shape", "sphere:6"}}},
      {"formfactor", {{"species", {"He", "H+"}}, {"q", "0,1"}, {"electron", true}}},
      {"energy", {{"atom", "He"}, {"hamiltonian", "nonrel"}}},
      {"basis_list", Json::object()},
      {"validate", {{"elements", "He"}, {"breit", "breit"}, {"qedvp", "full"}, {"qedse", "inner"}}},
      {"lines", {{"atom", "7Li"}, {"config", "2s | 2p"}}},
      {"lines",
       {{"atom", "Li"},
        {"core_valence", true},
        {"config", "2s | 2p"},
        {"core_lmax", 2},
        {"valence_lmax", 1},
        {"valence_spinors", 6},
        {"core_rings", "second"},
        {"screening_factors", "0.9"},
        {"fit_sigma", true}}}};
  for (const auto& [name, values] : requests) {
    Json json = recordJson(findOperation(name)->run(values, {}));
    const KnownKeys known(name);
    EXPECT_EQ(refusal([&] { known.require(json, "a.json"); }), "") << name;
    json["warnigns"] = json["warnings"];
    json.erase("warnings");
    EXPECT_THAT(refusal([&] { known.require(json, "a.json"); }),
                HasSubstr("a.json: unknown key 'warnigns'; did you mean 'warnings'?"));
  }
}

TEST(KnownKeys, AreAskedForAtEveryDepth) {
  const KnownKeys known("energy");
  const auto of = [&](const char* text) { return refusal([&] { known.require(Json::parse(text), "x"); }); };
  EXPECT_EQ(of(R"({"properties": {"expectation_values": {"1s1/2": {"r^2": 1}}}})"), "");
  EXPECT_THAT(
      of(R"({"properties": {"expectation_vales": {}}})"),
      HasSubstr("x: properties: unknown key 'expectation_vales'; did you mean 'expectation_values'?"));
  EXPECT_THAT(of(R"({"orbitals": [{"label": "1s"}, {"lable": "2s"}]})"),
              HasSubstr("x: orbitals: unknown key 'lable'; did you mean 'label'?"));
}

TEST(KnownColumns, AreThoseOfTheOperation) {
  const auto of = [](const std::vector<std::string>& names, const char* operation) {
    return refusal([&] { requireKnownColumns(names, operation, "a.csv"); });
  };
  EXPECT_EQ(of({"r", "g", "g_Co-O"}, "pairs"), "");
  EXPECT_EQ(of({"q", "Fe3+", "Fe3+ 1s1/2"}, "formfactor"), "");
  EXPECT_EQ(of({"id", "Z", "energy"}, "batch"), "");
  EXPECT_THAT(of({"id", "Z", "enregy"}, "batch"),
              HasSubstr("a.csv: unknown column 'enregy'; did you mean 'energy'?"));
  EXPECT_THAT(of({"r", "g", "mine"}, "pairs"), HasSubstr("unknown column 'mine'"));
}

}  // namespace
}  // namespace prophet
