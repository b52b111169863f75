#include "operations/energies/batch_jobs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "atoms/functional/functional.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> idsOf(const ElementJobs& jobs) {
  std::vector<std::string> ids;
  for (const ElementJob& job : jobs.jobs) ids.push_back(job.id);
  return ids;
}

TEST(ElementJobs, ReadsChargesAndRanges) {
  EXPECT_THAT(parseCharges("0,1,2"), ElementsAre(0, 1, 2));
  EXPECT_THAT(parseCharges("-2-1"), ElementsAre(-2, -1, 0, 1));
  EXPECT_THAT(parseCharges("-2--1,+3,0-1"), ElementsAre(-2, -1, 3, 0, 1));
  for (const char* wrong :
       {"", "1,", "a", "1.5", "2-1", "1e2", "--1", "1-", "1234", "1-1234", "+", "1 2", "0,0", "0-2,1"})
    EXPECT_THROW(parseCharges(wrong), Error) << wrong;
}

/// An ion without electrons is a job, so that a row says why there is nothing.
TEST(ElementJobs, CombinesEverything) {
  const ElementJobs jobs =
      elementJobs({{1, 3}, {-1, 0, 1}, {NuclearModel::Point, NuclearModel::Fermi}, {}, true}, {});
  EXPECT_THAT(idsOf(jobs),
              ElementsAre("H- point limit", "H point limit", "H+ point limit", "Li- point limit",
                          "Li point limit", "Li+ point limit", "H- fermi limit", "H fermi limit",
                          "H+ fermi limit", "Li- fermi limit", "Li fermi limit", "Li+ fermi limit"));
  EXPECT_TRUE(jobs.leftOut.empty());
  ElementRequest named;
  readElements("H+,He2+,Li+", named);
  BatchTask task;
  task.element = elementJobs(named, {}).jobs.at(1);
  EXPECT_THAT(batchItem(task, true, {}).error, HasSubstr("He with charge +2 has no electrons"));
}

TEST(ElementJobs, NamesHamiltoniansOtherThanDiracs) {
  ElementRequest request{{10}, {}, {}, {}, false};
  request.hamiltonians = {OneElectronOperator::Dirac, OneElectronOperator::Nonrelativistic};
  const ElementJobs jobs = elementJobs(request, {});
  EXPECT_THAT(idsOf(jobs), ElementsAre("Ne", "Ne nonrel"));
  EXPECT_EQ(resolvedJob(jobs.jobs.at(1), {}).calculation.problem.hamiltonian.oneElectron,
            OneElectronOperator::Nonrelativistic);
}

TEST(ElementJobs, HaveHolesAndPromotions) {
  ElementRequest request;
  readElements("Fe2+,H", request);
  request.holes = "2p";
  request.promotions = "3p->3d";
  const ElementJobs jobs = elementJobs(request, {});
  EXPECT_THAT(idsOf(jobs), ElementsAre("H hole 2p 3p->3d", "Fe2+ hole 2p 3p->3d"));
  EXPECT_EQ(resolvedJob(jobs.jobs[1], {}).calculation.problem.configuration.description,
            "[He] 2s2 2p5 3s2 3p5 3d7");
  EXPECT_EQ(jobOf(jobs.jobs[1]).text,
            "Fe2+ hole 2p 3p->3d\n$contrl jobtype='energy' $end\n$nuc znuc=26 $end\n"
            "$seconfig charge=2 hole='2p' promote='3p->3d' $end\n");
  EXPECT_THROW(resolvedJob(jobs.jobs[0], {}), Error);  // a row of the batch that says why
}

TEST(ElementJobs, HaveEveryFunctional) {
  if (!hasFunctionals()) GTEST_SKIP() << "built without libxc";
  ElementRequest request{{2}, {}, {}, {"universal"}, false};
  request.functionals = {"lda", "gga_x_pbe+gga_c_pbe"};
  const ElementJobs jobs = elementJobs(request, {});
  EXPECT_THAT(idsOf(jobs), ElementsAre("He lda universal", "He gga_x_pbe+gga_c_pbe universal"));
  const Calculation ours = resolvedJob(jobs.jobs.at(1), {}).calculation;
  EXPECT_EQ(ours.problem.hamiltonian.functional, "gga_x_pbe+gga_c_pbe");
  EXPECT_EQ(
      jobOf(jobs.jobs.at(1)).text,
      "He gga_x_pbe+gga_c_pbe universal\n$contrl jobtype='energy' functional='gga_x_pbe+gga_c_pbe' $end\n"
      "$nuc znuc=2 $end\n$bas library='universal' $end\n");
}

