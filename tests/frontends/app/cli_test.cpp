#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace prophet {
namespace {

using test::contains;
using test::ProgramRun;
using test::Scratch;

const char* const kNeon = "Neon\n$nuc znuc=10 $end\n";

TEST(CommandLine, HelpVersionAndExplain) {
  const Scratch s;
  EXPECT_EQ(s.run("--help").status, 0);
  EXPECT_TRUE(contains(s.run("--help all").out, "--json"));
  EXPECT_TRUE(contains(s.run("--version").out, "cudaprophet "));
  const ProgramRun explain = s.run("--explain nuc");
  EXPECT_EQ(explain.status, 0);
  EXPECT_TRUE(contains(explain.out, "znuc"));
  // Both a group of an atom's job and a command.
  const std::string chain = s.run("--explain chain").out;
  EXPECT_TRUE(contains(chain, "energy of the numerical limit in hartree, if known")) << chain;
  EXPECT_TRUE(contains(chain, "known_limits")) << chain;
  const ProgramRun wrong = s.run("--explain nucc");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(contains(wrong.err, "nuc")) << wrong.err;
}

TEST(CommandLine, WrongUseIsStatusTwoWithAHint) {
  const Scratch s;
  const std::string file = s.write("ne.inp", kNeon);
  for (const std::string& arguments :
       {std::string(), std::string("--nonsense"), file + " --threads 0", file + " " + file,
        std::string("missing.inp"), file + " --quiet --verbose"}) {
    const ProgramRun o = s.run(arguments);
    EXPECT_EQ(o.status, 2) << arguments << ": " << o.err;
    EXPECT_TRUE(o.out.empty()) << arguments;
    EXPECT_FALSE(o.err.empty()) << arguments;
  }
  s.write("ne.txt", kNeon);
  EXPECT_EQ(s.run("ne.txt").status, 2);
}

TEST(CommandLine, UnknownCommandsAreNamedWithTheNearest) {
  const Scratch s;
  s.write("a.inp", kNeon);
  const ProgramRun o = s.run("bathc a.inp");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "unknown command 'bathc'; did you mean 'batch'?")) << o.err;
  for (const char* arguments : {"enrgy a.inp", "help shap", "--threads 2 powdr a.xyz"}) {
    const ProgramRun other = s.run(arguments);
    EXPECT_EQ(other.status, 2) << arguments;
    EXPECT_TRUE(contains(other.err, "unknown command '")) << other.err;
  }
  EXPECT_TRUE(contains(s.run("--threads 2 batch a.inp").err, "a command must come first"))
      << "known, but late";
  EXPECT_TRUE(contains(s.run("basis shwo Ne").err, "did you mean 'show'?"));
}

/// The numbers are those of the same keywords in an input file; non-relativistic helium: -2.861679995612.
TEST(CommandLine, EnergiesAndLimitsNeedNoFile) {
  const Scratch s;
  s.write("fe.inp",
          "t\n$contrl breit='breit' $end\n$nuc znuc=26 nucmdl='fermi' $end\n"
          "$seconfig config='[Ar] 3d6' $end\n");
  const ProgramRun file = s.run("fe.inp -q");
  EXPECT_EQ(s.run("energy Fe2+ --config '[Ar] 3d6' --breit breit --nucleus fermi -q").out, file.out);
  EXPECT_EQ(s.run("He -q").out, s.run("energy 2 -q").out);
  EXPECT_NEAR(std::stod(s.run("limit He --hamiltonian nonrel --nucleus point -q").out), -2.861679995612,
              5e-11);
  ASSERT_EQ(s.run("energy Fe2+ --config '[Ar] 3d6' --json fe.json -q").status, 0);
  EXPECT_TRUE(contains(test::readFile(s.path() / "fe.json"), "\"operation\": \"energy\""));
  const auto refused = [&](const std::string& arguments, const std::string& part) {
    const ProgramRun o = s.run(arguments);
    EXPECT_EQ(o.status, 2) << arguments;
    EXPECT_TRUE(contains(o.err, part)) << arguments << ": " << o.err;
  };
  refused("energy", "ATOM: is missing; expected an atom");
  refused("energy He Ne", "does not accept 'Ne'");
  refused("energy fe.inp",
          "energy takes an atom; an input file says itself what to compute: cudaprophet fe.inp");
  refused("energy Fe2+ --config '[Ar] 3d7'", "has 25 electrons, which is Fe+, and Fe2+ is written");
  refused("energy He --maxitr 0", "--maxitr: found 0");
  refused("energy He --breit full", "--breit: found 'full'");
  refused("limit He --fock grid", "--fock is no option of 'limit', but of 'energy'");
  refused("fe.inp --mass 56", "--mass does not stand beside an input file");
  // An abbreviation is none where another command has it as an option.
  refused("levels C --virtuals 3s --excite '2p->3p'",
          "--excite is no option of 'levels', but of 'compare', 'lines'");
  refused("energy He --watson 2,2", "--watson is no option of 'energy', but of 'formfactor'");
  refused("energy He --threads 1e9", "option '--threads' is invalid; expected a whole number");
  refused("energy He --rms nan", "--rms: found 'nan'; expected a number, more than 0 and at most 10000\n");
  refused("energy He --breit --breitscf maybe", "expected yes or no");
  refused("bsopt He", "needs --bastype 'wtbs', or --method 'lbfgs' or 'slsqp', which");
}

