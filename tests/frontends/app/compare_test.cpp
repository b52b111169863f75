#include <gtest/gtest.h>

#include <array>
#include <regex>

#include "run_program.hpp"

namespace prophet {
namespace {

using test::contains;
using test::ProgramRun;
using test::Scratch;

/// A folder with the results of sodium: atom, cation, anion and the excited 3p1.
class Sodium : public ::testing::Test {
 protected:
  void SetUp() override {
    compute("na", "config='[Ne] 3s1'");
    compute("na+", "config='[Ne]'");
    compute("na-", "charge=-1");
    compute("na3p", "config='[Ne] 3p1'");
  }
  void compute(const std::string& name, const std::string& electrons) const {
    s.write(name + ".inp", name + "\n$nuc z=11 $end\n$electrons " + electrons + " $end\n");
    ASSERT_EQ(s.run(name + ".inp --quiet --json " + name + ".json").status, 0) << name;
  }
  Scratch s;
};

TEST_F(Sodium, DifferencesAreRecognised) {
  const ProgramRun o = s.run("compare na.json na+.json na-.json na3p.json na.json --csv d.csv");
  ASSERT_EQ(o.status, 0) << o.err;
  for (const char* part : {"ionisation energy of Na (3s)", "electron affinity of Na (3s)",
                           "excitation energy of Na (3s -> 3p)", "difference of two calculations of Na",
                           "cm^-1", "kinetic", "nuclear attraction", "electron repulsion"})
    EXPECT_TRUE(contains(o.out, part)) << part << o.out;
  // Koopmans' -e(3s) is 0.18 hartree, 4.96 eV.
  const std::string csv = test::readFile(s.path() / "d.csv");
  EXPECT_TRUE(contains(csv, "ionisation energy of Na (3s),ionisation energy,na.json,na+.json,0.18")) << csv;
  EXPECT_TRUE(contains(csv, ",4.9")) << csv;
}

TEST_F(Sodium, AllDifferencesOfAnElement) {
  const ProgramRun o = s.run("compare --differences na3p.json na.json na+.json na-.json");
  ASSERT_EQ(o.status, 0) << o.err;
  for (const char* part :
       {"ionisation energy of Na (3s)", "electron affinity of Na", "excitation energy of Na (3s -> 3p)"})
    EXPECT_TRUE(contains(o.out, part)) << part << o.out;
}

TEST_F(Sodium, OtherMethodsAreNoted) {
  s.write("point.inp", "point\n$nuc z=11 nucmdl='point' $end\n");
  ASSERT_EQ(s.run("point.inp --quiet --json point.json").status, 0);
  const ProgramRun o = s.run("compare na.json point.json");
  EXPECT_TRUE(contains(o.out, "note: nucleus differs: Gaussian; point")) << o.out << o.err;
}

// As many digits as the errors let stand: the default sets of Na and Na+ are some 1e-6 hartree off.
TEST_F(Sodium, ErrorsCutTheDigits) {
  const ProgramRun table = s.run("compare --differences na.json na+.json --csv d.csv");
  ASSERT_EQ(table.status, 0) << table.err;
  EXPECT_TRUE(contains(table.out, "error")) << table.out;
  EXPECT_TRUE(
      contains(table.out, "Differences of averages of configuration over all J, without correlation."));
  EXPECT_TRUE(std::regex_search(table.out, std::regex("3s\\) +0\\.18\\d{2,6} "))) << table.out;
  const std::string csv = test::readFile(s.path() / "d.csv");
  EXPECT_TRUE(contains(csv,
                       "cm^-1,error_hartree,density_bohr^-3,density_error,field_shift_MHz_per_fm^2,"
                       "field_shift_error,nist_eV\n"))
      << csv;
  const ProgramRun blocks = s.run("compare na.json na+.json");
  EXPECT_TRUE(contains(blocks.out, "error, at most")) << blocks.out;
  EXPECT_TRUE(contains(blocks.out, "averages of configuration over all J, without correlation"))
      << blocks.out;
}

TEST_F(Sodium, DensitiesAtTheNucleusAreCompared) {
  const ProgramRun o = s.run("compare na.json na+.json");
  // Without its 3s electron.
  EXPECT_TRUE(contains(o.out, "density at the nucleus  -0.59")) << o.out;
  EXPECT_TRUE(contains(o.out, "field shift ")) << o.out;
  EXPECT_TRUE(contains(s.run("compare --differences na.json na+.json").out, "rho(0)/bohr^-3"));
}

TEST_F(Sodium, OtherHamiltoniansAndElementsAreNoIonisation) {
  s.write("breit.inp", "Na+\n$contrl breit='breit' $end $nuc z=11 $end\n$electrons charge=1 $end\n");
  s.write("mg.inp", "Mg\n$nuc z=12 $end\n");
  for (const char* name : {"breit", "mg"})
    ASSERT_EQ(s.run(std::string(name) + ".inp --quiet --json " + name + ".json").status, 0);
  const ProgramRun breit = s.run("compare na.json breit.json");
  EXPECT_TRUE(contains(breit.out, "difference of two calculations of Na and Na+ (3s)")) << breit.out;
  EXPECT_FALSE(contains(breit.out, "ionisation")) << breit.out;
  const ProgramRun other = s.run("compare na.json mg.json");
  EXPECT_NE(other.status, 0);
  EXPECT_TRUE(contains(other.err, "na.json (Na) and mg.json (Mg) are different elements")) << other.err;
  EXPECT_EQ(other.out, "");
}

/// Of a key that is there twice the parser would keep the last value.
TEST_F(Sodium, StatementsThatContradictEachOtherAreRefused) {
  const std::string text = test::readFile(s.path() / "na+.json");
  const auto refusal = [&](const std::string& one, const std::string& other) {
    std::string changed = text;
    EXPECT_NE(changed.find(one), std::string::npos) << one;
    changed.replace(changed.find(one), one.size(), other);
    s.write("changed.json", changed);
    const ProgramRun o = s.run("compare na.json changed.json");
    EXPECT_EQ(o.status, 2) << o.out;
    return o.err;
  };
  EXPECT_TRUE(contains(refusal("\"charge\": 1,", "\"charge\": 0,"),
                       "changed.json: it says charge 0 and 10 electrons about a nucleus of charge 11"));
  EXPECT_TRUE(contains(refusal("\"charge\": 1,", "\"charge\": 1, \"charge\": 0,"),
                       "changed.json: the key \"charge\" is twice in the same object"));
  EXPECT_TRUE(contains(refusal("\"symbol\": \"Na\"", "\"symbol\": \"Mg\""),
                       "it says symbol Mg and a nucleus of charge 11"));
  EXPECT_TRUE(contains(refusal("\"Z\": 11", "\"Z\": 12"), "it says Z = 12 and a nucleus of charge 11"));
  EXPECT_TRUE(contains(refusal("\"converged\": true", "\"converged\": false"), "converged false"));
}

/// A key that the reader does not know would pass as one that is not there: another functional, say.
TEST_F(Sodium, UnknownKeysAreRefused) {
  const std::string text = test::readFile(s.path() / "na+.json");
  const auto refusal = [&](const std::string& key, const std::string& other) {
    std::string changed = text;
    changed.replace(changed.find('"' + key + '"'), key.size() + 2, '"' + other + '"');
    s.write("changed.json", changed);
    const ProgramRun o = s.run("compare na.json changed.json");
    EXPECT_EQ(o.status, 2) << o.out;
    return o.err;
  };
  EXPECT_TRUE(contains(refusal("treatment", "treatmnet"),
                       "changed.json: the result: unknown key 'treatmnet'; did you mean 'treatment'?"));
  EXPECT_TRUE(contains(refusal("rms_bohr", "rms_bor"),
                       "the result: nucleus: unknown key 'rms_bor'; did you mean 'rms_bohr'?"));
  // What stands deeper is read too.
  EXPECT_TRUE(
      contains(refusal("two_j", "twoj"), "the result: orbitals: unknown key 'twoj'; did you mean 'two_j'?"));
  EXPECT_TRUE(contains(refusal("kappa", "kapa"), "unknown key 'kapa'; did you mean 'kappa'?"));
  EXPECT_TRUE(contains(refusal("functions", "functons"),
                       "the result: basis: unknown key 'functons'; did you mean 'functions'?"));
  EXPECT_TRUE(contains(refusal("energy_parts", "enregy_parts"), "unknown key 'enregy_parts'"));
  s.write("line.jsonl", R"({"id": "x", "status": "converged", "energy": -1, "functonal": "lda"})"
                        "\n");
  const ProgramRun o = s.run("compare na.json line.jsonl");
  EXPECT_EQ(o.status, 2) << o.out;
  EXPECT_TRUE(contains(o.err, "line.jsonl: line 1: unknown key 'functonal'; did you mean 'functional'?"))
      << o.err;
}

TEST_F(Sodium, NoPairIsSaid) {
  const ProgramRun o = s.run("compare --differences na.json");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "no energy differences")) << o.err;
}

