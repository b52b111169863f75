#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/common/csv.hpp"
#include "cudaprophet/operation.hpp"
#include "operations/catalogue/operation.hpp"
#include "run_program.hpp"

namespace prophet {
namespace {

using test::contains;
using test::Scratch;

TEST(Formfactor, WritesTheColumnsThatAreAskedFor) {
  const Scratch s;
  const auto o = s.run("formfactor Fe Fe3+ --q 0:25:0.05 --csv f.csv");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out, "");
  const std::vector<CsvRow> rows = readCsv((s.path() / "f.csv").string());
  ASSERT_EQ(rows.size(), 502u);
  EXPECT_EQ(rows[0].fields, (std::vector<std::string>{"q", "Fe", "Fe3+"}));
  EXPECT_EQ(rows[4].fields[0], "0.15");
  EXPECT_EQ(rows[501].fields[0], "25");
  EXPECT_NEAR(std::stod(rows[1].fields[1]), 26, 26e-10);
  EXPECT_NEAR(std::stod(rows[1].fields[2]), 23, 23e-10);
  // The fits of Waasmaier and Kirfel (1995) at q = 6.3.
  EXPECT_NEAR(std::stod(rows[1 + 126].fields[1]), 11.4812, 0.02);
  EXPECT_NEAR(std::stod(rows[1 + 126].fields[2]), 11.5052, 0.02);
}

TEST(Formfactor, DoesNotDependOnTheThreads) {
  const Scratch s;
  ASSERT_EQ(s.run("formfactor Ne Na+ Mg --threads 1 --shells --csv one.csv").status, 0);
  ASSERT_EQ(s.run("formfactor Ne Na+ Mg --threads 3 --shells --csv three.csv").status, 0);
  const std::string one = test::readFile(s.path() / "one.csv");
  EXPECT_EQ(one, test::readFile(s.path() / "three.csv"));
  EXPECT_TRUE(contains(one, ",Ne 2p3/2,Na+,Na+ 1s1/2,")) << one;
}

/// The shell of the oxide's anion is none of its metal.
TEST(Formfactor, HoldsTheIonsOfTheOtherChargeInAShell) {
  const Scratch s;
  ASSERT_EQ(s.run("formfactor Fe2+ O2- --watson 2,2.2778 --q 0.5 --csv both.csv").status, 0);
  ASSERT_EQ(s.run("formfactor Fe2+ --q 0.5 --csv iron.csv").status, 0);
  ASSERT_EQ(s.run("formfactor O2- --watson 2,2.2778 --q 0.5 --csv oxygen.csv").status, 0);
  const auto last = [&](const char* file) { return readCsv((s.path() / file).string()).back().fields; };
  EXPECT_EQ(last("both.csv").at(1), last("iron.csv").at(1));
  EXPECT_EQ(last("both.csv").at(2), last("oxygen.csv").at(1));
  const std::string both = test::readFile(s.path() / "both.csv");
  EXPECT_TRUE(contains(both, "# O2-: 1s2 2s2 2p6, in a shell of 2 e at 2.2778 bohr\n")) << both;
  EXPECT_TRUE(contains(both, "# Fe2+: [Ar] 3d6\n")) << both;
}

/// What people read begins with the result, its error, warnings and the place.
TEST(Formfactor, BeginsWithTheResult) {
  const Scratch s;
  for (const char* words : {"formfactor Fe Fe3+ --q 0:25:0.5", "tables Fe Fe3+ --what binding"}) {
    const std::string out = s.run(words).out;
    std::size_t at = 0;
    for (const char* line : {"# CUDAProphet ", "# ", "# accuracy: ", "# warnings: none", "# computed on: "}) {
      EXPECT_EQ(out.compare(at, std::string_view(line).size(), line), 0) << out.substr(0, 600);
      at = out.find('\n', at) + 1;
    }
  }
  EXPECT_TRUE(contains(s.run("formfactor Fe Fe3+ --q 0:25:0.5").out,
                       "# result: form factors of 2 species at 51 q from 0 to 25 1/angstrom\n"));
}

/// As in the other commands: a hole is one charge more, and a promotion none.
TEST(Formfactor, TakesHolesAndPromotions) {
  const Scratch s;
  const auto hole = s.run("formfactor Fe2+ --hole 2p --q 0,5 --json hole.json"),
             written = s.run("formfactor 'Fe3+ 1s2 2s2 2p5 3s2 3p6 3d6' --q 0,5 --json written.json");
  ASSERT_EQ(hole.status, 0) << hole.err;
  ASSERT_EQ(written.status, 0) << written.err;
  const auto one = [&](const char* file) {
    return nlohmann::json::parse(test::readFile(s.path() / file)).at("species").at(0);
  };
  EXPECT_EQ(one("hole.json").at("charge"), 3);
  EXPECT_EQ(one("hole.json").at("name"), "Fe2+ hole 2p");
  EXPECT_EQ(one("hole.json").at("f"), one("written.json").at("f"));
  ASSERT_EQ(s.run("formfactor Fe2+ --promote '2p->3d' --q 0 --json moved.json").status, 0);
  EXPECT_EQ(one("moved.json").at("charge"), 2);
  EXPECT_NEAR(one("moved.json").at("f").at(0), 24, 1e-8);
  const auto none = s.run("formfactor He Li --hole 3d --q 0");
  EXPECT_EQ(none.status, 2);
  EXPECT_TRUE(contains(none.err, "--hole: He: ")) << none.err;
  EXPECT_EQ(s.run("formfactor He Ne --hole 2p --q 0").status, 3);  // of He there is none
  const auto bare = s.run("formfactor H+ He --q 0 --csv bare.csv");
  EXPECT_EQ(bare.status, 3);
  EXPECT_TRUE(contains(bare.err, "H+ has no values: H with charge +1 has no electrons")) << bare.err;
  EXPECT_TRUE(contains(test::readFile(s.path() / "bare.csv"), "q,He\n"))
      << test::readFile(s.path() / "bare.csv");
}

TEST(Formfactor, OfALimitIsThatOfTheBasis) {
  const Scratch s;
  const auto basis = s.run("formfactor He --q 0,1,5"), limit = s.run("formfactor He --q 0,1,5 --limit");
  ASSERT_EQ(basis.status, 0) << basis.err;
  ASSERT_EQ(limit.status, 0) << limit.err;
  const auto table = [](const std::string& out) {  // below what is said of the accuracy
    return out.substr(out.find("# warnings: none"), out.size() - out.find("# warnings: none") - 40);
  };
  EXPECT_EQ(table(basis.out), table(limit.out));
  EXPECT_TRUE(contains(limit.out, "at the numerical limit")) << limit.out;
}

TEST(Formfactor, OfAFunctionalIsThatOfItsLimitAndNotOfExactExchange) {
  const Scratch s;
  const std::string words = "formfactor Ar --q 0,2,8,20 ";
  const auto columns = [&](const std::string& more) {
    const auto o = s.run(words + more + " --csv f.csv");
    EXPECT_EQ(o.status, 0) << o.err;
    std::vector<double> f;
    for (const CsvRow& row : readCsv((s.path() / "f.csv").string()))
      if (row.fields[0] != "q") f.push_back(std::stod(row.fields[1]));
    return f;
  };
  const auto exchange = columns(""), basis = columns("--functional pbe"),
             limit = columns("--functional pbe --limit");
  ASSERT_EQ(basis.size(), 4u);
  EXPECT_NEAR(basis[0], 18, 1e-8);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(basis[i], limit[i], 2e-4) << i;
  EXPECT_GT(std::abs(basis[1] - exchange[1]), 1e-3);
  const auto unknown = s.run(words + "--functional pbee");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(contains(unknown.err, "pbee")) << unknown.err;
}

TEST(Formfactor, ByQuadratureIsThatInClosedForm) {
  const Scratch s;
  ASSERT_EQ(s.run("formfactor Ar --q 0:20:5 --csv closed.csv").status, 0);
  ASSERT_EQ(s.run("formfactor Ar --q 0:20:5 --quadrature --csv quadrature.csv").status, 0);
  const std::vector<CsvRow> closed = readCsv((s.path() / "closed.csv").string()),
                            quadrature = readCsv((s.path() / "quadrature.csv").string());
  EXPECT_NE(test::readFile(s.path() / "closed.csv"), test::readFile(s.path() / "quadrature.csv"));
  for (std::size_t i = 1; i < closed.size(); ++i)
    EXPECT_NEAR(std::stod(closed[i].fields[1]), std::stod(quadrature[i].fields[1]), 1e-10);
}

TEST(Formfactor, SaysThatAnIonIsNotBound) {
  const Scratch s;
  const auto o = s.run("formfactor O O2- --q 0:1:0.5 --csv f.csv --json f.json");
  EXPECT_EQ(o.status, 3);
  EXPECT_TRUE(contains(o.err, "O2- is not bound")) << o.err;
  EXPECT_TRUE(contains(test::readFile(s.path() / "f.csv"), "# O2-: NOT BOUND: "));
  const auto json = nlohmann::json::parse(test::readFile(s.path() / "f.json"));
  EXPECT_EQ(json.at("species").at(0).at("status"), "converged");
  EXPECT_EQ(json.at("species").at(1).at("status"), "unbound");
  EXPECT_NEAR(json.at("species").at(1).at("f").at(0).get<double>(), 10, 1e-9);
}

TEST(Formfactor, OfElectronsDivergesForIons) {
  const Scratch s;
  const auto o = s.run("formfactor Na Na+ --electron --q 0,1 --csv f.csv --json f.json");
  ASSERT_EQ(o.status, 0) << o.err;
  const std::vector<CsvRow> rows = readCsv((s.path() / "f.csv").string());
  EXPECT_EQ(rows[1].fields[2], "inf");
  ASSERT_EQ(s.run("formfactor Na --q 0,1 --csv x.csv").status, 0);
  const double xray = std::stod(readCsv((s.path() / "x.csv").string())[2].fields[1]);
  EXPECT_NEAR(std::stod(rows[2].fields[1]), 2 / 0.529177210903 * (11 - xray), 1e-10);
  const auto json = nlohmann::json::parse(test::readFile(s.path() / "f.json"));
  EXPECT_TRUE(json.at("species").at(1).at("f_electron").at(0).is_null());
}

TEST(Formfactor, FitsAreWrittenInEveryFormat) {
  const Scratch s;
  const auto text = s.run("formfactor C --fit waasmaier-kirfel --json f.json");
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "  a5 ")) << text.out;
  const auto fit = nlohmann::json::parse(test::readFile(s.path() / "f.json")).at("species").at(0).at("fit");
  double sum = fit.at("c");
  for (const double a : fit.at("a")) sum += a;
  EXPECT_LE(std::abs(sum - 6), fit.at("largest_error").get<double>() + 1e-8);
  EXPECT_LT(fit.at("largest_error").get<double>(), 0.01);
  const auto dabax = s.run("formfactor C --fit waasmaier-kirfel --format dabax");
  EXPECT_TRUE(contains(dabax.out, "\n#S  6  C\n")) << dabax.out;
  EXPECT_TRUE(contains(dabax.out, "\n#N 11\n#L  a1  a2  a3  a4  a5  c  b1  b2  b3  b4  b5\n")) << dabax.out;
  const auto cif = s.run("formfactor C --fit cromer-mann --format cif --out c.cif");
  EXPECT_EQ(cif.out, "");
  EXPECT_TRUE(contains(test::readFile(s.path() / "c.cif"),
                       "loop_\n_atom_type_symbol\n_atom_type_scat_Cromer_Mann_a1\n"));
  const auto csv = s.run("formfactor C --electron --fit doyle-turner --format csv --out c.csv");
  ASSERT_EQ(csv.status, 0) << csv.err;
  EXPECT_EQ(readCsv((s.path() / "c.csv").string()).size(), 2u);
}

