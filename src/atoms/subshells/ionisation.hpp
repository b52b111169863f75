#pragma once

namespace prophet {

/// What the binary-encounter models of ionisation by electrons (Y.-K. Kim, M. E. Rudd, Phys. Rev. A 50, 3954
/// (1994)) need of a subshell. Energies in hartree.
struct BinaryEncounterShell {
  double binding = 0, kinetic = 0, electrons = 0;  ///< B, U = <c alpha.p>/2, N
};

/// Cross section for ionising it by an electron of this energy (hartree), bohr^2: of the model (BEB), and
/// with the relativistic kinematics of the fast electron (RBEB; Y.-K. Kim, J. P. Santos, F. Parente, Phys.
/// Rev. A 62, 052710 (2000)). 0 up to the binding energy. Of neutral atoms and single ions: the electron is
/// taken to feel one charge.
double bebCrossSection(const BinaryEncounterShell& shell, double energy);
double relativisticBebCrossSection(const BinaryEncounterShell& shell, double energy, double speedOfLight);

}  // namespace prophet
