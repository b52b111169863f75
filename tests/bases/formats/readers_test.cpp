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
  // General contractions of l = 8, as the Exchange writes cc-pV9Z of Ne.
  const Lists eight =
      readBasis("Ne K\n 2.0 1.0\nNe L\n 2.0 1.0 0.0\n 1.0 0.0 1.0\n", "nwchem", "f").at(0).shells;
  ASSERT_EQ(eight.size(), 9u);
  EXPECT_EQ(eight[8], (std::vector<double>{2.0, 1.0}));
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
  EXPECT_EQ(errorOf("Ne S\n 2.0 1.0\n 1.0\n", "nwchem"),
            "f:3: error: this exponent has no coefficient; only a shell of one primitive needs none");
  EXPECT_EQ(readBasis("Ne S\n 2.0\n", "nwchem", "f").at(0).shells.at(0), std::vector<double>{2});
  EXPECT_EQ(errorOf("Ne S\n 2.0 1.0 1.0\n 1.0 1.0\n", "nwchem"),
            "f:3: error: 1 coefficients, but 2 on the shell's first line");
  EXPECT_EQ(errorOf("Ne S\n -2.0 1.0\n", "nwchem"),
            "f:2: error: expected an exponent, a number from 1e-12 to 1e+25; found '-2.0'");
  EXPECT_EQ(errorOf("****\nNe 0\nS 1 1.0\n 1.0 1.0\n", "gaussian"),
            "f:4: error: the file ends without the '****' behind the set of Ne; is it cut off?");
  EXPECT_EQ(errorOf("Ne 0\nS 1 1.0\n 1.0 1.0\n****\nNe 0\nS 1 1.0\n 2.0 1.0\n****\n", "gaussian"),
            "f:6: error: a second set of Ne in the same file");
  EXPECT_EQ(errorOf("a 10\n 1\n 1.0\na 10\n 1\n 2.0\n", "dirac"),
            "f:4: error: a second set of Ne in the same file");
  EXPECT_EQ(errorOf("a 10\n 2\n 1.0\n", "dirac"), "f:3: error: the file ends in the middle of a block");
  EXPECT_EQ(errorOf("Ne S\n 1.0 1.0\n", "nwchem", 18), "f:1: error: the file has no set for Ar; it has Ne");
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Numbers of lines as GAMESS writes them, before or behind.
TEST(Readers, NumberedLinesAreNoExponents) {
  const std::string lines = " 1 33.865 0.0254938\n 2 5.09479 0.190373\n 3 1.15879 0.852161\n";
  EXPECT_EQ(
      errorOf("****\nH 0\nS 3 1.00\n" + lines + "****\n", "gaussian"),
      "f:4: error: 3 numbers in a line of a shell, '1 33.865 0.0254938'; Gaussian's format has the exponent "
      "and one coefficient (two in SP shells), and no numbers of lines");
  EXPECT_EQ(
      errorOf("H S\n" + lines, "nwchem"),
      "f:1: error: column 1 of this shell is 1, 2, ... 3, as if its lines were numbered; remove the numbers, "
      "or write them with a point (1.0) if they are meant");
  EXPECT_TRUE(has(errorOf("H S\n 1. 5.0 0.1\n 2. 0.8 0.9\n", "nwchem"), "column 1 of this shell"));
  EXPECT_TRUE(has(errorOf("H S\n 5.0 0.1 1\n 0.8 0.9 2\n 0.1 0.9 3\n", "nwchem"), "column 3 of this shell"));
  EXPECT_TRUE(has(errorOf("H S\n 1 5.0\n 2 0.8\n 3 0.2\n", "nwchem"), "column 1 of this shell"));
  EXPECT_TRUE(has(errorOf("H SP\n 1 5.0 0.1 0.2\n", "nwchem"), "an SP shell has 2 coefficients"));
  EXPECT_TRUE(has(errorOf("H P\n 1 0.8 1.0\n", "nwchem"),
                  "f:1: error: 2 coefficients on each line, but 1 primitive"));
  EXPECT_TRUE(has(errorOf("a 1\n 3 1\n 1 5.0 0.1\n", "dirac"), "f:3: error: 2 coefficients of an exponent"));
  EXPECT_TRUE(
      has(errorOf("a 1\n 2 0\n 1 5.0\n 2 0.8\n", "dirac"), "f:3: error: 1 coefficients of an exponent"));
  // Written with points they are exponents.
  EXPECT_EQ(readBasis("H S\n 1.0 0.1\n 2.0 0.2\n 3.0 0.3\n", "nwchem", "f").at(0).shells, (Lists{{3, 2, 1}}));
}

