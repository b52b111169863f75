#include "matter/scattering/fit_text.hpp"

#include <fmt/format.h>

#include "core/common/csv.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

std::string number(double x) { return fmt::format("{:.9g}", x); }

const char* unitOf(const FitTable& table) { return table.electron ? "angstrom" : "electrons"; }

std::string whatOf(const FitTable& table) {
  return table.electron ? "electron scattering factors (Mott-Bethe, angstrom)"
                        : "X-ray form factors (electrons)";
}

std::string headOf(const FitTable& table, const std::string& comment) {
  return fmt::format(
      "{0}{1} of free atoms and ions, Dirac-Hartree-Fock; {2}\n"
      "{0}fit: {3}\n"
      "{0}sum a_i exp(-b_i s^2){4}, s = sin(theta)/lambda from 0 to {5:g} 1/angstrom, b in angstrom^2\n",
      comment, whatOf(table), table.program, table.form->description, table.form->constant ? " + c" : "",
      table.form->largestS);
}

std::string errorsOf(const FitTable& table, const GaussianFit& fit) {
  return fmt::format("largest error {:.2e} at s = {:.2f}, rms {:.2e} {}", fit.largestError,
                     fit.largestErrorAt, fit.rmsError, unitOf(table));
}

/// What a reader must know of a species beside its parameters, a comment each.
std::string notesOf(const SpeciesFactors& s, const std::string& comment) {
  if (!s.fit) return fmt::format("{}{}: no fit: {}\n", comment, s.species.name, s.reason);
  if (s.status == Status::Converged) return "";
  return fmt::format("{}{}: NOT BOUND: {}\n", comment, s.species.name, s.reason);
}

std::string asText(const FitTable& table) {
  std::string text = headOf(table, "# ");
  for (const SpeciesFactors& s : table.species) {
    text += notesOf(s, "# ");
    if (!s.fit) continue;
    text += fmt::format("\n{} ({}): {}\n", s.species.name, s.configuration, errorsOf(table, *s.fit));
    for (std::size_t i = 0; i < s.fit->a.size(); ++i)
      text += fmt::format("  a{0} {1:>16} b{0} {2:>16}\n", i + 1, number(s.fit->a[i]), number(s.fit->b[i]));
    if (table.form->constant) text += fmt::format("  c  {:>16}\n", number(s.fit->c));
  }
  return text;
}

std::string asCsv(const FitTable& table) {
  std::string text = headOf(table, "# "), names = "species,Z,charge,configuration";
  for (int i = 1; i <= table.form->gaussians; ++i) names += fmt::format(",a{0},b{0}", i);
  names += ",c,largest_error,largest_error_at,rms_error\n";
  std::string rows;
  for (const SpeciesFactors& s : table.species) {
    text += notesOf(s, "# ");
    if (!s.fit) continue;
    rows += fmt::format("{},{},{},{}", csvField(s.species.name), s.species.z, s.species.charge,
                        csvField(s.configuration));
    for (std::size_t i = 0; i < s.fit->a.size(); ++i)
      rows += "," + number(s.fit->a[i]) + "," + number(s.fit->b[i]);
    rows += fmt::format(",{},{:.3e},{:g},{:.3e}\n", number(s.fit->c), s.fit->largestError,
                        s.fit->largestErrorAt, s.fit->rmsError);
  }
  return text + names + rows;
}

std::string asCif(const FitTable& table) {
  std::string text = headOf(table, "# "), rows;
  for (const SpeciesFactors& s : table.species) {
    text += notesOf(s, "# ");
    if (!s.fit) continue;
    text += fmt::format("# {} ({}): {}\n", s.species.name, s.configuration, errorsOf(table, *s.fit));
    rows += fmt::format("'{}'", s.species.name);
    for (std::size_t i = 0; i < s.fit->a.size(); ++i)
      rows += " " + number(s.fit->a[i]) + " " + number(s.fit->b[i]);
    rows += fmt::format(" {} '{}'\n", number(s.fit->c), table.program);
  }
  text += "data_scattering_factors\nloop_\n_atom_type_symbol\n";
  for (int i = 1; i <= table.form->gaussians; ++i)
    text += fmt::format("_atom_type_scat_Cromer_Mann_a{0}\n_atom_type_scat_Cromer_Mann_b{0}\n", i);
  return text + "_atom_type_scat_Cromer_Mann_c\n_atom_type_scat_source\n" + rows;
}

std::string asDabax(const FitTable& table) {
  std::string text =
      fmt::format("#F f0_{}.dat\n", table.form->name) + headOf(table, "#UC ") + "#UC a1 ... c b1 ...\n";
  for (const SpeciesFactors& s : table.species) text += notesOf(s, "#UC ");
  for (const SpeciesFactors& s : table.species) {
    if (!s.fit) continue;
    const int gaussians = table.form->gaussians;
    std::string labels, values;
    for (int i = 0; i < gaussians; ++i) {
      labels += fmt::format("  a{}", i + 1);
      values += " " + number(s.fit->a[i]);
    }
    labels += "  c";
    values += " " + number(s.fit->c);
    for (int i = 0; i < gaussians; ++i) {
      labels += fmt::format("  b{}", i + 1);
      values += " " + number(s.fit->b[i]);
    }
    text += fmt::format("\n#S  {}  {}\n#UC {}\n#N {}\n#L{}\n{}\n", s.species.z, s.species.name,
                        errorsOf(table, *s.fit), 2 * gaussians + 1, labels, values);
  }
  return text;
}

}  // namespace

bool fitsCif(const FitForm& form) { return form.gaussians == 4; }

std::string fitsText(const FitTable& table, FitFormat format) {
  if (!table.form) throw Error("the table has no fits");
  if (format == FitFormat::Cif && !fitsCif(*table.form))
    throw Error(
        fmt::format("CIF has names for four Gaussians and a constant only, not for {}; fit with "
                    "cromer-mann or doyle-turner",
                    table.form->name));
  switch (format) {
    case FitFormat::Text:
      return asText(table);
    case FitFormat::Csv:
      return asCsv(table);
    case FitFormat::Cif:
      return asCif(table);
    case FitFormat::Dabax:
      break;
  }
  return asDabax(table);
}

}  // namespace prophet