/// Differences of results with different settings are called that, whichever setting it is.
TEST(Compare, OtherSettingsMakeNoIonisation) {
  const Scratch s;
  const auto compute = [&](const std::string& name, const std::string& arguments) {
    ASSERT_EQ(s.run(arguments + " --no-error-estimate --quiet --json " + name + ".json").status, 0)
        << arguments;
  };
  compute("c", "energy Li --functional lda");
  compute("c+", "energy Li+ --functional lda");
  for (const auto& [name, arguments, difference] : std::vector<std::array<std::string, 3>>{
           {"x", "energy Li+ --functional lda_x", "functional differs: lda; lda_x"},
           {"hf", "energy Li+", "functional differs: lda; none, exact exchange"},
           {"spin", "energy Li+ --functional lda --spin polarised",
            "spin of the functional differs: none; polarised"},
           {"shell", "energy Li+ --functional lda --watson-charge 1 --watson-radius 3",
            "charged shell differs: none"},
           {"breit", "energy Li+ --functional lda --breit breit",
            "$contrl breit differs: not given; 'breit'"},
           {"c137", "energy Li+ --functional lda --c 137", "speed of light differs"}}) {
    compute(name, arguments);
    const ProgramRun o = s.run("compare c.json " + name + ".json");
    EXPECT_TRUE(contains(o.out, "difference of two calculations of Li and Li+ (2s)")) << o.out << o.err;
    EXPECT_FALSE(contains(o.out, "ionisation")) << o.out;
    EXPECT_TRUE(contains(o.out, "note: " + difference)) << o.out;
  }
  const ProgramRun same = s.run("compare c.json c+.json");
  EXPECT_TRUE(contains(same.out, "ionisation energy of Li (2s)")) << same.out;
  EXPECT_TRUE(contains(same.out, "with the functional's correlation")) << same.out;
  EXPECT_FALSE(contains(same.out, "without correlation")) << same.out;
  // Written out, the default is no other setting.
  compute("default", "energy Li+ --functional LDA --breit none --hamiltonian dirac --maxitr 90");
  EXPECT_TRUE(contains(s.run("compare c.json default.json").out, "ionisation energy of Li (2s)"));
}