/// The letters of Gaussian's program are S P D F G H I J K; so the Basis Set Exchange writes and reads them.
/// In NWChem's format, and in that of the Exchange's `nwchem`, l = 7 is K.
TEST(Readers, LettersBeyondI) {
  const auto largest = [](const std::string& shell, const std::string& format) {
    const std::string text =
        format == "nwchem" ? "B " + shell + "\n 1.0 1.0\n" : "B 0\n" + shell + " 1 1.00\n 1.0 1.0\n****\n";
    return static_cast<int>(readBasis(text, format, "f").at(0).shells.size()) - 1;
  };
  const std::pair<const char*, int> gaussian[] = {{"I", 6}, {"J", 7},   {"K", 8},
                                                  {"L", 9}, {"L=7", 7}, {"j", 7}};
  for (const auto& [letter, l] : gaussian) EXPECT_EQ(largest(letter, "gaussian"), l) << letter;
  const std::pair<const char*, int> nwchem[] = {{"I", 6}, {"K", 7}, {"L", 8}, {"M", 9}};
  for (const auto& [letter, l] : nwchem) EXPECT_EQ(largest(letter, "nwchem"), l) << letter;
  EXPECT_EQ(errorOf("B J\n 1.0 1.0\n", "nwchem"), "f:1: error: unknown shell 'J'");
  EXPECT_EQ(errorOf("B 0\nQ= 1 1.00\n 1.0 1.0\n", "gaussian"),
            "f:2: error: expected a shell and its length, found 'Q= 1 1.00'");
  ElementBasis set;
  set.z = 5;
  set.shells.assign(10, {2.0});
  const std::string text = writeBasis({set}, "gaussian");
  for (const char* shell : {"\nI    1", "\nJ    1", "\nK    1", "\nL=9    1"})
    EXPECT_TRUE(has(text, shell)) << text;
  for (const char* format : {"gaussian", "json", "dirac"})
    EXPECT_EQ(readBasis(writeBasis({set}, format), format, "f").at(0).shells, set.shells) << format;
  set.shells.resize(8);
  EXPECT_TRUE(has(writeBasis({set}, "nwchem"), "B     K\n"));
  EXPECT_EQ(readBasis(writeBasis({set}, "nwchem"), "nwchem", "f").at(0).shells, set.shells);
}

/// A block of DIRAC's has no letter: with l = 8 and two functions it is no SP shell.
TEST(Readers, BlocksOfDiracAreNoSpShells) {
  std::string text = "a 5\n";
  for (int l = 0; l < 8; ++l) text += " 1 0 0\n 3.0\n";
  const auto set = readBasis(text + " 2 2 0\n 3.0 0.1 0.2\n 1.0 0.3 0.4\n", "dirac", "f").at(0);
  ASSERT_EQ(set.shells.size(), 9u);
  EXPECT_EQ(set.shells[0], (std::vector<double>{3.0}));
  EXPECT_EQ(set.shells[8], (std::vector<double>{3.0, 1.0}));
}

/// As Gaussian's gfinput prints shells, and scale factors.
TEST(Readers, TheSecondScaleFactorOfZeroIsNone) {
  const auto set = readBasis(
      "AO basis set in the form of general basis input (Overlap normalization):\n"
      "H 0\n S   3 1.00       0.000000000000\n  0.3386500000D+02  0.2549381454D-01\n  0.5094790000D+01  "
      "0.1903731086D+00\n  0.1158790000D+01  0.8521614860D+00\n SP 1 2.00 0.0\n 0.5 1.0 1.0\n ****\n",
      "gaussian", "f");
  EXPECT_EQ(set.at(0).shells, (Lists{{33.865, 5.09479, 2.0, 1.15879}, {2.0}}));
  EXPECT_EQ(set.at(0).contracted.at(0).functions, (Lists{{0.02549381454, 0.1903731086, 0.8521614860}}));
  EXPECT_EQ(errorOf("H 0\nS 1 0.0\n 1.0 1.0\n", "gaussian"), "f:2: error: a scale factor must be above 0");
  EXPECT_EQ(errorOf("H 0\nS 1 1.0 2.0\n 1.0 1.0\n", "gaussian"),
            "f:2: error: a scale factor too many; a shell has one, an SP shell has two");
  EXPECT_EQ(
      errorOf("  1 0\n S 1 1.0\n 1.0 1.0\n****\n", "gaussian"),
      "f:1: error: expected an element, found '1'; gfinput prints the numbers of the atoms: replace them by "
      "symbols");
  EXPECT_EQ(detectBasisFormat("AO basis set in the form\n  1 0\n S 1 1.0\n 1.0 1.0\n", "f"), "gaussian");
  EXPECT_EQ(detectBasisFormat("  1 0\n S 1 1.0\n 1.0 1.0\n****\n", "f"), "gaussian");
}

