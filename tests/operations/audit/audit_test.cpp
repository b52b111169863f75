#include "operations/audit/audit.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/calculation/compute.hpp"
#include "atoms/service/energy_service.hpp"
#include "bases/collections/second_order_limits.hpp"
#include "bases/formats/exchange_formats.hpp"
#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "operations/audit/audit_report.hpp"

namespace prophet {
namespace {

class InFolder : public ::testing::Test {
 protected:
  InFolder() : folder_(std::filesystem::temp_directory_path() / ("audit-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~InFolder() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  const std::filesystem::path folder_;
};

std::vector<AuditedSet> audited(const AuditTask& task) {
  HostEnergyService service(2);
  std::vector<AuditedSet> sets = planAudit(task);
  computeAudit(task, service, sets);
  return sets;
}

AuditTask taskOf(const std::string& set, std::vector<int> elements) {
  AuditTask task;
  task.sets = {set};
  task.elements = std::move(elements);
  return task;
}

/// Even-tempered sets of B to Ne; the one of nitrogen lacks an exponent of its p list.
std::string rowOfLadders() {
  nlohmann::json file{{"molssi_bse_schema", {{"schema_type", "complete"}, {"schema_version", "0.1"}}},
                      {"name", "ladders"}};
  for (int z = 5; z <= 10; ++z) {
    nlohmann::json shells = nlohmann::json::array();
    for (int l = 0; l < 2; ++l) {
      const int count = l == 0 ? 14 : 9;
      for (int k = 0; k < count; ++k) {
        if (z == 7 && l == 1 && k == 4) continue;
        const double zeta = (l == 0 ? 0.006 : 0.004) * z * z * std::pow(l == 0 ? 2.5 : 2.4, k);
        shells.push_back({{"function_type", "gto"},
                          {"region", ""},
                          {"angular_momentum", {l}},
                          {"exponents", {std::to_string(zeta)}},
                          {"coefficients", {{"1.0"}}}});
      }
    }
    file["elements"][std::to_string(z)] = {{"electron_shells", shells}};
  }
  return file.dump();
}

/// Remarks by kind of Ne's even-tempered set with s exponents from `first` on.
std::map<std::string, std::string> remarksOfNeon(const std::string& file, double first, int count) {
  std::ofstream out(file);
  out << "basis\n";
  for (int k = 0; k < count; ++k) out << "Ne S\n " << first * std::pow(2.3, k) << " 1.0\n";
  for (int k = 0; k < 12; ++k) out << "Ne P\n " << 0.08 * std::pow(2.3, k) << " 1.0\n";
  out << "end\n";
  out.close();
  std::map<std::string, std::string> remarks;
  const auto sets = audited(taskOf(file, {10}));
  for (const AuditRemark& r : sets.at(0).rows.at(0).remarks) remarks[r.kind] = r.text;
  return remarks;
}

TEST_F(InFolder, AnAuditNamesTheEndThatLacksFunctions) {
  const auto tight = remarksOfNeon((folder_ / "tight.nw").string(), 0.1, 12);
  EXPECT_EQ(tight.count("outermost_spinor_not_represented"), 0u);
  ASSERT_EQ(tight.count("missing_functions"), 1u);
  EXPECT_NE(tight.at("missing_functions").find("tight functions are missing (exponents above 9.5e+02)"),
            std::string::npos)
      << tight.at("missing_functions");
  const auto diffuse = remarksOfNeon((folder_ / "diffuse.nw").string(), 2.5, 14);
  ASSERT_EQ(diffuse.count("outermost_spinor_not_represented"), 1u);
  EXPECT_NE(diffuse.at("outermost_spinor_not_represented")
                .find("diffuse functions are missing (exponents below 2.5)"),
            std::string::npos)
      << diffuse.at("outermost_spinor_not_represented");
}

/// The collection's files state limits that the chain computed: another run of the numerical method.
TEST(Audit, ALibrarySetLiesWhereItsFileSays) {
  const auto sets = audited(taskOf("prophet-1", {2, 10}));
  ASSERT_EQ(sets.size(), 1u);
  ASSERT_EQ(sets[0].rows.size(), 2u);
  const AuditRow& neon = sets[0].rows[1];
  EXPECT_EQ(neon.limitSource, "table");
  ASSERT_TRUE(neon.minusLimit && neon.estimate);
  EXPECT_NEAR(*neon.minusLimit, 4.6e-9 * 128.69, 0.06e-9 * 128.69);  // basis table: 4.6e-09
  EXPECT_NEAR(*neon.estimate, *neon.minusLimit, 0.2 * *neon.minusLimit);
  double sum = 0;
  for (const AuditShare& share : neon.shares) sum += share.error;
  EXPECT_NEAR(sum, *neon.estimate, 1e-12);
  EXPECT_EQ(neon.functions, 24 + 15 + 14);
}

/// A file of the library has its functions for correlation beside the exponents of the atom.
TEST_F(InFolder, TheSecondOrderOfAFileIsThatOfItsCollection) {
  AuditTask task = taskOf("prophet-dz", {10});
  task.secondOrder = true;
  AuditTask ofFile = task;
  ofFile.sets = {write("010-Ne.basis", libraryFileText(*readLibraryEntry(10, "prophet-dz")))};
  const auto collection = audited(task), file = audited(ofFile);
  ASSERT_TRUE(collection.at(0).rows.at(0).secondOrder && file.at(0).rows.at(0).secondOrder);
  EXPECT_NEAR(*file[0].rows[0].secondOrder, *collection[0].rows[0].secondOrder, 1e-12);
}

/// Limits of second order: He's is -0.037377 hartree without relativity (literature), and larger sets come
/// closer; the table is for Gaussian nuclei.
TEST(Audit, StatesWhatSetsLackOfSecondOrder) {
  double before = 1;
  for (const char* tier : {"prophet-dz", "prophet-tz", "prophet-qz", "prophet-5z"}) {
    AuditTask task = taskOf(tier, {2});
    task.secondOrder = true;
    const AuditRow helium = audited(task).at(0).rows.at(0);
    ASSERT_TRUE(helium.secondOrderLimit && helium.secondOrderLack()) << tier;
    EXPECT_NEAR(*helium.secondOrderLimit, -0.037377, 5e-6);
    EXPECT_GT(*helium.secondOrderLack(), 0) << tier;
    EXPECT_LT(*helium.secondOrderLack(), 0.6 * before) << tier;
    before = *helium.secondOrderLack();
    task.nucleus = NuclearModel::Point;
    EXPECT_FALSE(audited(task).at(0).rows.at(0).secondOrderLack()) << tier;
  }
}

/// What the files of the tiers state; helium has no core.
TEST(Audit, CorrelatesTheOuterCoreInTheFunctionsForIt) {
  AuditTask task = taskOf("prophet-tz", {2, 5});
  task.secondOrder = task.coreValence = true;
  const std::vector<AuditRow> rows = audited(task).at(0).rows;
  EXPECT_FALSE(rows.at(0).coreValence || rows.at(0).coreValenceLack());
  ASSERT_TRUE(rows.at(1).coreValence && rows.at(1).secondOrder);
  EXPECT_LT(*rows[1].coreValence, *rows[1].secondOrder);
  const std::string source = readLibraryEntry(5, "prophet-tz")->provenance.source;
  EXPECT_NE(source.find(fmt::format("outer core, {:.8f} hartree", *rows[1].coreValence)), std::string::npos)
      << source << *rows[1].coreValence;
}

TEST_F(InFolder, LimitsOfSecondOrderAreRefusedWhereTheyAreWrong) {
  write("default", "prophet-1\n");
  const auto read = [&](const std::string& text) {
    write("second-order.csv", text);
    return readSecondOrderLimits(folder_);
  };
  const std::string head = "Z,energy_hartree,estimated_error_hartree\n";
  EXPECT_NEAR(read(head + "2,-0.03737,1e-6\n").at(2).energy, -0.03737, 1e-15);
  for (const std::string& wrong :
       {std::string("Z,energy\n"), head + "2,-0.03\n", head + "0,-0.03,1e-6\n", head + "2,low,1e-6\n"})
    EXPECT_THROW(read(wrong), Error) << wrong;
}

TEST(Audit, LimitsOfTheTableAreThoseComputed) {
  AuditTask task = taskOf("prophet-1", {3});
  task.limits = AuditLimits::Compute;
  const AuditRow computed = audited(task)[0].rows[0];
  EXPECT_EQ(computed.limitSource, "computed");
  const AuditRow known = audited(taskOf("prophet-1", {3}))[0].rows[0];
  ASSERT_TRUE(known.limit && computed.limit);
  EXPECT_NEAR(*known.limit, *computed.limit, 1e-11);
  task.limits = AuditLimits::Estimate;
  const AuditRow estimated = audited(task)[0].rows[0];
  EXPECT_EQ(estimated.limitSource, "estimate");
  EXPECT_EQ(estimated.minusLimit, estimated.estimate);
}

TEST_F(InFolder, AMissingExponentIsFoundByErrorAndByGap) {
  const auto sets = audited(taskOf(write("ladders.json", rowOfLadders()), {}));
  ASSERT_EQ(sets[0].rows.size(), 6u);
  EXPECT_EQ(sets[0].name, "ladders");
  for (const AuditRow& row : sets[0].rows) {
    ASSERT_TRUE(row.energy) << row.failure;
    int errors = 0, gaps = 0;
    for (const AuditRemark& remark : row.remarks) {
      errors += remark.kind == "error_outlier" && remark.list == "p";
      gaps += remark.kind == "odd_gap" && remark.list == "p";
    }
    EXPECT_EQ(errors, row.z == 7) << symbolOf(row.z);
    EXPECT_EQ(gaps, row.z == 7) << symbolOf(row.z);
  }
  EXPECT_EQ(shortestL(sets[0].rows[2]).letter, 'p');
}

/// The derivative with respect to an exponent that both j share, against energies with that exponent moved.
TEST_F(InFolder, TheGradientIsThatOfTheSharedExponent) {
  const AuditRow row = audited(taskOf(write("ladders.json", rowOfLadders()), {7}))[0].rows[0];
  ASSERT_TRUE(row.gradient);
  ASSERT_EQ(row.gradientAt.substr(0, 2), "p ");
  const double zeta = row.lists[1].exponents.at(std::stoul(row.gradientAt.substr(2)) - 1);
  const double step = 0.01;
  const auto energyAt = [&](double shift) {
    BasisSet basis = row.basis;
    for (SymmetryBasis& s : basis.symmetries)
      for (double& exponent : s.exponents)
        if (exponent == zeta) exponent *= std::exp(shift);
    return compute(calculationIn(basis, row.problem)).energy.total;
  };
  const double numerical =
      (8 * (energyAt(step) - energyAt(-step)) - (energyAt(2 * step) - energyAt(-2 * step))) / (12 * step);
  EXPECT_GT(*row.gradient, 1e-3);
  EXPECT_NEAR(*row.gradient, std::abs(numerical), 1e-5 * *row.gradient);
  AuditTask without = taskOf((folder_ / "ladders.json").string(), {7});
  without.gradient = false;
  const AuditRow plain = audited(without)[0].rows[0];
  EXPECT_FALSE(plain.gradient);
  EXPECT_NEAR(*plain.energy, *row.energy, 1e-9);
}

TEST_F(InFolder, TablesHaveARowForEachElementAndTheColumnsThatAreWrittenDown) {
  AuditTask task = taskOf(write("ladders.json", rowOfLadders()), {7, 10});
  const auto sets = audited(task);
  const auto rows = parseCsv(recordCsv(auditRecord(task, sets)));
  ASSERT_EQ(rows.size(), 3u);
  const std::vector<std::string> first(rows[0].fields.begin(), rows[0].fields.begin() + 5);
  EXPECT_EQ(first, (std::vector<std::string>{"element", "energy", "minus_limit", "prolapse", "gradient"}));
  EXPECT_EQ(rows[1].fields.size(), rows[0].fields.size());
  EXPECT_EQ(rows[2].fields[0], "Ne");
  const auto json = recordJson(auditRecord(task, sets));
  const auto& row = json.at("sets").at(0).at("rows").at(1);
  EXPECT_EQ(row.at("minus_limit").get<double>(), *sets[0].rows[1].minusLimit);
  EXPECT_EQ(row.at("lists").at(0).at("exponents").size(), 14u);
  EXPECT_NE(auditText(sets).find("ladders (2 elements)"), std::string::npos);
}

TEST_F(InFolder, WhatASetCannotHoldIsInItsRow) {
  const auto sets = audited(
      taskOf(write("he.nw", "BASIS \"ao basis\" PRINT\nNe S\n 100.0 1.0\nNe S\n 1.0 1.0\nEND\n"), {}));
  ASSERT_EQ(sets[0].rows.size(), 1u);
  EXPECT_NE(sets[0].rows[0].failure.find("the basis ends at s+"), std::string::npos)
      << sets[0].rows[0].failure;
  EXPECT_FALSE(sets[0].rows[0].energy);
  EXPECT_NE(recordCsv(auditRecord({}, sets)).find("failed"), std::string::npos);
}

TEST(Audit, NamesWhatIsMissing) {
  EXPECT_THROW(planAudit(taskOf("no-such-collection", {})), Error);
  EXPECT_THROW(planAudit(taskOf("./no-such-file.json", {})), Error);
  EXPECT_THROW(planAudit(taskOf("wtbs-2.1", {100})), Error);
}

}  // namespace
}  // namespace prophet
