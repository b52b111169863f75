#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "bases/formats/exchange_formats.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

using Lists = std::vector<std::vector<double>>;

std::string errorOf(const std::string& text, const std::string& format, int element = 0) {
  try {
    const auto elements = readBasis(text, format, "f");
    if (element > 0) setOf(elements, element, "f");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// The first element of a text whose format is found out.
ElementBasis detected(const std::string& text, const std::string& expected) {
  EXPECT_EQ(detectBasisFormat(text, "f"), expected) << text;
  return readBasis(text, expected, "f").at(0);
}

const Lists kCarbon{{3047.5, 457.37, 7.868}, {7.868}};

TEST(Readers, KeepContractions) {
  const ElementBasis carbon = detected(
      "#BASIS SET: (3s,1p) -> [2s,1p]\nC    S\n 3047.5 0.0018 0.5D+00\n 457.37 0.014 -1\nC SP\n 7.868 -0.1 "
      "0.07\n",
      "nwchem");
  ASSERT_EQ(carbon.contracted.size(), 3u);
  EXPECT_EQ(carbon.contracted[0].functions, (Lists{{0.0018, 0.014}, {0.5, -1.0}}));
  EXPECT_EQ(carbon.contracted[1].functions, (Lists{{-0.1}}));
  EXPECT_EQ(carbon.contracted[2].l, 1);
  EXPECT_EQ(carbon.contracted[2].functions, (Lists{{0.07}}));
  EXPECT_EQ(carbon.shells, kCarbon);
}

TEST(Readers, GaussianShellsOfEveryKind) {
  const ElementBasis carbon = detected(
      "! comment\n-C 0\nS 2 1.00\n 3047.5D+00 0.0018\n 457.37 0.014\nL 1 1.00 1.00\n 7.868 -0.1 0.07\n****\n",
      "gaussian");
  EXPECT_EQ(carbon.shells, kCarbon);
  const auto scaled = readBasis("C 0\nS 1 2.0\n 3.0 1.0\nL=2 1 1.0\n 1.5 1.0\n****\n", "gaussian", "f");
  EXPECT_EQ(scaled.at(0).shells, (Lists{{12.0}, {}, {1.5}}));
}

TEST(Readers, LIsAnSpShellOnlyWithTwoCoefficients) {
  EXPECT_EQ(readBasis("C L\n 1.0 1.0\n", "nwchem", "f").at(0).shells.size(), 9u);
  EXPECT_EQ(readBasis("C L\n 1.0 1.0 1.0\n", "nwchem", "f").at(0).shells.size(), 2u);
  EXPECT_EQ(errorOf("C SP\n 1.0 1.0\n", "nwchem"),
            "f:1: error: an SP shell has 2 coefficients on each line, not 1");
}

TEST(Readers, DiracWithContractionsOverSeveralLines) {
  const ElementBasis carbon = detected(
      "$ carbon\na 6\n$ s\nf 3 2\n 3.0475D+03 0.1\n 0.2\n 457.37 0.3 0.4\n 7.868 0.5 0.6\n 1 0 0\n 7.868 "
      "1.0\n",
      "dirac");
  EXPECT_EQ(carbon.shells, kCarbon);
  EXPECT_EQ(carbon.contracted.at(0).functions, (Lists{{0.1, 0.3, 0.5}, {0.2, 0.4, 0.6}}));
  EXPECT_EQ(errorOf("a 6\n 1 1\n 2.0 1.0 1.0\n", "dirac"),
            "f:3: error: 2 coefficients of an exponent, expected 1");
}

TEST(Readers, FusedShellsAndPlainNumbersOfJson) {
  const ElementBasis carbon = detected(
      R"({"elements": {"6": {"electron_shells": [
        {"angular_momentum": [0], "exponents": ["3047.5", 457.37], "coefficients": [["0.1", 0.2]]},
        {"angular_momentum": [0, 1], "exponents": ["7.868"], "coefficients": [["1.0"], ["0.5"]]}]}}})",
      "json");
  EXPECT_EQ(carbon.shells, kCarbon);
  EXPECT_EQ(carbon.contracted.at(2).functions, (Lists{{0.5}}));
}

TEST(Readers, CorePotentialsAreRefusedWhereTheElementIsUsed) {
  const std::string nwchem =
      "basis \"ao basis\"\nNe S\n 1.0 1.0\nRn S\n 2.0 1.0\nend\necp\nRn nelec 60\nRn ul\n2 1.0 0.0\nend\n";
  const std::string gaussian =
      "Ne 0\nS 1 1.0\n 1.0 1.0\n****\nRn 0\nS 1 1.0\n 2.0 1.0\n****\n\nRN 0\nRN-ECP 1 60\nul\n 1\n2 1.0 "
      "0.0\ns-ul\n 1\n2 1.0 "
      "2.0\n";
  const std::string json =
      R"({"elements": {"10": {"electron_shells": [{"angular_momentum": [0], "exponents": ["1.0"]}]},
"86": {"ecp_electrons": 60, "electron_shells": [{"angular_momentum": [0], "exponents": ["2.0"]}]}}})";
  const std::pair<std::string, std::string> texts[] = {
      {nwchem, "nwchem"}, {gaussian, "gaussian"}, {json, "json"}};
  const int lines[] = {8, 11, 2};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(errorOf(texts[i].first, texts[i].second, 10), "");
    EXPECT_EQ(
        errorOf(texts[i].first, texts[i].second, 86),
        "f:" + std::to_string(lines[i]) +
            ": error: the set of Rn has an effective core potential; this program computes all electrons "
            "and needs an all-electron set");
  }
}

