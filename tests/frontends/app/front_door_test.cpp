#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "run_program.hpp"
#include "terminal.hpp"

namespace prophet {
namespace {

using test::contains;
using test::ProgramRun;
using test::Scratch;

long linesOf(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

TEST(FrontDoor, TheNameAloneSaysWhatToTypeNext) {
  const Scratch s;
  const ProgramRun o = s.run("");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(o.out.empty());
  EXPECT_LE(linesOf(o.err), 12) << o.err;
  for (const char* part : {"cudaprophet Rn", "cudaprophet help", "docs/index.md"})
    EXPECT_TRUE(contains(o.err, part)) << o.err;
}

TEST(FrontDoor, AFirstWordThatIsNoCommandIsAnAtom) {
  const Scratch s;
  const auto says = [&](const std::string& words, const std::string& part) {
    const ProgramRun o = s.run(words);
    EXPECT_EQ(o.status, 2) << words;
    EXPECT_TRUE(contains(o.err, part)) << words << ": " << o.err;
  };
  says("Fe++", "write Fe2+");
  says("Fe26+", "the last one with an electron is Fe25+");
  says("0", "found 0; expected a number, more than 0");
  says("Rn210", "an isotope is Rn with --mass 210");
  says("iron", "the symbol of iron is Fe; write Fe");
  says("irn", "write Fe");
  says("Uuo", "the symbol of oganesson is Og; write Og");
  says("energy aluminum", "write Al");
  says("D", "write H with --mass 2");
  says("Xx", "there is no element 'Xx'");
  says("nofile.txt", "must end in .inp");
}

TEST(FrontDoor, EveryMisspeltWordGetsASuggestion) {
  const Scratch s;
  const auto says = [&](const std::string& words, const std::string& part) {
    const ProgramRun o = s.run(words);
    EXPECT_EQ(o.status, 2) << words;
    EXPECT_TRUE(contains(o.err, part)) << words << ": " << o.err;
  };
  says("energy C --quite", "did you mean '--quiet'?");
  says("energy C --qeds", "--qedse, --qedscf");
  says("C --functional b3lpy",
       "cudaprophet: --functional 'b3lpy': 'b3lpy' is not a functional of libxc, did you mean b3lyp?");
  says("basis show Au --basis prophet-tx", "did you mean 'prophet-t");
  says("energy Fe --config [Ar] 3d6 4s2", "quote texts with blanks");
  EXPECT_EQ(s.run("explain breit").out, s.run("--explain breit").out);
}

TEST(FrontDoor, TheShortHelpFitsOnAScreenAndSaysWhereTheRestIs) {
  const Scratch s;
  for (const char* command :
       {"energy", "limit", "levels", "lines", "correlation", "slater", "batch", "compare", "basis export",
        "powder", "formfactor", "tables", "shape", "pairs", "madelung", "chain", "structure"}) {
    const std::string help = s.run(std::string(command) + " -h").out;
    EXPECT_GE(linesOf(help), 15) << help;
    EXPECT_LE(linesOf(help), 30) << help;
    if (const std::size_t method = help.find("\nMethod:"); method != std::string::npos) {
      EXPECT_LT(help.find("\nAtom:"), method) << help;
    }
    EXPECT_TRUE(contains(help, "--help all' has every option")) << help;
    EXPECT_FALSE(contains(help, " a\n  --")) << help;  // a clause that is cut within a phrase
    for (const char* old : {"ixtrp", "thdll", "wtbspara", ".true."})
      EXPECT_FALSE(contains(help, old)) << help;
  }
  const std::string energy = s.run("energy -h").out;
  for (const char* part : {"Examples:", "Atom:", "Method:", "Output:", "--basis NAME|FILE"})
    EXPECT_TRUE(contains(energy, part)) << energy;
  EXPECT_TRUE(contains(s.run("energy --help all").out, "--ixtrp"));
  for (const char* command : {"energy", "limit", "levels", "lines", "correlation", "slater", "batch",
                              "compare", "powder", "formfactor"})
    EXPECT_TRUE(contains(s.run(std::string(command) + " -h").out, "\nExamples:\n")) << command;
  EXPECT_TRUE(contains(s.run("limit -h").out, "  cudaprophet limit Ne\n"));
  const std::string factors = s.run("formfactor -h").out;
  for (const char* part : {"--q GRID", "--fit NAME", "--watson", "--functional"})
    EXPECT_TRUE(contains(factors, part)) << factors;
}

TEST(FrontDoor, OneOptionNamesABasisSetOrAFile) {
  const Scratch s;
  ASSERT_EQ(s.run("basis export Ne --basis prophet-tz --format nwchem -o ne.nw").status, 0);
  const std::string old = s.run("energy Ne --bastype file --file ne.nw --nucleus gaussian -q").out;
  EXPECT_FALSE(old.empty());
  EXPECT_EQ(s.run("energy Ne --basis ne.nw --nucleus gaussian -q").out, old);
  EXPECT_EQ(s.run("energy Ne --file ne.nw --nucleus gaussian -q").out, old);
  EXPECT_EQ(s.run("energy Ne --basis prophet-tz -q").out, s.run("energy Ne --library prophet-tz -q").out);
  EXPECT_EQ(s.run("energy Ne --basis none.nw").status, 2);
  EXPECT_EQ(s.run("energy Ne --basis prophet-tz --library prophet-tz").status, 2);
  const std::string list = s.run("basis list").out;
  EXPECT_TRUE(contains(list, "prophet-tz") && contains(list, "H to Og")) << list;
  EXPECT_TRUE(contains(list, "contracted/prophet-dz-amf.json")) << list;
}

TEST(FrontDoor, OutputsHaveTheFormatOfTheirEnding) {
  const Scratch s;
  ASSERT_EQ(s.run("energy Ne -o ne.json -j 1").status, 0);
  EXPECT_EQ(nlohmann::json::parse(test::readFile(s.path() / "ne.json")).at("operation"), "energy");
  ASSERT_EQ(s.run("levels C --output c.csv").status, 0);
  const std::string table = test::readFile(s.path() / "c.csv");
  EXPECT_TRUE(contains(table, ",A_MHz,B_MHz,nist_cm-1")) << table;
  const ProgramRun text = s.run("energy Ne -o ne.txt");
  EXPECT_TRUE(text.out.empty());
  EXPECT_TRUE(contains(test::readFile(s.path() / "ne.txt"), "total energy") ||
              contains(test::readFile(s.path() / "ne.txt"), "hartree"));
  ASSERT_EQ(s.run("batch --elements He -o he.jsonl").status, 0);
  EXPECT_TRUE(contains(test::readFile(s.path() / "he.jsonl"), "\"id\""));
  EXPECT_EQ(s.run("energy Ne -o ne.doc").status, 2);
  EXPECT_EQ(s.run("energy Ne -o a.json --json b.json").status, 2);
}

TEST(FrontDoor, SwitchesNeedNoValue) {
  const Scratch s;
  const std::string whole = s.run("energy Ne --breit breit -q").out;
  for (const char* words : {"energy Ne --breit -q", "energy --breit Ne -q", "Ne --breit yes -q"})
    EXPECT_EQ(s.run(words).out, whole) << words;
  EXPECT_EQ(s.run("tables Ne --what binding --breit --qed --csv a.csv").status, 0);
  EXPECT_EQ(s.run("tables Ne --what binding --breit breit --qed --csv b.csv").status, 0);
  EXPECT_EQ(test::readFile(s.path() / "a.csv"), test::readFile(s.path() / "b.csv"));
  EXPECT_EQ(s.run("Ne --breit no -q").out, s.run("Ne -q").out);
  const std::string told = s.run("levels Tl").err;  // of breitfreq=.true.
  EXPECT_TRUE(contains(told, "; --breitfreq takes the frequency")) << told;
  EXPECT_EQ(s.run("Ne --breit --breitscf -q").out, s.run("Ne --breit breit --breitscf .true. -q").out);
}

TEST(FrontDoor, StatusesFollowOneRule) {
  const Scratch s;
  for (const char* words :
       {"powder none.xyz --q 1", "pairs none.xyz", "madelung none.cif", "basis show Au --basis foo",
        "energy C --json none/x.json", "correlation Na --valence 3s", "compare none.json other.json"})
    EXPECT_EQ(s.run(words).status, 2) << words;
  EXPECT_EQ(s.run("energy Ne --maxitr 2").status, 3);
}

TEST(FrontDoor, ABatchAndAComparisonNeedNoFiles) {
  const Scratch s;
  const ProgramRun batch = s.run("batch --elements He,Ne");
  EXPECT_EQ(batch.status, 0) << batch.err;
  EXPECT_TRUE(contains(batch.out, "-128.69") && contains(batch.out, "1s2")) << batch.out;
  const ProgramRun pair = s.run("compare Na Na+");
  EXPECT_EQ(pair.status, 0) << pair.err;
  EXPECT_TRUE(contains(pair.out, "ionisation energy of Na (3s)")) << pair.out;
  EXPECT_TRUE(s.run("formfactor Ne --q 0,1 -q").out.empty());
}

/// The line of a report that begins with this label.
std::string lineOf(const std::string& text, const std::string& label) {
  const std::size_t at = text.find("\n  " + label + " ");
  return at == std::string::npos ? "" : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

TEST(FrontDoor, ReportsBeginWithTheResult) {
  const Scratch s;
  struct Case {
    std::string command, title, result, accuracy;
  };
  for (const Case& c :
       {Case{"Ne", "Energy of Ne", "total energy", "basis-set error"},
        {"limit He", "Numerical limit of He", "total energy", "estimated error"},
        {"levels C", "Levels of C", "lowest level", "accuracy"},
        {"lines Na --excite '3s->3p'", "Lines of Na", "lines", "accuracy"},
        {"slater Fe2+", "Slater integrals", "parameters", "accuracy"},
        {"correlation Ne --basis prophet-dz", "Second order of Ne", "field and correlation", "accuracy"},
        {"correlation Li+ --valence 2s --lmax 1 --no-error-estimate", "Second order of Li", "energy of 2s1/2",
         "accuracy"},
        {"batch --elements He", "Energies of 1 job", "result", "accuracy"},
        {"compare Na Na+", "Energy differences", "ionisation energy of Na (3s)", "accuracy"}}) {
    const ProgramRun o = s.run(c.command);
    ASSERT_EQ(o.status, 0) << c.command << o.err;
    const std::size_t end = o.out.find("\n\n", o.out.find("\n\n") + 2);  // behind the title an empty line
    const std::string head = o.out.substr(0, end + 1);
    EXPECT_EQ(o.out.rfind(c.title, 0), 0u) << o.out;
    EXPECT_LE(linesOf(head), 12) << head;
    for (const std::string& label :
         {c.result, c.accuracy, std::string("warnings"), std::string("computed on")})
      EXPECT_FALSE(lineOf(head, label).empty()) << label << "\n" << head;
    EXPECT_TRUE(contains(lineOf(head, "computed on"), " s")) << head;
  }
}

TEST(FrontDoor, SpinorsStandInTheOrderOfTheirEnergies) {
  const Scratch s;
  const std::string out = s.run("Ar").out;
  EXPECT_LT(out.find("\n  2p1/2 "), out.find("\n  3s1/2 ")) << out;
  EXPECT_LT(out.find("\n  2s1/2 "), out.find("\n  2p1/2 ")) << out;
  EXPECT_TRUE(contains(out, "energy [eV]")) << out;
}

TEST(FrontDoor, VerboseSaysMoreAndRowsSayHowMany) {
  const Scratch s;
  const std::string usual = s.run("Ar").out, verbose = s.run("Ar -v").out;
  for (const char* part : {"thresholds LL", "gradient", "eigenproblems", "smallest exponent"}) {
    EXPECT_FALSE(contains(usual, part)) << usual;
    EXPECT_TRUE(contains(verbose, part)) << verbose;
  }
  EXPECT_TRUE(contains(s.run("levels C -v").out, "hyperfine constants"));
  EXPECT_TRUE(contains(s.run("levels C --rows 2").out, "... and 3 more levels; --rows all lists them"));
  EXPECT_TRUE(contains(s.run("Ar --rows 3").out, "... and 4 more spinors; --rows all"));
  EXPECT_TRUE(contains(s.run("slater Fe2+ --rows 1").out, "... and 4 more; --rows all"));
  EXPECT_FALSE(contains(s.run("levels Fe --rows all").out, "more levels"));
  for (const char* words : {"levels C --rows 0", "levels C --rows few", "Ar -v -q"})
    EXPECT_EQ(s.run(words).status, 2) << words;
}

TEST(FrontDoor, IonisationEnergiesStandBesideThoseOfNist) {
  const Scratch s;
  const std::string out = s.run("compare Na Na+ --json d.json").out;
  EXPECT_TRUE(contains(out, "NIST 5.139")) << out;
  const auto json = nlohmann::json::parse(test::readFile(s.path() / "d.json"));
  EXPECT_NEAR(json.at("differences").at(0).at("nist_eV").get<double>(), 5.1390769, 1e-6);
  const std::string two = s.run("compare Mg Mg2+").out;  // 7.646236 + 15.035271
  EXPECT_TRUE(contains(two, " 22.6815")) << two;
  EXPECT_FALSE(contains(s.run("compare Na Na-").out, "NIST"));
  EXPECT_FALSE(contains(s.run("compare 'Na [Ne] 3p1' Na+").out, "NIST"));  // not the ground configuration
}

TEST(FrontDoor, HyperfineConstantsAreThoseOfAGivenNucleus) {
  const Scratch s;
  ASSERT_EQ(s.run("levels Na --json unit.json").status, 0);
  const ProgramRun o =
      s.run("levels Na --moment 2.2175 --nuclear-spin 1.5 --quadrupole 0.104 --json na.json");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "A [MHz]")) << o.out;
  const auto level = [&](const char* file) {
    return nlohmann::json::parse(test::readFile(s.path() / file)).at("levels").at(0);
  };
  const double perUnit = level("unit.json").at("hyperfine_A_MHz").get<double>();
  EXPECT_FALSE(level("unit.json").contains("A_nucleus_MHz"));
  EXPECT_NEAR(level("na.json").at("A_nucleus_MHz").get<double>(), perUnit * 2.2175 / 1.5, 1e-9 * perUnit);
  EXPECT_TRUE(level("na.json").at("B_nucleus_MHz").is_null());  // J = 1/2
  EXPECT_TRUE(
      contains(s.run("Na --properties --moment 2.2175 --nuclear-spin 1.5").out, "of the nucleus, 3s1/2"));
  for (const char* words : {"levels Na --moment 2", "levels Na --nuclear-spin 1.5", "Na --quadrupole 1",
                            "levels Na --moment 2 --nuclear-spin 0.7"})
    EXPECT_EQ(s.run(words).status, 2) << words;
}

TEST(FrontDoor, HyperfineConstantsAreThoseOfANamedIsotope) {
  const Scratch s;
  struct Known {
    const char *isotope, *words, *same;
    double factor;  // mu/I of the table
  };
  for (const Known& k : {Known{"133Cs", "levels 133Cs", "levels Cs --isotope 133", 2.5778 / 3.5},
                         Known{"87Rb", "levels 87Rb", "levels Rb --mass 87", 2.75129 / 1.5},
                         Known{"43Ca+", "lines 43Ca+ --excite '4s->4p'",
                               "lines Ca+ --isotope 43 --excite '4s->4p'", -1.31733 / 3.5},
                         Known{"25Mg+", "levels 25Mg+", "levels Mg+ --isotope 25", -0.85533 / 2.5}}) {
    const ProgramRun o = s.run(std::string(k.words) + " --json a.json");
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(contains(o.out, "A [MHz]")) << o.out;
    const auto json = nlohmann::json::parse(test::readFile(s.path() / "a.json"));
    const auto level = json.at("levels").at(0);
    const double perUnit = level.at("hyperfine_A_MHz").get<double>();
    EXPECT_NEAR(level.at("A_nucleus_MHz").get<double>(), perUnit * k.factor, 1e-9 * perUnit) << k.isotope;
    EXPECT_NEAR(json.at("nuclear_moments").at("magnetic_dipole").get<double>() /
                    json.at("nuclear_moments").at("spin").get<double>(),
                k.factor, 1e-12);
    ASSERT_EQ(s.run(std::string(k.same) + " --json b.json").status, 0);
    EXPECT_EQ(nlohmann::json::parse(test::readFile(s.path() / "b.json")).at("levels"), json.at("levels"));
  }
  // What is given goes first; nuclei without spin have no constants.
  EXPECT_TRUE(
      contains(s.run("levels 133Cs --moment 2.5 --nuclear-spin 3.5").out, "mu = 2.5 nuclear magnetons"));
  EXPECT_FALSE(contains(s.run("levels 40Ca+").out, "A [MHz]"));
  EXPECT_TRUE(contains(s.run("133Cs --properties").out, "of the nucleus, 6s1/2"));
  EXPECT_TRUE(contains(s.run("levels 25Mg --core-valence --lowest 1 --core-lmax 2 --valence-lmax 1 "
                             "--valence-spinors 6")
                           .out,
                       "A [MHz]"));
}

TEST(FrontDoor, MessagesNameOptionsAsTheyAreTyped) {
  const Scratch s;
  EXPECT_TRUE(contains(s.run("formfactor Fe --format cif").err, "--format: requires --fit")) << "needs";
  EXPECT_TRUE(contains(s.run("levels C --fit a.csv --calibrate nist").err, "together with --")) << "excludes";
}

TEST(FrontDoor, PropertiesOfAQuietRunAreInItsFile) {
  const Scratch s;
  const ProgramRun o = s.run("energy C --properties --json c.json --quiet");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(linesOf(o.out), 1) << o.out;
  EXPECT_TRUE(nlohmann::json::parse(test::readFile(s.path() / "c.json"))
                  .at("properties")
                  .contains("expectation_values"));
}

TEST(FrontDoor, TextsNameSwitchesAsTheyAreTyped) {
  const Scratch s;
  const ProgramRun o = s.run("levels Tl");
  EXPECT_TRUE(contains(o.err, "--breitfreq takes the frequency")) << o.err;
  EXPECT_TRUE(contains(o.out, "--breitfreq takes")) << o.out;
}

TEST(FrontDoor, ErrorsOfFilesNameOptionsAsTheyAreTyped) {
  const Scratch s;
  s.write("salt.xyz", "2\nLattice=\"4 0 0 0 4 0 0 0 4\"\nCs 0 0 0\nCl 2 2 2\n");
  const ProgramRun o = s.run("madelung salt.xyz");
  EXPECT_EQ(o.status, 2) << o.err;
  EXPECT_TRUE(contains(o.err, "give them, such as --charges 'Na=1,Cl=-1'")) << o.err;
}

TEST(FrontDoor, OneLevelIsNotToldHowFarLevelsLieApart) {
  const Scratch s;
  const ProgramRun o = s.run("levels Cs -v --json cs.json");
  EXPECT_EQ(o.status, 0) << o.err;
  for (const char* part : {"too far apart", "frequency zero"})
    for (const std::string& text : {o.out, o.err, test::readFile(s.path() / "cs.json")})
      EXPECT_FALSE(contains(text, part)) << text;
  EXPECT_TRUE(contains(o.out, "no correlation beyond the configuration named\n")) << o.out;
  EXPECT_TRUE(contains(s.run("levels Tl").out, "too far apart"));
  EXPECT_TRUE(contains(s.run("levels Cs --config '[Xe] 6s1 | [Xe] 6p1'").out, "frequency zero"));
}

TEST(FrontDoor, WarningsStandOnceOnATerminal) {
  const Scratch s;
  const std::string words = "levels Tl";
  const auto times = [](const std::string& text) {
    int count = 0;
    for (std::size_t at = 0; (at = text.find("--breitfreq takes", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  const std::string both = test::onTerminal(s, words, "");
  if (both.empty()) GTEST_SKIP() << "this system gives no terminal";
  EXPECT_EQ(times(both), 1) << both;
  // Where one stream goes elsewhere each has them, and what is not in the report is told.
  EXPECT_EQ(times(test::onTerminal(s, words)), 1);
  EXPECT_EQ(times(test::readFile(s.path() / "out")), 1);
  EXPECT_EQ(times(test::onTerminal(s, words + " -q", "")), times(s.run(words + " -q").err));
  EXPECT_EQ(times(test::onTerminal(s, words + " --csv -", "")), 1);  // beside the report on standard error
}

TEST(FrontDoor, QedIsOneWord) {
  const Scratch s;
  const std::string both = s.run("Kr --breit --qedvp full --qedse inner -q").out;
  EXPECT_FALSE(both.empty());
  EXPECT_EQ(s.run("Kr --breit --qed -q").out, both);
  EXPECT_EQ(s.run("Kr --qed valence -q").out, s.run("Kr --qedvp full --qedse valence -q").out);
  EXPECT_EQ(s.run("Kr --qed no -q").out, s.run("Kr -q").out);
  EXPECT_EQ(s.run("Kr --qed --qedse inner").status, 2);
  EXPECT_EQ(s.run("Kr --qed maybe").status, 2);
}

TEST(FrontDoor, TablesAsCsvStateTheirUnits) {
  const Scratch s;
  ASSERT_EQ(s.run("levels C --csv c.csv").status, 0);
  const std::string levels = test::readFile(s.path() / "c.csv");
  EXPECT_EQ(levels.rfind("# CUDAProphet", 0), 0u) << levels;
  EXPECT_TRUE(contains(levels, "energy_hartree in hartree; excitation_cm-1 in 1/cm; A_MHz in MHz")) << levels;
  ASSERT_EQ(s.run("lines Na --excite '3s->3p' --csv na.csv").status, 0);
  EXPECT_TRUE(contains(test::readFile(s.path() / "na.csv"), "lower_cm-1 in 1/cm; upper_cm-1 in 1/cm"));
}

}  // namespace
}  // namespace prophet