/// Each of these did what the same words without the empty item, or without the last option, do.
TEST(CommandLine, NothingIsPassedOver) {
  const Scratch s;
  const auto refused = [&](const std::string& arguments, const std::string& part) {
    const ProgramRun o = s.run(arguments);
    EXPECT_EQ(o.status, 2) << arguments;
    EXPECT_TRUE(contains(o.err, part)) << arguments << ": " << o.err;
  };
  for (const char* list :
       {"tables Ne --what binding,,kinetic", "tables Ne --what magnetic --shells 2s,,2p",
        "slater Fe --shells 3d,,4s", "energy Ne --hole 1s,,2s", "energy Ne --promote '2p->3s,'",
        "formfactor Ne --q 0:1:1 --hole 1s,,2s", "lines C --multipoles E1,,M1", "levels C --virtuals 3s,,3p",
        "levels C --virtuals 3s --excited 2s,,2p", "levels Na --core-valence true --frozen-core 1s,,2s"})
    refused(list, "where an item is empty; write it, or omit its comma");
  refused("formfactor Ne --q 0:1:0.3", "--q: found '0:1:0.3', whose steps miss STOP; it may be 0.9 or 1.2");
  refused("structure NaCl --seed 3", "--seed: requires --stacking-faults, --vacancies or --displace");
  refused("shape --sphere 10 --q 0.1,0,0 --precision single",
          "--precision: belongs to the methods sum and fft");
  refused("batch --elements He --limit --no-error-estimate", "--no-error-estimate: belongs to basis sets");
  refused("correlation Ne --spinors basis --basis prophet-dz --no-error-estimate",
          "--no-error-estimate: belongs to --spinors 'limit'");
  refused("basis export Ne --shared average", "--shared: belongs to the formats of other programs");
  refused("energy Ne --csv --json x", "--csv lacks its value, as '--json' begins like an option");
  refused("energy Ne --json -q", "the required argument for option '--json' is missing");
  EXPECT_EQ(s.run("energy F --charge -1 -q").status, 0);
  EXPECT_EQ(s.run("energy Ne --json=--x -q").status, 0);
  refused("tables Ne --what binding,moments --csv t.csv",
          "--what: makes 2 tables (shells, moments), and CSV");
  refused("tables Ne --what binding,moments", "ask for one, or write all with --json or --hdf5");
  EXPECT_EQ(s.run("tables Ne --what binding,moments --csv t.csv --json t.json").status, 0);
  EXPECT_EQ(s.run("tables Ne --what binding,kinetic --csv t.csv").status, 0);
  refused("batch --elements 26,Fe", "--elements: names Fe twice");
  refused("batch --elements Fe2+,Fe2+", "--elements: Fe2+ is there twice");
  refused("batch --elements He --charge 0-1,0", "--charge: names the charge 0 twice");
  refused("batch --elements He --resume", "name it with --json-lines or --csv");
  refused("correlation Ne --virtual-only", "--virtual-only: leaves out excitations into open shells");
  refused("levels C --spinors limit --dfctr 0.5", "--dfctr: 'dfctr' is not used by --spinors 'limit'");
  refused("energy He --watson-charge 2", "--watson-charge: --watson-radius is missing; expected a number");
  refused("levels C --thdll 1e-5", "--thdll: found 1e-05; ");
  refused("correlation Ne --basis prophet-dz --thdsl 1e-10", "settled to 1e-11, its default: give less");
  EXPECT_EQ(s.run("levels He --thdll 1e-10 -q").status, 0);
  refused("tier dz --optimise diffuse --from prophet-dz --gradient 1e-7 --out x",
          "--gradient: belongs to the exponents of the set: expected --optimise 'set' or 'all'");
  s.write("box.xyz", "2\nLattice=\"4 0 0 0 4 0 0 0 4\"\nCo 0 0 0\nO 1 1 1\n");
  refused("powder box.xyz --b-iso Fe=1 --wavelength 1.54", "--b-iso names Fe, but there are no such atoms");
  std::filesystem::create_directory(s.path() / "sets");
  refused("energy Ne --basis ./sets", "the folder has no set for Ne, which would be its file 010-Ne.basis");
  EXPECT_EQ(s.run("shape --sphere 10 --q 0.1,0,0 --method sum --precision single").status, 0);
  EXPECT_EQ(s.run("energy Ne --hole '1s, 2s' -q").status, 0);
}

