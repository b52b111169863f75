#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>

#include "core/common/stopwatch.hpp"
#include "core/common/text.hpp"
#include "matter/structure/lattices.hpp"
#include "matter/structure/structure.hpp"
#include "matter/structure/xyz.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/materials/many_atoms.hpp"

namespace prophet {
namespace {

struct StructureRequest {
  std::string crystal, block;
  std::string shape;
  double shellThickness = 0;                      ///< angstrom; 0: no shell
  std::map<std::string, std::string> shellKinds;  ///< what kinds become there
  std::map<std::string, double> vacancies;        ///< fractions by kind; of all kinds under ""
  double stackingFaults = 0;                      ///< probability
  std::optional<Eigen::Vector3d> strains;
  std::optional<double> displacement;  ///< angstrom
  std::uint64_t seed = 1;
  std::string out;
};

/// 0.01, "0.01", "O=0.05,Co=0.1", {"O": 0.05}.
std::map<std::string, double> vacanciesOf(const Json& value) {
  Setting fraction;
  fraction.valueName = "a fraction, or ATOM=FRACTION,...";
  const bool byKind =
      value.is_object() || (value.is_string() && value.get<std::string>().find('=') != std::string::npos);
  fraction.type = byKind ? ValueType::ByKind : ValueType::Real;
  const Json typed = typedValue(fraction, value);
  if (!byKind) return {{"", typed.get<double>()}};
  std::map<std::string, double> table;
  for (const auto& [kind, number] : typed.items())
    if (!table.emplace(kindName(kind), number.get<double>()).second)
      throw Error("two numbers are given for " + kindName(kind));
  return table;
}

Eigen::Vector3d strainsOf(const Json& numbers) {
  if (numbers.size() != 1 && numbers.size() != 3)
    throw Error(fmt::format("takes one number, or three with commas, not {}", numbers.size()));
  Eigen::Vector3d strains;
  for (std::size_t d = 0; d < 3; ++d)
    strains(static_cast<Eigen::Index>(d)) = numbers[numbers.size() == 1 ? 0 : d].get<double>();
  return strains;
}

std::uint64_t seedOf(const Json& value) {
  const std::string text = value.is_string() ? trimmed(value.get<std::string>()) : value.dump();
  std::uint64_t seed = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (end.ec == std::errc() && end.ptr == text.data() + text.size()) return seed;
  if (value.is_number() && value.get<double>() >= 0 && value.get<double>() < 2e9 &&
      value.get<double>() == std::floor(value.get<double>()))
    return static_cast<std::uint64_t>(value.get<double>());
  throw Error("found " + value.dump() + "; expected a whole number from 0 on");
}

/// "5:Pt=Au,O=S".
void readShell(StructureRequest& r, const Json& value) {
  const std::string text = value.get<std::string>();
  const auto parts = split(text, ':');
  const auto thickness = parseDouble(trimmed(parts[0]));
  if (parts.size() != 2 || !thickness || !(*thickness > 0 && *thickness < 1e6))
    throw Error("found '" + text + "'; expected a thickness in angstrom and kinds of atoms, 5:Pt=Au");
  r.shellThickness = *thickness;
  for (const std::string& part : split(parts[1], ',')) {
    const auto sides = split(part, '=');
    if (sides.size() != 2) throw Error("found '" + part + "'; expected two kinds of atoms, Pt=Au");
    if (!r.shellKinds.emplace(kindName(trimmed(sides[0])), kindName(trimmed(sides[1]))).second)
      throw Error("two kinds are given for " + kindName(trimmed(sides[0])));
  }
}

RequestTable<StructureRequest> structureTable() {
  using R = StructureRequest;
  RequestTable<R> t;
  t.add("crystal", &R::crystal,
        "a CIF or extended XYZ file, the name of a crystal such as CoO, or a lattice such as "
        "rocksalt:Co,O:4.26")
      .called("CRYSTAL")
      .isFile(FileUse::ReadIfThere)
      .asWord()
      .mustBeGiven();
  t.add("block", &R::block, kBlockHelp).called("NAME");
  t.add("shape", &R::shape,
        "sphere:DIAMETER, ellipsoid:X:Y:Z, cube:EDGE, rod:DIAMETER:LENGTH (angstrom), "
        "wulff:DIAMETER:111=ENERGY,100=ENERGY (relative surface energies, cubic crystals) or cells:A,B,C, "
        "a periodic block")
      .called("SHAPE")
      .byDefault("the cell");
  t.add("shell", ValueType::Text,
        "within this depth below the surface atoms become others, 5:Pt=Au: a core and a shell", readShell)
      .called("THICKNESS:ATOM=ATOM,...")
      .onlyWith({"shape"});
  t.add("stacking_faults", &R::stackingFaults,
        "probability of a deformation fault in a plane (111) of a face-centred cubic particle")
      .from(0, 1)
      .onlyWith({"shape"});
  t.add("vacancies", ValueType::Any, "fraction of atoms to remove, of all or of one kind: 0.01, O=0.05",
        [](R& r, const Json& v) { r.vacancies = vacanciesOf(v); })
      .called("FRACTION");
  t.add("strain", ValueType::Numbers, "relative change of lengths: 0.01, or along x, y, z: 0.01,0,-0.01",
        [](R& r, const Json& v) { r.strains = strainsOf(v); })
      .called("NUMBER");
  t.add("displace", &R::displacement, "standard deviation of random displacements along each axis")
      .called("LENGTH")
      .in("angstrom")
      .from(0, 1e4);
  t.add("seed", ValueType::Any, "seed of the random numbers: the same seed gives the same atoms",
        [](R& r, const Json& v) { r.seed = seedOf(v); })
      .called("N")
      .byDefault("1")
      .onlyWith({"stacking_faults", "vacancies", "displace"});
  t.add("out", &R::out, "write extended XYZ to this file instead of standard output")
      .alias("o")
      .alias("output")
      .isFile(FileUse::Write);
  return t;
}

/// Reads the structure of a file, and warns of what is not kept of it.
Structure crystalOf(const std::string& path, const std::string& block) {
  Structure s = readStructure(path, block);
  if (!s.otherColumns.empty())
    s.warnings.push_back(
        fmt::format("of the file's lines of atoms names, positions and charges are kept, not {}",
                    fmt::join(s.otherColumns, ", ")));
  return s;
}

Structure structureOf(const StructureRequest& r) {
  const bool isFile = std::filesystem::exists(r.crystal);
  if (!isFile && !r.block.empty()) throw SettingError("block", "belongs to CIF files");
  Structure s =
      isFile ? crystalOf(r.crystal, r.block) : ofSetting("crystal", [&] { return namedLattice(r.crystal); });
  const double edge =
      r.stackingFaults > 0 ? ofSetting("stacking_faults", [&] { return faceCentredEdge(s); }) : 0;
  if (!r.shape.empty()) s = ofSetting("shape", [&] { return cutShape(s, parseShape(r.shape)); });
  if (r.shellThickness > 0)
    ofSetting("shell",
              [&] { replaceOutside(s, coreOf(parseShape(r.shape), r.shellThickness), r.shellKinds); });
  if (r.stackingFaults > 0)
    ofSetting("stacking_faults", [&] { addStackingFaults(s, edge, r.stackingFaults, r.seed + 2); });
  for (const auto& [kind, fraction] : r.vacancies)
    ofSetting("vacancies", [&, &one = kind, part = fraction] { removeAtoms(s, part, one, r.seed); });
  if (r.strains) ofSetting("strain", [&] { strain(s, *r.strains); });
  if (r.displacement) ofSetting("displace", [&] { displace(s, *r.displacement, r.seed + 1); });
  s.title = wordsOfComment(s.title);
  if (!r.shape.empty()) s.title += (s.title.empty() ? "" : ", ") + r.shape;
  return s;
}

Table atomsOf(const Structure& s) {
  Table table{"atoms", {}};
  std::vector<std::string> symbols;
  Eigen::MatrixX3d positions(static_cast<Eigen::Index>(s.size()), 3);
  for (std::size_t i = 0; i < s.size(); ++i) {
    symbols.push_back(s.kinds[static_cast<std::size_t>(s.kind[i])]);
    positions.row(static_cast<Eigen::Index>(i)) = s.positions[i];
  }
  table.columns = {{"symbols", "", std::move(symbols), "symbol of each atom"},
                   {"positions", "angstrom", std::move(positions), "places, three components each"}};
  if (!s.charges.empty() || s.size() == 0)
    table.columns.push_back({"charges", "e",
                             Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(
                                 s.charges.data(), static_cast<Eigen::Index>(s.charges.size()))),
                             "charges, where the file has them"});
  return table;
}

Record structure(const StructureRequest& request, const Execution& execution) {
  const Stopwatch watch;
  const auto s = std::make_shared<const Structure>(structureOf(request));
  Record record;
  record.title = "Atoms of " + request.crystal;
  record.warn("structure", s->warnings);
  record.quantities.push_back({"title", "title", s->title, s->title});
  record.quantities.push_back({"atom_count", "atoms", s->size(), fmt::format("{}", s->size())});
  Json lattice;
  if (s->lattice)
    for (int i = 0; i < 3; ++i)
      lattice.push_back({(*s->lattice)(i, 0), (*s->lattice)(i, 1), (*s->lattice)(i, 2)});
  record.quantities.push_back({"lattice_angstrom", "lattice", lattice, ""});
  record.tables.push_back(atomsOf(*s));
  record.document = [s] { return xyzText(*s); };
  if (!request.out.empty()) execution.write(request.out, record.document());
  record.seconds = watch.seconds();
  return record;
}

}  // namespace

Operation structureOperation() {
  Operation o;
  o.name = "structure";
  o.summary = "particles cut from crystals, with vacancies, strain and disorder";
  o.description =
      "Cuts a particle from a crystal, centred on its first atom, and writes it as extended XYZ. CRYSTAL: "
      "a "
      "CIF or extended XYZ file, a lattice such as rocksalt:Co,O:4.26 (sc, bcc, fcc, diamond, rocksalt, "
      "cscl, "
      "zincblende, fluorite), or one of ";
  for (const auto& name : latticeNames())
    o.description += name + (name == latticeNames().back() ? "." : "; ");
  o.example = "structure CoO --shape sphere:20 -o coo.xyz";
  o.tables = [] { return std::vector{atomsOf({})}; };
  return operationOf(std::move(o), structureTable(), structure);
}

}  // namespace prophet