/// What the Exchange writes for Dalton.
TEST(Readers, CommentsAndCorePotentialsOfDalton) {
  const std::string helium =
      "! Basis = cc-pVDZ\n\na 2\n! HELIUM  (2s,1p) -> [1s,1p]\n! s functions\nH 2 1\n"
      " 38.36 0.02381\n 5.77 0.15489 ! the last\n! p functions\nH 1 1\n 1.275 1.0\n";
  EXPECT_EQ(detected(helium, "dirac").shells, (Lists{{38.36, 5.77}, {1.275}}));
  const std::string both = helium +
                           "a 86\nH 1 1\n 3.0 1.0\n\n\nECP\na  86\n$\n   5  60\n           1\n2 1.0 "
                           "0.0\n           2\n2 1.0 5.0\n2 2.0 6.0\n$\n$ END OF ECP\n";
  EXPECT_EQ(errorOf(both, "dirac", 2), "");
  EXPECT_TRUE(has(errorOf(both, "dirac", 86), "f:18: error: the set of Rn has an effective core potential"));
}

TEST(Readers, CartesianFunctionsAreRefusedWhereTheyDiffer) {
  const std::string json = R"({"elements": {"2": {"electron_shells": [
    {"function_type": "gto_cartesian", "angular_momentum": [0, 1], "exponents": ["1.0"], "coefficients": [["1.0"], ["1.0"]]}]},
"6": {"electron_shells": [{"function_type": "gto", "angular_momentum": [0], "exponents": ["1.0"]},
    {"function_type": "gto_cartesian", "angular_momentum": [2], "exponents": ["0.8"]}]}}})";
  EXPECT_EQ(errorOf(json, "json", 2), "");
  EXPECT_TRUE(has(errorOf(json, "json", 6),
                  "f:3: error: the functions of C with l = 2 and more are Cartesian, as "
                  "the file says by 'gto_cartesian'"));
  const auto nwchem = [](const std::string& words, const std::string& shell) {
    return errorOf("basis \"ao basis\" " + words + "\nC S\n 1.0 1.0\nC " + shell + "\n 0.8 1.0\nend\n",
                   "nwchem", 6);
  };
  EXPECT_EQ(nwchem("SPHERICAL print", "D"), "");
  EXPECT_EQ(nwchem("cartesian", "P"), "");
  EXPECT_TRUE(has(nwchem("CARTESIAN PRINT", "F"), "f:1: error: the functions of C"));
  EXPECT_TRUE(has(nwchem("CARTESIAN PRINT", "F"), "as the file says by 'CARTESIAN'"));
  // NWChem's own default.
  EXPECT_TRUE(has(nwchem("PRINT", "D"), "a section without either word, which NWChem takes as CARTESIAN"));
  EXPECT_EQ(errorOf("C D\n 0.8 1.0\n", "nwchem", 6), "");  // lines for PySCF say nothing
  EXPECT_TRUE(has(nwchem("SPHERICAL rel", "D"), "f:1: error: 'rel' in the line of a section"));
  // Psi4's first line.
  const std::string psi4 = "\n\n****\nC 0\nS 1 1.00\n 1.0 1.0\nD 1 1.00\n 0.8 1.0\n****\n";
  EXPECT_EQ(detectBasisFormat("spherical" + psi4, "f"), "gaussian");
  EXPECT_EQ(errorOf("spherical" + psi4, "gaussian", 6), "");
  EXPECT_TRUE(has(errorOf("cartesian" + psi4, "gaussian", 6), "f:7: error: the functions of C"));
}