TEST(ElementJobs, LeavesOutElementsThatALibraryLacks) {
  const ElementJobs jobs = elementJobs({{1, 2, 118}, {-1, 0}, {}, {"wtbs-2.1", "universal"}, false}, {});
  EXPECT_THAT(idsOf(jobs), ElementsAre("He- wtbs-2.1", "He wtbs-2.1", "H- universal", "H universal",
                                       "He- universal", "He universal", "Og- universal", "Og universal"));
  EXPECT_EQ(jobs.leftOut.size(), 1u);
  EXPECT_THROW(elementJobs({{1}, {}, {}, {"no-such-library"}, false}, {}), SettingError);
}

TEST(ElementJobs, ReadsIonsAndConfigurations) {
  ElementRequest request;
  request.charges = {0, 1};
  readElements("Ne,Fe3+,11-12,Cl-,Fe2+ [Ar] 3d5.4s1", request);
  EXPECT_THAT(request.elements, ElementsAre(10, 11, 12));
  EXPECT_THAT(idsOf(elementJobs(request, {})),
              ElementsAre("Ne", "Ne+", "Na", "Na+", "Mg", "Mg+", "Fe3+", "Cl-", "Fe2+ [Ar] 3d5 4s1"));
  request.species.push_back(request.species.front());
  EXPECT_THROW(elementJobs(request, {}), Error) << "Fe3+ twice";
  ElementRequest written;
  readElements("He-Ne, Cl -, H -1, O[He]2s2", written);
  EXPECT_EQ(written.elements.size(), 9u);
  EXPECT_EQ(written.species.size(), 3u);
  ElementRequest ion;
  readElements("Fe2+ [Ar] 3d5 4s1", ion);
  const Calculation c = resolvedJob(elementJobs(ion, {}).jobs.at(0), {}).calculation;
  EXPECT_EQ(c.problem.configuration.description, "[Ar] 3d5 4s1");
  EXPECT_EQ(c.configurationSource, ConfigurationSource::Given);
  for (const char* wrong : {"", "Xx2+", "Fe27+", "Fe3+ [Ar] 3d6", "Fe,,Ne"}) {
    ElementRequest refused;
    EXPECT_THROW(readElements(wrong, refused), Error) << wrong;
  }
}

TEST(ElementJobs, CalculatesTheDefaultConfigurationOfTheIon) {
  const ElementJobs jobs = elementJobs({{26}, {2}, {NuclearModel::Point}, {}, false}, {});
  const Calculation calculation = resolvedJob(jobs.jobs.at(0), {}).calculation;
  EXPECT_EQ(calculation.problem.configuration.description, "[Ar] 3d6");
  EXPECT_EQ(calculation.problem.nucleus.model, NuclearModel::Point);
  EXPECT_FALSE(calculation.isLimit());
  EXPECT_EQ(calculation.configurationSource, ConfigurationSource::Nist);
  const ElementJobs byDefault = elementJobs({{26}, {}, {}, {}, true}, {});
  const Calculation limit = resolvedJob(byDefault.jobs.at(0), {}).calculation;
  EXPECT_TRUE(limit.isLimit());
  EXPECT_EQ(limit.problem.nucleus.model, NuclearModel::Gaussian);
  EXPECT_EQ(limit.limit().maxIterations, LimitMethod{}.maxIterations);
}

TEST(ElementJobs, HaveInputFilesThatAskForTheSame) {
  ElementRequest request{{10}, {1}, {NuclearModel::Point}, {"universal"}, false};
  request.hamiltonians = {OneElectronOperator::Nonrelativistic};
  const ElementJob job = elementJobs(request, {}).jobs.at(0);
  EXPECT_EQ(jobOf(job).text,
            "Ne+ point nonrel universal\n$contrl jobtype='energy' hamiltonian='nonrel' $end\n"
            "$nuc znuc=10 nucmdl=1 $end\n$seconfig charge=1 $end\n$bas library='universal' $end\n");
  ElementRequest limits{{10}, {}, {}, {}, true};
  limits.hamiltonians = request.hamiltonians;
  const ElementJob limit = elementJobs(limits, {}).jobs.at(0);
  EXPECT_EQ(jobOf(limit).text,
            "Ne nonrel limit\n$contrl jobtype='limit' hamiltonian='nonrel' $end\n$nuc znuc=10 $end\n");
  EXPECT_TRUE(resolvedJob(limit, {}).calculation.isLimit());
}

TEST(JobsList, HasAPathInEachLine) {
  EXPECT_THAT(listedFiles("\xEF\xBB\xBF# three\n\n a b.inp  # comment\r\nbe#2.inp\n"),
              ElementsAre("a b.inp", "be#2.inp"));
  EXPECT_THROW(listedFiles(std::string("a\0b\n", 4)), Error);
}

}  // namespace
}  // namespace prophet