TEST(Compare, VirtualShellsAreASetting) {
  const Scratch s;
  const ProgramRun virtuals = s.run("levels Be --virtuals 2p --roots 1 --quiet --json virtuals.json");
  ASSERT_EQ(virtuals.status, 0) << virtuals.err;
  ASSERT_EQ(s.run("levels Be+ --quiet --json plain.json").status, 0);
  const ProgramRun o = s.run("compare virtuals.json plain.json");
  EXPECT_TRUE(contains(o.out, "difference of two calculations of Be and Be+")) << o.out << o.err;
  EXPECT_TRUE(contains(o.out, "note: $levels virtuals differs: '2p'; not given")) << o.out;
}

TEST(Compare, CoreIonisationsStandAmongDifferences) {
  const Scratch s;
  const char* const states[] = {"[Ne]", "1s1 2s2 2p6", "1s2 2s2 2p5"};
  std::string files;
  for (int i = 0; i < 3; ++i) {
    const std::string name = "s" + std::to_string(i);
    s.write(name + ".inp", std::string("t\n$nuc z=10 $end\n$electrons config='") + states[i] + "' $end\n");
    ASSERT_EQ(s.run(name + ".inp --quiet --json " + name + ".json").status, 0);
    files += " " + name + ".json";
  }
  const ProgramRun o = s.run("compare --differences" + files);
  EXPECT_TRUE(contains(o.out, "ionisation energy of Ne (1s)")) << o.out << o.err;
  EXPECT_TRUE(contains(o.out, "ionisation energy of Ne (2p)")) << o.out;
}

