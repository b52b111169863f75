#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "run_program.hpp"

namespace prophet {
namespace {

using test::ProgramRun;
using test::Scratch;
using ::testing::HasSubstr;

constexpr const char* kSalt =
    "8\nLattice=\"5.64 0 0 0 5.64 0 0 0 5.64\" Properties=species:S:1:pos:R:3:charge:R:1\n"
    "Na 0 0 0 1\nNa 0 2.82 2.82 1\nNa 2.82 0 2.82 1\nNa 2.82 2.82 0 1\n"
    "Cl 2.82 2.82 2.82 -1\nCl 2.82 0 0 -1\nCl 0 2.82 0 -1\nCl 0 0 2.82 -1\n";

nlohmann::json jsonOf(const Scratch& s, const std::string& name) {
  return nlohmann::json::parse(test::readFile(s.path() / name));
}

TEST(Madelung, GivesTheConstantOfRockSalt) {
  const Scratch s;
  s.write("nacl.xyz", kSalt);
  const ProgramRun o = s.run("madelung nacl.xyz --charges Na=1,Cl=-1 --json m.json");
  ASSERT_EQ(o.status, 0) << o.err;
  const auto json = jsonOf(s, "m.json");
  EXPECT_NEAR(json["madelung_constant"], 1.747564594633182, 1e-12);
  EXPECT_NEAR(json["energy_hartree"], -4 * 1.747564594633182 * 0.529177210903 / 2.82, 1e-10);
  ASSERT_EQ(json["sites"].size(), 8u);
  EXPECT_EQ(json["sites"][0]["label"], "Na1");
  EXPECT_EQ(json["sites"][7]["charge"], -1.0);
  EXPECT_NEAR(json["sites"][7]["potential"], 1.747564594633182 * 0.529177210903 / 2.82, 1e-10);
  EXPECT_THAT(o.out, HasSubstr("1.74756459463"));
}

TEST(Madelung, SaysThatNeutralCellsHaveNoBackground) {
  const Scratch s;
  s.write("nacl.xyz", kSalt);
  ASSERT_EQ(s.run("madelung nacl.xyz --background --json m.json").status, 0);
  EXPECT_EQ(jsonOf(s, "m.json")["warnings"][0]["id"], "no_background");
  const ProgramRun gpu = s.run("madelung nacl.xyz --method ewald --device 0");
  EXPECT_THAT(gpu.err, HasSubstr("--method: ewald is computed on the CPU"));
  ASSERT_EQ(s.run("madelung nacl.xyz --background --charges Na=1,Cl=-0.9 --json m.json").status, 0);
  EXPECT_TRUE(jsonOf(s, "m.json")["warnings"].empty());
}

TEST(Madelung, DoesTheSameByEveryMethod) {
  const Scratch s;
  s.write("box.xyz", kSalt);
  for (const std::string method : {"spread", "gather", "filter"}) {
    const ProgramRun o = s.run("madelung box.xyz --charges column --method " + method +
                               " --order 4 --mesh 72 --beta 0.3 --backend cpu --json m.json");
    ASSERT_EQ(o.status, 0) << o.err;
    const auto json = jsonOf(s, "m.json");
    EXPECT_EQ(json["method"], method);
    EXPECT_THAT(json["device"].get<std::string>(), HasSubstr("CPU"));
    EXPECT_EQ(json["parameters"]["order"], 4);
    EXPECT_EQ(json["parameters"]["mesh"][2], 72);
    EXPECT_NEAR(json["parameters"]["beta_per_angstrom"], 0.3, 1e-12);
    EXPECT_NEAR(json["madelung_constant"], 1.7475645946, method == "filter" ? 1e-3 : 1e-5) << method;
  }
}

/// A trajectory: the second frame has the cell of the first twice as large.
TEST(Madelung, ComputesEveryFrame) {
  const Scratch s;
  std::string second = kSalt;
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"5.64", "11.28"}, {"2.82", "5.64"}}) {
    for (std::size_t at = 0; (at = second.find(from, at)) != std::string::npos; at += to.size())
      second.replace(at, from.size(), to);
  }
  s.write("frames.xyz", kSalt + second + kSalt);
  for (const std::string method : {"", "--method spread"}) {
    const ProgramRun o = s.run("madelung frames.xyz --backend cpu --json m.json --csv sites.csv " + method);
    ASSERT_EQ(o.status, 0) << o.err;
    const auto json = jsonOf(s, "m.json");
    const double energy = -4 * 1.747564594633182 * 0.529177210903 / 2.82;
    EXPECT_EQ(json["frames"], 3);
    EXPECT_NEAR(json["energy_hartree"], energy, 1e-7);
    ASSERT_EQ(json["energies"].size(), 3u);
    EXPECT_NEAR(json["energies"][1]["energy_of_frame"], energy / 2, 1e-7);
    EXPECT_NEAR(json["energies"][1]["nearest_distance_of_frame"], 5.64, 1e-9);
    EXPECT_EQ(json["energies"][2]["energy_of_frame"], json["energies"][0]["energy_of_frame"]);
    ASSERT_EQ(json["sites"].size(), 24u);
    EXPECT_EQ(json["sites"][8]["frame"], 2);
    EXPECT_EQ(json["sites"][8]["label"], "Na1");
    EXPECT_NEAR(json["sites"][8]["potential"], json["sites"][0]["potential"].get<double>() / 2, 1e-8);
  }
  s.write("broken.xyz", kSalt + std::string("1\n\nNa 0 0 0\n"));
  const ProgramRun o = s.run("madelung broken.xyz --charges Na=1,Cl=-1");
  EXPECT_EQ(o.status, 2);
  EXPECT_THAT(o.err, HasSubstr("broken.xyz: error: frame 2 has no lattice"));
}

