#include "operations/catalogue/job_operation.hpp"

#include <gtest/gtest.h>

#include <set>

#include "operations/input/keywords.hpp"

namespace prophet {
namespace {

const Operation& operation(const std::string& name) { return *findOperation(name); }

/// Names under which problems are reported.
std::set<std::string> problemsOf(const std::string& name, const Json& values) {
  std::set<std::string> settings;
  try {
    operation(name).check(values);
  } catch (const RequestErrors& e) {
    for (const SettingProblem& p : e.problems()) settings.insert(p.setting);
  }
  return settings;
}

TEST(JobOperation, EveryKeywordOfTheJobIsASettingOfOneName) {
  for (const JobName& job : jobNames()) {
    if (job.type == JobType::Chain) continue;  // its keywords are those of its input files only
    std::set<std::string> names;
    for (const Setting& s : operation(job.name).allSettings()) {
      EXPECT_TRUE(names.insert(s.name).second) << job.name << " " << s.name;
      for (const std::string& alias : s.aliases)
        EXPECT_TRUE(names.insert(alias).second) << job.name << " " << alias;
    }
    for (const Keyword& k : keywords()) {
      const bool used = (k.jobs & findGroup(k.group)->jobs & jobBit(job.type)) != 0;
      if (!used || k.name == "jobtype" || k.name == "znuc" || k.name == "nconf") continue;
      EXPECT_TRUE(names.count(k.name) || names.count(k.group + "_" + k.name)) << job.name << " " << k.name;
    }
  }
  const auto has = [](const std::string& name, const char* setting) {
    return std::ranges::any_of(operation(name).allSettings(),
                               [&](const Setting& s) { return s.name == setting; });
  };
  EXPECT_TRUE(has("energy", "watson_radius"));
  EXPECT_TRUE(has("energy", "crystal_file"));
  EXPECT_FALSE(has("limit", "fock"));
}

TEST(JobOperation, TwoNamesOfOneSettingAreRefusedUnderTheSecond) {
  try {
    operation("levels").check({{"atom", "C"}, {"config", "2s2 2p2"}, {"configs", "2s2 2p2 | 2p4"}});
    ADD_FAILURE() << "both are taken";
  } catch (const RequestErrors& e) {
    ASSERT_EQ(e.problems().size(), 1U) << e.what();
    EXPECT_EQ(e.problems().front().setting, "configs");
    EXPECT_EQ(e.problems().front().message, "says the same as config=; omit one of them");
  }
}

TEST(JobOperation, ValuesAreTextsOrOfTheirTypes) {
  const Json typed{{"atom", "Fe2+"}, {"maxitr", 60}, {"breitscf", true}, {"breit", "gaunt"}, {"c", 137.5}};
  const Json texts{
      {"atom", "Fe2+"}, {"max_iterations", "60"}, {"breitscf", "true"}, {"breit", "gaunt"}, {"c", "137.5"}};
  for (const Json& values : {typed, texts}) {
    const Job job = readAtomRequest(JobType::Energy, values).job;
    EXPECT_EQ(job.nucleus.charge, 26);
    EXPECT_EQ(job.configuration.charge, 2);
    EXPECT_EQ(job.scf.maxIterations, 60);
    EXPECT_EQ(job.hamiltonian.breitTreatment, Treatment::SelfConsistent);
    EXPECT_EQ(job.hamiltonian.speedOfLight, 137.5);
  }
  EXPECT_EQ(readAtomRequest(JobType::Energy, {{"atom", 86}, {"nucleus", "fermi"}}).job.nucleus.model,
            NuclearModel::Fermi);
}

/// A model or a size that the request has goes before those that a basis set was made for.
TEST(JobOperation, ABasisSetSaysItsNucleus) {
  const auto nucleusOf = [](const Json& more) {
    Json values{{"atom", "He"},
                {"basis",
                 {{"bastype", "rdin"},
                  {"nsym", 1},
                  {"exponents", Json::array({Json::array({0.3, 1.25, 5.0, 20.0})})},
                  {"nucleus", {{"model", "fermi"}, {"rms", 2.5}}}}}};
    values.update(more);
    return jobOfValues(JobType::Energy, values).nucleus;
  };
  EXPECT_EQ(nucleusOf(Json::object()).model, NuclearModel::Fermi);
  EXPECT_EQ(nucleusOf(Json::object()).rmsFemtometres, 2.5);
  EXPECT_EQ(nucleusOf({{"mass", 4}}).model, NuclearModel::Fermi);
  EXPECT_EQ(nucleusOf({{"mass", 4}}).rmsFemtometres, std::nullopt);
  EXPECT_EQ(nucleusOf({{"nuc", {{"model", "sphere"}}}}).model, NuclearModel::Sphere);
  EXPECT_EQ(nucleusOf({{"nucleus", "point"}}).rmsFemtometres, std::nullopt);
  const Json limit{{"atom", "He"}, {"basis", {{"nucleus", {{"model", "point"}}}}}};
  EXPECT_EQ(jobOfValues(JobType::Limit, limit).nucleus.model, NuclearModel::Point);
  EXPECT_EQ(jobOfValues(JobType::Energy, {{"atom", "He"}, {"basis", {{"name", "universal"}}}}).libraryName,
            "universal");
  EXPECT_EQ(problemsOf("limit", {{"atom", "He"}, {"basis", {{"nucleus", {{"modle", "point"}}}}}}),
            std::set<std::string>{"basis"});
}

TEST(JobOperation, TheTextOfAnInputFileIsARequest) {
  const Json request{{"input", "Neon\n$nuc znuc=10 $end\n"}};
  EXPECT_EQ(readAtomRequest(JobType::Energy, request).job.title, "Neon");
  EXPECT_EQ(problemsOf("limit", request), std::set<std::string>{"input"});
  EXPECT_EQ(problemsOf("energy", {{"input", "Neon\n$nuc znuc=10 $end\n"}, {"maxitr", 3}}),
            std::set<std::string>{"maxitr"});
  EXPECT_THROW(operation("energy").check({{"input", "Neon\n$nuc znuk=10 $end\n"}}), InputErrors);
}

TEST(JobOperation, ProblemsAreNamedAllAtOnce) {
  EXPECT_EQ(
      problemsOf("energy", {{"atom", "Ne"}, {"maxitr", 0}, {"breit", "full"}, {"orbital_grid", "1:2:3"}}),
      (std::set<std::string>{"maxitr", "breit", "orbital_grid"}));
  EXPECT_EQ(problemsOf("energy", {{"maxitr", 30}}), std::set<std::string>{"atom"});
  EXPECT_EQ(problemsOf("energy", {{"atom", "Ne"}, {"brait", "gaunt"}}), std::set<std::string>{"brait"});
  EXPECT_TRUE(problemsOf("energy", {{"atom", "Ne"}, {"breit", nullptr}}).empty());
}

}  // namespace
}  // namespace prophet
