#pragma once

/// Dirac-Hartree-Fock calculations of atoms. Atomic units throughout unless a name says otherwise: energies
/// in hartree, lengths in bohr, exponents in bohr^-2.
///
/// Nothing here prints, reads the environment, or keeps state between calls; all functions may be called from
/// many threads at once. Errors are thrown as cudaprophet::Error.
#include "cudaprophet/atom.hpp"
#include "cudaprophet/basis.hpp"
#include "cudaprophet/batch.hpp"
#include "cudaprophet/charges.hpp"
#include "cudaprophet/compute.hpp"
#include "cudaprophet/error.hpp"
#include "cudaprophet/operation.hpp"
#include "cudaprophet/optimise.hpp"
#include "cudaprophet/scattering.hpp"
#include "cudaprophet/version.hpp"