TEST(CommandLine, HelpIsThatOfTheCommandOrItsAction) {
  const Scratch s;
  EXPECT_EQ(s.run("help").out, s.run("--help").out);
  EXPECT_EQ(s.run("help batch").out, s.run("batch --help").out);
  EXPECT_EQ(s.run("help basis audit").out, s.run("basis audit --help").out);
  const std::string show = s.run("basis show --help").out, contract = s.run("basis contract --help").out;
  EXPECT_TRUE(contains(show, "usage: cudaprophet basis show ELEMENTS [options]\n")) << show;
  EXPECT_FALSE(contains(show, "--hamiltonian")) << show;
  EXPECT_TRUE(contains(contract, "--hamiltonian NAME")) << contract;
  EXPECT_FALSE(contains(contract, "--without")) << contract;
}

/// Not "arg".
TEST(CommandLine, OptionsNameWhatTheyTake) {
  const Scratch s;
  for (const char* command : {"", "basis", "basis audit", "batch", "chain", "compare", "formfactor",
                              "madelung", "pairs", "powder", "shape", "structure", "tier", "validate"}) {
    const std::string help = s.run(std::string(command) + " --help").out;
    EXPECT_TRUE(contains(help, " FILE") || contains(help, " FOLDER")) << command;
    EXPECT_FALSE(contains(help, " arg")) << command << help;
  }
}

TEST(CommandLine, ErrorsSayErrorOnce) {
  const Scratch s;
  s.write("box.xyz", "x\n");
  for (const char* arguments :
       {"pairs nofile.xyz", "pairs box.xyz", "madelung nofile.cif", "batch nofile.inp --csv t.csv"}) {
    const ProgramRun o = s.run(arguments);
    const std::string all = o.err + o.out;
    EXPECT_NE(o.status, 0) << arguments;
    for (const char* twice : {"error: nofile.xyz: error", "error: box.xyz:1: error",
                              "error: nofile.cif: error", "nofile.inp: nofile.inp"})
      EXPECT_FALSE(contains(all, twice)) << arguments << ": " << all;
  }
}

TEST(CommandLine, NotConvergedIsSaidOnce) {
  const Scratch s;
  s.write("ne.inp", "Ne\n$nuc znuc=10 $end\n$scf maxitr=2 $end\n");
  const ProgramRun o = s.run("ne.inp");
  EXPECT_EQ(o.status, 3);
  EXPECT_FALSE(contains(o.err, "not converged: not converged")) << o.err;
  EXPECT_TRUE(contains(o.err, "not converged in 2 iterations")) << o.err;
}

TEST(CommandLine, ABatchOfLimitsSaysWhyItIsOnTheProcessor) {
  const Scratch s;
  const ProgramRun o = s.run("batch --elements He --limit --verbose --csv t.csv");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "numerical limits are always computed on the CPU")) << o.out;
  EXPECT_FALSE(contains(o.out, "a batch of this size")) << o.out;
}

