#include <gtest/gtest.h>

#include <cudaprophet/cudaprophet.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/frontends/app/run_program.hpp"

namespace prophet {
namespace {

using test::Scratch;
using Settings = std::map<std::string, cudaprophet::Value>;

/// Everything but how long it took, and the settings as they were spelled.
nlohmann::json numbersOf(const std::string& text) {
  auto json = nlohmann::json::parse(text);
  json.erase("seconds");
  json.erase("request");
  return json;
}

void expectTheSame(const std::string& operation, const Settings& settings, const std::string& line) {
  const Scratch s;
  const auto o = s.run(operation + " " + line + " --json a.json");
  ASSERT_EQ(o.status, 0) << o.err;
  const cudaprophet::Record record = cudaprophet::run(operation, settings);
  EXPECT_EQ(numbersOf(record.json), numbersOf(test::readFile(s.path() / "a.json")));
}

TEST(SameDigits, OfFormFactors) {
  using Points = std::vector<std::vector<double>>;
  const Points points = {{0, 0, 0.1}, {0.03, -0.05, 0.06}};
  expectTheSame("shape", {{"sphere", 50.0}, {"q", points}}, "--sphere 50 --q '0,0,0.1;0.03,-0.05,0.06'");
  expectTheSame("shape",
                {{"box", std::vector<double>{10, 20, 30}},
                 {"q_grid", std::string("-1:1:4,0.5,0.1:1:3")},
                 {"lattice", Points{{100, 5}, {120, 6}}}},
                "--box 10,20,30 --q-grid -1:1:4,0.5,0.1:1:3 --lattice 100:5,120:6");
  const cudaprophet::Record record = cudaprophet::run("shape", {{"sphere", 50.0}, {"q", points}});
  ASSERT_EQ(record.tables.at(0).columns.at(1).key, "amplitude");
  EXPECT_EQ(record.tables.at(0).columns.at(1).complex.size(), 2u);
  EXPECT_EQ(record.tables.at(0).columns.at(0).vectors.at(1), points[1]);
}

TEST(SameDigits, OfParticles) {
  expectTheSame("structure",
                {{"crystal", std::string("CoO")},
                 {"shape", std::string("sphere:12")},
                 {"vacancies", std::map<std::string, double>{{"O", 0.2}}},
                 {"displace", 0.05},
                 {"seed", 3.0}},
                "CoO --shape sphere:12 --vacancies O=0.2 --displace 0.05 --seed 3");
}

/// The file states no nucleus: it is Gaussian everywhere. A set is for its element.
TEST(SameDigits, OfSetsInFiles) {
  const Scratch s;
  ASSERT_EQ(s.run("basis export Kr --library prophet-dz --format nwchem -o kr.nw").status, 0);
  const auto o = s.run("energy Kr --bastype file --file kr.nw --threads 1 --no-error-estimate --json a.json");
  ASSERT_EQ(o.status, 0) << o.err;
  const auto shell = nlohmann::json::parse(test::readFile(s.path() / "a.json"));
  EXPECT_EQ(shell.at("nucleus").at("model"), "Gaussian");
  const cudaprophet::BasisSet set = cudaprophet::basisFromFile(s.path() / "kr.nw", 36);
  cudaprophet::Settings settings;
  settings.estimateError = false;
  EXPECT_NEAR(cudaprophet::compute(cudaprophet::atom("Kr"), set, settings).energy,
              shell.at("energy").get<double>(), 1e-9);
  EXPECT_EQ(cudaprophet::basisFromLibrary(36, "wtbs-2.1").nucleus, cudaprophet::NuclearModel::Point);
  EXPECT_THROW(cudaprophet::compute(cudaprophet::atom("Br"), set, settings), cudaprophet::Error);
}

TEST(SameDigits, OfIonsByChargeAndConfiguration) {
  const auto of = [](const cudaprophet::Atom& atom) { return cudaprophet::compute(atom); };
  const double iron = of(cudaprophet::atom("Fe")).energy;
  cudaprophet::Atom atom = cudaprophet::atom("Fe");
  atom.configuration = "3d6 4s2";
  EXPECT_EQ(of(atom).energy, iron);
  EXPECT_TRUE(of(atom).warnings.empty());
  EXPECT_EQ(cudaprophet::atom("Fe2+ 3d6").configuration, "[Ar] 3d6");
  atom.configuration = "[Ar] 3d7 4s2";
  ASSERT_EQ(of(atom).warnings.size(), 1u);
  EXPECT_EQ(of(atom).warnings[0].id, "charge_from_configuration");
  atom.charge = -1;
  EXPECT_TRUE(of(atom).warnings.empty());
  atom.charge = 2;
  EXPECT_THROW(of(atom), cudaprophet::Error);
  atom.configuration = "";
  EXPECT_EQ(of(atom).energy, of(cudaprophet::atom("Fe2+")).energy);
  EXPECT_EQ(cudaprophet::withPromotion("[Ar] 3d6", "2p", "3d"), "[He] 2s2 2p5 3s2 3p6 3d7");
}

TEST(SameDigits, OfProperties) {
  cudaprophet::Settings settings;
  settings.properties = true;
  const cudaprophet::Result boron = cudaprophet::compute(cudaprophet::atom("B"), settings);
  EXPECT_TRUE(cudaprophet::compute(cudaprophet::atom("B")).properties.empty());
  const auto find = [&](const std::string& table, const std::string& label, const std::string& key) {
    for (const cudaprophet::Property& p : boron.properties) {
      if (p.table == table && p.label == label && p.key == key) return p;
    }
    ADD_FAILURE() << table << " " << label << " " << key;
    return cudaprophet::Property{};
  };
  const Scratch s;
  const auto o = s.run("energy B --threads 1 --json b.json");
  ASSERT_EQ(o.status, 0) << o.err;
  const auto json = nlohmann::json::parse(test::readFile(s.path() / "b.json")).at("properties");
  EXPECT_EQ(find("energies", "", "one_electron_energy").value, json.at("one_electron_energy"));
  EXPECT_EQ(find("nucleus", "", "mean_density").value, json.at("nucleus").at("mean_density"));
  EXPECT_EQ(find("nucleus", "", "mean_density").unit, "bohr^-3");
  EXPECT_EQ(find("expectation_values", "2p1/2", "r^2").value,
            json.at("expectation_values").at("2p1/2").at("r^2"));
  EXPECT_EQ(find("spin_orbit_splittings", "2p", "splitting").value,
            json.at("spin_orbit_splittings").at("2p"));
  EXPECT_EQ(find("hyperfine", "2p1/2", "a_mhz").value, json.at("hyperfine").at(0).at("a_mhz"));
}

/// What the typed functions and the program share is the whole way: all methods, functionals, failures.
TEST(SameDigits, OfSearches) {
  const Scratch s;
  const cudaprophet::Ladder start{{{0.15, 2.6, 2, 0.3}}, {7}, {}, {}};
  for (const std::string method : {"newuoa", "lbfgs"}) {
    s.write("a.inp", "He\n$contrl jobtype='bsopt' $end\n$nuc z=2 $end\n$newuoa maxfun=30 method='" + method +
                         "' $end\n$bas bastype='wtbs' $end\n$wtbs wtbspara=0.15,2.6,2,0.3 nbs=7 $end\n");
    const auto o = s.run("a.inp --threads 1 --json a.json");
    const auto json = nlohmann::json::parse(test::readFile(s.path() / "a.json"));
    cudaprophet::OptimiserSettings how;
    how.method = method;
    how.maxEvaluations = 30;
    int heard = 0;
    how.progress = [&](int, double, double) { ++heard; };
    how.state = (s.path() / ("x" + method)).string();
    const cudaprophet::Optimised found = cudaprophet::optimise(cudaprophet::atom("He"), start, how);
    EXPECT_EQ(found.energy, json.at("energy").get<double>()) << o.err;
    EXPECT_EQ(found.stopped, json.at("stopped").get<std::string>());
    EXPECT_EQ(found.ladder.groups.front().beta, json.at("groups").at(0).at("beta").get<double>());
    EXPECT_EQ(found.evaluations, heard);
    EXPECT_TRUE(std::filesystem::exists(how.state + ".best"));
  }
}

TEST(SameDigits, OfFunctionalsAndMany) {
  cudaprophet::Atom helium = cudaprophet::atom("He");
  helium.hamiltonian.oneElectron = cudaprophet::OneElectron::KoellingHarmon;
  EXPECT_THROW(cudaprophet::limit(helium), cudaprophet::Error);
  helium.hamiltonian.functional = "lda";
  const Scratch s;
  const auto o = s.run("limit He --hamiltonian koelling-harmon --functional lda --threads 1 --json a.json");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(cudaprophet::limit(helium).energy,
            nlohmann::json::parse(test::readFile(s.path() / "a.json")).at("energy").get<double>());
  cudaprophet::Atom none = cudaprophet::atom("H");
  none.charge = 1;
  std::vector<std::size_t> heard;
  cudaprophet::BatchSettings settings;
  settings.progress = [&](std::size_t done, std::size_t) { heard.push_back(done); };
  const auto all =
      cudaprophet::computeAll({{helium, {}, true}, {none, {}}, {cudaprophet::atom("Ne"), {}}}, settings);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].energy, cudaprophet::limit(helium).energy);
  EXPECT_EQ(all[1].status, cudaprophet::Status::Failed);
  EXPECT_EQ(all[2].energy, cudaprophet::compute(cudaprophet::atom("Ne")).energy);
  EXPECT_EQ(heard.back(), 3u);
  // A set of one's own is for a point nucleus, at the limit too.
  const cudaprophet::Atom any = cudaprophet::atom("He");
  cudaprophet::Atom point = any;
  point.nucleus.model = cudaprophet::NuclearModel::Point;
  const cudaprophet::BasisSet own = cudaprophet::basisFromLadder({{{0.15, 2.6, 2, 0.3}}, {7}, {}, {}});
  const auto limits = cudaprophet::computeAll({{any, own, true}, {point, {}, true}, {any, {}, true}});
  EXPECT_EQ(limits[0].energy, limits[1].energy);
  EXPECT_NE(limits[0].energy, limits[2].energy);
  settings.device = cudaprophet::Device::Gpu;
  settings.settings.devices = {63};
  EXPECT_THROW(cudaprophet::computeAll({{helium, {}, true}}, settings), cudaprophet::Error);
}

TEST(SameDigits, ErrorsNameTheSetting) {
  const auto problem = [](const std::string& operation, const Settings& settings) -> std::string {
    try {
      cudaprophet::run(operation, settings);
    } catch (const std::exception& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_TRUE(test::contains(problem("shape", {{"sphere", 5.0}}), "q_grid: ")) << problem("shape", {});
  EXPECT_TRUE(test::contains(problem("shape", {{"sphere", -5.0}}), "sphere: found -5"));
  EXPECT_TRUE(test::contains(problem("structure", {}), "crystal: is missing"));
}

}  // namespace
}  // namespace prophet