TEST(Readers, FittingSetsAreNoOrbitals) {
  const std::string orbitals = "basis \"ao basis\"\nNe S\n 1.0 1.0\nend\n";
  const auto read = readBasis(orbitals + "basis \"cd basis\"\nNe S\n 5.0 1.0\nend\n", "nwchem", "f");
  EXPECT_EQ(read.at(0).shells, (Lists{{1.0}}));
  EXPECT_EQ(errorOf(R"({"role": "jkfit", "elements": {}})", "json"),
            "f:1: error: a set for another purpose than orbitals: its role is 'jkfit'");
}

TEST(Readers, AngularMomentaOfJsonAreWholeNumbersFromAList) {
  const auto with = [](const std::string& momenta) {
    return errorOf(R"({"elements": {"10": {"electron_shells": [{"angular_momentum": )" + momenta +
                       R"(, "exponents": ["1.0"]}]}}})",
                   "json");
  };
  EXPECT_EQ(with("[1]"), "");
  for (const char* momenta : {"[]", "0"})
    EXPECT_EQ(with(momenta), "f:1: error: a shell of Ne has no list of angular momenta, such as [0]");
  for (const char* number :
       {"0.9", "1.9", "-1", "21", "4294967296", "9223372036854775808", "true", "\"s\"", "null"})
    EXPECT_EQ(with(fmt::format("[{}]", number)),
              std::string("f:1: error: expected a whole angular momentum from 0 to 20, found ") + number);
}

TEST(Readers, BrokenJsonIsToldInSentences) {
  EXPECT_EQ(errorOf("{\"elements\": {\n\"10\": {}\n \"18\": {}}}", "json"),
            "f:3: error: the text is not valid JSON up to here; a comma, a bracket or a quote is missing or "
            "superfluous, here or before");
  const std::string schema = errorOf("{\"name\": \"x\"}", "json");
  EXPECT_EQ(schema.find("f: error: not a basis set of the Basis Set Exchange's schema: "), 0u) << schema;
  EXPECT_EQ(schema.find("json.exception"), std::string::npos) << schema;
}

TEST(Readers, DamageHasALine) {
  EXPECT_EQ(errorOf("basis\nNe S\n 1.0 1.0\n", "nwchem"),
            "f:3: error: the file ends without the 'end' of its section");
  EXPECT_EQ(errorOf("Ne S\n x 1.0\n", "nwchem"),
            "f:2: error: expected an element and a shell, found 'x 1.0'");
  EXPECT_EQ(errorOf("Ne S\nNe P\n 1.0 1.0\n", "nwchem"), "f:1: error: a shell without primitives");
  EXPECT_EQ(errorOf("Ne S\n 2.0 1.0 1.0\n 1.0 1.0\n", "nwchem"),
            "f:3: error: 1 coefficients, but 2 on the shell's first line");
  EXPECT_EQ(errorOf("Ne S\n -2.0 1.0\n", "nwchem"),
            "f:2: error: expected an exponent, a number from 1e-12 to 1e+25; found '-2.0'");
  EXPECT_EQ(errorOf("Ne 0\nS 1 1.0\n 1.0 1.0\n****\nNe 0\nS 1 1.0\n 2.0 1.0\n****\n", "gaussian"),
            "f:6: error: a second set of Ne in the same file");
  EXPECT_EQ(errorOf("a 10\n 1\n 1.0\na 10\n 1\n 2.0\n", "dirac"),
            "f:4: error: a second set of Ne in the same file");
  EXPECT_EQ(errorOf("a 10\n 2\n 1.0\n", "dirac"), "f:3: error: the file ends in the middle of a block");
  EXPECT_EQ(errorOf("Ne S\n 1.0 1.0\n", "nwchem", 18), "f:1: error: the file has no set for Ar; it has Ne");
}

TEST(Readers, UnknownTextIsNoFormat) {
  EXPECT_THROW(detectBasisFormat("", "f"), Error);
  EXPECT_THROW(detectBasisFormat("Dear reader,\nthis is a letter.\n", "f"), Error);
}

TEST(SharedLists, AverageIsNoDenserThanTheLists) {
  BasisSet basis;
  basis.symmetries = {
      {Symmetry{-1}, {1.0, 2.0}}, {Symmetry{1}, {1.0, 2.0, 4.0}}, {Symmetry{-2}, {1.01, 2.02}}};
  const Lists all = sharedShells(basis, SharedLists::All), one = sharedShells(basis, SharedLists::Average);
  EXPECT_EQ(all[1], (std::vector<double>{4.0, 2.02, 2.0, 1.01, 1.0}));
  ASSERT_EQ(one[1].size(), 3u);
  EXPECT_EQ(one[1][0], 4.0);
  EXPECT_NEAR(one[1][1], std::sqrt(2.0 * 2.02), 1e-8);
  EXPECT_EQ(one[0], all[0]);
  EXPECT_LT(smallestOverlap(1, all[1]), 1e-4);
  EXPECT_GT(smallestOverlap(1, one[1]), 1e-2);
}

TEST(SharedLists, SmallestOverlapOfTwoFunctions) {
  const double s = std::pow(2 * std::sqrt(2.0) / 3.0, 2.5);
  EXPECT_NEAR(smallestOverlap(1, {2.0, 1.0}), 1 - s, 1e-14);
}

}  // namespace
}  // namespace prophet
