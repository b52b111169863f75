#pragma once
#include <string>
#include <string_view>

namespace prophet {

/// What atoms in space are told apart by: element, isotope and charge.
struct AtomKind {
  int z = 0;
  int massNumber = 0;  ///< of an isotope; 0: the natural mixture
  double charge = 0;   ///< e; means over a crystal need not be whole: Fe2.5+

  double electrons() const { return z - charge; }
};

/// Reads an element ("Fe", "FE", "26"), with its charge in the spellings of files of atoms ("Fe3+", "Fe+3",
/// "Fe(3+)", "Fe+++", "Fe2.5+", "Cl-", "Cu0+"; "H1+" has no electrons), with the mass number of an isotope
/// before it ("6Li", "58Ni2+"); D and T are isotopes of hydrogen. Throws Error, with what was expected.
AtomKind atomKind(std::string_view text);

/// The usual spelling: "Fe", "Fe3+", "Cl-", "D", "6Li+".
std::string nameOf(const AtomKind& kind);

/// The usual spelling of a kind's name in a file of atoms: "CO" and "co" are "Co", "O2-" stays, "Fe+3" is
/// "Fe3+", "2H" is "D". Throws Error for what is no atom.
std::string kindName(std::string_view text);

}  // namespace prophet