TEST(Compare, LinesOfABatch) {
  const Scratch s;
  s.write("li.inp", "Li\n$nuc z=3 $end\n");
  s.write("li+.inp", "Li+\n$nuc z=3 $end\n$electrons charge=1 $end\n");
  for (const char* name : {"li", "li+"})
    ASSERT_EQ(s.run(std::string(name) + ".inp --quiet --json " + name + ".json").status, 0);
  const auto line = [&](const char* name) {
    std::string text = test::readFile(s.path() / name), flat;
    for (const char c : text) flat += c == '\n' ? ' ' : c;
    return flat + "\n";
  };
  s.write("all.jsonl", line("li.json") + line("li+.json") +
                           R"({"id":"x","status":"failed","reason":"nothing"})"
                           "\n");
  const ProgramRun o = s.run("compare --differences all.jsonl");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "ionisation energy of Li (2s)")) << o.out;
  EXPECT_TRUE(contains(o.out, "skipped: x: it has no energy: nothing")) << o.out;
}

TEST(Compare, DifferencesOfABatch) {
  const Scratch s;
  const ProgramRun o =
      s.run("batch --elements Li --charge 0,1 --nucleus gaussian,point --csv e.csv --differences --quiet");
  ASSERT_EQ(o.status, 0) << o.err;
  const std::string name = "ionisation energy of Li (2s)";
  const std::size_t first = o.out.find(name);
  ASSERT_NE(first, std::string::npos) << o.out;
  EXPECT_NE(o.out.find(name, first + 1), std::string::npos) << "one for each nucleus\n" << o.out;
  EXPECT_TRUE(contains(s.run("batch --elements Li --csv e.csv --differences").out, "no energy differences"));
  const ProgramRun dense =
      s.run("batch --elements Na --charge 0,1 --csv n.csv --differences --properties --quiet");
  EXPECT_TRUE(contains(dense.out, "rho(0)/bohr^-3")) << dense.out << dense.err;
  EXPECT_TRUE(contains(test::readFile(s.path() / "n.csv"), "density_at_nucleus,density_at_nucleus_error"));
}

TEST(Compare, ABareNucleusHasTheEnergyZero) {
  const Scratch s;
  const std::string out = s.run("batch --elements H,He --charge 0,1 --csv e.csv --differences").out;
  const std::size_t hydrogen = out.find("ionisation energy of H ");
  ASSERT_NE(hydrogen, std::string::npos) << out;
  EXPECT_NE(out.find("0.50000665", hydrogen), std::string::npos) << out;
  EXPECT_NE(out.find("13.598", hydrogen), std::string::npos) << out;  // NIST's
  EXPECT_TRUE(contains(out, "ionisation energy of He (1s)")) << out;
  EXPECT_FALSE(contains(out, "ionisation energy of He+")) << out;  // He2+ was not asked for
}