// Two functions of almost one width, with coefficients of 31810 and -31807, once made this fit.
TEST(Formfactor, FitsHaveNoCoefficientsThatCancel) {
  const Scratch s;
  ASSERT_EQ(s.run("formfactor Fe3+ --fit cromer-mann --json f.json").status, 0);
  const auto fit = nlohmann::json::parse(test::readFile(s.path() / "f.json")).at("species").at(0).at("fit");
  for (const double a : fit.at("a")) EXPECT_LT(std::abs(a), 100);
  EXPECT_LT(fit.at("largest_error").get<double>(), 0.01);
}

TEST(Formfactor, WrongCommandLinesAreRefused) {
  const Scratch s;
  for (const char* arguments : {"",
                                "Xx",
                                "Fe 26",
                                "Fe --q 1:0:0.1",
                                "Fe --q 0:1",
                                "Fe --q 0:1:0",
                                "Fe --q -1:1:0.1",
                                "Fe --q 0:1:x",
                                "Fe --q 0:10000:0.00001",
                                "Fe --q 0:1:0.1:",
                                "Fe --q nan",
                                "Fe --q 1,",
                                "Fe --format cif",
                                "Fe --fit six",
                                "Fe --fit peng --format cif",
                                "Fe --fit peng --format word",
                                "Fe3+ --electron --fit peng",
                                "Fe --limit --library universal",
                                "Fe --electron --shells",
                                "Fe --csv a --json a",
                                "Fe --csv a --out b",
                                "Fe --nucleus disc",
                                "Fe --threads 0"}) {
    const auto o = s.run(std::string("formfactor ") + arguments);
    EXPECT_EQ(o.status, 2) << arguments << o.err;
    EXPECT_NE(o.err, "") << arguments;
    EXPECT_EQ(o.out, "") << arguments;
  }
  EXPECT_TRUE(contains(s.run("formfactor 99Fe").err, "there is no isotope of Fe with the mass number 99"));
  const auto bare = s.run("formfactor H+");  // a row that says why, as in a list
  EXPECT_EQ(bare.status, 3);
  EXPECT_TRUE(contains(bare.err, "H with charge +1 has no electrons")) << bare.err;
  EXPECT_EQ(s.run("formfactor --help").status, 0);
}

