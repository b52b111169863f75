#pragma once
#include <boost/program_options.hpp>

#include "frontends/app/shape_line.hpp"

namespace prophet {

/// --q-grid, or a detector and what the particle stands on. Throws UsageError.
void readMomenta(const boost::program_options::variables_map& values, ShapeLine& line);

/// --lattice, --paracrystal and what belongs to them. Throws UsageError.
void readArrangement(const boost::program_options::variables_map& values, ShapeLine& line);

}  // namespace prophet