/// Runs of one element, each with its $electrons, and a table of all differences.
std::string differencesOf(const std::string& element, const std::vector<std::string>& states) {
  const Scratch s;
  std::string names;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const std::string name = "s" + std::to_string(i);
    s.write(name + ".inp", name + "\n$nuc z='" + element + "' $end\n$electrons " + states[i] + " $end\n");
    EXPECT_EQ(s.run(name + ".inp --quiet --json " + name + ".json").status, 0) << states[i];
    names += " " + name + ".json";
  }
  return s.run("compare --differences" + names).out;
}

/// From the lowest state of the atom to every state of the ion, by shell or spinor.
TEST(Compare, CoreHolesAreIonisations) {
  const std::string out =
      differencesOf("Ar", {"charge=0", "hole='1s'", "hole='2p'", "hole='2p1/2'", "hole='2p3/2'"});
  for (const char* part : {"ionisation energy of Ar (1s)", "ionisation energy of Ar (2p)",
                           "ionisation energy of Ar (2p1/2)", "ionisation energy of Ar (2p3/2)"})
    EXPECT_TRUE(contains(out, part)) << part << out;
}

TEST(Compare, SpinorsOfOneShellAreToldApart) {
  const std::string core = "config='[Xe] 4f14 5d10 6s2";
  const std::string out = differencesOf("Tl", {core + " 6p1/2'", core + " 6p3/2'", core + "'"});
  EXPECT_TRUE(contains(out, "excitation energy of Tl (6p1/2 -> 6p3/2)")) << out;
  EXPECT_TRUE(contains(out, "ionisation energy of Tl (6p1/2)")) << out;
  EXPECT_FALSE(contains(out, "note:")) << "given by j: nothing is averaged\n" << out;
}

/// What user and textbook expect where the spin-orbit splitting is large.
TEST(Compare, AveragesOverJCarryTheValueOfJjConfigurations) {
  const Scratch s;
  const auto batch = [&](const std::string& which) {
    return s.run("batch --elements " + which + " --csv e.csv --differences --quiet").out;
  };
  const std::string halogens = batch("At,Ts --charge=0,-1");
  EXPECT_TRUE(contains(halogens, "note: electron affinity of At (6p): spin-orbit splitting of 6p"))
      << halogens;
  EXPECT_TRUE(contains(halogens, "[Rn] and [Xe] 4f14 5d10 6s2 6p1/2:2 6p3/2:3, give 1.52 eV")) << halogens;
  EXPECT_TRUE(contains(halogens, "give 1.52 eV")) << halogens;
  EXPECT_TRUE(contains(halogens, "give 0.60 eV")) << halogens;
  EXPECT_TRUE(contains(batch("Tl --charge 0,1"), "give 5.61 eV"));
  EXPECT_FALSE(contains(batch("Na,Mg,Al --charge 0,1"), "note:"));
}

TEST(Compare, ConfigurationsOfABatchAreStatesOfOneElement) {
  const Scratch s;
  const std::string out =
      s.run("batch --elements \"Na+,Na,Na [Ne] 3p1\" --csv e.csv --differences --quiet").out;
  EXPECT_TRUE(contains(out, "excitation energy of Na (3s -> 3p)")) << out;
  EXPECT_TRUE(contains(out, "ionisation energy of Na (3s)")) << out;
}

TEST(Compare, WrongUseIsSaid) {
  const Scratch s;
  s.write("no.json", "{\"a\": 1}");
  s.write("text.json", "not JSON");
  for (const char* arguments :
       {"", "missing.json other.json", "no.json no.json", "text.json text.json", "--differences"})
    EXPECT_EQ(s.run(std::string("compare ") + arguments).status, 2) << arguments;
  EXPECT_TRUE(contains(s.run("compare text.json text.json").err, "expected a result that --json writes"));
  EXPECT_EQ(s.run("compare --help").status, 0);
}

}  // namespace
}  // namespace prophet
