#pragma once
#include <string>

#include "matter/scattering/factor_table.hpp"

namespace prophet {

/// How fitted parameters are written.
enum class FitFormat {
  Text,   ///< a readable block for each species
  Csv,    ///< a line for each species: name, Z, charge, a1, b1, ..., c, errors
  Cif,    ///< a loop of _atom_type_scat_Cromer_Mann_*, which crystallographic programs read
  Dabax,  ///< as f0_WaasKirf.dat of the DABAX collection: "#S Z symbol" and a line a1 ... c b1 ...
};

/// The format of that name (text, csv, cif, dabax). Throws Error, which lists all.
FitFormat fitFormatNamed(const std::string& name);

/// The fits of a table, which must have a form; species without a fit are named in comments. Throws Error
/// for CIF and five Gaussians: CIF has names for four and a constant.
std::string fitsText(const FactorTable& table, FitFormat format);

/// Whether CIF can hold it.
bool fitsCif(const FitForm& form);

}  // namespace prophet