TEST(Readers, NwchemSectionsAndTagsGiveEachElementOnce) {
  const std::string head = "basis \"ao basis\" spherical\n", end = "end\n";
  EXPECT_EQ(errorOf(head + "He1 S\n 2.0 1.0\nHe2 S\n 1.0 1.0\n" + end, "nwchem"),
            "f:4: error: a second set of He in the same file: the tags are 'he1' and 'he2'");
  EXPECT_EQ(errorOf("He S\n 2.0 1.0\nHe2 S\n 1.0 1.0\n", "nwchem"),
            "f:3: error: a second set of He in the same file: the tags are 'he' and 'he2'");
  const std::string helium = head + "He S\n 2.0 1.0\n" + end;
  EXPECT_EQ(errorOf(helium + head + "He S\n 1.0 1.0\n" + end, "nwchem"),
            "f:6: error: a second set of He in the same file");
  EXPECT_EQ(errorOf(helium + "He S\n 1.0 1.0\n", "nwchem"),
            "f:5: error: a second set of He in the same file");
  for (const char* name : {"\"jkfit\"", "jkfit", "\"cc-pVDZ\""})
    EXPECT_TRUE(has(errorOf(helium + "basis " + name + " spherical\nNe S\n 1.0 1.0\n" + end, "nwchem"),
                    "f:5: error: a second section, '"))
        << name;
  EXPECT_EQ(errorOf(head + helium, "nwchem"), "f:2: error: a section inside another one; 'end' is missing");
  // Sections of one name that were put together, and fitting sets, which are left out.
  const auto two = readBasis(
      helium + head + "Ne S\n 5.0 1.0\n" + end + "basis \"cd basis\"\nHe S\n 9.0 1.0\n" + end, "nwchem", "f");
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].shells, (Lists{{2.0}}));
  EXPECT_EQ(two[1].shells, (Lists{{5.0}}));
  EXPECT_TRUE(has(errorOf("He S rel\n 1.0 1.0\n", "nwchem"), "f:1: error: expected an element and a shell"));
}

TEST(Readers, ForeignFormatsAreNamed) {
  const std::pair<const char*, const char*> texts[] = {
      {"$basis\n*\nar cc-pVDZ\n# ar\n*\n 2 s\n 1.0 1.0\n*\n$end\n",
       "f:1: error: Turbomole's format is not read"},
      {"# remark\n$basis\n*\nh x\n*\n", "f:2: error: Turbomole's format is not read"},
      {"$rem\n BASIS GEN\n$end\n\n$basis\nC     0\nS 1 1.00\n", "f:5: error: Q-Chem's format is not read"},
      {"$DATA\n\nCARBON\nS 1\n1 3.0 1.0\n", "f:1: error: GAMESS's (which ORCA reads too) format is not read"},
      {"spherical\nbasis={\n!\ns, C , 1.0\n}\n", "f:2: error: Molpro's format is not read"}};
  for (const auto& [text, expected] : texts) {
    try {
      detectBasisFormat(text, "f");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_TRUE(has(error.what(), expected)) << error.what();
      EXPECT_TRUE(has(error.what(), "Basis Set Exchange JSON, NWChem")) << error.what();
    }
  }
  refuseForeignFormat("Helium\n$basis\n bastype='wtbs' $end\n$nuc znuc=2 $end\n", "f");  // an input file
}

TEST(Readers, UnknownKeysOfJsonAreRefused) {
  const auto with = [](const std::string& root, const std::string& element, const std::string& shell) {
    return errorOf("{" + root + R"("elements": {"10": {)" + element + R"("electron_shells": [{)" + shell +
                       R"("angular_momentum": [0], "exponents": ["1.0"]}]}}})",
                   "json");
  };
  EXPECT_EQ(with(R"("name": "x", "tags": [], )", R"("references": [], )", R"("region": "", )"), "");
  EXPECT_TRUE(has(with(R"("rolle": "jkfit", )", "", ""),
                  "f:1: error: unknown key 'rolle' of the file; is 'role' meant?"));
  EXPECT_TRUE(has(with("", R"("ecp_elektrons": 60, )", ""),
                  "unknown key 'ecp_elektrons' of Ne; is 'ecp_electrons' meant?"));
  EXPECT_TRUE(has(with("", "", R"("harmonic_type": "cartesian", )"),
                  "unknown key 'harmonic_type' of a shell; known are "));
  EXPECT_TRUE(has(with("", "", R"("function_type": "gto_slater", )"), "functions of the type 'gto_slater'"));
  EXPECT_TRUE(has(with("", "", R"("exponents": ["2.0"], )"), "f:1: error: the key \"exponents\" is twice"));
  const std::string neon = R"({"electron_shells": [{"angular_momentum": [0], "exponents": ["1.0"]}]})";
  EXPECT_TRUE(has(errorOf(R"({"elements": {"10": )" + neon + R"(, "010": )" + neon + "}}", "json"),
                  "a second set of Ne"));
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