TEST(CommandLine, OptionsOfAnotherJobAreRefused) {
  const Scratch s;
  const std::string atom = "$nuc znuc=2 $end\n";
  const std::string set =
      "$bas bastype='wtbs' $end\n$wtbs wtbspara=0.08,1.95,4.5,1.5 nbs=18 $end\n$newuoa maxfun=2 $end\n";
  s.write("energy.inp", "He\n" + atom);
  s.write("limit.inp", "He\n$contrl jobtype='limit' $end\n" + atom);
  s.write("chain.inp", "He\n$contrl jobtype='chain' $end\n" + atom);
  s.write("bsopt.inp", "He\n$contrl jobtype='bsopt' $end\n" + atom + set);
  for (const char* arguments : {"limit.inp --verify-grid", "chain.inp --verify-grid",
                                "bsopt.inp --verify-grid", "energy.inp --resume", "limit.inp --resume"}) {
    const ProgramRun o = s.run(arguments);
    EXPECT_EQ(o.status, 2) << arguments;
    EXPECT_TRUE(contains(o.err, "it belongs to jobtype=")) << arguments << o.err;
    EXPECT_TRUE(o.out.empty()) << arguments;
  }
}

TEST(CommandLine, ShortestInputStatesEveryChoice) {
  const Scratch s;
  s.write("ne.inp", kNeon);
  const ProgramRun o = s.run("ne.inp --verbose");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(o.err.empty());
  for (const char* part : {"Neon", "chosen automatically", "1s2 2s2 2p6", "Gaussian", "137.03599976", "2p3/2",
                           "virial", "gradient", "eigenproblems"}) {
    EXPECT_TRUE(contains(o.out, part)) << part;
  }
}

TEST(CommandLine, JsonHasTheDocumentedKeys) {
  const Scratch s;
  s.write("ne.inp", kNeon);
  ASSERT_EQ(s.run("ne.inp --json ne.json").status, 0);
  const auto j = nlohmann::json::parse(test::readFile(s.path() / "ne.json"));
  EXPECT_NEAR(j.at("energy").get<double>(), -128.6919, 1e-4);
  EXPECT_TRUE(j.at("converged").get<bool>());
  EXPECT_GT(j.at("iterations").get<int>(), 3);
  ASSERT_EQ(j.at("orbitals").size(), 4u);
  for (const auto& orbital : j.at("orbitals")) {
    for (const char* key : {"label", "kappa", "occupation", "energy"})
      EXPECT_TRUE(orbital.contains(key)) << key;
  }
  EXPECT_EQ(j.at("orbitals")[0].at("label"), "1s1/2");
  EXPECT_EQ(j.at("nucleus").at("model"), "Gaussian");
  EXPECT_TRUE(j.contains("basis") && j.contains("version"));
}

TEST(CommandLine, JsonThatCannotBeWrittenIsAnError) {
  const Scratch s;
  s.write("ne.inp", kNeon);
  const ProgramRun o = s.run("ne.inp --json missing/ne.json");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "missing/ne.json")) << o.err;
}

TEST(CommandLine, QuietPrintsTheEnergyOnly) {
  const Scratch s;
  s.write("ne.inp", kNeon);
  const ProgramRun o = s.run("ne.inp --quiet");
  EXPECT_EQ(std::count(o.out.begin(), o.out.end(), '\n'), 1);
  EXPECT_NEAR(std::stod(o.out), -128.6919, 1e-4);
}

TEST(CommandLine, ThreadsDoNotChangeTheEnergy) {
  const Scratch s;
  s.write("ne.inp", kNeon);
  EXPECT_NEAR(std::stod(s.run("ne.inp --quiet --threads 1").out),
              std::stod(s.run("ne.inp --quiet --threads 3").out), 1e-9);
}

TEST(CommandLine, BadInputComputesNothing) {
  const Scratch s;
  s.write("bad.inp", "Bad\n$nuc znuc=10 nucmodl=3 $end\n$scf maxitr=-1 $end\n");
  for (const char* arguments : {"bad.inp", "bad.inp --check"}) {
    const ProgramRun o = s.run(arguments);
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(o.out.empty());
    EXPECT_TRUE(
        contains(o.err, "bad.inp:2:14: error: unknown keyword 'nucmodl' in $nuc; did you mean 'nucmdl'?"))
        << o.err;
    EXPECT_TRUE(contains(o.err, "bad.inp:3:")) << o.err;
  }
}

TEST(CommandLine, CheckComputesNothing) {
  const Scratch s;
  s.write("ne.inp", kNeon);
  const ProgramRun o = s.run("ne.inp --check");
  EXPECT_EQ(o.status, 0);
  EXPECT_FALSE(contains(o.out, "energy"));
}

