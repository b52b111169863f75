#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "matter/madelung/charged_cell.hpp"
#include "matter/structure/structure.hpp"

namespace prophet {

/// Where the charges of a structure come from.
struct ChargeSource {
  enum class Kind {
    Automatic,  ///< the column, if there is one, else oxidation states
    Given,      ///< by name
    Column,     ///< `charge` of extended XYZ
    Oxidation   ///< the names of the ions: Na+, O2-
  };
  Kind kind = Kind::Automatic;
  std::map<std::string, double> given;  ///< by the kind's name or its element, e
};

/// "Na=1,Cl=-1", "column", "oxidation". Throws Error.
ChargeSource parseChargeSource(const std::string& text);

/// A charged cell with the names of its sites: "Na1", "Na2", "Cl1".
struct ChargedStructure {
  ChargedCell cell;
  std::vector<std::string> kinds, labels;

  /// Number of the site with this label, or of the first one of this kind or element. Throws Error, which
  /// lists the labels.
  Eigen::Index site(const std::string& label) const;
};

/// Throws Error for a structure without lattice, and where the source has no charge for an atom.
ChargedStructure chargedStructure(const Structure& structure, const ChargeSource& source);

}  // namespace prophet