/// Of the shell's JSON and of the C++ library; test_operations.py has Python's.
TEST(Formfactor, HasTheSameDigitsInTheShellAndInCpp) {
  const Scratch s;
  ASSERT_EQ(s.run("formfactor Fe O2- --q 0,0.5,6.3 --fit peng --json f.json").status, 3);
  auto shell = nlohmann::json::parse(test::readFile(s.path() / "f.json"));
  const cudaprophet::Record record =
      cudaprophet::run("formfactor", {{"species", std::vector<std::string>{"Fe", "O2-"}},
                                      {"q", std::vector<double>{0, 0.5, 6.3}},
                                      {"fit", std::string("peng")}});
  auto library = nlohmann::json::parse(record.json);
  for (auto* json : {&shell, &library}) json->erase("seconds");
  EXPECT_EQ(shell, library);
  EXPECT_FALSE(record.ok);
  ASSERT_EQ(record.warnings.size(), 1u);
  EXPECT_EQ(record.warnings[0].id, "unbound");
  EXPECT_EQ(record.tables.at(0).columns.at(1).numbers.at(2),
            shell.at("species").at(0).at("f").at(2).get<double>());
}

TEST(Formfactor, MomentaAreTheDecimalsThatAreMeant) {
  const std::vector<Setting>& settings = findOperation("formfactor")->settings;
  const auto setting =
      std::find_if(settings.begin(), settings.end(), [](const Setting& s) { return s.name == "q"; });
  ASSERT_NE(setting, settings.end());
  const auto momenta = [&](const char* text) { return typedValue(*setting, text); };
  const Json q = momenta("0:25:0.05");
  ASSERT_EQ(q.size(), 501);
  EXPECT_EQ(q[3], 0.15);
  EXPECT_EQ(q[500], 25);
  EXPECT_EQ(momenta("0:0.9:0.3").size(), 4);
  EXPECT_EQ(momenta("2:2:1").size(), 1);
  EXPECT_EQ(momenta("0.5, 3").size(), 2);
  EXPECT_THROW(momenta(""), Error);
}

}  // namespace
}  // namespace prophet