TEST(CommandLine, NoConvergenceIsStatusThreeAndSaidFirst) {
  const Scratch s;
  s.write("ne.inp", "Neon\n$nuc znuc=10 $end\n$scf maxitr=2 $end\n");
  const ProgramRun o = s.run("ne.inp --json ne.json");
  EXPECT_EQ(o.status, 3);
  EXPECT_TRUE(contains(o.out.substr(0, 250), "NOT CONVERGED after 2 iterations"));
  EXPECT_TRUE(contains(o.out, "not converged in 2 iterations")) << o.out;
  const auto json = nlohmann::json::parse(test::readFile(s.path() / "ne.json"));
  EXPECT_FALSE(json.at("converged").get<bool>());
  EXPECT_EQ(json.at("status"), "not converged");
  ASSERT_EQ(json.at("warnings").size(), 1u);
  EXPECT_EQ(json.at("warnings")[0].at("id"), "not_converged");
}

TEST(CommandLine, QuietRunsSayWhatIsWrongOnStandardError) {
  const Scratch s;
  s.write("early.inp", "Neon\n$nuc znuc=10 $end\n$scf maxitr=2 $end\n");
  ProgramRun o = s.run("early.inp -q");
  EXPECT_EQ(o.status, 3);
  EXPECT_TRUE(contains(o.err, "not converged in 2 iterations")) << o.err;
  s.write("oxide.inp", "O2-\n$nuc znuc=8 $end\n$seconfig config='[He] 2s2 2p6' $end\n");
  o = s.run("oxide.inp -q --json oxide.json");
  EXPECT_EQ(o.status, 3);
  EXPECT_TRUE(contains(o.err, "unbound")) << o.err;
  EXPECT_EQ(nlohmann::json::parse(test::readFile(s.path() / "oxide.json")).at("status"), "unbound");
  s.write("named.inp", "Gold\n$nuc znuc=79 nucmdl='point' $end\n$bas library='prophet-1' $end\n");
  o = s.run("named.inp -q");
  EXPECT_EQ(o.status, 0);
  EXPECT_TRUE(contains(o.err, "warning: the set of prophet-1 is for a Gaussian nucleus")) << o.err;
  EXPECT_TRUE(contains(o.err, "warning: the basis is poor")) << o.err;
}

TEST(CommandLine, BasisThatCannotHoldTheElectronsIsBadInput) {
  const Scratch s;
  s.write("ar.inp",
          "Argon in an s basis\n$nuc znuc=18 $end\n$bas nsym=1 bastype='wtbs' $end\n"
          "$wtbs wtbspara=0.07,1.9,4.6,1.3 nbs=20 $end\n$seconfig config='[Ar]' $end\n");
  const ProgramRun o = s.run("ar.inp");
  EXPECT_EQ(o.status, 2) << o.err;
  EXPECT_TRUE(o.out.empty());
  EXPECT_FALSE(o.err.empty());
}

/// The grid's self-check reports three energies that agree to 1e-11.
TEST(CommandLine, VerifyGrid) {
  const Scratch s;
  s.write("ne.inp", kNeon);
  const ProgramRun o = s.run("ne.inp --verify-grid");
  ASSERT_EQ(o.status, 0) << o.err;
  ASSERT_TRUE(contains(o.out, "analytic integrals"));
  std::size_t at = 0;
  int found = 0;
  const std::string key = "relative difference ";
  while ((at = o.out.find(key, at)) != std::string::npos) {
    EXPECT_LT(std::stod(o.out.substr(at + key.size())), 1e-11);
    at += key.size();
    ++found;
  }
  EXPECT_EQ(found, 3);
}

/// The same atom with stored integrals.
TEST(CommandLine, StoredBuilder) {
  const Scratch s;
  s.write("ne.inp", kNeon);
  s.write("stored.inp", "Neon\n$nuc znuc=10 $end\n$scf fock='stored' $end\n");
  const ProgramRun stored = s.run("stored.inp --quiet");
  ASSERT_EQ(stored.status, 0) << stored.err;
  EXPECT_NEAR(std::stod(stored.out), std::stod(s.run("ne.inp --quiet").out), 1e-8);
}

}  // namespace
}  // namespace prophet
