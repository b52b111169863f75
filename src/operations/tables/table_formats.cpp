#include "operations/tables/table_formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "atoms/atom/elements.hpp"
#include "atoms/subshells/compton_profile.hpp"
#include "core/common/constants.hpp"
#include "core/common/csv.hpp"
#include "core/common/text.hpp"
#include "core/common/version.hpp"
#include "core/hdf5/hdf5_group.hpp"

namespace prophet {
namespace {

using Files = TableFormat::Files;
using AllSpecies = std::vector<const SpeciesTables*>;

constexpr double kMega = 1e-6;

const Table& partOf(const SpeciesTables& s, const std::string& key) {
  for (const Table& t : s.tables)
    if (t.key == key) return t;
  throw Error(s.name + " has no table " + key);
}
double numberAt(const Table& t, const char* column, Eigen::Index row) {
  return t.find(column)->numbers()[row];
}
const std::string& textAt(const Table& t, const char* column, Eigen::Index row) {
  return t.find(column)->texts()[static_cast<std::size_t>(row)];
}

/// A subshell of a Compton profile. Occupation, energy and profile stand in one order: that of n, l, j.
struct ProfileShell {
  std::string label;
  double electrons = 0, binding = 0;  ///< eV
  Eigen::VectorXd profile;
};

std::vector<ProfileShell> profileShells(const SpeciesTables& s) {
  const Table &shells = partOf(s, "shells"), &profiles = partOf(s, "compton");
  const Eigen::Index points = biggsMomenta().size();
  std::vector<ProfileShell> list;
  for (Eigen::Index i = 0; i < shells.rows(); ++i) {
    ProfileShell shell{textAt(shells, "label", i),
                       numberAt(shells, "occupation", i),
                       numberAt(shells, "binding_energy_eV", i),
                       {}};
    if (textAt(profiles, "label", i * points) != shell.label)
      throw Error("the profiles of " + s.name + " are in another order than its subshells");
    shell.profile = profiles.find("J")->numbers().segment(i * points, points);
    list.push_back(std::move(shell));
  }
  return list;
}

Eigen::VectorXd totalOf(const std::vector<ProfileShell>& shells) {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(biggsMomenta().size());
  for (const ProfileShell& s : shells) sum += s.electrons * s.profile;
  return sum;
}

void prepareProfiles(TablesRequest& r) {
  r.what = {TableTopic::Compton, TableTopic::Binding};
  r.by = {ShellLevel::J};
  r.p = biggsMomenta();
}
void prepareFits(TablesRequest& r) {
  r.what = {TableTopic::Magnetic};
  if (r.fit == 0) r.fit = 3;
}

/// Neutral atoms only: the files number them by Z.
void requireNeutral(const AllSpecies& all, const char* format) {
  for (const SpeciesTables* s : all)
    if (s->charge != 0)
      throw Error(fmt::format("files of the format {} are of neutral atoms; found {}", format, s->name));
}

std::string programLine() {
  return fmt::format("cudaprophet {}, Dirac-Hartree-Fock averages of configurations", kVersion);
}

/// #S Z symbol, occupations and energies, then rows of p, the sum over the electrons and J of each subshell.
Files dabaxFiles(const AllSpecies& all) {
  std::string text = fmt::format(
      "#F ComptonProfiles.dat\n#UT Compton profiles of subshells\n#UC {}\n"
      "#UC J of one electron of each subshell, of the sum over all electrons where it says total; p and J in "
      "atomic "
      "units\n#UC subshells in the order of n, l, j\n",
      programLine());
  const Eigen::VectorXd p = biggsMomenta();
  for (const SpeciesTables* s : all) {
    const std::vector<ProfileShell> shells = profileShells(*s);
    const Eigen::VectorXd total = totalOf(shells);
    std::string occupations, energies, labels, names;
    for (std::size_t i = 0; i < shells.size(); ++i) {
      occupations += fmt::format(" {:.6g}", shells[i].electrons);
      energies += fmt::format(" {:.2f}", shells[i].binding);
      labels += fmt::format("  Shell_{}", i + 1);
      names += " " + shells[i].label;
    }
    text += fmt::format("\n#S {} {}\n#UNAME{}\n#UOCCUP{}\n#UBIND{}\n#N {}\n#L pz  total{}\n", s->z, s->name,
                        names, occupations, energies, shells.size() + 2, labels);
    for (Eigen::Index i = 0; i < p.size(); ++i) {
      text += fmt::format("{:g} {:.6E}", p[i], total[i]);
      for (const ProfileShell& shell : shells) text += fmt::format(" {:.6E}", shell.profile[i]);
      text += "\n";
    }
  }
  return {{"", text}};
}

/// As neutron transport reads it: pz, and of each element a group 001 ... of num_electrons, binding_energy
/// (MeV) and J (subshell, pz), per electron.
Files openmcFiles(const AllSpecies& all) {
  requireNeutral(all, "openmc");
  const auto locked = hdf5::lock();
  hdf5::File file;
  hdf5::Group root = file.root();
  root.set("program", programLine());
  const Eigen::VectorXd p = biggsMomenta();
  root.write("pz", std::vector<double>(p.begin(), p.end()), "1/bohr");
  for (const SpeciesTables* s : all) {
    const std::vector<ProfileShell> shells = profileShells(*s);
    std::vector<double> electrons, energies, profiles;
    std::string names;
    for (const ProfileShell& shell : shells) {
      electrons.push_back(shell.electrons);
      energies.push_back(shell.binding * kMega);
      profiles.insert(profiles.end(), shell.profile.begin(), shell.profile.end());
      names += (names.empty() ? "" : " ") + shell.label;
    }
    hdf5::Group group = root.create(fmt::format("{:03d}", s->z));
    group.set("subshells", names);
    group.write("num_electrons", electrons);
    group.write("binding_energy", energies, "MeV");
    group.write("J", profiles, "bohr", shells.size());
  }
  return {{"", file.image()}};
}

/// p-biggs.dat, profile-Z.dat (the profiles of the subshells one after the other) and shell-doppler.dat
/// (electrons and energies in MeV; -1 ends an element, -2 the file).
Files geant4Files(const AllSpecies& all) {
  requireNeutral(all, "geant4");
  std::string momenta, shellsText;
  for (const double p : biggsMomenta()) momenta += fmt::format("{:g}\n", p);
  Files files{{"p-biggs.dat", momenta}};
  std::vector<const SpeciesTables*> ordered(all.begin(), all.end());
  std::ranges::sort(ordered, {}, [](const SpeciesTables* s) { return s->z; });
  for (const SpeciesTables* s : ordered) {
    std::string profiles;
    for (const ProfileShell& shell : profileShells(*s)) {
      for (const double j : shell.profile) profiles += fmt::format("{:.6E}\n", j);
      shellsText += fmt::format("{:.6g} {:.6E}\n", shell.electrons, shell.binding * kMega);
    }
    shellsText += "-1 -1\n";
    files.emplace_back(fmt::format("profile-{}.dat", s->z), profiles);
  }
  files.emplace_back("shell-doppler.dat", shellsText + "-2 -2\n");
  return files;
}

/// "GD3" of Gd3+, as tables of magnetic form factors call it.
std::string magneticName(const SpeciesTables& s, bool capitals) {
  const std::string symbol = symbolOf(s.z);
  std::string name = fmt::format("{}{}", symbol, s.charge);
  if (capitals)
    for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

/// The fit of <j_k> of the shell that magnetism is about: of the largest l, then n.
struct MagneticFit {
  std::string shell;
  std::map<int, std::vector<double>> numbers;  ///< by k: A, a, B, b, ..., D
  double largestError = 0, largestS = 0;
};
MagneticFit magneticFit(const SpeciesTables& s) {
  const Table& t = partOf(s, "fits");
  MagneticFit found;
  const auto rank = [](const std::string& label) { return std::pair(lOfLetter(label.back()), label); };
  for (Eigen::Index i = 0; i < t.rows(); ++i) {
    const std::string& label = textAt(t, "label", i);
    if (!found.shell.empty() && label != found.shell) {
      if (rank(label) < rank(found.shell)) continue;
      found = {};
    }
    found.shell = label;
    std::vector<double>& list = found.numbers[static_cast<int>(numberAt(t, "k", i))];
    for (int n = 1; t.find(fmt::format("A{}", n)); ++n) {
      const double a = numberAt(t, fmt::format("A{}", n).c_str(), i);
      if (std::isnan(a)) break;
      list.push_back(a);
      list.push_back(numberAt(t, fmt::format("b{}", n).c_str(), i));
    }
    list.push_back(numberAt(t, "D", i));
    found.largestS = numberAt(t, "s_max", i);
    found.largestError = std::max(found.largestError, numberAt(t, "largest_error", i));
  }
  if (found.shell.empty()) throw Error(s.name + " has no open shell whose form factor could be written");
  return found;
}

std::string fitNote(const SpeciesTables& s, const MagneticFit& fit) {
  return fmt::format("{} {} {}, largest error {:.1e} up to sin(theta)/lambda = {:g} per angstrom", s.name,
                     fit.shell, s.configuration, fit.largestError, fit.largestS);
}

/// {"j0": [("GD3", A, a, B, b, C, c, D), ...], "j2": ...}, which Python reads.
Files periodictableFiles(const AllSpecies& all) {
  std::string text = fmt::format(
      "# {}\n# name, A, a, B, b, ..., D: <j0> = A exp(-a s^2) + ... + D, others s^2 times that; s = "
      "sin(theta)/lambda, 1/angstrom\n",
      programLine());
  std::map<int, std::string> rows;
  for (const SpeciesTables* s : all) {
    const MagneticFit fit = magneticFit(*s);
    text += "# " + fitNote(*s, fit) + "\n";
    for (const auto& [k, numbers] : fit.numbers)
      rows[k] += fmt::format("    (\"{}\", {:.6g}),\n", magneticName(*s, true), fmt::join(numbers, ", "));
  }
  text += "MAGNETIC_FORM_FACTORS = {\n";
  for (const auto& [k, list] : rows) text += fmt::format("  \"j{}\": [\n{}  ],\n", k, list);
  return {{"", text + "}\n"}};
}

/// Two files, J0 and J2, with a name and seven numbers (of five Gaussians eleven) on each line.
Files sunnyFiles(const AllSpecies& all) {
  std::map<int, std::string> rows;
  for (const SpeciesTables* s : all) {
    const MagneticFit fit = magneticFit(*s);
    for (const int k : {0, 2})
      rows[k] += fmt::format("{} {:.6g}\n", magneticName(*s, false), fmt::join(fit.numbers.at(k), " "));
  }
  return {{"J0", rows[0]}, {"J2", rows[2]}};
}

/// FFj0A= FFj0a= ... FFj6D= and R2= R4= R6= (bohr^k) of each ion.
Files mcphaseFiles(const AllSpecies& all) {
  std::string text = fmt::format("#! {}\n", programLine());
  for (const SpeciesTables* s : all) {
    const MagneticFit fit = magneticFit(*s);
    text += fmt::format("\n# {}\nIONTYPE={}{}+\n", fitNote(*s, fit), symbolOf(s->z), s->charge);
    for (const auto& [k, numbers] : fit.numbers) {
      std::string line;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const bool last = i + 1 == numbers.size();
        const char letter = static_cast<char>((last         ? 'D'
                                               : i % 2 == 0 ? 'A'
                                                            : 'a') +
                                              (last ? 0 : static_cast<int>(i / 2)));
        line += fmt::format("{}FFj{}{}={:.6g}", i > 0 ? " " : "", k, letter, numbers[i]);
      }
      text += line + "\n";
    }
    const Table& moments = partOf(*s, "moments");
    for (Eigen::Index i = 0; i < moments.rows(); ++i)
      if (textAt(moments, "label", i) == fit.shell)
        text += fmt::format("R{}={:.6g}\n", numberAt(moments, "k", i), numberAt(moments, "value", i));
  }
  return {{"", text}};
}

/// Values of s = sin(theta)/lambda of Hubbell's tables, 1/angstrom.
Eigen::VectorXd hubbellNodes() {
  Eigen::VectorXd s(41);
  s << 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25,
      1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100, 1000;
  return s;
}

/// Writes for each element the number of nodes, then s and S; from s = 1000 on S is the electrons' number.
Files xraylibFiles(const AllSpecies& all) {
  std::string text;
  std::vector<const SpeciesTables*> ordered(all.begin(), all.end());
  std::ranges::sort(ordered, {}, [](const SpeciesTables* s) { return s->z; });
  for (const SpeciesTables* s : ordered) {
    const Table& t = partOf(*s, "incoherent");
    text += fmt::format("{}\n{} {:.8g}\n", t.rows() + 2, 0.001,
                        0.001 * 0.001 * s->slope * std::pow(4 * constants::kPi, 2));
    for (Eigen::Index i = 0; i < t.rows(); ++i)
      text += fmt::format("{:.6g} {:.8g}\n", numberAt(t, "q", i) / (4 * constants::kPi), numberAt(t, "S", i));
    text += fmt::format("{:g} {:.8g}\n", 1e9, s->electrons);
  }
  return {{"", text}};
}

/// Z,charge,label,B,U,N: eV.
Files bebFiles(const AllSpecies& all) {
  std::string text = fmt::format("# {}; B and U in eV\nZ,charge,label,B,U,N\n", programLine());
  for (const SpeciesTables* s : all) {
    const Table& t = partOf(*s, "beb");
    for (Eigen::Index i = 0; i < t.rows(); ++i)
      text += fmt::format("{},{},{},{:.6f},{:.6f},{:.6g}\n", s->z, s->charge, textAt(t, "label", i),
                          numberAt(t, "B", i), numberAt(t, "U", i), numberAt(t, "N", i));
  }
  return {{"", text}};
}

}  // namespace

const std::vector<TableFormat>& tableFormats() {
  static const std::vector<TableFormat> kFormats{
      {"dabax", "Compton profiles of subshells as text, ComptonProfiles.dat of DABAX", false, prepareProfiles,
       dabaxFiles},
      {"openmc", "Compton profiles of elements as HDF5, as OpenMC reads them", false, prepareProfiles,
       openmcFiles},
      {"geant4", "a folder with p-biggs.dat, profile-Z.dat and shell-doppler.dat of Geant4", true,
       prepareProfiles, geant4Files},
      {"periodictable", "fits to magnetic form factors as tuples of Python", false, prepareFits,
       periodictableFiles},
      {"sunny", "a folder with the files J0 and J2 of Sunny and SpinW", true, prepareFits, sunnyFiles},
      {"mcphase", "fits to magnetic form factors and <r^k> of single ions for McPhase", false,
       [](TablesRequest& r) {
         prepareFits(r);
         r.what.push_back(TableTopic::Moments);
         r.by = {ShellLevel::Nl};
         r.powers = {2, 4, 6};
       },
       mcphaseFiles},
      {"xraylib", "incoherent scattering functions, SF.dat of xraylib", false,
       [](TablesRequest& r) {
         r.what = {TableTopic::Incoherent};
         r.q = 4 * constants::kPi * hubbellNodes();
       },
       xraylibFiles},
      {"beb", "rows Z,charge,label,B,U,N for ionisation by electrons", false,
       [](TablesRequest& r) { r.what = {TableTopic::Beb}; }, bebFiles}};
  return kFormats;
}

const TableFormat& tableFormatNamed(const std::string& name) {
  std::string list;
  for (const TableFormat& f : tableFormats()) {
    if (f.name == lowerCase(name)) return f;
    list += (list.empty() ? "" : ", ") + f.name;
  }
  throw Error(fmt::format("unknown format '{}'; available: {}", name, list));
}

}  // namespace prophet