TEST(Madelung, MixedPrecisionKeepsSixDigits) {
  const Scratch s;
  s.write("nacl.xyz", kSalt);
  const ProgramRun o = s.run("madelung nacl.xyz --precision mixed --backend cpu --json m.json");
  ASSERT_EQ(o.status, 0) << o.err;
  const double constant = jsonOf(s, "m.json")["madelung_constant"];
  EXPECT_NEAR(constant, 1.747564594633182, 2e-6);
  EXPECT_GT(std::abs(constant - 1.747564594633182), 1e-10) << "not in single precision";
}

TEST(Madelung, RefusesWrongInput) {
  const Scratch s;
  s.write("box.xyz", kSalt);
  s.write("free.xyz", "1\n\nNa 0 0 0\n");
  const auto refused = [&](const std::string& arguments, int status, const std::string& part) {
    const ProgramRun o = s.run("madelung " + arguments);
    EXPECT_EQ(o.status, status) << arguments << o.err;
    EXPECT_THAT(o.err, HasSubstr(part)) << arguments;
    EXPECT_EQ(o.out, "");
  };
  refused("", 2, "madelung needs FILE: a crystal");
  refused("box.xyz --method mesh", 2,
          "--method: found 'mesh'; expected 'ewald', 'spread', 'gather' or 'filter'");
  refused("box.xyz --order 3", 2, "--order: found '3'; expected a whole number, 4 to 12");
  refused("box.xyz --mesh 10,20", 2, "--mesh");
  refused("box.xyz --mesh 8 --order 8", 2, "more points");
  refused("box.xyz --beta -1", 2, "--beta");
  refused("box.xyz --method ewald --beta 0.3", 2, "exact");
  refused("box.xyz --method ewald --backend cuda", 2, "for a GPU take spread");
  refused("box.xyz --backend gpu", 2, "--backend");
  refused("box.xyz --tolerance 1", 2, "--tolerance");
  refused("box.xyz --charges Na:1", 2, "--charges");
  refused("box.xyz --charges Na=2,Cl=-1", 2, "net charge");
  refused("box.xyz --charges Na=2", 2, "Cl=CHARGE");
  refused("free.xyz --charges Na=1", 2, "no cell");
  refused("none.xyz", 2, "none.xyz");
}

TEST(Madelung, ReadsTheNumberOfASpaceGroup) {
  const Scratch s;
  s.write(
      "nacl.cif",
      "data_NaCl\n_cell_length_a 5.6402\n_cell_length_b 5.6402\n_cell_length_c 5.6402\n_cell_angle_alpha 90\n"
      "_cell_angle_beta 90\n_cell_angle_gamma 90\n_space_group_IT_number 225\nloop_\n_atom_site_label\n"
      "_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\nNa Na 0 0 0\nCl "
      "Cl 0.5 0.5 0.5\n");
  const ProgramRun o = s.run("madelung nacl.cif --charges Na=1,Cl=-1 --json m.json");
  if (test::contains(o.err, "without gemmi")) GTEST_SKIP();
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_NEAR(jsonOf(s, "m.json")["madelung_constant"], 1.7475645946, 1e-10);
}

TEST(Madelung, ParametersThatMissTheToleranceAreTold) {
  const Scratch s;
  s.write("nacl.xyz", kSalt);
  for (const char* options :
       {"--method spread --cutoff 1 --beta 0.1", "--mesh 8 --beta 5 --cutoff 1 --order 4"}) {
    const ProgramRun o = s.run(std::string("madelung nacl.xyz ") + options);
    EXPECT_EQ(o.status, 2) << options;
    EXPECT_THAT(o.err, HasSubstr("the estimated error is")) << options;
    EXPECT_EQ(o.out, "");
  }
  ProgramRun o = s.run("madelung nacl.xyz --mesh 8 --order 4 --cutoff 4 --json m.json");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.err, HasSubstr("above the tolerance of 1e-08"));
  EXPECT_EQ(jsonOf(s, "m.json")["warnings"].size(), 1u);
  o = s.run("madelung nacl.xyz --tolerance 1e-6 --json m.json");
  EXPECT_EQ(o.err, "");
  EXPECT_TRUE(jsonOf(s, "m.json")["warnings"].empty());
  EXPECT_EQ(s.run("madelung nacl.xyz --charges Na=1e300,Cl=-1e300").status, 2);
}

}  // namespace
}  // namespace prophet
