#include "bases/formats/exchange_formats.hpp"

#include <gtest/gtest.h>

#include "core/common/error.hpp"

namespace prophet {
namespace {

const std::string kExchange[] = {"json", "nwchem", "dirac", "gaussian"};

class EveryFormat : public testing::TestWithParam<std::string> {};

TEST_P(EveryFormat, ShippedSetsReadBackToTheLastDigit) {
  std::vector<ElementBasis> written;
  for (const int z : {2, 5, 21, 86}) written.push_back(elementBasis(*readLibraryEntry(z, "wtbs-2.1")));
  const auto read = readBasis(writeBasis(written, GetParam()), GetParam(), "text");
  ASSERT_EQ(read.size(), written.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].z, written[i].z);
    EXPECT_EQ(read[i].shells, written[i].shells);
  }
}

TEST_P(EveryFormat, ExtremeNumbersReadBack) {
  const std::vector<ElementBasis> written{{1, "n", "r", {{1e22, 123456789.0, 1.0 / 3.0, 2.5e-11}}}};
  const auto read = readBasis(writeBasis(written, GetParam()), GetParam(), "text");
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].shells, written[0].shells);
}

TEST_P(EveryFormat, DamagedTextIsAnErrorThatNamesTheFile) {
  const std::vector<ElementBasis> written{{6, "n", "", {{100.0, 10.0, 1.0}, {3.0, 0.5}}}};
  std::string text = writeBasis(written, GetParam());
  text.replace(text.find("10.0"), 4, "1o.o");
  try {
    readBasis(text, GetParam(), "some.file");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam() == "json" ? "1o.o" : "some.file:"), std::string::npos)
        << error.what();
  }
}

TEST_P(EveryFormat, HasANameInAnyCase) {
  std::string name = GetParam();
  name[0] = static_cast<char>(std::toupper(name[0]));
  EXPECT_EQ(basisFormatOf(name), GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, EveryFormat, testing::ValuesIn(kExchange),
                         [](const auto& which) { return which.param; });

TEST(ExchangeFormats, LaddersOfOneAngularMomentumAreJoined) {
  LibraryEntry entry;
  entry.z = 5;
  entry.library = "mine";
  entry.configuration = "[He] 2s2 2p1";
  entry.spec = {{{1.0, 2.0, 0, 0}, {1.0, 4.0, 0, 0}}, {2, 3, 2}, {1, 1, 1}, {1, 1, 2}, {}};
  const ElementBasis basis = elementBasis(entry);
  const std::vector<std::vector<double>> expected{{2.0, 1.0}, {4.0, 2.0, 1.0}};
  EXPECT_EQ(basis.shells, expected);
  const BasisSet set = basisSetOf(basis);
  ASSERT_EQ(set.symmetries.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(set.symmetries[i].symmetry, Symmetry::fromIndex(i));
  EXPECT_EQ(set.symmetries[1].exponents, (std::vector<double>{1.0, 2.0, 4.0}));
  EXPECT_EQ(set.symmetries[2].exponents, set.symmetries[1].exponents);
}

TEST(ExchangeFormats, ReadsWhatOthersWrite) {
  const auto gaussian = readBasis(
      "! 6-31G\n****\nC 0\nS 2 1.00\n 3047.5D+00 0.0018\n 457.37D0 0.014\nSP 1 1.00\n  7.868 -0.1193 "
      "0.0690\n****\n",
      "gaussian", "g");
  ASSERT_EQ(gaussian.size(), 1u);
  const std::vector<std::vector<double>> carbon{{3047.5, 457.37, 7.868}, {7.868}};
  EXPECT_EQ(gaussian[0].shells, carbon);
  const auto nwchem = readBasis(
      "#BASIS SET\nBASIS \"ao basis\" SPHERICAL PRINT\nC    S\n 3047.5 0.0018\n 457.37 0.014\nC SP\n 7.868 "
      "-0.1 0.07\nEND\n",
      "nwchem", "n");
  EXPECT_EQ(nwchem.at(0).shells, carbon);
  const auto dirac = readBasis(
      "$ comment\na 6\n$ s\nf 3 0 0\n 3.0475D+03\n 457.37\n 7.868\n    1    0\n 7.868\n", "dirac", "d");
  EXPECT_EQ(dirac.at(0).shells, carbon);
}

TEST(ExchangeFormats, ContractedFunctionsKeepEveryDigit) {
  ElementBasis set;
  set.z = 6;
  set.name = "test";
  set.shells = {{3000.5, 40.25, 1.0 / 3.0}, {2.5, 0.125}};
  set.writeContracted = true;
  set.contracted = {{0, set.shells[0], {{0.1, 1.0 / 7.0, 0.2}, {-0.3, 0.0, 1.5}}},
                    {0, {1.0 / 3.0}, {}},
                    {1, set.shells[1], {}}};
  Eigen::MatrixXd s(3, 3);  // exponents ascending
  s << 0.2, 1.5, 1.0, 1.0 / 7.0, 0.0, 0.0, 0.1, -0.3, 0.0;
  for (const std::string format : {"json", "nwchem", "dirac", "gaussian"}) {
    const auto read = readBasis(writeBasis({set}, format), format, "f");
    const BasisSet basis = contractedSetOf(read.at(0), "f");
    ASSERT_EQ(basis.symmetries.size(), 3u) << format;
    EXPECT_EQ(basis.symmetries[0].exponents, (std::vector<double>{1.0 / 3.0, 40.25, 3000.5}));
    EXPECT_EQ(basis.symmetries[0].contraction, s) << format;
    EXPECT_FALSE(basis.symmetries[1].contracted()) << format;
    EXPECT_EQ(basis.functions(), 3 + 2 + 2);
    EXPECT_EQ(basisSetOf(read.at(0)).functions(), 3 + 2 + 2);  // the primitives
  }
  EXPECT_NE(writeBasis({set}, "nwchem").find("(3s,2p) -> [3s,2p]"), std::string::npos);
}

TEST(ExchangeFormats, AFunctionOfZerosIsRefused) {
  const auto read = readBasis("\nC S\n 3.0 0.0\n 1.0 0.0\n", "nwchem", "f");
  try {
    contractedSetOf(read.at(0), "f");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).rfind("f:2: error: ", 0), 0u) << error.what();
  }
}

TEST(ExchangeFormats, DiracBlocksWithoutContractionsAreUncontracted) {
  const auto read = readBasis("a 2\n 3 0 0\n 9.0\n 3.0\n 1.0\n", "dirac", "f");
  EXPECT_EQ(contractedSetOf(read.at(0), "f").functions(), 3);
}

TEST(ExchangeFormats, ErrorsHaveTheLine) {
  const auto errorOf = [](const std::string& text, const std::string& format) -> std::string {
    try {
      readBasis(text, format, "f");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(errorOf("****\nQq 0\n", "gaussian"), "f:2: error: expected an element, found 'Qq'");
  EXPECT_EQ(errorOf("****\nC 0\nS 2 1.0\n 1.0 1.0\n", "gaussian"),
            "f:4: error: the file ends in the middle of a shell");
  EXPECT_EQ(errorOf("basis\n 1.0 1.0\n", "nwchem"), "f:2: error: an exponent before the first shell");
  EXPECT_EQ(errorOf("a 200\n", "dirac"), "f:1: error: expected 'a' and a nuclear charge");
  EXPECT_NE(errorOf("{}", "json"), "");
  EXPECT_NE(errorOf("{", "json"), "");
  EXPECT_THROW(basisFormatOf("gamess"), Error);
}

}  // namespace
}  // namespace prophet
