#pragma once

namespace prophet {

/// Number of the row of a block of the periodic table that an element stands in (1s, 2s, 2p, ..., with La and
/// Ac at the beginning of the f rows, Lu and Lr of the d rows): properties of elements of one row vary
/// smoothly with Z.
int rowOfBlock(int z);

/// l of that block: 0 to 3.
int blockOf(int z);

}  // namespace prophet
