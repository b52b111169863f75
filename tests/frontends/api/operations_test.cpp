#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cudaprophet/error.hpp"
#include "cudaprophet/operation.hpp"
#include "tests/frontends/app/run_program.hpp"

/// Operations from C++ give what the program gives, digit for digit.
namespace prophet {
namespace {

using test::Scratch;

nlohmann::json ofProgram(const Scratch& s, const std::string& arguments) {
  const auto o = s.run(arguments + " --threads 1 --backend cpu --json o.json");
  EXPECT_EQ(o.status, 0) << arguments << o.err;
  return nlohmann::json::parse(test::readFile(s.path() / "o.json"));
}

nlohmann::json ofLibrary(const std::string& operation,
                         const std::map<std::string, cudaprophet::Value>& settings) {
  cudaprophet::Place place;
  place.backend = "cpu";
  place.threads = 1;
  const cudaprophet::Record record = cudaprophet::run(operation, settings, place);
  auto json = nlohmann::json::parse(record.json);
  // The tables say the same as the text.
  for (const cudaprophet::Table& t : record.tables)
    for (const cudaprophet::Column& c : t.columns) {
      const auto& columns = json.contains(t.key) ? json.at(t.key) : json;
      EXPECT_EQ(columns.at(c.key).get<std::vector<double>>(), c.numbers) << c.key;
    }
  return json;
}

/// All but what differs from run to run, or where files are.
void same(nlohmann::json a, nlohmann::json b) {
  for (const char* its : {"seconds", "request", "file"}) {
    EXPECT_EQ(a.erase(its), 1u) << its;
    EXPECT_EQ(b.erase(its), 1u) << its;
  }
  EXPECT_EQ(a, b);
}

class Operations : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(s.run("structure CoO --shape sphere:14 --displace 0.1 --out coo.xyz").status, 0);
    ASSERT_EQ(s.run("structure CoO --shape cells:3,3,3 --displace 0.05 --out box.xyz").status, 0);
  }
  std::string file(const char* name) const { return (s.path() / name).string(); }
  Scratch s;
};

TEST_F(Operations, PairsAreThoseOfTheProgram) {
  same(ofProgram(s, "pairs box.xyz --bins 90 --reduced --neighbours --form-factors waasmaier-kirfel"),
       ofLibrary("pairs", {{"file", file("box.xyz")},
                           {"bins", 90.0},
                           {"reduced", true},
                           {"neighbours", true},
                           {"form_factors", std::string("waasmaier-kirfel")}}));
  same(ofProgram(s, "pairs box.xyz --sq 1:6:0.25 --lorch --double"),
       ofLibrary("pairs", {{"file", file("box.xyz")},
                           {"sq", std::string("1:6:0.25")},
                           {"lorch", true},
                           {"precision", std::string("double")}}));
}

TEST_F(Operations, PatternsAreThoseOfTheProgram) {
  const std::vector<double> q{0.5, 1.25, 4};
  same(ofProgram(s, "powder coo.xyz --q 0.5,1.25,4 --form-factors waasmaier-kirfel --b-iso Co=0.3,O=0.5"),
       ofLibrary("powder", {{"file", file("coo.xyz")},
                            {"q", q},
                            {"form_factors", std::string("waasmaier-kirfel")},
                            {"b_iso", std::map<std::string, double>{{"Co", 0.3}, {"O", 0.5}}}}));
  same(ofProgram(s, "powder coo.xyz --q 0.5,1.25,4 --method direct --form-factors neutron"),
       ofLibrary("powder", {{"file", file("coo.xyz")},
                            {"q", q},
                            {"method", std::string("direct")},
                            {"form_factors", std::string("neutron")}}));
}

TEST_F(Operations, WrongSettingsAreNamed) {
  try {
    cudaprophet::run("powder", {{"file", file("coo.xyz")}, {"tolerance", 0.0}, {"methd", std::string("x")}});
    FAIL();
  } catch (const cudaprophet::Error& e) {
    EXPECT_TRUE(test::contains(e.what(), "tolerance: ")) << e.what();
    EXPECT_TRUE(test::contains(e.what(), "did you mean 'method'")) << e.what();
  }
}

}  // namespace
}  // namespace prophet
