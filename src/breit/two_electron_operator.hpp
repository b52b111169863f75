#pragma once

namespace prophet {

/// Two-electron operators of the grid builder and of the numerical limit; the values of the input language's
/// `breit` (none, gaunt, breit).
enum class TwoElectronOperator { Coulomb, CoulombGaunt, CoulombBreit };

}  // namespace prophet
