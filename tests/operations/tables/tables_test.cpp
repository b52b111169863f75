#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "core/common/files.hpp"
#include "core/hdf5/hdf5_group.hpp"
#include "operations/catalogue/operation.hpp"
#include "operations/tables/species_tables.hpp"
#include "tests/core/common/folder.hpp"

namespace prophet {
namespace {

Record run(const Json& values) { return findOperation("tables")->run(values, {}); }

const Table& tableOf(const Record& r, const std::string& key) {
  for (const Table& t : r.tables)
    if (t.key == key) return t;
  throw Error("no table " + key);
}

/// Values of a column by the labels.
std::map<std::string, double> byLabel(const Table& t, const char* column) {
  std::map<std::string, double> map;
  for (Eigen::Index i = 0; i < t.rows(); ++i)
    map[t.find("label")->texts()[static_cast<std::size_t>(i)]] = t.find(column)->numbers()[i];
  return map;
}

std::vector<std::string> keysOf(const Table& t) {
  std::vector<std::string> keys;
  for (const Column& c : t.columns) keys.push_back(c.key);
  return keys;
}

/// The setting that a request is refused for, and why.
std::string refusal(const Json& values) {
  try {
    run(values);
  } catch (const RequestErrors& e) {
    return e.problems().front().setting + ": " + e.problems().front().message;
  }
  return "";
}

TEST(Tables, CsvHasTheColumnsOfTheFirstTable) {
  const Record compton = run({{"species", {"Ne"}}, {"what", "compton,binding"}, {"grid", "biggs"}});
  EXPECT_EQ(keysOf(compton.tables.front()),
            (std::vector<std::string>{"species", "label", "p", "J", "error"}));
  EXPECT_EQ(compton.tables.front().rows(), 4 * 31);
  EXPECT_EQ(recordCsv(compton).substr(0, 18), "species,label,p,J\n");
  const Record scattering = run({{"species", {"Ne"}}, {"what", "incoherent"}, {"q", "0:20:0.1"}});
  EXPECT_EQ(keysOf(scattering.tables.front()), (std::vector<std::string>{"species", "q", "S", "error"}));
  EXPECT_EQ(recordCsv(scattering).substr(0, 12), "species,q,S\n");
  EXPECT_EQ(scattering.tables.front().rows(), 201);
}

TEST(Tables, ShellsAreMeansOfTheirSubshells) {
  const Record r = run({{"species", {"Ne", "He"}},
                        {"what", "compton,kinetic,formfactor"},
                        {"by", "j,nl,atom"},
                        {"grid", "0,1"},
                        {"q", "0,3"}});
  const Table& shells = tableOf(r, "shells");
  const auto kinetic = byLabel(shells, "kinetic_energy"), binding = byLabel(shells, "binding_energy");
  EXPECT_NEAR(kinetic.at("2p"), (2 * kinetic.at("2p1/2") + 4 * kinetic.at("2p3/2")) / 6, 1e-12);
  EXPECT_NEAR(binding.at("2p1/2"), 0.852, 1e-3);
  EXPECT_TRUE(std::isnan(binding.at("atom")));
  const Table& factors = tableOf(r, "form_factors");
  for (Eigen::Index i = 0; i < factors.rows(); ++i) {
    if (factors.find("label")->texts()[static_cast<std::size_t>(i)] != "atom" ||
        factors.find("q")->numbers()[i] != 0)
      continue;
    const bool neon = factors.find("species")->texts()[static_cast<std::size_t>(i)] == "Ne";
    EXPECT_NEAR(factors.find("f")->numbers()[i], neon ? 10 : 2, 1e-10);
  }
}

// The numbers of the relativistic BEB model of xenon as they are published: B is the spinor's energy and U <c
// alpha.p>/2.
TEST(Tables, NumbersOfTheBinaryEncounterModelOfXenon) {
  struct Published {
    const char* label;
    double binding, kinetic;
  };
  const Published list[] = {{"2p1/2", 5161.43, 9135.67}, {"2p3/2", 4835.57, 8324.23},
                            {"3p1/2", 1024.78, 2642.38}, {"3p3/2", 961.25, 2453.45},
                            {"3d5/2", 694.9, 2261.96},   {"4s1/2", 229.39, 757.48},
                            {"4p3/2", 162.8, 643.34},    {"4d3/2", 73.78, 497.77},
                            {"5s1/2", 27.49, 122.59},    {"5p1/2", 13.4, 88.9}};
  const Record r = run({{"species", {"Xe"}}, {"what", "beb"}, {"impact", "100,1e5"}});
  const auto B = byLabel(tableOf(r, "beb"), "B"), U = byLabel(tableOf(r, "beb"), "U");
  for (const Published& p : list) {
    EXPECT_NEAR(B.at(p.label) / p.binding, 1, 5e-4) << p.label;
    EXPECT_NEAR(U.at(p.label) / p.kinetic, 1, 1e-4 + 0.01 / p.kinetic) << p.label;
  }
  EXPECT_NEAR(U.at("1s1/2") / 42281.58, 1, 1e-4);
  const Table& sections = tableOf(r, "cross_sections");
  EXPECT_GT(sections.find("beb")->numbers()[0], 1);
  EXPECT_GT(sections.find("rbeb")->numbers()[1], sections.find("beb")->numbers()[1]);
}

// A. J. Freeman, J. P. Desclaux, J. Magn. Magn. Mater. 12, 11 (1979): all printed digits.
TEST(Tables, MomentsOfRareEarths) {
  const Record r = run({{"species", {"Gd3+"}}, {"what", "moments"}, {"powers", "2,4,6"}, {"by", "nl"}});
  const Table& t = r.tables.front();
  std::map<int, double> values;
  for (Eigen::Index i = 0; i < t.rows(); ++i)
    if (t.find("label")->texts()[static_cast<std::size_t>(i)] == "4f")
      values[static_cast<int>(t.find("k")->numbers()[i])] = t.find("value")->numbers()[i];
  EXPECT_NEAR(values.at(2), 0.8671, 5.1e-5);
  EXPECT_NEAR(values.at(4), 1.820, 5.1e-4);
  EXPECT_NEAR(values.at(6), 7.831, 5.1e-4);
}

// International Tables for Crystallography C, 4.4.5: <j_0> and <j_2> of Dirac-Fock functions, to the errors
// of their fits.
TEST(Tables, MagneticFormFactorsOfNeodymium) {
  const Record r = run({{"species", {"Nd3+"}}, {"what", "magnetic"}, {"s", "0:1:0.1"}, {"fit", 3}});
  const double published[][7] = {{0.0540, 25.0293, 0.3101, 12.1020, 0.6575, 4.7223, -0.0216},
                                 {0.6751, 18.3421, 1.6272, 7.2600, 0.9644, 2.6016, 0.0150}};
  const Table &t = tableOf(r, "bessel"), &fits = tableOf(r, "fits");
  double squares[2] = {0, 0};
  for (Eigen::Index i = 0; i < t.rows(); ++i) {
    const double s = t.find("s")->numbers()[i], square = s * s;
    for (int k = 0; k < 2; ++k) {
      const double* p = published[k];
      const double sum = p[0] * std::exp(-p[1] * square) + p[2] * std::exp(-p[3] * square) +
                         p[4] * std::exp(-p[5] * square) + p[6];
      squares[k] += std::pow(t.find(k == 0 ? "j0" : "j2")->numbers()[i] - (k == 0 ? 1 : square) * sum, 2);
    }
  }
  for (const double sum : squares) EXPECT_LT(std::sqrt(sum / static_cast<double>(t.rows())), 1e-3);
  ASSERT_EQ(fits.rows(), 4);
  for (Eigen::Index i = 0; i < 4; ++i) {
    EXPECT_LT(fits.find("largest_error")->numbers()[i], 5e-3);
    EXPECT_LT(fits.find("rms")->numbers()[i], fits.find("largest_error")->numbers()[i]);
  }
  // The fit is that of the table beside it.
  const auto at = [&](const char* column) { return fits.find(column)->numbers()[0]; };
  const double s = t.find("s")->numbers()[5];
  const double fitted = at("A1") * std::exp(-at("b1") * s * s) + at("A2") * std::exp(-at("b2") * s * s) +
                        at("A3") * std::exp(-at("b3") * s * s) + at("D");
  EXPECT_NEAR(fitted, t.find("j0")->numbers()[5], at("largest_error") * 1.01);
}

TEST(Tables, BindingEnergiesByDifferences) {
  const Record koopmans = run({{"species", {"Ne"}}, {"what", "binding"}}),
               delta = run({{"species", {"Ne"}}, {"what", "binding"}, {"binding", "delta-scf"}});
  const auto from = byLabel(koopmans.tables.front(), "binding_energy"),
             to = byLabel(delta.tables.front(), "binding_energy");
  // The rest of the electrons relaxes: the hole costs less, 1s of neon by about 0.8 hartree.
  EXPECT_NEAR(from.at("1s1/2") - to.at("1s1/2"), 0.86, 0.1);
  EXPECT_NEAR(to.at("1s1/2") * 27.2114, 869.5, 2);
  EXPECT_EQ(delta.tables.front().find("binding_method")->texts().front(), "delta-scf");
}

TEST(Tables, FirstOrderCorrectionsOfBindingEnergies) {
  const Record plain = run({{"species", {"Ar"}}, {"what", "binding"}}),
               with = run({{"species", {"Ar"}}, {"what", "binding"}, {"breit", "breit"}, {"qed", true}}),
               field = run(
                   {{"species", {"Ar"}}, {"what", "binding"}, {"breit", "breit"}, {"self_consistent", true}});
  const auto coulomb = byLabel(plain.tables.front(), "binding_energy"),
             all = byLabel(with.tables.front(), "binding_energy"),
             breit = byLabel(with.tables.front(), "breit"), qed = byLabel(with.tables.front(), "qed"),
             relaxed = byLabel(field.tables.front(), "binding_energy");
  for (const auto& [label, energy] : coulomb) {
    EXPECT_NEAR(all.at(label), energy + breit.at(label) + qed.at(label), 1e-10) << label;
    if (label != "1s1/2") continue;
    EXPECT_LT(breit.at(label), 0);
    // In the field the other spinors answer to it, too.
    EXPECT_NEAR(relaxed.at(label) - energy, breit.at(label), 0.2 * std::abs(breit.at(label)));
  }
}

// In the field the other spinors answer: most of what first order in fixed spinors leaves out is linear in
// the interaction, and the shift of 3d of titanium has the other sign.
TEST(Tables, ErrorsOfFirstOrderAreWhatTheFieldAnswers) {
  const Json first{{"species", {"Ar", "Ti"}}, {"what", "binding,beb"}, {"breit", "breit"}, {"qed", true}};
  const Record fixed = run(first);
  const auto firstShells = [&](const Record& r, const char* column) {
    std::map<std::string, double> map;
    const Table& t = tableOf(r, "shells");
    for (Eigen::Index i = 0; i < t.rows(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      map[t.find("species")->texts()[at] + " " + t.find("label")->texts()[at]] = t.find(column)->numbers()[i];
    }
    return map;
  };
  Json limit{{"species", first["species"]}, {"what", "binding"}, {"limit", true}};
  const auto plain = firstShells(run(limit), "binding_energy");
  limit["self_consistent"] = true;
  for (const char* part : {"breit", "qed"}) {
    Json alone = limit;
    alone[part] = first[part];
    const auto answered = firstShells(run(alone), "binding_energy"), shifts = firstShells(fixed, part),
               errors = firstShells(fixed, (std::string(part) + "_error").c_str());
    for (const auto& [label, energy] : plain) {
      const double difference = std::abs(answered.at(label) - energy - shifts.at(label));
      EXPECT_LE(difference, errors.at(label) + 1e-9) << part << " " << label;
      EXPECT_LE(errors.at(label), 1.04 * difference + 4e-3 * std::abs(shifts.at(label)) + 1e-7)
          << part << " " << label;
    }
  }
  const auto breit = firstShells(fixed, "breit_error"), qed = firstShells(fixed, "qed_error"),
             whole = firstShells(fixed, "binding_error"), energies = firstShells(fixed, "binding_energy");
  for (const auto& [label, error] : whole)
    EXPECT_NEAR(error, 4.5e-4 * energies.at(label) + breit.at(label) + qed.at(label), 1e-12) << label;
  const Table& beb = tableOf(fixed, "beb");
  EXPECT_NEAR(beb.find("B_error")->numbers()[0], 27.2114 * whole.at("Ar 1s1/2"), 1e-4);
  // Without first order there is nothing to state, and the basis alone is left.
  const Record field =
      run({{"species", {"Ar"}}, {"what", "binding"}, {"breit", "breit"}, {"self_consistent", true}});
  EXPECT_TRUE(std::isnan(byLabel(field.tables.front(), "breit_error").at("1s1/2")));
}

// Total energies are stationary, and what first order leaves out of their differences is of second order.
TEST(Tables, ErrorsOfFirstOrderOfDifferences) {
  Json request{{"species", {"Ne"}}, {"what", "binding"}, {"binding", "delta-scf"}, {"qed", true}};
  request["breit"] = "breit";
  const Record first = run(request);
  request["self_consistent"] = true;
  const auto energies = byLabel(first.tables.front(), "binding_energy"),
             errors = byLabel(first.tables.front(), "binding_error"),
             answered = byLabel(run(request).tables.front(), "binding_energy");
  for (const auto& [label, energy] : energies) {
    EXPECT_NEAR(errors.at(label), 4.5e-4 * energy + std::abs(answered.at(label) - energy), 1e-9) << label;
    EXPECT_LT(std::abs(answered.at(label) - energy), 1e-5 * energy) << label;
  }
}

TEST(Tables, RequestsThatMeanNothing) {
  EXPECT_EQ(refusal({{"what", "compton"}}).find("species: is missing"), 0U);
  EXPECT_NE(refusal({{"species", {"Xe"}}, {"what", "radii"}}).find("what: found 'radii'; expected 'binding'"),
            std::string::npos);
  EXPECT_NE(refusal({{"species", {"Xe"}}, {"what", "compton"}, {"grid", "0,1e6"}})
                .find("grid: found a momentum of 1e+06"),
            std::string::npos);
  EXPECT_NE(refusal({{"species", {"Xe"}}, {"fit", 3}}).find("fit: "), std::string::npos);
  EXPECT_NE(refusal({{"species", {"Xe"}}, {"hamiltonian", "nonrel"}, {"qed", true}}).find("hamiltonian: "),
            std::string::npos);
  EXPECT_NE(refusal({{"batch", "Fe2+,Fe2+"}}).find("twice"), std::string::npos);
  // A setting is for some tables.
  const Json xe{{"species", {"Xe"}}, {"what", "compton"}};
  const auto with = [&](const Json& more) {
    Json all = xe;
    all.update(more);
    return refusal(all);
  };
  EXPECT_EQ(with({{"binding", "delta-scf"}}),
            "binding: is for binding, kinetic or beb; name binding, kinetic or beb "
            "in what=");
  EXPECT_NE(with({{"breit", "breit"}}).find("in what=, or self_consistent="), std::string::npos);
  EXPECT_NE(with({{"qed", true}}).find("qed: is for binding"), std::string::npos);
  EXPECT_EQ(with({{"what", "magnetic"}, {"by", "nl"}}).find("by: is for binding"), 0u);
  EXPECT_EQ(with({{"format", "openmc"}, {"to", "x"}, {"fit_range", 1}}).find("fit_range: is for magnetic"),
            0u);
  EXPECT_NE(with({{"format", "openmc"}, {"to", "x"}, {"by", "nl"}}).find("by: "), std::string::npos);
}

TEST(Tables, ASpeciesThatFailsDoesNotSpoilTheOthers) {
  const Record r =
      run({{"species", {"O2-", "He"}}, {"what", "moments"}, {"powers", "1"}, {"library", "universal"}});
  EXPECT_EQ(r.outcome, Outcome::NotConverged);
  EXPECT_NE(r.reason.find("1 of 2 species failed"), std::string::npos);
  ASSERT_FALSE(r.warnings.empty());
  EXPECT_NE(r.warnings.front().text.find("O2- has no tables: not converged"), std::string::npos);
  EXPECT_EQ(r.tables.front().find("species")->texts().front(), "He");
}

TEST(Tables, PiecesAreTheSameAfterwards) {
  SpeciesTables t;
  t.name = "Fe3+ 4s1";
  t.z = 26;
  t.status = Status::Unbound;
  t.reason = "because";
  t.slope = 1.5;
  t.warnings.push_back({"id", "text"});
  t.phases = {{"field", 0.25}};
  Table kind = tableKinds()[1];
  kind.columns.erase(kind.columns.begin());
  kind.columns[0].values = std::vector<std::string>{"1s", "2s"};
  for (std::size_t i = 1; i < kind.columns.size(); ++i)
    kind.columns[i].values = Eigen::VectorXd(Eigen::Vector2d(1.0 / 3, std::nan("")));
  t.tables.push_back(kind);
  const SpeciesTables back = unpacked(packed(t));
  EXPECT_EQ(back.name, t.name);
  EXPECT_EQ(back.status, t.status);
  EXPECT_EQ(back.warnings.front().text, "text");
  EXPECT_EQ(back.phases, t.phases);
  ASSERT_EQ(back.tables.size(), 1U);
  EXPECT_EQ(back.tables[0].columns[2].numbers()[0], 1.0 / 3);
  EXPECT_TRUE(std::isnan(back.tables[0].columns[2].numbers()[1]));
  EXPECT_EQ(back.tables[0].columns[0].texts()[1], "2s");
}

TEST(Tables, ABatchGoesOnWhereItEnded) {
  const test::Folder folder;
  const Json request{{"batch", "1-3"},
                     {"batch_charges", "0-2"},
                     {"what", "compton,binding"},
                     {"grid", "0,1"},
                     {"hdf5", folder / "t.h5"}};
  const Record whole = run(request);
  EXPECT_EQ(whole.find("total")->value, 6);  // H, He, He+, Li, Li+, Li2+
  const std::string bytes = readFile(folder / "t.h5");
  EXPECT_FALSE(std::filesystem::exists(folder / "t.h5.parts"));
  // The same in two runs, of which the first is interrupted.
  std::filesystem::remove(folder / "t.h5");
  Execution execution;
  int passes = 0;
  execution.threads = 1;
  execution.progress = [&](const Progress& p) {
    if (p.done == 2) ++passes;
    if (passes > 0) throw Error("interrupted");
  };
  EXPECT_THROW(findOperation("tables")->run(request, execution), Error);
  EXPECT_TRUE(std::filesystem::exists(folder / "t.h5.parts"));
  Json again = request;
  again["resume"] = true;
  const Record rest = run(again);
  EXPECT_GE(rest.find("skipped")->value.get<int>(), 1);
  EXPECT_EQ(recordCsv(rest), recordCsv(whole));
  EXPECT_EQ(readFile(folder / "t.h5"), bytes);
}

TEST(Tables, SpeciesOfAnEarlierRunAreNotComputed) {
  const test::Folder folder;
  const std::string file = folder / "all.h5";
  const Json request{
      {"species", {"He", "Ne"}}, {"what", "compton,binding,incoherent"}, {"grid", "0,1"}, {"q", "0,1"}};
  Json first = request;
  first["hdf5"] = file;
  const Record computed = run(first);
  Json again = request;
  again["data"] = file;
  const Record read = run(again);
  EXPECT_EQ(read.find("skipped")->value, 2);
  EXPECT_EQ(recordCsv(read), recordCsv(computed));
  EXPECT_EQ(tableOf(read, "incoherent").find("S")->numbers(),
            tableOf(computed, "incoherent").find("S")->numbers());
  again["species"] = {"Ne", "Ar"};
  again["what"] = "binding";
  EXPECT_EQ(run(again).find("skipped")->value, 1);
  again["grid"] = "0,2";
  EXPECT_NE(refusal(again).find("another grid"), std::string::npos);
  // What the request does not say the file does; what the file lacks is computed so.
  const Record adopted = run({{"species", {"10", "Be"}}, {"what", "compton"}, {"data", file}, {"by", "j"}});
  EXPECT_EQ(adopted.find("skipped")->value, 1);
  EXPECT_EQ(adopted.tables.front().rows(), 2 * (4 + 2));
  EXPECT_EQ(adopted.request["grid"], "0,1");
}

TEST(Tables, CompactFilesHaveTenDigits) {
  const test::Folder folder;
  Json request{{"species", {"Ne", "Fe3+"}}, {"what", "binding,compton,moments,magnetic"},
               {"powers", "-1,2"},          {"by", "j,nl,atom"},
               {"grid", "0:10:0.05"},       {"compact", true},
               {"hdf5", folder / "c.h5"}};
  const Record whole = run(request);
  Json plain = request;
  plain.erase("compact");
  plain["hdf5"] = folder / "p.h5";
  run(plain);
  EXPECT_LT(std::filesystem::file_size(folder / "c.h5"), 0.6 * std::filesystem::file_size(folder / "p.h5"));
  const Record read = run({{"species", {"Ne", "Fe3+"}},
                           {"what", "binding,compton,moments,magnetic"},
                           {"by", "atom,nl,j"},
                           {"powers", "2"},
                           {"data", folder / "c.h5"}});
  EXPECT_EQ(read.find("skipped")->value, 2);
  for (const char* key : {"shells", "compton", "bessel"}) {
    const Table &a = tableOf(read, key), &b = tableOf(whole, key);
    ASSERT_EQ(a.rows(), b.rows()) << key;
    for (const Column& c : a.columns) {
      if (c.isText()) continue;
      const bool isError = c.key.ends_with("error");
      for (Eigen::Index i = 0; i < a.rows(); ++i) {
        const double x = c.numbers()[i], y = b.find(c.key)->numbers()[i];
        if (std::isnan(y)) continue;
        EXPECT_NEAR(x, y, (isError ? 0.02 : 1e-10) * std::abs(y)) << key << " " << c.key << " " << i;
        if (isError) {
          EXPECT_GE(x, y) << key << " " << c.key;
        }
      }
    }
  }
  EXPECT_EQ(tableOf(read, "moments").rows() * 2, tableOf(whole, "moments").rows());
}

// Stated errors against those of a finer limit, whose own are far smaller.
TEST(Tables, ErrorsOfTheLimitAndOfBasesAreLargerThanTheDifferences) {
  const Json what{{"species", {"Be", "Ar", "F-", "Fe3+"}},
                  {"what", "binding,kinetic,moments,compton,magnetic,incoherent,formfactor"},
                  {"by", "j,atom"},
                  {"powers", "-1,1,2,4"},
                  {"q", "0:20:1"},
                  {"shells", "2p 3d"}};
  Json ofLimit = what, ofBasis = what;
  ofLimit["limit"] = true;
  ofBasis["basis"] = "prophet-1";
  const Record limit = run(ofLimit), basis = run(ofBasis);
  const auto within = [&](const char* key, const char* value, const char* error) {
    const Table &a = tableOf(basis, key), &b = tableOf(limit, key);
    ASSERT_EQ(a.rows(), b.rows());
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
      const double x = a.find(value)->numbers()[i], y = b.find(value)->numbers()[i];
      if (std::isnan(y)) continue;
      const double stated = a.find(error)->numbers()[i] + b.find(error)->numbers()[i];
      EXPECT_LE(std::abs(x - y), stated) << key << " " << value << " row " << i;
      EXPECT_LE(b.find(error)->numbers()[i], 1.1e-7 * std::abs(y) + 1e-7)
          << key << " " << value << " row " << i;
    }
  };
  within("shells", "binding_energy", "binding_error");
  within("shells", "momentum_square", "momentum_square_error");
  within("moments", "value", "error");
  within("compton", "J", "error");
  within("incoherent", "S", "error");
  within("form_factors", "f", "error");
  for (const char* k : {"j0", "j2", "j4", "j6"}) within("bessel", k, "error");
  // Of sets that were not measured nothing is said.
  const Record other = run({{"species", {"Ne"}}, {"what", "compton"}, {"grid", "0"}, {"basis", "universal"}});
  EXPECT_TRUE(std::isnan(other.tables.front().find("error")->numbers()[0]));
}

TEST(Tables, FilesOfOtherPrograms) {
  const test::Folder folder;
  const auto make = [&](const char* format, const std::vector<std::string>& species, const char* name) {
    run({{"species", species}, {"format", format}, {"to", folder / name}, {"library", "universal"}});
    return folder / name;
  };
  const std::string dabax = readFile(make("dabax", {"He", "Ne"}, "c.dat"));
  EXPECT_NE(dabax.find("#S 10 Ne\n#UNAME 1s1/2 2s1/2 2p1/2 2p3/2\n#UOCCUP 2 2 2 4\n"), std::string::npos)
      << dabax;
  {
    const auto locked = hdf5::lock();
    const hdf5::File file(readFile(make("openmc", {"He", "Ne"}, "c.h5")));
    const hdf5::Group neon = file.root().open("010");
    const std::vector<double> electrons = neon.numbers("num_electrons"), J = neon.numbers("J");
    EXPECT_EQ(file.root().numbers("pz").size(), 31U);
    EXPECT_EQ(electrons, (std::vector<double>{2, 2, 2, 4}));
    ASSERT_EQ(J.size(), 4U * 31);
    EXPECT_NEAR(neon.numbers("binding_energy")[0], 893e-6, 2e-6);
    double total = 0;
    for (std::size_t i = 0; i < 4; ++i) total += electrons[i] * J[31 * i];
    EXPECT_NEAR(total, 2.727, 0.01);  // Biggs, Mendelsohn and Mann
  }
  const std::string geant = make("geant4", {"He", "Ne"}, "g4");
  EXPECT_EQ(readFile(geant + "/shell-doppler.dat").find("2 "), 0U);
  EXPECT_NE(readFile(geant + "/shell-doppler.dat").find("-1 -1\n"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(geant + "/profile-10.dat"));
  const std::string tuples = readFile(make("periodictable", {"Ti3+"}, "m.py"));
  EXPECT_NE(tuples.find("(\"TI3\", "), std::string::npos);
  const std::string sunny = make("sunny", {"Ti3+"}, "sunny");
  EXPECT_EQ(readFile(sunny + "/J0").find("Ti3 "), 0U);
  const std::string mcphase = readFile(make("mcphase", {"Ti3+"}, "ti.sipf"));
  for (const char* part : {"FFj0A=", "FFj6D=", "R2=", "R6="})
    EXPECT_NE(mcphase.find(part), std::string::npos) << part;
  EXPECT_NE(readFile(make("xraylib", {"He"}, "SF.dat")).find("1e+09 2\n"), std::string::npos);
  EXPECT_NE(readFile(make("beb", {"He"}, "beb.csv")).find("Z,charge,label,B,U,N\n2,0,1s1/2,24.9"),
            std::string::npos);
}

}  // namespace
}  // namespace prophet
