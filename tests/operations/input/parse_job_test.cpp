#include "operations/input/parse_job.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace prophet {
namespace {

TEST(ParseJob, ShortestFileTakesEveryDefault) {
  const Job job = parseJob("Radon\n$nuc znuc=86 $end", "rn.inp");
  EXPECT_EQ(job.file, "rn.inp");
  EXPECT_EQ(job.title, "Radon");
  EXPECT_EQ(job.type, JobType::Energy);
  EXPECT_EQ(job.hamiltonian.speedOfLight, 137.03599976);
  EXPECT_EQ(job.nucleus.charge, 86);
  EXPECT_FALSE(job.nuclearModelGiven);
  EXPECT_EQ(job.basisType, BasisType::Library);
  EXPECT_EQ(job.libraryName, "");
  EXPECT_EQ(job.symmetries, 0);
  EXPECT_TRUE(job.configuration.groundState);
  EXPECT_EQ(job.fock, FockKind::Automatic);
  EXPECT_EQ(job.scf.maxIterations, 50);
  EXPECT_EQ(job.scf.extrapolation, Extrapolation::Diis);
  EXPECT_EQ(job.scf.thresholdSL, 1e-7);
}

TEST(ParseJob, WellTemperedBasis) {
  const Job job = parseJob(
      "t\n$nuc znuc=10 $end $bas bastype='WTBS' ngroup=2 $end\n"
      "$wtbs wtbspara=0.1,1.9,5,1.4, 0.2 1.8 4 0 nbs=23,16,15 start(2)=2 groups=1,2*2 pool='shared' $end",
      "x.inp");
  EXPECT_EQ(job.basisType, BasisType::WellTempered);
  EXPECT_EQ(job.symmetries, 3);
  const WellTemperedSpec& spec = job.wellTempered;
  ASSERT_EQ(spec.groups.size(), 2u);
  EXPECT_EQ(spec.groups[0].delta, 5);
  EXPECT_EQ(spec.groups[0].gamma, 1.4);
  EXPECT_EQ(spec.groups[1].alpha, 0.2);
  EXPECT_EQ(spec.groups[1].gamma, 0);
  EXPECT_EQ(spec.functions, (std::vector<int>{23, 16, 15}));
  EXPECT_EQ(spec.start, (std::vector<int>{1, 2, 1}));
  EXPECT_EQ(spec.group, (std::vector<int>{1, 2, 2}));
  EXPECT_EQ(spec.pool, LadderPool::Shared);
  EXPECT_EQ(job.nucleus.model, NuclearModel::Point);
}

TEST(ParseJob, ReadInBasis) {
  const Job job =
      parseJob("t\n$nuc znuc=2 $end $bas nsym=2 bastype='rdin' $end\n2\n0.3\n1.2d1\n\n1 ! p-\n0.5\n$scf $end",
               "x.inp");
  EXPECT_EQ(job.symmetries, 2);
  ASSERT_EQ(job.readInExponents.size(), 2u);
  EXPECT_EQ(job.readInExponents[0], (std::vector<double>{0.3, 12}));
  EXPECT_EQ(job.readInExponents[1], (std::vector<double>{0.5}));
}

TEST(ParseJob, FifteenSymmetries) {
  const Job job = parseJob(
      "t\n$nuc znuc=2 $end $bas nsym=15 bastype='wtbs' $end\n$wtbs wtbspara=.1,2,1,0 nbs=15*9 $end", "x.inp");
  EXPECT_EQ(job.symmetries, 15);
  EXPECT_EQ(job.wellTempered.functions.size(), 15u);
}

/// As in Hennessey (2018): every symmetry takes its part of one pool.
TEST(ParseJob, SymmetriesShareAPoolUnlessToldOtherwise) {
  const auto poolOf = [](const std::string& more) {
    const std::string text = "t\n$nuc znuc=2 $end $bas bastype='wtbs' $end\n$wtbs wtbspara=.1,2,1,0 nbs=9 ";
    return parseJob(text + more + " $end", "x.inp").wellTempered.pool;
  };
  EXPECT_EQ(poolOf(""), LadderPool::Shared);
  EXPECT_EQ(poolOf("pool='shared'"), LadderPool::Shared);
  EXPECT_EQ(poolOf("pool='symmetry'"), LadderPool::Symmetry);
}

TEST(ParseJob, SearchesAndChainsWithoutRelativity) {
  const std::string head =
      "t\n$nuc znuc=2 nucmdl=1 $end $bas bastype='wtbs' $end\n$wtbs wtbspara=.1,2,1,0 nbs=9 $end ";
  for (const char* job : {"$contrl jobtype='bsopt' hamiltonian='nonrel' $end $newuoa $end",
                          "$contrl jobtype='chain' hamiltonian='nonrel' $end $chain method='thesis' $end"}) {
    EXPECT_EQ(parseJob(head + job, "x.inp").hamiltonian.oneElectron, OneElectronOperator::Nonrelativistic);
  }
}

TEST(ParseJob, LibraryByName) {
  EXPECT_EQ(parseJob("t\n$nuc znuc=2 $end $bas library=' wtbs-2.1 ' $end", "x.inp").libraryName, "wtbs-2.1");
}

TEST(ParseJob, NucleusWithItsParameters) {
  const Job fermi = parseJob("t\n$nuc znuc=54 nucmdl=4 mass=132 skin=2.2 $end", "x.inp");
  EXPECT_TRUE(fermi.nuclearModelGiven);
  EXPECT_EQ(fermi.nucleus.model, NuclearModel::Fermi);
  EXPECT_EQ(fermi.nucleus.massNumber, 132.0);
  EXPECT_EQ(fermi.nucleus.skinFemtometres, 2.2);
  EXPECT_EQ(parseJob("t\n$nuc znuc=54 nucmdl=2 rnuc=1d-4 $end", "x.inp").nucleus.radius, 1e-4);
  EXPECT_EQ(parseJob("t\n$nuc znuc=54 nucmdl=3 alpha=2d8 $end", "x.inp").nucleus.exponent, 2e8);
  EXPECT_EQ(parseJob("t\n$nuc znuc=54 rms=4.8 $end", "x.inp").nucleus.rmsFemtometres, 4.8);
  const Job iron = parseJob("t\n$nuc znuc=26 radius='experimental' isotope=57 $end", "x.inp");
  EXPECT_TRUE(iron.nucleus.measuredRadius);
  EXPECT_FALSE(iron.nucleus.radius);
  EXPECT_EQ(iron.nucleus.massNumber, 57.0);
  EXPECT_FALSE(iron.nuclearModelGiven);
  EXPECT_FALSE(parseJob("t\n$nuc znuc=54 nucmdl=2 radius=1d-4 $end", "x.inp").nucleus.measuredRadius);
}

TEST(ParseJob, ConfigurationString) {
  const Job job = parseJob("t\n$nuc znuc=6 $end\n$seconfig config=' [He] 2s2 2p2 ' $end", "x.inp");
  EXPECT_EQ(job.configuration.text, "[He] 2s2 2p2");
  EXPECT_FALSE(job.configuration.groundState);
}

TEST(ParseJob, ListOfConfigurations) {
  const auto c =
      parseJob(
          "t\n$nuc znuc=6 $end\n$seconfig nclose(1)=2 nopen=0,1,1 freel=2 nconf=2 $end\n 0.0 2.0\n 2*1\n",
          "x.inp")
          .configuration;
  EXPECT_EQ(c.closed, (std::vector<int>{2, 0, 0}));
  EXPECT_EQ(c.open, (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(c.freeElectrons, 2);
  EXPECT_FALSE(c.autogen);
  EXPECT_FALSE(c.groundState);
  EXPECT_EQ(c.list, (std::vector<std::vector<double>>{{0, 2}, {1, 1}}));
}

TEST(ParseJob, OneOpenSpinorNeedsNoDistribution) {
  const auto c =
      parseJob("t\n$nuc znuc=3 $end\n$seconfig nclose=1 nopen=1 freel=1 $end", "x.inp").configuration;
  EXPECT_TRUE(c.autogen);
  EXPECT_TRUE(
      parseJob("t\n$nuc znuc=6 $end\n$seconfig nclose=2,0,0 nopen=0,1,1 freel=2 autogen=T nconf=0 $end",
               "x.inp")
          .configuration.autogen);
}

TEST(ParseJob, AcceptsIons) {
  EXPECT_NO_THROW(parseJob("t\n$nuc znuc=92 $end\n$seconfig config='1s1' $end", "x.inp"));
  EXPECT_NO_THROW(parseJob("t\n$nuc znuc=9 $end\n$seconfig config='[Ne]' $end", "x.inp"));
}

TEST(ParseJob, AnIonMayBeItsNuclearCharge) {
  for (const char* ion : {"'Fe2+'", "'Fe+2'", "Fe2+"}) {
    const Job job = parseJob(std::string("t\n$nuc z=") + ion + " $end\n", "f.inp");
    EXPECT_EQ(job.nucleus.charge, 26) << ion;
    EXPECT_EQ(job.configuration.charge, 2) << ion;
    EXPECT_TRUE(job.configuration.groundState) << ion;
  }
  EXPECT_EQ(parseJob("t\n$nuc z='Fe2+' $end\n$electrons hole='2p' $end\n", "f.inp").configuration.text,
            "[He] 2s2 2p5 3s2 3p6 3d6");
  for (const auto& [text, what] : std::vector<std::pair<std::string, std::string>>{
           {"$electrons charge=1 $end",
            "f.inp:3:12: error: 'Fe2+' names the charge already; omit one of them"},
           {"$electrons config='[Ar] 3d7' $end", "and Fe2+ is written"}}) {
    try {
      parseJob("t\n$nuc z='Fe2+' $end\n" + text + "\n", "f.inp");
      ADD_FAILURE() << text;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(what), std::string::npos) << e.what();
    }
  }
}

TEST(ParseJob, LimitNeedsNoBasis) {
  const Job job = parseJob("t\n$contrl jobtype='limit' $end\n$nuc znuc=86 nucmdl=4 $end\n", "x.inp");
  EXPECT_EQ(job.type, JobType::Limit);
  EXPECT_EQ(job.basisType, BasisType::None);
  EXPECT_EQ(job.limit.maxIterations, 100);
  EXPECT_TRUE(job.configuration.groundState);
  const Job ion = parseJob(
      "t\n$contrl jobtype='limit' $end\n$nuc znuc=10.5 mass=20 $end\n$seconfig nclose=2,1,1 $end\n$scf "
      "maxitr=7 $end",
      "x.inp");
  EXPECT_EQ(ion.nucleus.model, NuclearModel::Gaussian);
  EXPECT_EQ(ion.configuration.closed, (std::vector<int>{2, 1, 1}));
  EXPECT_EQ(ion.limit.maxIterations, 7);
}

TEST(ParseJob, OptimisationAndScf) {
  const Job job = parseJob(
      "t\n$contrl jobtyp='bsopt' c=1d3 $end $nuc znuc=2 $end $bas bastype='wtbs' $end\n"
      "&wtbs wtbspara=.1,2,1,0, nbs=9 /\n&newuoa rhobeg=0.2, rhoend=1d-5, iprint=3, maxfun=77 /\n"
      "&scf maxitr=9, ixtrp=1, dfctr=0.5, thdll=1d-2, thdsl=1d-3, thdss=1d-4 &end",
      "x.inp");
  EXPECT_EQ(job.type, JobType::BasisOptimisation);
  EXPECT_EQ(job.hamiltonian.speedOfLight, 1000);
  EXPECT_EQ(job.optimiser.rhoBegin, 0.2);
  EXPECT_EQ(job.optimiser.rhoEnd, 1e-5);
  EXPECT_EQ(job.optimiser.printLevel, 3);
  EXPECT_EQ(job.optimiser.maxEvaluations, 77);
  EXPECT_EQ(job.scf.maxIterations, 9);
  EXPECT_EQ(job.scf.extrapolation, Extrapolation::Fock);
  EXPECT_EQ(job.scf.damping, 0.5);
  EXPECT_EQ(job.scf.thresholdSS, 1e-4);
}

TEST(ParseJob, SeveralStarts) {
  const auto read = [](const std::string& keywords) {
    return parseJob(
               "t\n$contrl jobtype='bsopt' $end $nuc znuc=2 $end $bas bastype='wtbs' $end\n"
               "&wtbs wtbspara=.1,2,1,0, nbs=9 /\n&newuoa " +
                   keywords + " /",
               "x.inp")
        .optimiser;
  };
  EXPECT_EQ(read("").starts, 1);
  EXPECT_EQ(read("").rhoEnd, 1e-4);
  EXPECT_EQ(read("").maxEvaluations, 500);
  EXPECT_EQ(read("starts=64").starts, 64);
  EXPECT_EQ(read("starts=64").spread, 0.2);
  EXPECT_EQ(read("starts=2 spread=0.05").spread, 0.05);
}

TEST(ParseJob, Chain) {
  const Job brief = parseJob("t\n$contrl jobtype='chain' $end $nuc znuc=10 $end", "x.inp");
  EXPECT_EQ(brief.type, JobType::Chain);
  EXPECT_EQ(brief.basisType, BasisType::None);
  EXPECT_EQ(brief.nucleus.model, NuclearModel::Gaussian);
  EXPECT_EQ(brief.chain.method, ChainMethod::Ladders);
  EXPECT_EQ(brief.chain.threshold, 5e-9);
  EXPECT_FALSE(brief.chain.limit.has_value());
  EXPECT_EQ(brief.optimiser.rhoEnd, 1e-3);
  EXPECT_EQ(brief.optimiser.maxEvaluations, 150);
  const Job job = parseJob(
      "t\n$contrl jobtype='chain' $end $nuc znuc=2 nucmdl=1 $end $bas bastype='wtbs' $end\n"
      "&wtbs wtbspara=.1,2,1,0, nbs=30 /\n&newuoa maxfun=77 /\n"
      "&chain method='thesis' threshold=1d-7 limit=-2.86 probes=16 /",
      "x.inp");
  EXPECT_EQ(job.nucleus.model, NuclearModel::Point);
  EXPECT_EQ(job.wellTempered.functions, std::vector<int>{30});
  EXPECT_EQ(job.optimiser.rhoEnd, 1e-3);  // what is not given keeps the default of a chain
  EXPECT_EQ(job.optimiser.maxEvaluations, 77);
  EXPECT_EQ(job.chain.method, ChainMethod::Thesis);
  EXPECT_EQ(job.chain.threshold, 1e-7);
  EXPECT_EQ(job.chain.limit, -2.86);
  EXPECT_EQ(job.chain.probes, 16);
}

TEST(ParseJob, ReadableNames) {
  const Job old =
      parseJob("t\n$contrl jobtype='limit' $end\n$nuc znuc=9 nucmdl=4 $end\n$scf maxitr=7 $end", "x.inp");
  const Job readable = parseJob(
      "t\n$control job='limit' $end\n$nucleus z=9 model='Fermi' $end\n$scf max_iterations=7 $end", "x.inp");
  EXPECT_EQ(readable.type, old.type);
  EXPECT_EQ(readable.nucleus.model, old.nucleus.model);
  EXPECT_EQ(readable.nucleus.charge, old.nucleus.charge);
  EXPECT_EQ(readable.scf.maxIterations, old.scf.maxIterations);
  const Job damped = parseJob("t\n$nuc znuc=9 $end\n$scf extrapolation='damping' damping=0.5 $end", "x.inp");
  EXPECT_EQ(damped.scf.extrapolation, Extrapolation::None);
  EXPECT_EQ(damped.scf.damping, 0.5);
  EXPECT_EQ(parseJob("t\n$nuc znuc=9 $end\n$electrons charge=-1 $end", "x.inp").configuration.charge, -1);
}

TEST(ParseJob, BeyondCoulomb) {
  const auto read = [](const std::string& control) {
    return parseJob("t\n$contrl " + control + " $end\n$nuc znuc=10 $end", "x.inp").hamiltonian;
  };
  EXPECT_FALSE(read("").hasCorrections());
  EXPECT_FALSE(read("breit='none' qedvp='none' qedse='none'").hasCorrections());
  const Hamiltonian first = read("breit='breit'"), gaunt = read("breit='GAUNT' breitscf=t");
  EXPECT_EQ(first.repulsion, TwoElectronOperator::CoulombBreit);
  EXPECT_EQ(first.breitTreatment, Treatment::FirstOrder);
  EXPECT_EQ(gaunt.repulsion, TwoElectronOperator::CoulombGaunt);
  EXPECT_EQ(gaunt.breitTreatment, Treatment::SelfConsistent);
  EXPECT_FALSE(first.breitFrequency);
  EXPECT_TRUE(read("breit='breit' breitfreq=t").breitFrequency);
  const Hamiltonian uehling = read("qedvp='uehling' qedscf=t");
  EXPECT_TRUE(uehling.qed.vacuumPolarisation && uehling.qedInScf());
  EXPECT_FALSE(uehling.qed.kallenSabry || uehling.qed.wichmannKroll || uehling.qed.selfEnergy);
  const Hamiltonian full = read("qedvp='full' qedse='valence'");
  EXPECT_TRUE(full.qed.vacuumPolarisation && full.qed.kallenSabry && full.qed.wichmannKroll);
  EXPECT_TRUE(full.qed.selfEnergy);
  EXPECT_FALSE(full.qedInScf());
  EXPECT_EQ(full.qed.fit, SelfEnergyFit::Valence);
  EXPECT_EQ(read("qedse='inner'").qed.fit, SelfEnergyFit::InnerShell);
  // In first order on orbitals of stored integrals.
  EXPECT_TRUE(parseJob("t\n$contrl breit='breit' $end $nuc znuc=10 $end $scf fock='stored' $end", "x.inp")
                  .hamiltonian.hasBreit());
}

TEST(ParseJob, ErrorTextNamesFileLineAndColumn) {
  try {
    parseJob("t\n$nuc znuc=86 nucmodl=1 $end\n$scf maxitr=0 $end", "dir/rn.inp");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "dir/rn.inp:2:14: error: unknown keyword 'nucmodl' in $nuc; did you mean 'nucmdl'?\n"
                 "dir/rn.inp:3:13: error: found maxitr=0; expected a whole number, 1 to 100000");
  }
}

/// A folder for the files of one test.
class JobFile : public ::testing::Test {
 protected:
  JobFile()
      : folder_(std::filesystem::temp_directory_path() / ("prophet_input_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~JobFile() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string errorOf(const std::string& path) {
    try {
      readJobFile(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  std::filesystem::path folder_;
};

TEST_F(JobFile, IsRead) {
  std::ofstream(path("rn.inp")) << "Radon\r\n$nuc znuc=86 $end\r\n";
  const Job job = readJobFile(path("rn.inp"));
  EXPECT_EQ(job.title, "Radon");
  EXPECT_EQ(job.file, path("rn.inp"));
}

TEST_F(JobFile, MustEndInInp) {
  EXPECT_EQ(errorOf("rn.txt"), "rn.txt: error: the name of an input file must end in .inp");
  EXPECT_EQ(errorOf("rnx"), "rnx: error: the name of an input file must end in .inp");
  EXPECT_EQ(errorOf("rn"),
            "rn: error: the name of an input file must end in .inp; atoms are named by elements, on the "
            "command line "
            "--elements");
}

TEST_F(JobFile, MustBeThere) {
  EXPECT_EQ(errorOf(path("no.inp")),
            path("no.inp") + ": error: cannot read the file: No such file or directory");
}

TEST_F(JobFile, MustNotBeAFolder) {
  std::filesystem::create_directory(path("a.inp"));
  EXPECT_EQ(errorOf(path("a.inp")), path("a.inp") + ": error: this is a folder, not a file");
}

TEST_F(JobFile, MustNotBeHuge) {
  std::ofstream(path("big.inp")) << std::string(5'000'000, 'x');
  EXPECT_EQ(errorOf(path("big.inp")),
            path("big.inp") + ": error: the file has 5000000 bytes; this is not an input file");
}

}  // namespace
}  // namespace prophet
